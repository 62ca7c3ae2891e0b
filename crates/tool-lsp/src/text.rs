//! A document as servers count in it: lines, encodings, columns. Pure.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use tool_workspace::ContentHash;

/// In what units a server counts the characters of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// 16-bit units; what a server means that says nothing.
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

impl Encoding {
    /// The word of the protocol.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    /// From the word of the protocol.
    pub(crate) fn from_wire(word: &str) -> Option<Self> {
        match word {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        }
    }

    fn units(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// A position on the wire: line and character from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) struct Pos {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

impl Pos {
    pub(crate) const fn new(line: u32, character: u32) -> Self {
        Self { line, character }
    }
}

/// A range on the wire; the end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub(crate) struct Span {
    pub(crate) start: Pos,
    pub(crate) end: Pos,
}

impl Span {
    /// The same range with its ends in order: some servers write them the other way round.
    pub(crate) fn ordered(self) -> Self {
        if self.end < self.start { Self { start: self.end, end: self.start } } else { self }
    }
}

/// Why some bytes are no document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotText {
    /// Not UTF-8 from this byte on.
    NotUtf8 { at: usize },
    /// More than 4 GiB: positions do not fit the wire.
    TooLarge,
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 { at } => write!(f, "it is not UTF-8 (byte {at})"),
            Self::TooLarge => f.write_str("it is larger than 4 GiB"),
        }
    }
}

const BOM: char = '\u{feff}';

/// The text of a document, split where the protocol splits it: at `\n`, `\r\n` and `\r`, and nowhere else.
///
/// A byte order mark stays in the source and in byte offsets, and is no column: servers are sent [`Text::sent`],
/// which lacks it.
#[derive(Clone)]
pub(crate) struct Text {
    inner: Arc<Inner>,
}

struct Inner {
    src: String,
    /// Where each line starts; the first after a byte order mark.
    starts: Vec<usize>,
    hash: ContentHash,
}

impl Text {
    /// Takes the bytes of a file.
    pub(crate) fn new(bytes: Vec<u8>) -> Result<Self, NotText> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(NotText::TooLarge);
        }
        let hash = ContentHash::of(&bytes);
        let src = String::from_utf8(bytes)
            .map_err(|error| NotText::NotUtf8 { at: error.utf8_error().valid_up_to() })?;
        let starts = starts(&src);
        Ok(Self { inner: Arc::new(Inner { src, starts, hash }) })
    }

    /// The whole source, with a byte order mark where the file has one.
    pub(crate) fn src(&self) -> &str {
        &self.inner.src
    }

    /// What a server is sent: the source without its byte order mark.
    pub(crate) fn sent(&self) -> &str {
        &self.inner.src[self.inner.starts[0]..]
    }

    /// The hash of the file's bytes.
    pub(crate) fn hash(&self) -> ContentHash {
        self.inner.hash
    }

    /// How many lines there are; at least one, and one more than there are line ends.
    pub(crate) fn line_count(&self) -> u32 {
        narrow(self.inner.starts.len())
    }

    /// A line, counted from 0, without its end.
    pub(crate) fn line(&self, from_0: u32) -> Option<&str> {
        self.line_range(from_0).map(|range| &self.inner.src[range])
    }

    /// The bytes of a line, counted from 0, without its end.
    pub(crate) fn line_range(&self, from_0: u32) -> Option<Range<usize>> {
        let at = usize::try_from(from_0).ok()?;
        let start = *self.inner.starts.get(at)?;
        let src = &self.inner.src;
        let Some(next) = self.inner.starts.get(at + 1) else {
            return Some(start..src.len());
        };
        let line = &src[start..*next];
        let body = line.strip_suffix('\n').unwrap_or(line);
        let body = body.strip_suffix('\r').unwrap_or(body);
        Some(start..start + body.len())
    }

    /// The line, from 0, that holds a byte.
    pub(crate) fn line_of(&self, offset: usize) -> u32 {
        narrow(self.inner.starts.partition_point(|start| *start <= offset).saturating_sub(1))
    }

    /// The byte at a position. Behind the end of a line it is the end of the line, behind the last line the end of
    /// the text; it never lies inside a character or between `\r` and `\n`.
    pub(crate) fn offset(&self, pos: Pos, encoding: Encoding) -> usize {
        let Some(range) = self.line_range(pos.line) else {
            return self.inner.src.len();
        };
        let wanted = usize::try_from(pos.character).unwrap_or(usize::MAX);
        let line = &self.inner.src[range.clone()];
        if line.is_ascii() {
            return range.start + wanted.min(line.len());
        }
        let mut units = 0;
        for (at, c) in line.char_indices() {
            units += encoding.units(c);
            if units > wanted {
                return range.start + at;
            }
        }
        range.end
    }

    /// The position of a byte. One inside a character counts as the character's start, one inside a line end as
    /// the end of the line.
    pub(crate) fn pos(&self, offset: usize, encoding: Encoding) -> Pos {
        let line = self.line_of(offset);
        let range = self.line_range(line).unwrap_or(0..0);
        let upto = offset.clamp(range.start, range.end);
        let body = &self.inner.src[range.clone()];
        let units: usize = body
            .char_indices()
            .take_while(|(at, c)| range.start + at + c.len_utf8() <= upto)
            .map(|(_, c)| encoding.units(c))
            .sum();
        Pos::new(line, narrow(units))
    }

    /// The bytes of a range, its ends put in order.
    pub(crate) fn range(&self, span: Span, encoding: Encoding) -> Range<usize> {
        let a = self.offset(span.start, encoding);
        let b = self.offset(span.end, encoding);
        a.min(b)..a.max(b)
    }

    /// The range of some bytes.
    pub(crate) fn span(&self, range: &Range<usize>, encoding: Encoding) -> Span {
        Span { start: self.pos(range.start, encoding), end: self.pos(range.end, encoding) }
    }

    /// Line and column of a byte as people count: from 1, columns in Unicode scalar values.
    pub(crate) fn human(&self, offset: usize) -> (u32, u32) {
        let pos = self.pos(offset, Encoding::Utf32);
        (pos.line + 1, pos.character + 1)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes, {} lines)", self.inner.src.len(), self.inner.starts.len())
    }
}

fn starts(src: &str) -> Vec<usize> {
    let mut starts = vec![if src.starts_with(BOM) { BOM.len_utf8() } else { 0 }];
    let bytes = src.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            starts.push(at + 1);
        }
    }
    starts
}

/// Texts are held below 4 GiB, so every count in them fits.
fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
