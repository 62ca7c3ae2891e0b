//! The protocol trace of `--log`: what came in and went out, one JSON object a line.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

/// Which way a message went.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    In,
    Out,
}

/// A trace, or none. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    file: Option<Arc<Mutex<File>>>,
}

impl Trace {
    /// Opens `path` for appending; no path is no trace.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        let file = match path {
            None => None,
            Some(path) => {
                Some(Arc::new(Mutex::new(OpenOptions::new().create(true).append(true).open(path)?)))
            }
        };
        Ok(Self { file })
    }

    /// Notes a message. A trace that cannot be written never disturbs the run.
    pub(crate) fn note(&self, way: Way, message: &Value) {
        let Some(file) = &self.file else { return };
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let way = match way {
            Way::In => "in",
            Way::Out => "out",
        };
        let mut line =
            json!({"at_ms": at.as_millis() as u64, "way": way, "message": message}).to_string();
        line.push('\n');
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(line.as_bytes());
    }

    /// Notes bytes of a protocol line: as JSON where they are that, else as text.
    pub(crate) fn line(&self, way: Way, bytes: &[u8]) {
        if self.file.is_some() {
            let message = serde_json::from_slice(bytes)
                .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(bytes).into_owned()));
            self.note(way, &message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_appended_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("trace.jsonl");
        for round in 0..2 {
            let trace = Trace::open(Some(&path)).unwrap();
            trace.note(Way::In, &json!({"round": round}));
            trace.line(Way::Out, b"not json");
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 4);
        assert_eq!((&lines[0]["way"], &lines[0]["message"]), (&json!("in"), &json!({"round": 0})));
        assert_eq!((&lines[3]["way"], &lines[3]["message"]), (&json!("out"), &json!("not json")));
    }
}
