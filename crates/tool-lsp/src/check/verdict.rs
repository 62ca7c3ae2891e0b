//! What a run of a checker says of the project. Pure.
//!
//! A checker that did not get to its end says nothing of the project: it is never "clean".

use std::time::Duration;

use crate::check::run::{Ended, Ran};
use crate::diagnostics::{Diagnostic, Severity};

/// Lines and characters of a checker's own words in a failure.
const LINES: usize = 8;
const CHARS: usize = 800;

/// What is known after a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It ran to its end and has nothing to say.
    Clean,
    /// It found something, and `incomplete` says why there may be more.
    Found { incomplete: Option<String> },
    /// It could not check; why, in its own words where it has some.
    Failed { why: String },
    /// It did not end in time.
    TimedOut { limit: Duration },
    /// It was not run; a code and why.
    Skipped { code: &'static str, why: String },
}

impl Verdict {
    /// One word for programs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Found { .. } => "found",
            Self::Failed { .. } => "failed",
            Self::TimedOut { .. } => "timeout",
            Self::Skipped { .. } => "skipped",
        }
    }

    /// Whether it says something of the project.
    pub(crate) fn tells(&self) -> bool {
        matches!(self, Self::Clean | Self::Found { .. })
    }
}

/// Why one step of a check is not to be believed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Doubt {
    TimedOut(Duration),
    Failed(String),
}

/// Whether one step ran to its end, by its exit and what was read of its output.
pub(crate) fn doubt(ran: &Ran, parsed: &[Diagnostic], fails_on_warnings: bool) -> Option<Doubt> {
    let exit = match &ran.ended {
        Ended::TimedOut(limit) => return Some(Doubt::TimedOut(*limit)),
        Ended::TooMuch(bytes) => {
            let why = format!("it printed more than {} MiB and was ended", bytes >> 20);
            return Some(Doubt::Failed(why));
        }
        Ended::Exit(exit) => *exit,
    };
    if exit.code == Some(0) {
        return None;
    }
    let errors = parsed.iter().any(|d| d.severity == Severity::Error);
    if exit.code.is_some() && (errors || fails_on_warnings && !parsed.is_empty()) {
        return None;
    }
    let said = if ran.stderr.trim().is_empty() { &ran.stdout } else { &ran.stderr };
    let said = last_words(said);
    let colon = if said.is_empty() { "" } else { ": " };
    Some(Doubt::Failed(format!("{exit}{colon}{said}")))
}

/// The verdict over all steps: what was found, and the first doubt.
pub(crate) fn verdict(found: &[Diagnostic], doubt: Option<Doubt>) -> Verdict {
    let counts = found.iter().any(Diagnostic::counts);
    match doubt {
        None if counts => Verdict::Found { incomplete: None },
        None => Verdict::Clean,
        Some(doubt) if found.iter().any(|d| d.severity == Severity::Error) => {
            let why = match doubt {
                Doubt::TimedOut(limit) => format!("it did not end within {} s", limit.as_secs()),
                Doubt::Failed(why) => why,
            };
            Verdict::Found { incomplete: Some(why) }
        }
        Some(Doubt::TimedOut(limit)) => Verdict::TimedOut { limit },
        Some(Doubt::Failed(why)) => Verdict::Failed { why },
    }
}

/// The end of what a checker said, within bounds.
fn last_words(text: &str) -> String {
    let lines: Vec<&str> =
        text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()).collect();
    let tail = lines[lines.len().saturating_sub(LINES)..].join("\n");
    let excess = tail.chars().count().saturating_sub(CHARS);
    if excess == 0 {
        tail
    } else {
        format!("…{}", tail.chars().skip(excess + 1).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::{Doubt, Verdict, doubt, last_words, verdict};
    use crate::check::run::{Ended, Ran};
    use crate::diagnostics::{Diagnostic, Severity};
    use crate::text::{Pos, Span};
    use std::time::Duration;
    use tool_wire::Exit;

    fn ran(code: i32, stderr: &str) -> Ran {
        let ended = Ended::Exit(Exit { code: Some(code), signal: None });
        Ran { ended, stdout: "on its output".into(), stderr: stderr.into() }
    }

    fn one(severity: Severity) -> Vec<Diagnostic> {
        let at = Pos::new(0, 0);
        let span = Span { start: at, end: at };
        let message = "m".to_owned();
        vec![Diagnostic { path: "/a".into(), span, severity, code: None, source: None, message }]
    }

    /// What the verdict is for an exit code and what was read.
    fn judged(code: i32, found: &[Diagnostic], fails_on_warnings: bool) -> Verdict {
        verdict(found, doubt(&ran(code, "boom"), found, fails_on_warnings))
    }

    #[test]
    fn an_exit_without_findings_is_clean_only_when_it_is_0() {
        let failed = Verdict::Failed { why: "exit code 101: boom".into() };
        let found = Verdict::Found { incomplete: None };
        assert_eq!(judged(0, &[], false), Verdict::Clean);
        assert_eq!(judged(0, &one(Severity::Hint), false), Verdict::Clean);
        assert_eq!(judged(0, &one(Severity::Warning), false), found);
        assert_eq!(judged(101, &[], false), failed, "never clean");
        assert_eq!(judged(101, &one(Severity::Error), false), found);
        assert_eq!(judged(101, &one(Severity::Warning), false), failed, "the warnings are not why");
        assert_eq!(judged(1, &one(Severity::Warning), true), found);
        assert_eq!(judged(1, &one(Severity::Information), true), Verdict::Clean);
        let silent = doubt(&ran(2, " \n"), &[], false);
        assert_eq!(silent, Some(Doubt::Failed("exit code 2: on its output".into())));
    }

    #[test]
    fn what_was_ended_is_never_clean() {
        let mut run = ran(0, "");
        run.ended = Ended::TimedOut(Duration::from_secs(120));
        let limit = Duration::from_secs(120);
        assert_eq!(verdict(&[], doubt(&run, &[], false)), Verdict::TimedOut { limit });
        let errors = one(Severity::Error);
        let some = verdict(&errors, doubt(&run, &errors, false));
        assert_eq!(some, Verdict::Found { incomplete: Some("it did not end within 120 s".into()) });
        run.ended = Ended::TooMuch(32 << 20);
        assert_eq!(verdict(&[], doubt(&run, &[], false)).word(), "failed");
        run.ended = Ended::Exit(Exit { code: None, signal: Some(9) });
        assert_eq!(verdict(&errors, doubt(&run, &errors, true)).word(), "found");
        assert_eq!(verdict(&[], doubt(&run, &[], true)).word(), "failed");
    }

    #[test]
    fn the_last_words_are_bounded() {
        let many: String = (0..50).map(|n| format!("line {n}\n\n")).collect();
        assert!(last_words(&many).starts_with("line 42\n"));
        assert!(last_words(&"ä".repeat(5000)).chars().count() <= 801);
    }
}
