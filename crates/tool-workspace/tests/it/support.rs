//! A checkout and a state folder in a temporary place, and a picture of all that is in the checkout.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tool_workspace::{Captured, Journals, Located, Root};

/// A checkout for one test.
pub(crate) struct Site {
    dir: TempDir,
    pub(crate) root: Root,
    pub(crate) journals: Journals,
}

/// What is in a checkout: kind, mode and content of everything, hidden files too.
pub(crate) type Picture = BTreeMap<PathBuf, String>;

impl Site {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("checkout")).unwrap();
        fs::create_dir(dir.path().join("outside")).unwrap();
        let root = Root::open(&dir.path().join("checkout")).unwrap();
        let journals = Journals::open(&dir.path().join("state"), &root);
        Self { dir, root, journals }
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let site = Self::new();
        for (path, text) in files {
            site.put(path, text);
        }
        site
    }

    /// The folder beside the checkout.
    pub(crate) fn outside(&self) -> PathBuf {
        self.dir.path().join("outside")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.dir.path().join("state")
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub(crate) fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn get(&self, path: &str) -> String {
        String::from_utf8(fs::read(self.at(path)).unwrap()).unwrap()
    }

    pub(crate) fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.at(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn capture(&self, path: &str) -> (Located, Captured) {
        let at = self.root.resolve(path).unwrap();
        let captured = self.root.read(&at).unwrap().into();
        (at, captured)
    }

    pub(crate) fn picture(&self) -> Picture {
        picture(self.root.path())
    }

    /// Names of journals, locks aside.
    pub(crate) fn journal_files(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.journals.folder()) else {
            return Vec::new();
        };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !name.ends_with("lock")).collect()
    }
}

pub(crate) fn picture(root: &Path) -> Picture {
    let mut picture = Picture::new();
    add(root, root, &mut picture);
    picture
}

fn add(root: &Path, folder: &Path, picture: &mut Picture) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let data = fs::symlink_metadata(&path).unwrap();
        let kind = data.file_type();
        let says = if kind.is_dir() {
            add(root, &path, picture);
            "folder".to_owned()
        } else if kind.is_symlink() {
            format!("link to {}", fs::read_link(&path).unwrap().display())
        } else {
            let bytes = fs::read(&path).unwrap();
            format!("{:o} x{} {:?}", data.mode(), data.nlink(), String::from_utf8_lossy(&bytes))
        };
        picture.insert(path.strip_prefix(root).unwrap().to_path_buf(), says);
    }
}
