//! Languages: which there are, which are compiled in, and what the matcher must know of each.

mod classes;
mod table;

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

pub(crate) use classes::Class;
use classes::Classes;
use table::ROWS;

/// The kind number of ERROR nodes in every grammar.
pub(crate) const ERROR_KIND: u16 = u16::MAX;

/// A language of the table; it may or may not be compiled in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Language(u8);

/// Why a language identifier cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LanguageError {
    /// No language has that identifier.
    #[error("unknown language \"{asked}\"; known: {}", known.join(", "))]
    Unknown { asked: String, known: Vec<&'static str> },
    /// The table has it, the build does not.
    #[error(
        "the grammar of \"{id}\" is not compiled into this build (feature {feature}); compiled in: {}",
        if compiled.is_empty() { "none".to_owned() } else { compiled.join(", ") }
    )]
    NotCompiled { id: &'static str, feature: &'static str, compiled: Vec<&'static str> },
}

/// A grammar with what is derived from it, made once per process.
struct Grammar {
    ts: tree_sitter::Language,
    classes: Classes,
}

static GRAMMARS: [OnceLock<Option<Grammar>>; ROWS.len()] = [const { OnceLock::new() }; ROWS.len()];

impl Language {
    /// The language of an identifier or one of its usual other spellings (any letter case).
    pub(crate) fn by_id(id: &str) -> Result<Self, LanguageError> {
        let wanted = id.trim().to_ascii_lowercase();
        let found = Self::all().find(|language| {
            let row = language.row();
            row.id == wanted || row.aliases.contains(&wanted.as_str())
        });
        let Some(language) = found else {
            return Err(LanguageError::Unknown {
                asked: id.to_owned(),
                known: Self::all().map(Self::id).collect(),
            });
        };
        if language.is_compiled() {
            Ok(language)
        } else {
            Err(LanguageError::NotCompiled {
                id: language.id(),
                feature: language.row().feature,
                compiled: Self::compiled().map(Self::id).collect(),
            })
        }
    }

    /// The languages that an identifier stands for when a folder is searched: `typescript`
    /// brings `tsx`; the others stand for themselves.
    pub(crate) fn group(id: &str) -> Result<Vec<Self>, LanguageError> {
        let first = Self::by_id(id)?;
        let mut languages = vec![first];
        if first.id() == "typescript" {
            languages.extend(Self::by_id("tsx"));
        }
        Ok(languages)
    }

    /// The languages that a file may be written in, by its extension (letter case ignored);
    /// several for `.h`. They need not be compiled in.
    pub(crate) fn for_path(path: &Path) -> Vec<Self> {
        let Some(extension) = path.extension().and_then(|ext| ext.to_str()) else {
            return Vec::new();
        };
        let extension = extension.to_ascii_lowercase();
        Self::all().filter(|language| language.extensions().contains(&extension.as_str())).collect()
    }

    /// Every language of the table, by identifier.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len()).map(|at| Self(at as u8))
    }

    /// The languages of this build, by identifier.
    pub(crate) fn compiled() -> impl Iterator<Item = Self> {
        Self::all().filter(|language| language.is_compiled())
    }

    /// Whether the grammar is part of this build.
    pub(crate) fn is_compiled(self) -> bool {
        self.loaded().is_some()
    }

    /// The identifier, e.g. `python`.
    pub(crate) fn id(self) -> &'static str {
        self.row().id
    }

    /// File extensions without the dot.
    pub(crate) fn extensions(self) -> &'static [&'static str] {
        self.row().extensions
    }

    /// The grammar; `None` when it is not compiled in.
    pub(crate) fn grammar(self) -> Option<&'static tree_sitter::Language> {
        self.loaded().map(|grammar| &grammar.ts)
    }

    /// What stands for `$` of a metavariable while a pattern is parsed.
    pub(crate) fn sigil(self) -> &'static str {
        self.row().sigil
    }

    /// The name of a node kind, e.g. `call_expression`.
    pub(crate) fn kind_name(self, kind: u16) -> &'static str {
        if kind == ERROR_KIND {
            return "ERROR";
        }
        self.grammar().and_then(|grammar| grammar.node_kind_for_id(kind)).unwrap_or("")
    }

    /// The name of a field, e.g. `body`; empty for none.
    pub(crate) fn field_name(self, field: u8) -> &'static str {
        self.grammar().and_then(|grammar| grammar.field_name_for_id(u16::from(field))).unwrap_or("")
    }

    /// What the matcher must know of a kind.
    pub(crate) fn class(self, kind: u16) -> Class {
        self.loaded().map_or(Class::default(), |grammar| grammar.classes.of(kind))
    }

    /// All classes at once, for loops over many nodes.
    pub(crate) fn classes(self) -> &'static [Class] {
        self.loaded().map_or(&[], |grammar| grammar.classes.as_slice())
    }

    fn row(self) -> &'static table::Row {
        &ROWS[usize::from(self.0)]
    }

    /// The place of the language in the table.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    fn loaded(self) -> Option<&'static Grammar> {
        GRAMMARS[usize::from(self.0)]
            .get_or_init(|| {
                let ts = (self.row().grammar)()?;
                let classes = Classes::new(self.id(), &ts);
                Some(Grammar { ts, classes })
            })
            .as_ref()
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_sorted_and_extensions_are_found() {
        let ids: Vec<_> = Language::all().map(Language::id).collect();
        assert!(ids.is_sorted(), "{ids:?}");
        assert_eq!(ids.len(), 29);
        let of = |path: &str| {
            Language::for_path(Path::new(path)).into_iter().map(Language::id).collect::<Vec<_>>()
        };
        assert_eq!(of("a/b.h"), ["c", "cpp"]);
        assert_eq!(of("a.JSX"), ["javascript"]);
        assert_eq!(of("x.tsx"), ["tsx"]);
        assert_eq!(of("Makefile"), Vec::<&str>::new());
    }

    #[test]
    fn a_build_without_grammars_says_none() {
        let error =
            LanguageError::NotCompiled { id: "go", feature: "lang-go", compiled: Vec::new() };
        assert!(error.to_string().ends_with("compiled in: none"), "{error}");
    }

    #[test]
    fn unknown_and_missing_languages_say_what_there_is() {
        let error = Language::by_id("cobol").unwrap_err().to_string();
        assert!(error.contains("\"cobol\""), "{error}");
        assert!(error.contains("dart, elixir"), "{error}");
        for language in Language::all() {
            match Language::by_id(language.id()) {
                Ok(found) => assert_eq!(found, language),
                Err(LanguageError::NotCompiled { id, .. }) => assert_eq!(id, language.id()),
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[test]
    fn grammars_fit_the_compact_tree() {
        for language in Language::compiled() {
            let grammar = language.grammar().unwrap();
            assert!(grammar.field_count() < 255, "{language}");
            assert!(grammar.node_kind_count() < 65_535, "{language}");
        }
    }
}
