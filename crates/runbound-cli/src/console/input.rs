//! Where lines come from: a terminal with editing and history, or a pipe. A thread of its own reads them.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};
use tokio::sync::oneshot;

use super::complete::{Known, complete};
use super::line::is_unfinished;
use crate::lines::{Line, next_line};

/// The longest line of a pipe, in bytes.
const LINE_LIMIT: usize = 16 << 20;
/// The longest call on several lines, in bytes and in lines that are not blank.
const OPEN_BYTES: usize = 256 << 10;
const OPEN_LINES: usize = 2_000;
/// How many lines of history are kept.
const REMEMBERED: usize = 1000;

/// What came of asking for a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Typed {
    Line(String),
    /// More bytes than a line may have, or than a call on several lines may.
    TooLong(u64),
    /// Ctrl-C at the prompt.
    Interrupted,
    /// The input has ended.
    End,
}

/// What kind of line is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// A call: with history and completion.
    Command,
    /// An answer to a question: neither.
    Answer,
}

struct Ask {
    prompt: String,
    want: Want,
    reply: oneshot::Sender<Typed>,
}

/// The source of lines. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Input {
    asks: mpsc::Sender<Ask>,
    tools: Arc<Mutex<Vec<Known>>>,
}

impl Input {
    /// Starts the reading thread. `history` is where lines are kept between sessions.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(crate) fn start(history: PathBuf) -> io::Result<Self> {
        let (asks, queue) = mpsc::channel();
        let tools = Arc::new(Mutex::new(Vec::new()));
        let known = Arc::clone(&tools);
        std::thread::Builder::new().name("prompt".into()).spawn(move || {
            if io::stdin().is_terminal() {
                at_terminal(&queue, known, &history);
            } else {
                from_pipe(&queue);
            }
        })?;
        Ok(Self { asks, tools })
    }

    /// What completion offers from now on.
    pub(crate) fn know(&self, tools: Vec<Known>) {
        *self.tools.lock().unwrap_or_else(PoisonError::into_inner) = tools;
    }

    /// Asks for a line.
    pub(crate) async fn line(&self, prompt: impl Into<String>, want: Want) -> Typed {
        let (reply, typed) = oneshot::channel();
        let ask = Ask { prompt: prompt.into(), want, reply };
        match self.asks.send(ask) {
            Ok(()) => typed.await.unwrap_or(Typed::End),
            Err(_) => Typed::End,
        }
    }
}

/// Lines from a pipe, without a prompt. A line that does not end its JSON object goes on in the next.
fn from_pipe(queue: &mpsc::Receiver<Ask>) {
    let mut input = io::stdin().lock();
    // A line that came for a question which nobody asks any more.
    let mut unclaimed = None;
    while let Ok(ask) = queue.recv() {
        let typed = unclaimed.take().unwrap_or_else(|| read_line(&mut input, ask.want));
        unclaimed = ask.reply.send(typed).err();
    }
}

fn read_line(input: &mut impl io::BufRead, want: Want) -> Typed {
    let mut line = String::new();
    let mut lines = 0;
    loop {
        match next_line(input, LINE_LIMIT) {
            Ok(None) if lines == 0 => return Typed::End,
            Ok(None) => return Typed::Line(line),
            // Between the parts of an open object blanks mean nothing.
            Ok(Some(Line::Whole(bytes)))
                if lines > 0 && bytes.iter().all(u8::is_ascii_whitespace) => {}
            // What is no text makes no sense as a call either; it is told so there, and the session goes on.
            Ok(Some(Line::Whole(bytes))) => {
                if lines > 0 {
                    line.push('\n');
                }
                line.push_str(&String::from_utf8_lossy(&bytes));
                lines += 1;
                if want == Want::Answer || !is_unfinished(&line) {
                    return Typed::Line(line);
                }
                // Every further line is looked at together with those before it.
                if line.len() > OPEN_BYTES || lines > OPEN_LINES {
                    return Typed::TooLong(line.len() as u64);
                }
            }
            Ok(Some(Line::TooLong(length))) => return Typed::TooLong(length),
            Err(error) => {
                crate::output::say(&format!("runbound: cannot read the input: {error}"));
                return Typed::End;
            }
        }
    }
}

fn at_terminal(queue: &mpsc::Receiver<Ask>, tools: Arc<Mutex<Vec<Known>>>, history: &Path) {
    let Ok(mut editor) = Editor::<Prompt, DefaultHistory>::new() else {
        return from_pipe(queue);
    };
    editor.set_helper(Some(Prompt { tools, active: true }));
    let mut lines: Vec<String> =
        std::fs::read_to_string(history).unwrap_or_default().lines().map(str::to_owned).collect();
    for line in &lines {
        let _ = editor.add_history_entry(line);
    }
    while let Ok(ask) = queue.recv() {
        if let Some(helper) = editor.helper_mut() {
            helper.active = ask.want == Want::Command;
        }
        let typed = match editor.readline(&ask.prompt) {
            Ok(line) => {
                if ask.want == Want::Command && !line.trim().is_empty() {
                    // Kept at once: a session that is killed loses nothing.
                    let flat = line.replace('\n', " ");
                    let _ = editor.add_history_entry(&flat);
                    if lines.last() != Some(&flat) {
                        lines.push(flat);
                    }
                    let _ = keep(history, &lines);
                }
                Typed::Line(line)
            }
            Err(ReadlineError::Interrupted) => Typed::Interrupted,
            Err(_) => Typed::End,
        };
        let _ = ask.reply.send(typed);
    }
}

/// Writes the history, for its owner's eyes only: arguments may hold what is private.
fn keep(path: &Path, lines: &[String]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    let first = lines.len().saturating_sub(REMEMBERED);
    let text: String = lines
        .get(first..)
        .unwrap_or_default()
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect();
    file.write_all(text.as_bytes())
}

/// Completion and line continuation for the editor.
struct Prompt {
    tools: Arc<Mutex<Vec<Known>>>,
    active: bool,
}

impl Helper for Prompt {}
impl Highlighter for Prompt {}

impl Hinter for Prompt {
    type Hint = String;
}

impl Completer for Prompt {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if !self.active {
            return Ok((position, Vec::new()));
        }
        let tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let before = line.get(..position).unwrap_or(line);
        let (start, found) = complete(&tools, before);
        let pairs = found.into_iter().map(|text| {
            // A key waits for its value; a whole word is followed by a space.
            let replacement = if text.ends_with('=') { text.clone() } else { format!("{text} ") };
            Pair { display: text, replacement }
        });
        Ok((start, pairs.collect()))
    }
}

impl Validator for Prompt {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if self.active && is_unfinished(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_command_goes_on_over_lines() {
        let mut input = "read {\"path\":\n\"a\"}\nread {\nlast".as_bytes();
        let command = Typed::Line("read {\"path\":\n\"a\"}".into());
        assert_eq!(read_line(&mut input, Want::Command), command);
        assert_eq!(read_line(&mut input, Want::Answer), Typed::Line("read {".into()));
        assert_eq!(read_line(&mut input, Want::Command), Typed::Line("last".into()));
        assert_eq!(read_line(&mut input, Want::Command), Typed::End);
    }

    #[test]
    fn a_line_that_is_no_text_does_not_end_the_session() {
        let mut input = &b"\xff\xfe\n:quit\n"[..];
        let line = Typed::Line("\u{fffd}\u{fffd}".into());
        assert_eq!(read_line(&mut input, Want::Command), line);
        assert_eq!(read_line(&mut input, Want::Command), Typed::Line(":quit".into()));
    }

    #[test]
    fn history_is_bounded_and_private() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state/history");
        let lines: Vec<String> = (0..REMEMBERED + 5).map(|n| format!("read path={n}")).collect();
        keep(&path, &lines).unwrap();
        let kept = std::fs::read_to_string(&path).unwrap();
        assert_eq!(kept.lines().count(), REMEMBERED);
        assert_eq!(kept.lines().next(), Some("read path=5"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
