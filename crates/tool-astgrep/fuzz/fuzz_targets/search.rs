//! Random patterns and templates over random sources: compile, match, rewrite, near misses.
//!
//! Run with `cargo +nightly fuzz run search -- -len_control=0 -max_len=300` in `crates/tool-astgrep`.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

/// Parts that make something of random input.
const PARTS: &[&str] = &[
    "$A",
    "$B",
    "$$$A",
    "$$$B",
    "$_",
    "$$$",
    "f(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "\r\n",
    "    ",
    "\t",
    ", ",
    ";",
    "a",
    "b1",
    "'s'",
    "\"",
    "`",
    "// c\n",
    "# c\n",
    "/* x */",
    "if ",
    "else ",
    "return ",
    "def ",
    "fn ",
    "func ",
    "function ",
    ":",
    " = ",
    " == ",
    ".",
    "é",
    "\u{feff}",
    "1",
    "match ",
    " => ",
    "\\",
    "class ",
    "async ",
    "pub ",
    "<",
    ">",
    "@x\n",
    "r\"\n\"",
    "µA",
];

#[derive(Debug, Arbitrary)]
struct Input {
    language: u8,
    pattern: Vec<u8>,
    template: Vec<u8>,
    source: Vec<u8>,
    raw: String,
}

fn text(parts: &[u8]) -> String {
    parts.iter().map(|part| PARTS[usize::from(*part) % PARTS.len()]).collect()
}

fuzz_target!(|input: Input| {
    let pattern = text(&input.pattern);
    let template = text(&input.template);
    let mut source = text(&input.source);
    // The pattern itself is in the source, so that something matches.
    source.push('\n');
    source.push_str(&pattern.replace('$', ""));
    source.push('\n');
    source.push_str(&input.raw);
    tool_astgrep::fuzzing::search_and_rewrite(input.language, &pattern, &template, &source);
});
