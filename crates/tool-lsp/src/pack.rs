//! The tools and the layer as one pack.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tool_core::{Installer, Pack, Typed};
use tool_workspace::{ContentHash, Root};

use crate::config::LspConfig;
use crate::layer::DiagnosticsLayer;
use crate::rename::RenameTool;
use crate::supervisor::Supervisor;
use crate::tool::LspTool;

/// `lsp` and `lsp_rename` over one root, for one run, with the servers that it starts.
///
/// Servers are started when they are first asked, belong to the run, and end with it. Build one pack a run.
pub struct LspPack {
    sup: Supervisor,
    layer: DiagnosticsLayer,
    state_dir: PathBuf,
}

impl LspPack {
    /// A pack over `root`. What servers write goes below `state_dir`, which must lie outside the root. `trusted`: whether
    /// programs and settings of the checkout may run. Starts nothing yet.
    #[must_use]
    pub fn new(
        root: Root,
        state_dir: impl Into<PathBuf>,
        config: LspConfig,
        trusted: bool,
    ) -> Self {
        let state_dir = state_dir.into();
        let scratch = scratch(&state_dir, &root);
        let sup = Supervisor::new(root, config, trusted, scratch);
        Self { layer: DiagnosticsLayer::new(sup.clone()), sup, state_dir }
    }

    /// The layer that says in the results of write tools what they have broken. The pack puts it around all tools; a host
    /// that writes files by itself keeps this handle to tell of them.
    #[must_use]
    pub fn diagnostics(&self) -> DiagnosticsLayer {
        self.layer.clone()
    }

    /// The query tool alone. Its servers end only when the pack's resource is closed.
    #[must_use]
    pub fn lsp(&self) -> LspTool {
        LspTool::new(self.sup.clone())
    }

    /// The rename tool alone. Its servers are those of [`LspPack::lsp`].
    #[must_use]
    pub fn rename(&self) -> RenameTool {
        RenameTool::new(self.sup.clone(), self.state_dir.clone())
    }
}

/// A folder for what servers write about this root: the same in every run, so that an index is built once.
fn scratch(state_dir: &Path, root: &Root) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    let name = ContentHash::of(root.path().as_os_str().as_bytes()).to_string();
    state_dir.join("servers").join(&name[..16])
}

impl Pack for LspPack {
    fn install(self, into: &mut Installer) {
        let (lsp, rename) = (Typed(self.lsp()), Typed(self.rename()));
        into.tool(lsp).tool(rename).layer(self.layer).resource(Arc::new(self.sup));
    }
}
