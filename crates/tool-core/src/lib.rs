//! The tool trait, registry, lanes, permission gate, output and errors of an agent runtime's tools
#![doc = include_str!("../README.md")]

mod args;
mod base64;
mod budget;
mod call;
#[cfg(feature = "testing")]
pub mod conform;
mod context;
mod diff;
mod error;
mod events;
mod gate;
mod ids;
mod lanes;
mod layer;
mod log;
mod normalise;
mod output;
mod pipeline;
mod registry;
mod resource;
mod schema;
mod scope;
mod spec;
mod spill;
mod sync;
mod text;
mod tier;
mod tool;
mod trace;
mod view;
mod workspace;

pub use args::{Args, RawArgs};
pub use async_trait::async_trait;
pub use budget::{MAX_IMAGE_BYTES, MAX_IMAGES, NOTES_BUDGET};
pub use call::{CallOutcome, CallRequest};
pub use context::{CallCx, HumanWait, Progress};
pub use error::{ErrorKind, ToolError};
pub use events::{CallEvent, EventReceiver};
pub use gate::{GATE_WAIT, GateError, PermissionGate, PermissionRequest, Verdict};
pub use ids::{AgentPath, CallId, ConversationId, Origin, RunId};
pub use lanes::{LANE_WAIT, NESTED_LANE_WAIT};
pub use layer::{Layer, Next, Stage};
pub use log::{LOG_MESSAGE_BYTES, LogLevel, LogRecord};
pub use output::{Access, Block, Elided, ImageMime, ToolOutput, Touched};
pub use pipeline::MAX_DEPTH;
pub use registry::{BuildError, BuildErrors, Installer, Pack, RegistryBuilder};
pub use resource::{CloseReport, CloseWhy, Closed, Leak, Resource};
pub use schema::{Dialect, LintFinding, export, lint};
pub use scope::{OwnedId, RunScope, RunScopeBuilder, ScopeClosed, ScopeKind};
pub use serde_json;
pub use spec::{
    DEFAULT_OUTPUT_BUDGET, DEFAULT_TEARDOWN_GRACE, DEFAULT_TIME_LIMIT, Lane, LaneKey, ToolKind,
    ToolSpec,
};
pub use spill::{SPILL_WAIT, Spill};
pub use text::{count, n_of_m, thousands};
pub use tier::{Tier, UnknownTier};
pub use tokio_util::sync::CancellationToken;
pub use tool::{FnTool, Tool, Typed, TypedTool};
pub use view::ToolView;
pub use workspace::{Targets, Workspace};

/// The page for authors of tools is compiled and run, so that it stays true.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/writing-a-tool.md")]
pub struct WritingATool;
