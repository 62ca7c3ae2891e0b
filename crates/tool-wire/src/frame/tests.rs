//! Frames: every split, every kind of noise, every wrong length.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn all(decoder: &mut Decoder, bytes: &[u8], piece: usize) -> Result<Vec<Value>, TooLarge> {
    let mut out = Vec::new();
    for piece in bytes.chunks(piece.max(1)) {
        decoder.push(piece);
        while let Some(object) = decoder.next_object()? {
            out.push(object);
        }
    }
    Ok(out)
}

/// Decodes in pieces of every size and expects the same each time.
fn check(framing: Framing, bytes: &[u8], expected: &[Value], noise: &str) {
    for piece in [1, 2, 3, 7, 16, 4096] {
        let mut decoder = Decoder::new(framing, 1 << 16);
        let got = all(&mut decoder, bytes, piece).unwrap();
        assert_eq!(got, expected, "in pieces of {piece}");
        assert_eq!(decoder.noise().last(), noise, "in pieces of {piece}");
    }
}

#[test]
fn headers_are_taken_as_they_come() {
    let object = [json!({"a": 1})];
    for head in [
        "Content-Length: 7\r\n\r\n",
        "content-length:7\n\n",
        "CONTENT-LENGTH :7\r\n\r\nContent-Length: 7 \r\n\r\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 7\r\n\r\n",
        "Content-Length: 7\r\nContent-Type: x\r\n\r\n",
        "Content-Length: 99\r\nContent-Length: 7\r\n\r\n",
        "\r\n\r\nContent-Length: 7\r\n\r\n",
    ] {
        let bytes = format!("{head}{{\"a\":1}}");
        let noise = if head.contains(" :7") { "CONTENT-LENGTH :7" } else { "" };
        check(Framing::ContentLength, bytes.as_bytes(), &object, noise);
    }
}

#[test]
fn noise_costs_no_message() {
    let one = Framing::ContentLength.encode(&json!({"a": 1}));
    let with = |before: &[u8], between: &[u8]| [before, &one, between, &one].concat();
    let two = [json!({"a": 1}), json!({"a": 1})];
    let text = Framing::ContentLength;
    check(text, &with(b"starting...\n", b""), &two, "starting...");
    check(text, &with(b"no newline", b""), &two, "no newline");
    check(
        text,
        &with(b"", b"\x1b[1mwarn: \xff\xfe\x1b[0m\r\n"),
        &two,
        "\u{1b}[1mwarn: \u{fffd}\u{fffd}\u{1b}[0m",
    );
    check(text, &with(b"", b"Content-Length: -3\r\n\r\n"), &two, "Content-Length: -3");
    check(text, &with(b"", b"Content-Length: 4\r\n\r\nnull"), &two, "null");
    check(text, &with(b"", b"Content-Length: 0\r\n\r\n"), &two, "");
}

#[test]
fn a_wrong_length_costs_one_message_at_most() {
    let next = b"Content-Length: 7\r\n\r\n{\"a\":2}".as_slice();
    let text = Framing::ContentLength;
    let long = [b"Content-Length: 12\r\n\r\n{\"a\":1}".as_slice(), next].concat();
    check(text, &long, &[json!({"a": 1}), json!({"a": 2})], "");
    let short = [b"Content-Length: 5\r\n\r\n{\"a\":1}".as_slice(), next].concat();
    check(text, &short, &[json!({"a": 2})], "{\"a\":1}");
    let broken = [b"Content-Length: 30\r\n\r\n{\"a\":".as_slice(), next].concat();
    check(text, &broken, &[json!({"a": 2})], "{\"a\":");
}

#[test]
fn lines_may_be_noise_too() {
    let bytes = b"hello\r\n{\"a\":1}\r\nnull\n\n[1]\n{\"a\":2}\n{\"a\":";
    check(Framing::JsonLines, bytes, &[json!({"a": 1}), json!({"a": 2})], "hello\rnull[1]");
}

#[test]
fn a_last_line_needs_no_newline() {
    let mut decoder = Decoder::new(Framing::JsonLines, 100);
    decoder.push(b"{\"a\":1}");
    assert_eq!(decoder.next_object(), Ok(None));
    assert_eq!(decoder.finish(), (Some(json!({"a": 1})), 0));
    let mut decoder = Decoder::new(Framing::ContentLength, 100);
    decoder.push(b"Content-Length: 10\r\n\r\n{\"a\"");
    assert_eq!(decoder.next_object(), Ok(None));
    assert_eq!(decoder.finish(), (None, 4));
}

#[test]
fn a_frame_above_the_limit_ends_the_stream() {
    for length in ["101", "99999999999999999999999999"] {
        let mut decoder = Decoder::new(Framing::ContentLength, 100);
        decoder.push(format!("Content-Length: {length}\r\n\r\n").as_bytes());
        assert_eq!(decoder.next_object().unwrap_err().limit, 100);
        decoder.push(&Framing::ContentLength.encode(&json!({})));
        assert!(decoder.next_object().is_err(), "it stays refused");
        assert_eq!(decoder.buffer.len(), 0, "and keeps nothing");
    }
    let mut decoder = Decoder::new(Framing::JsonLines, 100);
    decoder.push(&[b'x'; 101]);
    assert_eq!(decoder.next_object(), Err(TooLarge { len: 101, limit: 100 }));
}

#[test]
fn endless_noise_is_not_kept() {
    let mut decoder = Decoder::new(Framing::ContentLength, 1 << 20);
    for _ in 0..100 {
        decoder.push(&[b'.'; 4096]);
        assert_eq!(decoder.next_object(), Ok(None));
        assert!(decoder.buffer.len() - decoder.start <= LINE + 4096);
    }
    decoder.push(&Framing::ContentLength.encode(&json!({"a": 1})));
    assert_eq!(decoder.next_object(), Ok(Some(json!({"a": 1}))));
    assert_eq!(decoder.noise().bytes, 409_600);
}

#[test]
fn deep_nesting_is_noise() {
    let deep = vec![b'['; 100_000];
    let mut bytes = format!("Content-Length: {}\r\n\r\n", deep.len()).into_bytes();
    bytes.extend(deep);
    let mut decoder = Decoder::new(Framing::ContentLength, 1 << 20);
    assert_eq!(all(&mut decoder, &bytes, 5000), Ok(vec![]));
}

fn objects() -> impl Strategy<Value = Vec<Value>> {
    let text = "[ -~\\n\\r\u{e9}\u{1f600}]{0,40}|Content-Length: 3\\r\\n\\r\\n";
    prop::collection::vec((text, any::<i64>()).prop_map(|(t, n)| json!({"t": t, "n": n})), 1..6)
}

/// Lines that hold no header and end, so that they cannot swallow one.
fn junk() -> impl Strategy<Value = Vec<u8>> {
    "([ -~]{0,30}\\r?\\n){0,3}".prop_map(String::into_bytes).prop_filter("no header", |bytes| {
        find(bytes, b"content-length").is_none() && !bytes.contains(&b'{')
    })
}

proptest! {
    #[test]
    fn what_was_encoded_comes_back_in_any_pieces(
        objects in objects(), junk in junk(), piece in 1usize..50, lines in any::<bool>(),
    ) {
        let framing = if lines { Framing::JsonLines } else { Framing::ContentLength };
        let mut bytes = Vec::new();
        for object in &objects {
            bytes.extend_from_slice(&junk);
            bytes.extend(framing.encode(object));
        }
        let mut decoder = Decoder::new(framing, 1 << 16);
        prop_assert_eq!(all(&mut decoder, &bytes, piece).unwrap(), objects);
    }

    #[test]
    fn any_bytes_do_no_harm(
        bytes in prop::collection::vec(any::<u8>(), 0..400), piece in 1usize..50, lines in any::<bool>(),
    ) {
        let framing = if lines { Framing::JsonLines } else { Framing::ContentLength };
        let mut decoder = Decoder::new(framing, 64);
        let _ = all(&mut decoder, &bytes, piece);
        decoder.finish();
    }

    #[test]
    fn mutilated_frames_do_no_harm(
        objects in objects(), cut in any::<prop::sample::Index>(), byte in any::<u8>(), piece in 1usize..50,
    ) {
        let mut bytes: Vec<u8> = objects.iter().flat_map(|o| Framing::ContentLength.encode(o)).collect();
        let at = cut.index(bytes.len());
        bytes[at] = byte;
        let mut decoder = Decoder::new(Framing::ContentLength, 1 << 16);
        if let Ok(got) = all(&mut decoder, &bytes, piece) {
            // A broken number may announce a body that never ends; what came before it is safe.
            let whole = objects.iter().zip(&got).take_while(|(a, b)| a == b).count();
            let before: usize = objects[..whole].iter().map(|o| Framing::ContentLength.encode(o).len()).sum();
            let last = objects.get(whole).map_or(0, |o| Framing::ContentLength.encode(o).len());
            prop_assert!(before + last >= at.min(bytes.len()));
        }
    }
}
