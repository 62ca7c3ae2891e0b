//! Any bytes, in any pieces, through both decoders: the same objects come out of every cut.
//!
//! Run with `cargo +nightly fuzz run frames` in `crates/tool-wire`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tool_wire::{Decoder, Framing, TooLarge};

const LIMIT: usize = 4096;

/// How many objects come, and what ends it.
fn count(framing: Framing, bytes: &[u8], piece: usize) -> (usize, Option<TooLarge>) {
    let mut decoder = Decoder::new(framing, LIMIT);
    let mut objects = 0;
    for piece in bytes.chunks(piece) {
        decoder.push(piece);
        loop {
            match decoder.next_object() {
                Ok(Some(object)) => {
                    assert!(object.is_object());
                    objects += 1;
                }
                Ok(None) => break,
                Err(error) => return (objects, Some(error)),
            }
        }
    }
    objects += usize::from(decoder.finish().0.is_some());
    assert!(decoder.noise().bytes <= bytes.len() as u64 * 2);
    (objects, None)
}

fuzz_target!(|data: &[u8]| {
    let Some((&piece, bytes)) = data.split_first() else {
        return;
    };
    let piece = usize::from(piece).max(1);
    let framed = count(Framing::ContentLength, bytes, piece);
    // A line of noise that never ends is cut where a read ended, so only short input is compared.
    if bytes.len() < LIMIT {
        assert_eq!(framed, count(Framing::ContentLength, bytes, bytes.len().max(1)));
        assert_eq!(
            count(Framing::JsonLines, bytes, piece),
            count(Framing::JsonLines, bytes, bytes.len().max(1))
        );
    }
});
