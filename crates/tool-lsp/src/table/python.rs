//! Python.

use super::{command, documents, progress, push_settled, refused, unasked, venv, words};
use crate::spec::{
    Channel, CommandSpec, Quirks, Readiness, RenameQuirks, Role, ServerSpec, Untrusted, Watching,
};
use serde_json::{Value, json};

const PROJECT: &str = "pyproject.toml setup.py setup.cfg requirements.txt Pipfile";

pub(super) fn all() -> Vec<ServerSpec> {
    vec![pyright(), basedpyright(), ty(), pyrefly(), zuban(), jedi(), pylsp(), ruff()]
}

fn python(id: &str, role: Role, own: &str, command: CommandSpec) -> ServerSpec {
    ServerSpec {
        commands: vec![command],
        markers: words(&format!("{own} {PROJECT}")),
        documents: documents("py,pyi,pyw=python"),
        readiness: Readiness::Blocks,
        diagnostics: vec![Channel::Pull],
        install: format!("pip install {id}"),
        ..ServerSpec::new(id, role)
    }
}

/// The interpreter of the project's environment, so that its packages are known. It is run once for that.
fn interpreter() -> Value {
    json!({"pythonPath": "{python}", "analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": true}})
}

/// Another interpreter than the project's own, said outright: basedpyright would run one in `.venv` by itself.
fn system_interpreter() -> Untrusted {
    Untrusted {
        settings: json!({"python": {"pythonPath": "{system_python}"}}),
        cost: "the project's virtual environment is not asked: packages that are only there are unknown".into(),
        ..Untrusted::default()
    }
}

/// Both list the project's files once, and say in their log when they have: before, references are short.
fn listed() -> Readiness {
    Readiness::LogMessage(vec!["source file".into()])
}

/// The server itself has no `--version`: the checker beside it has.
fn pyright() -> ServerSpec {
    let mut server = node_or_venv("pyright-langserver --stdio");
    server.probe_as = Some("pyright".into());
    ServerSpec {
        settings: json!({"python": interpreter()}),
        diagnostics: vec![Channel::Pull, Channel::PushVersioned],
        install: "npm install -g pyright, or pip install pyright".into(),
        readiness: listed(),
        untrusted: system_interpreter(),
        ..python("pyright", Role::Types, "pyrightconfig.json", server)
    }
}

fn basedpyright() -> ServerSpec {
    let mut server = node_or_venv("basedpyright-langserver --stdio");
    server.probe_as = Some("basedpyright".into());
    ServerSpec {
        settings: json!({
            "python": {"pythonPath": "{python}"},
            // Otherwise it rewrites a baseline that the project has when errors go away.
            "basedpyright": {"analysis": {"diagnosticMode": "openFilesOnly", "baselineMode": "discard"}},
        }),
        diagnostics: vec![Channel::Pull, Channel::PushVersioned],
        readiness: listed(),
        untrusted: system_interpreter(),
        ..python("basedpyright", Role::Types, "pyrightconfig.json", server)
    }
}

/// Reads the environment's folders without running its interpreter.
fn ty() -> ServerSpec {
    let mut spec = python("ty", Role::Types, "ty.toml", venv("ty server"));
    spec.settings = json!({"ty": {"diagnosticMode": "openFilesOnly"}});
    spec
}

fn pyrefly() -> ServerSpec {
    ServerSpec {
        settings: json!({"python": {"pythonPath": "{python}"}}),
        diagnostics: vec![Channel::PushVersioned],
        untrusted: refused("it runs the interpreter that the project's configuration names"),
        ..python("pyrefly", Role::Types, "pyrefly.toml", venv("pyrefly lsp"))
    }
}

fn zuban() -> ServerSpec {
    ServerSpec {
        watching: Watching::Own,
        untrusted: refused("it is not known whether it runs the project's interpreter"),
        ..python("zuban", Role::Types, "mypy.ini", venv("zuban server"))
    }
}

fn jedi() -> ServerSpec {
    ServerSpec {
        diagnostics: push_settled(1300),
        readiness: progress(&[], 0, 0),
        quirks: Quirks { encoding: Some("utf-32".into()), ..Quirks::default() },
        rename: RenameQuirks { unaligned: true, ..RenameQuirks::default() },
        install: "pip install jedi-language-server".into(),
        untrusted: refused("it runs the interpreter of the project's environment"),
        ..python("jedi", Role::Types, "", venv("jedi-language-server"))
    }
}

fn pylsp() -> ServerSpec {
    ServerSpec {
        diagnostics: push_settled(800),
        rename: RenameQuirks { prepare_missing: true, ..RenameQuirks::default() },
        install: "pip install 'python-lsp-server[all]'".into(),
        untrusted: refused("it runs the interpreter of the project's environment"),
        ..python("pylsp", Role::Types, "", venv("pylsp"))
    }
}

fn ruff() -> ServerSpec {
    python("ruff", Role::Linter, "ruff.toml .ruff.toml", venv("ruff server"))
}

fn node_or_venv(line: &str) -> CommandSpec {
    let mut server = unasked(command(line));
    server.local = words(&format!("{} node_modules/.bin", super::VENV));
    server.probe = words("--version");
    server
}
