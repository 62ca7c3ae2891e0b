//! A checkout and a state folder in a temporary place, and a picture of all that is in the checkout.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use tool_workspace::{
    Captured, ChangeSet, CommitError, CommitOptions, Committed, Faults, Journals, Located, Root,
};

/// A checkout for one test.
pub(crate) struct Site {
    dir: TempDir,
    pub(crate) root: Root,
    pub(crate) journals: Journals,
}

/// Opens what [`Site::place`] holds.
pub(crate) fn open(place: &Path) -> (Root, Journals) {
    let root = Root::open(&place.join("checkout")).unwrap();
    let journals = Journals::open(&place.join("state"), &root);
    (root, journals)
}

/// What is in a checkout: kind, mode and content of everything, hidden files too.
pub(crate) type Picture = BTreeMap<PathBuf, String>;

impl Site {
    pub(crate) fn new() -> Self {
        Self::in_dir(tempfile::tempdir().unwrap())
    }

    /// In memory where the system has such a place: for tests that flush thousands of times.
    pub(crate) fn quick() -> Self {
        Self::in_dir(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn in_dir(dir: TempDir) -> Self {
        fs::create_dir(dir.path().join("checkout")).unwrap();
        fs::create_dir(dir.path().join("outside")).unwrap();
        let (root, journals) = open(dir.path());
        Self { dir, root, journals }
    }

    /// The folder that holds checkout and state, for handing it to another process.
    pub(crate) fn place(&self) -> &Path {
        self.dir.path()
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

/// A change of every kind, in several folders.
pub(crate) struct Scene {
    pub(crate) site: Site,
    pub(crate) set: ChangeSet,
    pub(crate) old: Picture,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let site = Site::quick();
        site.put("a.txt", "a old");
        site.put("src/b.txt", "b old, longer");
        site.put("src/gone.txt", "gone old");
        site.put("from.sh", "from old");
        site.put("bystander", "not in the set");
        site.mode("from.sh", 0o755);
        let mut set = ChangeSet::new();
        let (at, old) = site.capture("a.txt");
        set.replace(&at, old, b"a new".to_vec()).unwrap();
        let (at, old) = site.capture("src/b.txt");
        set.replace(&at, old, b"b new".to_vec()).unwrap();
        let (at, old) = site.capture("src/gone.txt");
        set.delete(&at, old).unwrap();
        let (at, old) = site.capture("from.sh");
        let to = site.root.resolve_new("x/y/to.sh").unwrap();
        set.rename(&at, old, &to, b"to new".to_vec()).unwrap();
        let new = site.root.resolve_new("src/created.txt").unwrap();
        set.create(&new, b"created new".to_vec()).unwrap();
        let old = site.picture();
        Self { site, set, old }
    }

    pub(crate) fn commit(&self, faults: Faults) -> Result<Committed, CommitError> {
        let options = CommitOptions { faults, ..CommitOptions::default() };
        self.set.commit_with(&self.site.root, &self.site.journals, &options)
    }

    /// Whether the checkout is all-old or all-new; everything else fails the test.
    pub(crate) fn is_new(&self, when: &str) -> bool {
        let now = self.site.picture();
        let new = self.new_picture();
        assert!(now == self.old || now == new, "neither old nor new {when}: {now:#?}");
        now == new
    }

    fn new_picture(&self) -> Picture {
        let mut new = self.old.clone();
        new.insert("a.txt".into(), "100644 x1 \"a new\"".into());
        new.insert("src/b.txt".into(), "100644 x1 \"b new\"".into());
        new.remove(Path::new("src/gone.txt"));
        new.remove(Path::new("from.sh"));
        new.insert("x".into(), "folder".into());
        new.insert("x/y".into(), "folder".into());
        new.insert("x/y/to.sh".into(), "100755 x1 \"to new\"".into());
        new.insert("src/created.txt".into(), "100644 x1 \"created new\"".into());
        new
    }
}

/// What a process that dies in the middle leaves, without a process: nothing cleans up, the locks are released.
pub(crate) fn dies(work: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err()
}

/// Faults that call `act` before step `at` (from 0), and a count of the steps that were reached.
pub(crate) fn at_step(
    at: usize,
    act: impl Fn() -> io::Result<()> + Send + Sync + 'static,
) -> (Faults, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&count);
    let faults = Faults::new(move |_| match counter.fetch_add(1, Ordering::SeqCst) == at {
        true => act(),
        false => Ok(()),
    });
    (faults, count)
}
