//! Bytes from outside never panic: random and nearly right lines through every decoder of the binary.

use std::io::BufReader;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::lines::{Line, next_line};
use crate::script;
use crate::serve::wire_probe;

/// Pieces of which lines are made that are nearly right.
fn nearly_json() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"id\"",
        "\"method\"",
        "\"params\"",
        "\"result\"",
        "\"error\"",
        "\"tool\"",
        "\"args\"",
        "\"jsonrpc\"",
        "\"2.0\"",
        "1",
        "-0",
        "1e999",
        "null",
        "true",
        "\"\\ud800\"",
        "\"",
        "\\",
        " ",
        "\u{feff}",
        "é",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_line_of_a_host_or_a_script_panics(line in nearly_json(), bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        for line in [line.as_bytes(), &bytes] {
            wire_probe(line);
            let _ = script::parse_line(line);
        }
    }

    #[test]
    fn a_call_is_read_as_it_was_written(id in "\\PC*", tool in "\\PC*", text in "\\PC*") {
        let line = json!({"id": id, "tool": tool, "args": {"text": text}}).to_string();
        let call = script::parse_line(line.as_bytes()).unwrap().unwrap();
        prop_assert_eq!((call.id, call.tool, call.args), (Value::String(id), tool, json!({"text": text})));
    }

    #[test]
    fn lines_do_not_depend_on_pieces(lines in prop::collection::vec("[^\r\n]{0,12}", 0..8), size in 1_usize..16, limit in 0_usize..16) {
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let mut reader = BufReader::with_capacity(size, text.as_bytes());
        for line in &lines {
            let expected = if line.len() > limit {
                Line::TooLong(line.len() as u64)
            } else {
                Line::Whole(line.as_bytes().to_vec())
            };
            prop_assert_eq!(next_line(&mut reader, limit).unwrap(), Some(expected));
        }
        prop_assert_eq!(next_line(&mut reader, limit).unwrap(), None);
    }
}
