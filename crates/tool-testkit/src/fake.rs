//! The fake server as a real process.

use crate::script::Script;
use std::path::{Path, PathBuf};
use tool_wire::{Finder, Query, Spawn};

/// Where Python is; `None` prints a skip for the named test.
pub async fn python(test: &str) -> Option<PathBuf> {
    let names = vec!["python3".to_string()];
    let folders = vec![PathBuf::from("/usr/bin")];
    match Finder::new().find(&Query { names, folders, path: true, probe: None }).await {
        Ok(found) => Some(found.program),
        Err(missing) => {
            #[expect(clippy::print_stdout, reason = "how a skip is counted")]
            {
                println!("SKIP {test}: {missing}");
            }
            None
        }
    }
}

/// A language server that follows the script, to be started in `dir`.
pub fn server(python: &Path, dir: &Path, script: &Script) -> Spawn {
    let source = include_str!("fake_server.py");
    Spawn::new(python, dir).args(["-I", "-S", "-c", source, &script.to_json().to_string()])
}
