//! The symbols of a document as nested ranges: which one a place lies in. Pure.

use crate::decode::SymbolInfo;
use crate::text::{Pos, Span};

/// Names joined at most, innermost kept.
const DEPTH: usize = 3;
/// Characters of a joined name.
const LONGEST: usize = 80;

/// What encloses what in one document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// Every symbol after its parent.
    flat: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    span: Span,
    selection: Span,
    parent: Option<usize>,
}

impl Outline {
    /// From what a server answers for the document, nested or flat.
    pub(crate) fn new(symbols: &[SymbolInfo]) -> Self {
        let mut outline = Self::default();
        outline.add(symbols, None);
        outline
    }

    fn add(&mut self, symbols: &[SymbolInfo], parent: Option<usize>) {
        for symbol in symbols {
            let at = self.flat.len();
            let (name, span, selection) = (short(&symbol.name), symbol.span, symbol.selection);
            self.flat.push(Entry { name, span, selection, parent });
            self.add(&symbol.children, Some(at));
        }
    }

    /// The symbol around a place, as `Outer.inner`; `None` at the top level. The line of a symbol's name lies in what is
    /// around the symbol: the name stands there to be read.
    pub(crate) fn around(&self, pos: Pos) -> Option<String> {
        let inside = |e: &&Entry| {
            let within = e.span.start <= pos && pos < e.span.end;
            // A flat list has one range for all, so only names that are smaller than the whole are taken for names.
            let head = e.selection.start.line == pos.line && e.selection != e.span;
            within && !head
        };
        let size = |e: &&Entry| {
            let lines = e.span.end.line - e.span.start.line;
            (lines, if lines == 0 { e.span.end.character - e.span.start.character } else { 0 })
        };
        // The later of equals is the inner one.
        let innermost = self.flat.iter().rev().filter(inside).min_by_key(size)?;
        let mut names = vec![innermost.name.as_str()];
        let mut next = innermost.parent;
        while let Some(parent) = next.and_then(|at| self.flat.get(at)) {
            names.push(&parent.name);
            next = parent.parent;
        }
        names.truncate(DEPTH);
        names.reverse();
        let joined = names.join(".");
        Some(match joined.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{}…", &joined[..at]),
            None => joined,
        })
    }
}

/// Servers put signatures into names: `greet(String)`, `main :: IO ()`.
fn short(name: &str) -> String {
    name.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::Outline;
    use crate::decode::symbols;
    use crate::text::Pos;
    use serde_json::{Value, json};

    fn range(from: (u32, u32), to: (u32, u32)) -> Value {
        json!({ "start": { "line": from.0, "character": from.1 }, "end": { "line": to.0, "character": to.1 } })
    }

    #[test]
    fn the_innermost_symbol_is_named_with_its_parents() {
        let tree = json!([{
            "name": "Greeter", "kind": 5, "range": range((0, 0), (9, 0)), "selectionRange": range((0, 6), (0, 13)),
            "children": [{
                "name": "greet", "kind": 6, "range": range((2, 4), (5, 0)), "selectionRange": range((2, 8), (2, 13)),
            }],
        }]);
        let outline = Outline::new(&symbols(&tree));
        let around = |line, character| outline.around(Pos::new(line, character));
        assert_eq!(around(3, 9).as_deref(), Some("Greeter.greet"));
        assert_eq!(
            around(2, 9).as_deref(),
            Some("Greeter"),
            "the name of a method stands in its class"
        );
        assert_eq!(around(2, 30).as_deref(), Some("Greeter"), "so do its parameters");
        assert_eq!(around(7, 0).as_deref(), Some("Greeter"));
        assert_eq!(around(0, 7), None, "the name of a class stands at the top");
        assert_eq!(around(9, 0), None, "the end is exclusive");
    }

    #[test]
    fn a_flat_list_will_do() {
        let at = |from, to| json!({ "uri": "file:///p/a", "range": range(from, to) });
        let flat = json!([
            { "name": "a", "kind": 12, "location": at((0, 0), (9, 0)) },
            { "name": "b", "kind": 12, "location": at((2, 0), (4, 0)) },
        ]);
        let outline = Outline::new(&symbols(&flat));
        assert_eq!(outline.around(Pos::new(3, 0)).as_deref(), Some("b"));
        assert_eq!(outline.around(Pos::new(5, 0)).as_deref(), Some("a"));
        assert_eq!(Outline::default().around(Pos::new(5, 0)), None);
    }
}
