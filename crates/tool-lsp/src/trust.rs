//! What an untrusted checkout may not make a server do: run its programs, interpreters, plugins or build
//! scripts. What is switched off, and what is not started at all, is data of each server.

use crate::roots::upward;
use crate::spec::ServerSpec;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Why the server is not started in an untrusted checkout; `None` if it may be. Blocks on the file system.
pub(crate) fn refusal(spec: &ServerSpec, root: &Path, run_root: &Path) -> Option<String> {
    if let Some(why) = &spec.untrusted.refused {
        return Some(why.clone());
    }
    let folders = upward(root, run_root);
    spec.untrusted.refused_with.iter().find_map(|(file, needle)| {
        folders.iter().map(|folder| folder.join(file)).find_map(|path| {
            let bytes = std::fs::read(&path).ok()?;
            let has = needle.is_empty() || contains(&bytes, needle.as_bytes());
            has.then(|| format!("{} can name programs that {} would run", path.display(), spec.id))
        })
    })
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

/// A `PATH` without relative folders, and, in an untrusted run, without those that lie in the checkout or lead
/// into it: a shell with an activated environment has one.
pub(crate) fn search_path(path: &OsStr, run_root: &Path, trusted: bool) -> OsString {
    let real = run_root.canonicalize().ok();
    let inside = |folder: &Path| {
        let within = |root: &Path| {
            folder.starts_with(root)
                || folder.canonicalize().is_ok_and(|real| real.starts_with(root))
        };
        within(run_root) || real.as_deref().is_some_and(within)
    };
    let folders = std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .filter(|folder| trusted || !inside(folder));
    std::env::join_paths(folders).unwrap_or_default()
}

/// Whether a program lies in the checkout, also when a link outside leads there.
pub(crate) fn in_checkout(program: &Path, run_root: &Path) -> bool {
    let Ok(real) = program.canonicalize() else { return program.starts_with(run_root) };
    program.starts_with(run_root)
        || real.starts_with(run_root)
        || run_root.canonicalize().is_ok_and(|root| real.starts_with(root))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Role;
    use std::fs;

    #[test]
    fn a_file_that_names_programs_keeps_a_server_away() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("in");
        fs::create_dir(&root).unwrap();
        let mut spec = ServerSpec::new("x", Role::Types);
        spec.untrusted.refused_with = vec![("x.toml".into(), "path".into())];
        assert_eq!(refusal(&spec, &root, folder.path()), None);
        fs::write(folder.path().join("x.toml"), "channel = \"1\"").unwrap();
        assert_eq!(refusal(&spec, &root, folder.path()), None);
        fs::write(folder.path().join("x.toml"), "path = \"evil\"").unwrap();
        assert!(refusal(&spec, &root, folder.path()).unwrap().contains("x.toml"));
        // Above the run nothing is of the checkout.
        assert_eq!(refusal(&spec, &root, &root), None);
        spec.untrusted.refused = Some("always".into());
        assert_eq!(refusal(&spec, &root, &root).as_deref(), Some("always"));
    }

    #[cfg(unix)]
    #[test]
    fn an_untrusted_search_leaves_the_checkout_out() {
        let folder = tempfile::tempdir().unwrap();
        let checkout = folder.path().join("checkout");
        fs::create_dir_all(checkout.join(".venv/bin")).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(checkout.join(".venv/bin"), &link).unwrap();
        let list = [checkout.join(".venv/bin"), link.clone(), "rel".into(), "/usr/bin".into()];
        let path = std::env::join_paths(&list).unwrap();
        let split = |trusted| -> Vec<std::path::PathBuf> {
            std::env::split_paths(&search_path(&path, &checkout, trusted)).collect()
        };
        assert_eq!(split(false), [Path::new("/usr/bin")]);
        assert_eq!(split(true).len(), 3);
        fs::write(checkout.join(".venv/bin/tool"), "").unwrap();
        assert!(in_checkout(&link.join("tool"), &checkout));
        assert!(!in_checkout(Path::new("/usr/bin/env"), &checkout));
    }
}
