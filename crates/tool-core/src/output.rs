//! What a call returns: blocks for the model, details for a program.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::base64;
use crate::diff::unified;

/// One piece of an answer, in the order in which the model reads it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// Words.
    Text(String),
    /// A JSON value, shown as text to models.
    Json(Value),
    /// A picture. Never cut; `alt` stands for it where pictures cannot be shown.
    Image {
        /// The format.
        mime: ImageMime,
        /// The raw bytes (base64 only in exports).
        data: Arc<[u8]>,
        /// What it shows, in words.
        alt: String,
    },
    /// A changed file; `old` is `None` for a new one.
    Diff {
        /// The file.
        path: PathBuf,
        /// The text before.
        old: Option<String>,
        /// The text after.
        new: String,
    },
}

/// The picture formats that every provider takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageMime {
    /// `image/png`
    Png,
    /// `image/jpeg`
    Jpeg,
    /// `image/gif`
    Gif,
    /// `image/webp`
    Webp,
}

impl ImageMime {
    /// The media type.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    /// The format with this media type, if it is one that every provider takes.
    #[must_use]
    pub fn from_mime(mime: &str) -> Option<Self> {
        [Self::Png, Self::Jpeg, Self::Gif, Self::Webp].into_iter().find(|m| m.as_str() == mime)
    }
}

impl fmt::Display for ImageMime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Block {
    /// The block as text: pictures by their `alt`, diffs in unified form.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Json(value) => value.to_string(),
            Self::Image { mime, data, alt } => {
                format!("[image {mime}, {} bytes: {alt}]", data.len())
            }
            Self::Diff { path, old, new } => unified(&path.to_string_lossy(), old.as_deref(), new),
        }
    }

    /// The block as the protocol's `content` has it.
    #[must_use]
    pub fn to_content(&self) -> Value {
        match self {
            Self::Image { mime, data, .. } => json!({
                "type": "image", "mime_type": mime.as_str(), "data": base64::encode(data),
            }),
            other => json!({ "type": "text", "text": other.to_text() }),
        }
    }
}

/// A file that a call read or wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The file.
    pub path: PathBuf,
    /// The lines, from 1, if only some.
    pub lines: Option<RangeInclusive<u32>>,
    /// What was done.
    pub access: Access,
}

/// What was done to a touched file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read.
    Read,
    /// Created, changed or deleted.
    Written,
}

impl Touched {
    /// A file that was read.
    #[must_use]
    pub fn read(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), lines: None, access: Access::Read }
    }

    /// A file that was created, changed or deleted.
    #[must_use]
    pub fn written(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), lines: None, access: Access::Written }
    }
}

/// What the budget cut out of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elided {
    /// Bytes of text there were.
    pub total_bytes: usize,
    /// Bytes of text shown.
    pub shown_bytes: usize,
    /// Lines of text there were.
    pub total_lines: usize,
    /// Lines of text shown.
    pub shown_lines: usize,
    /// Pictures left out whole.
    pub images: usize,
    /// Notes left out.
    pub notes: usize,
    /// The file that holds the whole text, if it was kept.
    pub kept_in: Option<PathBuf>,
}

/// What a call returns.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolOutput {
    /// What the model reads, in order.
    pub blocks: Vec<Block>,
    /// Short additions (by layers, say new diagnostics) that the budget cuts apart from the blocks.
    pub notes: Vec<String>,
    /// The same facts for a program. Always an object.
    pub details: Map<String, Value>,
    /// The files this was about.
    pub touched: Vec<Touched>,
    /// What the budget cut. Set by the pipeline.
    pub elided: Option<Elided>,
}

impl ToolOutput {
    /// An empty answer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An answer of one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new().block(Block::Text(text.into()))
    }

    /// Adds a block.
    #[must_use]
    pub fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn image(
        self,
        mime: ImageMime,
        data: impl Into<Arc<[u8]>>,
        alt: impl Into<String>,
    ) -> Self {
        self.block(Block::Image { mime, data: data.into(), alt: alt.into() })
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the facts for a program. Anything but an object is put under `value`.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = object(details);
        self
    }

    /// Adds a touched file.
    #[must_use]
    pub fn touched(mut self, touched: Touched) -> Self {
        self.touched.push(touched);
        self
    }

    /// All that a model reads, as text.
    #[must_use]
    pub fn render_text(&self) -> String {
        let blocks = self.blocks.iter().map(Block::to_text);
        let parts: Vec<String> = blocks.chain(self.notes.iter().cloned()).collect();
        parts.join("\n")
    }

    /// The protocol's `content`: the blocks, then the notes.
    #[must_use]
    pub fn to_content(&self) -> Vec<Value> {
        let notes = self.notes.iter().map(|n| json!({ "type": "text", "text": n }));
        self.blocks.iter().map(Block::to_content).chain(notes).collect()
    }
}

/// `details` is an object for every reader, so anything else gets a name.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        Value::Null => Map::new(),
        other => Map::from_iter([("value".to_owned(), other)]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, ImageMime, ToolOutput};
    use serde_json::json;

    #[test]
    fn content_has_base64_for_pictures_and_text_for_the_rest() {
        let out = ToolOutput::text("a").image(ImageMime::Png, vec![1u8, 2, 3], "a dot").note("n");
        assert_eq!(
            json!(out.to_content()),
            json!([
                { "type": "text", "text": "a" },
                { "type": "image", "mime_type": "image/png", "data": "AQID" },
                { "type": "text", "text": "n" },
            ])
        );
        assert_eq!(out.render_text(), "a\n[image image/png, 3 bytes: a dot]\nn");
    }

    #[test]
    fn details_are_an_object_whatever_is_given() {
        assert_eq!(json!(ToolOutput::new().details(json!([1])).details), json!({ "value": [1] }));
        assert_eq!(json!(ToolOutput::new().details(json!(null)).details), json!({}));
        assert_eq!(Block::Json(json!({ "a": 1 })).to_text(), r#"{"a":1}"#);
    }
}
