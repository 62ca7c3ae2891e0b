//! Frames: bytes in, JSON objects out. Lenient about noise, strict about size. Pure; never panics.

use serde_json::Value;

/// The longest line that is kept while a header is looked for. What is longer is noise.
const LINE: usize = 8 * 1024;
/// How much of a long line of noise is kept, so that a header cut by a read is still found.
const OVERLAP: usize = 256;
/// The most header lines of one frame.
const HEADERS: usize = 64;
/// How much of the latest noise is kept to be shown, in bytes.
const SAMPLE: usize = 512;
const NAME: &[u8] = b"content-length:";

/// How frames are told apart on a stream of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// `Content-Length: n`, an empty line, `n` bytes: language servers and debug adapters.
    ContentLength,
    /// One JSON object a line: kernels.
    JsonLines,
}

impl Framing {
    /// The bytes of one frame.
    pub fn encode(self, message: &Value) -> Vec<u8> {
        let body = message.to_string();
        match self {
            Framing::ContentLength => {
                let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
                frame.extend_from_slice(body.as_bytes());
                frame
            }
            // serde_json escapes every newline inside of strings, so the body is one line.
            Framing::JsonLines => {
                let mut frame = body.into_bytes();
                frame.push(b'\n');
                frame
            }
        }
    }
}

/// A frame that the decoder refuses. The stream is over: what follows cannot be told from its body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {len} bytes, more than the limit of {limit}")]
pub struct TooLarge {
    /// The announced length, or what had come of a line without an end, in bytes.
    pub len: u64,
    /// The limit, in bytes.
    pub limit: usize,
}

/// What was not a frame: log lines on the wrong stream, broken bodies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Noise {
    /// All of it, in bytes.
    pub bytes: u64,
    last: Vec<u8>,
}

impl Noise {
    /// The latest of it, as text.
    pub fn last(&self) -> String {
        String::from_utf8_lossy(&self.last).trim().to_string()
    }

    fn add(&mut self, bytes: &[u8]) {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        self.bytes += bytes.len() as u64;
        self.last.extend_from_slice(bytes);
        let over = self.last.len().saturating_sub(SAMPLE);
        self.last.drain(..over);
    }
}

/// Takes bytes as they come, in pieces of any size, and gives the JSON objects in them.
///
/// A body that is not JSON loses no more than itself: the decoder looks for the next frame inside of it,
/// so a wrong length costs a message or none.
#[derive(Debug)]
pub struct Decoder {
    framing: Framing,
    limit: usize,
    buffer: Vec<u8>,
    /// What of `buffer` is done with.
    start: usize,
    /// From where on a line's end was not looked for yet.
    scanned: usize,
    head: Head,
    noise: Noise,
    failed: Option<TooLarge>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    /// Looking for a header.
    Seek,
    /// Inside a header block, so many lines of it seen.
    Lines { len: usize, seen: usize },
    /// The body's length is known.
    Body { len: usize },
}

impl Decoder {
    /// `limit` is the longest body that is taken, in bytes.
    pub fn new(framing: Framing, limit: usize) -> Self {
        Self {
            framing,
            limit,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            head: Head::Seek,
            noise: Noise::default(),
            failed: None,
        }
    }

    /// Appends what was read. After a [`TooLarge`] everything is dropped.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.failed.is_some() {
            return;
        }
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned = self.scanned.saturating_sub(self.start);
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next object, if all of it is there.
    ///
    /// # Errors
    ///
    /// A frame above the limit; from then on every call fails.
    pub fn next_object(&mut self) -> Result<Option<Value>, TooLarge> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let next = match self.framing {
            Framing::ContentLength => self.next_framed(),
            Framing::JsonLines => self.next_line_object(),
        };
        if let Err(error) = &next {
            self.failed = Some(error.clone());
            self.buffer = Vec::new();
            self.start = 0;
        }
        next
    }

    /// What came that was no frame.
    pub fn noise(&self) -> &Noise {
        &self.noise
    }

    /// The end of the stream: a last line without its newline is still a line, any other rest is noise.
    /// Gives the last object, and how many bytes of an unfinished frame are lost.
    pub fn finish(&mut self) -> (Option<Value>, usize) {
        let rest = self.buffer.split_off(self.start.min(self.buffer.len()));
        self.buffer = Vec::new();
        self.start = 0;
        if self.framing == Framing::JsonLines
            && let Some(object) = object(&rest)
        {
            return (Some(object), 0);
        }
        let lost = match (self.framing, self.head) {
            (Framing::ContentLength, Head::Seek) => {
                self.noise.add(&rest);
                0
            }
            (Framing::ContentLength, _) => rest.len(),
            // A line that begins as an object was going to be one.
            (Framing::JsonLines, _) if rest.trim_ascii_start().starts_with(b"{") => rest.len(),
            (Framing::JsonLines, _) => {
                self.noise.add(&rest);
                0
            }
        };
        self.head = Head::Seek;
        (None, lost)
    }

    fn next_framed(&mut self) -> Result<Option<Value>, TooLarge> {
        loop {
            match self.head {
                Head::Body { len } => {
                    let Some(body) = self.buffer[self.start..].get(..len) else {
                        return Ok(None);
                    };
                    let body = body.to_vec();
                    self.start += len;
                    self.scanned = self.start;
                    self.head = Head::Seek;
                    if let Some(object) = self.body(&body) {
                        return Ok(Some(object));
                    }
                }
                Head::Seek | Head::Lines { .. } => {
                    let Some(line) = self.line() else {
                        self.trim_noise();
                        return Ok(None);
                    };
                    self.header(&line)?;
                }
            }
        }
    }

    /// One line of a header block, or of noise.
    fn header(&mut self, line: &[u8]) -> Result<(), TooLarge> {
        let text = line.trim_ascii();
        let named = rfind(text, NAME);
        let length = named.and_then(|at| number(&text[at + NAME.len()..]));
        self.head = match (length, self.head) {
            (Some(len), before) => {
                if len > self.limit as u64 {
                    return Err(TooLarge { len, limit: self.limit });
                }
                self.noise.add(&text[..named.unwrap_or_default()]);
                let seen = if let Head::Lines { seen, .. } = before { seen } else { 0 };
                Head::Lines { len: usize::try_from(len).unwrap_or(usize::MAX), seen: seen + 1 }
            }
            (None, Head::Lines { len, .. }) if text.is_empty() => Head::Body { len },
            (None, Head::Lines { len, seen }) if seen < HEADERS => {
                Head::Lines { len, seen: seen + 1 }
            }
            _ => {
                // Another header before the length is usual and no noise; a log line is.
                if !text.to_ascii_lowercase().starts_with(b"content-type:") {
                    self.noise.add(line);
                }
                Head::Seek
            }
        };
        Ok(())
    }

    /// A whole body. What is not an object is searched for the next frame.
    fn body(&mut self, body: &[u8]) -> Option<Value> {
        if let Some(object) = object(body) {
            return Some(object);
        }
        // Announced too long: the object, and then the start of what follows it.
        let mut stream = serde_json::Deserializer::from_slice(body).into_iter::<Value>();
        let first = stream.next().and_then(Result::ok).filter(Value::is_object);
        let used = stream.byte_offset();
        if first.is_some() {
            self.give_back(&body[used..]);
            return first;
        }
        // Announced too short or broken: what follows may begin inside.
        if let Some(at) = find(body, NAME) {
            self.noise.add(&body[..at]);
            self.give_back(&body[at..]);
        } else {
            self.noise.add(body);
        }
        None
    }

    /// Puts bytes that were taken back in front of the rest. They are always fewer than were taken.
    fn give_back(&mut self, bytes: &[u8]) {
        self.start -= bytes.len();
        self.scanned = self.start;
    }

    fn next_line_object(&mut self) -> Result<Option<Value>, TooLarge> {
        while let Some(line) = self.line() {
            if line.len() > self.limit {
                return Err(TooLarge { len: line.len() as u64, limit: self.limit });
            }
            match object(&line) {
                Some(object) => return Ok(Some(object)),
                None => self.noise.add(&line),
            }
        }
        let waiting = self.buffer.len() - self.start;
        if waiting > self.limit {
            return Err(TooLarge { len: waiting as u64, limit: self.limit });
        }
        Ok(None)
    }

    /// The next line, without its newline.
    fn line(&mut self) -> Option<Vec<u8>> {
        let from = self.scanned.max(self.start);
        let Some(at) = self.buffer[from..].iter().position(|byte| *byte == b'\n') else {
            self.scanned = self.buffer.len();
            return None;
        };
        let line = self.buffer[self.start..from + at].to_vec();
        self.start = from + at + 1;
        self.scanned = self.start;
        Some(line)
    }

    /// A line without an end cannot grow for ever: all but its last bytes is noise.
    fn trim_noise(&mut self) {
        let waiting = self.buffer.len() - self.start;
        if waiting > LINE {
            let drop = waiting - OVERLAP;
            let bytes = self.buffer[self.start..self.start + drop].to_vec();
            self.noise.add(&bytes);
            self.start += drop;
        }
    }
}

fn object(bytes: &[u8]) -> Option<Value> {
    serde_json::from_slice::<Value>(bytes).ok().filter(Value::is_object)
}

/// The decimal number at the start, with nothing but white space around it.
fn number(bytes: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // More digits than fit are a size, and too large.
    Some(text.parse().unwrap_or(u64::MAX))
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window.eq_ignore_ascii_case(word))
}

fn rfind(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).rposition(|window| window.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
