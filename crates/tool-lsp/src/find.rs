//! The program of a server, or why there is none.

use std::fmt;
use std::path::PathBuf;

/// A program that works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Binary {
    /// Where it is.
    pub(crate) program: PathBuf,
    /// The arguments of the command that was chosen; names in braces are not yet resolved.
    pub(crate) args: Vec<String>,
    /// What it says of itself; empty if it was not asked.
    pub(crate) version: String,
    /// Whether it lies in the checkout.
    pub(crate) project_local: bool,
}

/// Why a server cannot be used for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unusable {
    /// Nothing marks a root between the file and the run's root.
    NoMarker { server: String, markers: Vec<String> },
    /// The program is not there.
    NoBinary { server: String, names: Vec<String>, local: Vec<String>, install: String },
    /// The program is there and does not run.
    Broken { server: String, program: PathBuf, output: String, install: String },
    /// It runs, and cannot serve this project.
    Unsupported { server: String, why: String },
    /// It would run code of a checkout that is not trusted.
    Untrusted { server: String, why: String },
}

impl Unusable {
    /// The server.
    pub(crate) fn server(&self) -> &str {
        match self {
            Self::NoMarker { server, .. }
            | Self::NoBinary { server, .. }
            | Self::Broken { server, .. }
            | Self::Unsupported { server, .. }
            | Self::Untrusted { server, .. } => server,
        }
    }

    /// One word for a program.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NoMarker { .. } => "no_marker",
            Self::NoBinary { .. } => "no_binary",
            Self::Broken { .. } => "broken_binary",
            Self::Unsupported { .. } => "unsupported",
            Self::Untrusted { .. } => "untrusted",
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let install = |f: &mut fmt::Formatter<'_>, command: &str| {
            if command.is_empty() { Ok(()) } else { write!(f, "; install it with: {command}") }
        };
        match self {
            Self::NoMarker { markers, .. } => {
                write!(
                    f,
                    "no root: none of {} from the file up to the run's root",
                    markers.join(", ")
                )
            }
            Self::NoBinary { names, local, install: command, .. } => {
                write!(f, "{} is not on PATH", names.join(" or "))?;
                if !local.is_empty() {
                    write!(f, " or in {}", local.join(", "))?;
                }
                install(f, command)
            }
            Self::Broken { program, output, install: command, .. } => {
                write!(f, "{} does not run: {output}", program.display())?;
                install(f, command)
            }
            Self::Unsupported { why, .. } => f.write_str(why),
            Self::Untrusted { why, .. } => write!(f, "the checkout is not trusted: {why}"),
        }
    }
}
