//! One module a command that is not a session.

pub(crate) mod call;
pub(crate) mod doctor;
pub(crate) mod run;
pub(crate) mod tools;
pub(crate) mod tour;
