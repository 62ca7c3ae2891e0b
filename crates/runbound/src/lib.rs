//! Server-bound tools for agent runtimes, behind one facade.
//!
//! Runbound gives an agent runtime (a *harness*) the tools that stand on something live. This crate has no logic and
//! no types of its own: it re-exports the crates of the family behind features, and puts what a harness needs most
//! into a [`prelude`]. Nothing is on by default.
//!
//! | module | crate | feature |
//! | --- | --- | --- |
//! | `core` | `tool-core`: the trait, the registry, views, lanes, the permission gate, output, errors | always |
//! | `workspace` | `tool-workspace`: contained paths, walking, change sets | always |
//! | `astgrep` | `tool-astgrep`: `ast_grep`, `ast_edit`, `resolve` | a `lang-…` a grammar, or `langs-all`; `astgrep` alone has no grammar |
//! | `lsp` | `tool-lsp`: `lsp` over language servers | `lsp` |
//! | `files` | `tool-files`: `read`, `write`, `edit`, `apply_patch` | `files` |
//! | `conform` | the conformance kit of `tool-core`, for tests of tools | `testing` |
//!
//! The grammars: `lang-bash`, `lang-c`, `lang-cpp`, `lang-csharp`, `lang-css`, `lang-dart`, `lang-elixir`, `lang-go`,
//! `lang-haskell`, `lang-hcl`, `lang-html`, `lang-java`, `lang-javascript`, `lang-json`, `lang-kotlin`, `lang-lua`,
//! `lang-markdown`, `lang-nix`, `lang-php`, `lang-python`, `lang-ruby`, `lang-rust`, `lang-scala`, `lang-solidity`,
//! `lang-swift`, `lang-typescript` (with `.tsx`), `lang-yaml`, `lang-zig`. Each adds a C parser to the build, and brings
//! `astgrep` along.
//!
//! # A run
//!
//! One run is one scope, one registry and the view that it builds. What a view shows is exactly what it runs; what is
//! above its tier does not exist in it. Every call has one outcome, whatever happens.
//!
#![cfg_attr(
    all(feature = "astgrep", any(feature = "lang-rust", feature = "langs-all")),
    doc = "```"
)]
#![cfg_attr(
    not(all(feature = "astgrep", any(feature = "lang-rust", feature = "langs-all"))),
    doc = "```ignore"
)]
#![doc = include_str!("embedding.rs.txt")]
//! ```
//!
//! The example wants a tokio runtime (any flavour), as every call does.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "astgrep")]
pub use tool_astgrep as astgrep;
pub use tool_core as core;
#[cfg(feature = "testing")]
pub use tool_core::conform;
#[cfg(feature = "files")]
pub use tool_files as files;
#[cfg(feature = "lsp")]
pub use tool_lsp as lsp;
pub use tool_workspace as workspace;

/// What a harness needs most, for `use runbound::prelude::*`.
pub mod prelude {
    #[cfg(feature = "astgrep")]
    pub use tool_astgrep::{AstGrepConfig, AstGrepPack};
    pub use tool_core::{
        Args, Block, CallCx, CallOutcome, CallRequest, CancellationToken, CloseWhy, ConversationId,
        Dialect, ErrorKind, FnTool, Layer, Next, Pack, PermissionGate, RegistryBuilder, RunScope,
        Stage, Tier, Tool, ToolError, ToolKind, ToolOutput, ToolSpec, ToolView, Typed, TypedTool,
        async_trait, n_of_m,
    };
    #[cfg(feature = "files")]
    pub use tool_files::FilesPack;
    #[cfg(feature = "lsp")]
    pub use tool_lsp::{LspConfig, LspPack};
    pub use tool_workspace::Root;
}
