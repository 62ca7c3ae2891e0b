//! A file that its owner has closed. The superuser may read everything, so for it the binary runs as nobody.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::Project;

const NOBODY: u32 = 65_534;

fn mode(path: &Path, bits: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(bits)).unwrap();
}

/// Makes one call as a user who may not read everything; gives its result object.
#[expect(clippy::disallowed_methods, reason = "a test starts what it tests")]
fn call(project: &Project, args: &Value) -> Value {
    let binary = project.outside("runbound");
    let mut command = if std::fs::read(project.root().join("dir/secret.py")).is_ok() {
        // Where the build lies may be closed to nobody.
        std::fs::copy(env!("CARGO_BIN_EXE_runbound"), &binary).unwrap();
        mode(&binary, 0o755);
        let mut command = Command::new(&binary);
        command.uid(NOBODY).gid(NOBODY);
        command
    } else {
        Command::new(env!("CARGO_BIN_EXE_runbound"))
    };
    let folder = project.root();
    mode(folder.parent().unwrap(), 0o755);
    command.args(["call", "ast_grep", &args.to_string(), "--json", "--root"]).arg(&folder);
    command.arg("--state-dir").arg(project.state()).current_dir(&folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn an_unreadable_file_is_skipped_with_its_reason_and_an_error_when_named() {
    let project = Project::new(&[("ok.py", "f(1)\n"), ("dir/secret.py", "f(1)\n")]);
    mode(&project.root().join("dir/secret.py"), 0o000);
    let found = call(&project, &json!({ "pattern": "f($A)", "language": "python" }));
    assert_eq!(found["details"]["total"], 1, "{found}");
    let skipped = &found["details"]["files_skipped"];
    assert_eq!(skipped[0]["path"], "dir/secret.py", "{found}");
    let reason = skipped[0]["reason"].as_str().unwrap();
    assert!(reason.contains("permission denied"), "{reason}");
    let named = call(&project, &json!({ "pattern": "f($A)", "path": "dir/secret.py" }));
    assert_eq!(named["error"]["kind"], "failed", "{named}");
}
