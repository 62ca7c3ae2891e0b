//! What a difference is called.

use super::align::{Aligner, Diff, How};
use crate::pattern::Role;
use crate::tree::NodeId;
use crate::words::{spoken, with_article};

/// What the near misses of one kind have in common: the words after "214 have".
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cause(String);

impl Cause {
    /// The cause of a candidate with these differences.
    pub(super) fn of(aligner: &Aligner<'_>, diffs: &[Diff], names: &[String]) -> Self {
        let mut words: Vec<String> =
            diffs.iter().map(|diff| describe(aligner, diff, names)).collect();
        words.dedup();
        Self(words.join(" and "))
    }

    /// For instance `a return type`.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn describe(aligner: &Aligner<'_>, diff: &Diff, names: &[String]) -> String {
    match diff {
        Diff::Extra { parent, nodes, .. } => extra(aligner, *parent, nodes),
        Diff::Lacking { parent, nodes } => {
            if let Some(list) = list_name(aligner, *parent) {
                return format!("fewer {list}");
            }
            let language = aligner.tree.language();
            let pat = &aligner.shape.nodes[nodes.start as usize];
            let name = language.kind_name(pat.kind);
            if pat.role == Role::Token {
                return format!("no `{name}`");
            }
            let field = language.field_name(pat.field);
            if let (Role::One { slot: Some(slot) }, true) = (&pat.role, field.is_empty())
                && let Some(name) = names.get(usize::from(*slot))
            {
                return format!("nothing for ${name}");
            }
            format!("no {}", spoken(if field.is_empty() { name } else { field }))
        }
        Diff::Other { node, how, .. } => match how {
            How::Case => format!("the name `{}`", short(aligner, *node)),
            How::Quotes => "other quotes".to_owned(),
            How::Value => "another value in place of a literal".to_owned(),
        },
        Diff::Repeated { slot, .. } => {
            let name = names.get(usize::from(*slot)).map_or("", String::as_str);
            format!("different texts where ${name} is repeated")
        }
    }
}

/// What a list is called whose number of elements differs.
fn list_name(aligner: &Aligner<'_>, parent: u32) -> Option<String> {
    let pat = &aligner.shape.nodes[parent as usize];
    let kind = aligner.tree.language().kind_name(pat.kind);
    let named = [
        ("type_parameter", "type parameters"),
        ("type_argument", "type arguments"),
        ("parameter", "parameters"),
        ("argument", "arguments"),
        ("token_tree", "macro arguments"),
    ];
    let (_, name) = named.iter().find(|(word, _)| kind.contains(word))?;
    Some((*name).to_owned())
}

/// Words in kinds, fields and tokens, and what they are called. The first that fits counts.
const EXTRAS: &[(&[&str], &str)] = &[
    (&["return_type", "result", "->"], "a return type"),
    (&["type_parameter"], "type parameters"),
    (&["type_argument"], "type arguments"),
    (&["block_parameters", "lambda_parameters"], "block parameters"),
    (&["elif", "elsif"], "an else-if branch"),
    (&["else", "alternative"], "an else branch"),
    (&["finally", "ensure"], "a finally clause"),
    (&["catch", "except", "rescue"], "a catch clause"),
    (&["throws", "raises"], "a throws clause"),
    (&["where", "type_constraint"], "a where clause"),
    (&["annotation_list", "decorator", "attribute"], "attributes or decorators"),
    (
        &["superclass", "heritage", "extends", "base_", "inherit", "interfaces", "supertypes"],
        "a superclass or interfaces",
    ),
];

fn extra(aligner: &Aligner<'_>, parent: u32, nodes: &[NodeId]) -> String {
    let tree = aligner.tree;
    let says = |words: &[&str]| {
        nodes.iter().any(|node| {
            let kind = tree.kind_name(*node);
            words.iter().any(|word| kind.contains(word) || tree.field_name(*node).contains(word))
        })
    };
    if let Some(list) = list_name(aligner, parent) {
        return format!("more {list}");
    }
    if parent_is_import(aligner, parent) {
        return "further names".to_owned();
    }
    let parent_kind = tree.language().kind_name(aligner.shape.nodes[parent as usize].kind);
    let colon = nodes.iter().any(|node| tree.text(*node, aligner.src) == ":");
    if colon || says(&["type_annotation"]) {
        let function = ["function", "method", "signature", "arrow"];
        if function.iter().any(|word| parent_kind.contains(word)) {
            return "a return type".to_owned();
        }
        if !colon {
            return "a type annotation".to_owned();
        }
    }
    if let Some((_, name)) = EXTRAS.iter().find(|(words, _)| says(words)) {
        return (*name).to_owned();
    }
    if let Some(node) = nodes.iter().find(|node| tree.class(**node).is_annotation()) {
        return format!("`{}`", short(aligner, *node));
    }
    // `pub`, `async`, `static final`: by the words themselves.
    let is_word = |node: &NodeId| {
        let kind = tree.kind_name(*node);
        let words = ["modifier", "visibility", "specifier", "qualifier"];
        !tree.is_named(*node) || words.iter().any(|word| kind.contains(word))
    };
    if nodes.iter().all(is_word) {
        let words: Vec<String> = nodes.iter().map(|node| short(aligner, *node)).collect();
        return format!("`{}`", words.join(" "));
    }
    let block = ["block", "body", "program", "statement_list", "declaration_list", "source_file"];
    if block.iter().any(|word| parent_kind.contains(word)) {
        return "further statements or members".to_owned();
    }
    let node = nodes.iter().find(|node| tree.is_named(**node));
    let node = node.or(nodes.first()).copied().unwrap_or_default();
    let field = tree.field_name(node);
    let name = if field.is_empty() { tree.kind_name(node) } else { field };
    if matches!(name, "body" | "function_body") {
        return "a body".to_owned();
    }
    format!("{} in the {}", with_article(name), spoken(parent_kind))
}

/// An import that lists names side by side.
fn parent_is_import(aligner: &Aligner<'_>, parent: u32) -> bool {
    let pat = &aligner.shape.nodes[parent as usize];
    let kind = aligner.tree.language().kind_name(pat.kind);
    matches!(kind, "import_statement" | "import_from_statement" | "future_import_statement")
}

/// The text of a node, cut to one line of a few words.
fn short(aligner: &Aligner<'_>, node: NodeId) -> String {
    let text = aligner.tree.text(node, aligner.src);
    let line = text.lines().next().unwrap_or("").trim();
    if line.chars().count() <= 40 {
        return line.to_owned();
    }
    let cut: String = line.chars().take(40).collect();
    format!("{cut}…")
}
