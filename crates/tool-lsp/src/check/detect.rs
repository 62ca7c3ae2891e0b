//! Which checks a project asks for: by the marks of every ecosystem in it, wherever they stand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tool_workspace::{Root, Walk, WalkOptions, WorkspaceError};

use crate::roots::root_for;
use crate::spec::{Role, ServerSpec, WorkspaceKind};

/// Files that tell a Python project by their name.
const PYTHON: &[&str] = &[
    "pyproject.toml",
    "pyrightconfig.json",
    "setup.py",
    "setup.cfg",
    "requirements.txt",
    "ty.toml",
    "pyrefly.toml",
    "mypy.ini",
    ".mypy.ini",
];

/// Files that tell any other ecosystem by their name.
const MARKS: &[&str] = &[
    "Cargo.toml",
    "tsconfig.json",
    "go.mod",
    "go.work",
    "compile_commands.json",
    "CMakeLists.txt",
    "pubspec.yaml",
    "composer.json",
    "phpstan.neon",
    "phpstan.neon.dist",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "ruff.toml",
    ".ruff.toml",
];
/// Endings of files that are checked one by one.
const ENDINGS: &[&str] = &["sh", "bash", "lua", "php"];

/// A kind of check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) enum Kind {
    Cargo,
    TypeScript,
    Python,
    Ruff,
    Go,
    Clang,
    Dart,
    Shell,
    Lua,
    Php,
    Maven,
    Gradle,
}

/// A check that the project asks for, at one of its folders.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Job {
    pub(crate) kind: Kind,
    /// Absolute.
    pub(crate) root: PathBuf,
    /// Marks and files that belong to it, absolute, in order.
    pub(crate) files: Vec<PathBuf>,
}

/// Looks for marks below the root, as ripgrep walks: what is ignored is not looked at. Blocks.
///
/// # Errors
/// The root cannot be walked.
pub(crate) fn detect(
    root: &Root,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Job>, WorkspaceError> {
    let start = root.resolve(".")?;
    let mut options = WalkOptions::default();
    options.count_excluded = false;
    let walked = Walk::new(root, &start).options(options).run_until(stop)?;
    let mut files: Vec<PathBuf> = walked.files.into_iter().map(|file| file.path).collect();
    // Hidden marks, and build folders that are ignored as a rule.
    let top = root.path();
    for extra in
        [".mypy.ini", ".ruff.toml", "build/compile_commands.json", "out/compile_commands.json"]
    {
        files.push(top.join(extra));
    }
    files.retain(|file| is_mark(file) && file.is_file());
    files.sort();
    files.dedup();
    Ok(jobs(&files, top))
}

fn is_mark(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    MARKS.contains(&name) || PYTHON.contains(&name) || ENDINGS.contains(&ending)
}

/// The checks for marks that were found, in the order of kinds and folders.
fn jobs(files: &[PathBuf], top: &Path) -> Vec<Job> {
    let named = |names: &[&str]| -> Vec<PathBuf> {
        let is = |file: &&PathBuf| file.file_name().is_some_and(|n| names.iter().any(|m| n == *m));
        files.iter().filter(is).cloned().collect()
    };
    let ended = |endings: &[&str]| -> Vec<PathBuf> {
        let is =
            |file: &&PathBuf| file.extension().is_some_and(|e| endings.iter().any(|m| e == *m));
        files.iter().filter(is).cloned().collect()
    };
    let mut jobs = Vec::new();
    let mut add = |kind, roots: BTreeMap<PathBuf, Vec<PathBuf>>| {
        jobs.extend(roots.into_iter().map(|(root, files)| Job { kind, root, files }));
    };
    add(Kind::Cargo, merged("Cargo.toml", WorkspaceKind::Cargo, &named(&["Cargo.toml"]), top));
    add(Kind::TypeScript, by_folder(&named(&["tsconfig.json"])));
    let python = named(PYTHON);
    add(Kind::Python, outermost(&python));
    let ruff = named(&["ruff.toml", ".ruff.toml", "pyproject.toml"]);
    add(
        Kind::Ruff,
        outermost(&ruff.into_iter().filter(|file| wants_ruff(file)).collect::<Vec<_>>()),
    );
    let go = named(&["go.work", "go.mod"]);
    add(Kind::Go, merged("go.mod", WorkspaceKind::Go, &go, top));
    add(Kind::Clang, outermost(&named(&["compile_commands.json"])));
    add(Kind::Dart, by_folder(&named(&["pubspec.yaml"])));
    add(Kind::Shell, all_at(top, ended(&["sh", "bash"])));
    add(Kind::Lua, all_at(top, ended(&["lua"])));
    let composer = named(&["composer.json"]);
    if !composer.is_empty() {
        add(
            Kind::Php,
            all_at(top, [ended(&["php"]), named(&["phpstan.neon", "phpstan.neon.dist"])].concat()),
        );
    }
    add(Kind::Maven, outermost(&named(&["pom.xml"])));
    let gradle = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
    add(Kind::Gradle, outermost(&named(&gradle)));
    jobs
}

fn wants_ruff(file: &Path) -> bool {
    let named = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    named != "pyproject.toml" || has_table(file, "tool.ruff")
}

/// Whether a TOML or INI file has a table of this name, or one below it.
pub(crate) fn has_table(file: &Path, table: &str) -> bool {
    let Ok(text) = fs::read_to_string(file) else { return false };
    text.lines().any(|line| {
        let name = line.trim().trim_start_matches('[').split(']').next().unwrap_or_default().trim();
        line.trim_start().starts_with('[')
            && name.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

type Roots = BTreeMap<PathBuf, Vec<PathBuf>>;

fn folder(file: &Path) -> PathBuf {
    file.parent().unwrap_or(file).to_path_buf()
}

fn by_folder(files: &[PathBuf]) -> Roots {
    let mut roots = Roots::new();
    for file in files {
        roots.entry(folder(file)).or_default().push(file.clone());
    }
    roots
}

fn all_at(top: &Path, files: Vec<PathBuf>) -> Roots {
    if files.is_empty() { Roots::new() } else { Roots::from([(top.to_path_buf(), files)]) }
}

/// Marked folders that lie in no other marked folder, with all marks below.
fn outermost(files: &[PathBuf]) -> Roots {
    let folders: BTreeSet<PathBuf> = files.iter().map(|file| folder(file)).collect();
    let mut roots = Roots::new();
    for file in files {
        let own = folder(file);
        let root = own.ancestors().filter(|up| folders.contains(*up)).last().unwrap_or(&own);
        roots.entry(root.to_path_buf()).or_default().push(file.clone());
    }
    roots
}

/// Marked folders, members of one workspace taken together.
fn merged(mark: &str, kind: WorkspaceKind, files: &[PathBuf], top: &Path) -> Roots {
    let mut spec = ServerSpec::new(mark, Role::Types);
    (spec.markers, spec.workspace) = (vec![mark.to_owned()], kind);
    if kind == WorkspaceKind::Go {
        spec.markers.push("go.work".to_owned());
    }
    let mut roots = Roots::new();
    for file in files {
        let root = root_for(&spec, file, top).unwrap_or_else(|| folder(file));
        roots.entry(root).or_default().push(file.clone());
    }
    roots
}

#[cfg(test)]
mod tests {
    use super::{Job, Kind, detect, has_table};
    use std::fs;
    use std::path::Path;
    use tool_workspace::Root;

    fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("made");
            fs::write(path, content).expect("written");
        }
        dir
    }

    /// Kinds with their folders and how many files.
    fn found(dir: &Path) -> Vec<(Kind, String, usize)> {
        let root = Root::open(dir).expect("opened");
        let jobs: Vec<Job> = detect(&root, &|| false).expect("walked");
        jobs.into_iter().map(|job| (job.kind, root.relative(&job.root), job.files.len())).collect()
    }

    #[test]
    fn every_ecosystem_of_a_mixed_project_is_found() {
        let dir = project(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"a\"]\n"),
            ("a/Cargo.toml", "[package]\nname = \"a\"\n"),
            ("lone/x/Cargo.toml", "[package]\nname = \"x\"\n"),
            ("web/tsconfig.json", "{}"),
            ("web/node_modules/x/tsconfig.json", "{}"),
            (".gitignore", "node_modules\nbuild\n"),
            ("go/go.work", "go 1.20\nuse ./m\n"),
            ("go/m/go.mod", "module m\n"),
            ("py/pyproject.toml", "[project]\n[tool.ruff.lint]\n"),
            ("py/sub/setup.py", ""),
            ("build/compile_commands.json", "[]"),
            ("s/a.sh", ""),
            ("s/b.sh", ""),
            ("x.php", ""),
        ]);
        fs::create_dir(dir.path().join(".git")).expect("made");
        assert_eq!(
            found(dir.path()),
            [
                (Kind::Cargo, ".".into(), 2),
                (Kind::Cargo, "lone/x".into(), 1),
                (Kind::TypeScript, "web".into(), 1),
                (Kind::Python, "py".into(), 2),
                (Kind::Ruff, "py".into(), 1),
                (Kind::Go, "go".into(), 2),
                (Kind::Clang, "build".into(), 1),
                (Kind::Shell, ".".into(), 2),
            ]
        );
    }

    #[test]
    fn a_project_without_marks_asks_for_nothing() {
        let dir = project(&[("a.txt", ""), ("b.rs", ""), ("c.php", "")]);
        assert_eq!(found(dir.path()), []);
    }

    #[test]
    fn tables_are_told_from_their_likes() {
        let dir = project(&[("p", "[tool.ruffian]\nx = \"[tool.ruff]\"\n [ tool.mypy ]\n")]);
        let file = dir.path().join("p");
        assert!(!has_table(&file, "tool.ruff"));
        assert!(has_table(&file, "tool.mypy"));
        assert!(has_table(&file, "tool"));
        assert!(!has_table(&dir.path().join("none"), "tool"));
    }
}
