//! Ruby, PHP, Lua, shells, Elixir.

use super::{command, documents, node, progress, push_settled, refused, secs, unasked, words};
use crate::spec::{
    Channel, CommandSpec, Quirks, Readiness, RenameQuirks, Role, Scratch, ServerSpec, Untrusted,
    Watching, WorkspaceKind,
};
use serde_json::json;

pub(super) fn all() -> Vec<ServerSpec> {
    vec![
        ruby(),
        solargraph(),
        intelephense(),
        phpactor(),
        lua(),
        emmylua(),
        bash(),
        expert(),
        elixir(),
    ]
}

/// From its documentation: not measured.
fn ruby() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec {
            local: words("bin vendor/bundle/bin"),
            ..command("ruby-lsp")
        }],
        needs: words("ruby"),
        markers: words("Gemfile gems.rb *.gemspec Rakefile .ruby-version"),
        documents: documents("rb,rake,gemspec,ru=ruby Gemfile,Rakefile=ruby erb=erb"),
        readiness: progress(&["indexing"], 3000, 500),
        diagnostics: vec![Channel::Pull],
        start_budget: secs(60),
        pass_env: words("GEM_HOME GEM_PATH BUNDLE_PATH RBENV_ROOT RBENV_VERSION"),
        install: "gem install ruby-lsp".into(),
        untrusted: refused("the Gemfile is code, and add-ons are loaded from the project's gems"),
        scratch: Scratch { remains: words(".ruby-lsp"), ..Scratch::default() },
        ..ServerSpec::new("ruby-lsp", Role::Types)
    }
}

/// From its documentation: not measured.
fn solargraph() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec {
            local: words("bin vendor/bundle/bin"),
            probe: words("--version"),
            ..command("solargraph stdio")
        }],
        needs: words("ruby"),
        markers: words(".solargraph.yml Gemfile *.gemspec Rakefile"),
        documents: documents("rb,rake,gemspec=ruby Gemfile,Rakefile=ruby"),
        init_options: json!({"diagnostics": true}),
        settings: json!({"solargraph": {"diagnostics": true}}),
        diagnostics: push_settled(1000),
        pass_env: words("GEM_HOME GEM_PATH BUNDLE_PATH RBENV_ROOT RBENV_VERSION"),
        install: "gem install solargraph".into(),
        untrusted: refused("it loads plugins that the project names"),
        ..ServerSpec::new("solargraph", Role::Types)
    }
}

fn intelephense() -> ServerSpec {
    ServerSpec {
        commands: vec![unasked(node("intelephense --stdio"))],
        needs: words("node"),
        markers: words("composer.json ."),
        documents: documents("php,phtml=php"),
        settings: json!({"intelephense": {"telemetry": {"enabled": false}}}),
        readiness: progress(&["indexing"], 2000, 300),
        diagnostics: vec![Channel::PushSettled { ms: 1400 }],
        rename: RenameQuirks {
            none: Some("rename needs a licence key of intelephense".into()),
            ..RenameQuirks::default()
        },
        install: "npm install -g intelephense".into(),
        scratch: Scratch {
            init_options: json!({
                "storagePath": "{scratch}/storage", "globalStoragePath": "{scratch}/global",
            }),
            ..Scratch::default()
        },
        ..ServerSpec::new("intelephense", Role::Types)
    }
}

/// From its documentation: not measured.
fn phpactor() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec {
            local: words("vendor/bin"),
            ..command("phpactor language-server")
        }],
        needs: words("php"),
        markers: words("composer.json .phpactor.json .phpactor.yml"),
        documents: documents("php=php"),
        readiness: progress(&["indexing"], 3000, 500),
        diagnostics: push_settled(1500),
        install: "composer global require phpactor/phpactor".into(),
        untrusted: refused("it loads the project's autoloader and the tools that it names"),
        ..ServerSpec::new("phpactor", Role::Types)
    }
}

/// From its documentation: not measured.
fn lua() -> ServerSpec {
    ServerSpec {
        commands: vec![command("lua-language-server")],
        markers: words(".luarc.json .luarc.jsonc .luacheckrc stylua.toml ."),
        documents: documents("lua=lua"),
        settings: json!({"Lua": {"workspace": {"checkThirdParty": false}, "telemetry": {"enable": false}}}),
        readiness: progress(&["loading", "diagnosing"], 3000, 500),
        diagnostics: push_settled(1000),
        install: "https://luals.github.io/#install".into(),
        untrusted: Untrusted {
            refused_with: vec![
                (".luarc.json".into(), "plugin".into()),
                (".luarc.jsonc".into(), "plugin".into()),
                (".luarc.json".into(), "\\".into()),
                (".luarc.jsonc".into(), "\\".into()),
            ],
            ..Untrusted::default()
        },
        scratch: Scratch {
            args: words("--logpath={scratch}/log --metapath={scratch}/meta"),
            ..Scratch::default()
        },
        ..ServerSpec::new("lua-language-server", Role::Types)
    }
}

/// Announces no encoding and counts code points.
fn emmylua() -> ServerSpec {
    ServerSpec {
        commands: vec![command("emmylua_ls")],
        markers: words(".emmyrc.json .luarc.json ."),
        documents: documents("lua=lua"),
        readiness: progress(&["load workspace"], 1000, 200),
        diagnostics: vec![Channel::Pull],
        quirks: Quirks { encoding: Some("utf-32".into()), ..Quirks::default() },
        install: "cargo install emmylua_ls".into(),
        ..ServerSpec::new("emmylua", Role::Types)
    }
}

/// Its first answer is null, its diagnostics are those of shellcheck, and it outlives its input.
fn bash() -> ServerSpec {
    ServerSpec {
        commands: vec![node("bash-language-server start")],
        needs: words("node"),
        documents: documents("sh,bash,bats,ebuild,zsh=shellscript .bashrc,.profile=shellscript"),
        settings: json!({"bashIde": {"enableSourceErrorDiagnostics": true, "globPattern": "**/*@(.sh|.inc|.bash|.command)"}}),
        readiness: Readiness::FirstAnswer,
        diagnostics: vec![Channel::PushVersioned, Channel::PushSettled { ms: 1000 }],
        watching: Watching::Reopen,
        quirks: Quirks { survives_eof: true, own_file_only: true, ..Quirks::default() },
        install: "npm install -g bash-language-server, and the system's package shellcheck".into(),
        ..ServerSpec::new("bash", Role::Types)
    }
}

/// From its documentation: not measured.
fn expert() -> ServerSpec {
    ServerSpec {
        commands: vec![command("expert --stdio")],
        ..mix("expert", "https://github.com/elixir-lang/expert", ".expert")
    }
}

/// From its documentation: not measured.
fn elixir() -> ServerSpec {
    let names = words("elixir-ls language_server.sh");
    ServerSpec {
        commands: vec![CommandSpec { names, ..unasked(command("elixir-ls")) }],
        settings: json!({"elixirLS": {"fetchDeps": false, "dialyzerEnabled": false}}),
        ..mix("elixir-ls", "https://github.com/elixir-lsp/elixir-ls", ".elixir_ls")
    }
}

fn mix(id: &str, install: &str, remains: &str) -> ServerSpec {
    ServerSpec {
        markers: words("mix.exs"),
        workspace: WorkspaceKind::Outermost,
        documents: documents("ex,exs=elixir heex=phoenix-heex eex=eex"),
        readiness: progress(&[], 10_000, 1000),
        diagnostics: push_settled(1500),
        start_budget: secs(90),
        ready_budget: secs(180),
        pass_env: words("MIX_HOME HEX_HOME ASDF_DIR"),
        install: install.into(),
        untrusted: refused("it compiles the project, and mix.exs and macros are run by that"),
        scratch: Scratch { remains: words(&format!("{remains} _build")), ..Scratch::default() },
        ..ServerSpec::new(id, Role::Types)
    }
}
