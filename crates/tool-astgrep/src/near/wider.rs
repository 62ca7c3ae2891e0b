//! Patterns that leave out what most code has, though they are whole: a function without a body is a
//! signature, and `import $X` is an import of one name. What the longer pattern takes is told, also
//! beside matches.

use std::collections::HashSet;
use std::sync::Arc;

use crate::matches::find;
use crate::pattern::{Compiled, Role, compile_until};
use crate::tree::{NodeId, Tree};

/// A longer pattern, and what it takes in words that follow "12 have".
#[derive(Debug)]
pub(super) struct Wider {
    pub(super) says: &'static str,
    pub(super) compiled: Arc<Compiled>,
}

/// Kinds that a function without a body is read as.
const SIGNATURES: &[&str] = &[
    "function_signature_item",
    "function_signature",
    "method_signature",
    "abstract_method_signature",
    "external_function_declaration",
    "member_declaration",
    "protocol_function_declaration",
    "function_declaration",
    "method_declaration",
    "local_function_statement",
    "function_definition",
];
/// As well in C, where a declaration without its `;` is a parameter.
const DECLARATIONS: &[&str] =
    &["declaration", "field_declaration", "parameter_declaration", "function_declarator"];

/// The longer patterns of one.
pub(super) fn of(compiled: &Compiled, stop: &dyn Fn() -> bool) -> Vec<Wider> {
    let mut wider: Vec<Wider> = bodied(compiled, stop).into_iter().collect();
    wider.extend(listed(compiled, stop));
    wider.extend(constant(compiled, stop));
    wider
}

/// A constructor call of Dart behind `const`, which is no call to the grammar.
fn constant(compiled: &Compiled, stop: &dyn Fn() -> bool) -> Option<Wider> {
    let pattern = &compiled.pattern;
    let named = pattern.trim_start_matches('_').starts_with(|c: char| c.is_ascii_uppercase());
    let kind = compiled.language.kind_name(compiled.readings.first()?.root_kind);
    if compiled.language.id() != "dart" || kind != "call_expression" || !named {
        return None;
    }
    let longer = compile_until(compiled.language, &format!("const {pattern}"), None, stop).ok()?;
    Some(Wider { says: "`const` before it", compiled: longer })
}

/// A function with a body.
fn bodied(compiled: &Compiled, stop: &dyn Fn() -> bool) -> Option<Wider> {
    let language = compiled.language;
    let kind = language.kind_name(compiled.readings.first()?.root_kind);
    let declares = matches!(language.id(), "c" | "cpp") && DECLARATIONS.contains(&kind);
    let pattern = compiled.pattern.trim_end_matches(';').trim_end();
    let head = pattern.contains('(') && pattern.contains(')') && !pattern.contains(['{', '=']);
    if !head || !(declares || SIGNATURES.contains(&kind)) {
        return None;
    }
    let body = match language.id() {
        "scala" => " = $BODY",
        _ => " { $$$BODY }",
    };
    let longer = format!("{pattern}{body}");
    let longer = compile_until(language, &longer, None, stop).ok()?;
    let first = language.kind_name(longer.readings.first()?.root_kind);
    let function = first.contains("function") || first.contains("method") || first == kind;
    function.then_some(Wider { says: "a body", compiled: longer })
}

/// An import of several names, with and without parentheses.
fn listed(compiled: &Compiled, stop: &dyn Fn() -> bool) -> Vec<Wider> {
    let Some(first) = compiled.readings.first() else { return Vec::new() };
    let kind = compiled.language.kind_name(first.root_kind);
    let import = matches!(kind, "import_statement" | "import_from_statement");
    let open = first.shape.nodes.last().is_some_and(|last| matches!(last.role, Role::One { .. }));
    let at = compiled.pattern.rfind('$').unwrap_or(0);
    let (head, name) = compiled.pattern.split_at(at);
    if compiled.language.id() != "python" || !import || !open || head.trim_end().ends_with(',') {
        return Vec::new();
    }
    let longer = [
        ("further names", format!("{head}$${name}")),
        ("names in parentheses", format!("{head}($${name})")),
    ];
    let longer = longer.into_iter().filter_map(|(says, pattern)| {
        let compiled = compile_until(compiled.language, &pattern, None, stop).ok()?;
        Some(Wider { says, compiled })
    });
    longer.collect()
}

impl Wider {
    /// How many nodes of a file it takes that are not among `matched`.
    pub(super) fn count(&self, tree: &Tree, src: &str, matched: &[NodeId]) -> usize {
        let mut seen: HashSet<NodeId> = matched.iter().copied().collect();
        let mut count = 0;
        for reading in self.compiled.in_family() {
            for found in find(reading, tree, src, None) {
                count += usize::from(seen.insert(found.node));
            }
        }
        count
    }
}
