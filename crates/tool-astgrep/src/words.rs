//! Words for what grammars name with identifiers.

/// A kind or field as words: `if_statement` is "if statement".
pub(crate) fn spoken(name: &str) -> String {
    name.trim_matches('_').replace('_', " ")
}

/// The same with its article; a plural has none.
pub(crate) fn with_article(name: &str) -> String {
    let words = spoken(name);
    // "a union", "a use", "a unary expression": a `u` that is spoken as "you".
    let you = ["uni", "una", "us"].iter().any(|start| words.starts_with(start));
    if words.ends_with('s') && !words.ends_with("ss") {
        return words;
    }
    let article = if words.starts_with(['a', 'e', 'i', 'o', 'u']) && !you { "an" } else { "a" };
    format!("{article} {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_spoken_with_their_article() {
        assert_eq!(with_article("identifier"), "an identifier");
        assert_eq!(with_article("unary_expression"), "a unary expression");
        assert_eq!(with_article("type_parameters"), "type parameters");
        assert_eq!(with_article("class"), "a class");
        assert_eq!(spoken("_simple_type"), "simple type");
    }
}
