use super::World;
use crate::client::FileChange;
use std::fs;
use std::path::{Path, PathBuf};

struct Tree {
    folder: tempfile::TempDir,
}

impl Tree {
    fn new(files: &[&str]) -> Self {
        let tree = Self { folder: tempfile::tempdir().expect("a folder") };
        for file in files {
            tree.write(file, "1");
        }
        tree
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there")
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.root().join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }

    /// What a look finds, relative to the root.
    fn look(&self, world: &mut World) -> Vec<(String, FileChange)> {
        world.look(&|path: &Path| path.extension().is_some_and(|end| end == "py"));
        let found = world.untold();
        world.told();
        let short =
            |path: PathBuf| path.strip_prefix(self.root()).expect("inside").display().to_string();
        found.into_iter().map(|(path, change)| (short(path), change)).collect()
    }
}

/// Failures 23 and 24: what was created, changed and deleted behind our back is found, each once; also within one step of
/// the file system's clock, and in folders that were empty before.
#[test]
fn changes_are_found_once() {
    let tree = Tree::new(&["a.py", "b.py", "src/c.py", "x.txt"]);
    fs::create_dir_all(tree.root().join("empty/deep")).expect("folders");
    let mut world = World::first_look(&tree.root());
    assert_eq!(tree.look(&mut world), []);
    tree.write("a.py", "2");
    tree.write("x.txt", "2");
    tree.write("empty/deep/new.py", "1");
    fs::remove_file(tree.root().join("src/c.py")).expect("removed");
    let mut found = tree.look(&mut world);
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        found,
        [
            ("a.py".to_string(), FileChange::Changed),
            ("empty/deep/new.py".to_string(), FileChange::Created),
            ("src/c.py".to_string(), FileChange::Deleted),
        ]
    );
    assert_eq!(tree.look(&mut world), []);
    // Same length, same moment.
    tree.write("a.py", "3");
    assert_eq!(tree.look(&mut world), [("a.py".to_string(), FileChange::Changed)]);
    // Written anew with what it had: nothing changed.
    tree.write("a.py", "3");
    assert_eq!(tree.look(&mut world), []);
}

#[test]
fn what_nobody_reads_is_not_looked_at() {
    let tree = Tree::new(&["a.py", ".gitignore", ".hidden/a.py"]);
    tree.write(".gitignore", "out/\n");
    let mut world = World::first_look(&tree.root());
    tree.write("out/a.py", "1");
    tree.write(".hidden/a.py", "2");
    assert_eq!(tree.look(&mut world), []);
    assert_eq!(world.find(|path| path.ends_with("a.py")), Some(tree.root().join("a.py")));
}

#[test]
fn our_own_writes_are_not_found() {
    let tree = Tree::new(&["a.py"]);
    let mut world = World::first_look(&tree.root());
    tree.write("a.py", "2");
    tree.write("new.py", "1");
    for file in ["a.py", "new.py"] {
        world.wrote(&tree.root().join(file), true);
    }
    assert_eq!(tree.look(&mut world), []);
    fs::remove_file(tree.root().join("new.py")).expect("removed");
    world.wrote(&tree.root().join("new.py"), true);
    assert_eq!(tree.look(&mut world), []);
}

/// Failure 24: of several changes of one file the last counts.
#[test]
fn changes_of_a_file_are_told_as_one() {
    let mut world = World::default();
    let path = PathBuf::from("/a");
    world.add(&[
        (path.clone(), FileChange::Created),
        ("/b".into(), FileChange::Changed),
        (path.clone(), FileChange::Deleted),
    ]);
    assert_eq!(world.untold(), [(path, FileChange::Deleted), ("/b".into(), FileChange::Changed)]);
    world.told();
    assert_eq!(world.untold(), []);
}
