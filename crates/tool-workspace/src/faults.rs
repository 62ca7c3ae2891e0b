//! A hook at every step that a crash or a full disk could hit. For tests; in use it is empty.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

type Hook = Arc<dyn Fn(Step<'_>) -> io::Result<()> + Send + Sync>;

/// One step of a commit or a recovery that is about to happen.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// What is about to happen.
    pub name: &'static str,
    /// The file or folder it happens to.
    pub path: &'a Path,
}

/// What a test makes fail. The default fails nothing.
#[derive(Clone, Default)]
pub struct Faults {
    hook: Option<Hook>,
    /// Act as if the file system could not exchange two names in one step.
    pub plain_renames: bool,
}

impl Faults {
    /// Calls `hook` before each step; an error is taken as the step's own.
    pub fn new(hook: impl Fn(Step<'_>) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self { hook: Some(Arc::new(hook)), plain_renames: false }
    }

    /// Whether any step is watched; work is then done in a fixed order.
    pub(crate) fn is_set(&self) -> bool {
        self.hook.is_some()
    }

    pub(crate) fn at(&self, name: &'static str, path: &Path) -> io::Result<()> {
        match &self.hook {
            Some(hook) => hook(Step { name, path }),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faults")
            .field("hooked", &self.hook.is_some())
            .field("plain_renames", &self.plain_renames)
            .finish()
    }
}
