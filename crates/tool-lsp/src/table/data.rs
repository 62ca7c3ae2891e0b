//! Configuration, infrastructure, prose.

use super::{command, documents, node, progress, push_settled, refused, unasked, venv, words};
use crate::spec::{
    Channel, CommandSpec, Readiness, RenameQuirks, Role, Scratch, ServerSpec, Untrusted,
    WorkspaceKind,
};
use serde_json::json;

pub(super) fn all() -> Vec<ServerSpec> {
    vec![yaml(), tombi(), taplo(), terraform(), docker(), nixd(), markdown()]
}

fn yaml() -> ServerSpec {
    ServerSpec {
        commands: vec![node("yaml-language-server --stdio")],
        needs: words("node"),
        documents: documents("yaml,yml=yaml"),
        settings: json!({
            "redhat": {"telemetry": {"enabled": false}},
            "yaml": {"validate": true, "format": {"enable": false}},
        }),
        readiness: Readiness::Blocks,
        diagnostics: vec![Channel::PushSettled { ms: 600 }],
        rename: RenameQuirks { checks_names: true, ..RenameQuirks::default() },
        install: "npm install -g yaml-language-server".into(),
        untrusted: Untrusted {
            settings: json!({"yaml": {"schemaStore": {"enable": false}}}),
            cost: "schemas of the public catalogue are not fetched".into(),
            ..Untrusted::default()
        },
        ..ServerSpec::new("yaml", Role::Types)
    }
}

fn tombi() -> ServerSpec {
    ServerSpec {
        commands: vec![venv("tombi lsp --offline")],
        documents: documents("toml=toml Cargo.lock,poetry.lock,uv.lock=toml"),
        readiness: Readiness::Blocks,
        diagnostics: vec![Channel::Pull],
        install: "pip install tombi".into(),
        ..ServerSpec::new("tombi", Role::Types)
    }
}

/// Some packages of it are built without a server; these end at once, and the probe shows it.
fn taplo() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec { probe: words("lsp --help"), ..command("taplo lsp stdio") }],
        documents: documents("toml=toml"),
        readiness: Readiness::Blocks,
        diagnostics: vec![Channel::PushSettled { ms: 400 }],
        install: "cargo install taplo-cli --features lsp".into(),
        ..ServerSpec::new("taplo", Role::Types)
    }
}

/// From its documentation: not measured.
fn terraform() -> ServerSpec {
    ServerSpec {
        commands: vec![command("terraform-ls serve")],
        markers: words(".terraform.lock.hcl .terraform *.tf"),
        workspace: WorkspaceKind::Ranked(2),
        documents: documents("tf=terraform tfvars=terraform-vars"),
        init_options: json!({"ignoreSingleFileWarning": true}),
        diagnostics: push_settled(800),
        pass_env: words("TF_DATA_DIR TF_PLUGIN_CACHE_DIR"),
        install: "https://github.com/hashicorp/terraform-ls".into(),
        untrusted: refused("it asks terraform, which runs the providers in .terraform"),
        ..ServerSpec::new("terraform", Role::Types)
    }
}

/// Only its start was measured.
fn docker() -> ServerSpec {
    ServerSpec {
        commands: vec![unasked(node("docker-langserver --stdio"))],
        needs: words("node"),
        documents: documents("Dockerfile,Containerfile,dockerfile=dockerfile"),
        readiness: Readiness::Blocks,
        diagnostics: push_settled(400),
        install: "npm install -g dockerfile-language-server-nodejs".into(),
        ..ServerSpec::new("docker", Role::Types)
    }
}

/// From its documentation: not measured. It ends at a request that it does not know.
fn nixd() -> ServerSpec {
    ServerSpec {
        commands: vec![command("nixd")],
        markers: words("flake.nix default.nix shell.nix"),
        documents: documents("nix=nix"),
        diagnostics: vec![Channel::PushVersioned],
        install: "nix profile install nixpkgs#nixd".into(),
        untrusted: refused("it evaluates the project's expressions"),
        ..ServerSpec::new("nixd", Role::Types)
    }
}

/// From its documentation: not measured.
fn markdown() -> ServerSpec {
    ServerSpec {
        commands: vec![command("marksman server")],
        markers: words(".marksman.toml ."),
        documents: documents("md,markdown=markdown"),
        readiness: progress(&[], 1000, 300),
        diagnostics: push_settled(500),
        install: "https://github.com/artempyanykh/marksman".into(),
        scratch: Scratch::default(),
        ..ServerSpec::new("marksman", Role::Types)
    }
}
