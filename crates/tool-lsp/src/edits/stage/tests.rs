//! Plans against files in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use tool_workspace::{ContentHash, Journals, Root};

use super::{Known, Staged, stage};
use crate::edits::{EditProblem, Plan, Step, WireEdit};
use crate::text::{Encoding, Pos, Span};

struct Case {
    dir: TempDir,
    root: Root,
    hashes: BTreeMap<PathBuf, ContentHash>,
    opened: BTreeMap<PathBuf, i64>,
    asked_at: SystemTime,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("made");
            fs::write(path, content).expect("written");
        }
        let root = Root::open(dir.path()).expect("opened");
        let asked_at = SystemTime::now() + Duration::from_secs(1);
        Self { dir, root, hashes: BTreeMap::new(), opened: BTreeMap::new(), asked_at }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn stage(&self, steps: Vec<Step>) -> Result<Staged, EditProblem> {
        let known = Known {
            root: &self.root,
            encoding: Encoding::Utf16,
            version: &|path: &Path| self.opened.get(path).copied(),
            hashes: &self.hashes,
            asked_at: self.asked_at,
        };
        stage(&Plan { steps, labels: Vec::new() }, &known, &mut |_, _, _| Ok(()))
    }

    /// Stages, commits, and gives all files afterwards.
    fn carry_out(&self, steps: Vec<Step>) -> Vec<(String, String)> {
        let staged = self.stage(steps).expect("staged");
        let state = tempfile::tempdir().expect("a folder");
        let journals = Journals::open(state.path(), &self.root);
        staged.changes.commit(&self.root, &journals).expect("committed");
        self.all()
    }

    fn all(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut folders = vec![self.dir.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("listed") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let rel = path.strip_prefix(self.dir.path()).expect("below").display();
                    found.push((rel.to_string(), fs::read_to_string(&path).expect("text")));
                }
            }
        }
        found.sort();
        found
    }

    fn text(&self, name: &str, version: Option<i64>, from: u32, to: u32, new: &str) -> Step {
        let span = Span { start: Pos::new(0, from), end: Pos::new(0, to) };
        Step::Text {
            path: self.path(name),
            version,
            edits: vec![WireEdit { span, new: new.into() }],
        }
    }

    fn rename(&self, from: &str, to: &str) -> Step {
        Step::Rename { from: self.path(from), to: self.path(to), overwrite: false, ignore: false }
    }

    fn create(&self, name: &str) -> Step {
        Step::Create { path: self.path(name), overwrite: false, ignore: false }
    }

    fn delete(&self, name: &str) -> Step {
        Step::Delete { path: self.path(name), recursive: false, ignore: false }
    }
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn several_files_change_together() {
    let case = Case::new(&[("a", "foo"), ("d/b", "foo foo"), ("c", "foo")]);
    let steps = vec![case.text("a", None, 0, 3, "bar"), case.text("d/b", Some(0), 4, 7, "bar")];
    let staged = case.stage(steps.clone()).unwrap();
    let files: Vec<_> = staged.files.iter().map(|f| (f.rel.as_str(), f.edits)).collect();
    assert_eq!(files, [("a", 1), ("d/b", 1)]);
    assert_eq!(case.carry_out(steps), pairs(&[("a", "bar"), ("c", "foo"), ("d/b", "foo bar")]));
}

/// Two lists for one file, without an operation between them, are about the same text.
#[test]
fn edits_of_one_file_are_gathered() {
    let case = Case::new(&[("a", "foo foo")]);
    let steps = vec![case.text("a", None, 0, 3, "longer"), case.text("a", Some(3), 4, 7, "x")];
    assert_eq!(case.carry_out(steps), pairs(&[("a", "longer x")]));
}

/// Failure 59: operations and edits in the declared order.
#[test]
fn a_move_between_edits_is_carried_out_between_them() {
    let case = Case::new(&[("a", "foo"), ("user", "foo")]);
    let steps = vec![
        case.text("a", None, 0, 3, "bar"),
        case.rename("a", "d/b"),
        case.text("d/b", None, 0, 1, "c"),
        case.text("user", None, 0, 3, "bar"),
    ];
    let staged = case.stage(steps.clone()).unwrap();
    let moved = staged.files.iter().find(|f| f.rel == "d/b").unwrap();
    assert_eq!((moved.from.as_deref(), moved.edits), (Some("a"), 2));
    assert_eq!(case.carry_out(steps), pairs(&[("d/b", "car"), ("user", "bar")]));
    let case = Case::new(&[("a", "foo")]);
    let late = case.stage(vec![case.rename("a", "b"), case.text("a", None, 0, 3, "bar")]);
    assert!(matches!(late, Err(EditProblem::Missing { rel }) if rel == "a"));
}

#[test]
fn files_change_places_and_are_made_and_deleted() {
    let case = Case::new(&[("a", "1"), ("b", "2"), ("c", "3")]);
    let steps = vec![
        case.rename("a", "t"),
        case.rename("b", "a"),
        case.rename("t", "b"),
        case.delete("c"),
        case.create("n"),
        case.text("n", None, 0, 0, "new"),
    ];
    assert_eq!(case.carry_out(steps), pairs(&[("a", "2"), ("b", "1"), ("n", "new")]));
}

#[test]
fn a_file_is_moved_and_another_made_in_its_place() {
    let case = Case::new(&[("a", "1")]);
    let steps = vec![case.rename("a", "b"), case.create("a"), case.text("a", None, 0, 0, "n")];
    assert_eq!(case.carry_out(steps), pairs(&[("a", "n"), ("b", "1")]));
}

#[test]
fn folders_move_and_go_with_all_that_is_in_them() {
    let case = Case::new(&[("m/a", "1"), ("m/d/.b", "2"), ("x/c", "3"), (".gitignore", "m/d\n")]);
    let all = Step::Delete { path: case.path("x"), recursive: true, ignore: false };
    let steps = vec![case.text("m/a", None, 0, 1, "one"), case.rename("m", "n"), all];
    let staged = case.stage(steps.clone()).unwrap();
    assert_eq!(staged.folders, [case.path("m"), case.path("x")]);
    assert_eq!(
        case.carry_out(steps),
        pairs(&[(".gitignore", "m/d\n"), ("n/a", "one"), ("n/d/.b", "2")])
    );
    let case = Case::new(&[("x/c", "3")]);
    assert!(matches!(case.stage(vec![case.delete("x")]), Err(EditProblem::NotEmpty { .. })));
}

#[test]
fn what_is_in_the_way_is_an_error_unless_the_edit_says_otherwise() {
    let case = Case::new(&[("a", "1"), ("b", "2")]);
    for step in [case.rename("a", "b"), case.create("b")] {
        assert!(matches!(case.stage(vec![step]), Err(EditProblem::Exists { rel }) if rel == "b"));
    }
    for step in [case.rename("z", "y"), case.delete("z"), case.text("z", None, 0, 0, "x")] {
        assert!(matches!(case.stage(vec![step]), Err(EditProblem::Missing { rel }) if rel == "z"));
    }
    let over =
        Step::Rename { from: case.path("a"), to: case.path("b"), overwrite: true, ignore: false };
    assert_eq!(case.carry_out(vec![over]), pairs(&[("b", "1")]));
    let case = Case::new(&[("a", "1"), ("b", "2")]);
    let keep = Step::Create { path: case.path("b"), overwrite: false, ignore: true };
    let none = Step::Delete { path: case.path("z"), recursive: false, ignore: true };
    assert_eq!(case.carry_out(vec![keep, none]), pairs(&[("a", "1"), ("b", "2")]));
}

/// Failures 54, 55 and 56.
#[test]
fn versions_count_for_documents_that_are_open() {
    let mut case = Case::new(&[("a", "foo foo"), ("b", "foo")]);
    case.opened.insert(case.path("a"), 7);
    let told = case.stage(vec![case.text("a", Some(6), 0, 3, "bar")]).unwrap_err();
    assert_eq!(told, EditProblem::Version { rel: "a".into(), ours: 7, theirs: 6 });
    assert!(case.stage(vec![case.text("a", Some(7), 0, 3, "bar")]).is_ok());
    assert!(case.stage(vec![case.text("a", None, 0, 3, "bar")]).is_ok());
    assert!(case.stage(vec![case.text("b", Some(0), 0, 3, "bar")]).is_ok(), "never opened");
    let mixed = vec![case.text("a", None, 0, 3, "bar"), case.text("a", Some(7), 4, 7, "bar")];
    assert!(case.stage(mixed).is_ok(), "nothing said beside a number");
    let two = vec![case.text("b", Some(1), 0, 1, "x"), case.text("b", Some(2), 1, 2, "x")];
    assert_eq!(
        case.stage(two).unwrap_err(),
        EditProblem::Versions { rel: "b".into(), one: 1, other: 2 }
    );
}

#[test]
fn a_file_that_changed_since_the_question_refuses_all() {
    let mut case = Case::new(&[("a", "foo"), ("b", "foo")]);
    case.hashes.insert(case.path("a"), ContentHash::of(b"foo"));
    assert!(case.stage(vec![case.text("a", None, 0, 3, "x")]).is_ok());
    fs::write(case.path("a"), "fop").unwrap();
    let told = case.stage(vec![case.text("b", None, 0, 3, "x"), case.text("a", None, 0, 3, "x")]);
    assert_eq!(told.unwrap_err(), EditProblem::Changed { rel: "a".into() });
    case.asked_at = SystemTime::now() - Duration::from_secs(60);
    let told = case.stage(vec![case.text("b", None, 0, 3, "x")]);
    assert_eq!(told.unwrap_err(), EditProblem::Changed { rel: "b".into() });
}

#[test]
fn nothing_outside_the_root_is_touched() {
    let case = Case::new(&[("in/a", "foo")]);
    let outside = tempfile::tempdir().unwrap();
    let file = fs::canonicalize(outside.path()).unwrap().join("b");
    fs::write(&file, "foo").unwrap();
    let span = Span { start: Pos::new(0, 0), end: Pos::new(0, 3) };
    let away = Step::Text {
        path: file.clone(),
        version: None,
        edits: vec![WireEdit { span, new: "x".into() }],
    };
    let told = case.stage(vec![case.text("in/a", None, 0, 3, "x"), away]).unwrap_err();
    assert_eq!(told, EditProblem::Outside { paths: vec![file.display().to_string()] });
    let flee = Step::Rename { from: case.path("in/a"), to: file, overwrite: true, ignore: false };
    assert!(matches!(case.stage(vec![flee]), Err(EditProblem::Outside { .. })));
    std::os::unix::fs::symlink(outside.path(), case.path("link")).unwrap();
    let told = case.stage(vec![case.text("link/b", None, 0, 3, "x")]).unwrap_err();
    assert!(matches!(told, EditProblem::Outside { .. }), "{told:?}");
}

/// Failure 68: bytes that are no text are refused, and files that are only moved keep them.
#[test]
fn bytes_that_are_no_text_are_not_edited_and_survive_a_move() {
    let case = Case::new(&[]);
    fs::write(case.path("a"), b"foo \xff").unwrap();
    let told = case.stage(vec![case.text("a", None, 0, 3, "x")]).unwrap_err();
    assert!(matches!(told, EditProblem::NotText { .. }));
    let staged = case.stage(vec![case.rename("a", "b")]).unwrap();
    assert_eq!(staged.files[0].new.as_deref(), Some(&b"foo \xff"[..]));
}

/// Failure 81: a server that answers with the real path of a linked file, and one that does not, mean one file.
#[test]
fn one_file_under_two_paths_is_edited_once() {
    let case = Case::new(&[("real/a", "foo foo")]);
    std::os::unix::fs::symlink("real", case.path("link")).unwrap();
    let steps = vec![case.text("real/a", None, 0, 3, "x"), case.text("link/a", None, 4, 7, "y")];
    let staged = case.stage(steps).unwrap();
    assert_eq!(staged.files.len(), 1);
    assert_eq!(staged.files[0].new.as_deref(), Some(&b"x y"[..]));
}
