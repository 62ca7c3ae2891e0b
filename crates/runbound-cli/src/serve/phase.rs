//! The life of a session, pure: which method may come when.

use super::wire::{INVALID_REQUEST, METHOD_NOT_FOUND, NOT_INITIALIZED, RpcError};

/// Where the session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing but `initialize` is taken.
    Fresh,
    /// Calls are taken.
    Ready,
    /// `shutdown` was answered: only the end is left.
    Down,
}

/// A request of the host that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Initialize,
    ToolsList,
    ToolsCall,
    FilesWriting,
    FilesWritten,
    Cancel,
    Shutdown,
}

/// A notification of the host that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    Cancel,
    Exit,
    FilesWriting,
}

impl Phase {
    /// Whether the request `method` may come now.
    ///
    /// # Errors
    /// The error to answer: the method is unknown, or comes at the wrong time.
    pub(crate) fn admit(self, method: &str) -> Result<Request, RpcError> {
        let request = match method {
            "initialize" => Request::Initialize,
            "tools/list" => Request::ToolsList,
            "tools/call" => Request::ToolsCall,
            "files/writing" => Request::FilesWriting,
            "files/written" => Request::FilesWritten,
            "$/cancelRequest" => Request::Cancel,
            "shutdown" => Request::Shutdown,
            other => {
                return Err(RpcError::new(
                    METHOD_NOT_FOUND,
                    format!(
                        "no method \"{}\"; there are initialize, tools/list, tools/call, files/writing, files/written, shutdown",
                        clip(other)
                    ),
                ));
            }
        };
        match (self, request) {
            (Phase::Down, _) => Err(RpcError::new(
                INVALID_REQUEST,
                "the run is shut down; start a new process for a new run",
            )),
            (Phase::Fresh, Request::Initialize | Request::Shutdown)
            | (Phase::Ready, Request::Cancel) => Ok(request),
            (Phase::Fresh, _) => {
                Err(RpcError::new(NOT_INITIALIZED, format!("{method} came before initialize")))
            }
            (Phase::Ready, Request::Initialize) => {
                Err(RpcError::new(INVALID_REQUEST, "already initialized; one process is one run"))
            }
            (Phase::Ready, _) => Ok(request),
        }
    }
}

/// What a notification asks for; unknown ones are nothing, as JSON-RPC has it.
pub(crate) fn notice(method: &str) -> Option<Notice> {
    match method {
        "$/cancelRequest" => Some(Notice::Cancel),
        "exit" => Some(Notice::Exit),
        "files/writing" => Some(Notice::FilesWriting),
        _ => None,
    }
}

/// A name of the host, short enough to be quoted.
fn clip(name: &str) -> String {
    name.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_initialize_opens() {
        for method in ["tools/list", "tools/call", "files/written", "files/writing"] {
            assert_eq!(Phase::Fresh.admit(method).unwrap_err().code, NOT_INITIALIZED, "{method}");
            assert!(Phase::Ready.admit(method).is_ok(), "{method}");
        }
        assert_eq!(Phase::Fresh.admit("initialize"), Ok(Request::Initialize));
        assert_eq!(Phase::Ready.admit("initialize").unwrap_err().code, INVALID_REQUEST);
    }

    #[test]
    fn nothing_is_taken_after_shutdown() {
        for method in ["initialize", "tools/call", "shutdown"] {
            assert_eq!(Phase::Down.admit(method).unwrap_err().code, INVALID_REQUEST, "{method}");
        }
        assert_eq!(Phase::Fresh.admit("shutdown"), Ok(Request::Shutdown));
    }

    #[test]
    fn unknown_methods_are_named_whatever_the_phase() {
        for phase in [Phase::Fresh, Phase::Ready, Phase::Down] {
            let error = phase.admit("question/answer").unwrap_err();
            assert_eq!(error.code, METHOD_NOT_FOUND);
            assert!(error.message.contains("question/answer"));
        }
        let long = Phase::Ready.admit(&"x".repeat(10_000)).unwrap_err();
        assert!(long.message.len() < 300);
        assert_eq!(notice("what/ever"), None);
        assert_eq!(notice("exit"), Some(Notice::Exit));
    }
}
