//! Permission at the prompt: the person who typed the call says yes or no.

use runbound::core::{GateError, PermissionGate, PermissionRequest, Verdict, async_trait};

use super::input::{Input, Typed, Want};
use crate::output::say;

/// Asks whoever sits at the console.
pub(crate) struct Person {
    input: Input,
    /// One question at a time on one screen.
    screen: tokio::sync::Mutex<()>,
}

impl Person {
    pub(crate) fn new(input: Input) -> Self {
        Self { input, screen: tokio::sync::Mutex::new(()) }
    }
}

#[async_trait]
impl PermissionGate for Person {
    async fn check(&self, request: &PermissionRequest) -> Result<Verdict, GateError> {
        let _screen = self.screen.lock().await;
        say(&format!(
            "? {} ({}) wants to run: {}\n  1 once · 2 {} for this run · 3 deny (or say why)",
            request.tool, request.tier, request.summary, request.tool
        ));
        match self.input.line("  [1/2/3] ", Want::Answer).await {
            Typed::Line(line) => Ok(read(&line)),
            Typed::TooLong(_) => Ok(Verdict::Deny { note: None }),
            Typed::Interrupted => Ok(Verdict::Cancelled),
            Typed::End => Err(GateError::NoApprover),
        }
    }
}

/// Only a clear yes is one. Words that are no number are the reason for a no.
fn read(line: &str) -> Verdict {
    match line.trim() {
        "1" | "y" | "yes" => Verdict::Allow,
        "2" => Verdict::AllowSame,
        "" | "3" | "n" | "no" => Verdict::Deny { note: None },
        words => Verdict::Deny { note: Some(words.to_owned()) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        assert_eq!(read(" 1\n"), Verdict::Allow);
        assert_eq!(read("2"), Verdict::AllowSame);
        for no in ["", "3", "no"] {
            assert_eq!(read(no), Verdict::Deny { note: None });
        }
        assert_eq!(read("sure, why not"), Verdict::Deny { note: Some("sure, why not".into()) });
    }
}
