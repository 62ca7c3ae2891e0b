//! Lines from a byte stream, each bounded: what is too long is skipped, not kept.

use std::io::{self, BufRead};

/// One line, without its line feed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The bytes. The last line of a stream may lack its line feed.
    Whole(Vec<u8>),
    /// Longer than the limit: this many bytes were skipped.
    TooLong(u64),
}

/// Reads the next line; `None` at the end. Blocks until a line is there.
///
/// # Errors
/// What the reader says; an interrupted read is tried again.
pub(crate) fn next_line(reader: &mut impl BufRead, limit: usize) -> io::Result<Option<Line>> {
    let mut kept = Vec::new();
    let mut seen: u64 = 0;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            return Ok((seen > 0).then(|| finish(kept, seen, limit)));
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = end.unwrap_or(chunk.len());
        seen += part as u64;
        if seen <= limit as u64 {
            kept.extend_from_slice(chunk.get(..part).unwrap_or_default());
        } else {
            kept = Vec::new();
        }
        reader.consume(part + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Some(finish(kept, seen, limit)));
        }
    }
}

fn finish(mut kept: Vec<u8>, seen: u64, limit: usize) -> Line {
    if seen > limit as u64 {
        return Line::TooLong(seen);
    }
    if kept.last() == Some(&b'\r') {
        kept.pop();
    }
    Line::Whole(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// Reads everything with a buffer of `size` bytes, so that lines come in pieces.
    fn read_all(bytes: &[u8], size: usize, limit: usize) -> Vec<Line> {
        let mut reader = BufReader::with_capacity(size, bytes);
        std::iter::from_fn(|| next_line(&mut reader, limit).unwrap()).collect()
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_are_the_same_however_they_arrive() {
        for size in [1, 2, 3, 7, 100] {
            let got = read_all(b"one\n\ntwo\r\nlast", size, 100);
            assert_eq!(
                got,
                [whole("one"), whole(""), whole("two"), whole("last")],
                "in pieces of {size}"
            );
        }
    }

    #[test]
    fn a_long_line_is_counted_and_the_next_one_is_read() {
        for size in [1, 4, 100] {
            let got = read_all(b"0123456789\nok\n", size, 5);
            assert_eq!(got, [Line::TooLong(10), whole("ok")]);
        }
    }

    #[test]
    fn a_line_of_just_the_limit_is_whole() {
        assert_eq!(read_all(b"12345\n123456", 3, 5), [whole("12345"), Line::TooLong(6)]);
        assert_eq!(read_all(b"", 3, 5), []);
    }
}
