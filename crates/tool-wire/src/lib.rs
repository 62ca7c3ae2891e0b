//! A supervised child process that speaks frames: codecs, a peer, spawning, and a bounded end.

#![doc = include_str!("../README.md")]

mod budget;
mod child;
mod connect;
mod dialect;
mod error;
mod exit;
mod find;
mod frame;
mod memory;
mod os;
mod peer;
mod pending;
mod shutdown;
mod spawn;
mod stderr;
mod sync;
mod wait;
mod warden;

pub use budget::{Budget, IdleBudget, PauseGuard};
pub use child::{Child, Gone, Spawned, Watch, host_pid};
pub use connect::connect;
pub use dialect::{Dialect, Incoming, JsonRpc};
pub use error::{RemoteError, SpawnError, WireError};
pub use exit::{Ended, EndedWhy, Exit};
pub use find::{Finder, Found, NotFound, Probe, Query};
pub use frame::{Decoder, Framing, Noise, TooLarge};
pub use memory::{End, pair};
pub use peer::{Inbound, Inbox, Oddities, Peer, PeerOptions, Replier};
pub use pending::{Pending, Reply};
pub use shutdown::{Ladder, Rung, StopReport};
pub use spawn::{Spawn, Stdin, Stdout};
pub use stderr::Tail;
pub use wait::Wait;
