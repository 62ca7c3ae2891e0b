//! The root that a file belongs to.

mod manifest;

pub(crate) use manifest::{major, npm_major};

use crate::config::Servers;
use crate::spec::{Role, ServerSpec, WorkspaceKind};
use globset::Glob;
use std::path::{Path, PathBuf};

/// The servers for a file: those that know types first, in order of preference, then linters.
pub(crate) fn servers_for<'a>(servers: &'a Servers, file: &Path) -> Vec<&'a ServerSpec> {
    let mut list: Vec<&ServerSpec> =
        servers.iter().filter(|spec| spec.language_id(file).is_some()).collect();
    list.sort_by_key(|spec| spec.role != Role::Types);
    list
}

/// The root of a file for a server: the nearest marked folder upward from the file, never above `run_root`,
/// merged with the workspace that it is part of. `None`: no marker, or the file lies elsewhere. Blocks on
/// the file system.
pub(crate) fn root_for(spec: &ServerSpec, file: &Path, run_root: &Path) -> Option<PathBuf> {
    // A folder asks for itself.
    let start = if file.is_dir() { file } else { file.parent()? };
    let folders: Vec<&Path> = upward(start, run_root);
    let outermost = *folders.last()?;
    if spec.markers.is_empty() {
        return Some(outermost.to_path_buf());
    }
    let with = |markers: &[String]| {
        folders.iter().position(|folder| markers.iter().any(|m| marks(m, folder, outermost)))
    };
    let (first, rest) = match spec.workspace {
        WorkspaceKind::Ranked(n) => spec.markers.split_at(n.min(spec.markers.len())),
        WorkspaceKind::Npm => spec.markers.split_at(spec.markers.len().min(2)),
        _ => spec.markers.split_at(0),
    };
    let nearest = with(first).or_else(|| with(rest))?;
    let above = || folders.iter().skip(nearest + 1).copied();
    let found = match spec.workspace {
        WorkspaceKind::Cargo => manifest::cargo_workspace(folders[nearest], above()),
        WorkspaceKind::Go => manifest::go_workspace(folders[nearest], above()),
        WorkspaceKind::Npm => manifest::npm_workspace(folders[nearest], above()),
        WorkspaceKind::Outermost => {
            above().rfind(|f| spec.markers.iter().any(|m| marks(m, f, outermost)))
        }
        WorkspaceKind::Nearest | WorkspaceKind::Ranked(_) => None,
    };
    Some(found.unwrap_or(folders[nearest]).to_path_buf())
}

/// The folders from `start` up to `top`, both included; none if `start` is not below `top`.
pub(crate) fn upward<'a>(start: &'a Path, top: &Path) -> Vec<&'a Path> {
    let mut folders = Vec::new();
    for folder in start.ancestors() {
        folders.push(folder);
        if folder == top {
            return folders;
        }
    }
    Vec::new()
}

fn marks(marker: &str, folder: &Path, run_root: &Path) -> bool {
    if marker == "." {
        return folder == run_root;
    }
    if !marker.contains(['*', '?', '[']) {
        return folder.join(marker).exists();
    }
    let Ok(glob) = Glob::new(marker) else { return false };
    let matcher = glob.compile_matcher();
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| matcher.is_match(entry.file_name()))
}

#[cfg(test)]
mod tests;
