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

/// Writes the fake server as a program of this name into a folder, for what finds programs by their names. It needs
/// `python3` on its `PATH`.
///
/// # Errors
/// The folder cannot be written to.
pub fn install(folder: &Path, name: &str, script: &Script) -> std::io::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt as _;
    let source = folder.join(format!("{name}.py"));
    let steps = folder.join(format!("{name}.json"));
    std::fs::write(&source, include_str!("fake_server.py"))?;
    std::fs::write(&steps, script.to_json().to_string())?;
    let program = folder.join(name);
    let (source, steps) = (source.display(), steps.display());
    let shell = format!("#!/bin/sh\nexec python3 -I -S '{source}' \"$(cat '{steps}')\"\n");
    std::fs::write(&program, shell)?;
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
    Ok(program)
}
