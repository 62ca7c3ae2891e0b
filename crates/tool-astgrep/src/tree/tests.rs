use super::*;

const NEVER: &dyn Fn() -> bool = &|| false;

fn every_language() -> impl Iterator<Item = Language> {
    Language::compiled()
}

#[test]
fn parents_hold_their_children() {
    for language in every_language() {
        let src = "a { b(1, \"two\"); }\n\n[x]: y = (z)\n";
        let tree = Tree::parse(language, src, NEVER).unwrap();
        assert_eq!(tree.size(0), tree.len(), "{language}");
        for id in 0..tree.len() {
            let mut next = id + 1;
            for child in tree.children(id) {
                assert_eq!(child, next, "{language}");
                next += tree.size(child);
                assert!(tree.end(child) <= tree.end(id), "{language}");
                assert_eq!(tree.ancestors(child).last(), Some(&id), "{language}");
            }
            assert_eq!(next, id + tree.size(id), "{language}");
        }
    }
}

#[test]
fn deep_and_long_nodes_need_no_stack() {
    let Ok(rust) = Language::by_id("rust") else { return };
    let deep = 70_000;
    let src = format!("const X: u8 = {}1{};", "(".repeat(deep), ")".repeat(deep));
    let tree = Tree::parse(rust, &src, NEVER).unwrap();
    assert_eq!(tree.end(0), src.len());
    assert_eq!(tree.size(0), tree.len());
    let at = "const X: u8 = ".len() + deep;
    assert_eq!(tree.text(tree.smallest_over(at..at + 1), &src), "1");
    assert_eq!(tree.path_over(at..at + 1).len(), deep + 3);
}

#[test]
fn errors_are_counted_and_marked() {
    let Ok(rust) = Language::by_id("rust") else { return };
    let tree = Tree::parse(rust, "fn f() { g(1) } fn g( {}", NEVER).unwrap();
    assert!(tree.error_count() > 0);
    assert!(tree.has_error(0));
    let fine = Tree::parse(rust, "fn f() { g(1) }", NEVER).unwrap();
    assert_eq!(fine.error_count(), 0);
    assert!((0..fine.len()).all(|id| !fine.has_error(id)));
}

#[test]
fn a_stop_ends_the_parse_and_the_next_parse_is_whole() {
    let Ok(rust) = Language::by_id("rust") else { return };
    let src = "fn f() { g(1); }\n".repeat(20_000);
    let stopped = Tree::parse(rust, &src, &|| true);
    assert_eq!(stopped.unwrap_err(), ParseStopped::Stopped);
    let tree = Tree::parse(rust, "fn f() {}", NEVER).unwrap();
    assert_eq!(tree.end(0), 9);
}
