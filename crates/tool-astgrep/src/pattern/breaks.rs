//! Line ends that a grammar needs and a pattern on one line lacks.

use crate::language::Language;

/// Words that start what has a body of members.
const BODIES: &[&str] = &["class", "interface", "object"];

/// The pattern with a line end before the `}` of each body of members, where Kotlin's grammar reads
/// `object { val x = 1 }` as a call with a lambda. Only for a pattern on one line.
pub(super) fn put_in(language: Language, pattern: &str) -> Option<String> {
    if language.id() != "kotlin" || pattern.contains(['\n', '"']) {
        return None;
    }
    let mut broken = String::with_capacity(pattern.len() + 8);
    // For each open brace: whether it is of a body of members, and where its inside starts.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut head = 0;
    let mut breaks = 0;
    for (at, c) in pattern.char_indices() {
        if c == '}' {
            let (members, start) = open.pop()?;
            let inside = pattern[start..at].trim();
            if members && !inside.is_empty() && !inside.starts_with("$$$") {
                broken.push('\n');
                breaks += 1;
            }
        }
        broken.push(c);
        if c == '{' {
            let before = &pattern[head..at];
            let declares = before.split_whitespace().any(|word| BODIES.contains(&word));
            open.push((declares && !before.contains('='), at + 1));
        }
        if matches!(c, '{' | '}' | ';') {
            head = at + 1;
        }
    }
    (breaks > 0 && open.is_empty()).then_some(broken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bodies_of_members_are_broken() {
        let Ok(kotlin) = Language::by_id("kotlin") else { return };
        let broken = |pattern: &str| put_in(kotlin, pattern);
        assert_eq!(broken("class A { val x = 1 }").unwrap(), "class A { val x = 1 \n}");
        assert_eq!(
            broken("class $A { object B { val x = 1 } }").unwrap(),
            "class $A { object B { val x = 1 \n} \n}"
        );
        for pattern in ["class A { $$$B }", "f { x }", "val a = object : B { f() }", "class A {"] {
            assert_eq!(broken(pattern), None, "{pattern}");
        }
    }
}
