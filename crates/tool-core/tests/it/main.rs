//! The core as a harness uses it, from outside.

mod batch;
mod calls;
mod export;
mod gate;
mod lanes;
mod layers;
mod registry;
mod scopes;
mod stops;
mod storm;
mod support;
