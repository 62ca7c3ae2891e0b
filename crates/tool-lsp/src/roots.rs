//! The root that a file belongs to.

use crate::config::Servers;
use crate::spec::{Role, ServerSpec};
use std::path::{Path, PathBuf};

/// The servers for a file: those that know types first, in order of preference, then linters.
pub(crate) fn servers_for<'a>(servers: &'a Servers, file: &Path) -> Vec<&'a ServerSpec> {
    let mut list: Vec<&ServerSpec> =
        servers.iter().filter(|spec| spec.language_id(file).is_some()).collect();
    list.sort_by_key(|spec| spec.role != Role::Types);
    list
}

/// The root of a file for a server: the nearest marked folder upward from the file, never above `run_root`,
/// merged with its workspace. `None`: no marker. Blocks on the file system.
pub(crate) fn root_for(_spec: &ServerSpec, _file: &Path, _run_root: &Path) -> Option<PathBuf> {
    None
}
