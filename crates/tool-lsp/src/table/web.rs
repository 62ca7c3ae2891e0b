//! TypeScript and JavaScript, and what stands around them.

use super::{command, documents, node, progress, push_settled, refused, unasked, words};
use crate::spec::{
    Channel, CommandSpec, Condition, Quirks, Readiness, RenameQuirks, Role, ServerSpec,
    WorkspaceKind,
};
use serde_json::{Value, json};

const SCRIPTS: &str =
    "ts,mts,cts=typescript tsx=typescriptreact js,mjs,cjs=javascript jsx=javascriptreact";
const CONFIGS: &str = "tsconfig.json jsconfig.json package.json";

pub(super) fn all() -> Vec<ServerSpec> {
    vec![
        native(),
        tsserver(),
        vtsls(),
        deno(),
        biome(),
        eslint(),
        json_ls(),
        css(),
        html(),
        vue(),
        svelte(),
    ]
}

/// Codes that say that a file outside of any project has no libraries.
fn orphans() -> Quirks {
    Quirks {
        orphan_codes: words("2307 2580 2582 2591 2792 7016"),
        open_first: true,
        ..Quirks::default()
    }
}

fn typescript(from: u32, below: u32, unknown: bool) -> Condition {
    Condition::Package { name: "typescript".into(), from, below, unknown }
}

/// The same for TypeScript and JavaScript. Without it a rename at an import renames nothing but makes an alias.
fn preferences() -> Value {
    json!({"preferences": {"useAliasesForRenames": false}})
}

/// TypeScript 7 and later: the compiler is the server. It only answers when asked.
fn native() -> ServerSpec {
    let project = CommandSpec {
        local: words("node_modules/.bin"),
        path: false,
        only_if: Some(typescript(7, u32::MAX, false)),
        ..command("tsc --lsp --stdio")
    };
    let installed = CommandSpec {
        only_if: Some(Condition::Both(
            Box::new(typescript(7, u32::MAX, true)),
            Box::new(Condition::OwnMajor(7)),
        )),
        ..command("tsc --lsp --stdio")
    };
    let preview =
        CommandSpec { only_if: Some(typescript(7, u32::MAX, true)), ..node("tsgo --lsp --stdio") };
    ServerSpec {
        commands: vec![project, installed, preview],
        markers: words(CONFIGS),
        workspace: WorkspaceKind::Npm,
        documents: documents(SCRIPTS),
        settings: json!({
            "js/ts": preferences(), "typescript": preferences(), "javascript": preferences(),
        }),
        readiness: Readiness::Blocks,
        diagnostics: vec![Channel::Pull],
        quirks: orphans(),
        install: "npm install --save-dev typescript".into(),
        ..ServerSpec::new("typescript-native", Role::Types)
    }
}

/// TypeScript up to 6, whose `tsserver` is wrapped.
fn tsserver() -> ServerSpec {
    let server = CommandSpec {
        only_if: Some(typescript(0, 7, true)),
        ..node("typescript-language-server --stdio")
    };
    ServerSpec {
        commands: vec![server],
        needs: words("node"),
        markers: words(CONFIGS),
        workspace: WorkspaceKind::Npm,
        documents: documents(SCRIPTS),
        init_options: json!({
            "tsserver": {"path": "{tsserver}"},
            // It would fetch type declarations from a registry.
            "disableAutomaticTypingAcquisition": true,
            "preferences": {
                "providePrefixAndSuffixTextForRename": false,
                "allowRenameOfImportPath": false,
            },
        }),
        settings: json!({"typescript": {}, "javascript": {}}),
        readiness: progress(&["initializing js/ts language features"], 3000, 300),
        diagnostics: vec![Channel::TsserverRequest, Channel::PushSettled { ms: 800 }],
        quirks: orphans(),
        install: "npm install --save-dev typescript@5 typescript-language-server".into(),
        ..ServerSpec::new("typescript", Role::Types)
    }
}

fn vtsls() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec {
            only_if: Some(typescript(0, 7, true)),
            ..node("vtsls --stdio")
        }],
        needs: words("node"),
        markers: words(CONFIGS),
        workspace: WorkspaceKind::Npm,
        documents: documents(SCRIPTS),
        settings: json!({
            "typescript": {
                "preferences": {"useAliasesForRenames": false},
                "disableAutomaticTypeAcquisition": true,
                "tsserver": {"pluginPaths": []},
                "tsdk": "{tsserver}",
            },
            "javascript": preferences(),
            "vtsls": {"autoUseWorkspaceTsdk": false},
        }),
        readiness: progress(&["initializing js/ts language features"], 3000, 300),
        diagnostics: vec![Channel::TsserverRequest, Channel::PushSettled { ms: 900 }],
        quirks: Quirks { own_file_only: true, ..orphans() },
        install: "npm install -g @vtsls/language-server".into(),
        ..ServerSpec::new("vtsls", Role::Types)
    }
}

/// From its documentation: not measured. Only where the project says that it is one of Deno.
fn deno() -> ServerSpec {
    ServerSpec {
        commands: vec![command("deno lsp")],
        markers: words("deno.json deno.jsonc"),
        documents: documents(SCRIPTS),
        init_options: json!({"enable": true, "lint": true}),
        settings: json!({"deno": {"enable": true, "lint": true}}),
        diagnostics: push_settled(800),
        pass_env: words("DENO_DIR"),
        install: "https://docs.deno.com/runtime/getting_started/installation".into(),
        ..ServerSpec::new("deno", Role::Types)
    }
}

/// A linter whose daemon serves all editors of a user, so that it outlives us by its own choice.
fn biome() -> ServerSpec {
    ServerSpec {
        commands: vec![node("biome lsp-proxy")],
        markers: words("biome.json biome.jsonc"),
        documents: documents(&format!("{SCRIPTS} json=json jsonc=jsonc css=css")),
        diagnostics: push_settled(500),
        readiness: Readiness::Blocks,
        install: "npm install --save-dev @biomejs/biome".into(),
        ..ServerSpec::new("biome", Role::Linter)
    }
}

fn eslint() -> ServerSpec {
    ServerSpec {
        commands: vec![unasked(node("vscode-eslint-language-server --stdio"))],
        needs: words("node"),
        markers: words(
            "eslint.config.js eslint.config.mjs eslint.config.cjs eslint.config.ts .eslintrc.js \
             .eslintrc.cjs .eslintrc.json .eslintrc.yaml .eslintrc.yml .eslintrc",
        ),
        documents: documents(&format!("{SCRIPTS} vue=vue svelte=svelte")),
        // It asks for the section "", and takes no field for granted.
        settings: json!({
            "validate": "on", "packageManager": "npm", "useESLintClass": false, "experimental": {},
            "codeActionOnSave": {"enable": false, "mode": "all"}, "format": false, "quiet": false,
            "onIgnoredFiles": "off", "options": {}, "rulesCustomizations": [], "run": "onType",
            "problems": {"shortenToSingleLine": false}, "nodePath": "",
            "workingDirectory": {"mode": "location"},
            "codeAction": {
                "disableRuleComment": {"enable": true, "location": "separateLine"},
                "showDocumentation": {"enable": false},
            },
        }),
        readiness: Readiness::Blocks,
        diagnostics: vec![Channel::Pull, Channel::PushSettled { ms: 800 }],
        quirks: Quirks { exit_codes: vec![7], ..Quirks::default() },
        install: "npm install -g vscode-langservers-extracted".into(),
        untrusted: refused("ESLint, its configuration and its plugins are code of the project"),
        ..ServerSpec::new("eslint", Role::Linter)
    }
}

fn extracted(id: &str, line: &str, docs: &str) -> ServerSpec {
    ServerSpec {
        commands: vec![unasked(node(line))],
        needs: words("node"),
        documents: documents(docs),
        readiness: Readiness::Blocks,
        diagnostics: vec![Channel::Pull],
        install: "npm install -g vscode-langservers-extracted".into(),
        ..ServerSpec::new(id, Role::Types)
    }
}

fn json_ls() -> ServerSpec {
    ServerSpec {
        settings: json!({"json": {"validate": {"enable": true}}}),
        // It would fetch schemas by itself otherwise.
        init_options: json!({"handledSchemaProtocols": ["file"], "provideFormatter": false}),
        ..extracted("json", "vscode-json-language-server --stdio", "json=json jsonc=jsonc")
    }
}

fn css() -> ServerSpec {
    ServerSpec {
        settings: json!({"css": {"validate": true}, "scss": {"validate": true}, "less": {"validate": true}}),
        rename: RenameQuirks { prepare_missing: true, ..RenameQuirks::default() },
        ..extracted("css", "vscode-css-language-server --stdio", "css=css scss=scss less=less")
    }
}

fn html() -> ServerSpec {
    ServerSpec {
        init_options: json!({"provideFormatter": false, "embeddedLanguages": {"css": true, "javascript": true}}),
        rename: RenameQuirks { prepare_missing: true, ..RenameQuirks::default() },
        ..extracted("html", "vscode-html-language-server --stdio", "html,htm=html")
    }
}

/// Only its start was measured.
fn vue() -> ServerSpec {
    ServerSpec {
        commands: vec![node("vue-language-server --stdio")],
        needs: words("node"),
        markers: words("vue.config.js vite.config.ts vite.config.js package.json"),
        documents: documents("vue=vue"),
        init_options: json!({"typescript": {"tsdk": "{tsserver}"}, "vue": {"hybridMode": false}}),
        install: "npm install -g @vue/language-server".into(),
        untrusted: refused("it loads plugins that the project names"),
        ..ServerSpec::new("vue", Role::Types)
    }
}

/// Only its start was measured.
fn svelte() -> ServerSpec {
    ServerSpec {
        commands: vec![unasked(node("svelteserver --stdio"))],
        needs: words("node"),
        markers: words("svelte.config.js svelte.config.mjs package.json"),
        documents: documents("svelte=svelte"),
        diagnostics: vec![Channel::Pull, Channel::PushSettled { ms: 1300 }],
        install: "npm install -g svelte-language-server".into(),
        untrusted: refused("svelte.config.js is code of the project"),
        ..ServerSpec::new("svelte", Role::Types)
    }
}
