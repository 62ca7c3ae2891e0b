//! What is written is read again, and nothing else is.

use proptest::prelude::*;

use super::*;

fn print() -> impl Strategy<Value = Option<Print>> {
    proptest::option::of(
        (any::<u64>(), any::<u128>())
            .prop_map(|(len, hash)| Print { len, hash: ContentHash(hash) }),
    )
}

/// A path of plain names, some of them no UTF-8.
fn within() -> impl Strategy<Value = PathBuf> {
    let name = proptest::collection::vec(1u8..=255, 1..6).prop_map(|mut name| {
        name.iter_mut().filter(|byte| **byte == b'/').for_each(|byte| *byte = b'_');
        if name == b"." || name == b".." {
            name = b"dots".to_vec();
        }
        OsString::from_vec(name)
    });
    proptest::collection::vec(name, 1..4).prop_map(|names| names.iter().collect())
}

fn entry() -> impl Strategy<Value = Entry> {
    (within(), "[a-z0-9~.-]{0,8}", print(), print())
        .prop_filter("some content", |(_, _, old, new)| old.is_some() || new.is_some())
        .prop_map(|(within, temp, old, new)| Entry {
            within,
            temp: format!("{TEMP_PREFIX}{temp}").into(),
            old,
            new,
        })
}

fn intents() -> impl Strategy<Value = Intent> {
    let folders = proptest::collection::vec(within(), 0..3);
    let entries = proptest::collection::vec(entry(), 0..4);
    (within(), folders, entries).prop_map(|(root, folders, entries)| Intent {
        root: Path::new("/").join(root),
        folders,
        entries,
    })
}

fn set(bytes: &mut [u8], phase: Phase) {
    let (at, mark) = mark(bytes, phase).unwrap();
    let at = usize::try_from(at).unwrap();
    bytes[at..at + MARK].copy_from_slice(&mark);
}

proptest! {
    #[test]
    fn what_is_encoded_is_decoded(intent in intents()) {
        let mut bytes = encode(&intent);
        prop_assert_eq!(decode(&bytes), Ok((intent.clone(), Phase::Preparing)));
        for phase in [Phase::Committed, Phase::Aborted, Phase::Carried, Phase::Undone] {
            set(&mut bytes, phase);
            prop_assert_eq!(decode(&bytes), Ok((intent.clone(), phase)));
        }
    }

    #[test]
    fn a_journal_cut_short_is_noticed(intent in intents(), cut in any::<prop::sample::Index>()) {
        let bytes = encode(&intent);
        prop_assert!(decode(&bytes[..cut.index(bytes.len())]).is_err());
    }

    #[test]
    fn an_altered_bit_is_noticed(intent in intents(), at in any::<prop::sample::Index>(), bit in 0u32..8) {
        let mut bytes = encode(&intent);
        let whole = bytes.len() - MARKED;
        bytes[at.index(whole)] ^= 1_u8 << bit;
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn a_torn_mark_is_no_decision(intent in intents(), kept in 0..MARK) {
        let mut bytes = encode(&intent);
        let (at, mark) = mark(&bytes, Phase::Committed).unwrap();
        let at = usize::try_from(at).unwrap();
        // Zeroes at its end are there already: then nothing is torn.
        prop_assume!(mark[kept..].iter().any(|byte| *byte != 0));
        bytes[at..at + kept].copy_from_slice(&mark[..kept]);
        prop_assert_eq!(decode(&bytes), Ok((intent, Phase::Preparing)));
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(&bytes);
        let mut framed = MAGIC.to_vec();
        put_len(&mut framed, bytes.len());
        framed.extend_from_slice(&bytes);
        framed.extend_from_slice(&checksum(&bytes).to_le_bytes());
        framed.resize(framed.len() + MARKED, 0);
        let _ = decode(&framed);
    }
}

#[test]
fn a_mark_of_another_journal_does_not_fit() {
    let intent =
        |root: &str| Intent { root: root.into(), folders: Vec::new(), entries: Vec::new() };
    let (mut mine, other) = (encode(&intent("/a")), encode(&intent("/b")));
    let (at, foreign) = mark(&other, Phase::Committed).unwrap();
    let at = usize::try_from(at).unwrap();
    mine[at..at + MARK].copy_from_slice(&foreign);
    assert_eq!(decode(&mine).unwrap().1, Phase::Preparing);
}

#[test]
fn paths_that_leave_the_root_are_refused() {
    let print = Some(Print::of(b"x"));
    let good = |within: &str, temp: &str| Intent {
        root: "/r".into(),
        folders: Vec::new(),
        entries: vec![Entry { within: within.into(), temp: temp.into(), old: print, new: print }],
    };
    let temp = ".runbound-1-0";
    assert!(decode(&encode(&good("a/b", temp))).is_ok());
    for within in ["", "/etc/passwd", "../a", "a/../b", "./a", "a//b", "a/", "a\0b"] {
        assert_eq!(decode(&encode(&good(within, temp))), Err(DecodeError::Field), "{within:?}");
    }
    for temp in ["", "x", ".runbound-/../a", "../.runbound-1", ".runbound-\0"] {
        assert_eq!(decode(&encode(&good("a", temp))), Err(DecodeError::Field), "{temp:?}");
    }
    let mut relative = good("a", temp);
    relative.root = "r".into();
    assert_eq!(decode(&encode(&relative)), Err(DecodeError::Field));
}
