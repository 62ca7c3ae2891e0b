//! Line ends that a grammar needs and a pattern on one line lacks.

use crate::language::Language;

/// Words that start what has a body of members.
const BODIES: &[&str] = &["class", "interface", "object"];

/// The pattern with a line end before the `}` of a body of members, where Kotlin's grammar reads
/// `object { val x = 1 }` as a call with a lambda. Only for a pattern on one line with one body.
pub(super) fn put_in(language: Language, pattern: &str) -> Option<String> {
    let body = pattern.trim().strip_suffix('}')?.trim_end();
    let open = body.find('{')?;
    let (head, members) = (&body[..open], body[open + 1..].trim());
    let one = !members.is_empty() && !members.starts_with("$$$") && !pattern.contains('\n');
    let declares = head.split_whitespace().any(|word| BODIES.contains(&word));
    (language.id() == "kotlin" && one && declares && !head.contains('='))
        .then(|| format!("{}{{\n{members}\n}}", head))
}
