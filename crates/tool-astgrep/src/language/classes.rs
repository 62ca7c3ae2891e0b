//! What the matcher must know of each node kind of a grammar.

/// Facts about a node kind, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Class(u16);

impl Class {
    const NAMED: u16 = 1;
    const SEPARATOR: u16 = 2;
    const CLOSER: u16 = 4;
    const SOFT: u16 = 8;
    const ANNOTATION: u16 = 16;
    const MODIFIERS: u16 = 32;
    const STRING: u16 = 64;
    const COMMENT: u16 = 128;
    const VALUE: u16 = 256;
    const CLAUSE: u16 = 512;
    const OPENER: u16 = 1024;

    /// A rule of the grammar, not a token spelled in it.
    pub(crate) fn is_named(self) -> bool {
        self.0 & Self::NAMED != 0
    }
    /// `,` or `;`: may be absent, or be there once more, at the end of a list.
    pub(crate) fn is_separator(self) -> bool {
        self.0 & Self::SEPARATOR != 0
    }
    /// A token that ends a list: a bracket or an `end`.
    pub(crate) fn is_closer(self) -> bool {
        self.0 & Self::CLOSER != 0
    }
    /// A round bracket that starts a list: a run is what stands in it.
    pub(crate) fn is_opener(self) -> bool {
        self.0 & Self::OPENER != 0
    }
    /// A line end, or what a line end can stand for: never significant.
    pub(crate) fn is_soft(self) -> bool {
        self.0 & Self::SOFT != 0
    }
    /// An annotation, attribute or decorator before a declaration.
    pub(crate) fn is_annotation(self) -> bool {
        self.0 & Self::ANNOTATION != 0
    }
    /// A node that holds annotations and modifiers.
    pub(crate) fn is_modifiers(self) -> bool {
        self.0 & Self::MODIFIERS != 0
    }
    /// A string literal or a part of one: its text is data.
    pub(crate) fn is_string(self) -> bool {
        self.0 & Self::STRING != 0
    }
    /// Stands for code that a metavariable can take: a rule, or a value that the grammar spells as
    /// a token.
    pub(crate) fn is_node(self) -> bool {
        self.0 & (Self::NAMED | Self::VALUE) != 0
    }
    /// A branch that goes on with the statement it is in: no part of a run of statements.
    pub(crate) fn is_clause(self) -> bool {
        self.0 & Self::CLAUSE != 0
    }
    /// A comment.
    pub(crate) fn is_comment(self) -> bool {
        self.0 & Self::COMMENT != 0
    }
}

/// The class of each kind of one grammar.
pub(super) struct Classes(Vec<Class>);

impl Classes {
    pub(super) fn new(language: &str, grammar: &tree_sitter::Language) -> Self {
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let all = (0..count).map(|kind| {
            let name = grammar.node_kind_for_id(kind).unwrap_or("");
            classify(language, name, grammar.node_kind_is_named(kind))
        });
        Self(all.collect())
    }

    /// The class of a kind; ERROR is a named kind without any other property.
    pub(super) fn of(&self, kind: u16) -> Class {
        self.0.get(usize::from(kind)).copied().unwrap_or(Class(Class::NAMED))
    }

    pub(super) fn as_slice(&self) -> &[Class] {
        &self.0
    }
}

fn classify(language: &str, name: &str, named: bool) -> Class {
    let mut bits = 0;
    let mut set = |bit: u16, when: bool| bits |= if when { bit } else { 0 };
    set(Class::NAMED, named);
    if named {
        set(Class::ANNOTATION, is_annotation(language, name));
        set(Class::MODIFIERS, name == "modifiers");
        set(Class::STRING, is_string(name));
        set(Class::CLAUSE, is_clause(language, name));
        set(Class::COMMENT, name.contains("comment") && !name.contains("commenta"));
    } else {
        set(Class::SEPARATOR, matches!(name, "," | ";"));
        set(
            Class::CLOSER,
            matches!(
                name,
                ")" | "]" | "}" | ">" | "end" | "|" | "|]" | "]]" | "done" | "fi" | "esac"
            ),
        );
        set(Class::OPENER, name == "(");
        set(Class::VALUE, is_value(language, name));
        let blank = name.chars().all(|c| c.is_whitespace());
        let line_end = name == ";" && matches!(language, "bash" | "go" | "ruby" | "lua");
        set(Class::SOFT, blank || line_end);
    }
    Class(bits)
}

/// Kinds that stand before a declaration and may be left out of a pattern.
fn is_annotation(language: &str, name: &str) -> bool {
    match language {
        "dart" | "kotlin" | "scala" => name == "annotation",
        "java" => matches!(name, "annotation" | "marker_annotation"),
        "swift" => name == "attribute",
        "csharp" | "php" => name == "attribute_list",
        "javascript" | "typescript" | "tsx" | "python" => name == "decorator",
        "rust" => matches!(name, "attribute_item" | "inner_attribute_item"),
        "c" | "cpp" => matches!(name, "attribute_declaration" | "attribute_specifier"),
        _ => false,
    }
}

/// Tokens that stand where values do.
fn is_value(language: &str, name: &str) -> bool {
    match language {
        "csharp" => matches!(name, "this" | "base"),
        "dart" => matches!(name, "this" | "super"),
        "zig" => matches!(name, "null" | "undefined" | "unreachable" | "true" | "false"),
        "solidity" => matches!(name, "this" | "super"),
        _ => matches!(name, "null" | "nil" | "true" | "false"),
    }
}

/// Branches that stand beside the statements before them, in no field of their own.
fn is_clause(language: &str, name: &str) -> bool {
    match language {
        "bash" => matches!(name, "else_clause" | "elif_clause"),
        "lua" => matches!(name, "else_statement" | "elseif_statement"),
        "elixir" => {
            matches!(name, "else_block" | "rescue_block" | "catch_block" | "after_block")
        }
        "ruby" => matches!(name, "else" | "elsif" | "rescue" | "ensure"),
        "c" | "cpp" | "csharp" => {
            matches!(name, "preproc_else" | "preproc_elif" | "preproc_elifdef")
        }
        _ => false,
    }
}

fn is_string(name: &str) -> bool {
    name.contains("string")
        || matches!(
            name,
            "heredoc_body"
                | "heredoc_content"
                | "char_literal"
                | "character_literal"
                | "quoted_attribute_value"
                | "double_quote_scalar"
                | "single_quote_scalar"
                | "block_scalar"
                | "jsx_text"
                | "text"
                | "raw_text"
        )
}
