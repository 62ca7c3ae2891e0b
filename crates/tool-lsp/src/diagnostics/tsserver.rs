//! Diagnostics as TypeScript's own server answers them, in both of the shapes it has.

use std::path::Path;

use serde_json::Value;

use super::{Diagnostic, Severity, message, word};
use crate::text::{Pos, Span};

/// Reads the answer to `semanticDiagnosticsSync` or `syntacticDiagnosticsSync`, or its body. `None` where there is no body: the request
/// failed, which is no empty list.
pub(crate) fn decode(path: &Path, answer: &Value) -> Option<Vec<Diagnostic>> {
    let body = answer.get("body").unwrap_or(answer).as_array()?;
    Some(body.iter().filter_map(|item| one(path, item)).collect())
}

fn one(path: &Path, item: &Value) -> Option<Diagnostic> {
    let place = |long: &str, short: &str| item.get(long).or_else(|| item.get(short)).and_then(pos);
    let start = place("startLocation", "start").unwrap_or(Pos::new(0, 0));
    let end = place("endLocation", "end").unwrap_or(start);
    Some(Diagnostic {
        path: path.to_owned(),
        span: Span { start, end }.ordered(),
        severity: match item.get("category").and_then(Value::as_str) {
            Some("warning") => Severity::Warning,
            Some("message") => Severity::Information,
            Some("suggestion") => Severity::Hint,
            _ => Severity::Error,
        },
        code: item.get("code").and_then(word),
        source: item.get("source").and_then(word).or_else(|| Some("typescript".to_owned())),
        message: message(item.get("text").or_else(|| item.get("message"))?)?,
    })
}

/// Counted from 1, in 16-bit units.
fn pos(value: &Value) -> Option<Pos> {
    let number =
        |name: &str| Some(u32::try_from(value.get(name)?.as_u64()?).ok()?.saturating_sub(1));
    Some(Pos::new(number("line")?, number("offset")?))
}

#[cfg(test)]
mod tests {
    use super::decode;
    use crate::diagnostics::Severity;
    use crate::text::Pos;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn both_shapes_are_read_and_a_failure_is_no_empty_list() {
        let path = Path::new("/p/a.ts");
        let answer = json!({ "success": true, "body": [
            { "start": { "line": 3, "offset": 5 }, "end": { "line": 3, "offset": 9 }, "text": "no such name", "code": 2304, "category": "error" },
            { "message": "unused", "code": 6133, "category": "suggestion", "start": 40, "length": 3,
              "startLocation": { "line": 1, "offset": 1 }, "endLocation": { "line": 1, "offset": 4 } },
            { "code": 1 },
        ]});
        let read = decode(path, &answer).expect("a list");
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].span.start, Pos::new(2, 4));
        assert_eq!(read[0].code.as_deref(), Some("2304"));
        assert_eq!(read[1].severity, Severity::Hint);
        assert_eq!(read[1].span.end, Pos::new(0, 3));
        assert_eq!(decode(path, &json!({ "success": false, "message": "No Project" })), None);
        assert_eq!(decode(path, &json!(null)), None);
    }
}
