//! `console` at a terminal: editing, completion, history, the progress bar, and Ctrl-C that ends the call only.

use std::io::{Read as _, Write as _};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support::{LONG, Project, endless, wait};

/// A terminal with the console in it, lent by script(1).
struct Terminal {
    child: std::process::Child,
    keys: ChildStdin,
    output: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    /// `None` where there is no script(1).
    fn start(project: &Project) -> Option<Self> {
        let console = format!(
            "exec '{}' console --color never --root '{}' --state-dir '{}'",
            env!("CARGO_BIN_EXE_runbound"),
            project.root().display(),
            project.state().display()
        );
        #[expect(clippy::disallowed_methods, reason = "the test needs a terminal")]
        let mut script = Command::new("script");
        script.args(["-q", "-e", "-c", &console, "/dev/null"]).env("TERM", "xterm");
        let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let keys = child.stdin.take()?;
        let mut stdout = child.stdout.take()?;
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Some(Self { child, keys, output, seen: String::new() })
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until the text is on the screen; what came before it is forgotten.
    fn until(&mut self, text: &str) {
        let begun = Instant::now();
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            let left = LONG.saturating_sub(begun.elapsed());
            let bytes = self.output.recv_timeout(left.max(Duration::from_millis(1)));
            let bytes = bytes
                .unwrap_or_else(|error| panic!("{text:?} did not come ({error}): {:?}", self.seen));
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn a_session_at_a_terminal() {
    let project = endless();
    let Some(mut terminal) = Terminal::start(&project) else {
        println!("SKIP a_session_at_a_terminal: script is not installed");
        return;
    };
    terminal.until(":help tells how");
    terminal.until("exec> ");
    terminal.press("help\r");
    terminal.until(":tier TIER");
    terminal.until("exec> ");
    terminal.press(":to\t");
    terminal.until(":tools ");
    terminal.press("\r");
    terminal.until("apply_patch");
    terminal.until("exec> ");

    terminal.press("\x03");
    terminal.until("ends the session");
    terminal.until("exec> ");

    terminal.press("ast_grep pattern='$F($$$A)' language=python\r");
    terminal.until(" of 120 ");
    terminal.press("\x03");
    terminal.until("ast_grep · read · cancelled");
    terminal.until("exec> ");

    terminal.press("read path=f0.py start_line=1 end_line=1\r");
    terminal.until("read · read · ok");
    terminal.until("first(second(third");
    terminal.until("exec> ");
    terminal.press("\x1b[A");
    terminal.until("end_line=1");
    terminal.press("\r");
    terminal.until("read · read · ok");
    terminal.until("exec> ");

    terminal.press("\x04");
    assert_eq!(wait(terminal.child, LONG).code(), Some(0));
    let history = std::fs::read_to_string(project.state().join("console-history")).unwrap();
    assert_eq!(history.lines().last(), Some("read path=f0.py start_line=1 end_line=1"));
    assert_eq!(history.lines().count(), 4, "a repeated line is kept once: {history}");
}
