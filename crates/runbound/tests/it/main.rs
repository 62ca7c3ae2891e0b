//! The facade as a harness author meets it.

/// The example on the first screen is the one that the crate's documentation compiles and runs.
#[test]
fn the_first_screen_shows_the_compiled_example() {
    let readme = include_str!("../../../../README.md");
    let example = include_str!("../../src/embedding.rs.txt");
    let shown = readme
        .split_once("```rust\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(code, _)| code);
    assert_eq!(shown, Some(example));
    assert!(example.lines().count() <= 22, "short enough for a first screen");
}
