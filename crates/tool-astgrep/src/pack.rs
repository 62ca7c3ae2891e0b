//! The three tools as one pack, on what they share.

use std::path::PathBuf;
use std::sync::Arc;

use tool_core::{Installer, Pack, Typed};
use tool_workspace::Root;

use crate::tools::{AstEditTool, AstGrepTool, ResolveTool};
use crate::workshop::{AstGrepConfig, Workshop};

/// `ast_grep`, `ast_edit` and `resolve` over one root, for one run.
///
/// The three share what the run remembers and the edits that are staged, so build one pack a run. Their calls work on
/// tokio's blocking threads, with [`AstGrepConfig::threads`] threads of their own, and stop soon after they are cancelled.
/// Errors are `ToolError`s: a pattern or path that cannot be used is `invalid_args`, files that changed since an edit
/// was staged are a `conflict`.
pub struct AstGrepPack {
    shop: Arc<Workshop>,
}

impl AstGrepPack {
    /// A pack over `root`; journals of commits are kept in `state_dir`, which must lie outside the root. Reads and
    /// writes nothing yet.
    #[must_use]
    pub fn new(root: Root, state_dir: impl Into<PathBuf>, config: &AstGrepConfig) -> Self {
        let shop = Arc::new(Workshop::new(root, state_dir.into(), config));
        Self { shop }
    }

    /// The search tool alone.
    #[must_use]
    pub fn ast_grep(&self) -> AstGrepTool {
        AstGrepTool::new(self.shop.clone())
    }

    /// The rewrite tool alone; its edits are decided by the [`ResolveTool`] of the same pack.
    #[must_use]
    pub fn ast_edit(&self) -> AstEditTool {
        AstEditTool::new(self.shop.clone())
    }

    /// The tool that decides the edits of this pack.
    #[must_use]
    pub fn resolve(&self) -> ResolveTool {
        ResolveTool::new(self.shop.clone())
    }
}

impl Pack for AstGrepPack {
    fn install(self, into: &mut Installer) {
        into.tool(Typed(self.ast_grep())).tool(Typed(self.ast_edit())).tool(Typed(self.resolve()));
    }
}
