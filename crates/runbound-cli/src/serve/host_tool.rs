//! A tool of the host's own, called over the wire.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use runbound::core::{
    Args, Block, CallCx, ImageMime, Targets, Tier, Tool, ToolError, ToolKind, ToolOutput, ToolSpec,
    Workspace, async_trait,
};
use serde_json::{Value, json};

use super::announced::Announced;
use super::host::{Host, HostError};

/// How long a host may take over one call of its tool. A limit of the tool's own is the host's business.
const HOST_TOOL_LIMIT: Duration = Duration::from_secs(30 * 60);

/// Calls one of the host's tools.
pub(crate) struct HostTool {
    spec: ToolSpec,
    host: Host,
}

impl HostTool {
    pub(crate) fn new(announced: Announced, host: Host) -> Self {
        let tier = announced.tier();
        let schema = announced.input_schema.unwrap_or_else(|| json!({"type": "object"}));
        let description = match announced.description.trim() {
            "" => format!("{}, a tool of the host.", announced.name),
            _ => announced.description,
        };
        let spec = ToolSpec::new(&announced.name, tier, description, schema)
            .kind(ToolKind::Other)
            .time_limit(None);
        Self { spec, host }
    }
}

#[async_trait]
impl Tool for HostTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// A write tool of a host says in its arguments what it writes, in one of the usual ways.
    fn targets(&self, args: &Args, workspace: &Workspace) -> Targets {
        let paths = named_paths(args.value());
        if self.spec.tier() != Tier::Write || paths.is_empty() {
            return Targets::Unknown;
        }
        Targets::Paths(paths.iter().map(|path| workspace.lexical(path)).collect())
    }

    async fn call(&self, cx: &CallCx, args: Args) -> Result<ToolOutput, ToolError> {
        let params = json!({"name": self.spec.name(), "arguments": args.value()});
        let reply =
            cx.or_cancelled(self.host.ask("host_tools/call", &params, HOST_TOOL_LIMIT)).await?;
        match reply {
            Ok(result) => read_result(&result),
            Err(HostError::Gone) => {
                Err(ToolError::unavailable("the host closed its end before it answered"))
            }
            Err(HostError::Silent(after)) => Err(ToolError::timeout(format!(
                "the host has not answered host_tools/call for {} in {} s",
                self.spec.name(),
                after.as_secs()
            ))),
            Err(HostError::Said(error)) => {
                Err(ToolError::failed(format!("the host answered: {}", error.message)))
            }
        }
    }
}

/// `path`, `file`, `file_path`, `paths`, and the files of a unified diff under `patch`.
fn named_paths(args: &Value) -> Vec<String> {
    let one = ["path", "file", "file_path"].iter().filter_map(|key| args.get(key)?.as_str());
    let many = args.get("paths").and_then(Value::as_array).into_iter().flatten();
    let mut paths: Vec<String> =
        one.chain(many.filter_map(Value::as_str)).map(str::to_owned).collect();
    for line in args.get("patch").and_then(Value::as_str).unwrap_or_default().lines() {
        let named = ["--- a/", "+++ b/", "rename from ", "rename to "];
        let path = named.iter().find_map(|start| line.strip_prefix(start));
        // A time stamp may follow.
        let path = path.and_then(|rest| rest.split('\t').next()).map(str::to_owned);
        paths.extend(path.filter(|path| !paths.contains(path)));
    }
    paths
}

/// What the host's `{content, is_error, details?}` means.
fn read_result(result: &Value) -> Result<ToolOutput, ToolError> {
    let Some(content) = result.get("content") else {
        return Err(ToolError::failed("the host's reply has no \"content\""));
    };
    let mut output = ToolOutput::new();
    match content {
        Value::String(text) => output = output.block(Block::Text(text.clone())),
        Value::Array(blocks) => {
            for block in blocks {
                output = output.block(read_block(block)?);
            }
        }
        Value::Null => {}
        _ => return Err(ToolError::failed("the host's \"content\" is neither blocks nor text")),
    }
    if let Some(details @ Value::Object(_)) = result.get("details") {
        output = output.details(details.clone());
    }
    if result.get("is_error").and_then(Value::as_bool) == Some(true) {
        return Err(error_of(output));
    }
    Ok(output)
}

/// A failure that the host tells of. Its text is the message; a picture stays what it is.
fn error_of(mut output: ToolOutput) -> ToolError {
    let details = Value::Object(std::mem::take(&mut output.details));
    let is_text = |block: &Block| matches!(block, Block::Text(_));
    let (text, other): (Vec<Block>, Vec<Block>) = output.blocks.into_iter().partition(is_text);
    output.blocks = text;
    let said = output.render_text();
    let message = match said.trim() {
        "" => "the host says that it failed, and not why".to_owned(),
        _ => said,
    };
    let error = ToolError::failed(message).details(details);
    if other.is_empty() {
        return error;
    }
    error.with_partial(other.into_iter().fold(ToolOutput::new(), ToolOutput::block))
}

fn read_block(block: &Value) -> Result<Block, ToolError> {
    let text = |key: &str| block.get(key).and_then(Value::as_str);
    match text("type") {
        Some("text") => Ok(Block::Text(text("text").unwrap_or_default().to_owned())),
        Some("image") => {
            let mime = text("mime_type").unwrap_or_default();
            let mime = ImageMime::from_mime(mime).ok_or_else(|| {
                ToolError::failed(format!("the host sent an image of type \"{mime}\""))
            })?;
            let data = STANDARD.decode(text("data").unwrap_or_default()).map_err(|error| {
                ToolError::failed(format!("the host sent an image that is not base64: {error}"))
            })?;
            let alt = text("alt").unwrap_or("an image of the host's tool").to_owned();
            Ok(Block::Image { mime, data: Arc::from(data), alt })
        }
        _ => Err(ToolError::failed("the host sent a block that is neither text nor image")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runbound::core::ErrorKind;

    #[test]
    fn text_comes_as_blocks_or_plain() {
        for content in [json!("hello"), json!([{"type": "text", "text": "hello"}])] {
            let output = read_result(&json!({"content": content, "is_error": false})).unwrap();
            assert_eq!(output.render_text(), "hello");
        }
    }

    #[test]
    fn an_error_of_the_host_keeps_its_words_and_details() {
        let said = json!({"content": "no such row", "is_error": true, "details": {"row": 3}});
        let error = read_result(&said).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert_eq!(error.message(), "no such row");
        assert_eq!(error.detail_map().get("row"), Some(&json!(3)));
        let silent = read_result(&json!({"content": [], "is_error": true})).unwrap_err();
        assert!(!silent.message().is_empty());
        let drawn = read_result(&json!({"is_error": true, "content": [
            {"type": "text", "text": "crashed"},
            {"type": "image", "mime_type": "image/png", "data": "AQID"},
        ]}))
        .unwrap_err();
        assert_eq!(drawn.message(), "crashed");
        let partial = drawn.partial().unwrap();
        assert!(matches!(partial.blocks[..], [Block::Image { .. }]));
    }

    #[test]
    fn images_are_decoded_and_nonsense_is_refused() {
        let image =
            json!({"content": [{"type": "image", "mime_type": "image/png", "data": "AQID"}]});
        let output = read_result(&image).unwrap();
        assert!(matches!(&output.blocks[0], Block::Image { data, .. } if **data == [1, 2, 3]));
        for content in [
            json!(3),
            json!([{"type": "video"}]),
            json!([{"type": "image", "mime_type": "image/png", "data": "?"}]),
        ] {
            assert!(read_result(&json!({"content": content})).is_err());
        }
        assert!(read_result(&json!({})).is_err());
    }
}
