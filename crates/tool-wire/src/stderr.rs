//! A bounded tail of what a program said on its error stream. Pure.

use std::collections::VecDeque;

/// The last bytes of a stream, and how many came before them.
#[derive(Debug, Clone)]
pub struct Tail {
    limit: usize,
    bytes: VecDeque<u8>,
    dropped: u64,
}

impl Tail {
    /// Keeps at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self { limit, bytes: VecDeque::new(), dropped: 0 }
    }

    /// Appends, and forgets the oldest above the limit.
    pub fn push(&mut self, bytes: &[u8]) {
        let keep = &bytes[bytes.len().saturating_sub(self.limit)..];
        self.dropped += (bytes.len() - keep.len()) as u64;
        let over = (self.bytes.len() + keep.len()).saturating_sub(self.limit);
        self.bytes.drain(..over);
        self.dropped += over as u64;
        self.bytes.extend(keep);
    }

    /// How many bytes were forgotten.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The tail as text. After a cut it begins with a whole line where there is one.
    pub fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let whole = match bytes.iter().position(|byte| *byte == b'\n') {
            Some(at) if self.dropped > 0 && at + 1 < bytes.len() => &bytes[at + 1..],
            _ => &bytes[..],
        };
        String::from_utf8_lossy(whole).trim_end().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bytes_stay_and_the_others_are_counted() {
        let mut tail = Tail::new(8);
        tail.push(b"one\n");
        assert_eq!((tail.text().as_str(), tail.dropped()), ("one", 0));
        tail.push(b"two\nthree");
        assert_eq!((tail.text().as_str(), tail.dropped()), ("three", 5));
        tail.push(&[b'x'; 100]);
        assert_eq!((tail.text().as_str(), tail.dropped()), ("xxxxxxxx", 105));
        tail.push("é\n".as_bytes());
        assert_eq!(tail.text(), "xxxxxé");
    }

    #[test]
    fn a_cut_character_does_no_harm() {
        let mut tail = Tail::new(3);
        tail.push("éé".as_bytes());
        assert_eq!(tail.text(), "\u{fffd}é");
        assert_eq!(Tail::new(0).text(), "");
        let mut none = Tail::new(0);
        none.push(b"abc");
        assert_eq!((none.text().as_str(), none.dropped()), ("", 3));
    }
}
