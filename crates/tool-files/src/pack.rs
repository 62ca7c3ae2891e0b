//! All four tools at once.

use tool_core::{Installer, Pack};
use tool_workspace::{Journals, Root};

use crate::tools::{ApplyPatchTool, EditTool, ReadTool, WriteTool};

/// `read`, `write`, `edit` and `apply_patch` over one root.
///
/// Changes that a crash cut short are brought to an end by the next change; a host that wants that at its start calls
/// [`Journals::recover`].
#[derive(Clone, Debug)]
pub struct FilesPack {
    root: Root,
    journals: Journals,
}

impl FilesPack {
    /// The tools over `root`, with the journals of their changes.
    #[must_use]
    pub fn new(root: Root, journals: Journals) -> Self {
        Self { root, journals }
    }
}

impl Pack for FilesPack {
    fn install(self, to: &mut Installer) {
        let Self { root, journals } = self;
        to.tool(ReadTool::new(root.clone()));
        to.tool(WriteTool::new(root.clone(), journals.clone()));
        to.tool(EditTool::new(root.clone(), journals.clone()));
        to.tool(ApplyPatchTool::new(root, journals));
    }
}
