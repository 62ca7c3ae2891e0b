//! What to start: program, arguments, folder and environment, all said outright.

use crate::child::{self, Spawned};
use crate::error::SpawnError;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The variables of the host that a program gets unless more are allowed. None holds a secret.
const ALLOWED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TMP",
    "TEMP",
    "TZ",
    "LANG",
    "LANGUAGE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "SYSTEMROOT",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PATHEXT",
];
const ALLOWED_PREFIX: &str = "LC_";

/// Which of a program's streams we hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stdin {
    /// We write to it.
    #[default]
    Piped,
    /// It is empty.
    Empty,
}

/// What becomes of a program's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stdout {
    /// We read frames from it.
    #[default]
    Piped,
    /// It is drained into the same tail as the error stream: for programs that talk over a socket.
    Tail,
}

/// A program to be started. It gets no folder and no variable that is not named here or on the short list
/// of harmless ones.
#[derive(Debug, Clone)]
pub struct Spawn {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<OsString>,
    pub(crate) dir: PathBuf,
    pub(crate) stdin: Stdin,
    pub(crate) stdout: Stdout,
    pub(crate) tail: usize,
    set: BTreeMap<OsString, OsString>,
    removed: Vec<OsString>,
    allowed: Vec<String>,
}

impl Spawn {
    /// `program` is an absolute path, or a name that is looked up in the child's `PATH`; `dir` is its
    /// folder. [`Finder`](crate::Finder) gives paths.
    pub fn new(program: impl Into<PathBuf>, dir: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            dir: dir.into(),
            stdin: Stdin::default(),
            stdout: Stdout::default(),
            tail: 16 * 1024,
            set: BTreeMap::new(),
            removed: Vec::new(),
            allowed: Vec::new(),
        }
    }

    /// Appends an argument.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Appends arguments.
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.set.insert(name.into(), value.into());
        self
    }

    /// Keeps a variable from the child, even one of the short list.
    pub fn without_env(mut self, name: impl Into<OsString>) -> Self {
        self.removed.push(name.into());
        self
    }

    /// Lets variables of the host through. A name that ends in `*` allows all that begin so.
    pub fn allow_env<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.allowed.extend(names.into_iter().map(Into::into));
        self
    }

    /// What the program reads.
    pub fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = stdin;
        self
    }

    /// Where its output goes.
    pub fn stdout(mut self, stdout: Stdout) -> Self {
        self.stdout = stdout;
        self
    }

    /// How much of its error stream is kept, in bytes. 16 KiB if unsaid.
    pub fn tail(mut self, bytes: usize) -> Self {
        self.tail = bytes;
        self
    }

    /// What is to be started.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The environment of the child, out of the host's.
    pub fn environment(
        &self,
        host: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> BTreeMap<OsString, OsString> {
        let mut env: BTreeMap<_, _> =
            host.into_iter().filter(|(name, _)| self.allows(name)).collect();
        // A relative entry would mean the program's folder, which may be a checkout that nobody trusts.
        if let Some(path) = env.get_mut(OsStr::new("PATH")) {
            let absolute = std::env::split_paths(path).filter(|folder| folder.is_absolute());
            *path = std::env::join_paths(absolute).unwrap_or_default();
        }
        for name in &self.removed {
            env.remove(name);
        }
        env.extend(self.set.clone());
        env
    }

    fn allows(&self, name: &OsStr) -> bool {
        let Some(name) = name.to_str() else { return false };
        let same = |allowed: &str| {
            if cfg!(windows) { allowed.eq_ignore_ascii_case(name) } else { allowed == name }
        };
        ALLOWED.iter().any(|allowed| same(allowed))
            || name.starts_with(ALLOWED_PREFIX)
            || self.allowed.iter().any(|allowed| match allowed.strip_suffix('*') {
                Some(prefix) => name.starts_with(prefix),
                None => same(allowed),
            })
    }

    /// Starts it, in a session and process group of its own. Needs a tokio runtime with IO. Dropping the
    /// future ends what was started.
    ///
    /// # Errors
    ///
    /// The folder is none, the program does not exist, or the system refuses.
    pub async fn start(self) -> Result<Spawned, SpawnError> {
        child::start(self).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        pairs.iter().map(|(a, b)| (a.into(), b.into())).collect()
    }

    #[test]
    fn only_named_variables_pass() {
        let host = pairs(&[
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("HOME", "/h"),
            ("AWS_SECRET_ACCESS_KEY", "x"),
            ("JAVA_HOME", "/j"),
            ("CARGO_HOME", "/c"),
            ("CARGO_REGISTRY_TOKEN", "x"),
            ("NPM_A", "1"),
        ]);
        let spawn = Spawn::new("a", "/")
            .allow_env(["JAVA_HOME", "NPM_*", "CARGO_HOME"])
            .without_env("HOME")
            .env("PATH", "/usr/bin")
            .env("NEW", "1");
        let got = spawn.environment(host);
        let want = [
            ("CARGO_HOME", "/c"),
            ("JAVA_HOME", "/j"),
            ("LC_ALL", "C"),
            ("NEW", "1"),
            ("NPM_A", "1"),
            ("PATH", "/usr/bin"),
        ];
        assert_eq!(got.into_iter().collect::<Vec<_>>(), pairs(&want));
    }

    #[cfg(unix)]
    #[test]
    fn the_path_is_passed_on_without_relative_entries() {
        let got = Spawn::new("a", "/")
            .environment(pairs(&[("PATH", ".:/bin:node_modules/.bin::/usr/bin")]));
        assert_eq!(got.into_iter().collect::<Vec<_>>(), pairs(&[("PATH", "/bin:/usr/bin")]));
    }
}
