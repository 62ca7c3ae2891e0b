//! All four tools at once.

use std::sync::Arc;

use tool_core::{Installer, Pack};
use tool_workspace::{Journals, Root};

use crate::spills::Spills;
use crate::tools::{ApplyPatchTool, EditTool, ReadTool, WriteTool};

/// `read`, `write`, `edit` and `apply_patch` over one root.
///
/// Changes that a crash cut short are brought to an end by the next change; a host that wants that at its start calls
/// [`Journals::recover`].
#[derive(Clone, Debug)]
pub struct FilesPack {
    root: Root,
    journals: Journals,
    spills: Option<Spills>,
}

impl FilesPack {
    /// The tools over `root`, with the journals of their changes.
    #[must_use]
    pub fn new(root: Root, journals: Journals) -> Self {
        Self { root, journals, spills: None }
    }

    /// Keeps the whole text of answers that the output budget cuts, of every tool of the registry, and lets `read` take
    /// the files that a cut names. [`Spills::of`] makes them for a run.
    #[must_use]
    pub fn spills(mut self, spills: impl Into<Option<Spills>>) -> Self {
        self.spills = spills.into();
        self
    }
}

impl Pack for FilesPack {
    fn install(self, to: &mut Installer) {
        let Self { root, journals, spills } = self;
        if let Some(spills) = &spills {
            to.spill(Arc::new(spills.clone())).resource(Arc::new(spills.clone()));
        }
        to.tool(ReadTool::new(root.clone()).spills(spills));
        to.tool(WriteTool::new(root.clone(), journals.clone()));
        to.tool(EditTool::new(root.clone(), journals.clone()));
        to.tool(ApplyPatchTool::new(root, journals));
    }
}
