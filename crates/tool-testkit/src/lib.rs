//! Scripted peers, fault verbs, a fake server as a real process, and a leak guard, for tests only.

#![doc = include_str!("../README.md")]

mod conforming;
mod fake;
mod leak;
mod observe;
mod script;
mod scripted;

pub use conforming::{CONFORMING_ENCODING, Conforming};
pub use fake::{install, python, server};
pub use leak::LeakGuard;
pub use observe::eventually;
pub use script::{Script, Verb};
pub use scripted::Scripted;
