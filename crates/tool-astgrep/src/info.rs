//! The languages of this build, for reports to people.

use std::path::Path;

use crate::language::Language;

/// A language that `ast_grep` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LanguageInfo {
    /// The identifier, as the tools take it.
    pub id: &'static str,
    /// File extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether its grammar is compiled into this build.
    pub compiled: bool,
}

/// Every language there is, by identifier, whether compiled in or not.
#[must_use]
pub fn languages() -> Vec<LanguageInfo> {
    let info = |language: Language| LanguageInfo {
        id: language.id(),
        extensions: language.extensions(),
        compiled: language.is_compiled(),
    };
    Language::all().map(info).collect()
}

/// The identifiers of the languages that a file may be written in, by its extension; several for `.h`, none for a
/// file that no grammar is for.
#[must_use]
pub fn languages_of(path: &Path) -> Vec<&'static str> {
    Language::for_path(path).into_iter().map(Language::id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_told_as_it_is() {
        let all = languages();
        assert!(all.is_sorted_by_key(|language| language.id));
        let dart = all.iter().find(|language| language.id == "dart").expect("dart is known");
        assert_eq!(dart.extensions, ["dart"]);
        assert_eq!(dart.compiled, cfg!(feature = "lang-dart"));
        assert_eq!(languages_of(Path::new("a/b.h")), ["c", "cpp"]);
        assert!(languages_of(Path::new("Makefile")).is_empty());
    }
}
