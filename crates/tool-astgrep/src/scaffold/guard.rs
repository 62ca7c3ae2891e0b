//! Clause keywords that a wrong context reads as names.

use crate::ladders::Rung;
use crate::language::Language;
use crate::tree::{NodeId, Tree};

/// The reserved words of a language that start a clause or a statement: never meant as a name at
/// the start of a pattern. A word that is a keyword in some places only is not among them.
fn reserved(language: Language) -> &'static [&'static str] {
    match language.id() {
        "bash" => &["else", "elif", "case"],
        "c" => &["else", "case", "default", "return"],
        "cpp" => &[
            "else",
            "case",
            "default",
            "return",
            "catch",
            "throw",
            "using",
            "namespace",
            "export",
            "public",
            "private",
            "protected",
        ],
        "csharp" => &[
            "else",
            "case",
            "default",
            "return",
            "catch",
            "finally",
            "throw",
            "using",
            "namespace",
        ],
        "dart" => {
            &["else", "case", "default", "return", "catch", "finally", "throw", "import", "export"]
        }
        "elixir" => &["else", "catch", "rescue", "when"],
        "go" => &["else", "case", "default", "return", "import", "package"],
        "haskell" => &["else", "let", "case", "default", "import", "where"],
        "java" => &[
            "else", "case", "default", "return", "catch", "finally", "throw", "import", "package",
            "super",
        ],
        "javascript" | "typescript" | "tsx" => {
            &["else", "case", "default", "return", "catch", "finally", "throw", "import", "export"]
        }
        "kotlin" => &[
            "else",
            "when",
            "return",
            "throw",
            "catch",
            "finally",
            "companion",
            "import",
            "package",
        ],
        "lua" => &["else", "elseif", "return"],
        "nix" => &["else", "let"],
        "php" => {
            &["else", "case", "default", "return", "catch", "finally", "throw", "namespace", "use"]
        }
        "python" => &["else", "elif", "except", "finally", "case", "import", "return"],
        "ruby" => &["else", "elsif", "rescue", "ensure", "when", "case", "return"],
        "rust" => &["else", "where", "return"],
        "scala" => &["else", "case", "catch", "finally", "throw", "return", "import", "package"],
        "solidity" => &["else", "catch", "return", "import", "using"],
        "swift" => &["else", "case", "default", "return", "catch", "throw", "import", "where"],
        "zig" => &["else", "catch", "return", "export"],
        _ => &[],
    }
}

/// Words that start a statement with a head in parentheses: what is broken in it makes a method of
/// that name, or a call, out of it.
const HEADED: [&str; 4] = ["if", "for", "while", "switch"];

/// Languages where those words are no names, save after a dot.
fn has_headed(language: Language) -> bool {
    matches!(
        language.id(),
        "c" | "cpp"
            | "csharp"
            | "dart"
            | "java"
            | "javascript"
            | "kotlin"
            | "php"
            | "solidity"
            | "swift"
            | "tsx"
            | "typescript"
    )
}

/// Refuses a node that starts with a name spelled like a reserved word.
pub(super) fn keyword(tree: &Tree, root: NodeId, src: &str) -> Result<(), String> {
    let reserved = reserved(tree.language());
    // A name everywhere but before a parameter, where it is read as the type.
    let parameter = tree.language().id() == "dart" && tree.kind_name(root).contains("parameter");
    let headed = has_headed(tree.language());
    let kotlin = tree.language().id() == "kotlin";
    let is_headed = |text: &str| HEADED.contains(&text) && !(kotlin && text == "switch");
    let is_reserved = |text: &str, after: &str| {
        reserved.contains(&text)
            || parameter && text == "required"
            || headed && is_headed(text) && after.trim_start().starts_with('(')
    };
    let mut first = root;
    loop {
        let leaf = tree.is_leaf(first);
        let text = tree.text(first, src);
        let kind = tree.kind_name(first);
        // Some grammars name the keyword itself.
        let itself = kind == text || kind.contains("keyword");
        if tree.is_named(first)
            && (leaf || kind.contains("identifier"))
            && !itself
            && is_reserved(text, src.get(tree.end(first)..).unwrap_or(""))
        {
            return Err(format!(
                "`{text}` is read as a name ({}), not as the start of a clause",
                tree.kind_name(root)
            ));
        }
        if leaf {
            return Ok(());
        }
        first += 1;
    }
}

/// Refuses an operator made of two lines: in the parentheses of a context a line end means nothing,
/// and `f(x)⏎y` is read as one expression.
pub(super) fn joined(tree: &Tree, root: NodeId, pattern: &str, rung: &Rung) -> Result<(), String> {
    let open = |text: &str| text.matches('(').count() > text.matches(')').count();
    let kind = tree.kind_name(root);
    if tree.language().id() == "scala"
        && pattern.contains('\n')
        && open(rung.prefix)
        && (kind.starts_with("infix_") || kind == "postfix_expression")
    {
        return Err("its lines are read as one expression there".into());
    }
    Ok(())
}

/// Refuses mere text: between quotes, slashes and the like anything is accepted, and says nothing.
///
/// A rung that stands in such text takes only what the grammar looks into, e.g. `${$X}`; any other
/// rung that is tried last takes a leaf only when that is a word, a number or an operator.
pub(super) fn text(tree: &Tree, root: NodeId, src: &str, rung: &Rung) -> Result<(), String> {
    if !rung.rare {
        return Ok(());
    }
    let class = tree.class(root);
    let mere = if is_in_text(rung) {
        // What is looked into starts with a token, or is called by its name.
        let looked_into = ["interpolation", "substitution", "expansion"];
        !looked_into.iter().any(|word| tree.kind_name(root).contains(word))
            && tree.children(root).next().is_none_or(|first| tree.class(first).is_named())
    } else {
        let loose = |c: char| c.is_whitespace() || "()[]{}\"`;,".contains(c);
        tree.is_leaf(root)
            && (class.is_string() || class.is_comment() || tree.text(root, src).contains(loose))
    };
    if mere { Err("it is mere text there".into()) } else { Ok(()) }
}

/// Whether the rung puts the fragment between quotes or slashes.
fn is_in_text(rung: &Rung) -> bool {
    rung.prefix.ends_with(['"', '\'', '`']) || rung.prefix.ends_with(" /")
}
