//! A connection that stays in memory: two ends, each with a reader and a writer.

use tokio::io::DuplexStream;

/// One end. Dropping the writer is the end of file for the other end's reader.
#[derive(Debug)]
pub struct End {
    /// Reads what the other end wrote.
    pub reader: DuplexStream,
    /// Writes to the other end.
    pub writer: DuplexStream,
}

/// Two connected ends. Each direction holds `capacity` bytes; then a writer waits, as with a pipe.
pub fn pair(capacity: usize) -> (End, End) {
    let (to_left, from_right) = tokio::io::duplex(capacity);
    let (to_right, from_left) = tokio::io::duplex(capacity);
    (End { reader: from_right, writer: to_right }, End { reader: from_left, writer: to_left })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn each_end_reads_what_the_other_wrote() {
        let (mut left, mut right) = pair(64);
        left.writer.write_all(b"to right").await.unwrap();
        right.writer.write_all(b"to left").await.unwrap();
        drop((left.writer, right.writer));
        let mut text = String::new();
        left.reader.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "to left");
        text.clear();
        right.reader.read_to_string(&mut text).await.unwrap();
        assert_eq!(text, "to right");
    }
}
