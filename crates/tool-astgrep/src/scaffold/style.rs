//! How metavariables are spelled so that a grammar takes them where names, types and values stand.

use crate::language::Language;
use crate::pattern::{FOR_HEAD, Hole, Holes, without_comments};

/// At most this many mixes of spellings are tried.
const MIXES: usize = 24;

/// Which holes get a `;` so that they are statements, each way to be tried; the last is none.
pub(super) fn statements(language: Language, holes: &Holes) -> Vec<Vec<usize>> {
    let inner = match language.id() {
        "c" | "cpp" | "csharp" | "java" | "dart" | "php" | "solidity" | "zig" | "css" | "bash" => {
            false
        }
        // The last statement of a block needs none; one on a line before others does.
        "rust" | "javascript" | "typescript" | "tsx" => true,
        _ => return vec![Vec::new()],
    };
    let all = holes.statements(inner);
    let mut ways = vec![all.clone()];
    if (2..=3).contains(&all.len()) {
        // Some may be members or values.
        let masks = (1..(1u8 << all.len()) - 1).rev();
        ways.extend(masks.map(|mask| {
            let picked = all.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
            picked.map(|(_, hole)| *hole).collect()
        }));
    }
    if !all.is_empty() {
        ways.push(Vec::new());
    }
    ways
}

/// Languages where the columns of further lines mean something.
pub(super) fn has_layout(language: Language) -> bool {
    matches!(language.id(), "python" | "haskell" | "yaml")
}

/// The spellings to try, each a text for every hole: all mixes where they are few, else all alike
/// and one apart.
pub(super) fn spellings(language: Language, holes: &Holes) -> Vec<Vec<String>> {
    let choices: Vec<Vec<String>> =
        holes.holes().iter().map(|hole| ways(language, holes.pattern(), hole)).collect();
    let mixes = choices
        .iter()
        .try_fold(1usize, |mixes, ways| mixes.checked_mul(ways.len()))
        .filter(|mixes| *mixes <= MIXES);
    let pick = |place: &dyn Fn(usize) -> usize| -> Vec<String> {
        let each = choices.iter().enumerate();
        each.map(|(hole, ways)| ways[place(hole).min(ways.len() - 1)].clone()).collect()
    };
    let mut spellings = Vec::new();
    if let Some(mixes) = mixes {
        for mix in 0..mixes {
            let mut rest = mix;
            let places: Vec<usize> = choices
                .iter()
                .map(|ways| {
                    let place = rest % ways.len();
                    rest /= ways.len();
                    place
                })
                .collect();
            spellings.push(pick(&|hole| places[hole]));
        }
    } else {
        let most = choices.iter().map(Vec::len).max().unwrap_or(1);
        spellings.extend((0..most).map(|place| pick(&|_| place)));
        for (apart, ways) in choices.iter().enumerate() {
            for place in 1..ways.len() {
                spellings.push(pick(&|hole| if hole == apart { place } else { 0 }));
                spellings.push(pick(&|hole| if hole == apart { 0 } else { place }));
            }
        }
    }
    spellings
}

/// The ways to spell a hole, the usual one first. A hole is known by its place, so what it is
/// spelled as only has to be one node where that kind of thing may stand.
fn ways(language: Language, pattern: &str, hole: &Hole) -> Vec<String> {
    let sigil = language.sigil().repeat(if hole.run { 3 } else { 1 });
    let name = if hole.name.is_empty() { "_" } else { &hole.name };
    let plain = format!("{sigil}{name}");
    let place = Place::of(pattern, hole);
    let mut ways = vec![plain.clone()];
    let mut also = |when: bool, text: String| {
        if when && !ways.contains(&text) {
            ways.push(text);
        }
    };
    let entry = place.is_entry();
    // A run of statements before another one.
    let flows = hole.run
        && place.before.ends_with(['{', ';', '}', ':'])
        && place.after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
    match language.id() {
        // A variable carries its own dollar.
        "php" => also(true, format!("${plain}")),
        // In a block of one line there are attributes only.
        "hcl" => also(true, format!("{plain} = 0")),
        // A name alone is no statement.
        "lua" => also(true, format!("{plain}()")),
        // Names that are assigned or called are no expansions.
        "bash" => also(true, format!("__{name}")),
        // Constants, modules and constructors start with a capital letter; pairs in lists.
        "ruby" | "elixir" => {
            also(true, format!("C{plain}"));
            also(entry, format!("{plain}: 0"));
        }
        "haskell" => {
            also(true, format!("C{plain}"));
            also(entry, format!("{plain} :: {plain}"));
        }
        // A bare name is no JSON: a marked value, and in an object a marked pair.
        "json" => {
            also(true, format!("\"{plain}\""));
            also(entry, format!("\"{plain}\": 0"));
        }
        // A pair of a dictionary; a name with a dot is subscripted otherwise than one without.
        "python" => {
            also(entry, format!("{plain}: 0"));
            also(place.after.starts_with('['), format!("{plain}.{plain}"));
            // The cases of a match, which start on a line of their own.
            if hole.run && pattern.starts_with("match ") && place.after.is_empty() {
                let line = place.before.ends_with(':') && !pattern[..hole.at.start].contains('\n');
                let lead = if line { "\n    " } else { "" };
                also(true, format!("{lead}case {plain}: pass"));
            }
            also(hole.run && place.is_alone_in_parens(), format!("{plain},"));
        }
        "yaml" => also(entry, format!("{plain}: 0")),
        // A whole parameter; a type that converts; the path of an import.
        "go" => {
            also(entry, format!("{plain} {plain}"));
            also(hole.run && place.before.ends_with('['), format!("{plain} {plain}"));
            also(place.is_else(), format!("{{ {plain} }}"));
            also(place.after.starts_with('('), format!("[]{plain}"));
            also(pattern.starts_with("import"), format!("\"{plain}\""));
        }
        // A whole parameter.
        "kotlin" => {
            also(entry, format!("{plain}: {plain}"));
            also(place.is_statement(), format!("val {plain}: {plain}"));
        }
        "swift" => {
            also(entry, format!("{plain}: {plain}"));
            also(place.is_statement(), format!("var {plain}: {plain}"));
            // The values of an array: one without a comma is a type.
            let listed = place.before.ends_with('[') && place.after.starts_with(']');
            also(hole.run && listed, format!("{plain},"));
        }
        "scala" => {
            also(entry, format!("{plain}: {plain}"));
            let cases = pattern.contains("catch") || pattern.contains("match");
            also(hole.run && cases && place.ends_block(), format!("case {plain} => 0"));
        }
        // A binding of a set.
        "nix" => also(hole.run && place.ends_block(), format!("{plain} = 0;")),
        "rust" => {
            also(entry, format!("{plain}: {plain}"));
            also(place.before.ends_with("where"), format!("{plain}: {plain}"));
            also(place.is_else(), format!("{{ {plain} }}"));
            let arms = hole.run && place.ends_block() && pattern.contains("=>");
            also(arms, format!("{plain} => {plain}"));
            also(place.before.ends_with("pub("), "crate".to_owned());
            also(hole.run && place.is_alone_in_parens(), format!("{plain},"));
        }
        "java" | "dart" | "solidity" => {
            also(entry, format!("{plain} {plain}"));
            also(place.is_statement() || flows, format!("{plain} {plain};"));
            let imports = ["import", "export", "part"];
            let imports = imports.contains(&place.before);
            also(imports && language.id() != "java", format!("'{plain}'"));
            // The values that are returned: one in parentheses is no list.
            let listed = hole.run && language.id() == "solidity" && place.is_alone_in_parens();
            also(listed, format!("{plain},"));
            let named = hole.run && language.id() == "java" && pattern.contains('@');
            also(named && entry, format!("{plain} = 0"));
            // A version of the compiler.
            let versioned = place.before.ends_with(['^', '=', '>', '<', '~'])
                || pattern.starts_with("pragma") && place.before.ends_with("solidity");
            also(versioned && language.id() == "solidity", "0.8.0".to_owned());
        }
        // A name alone is no statement.
        "csharp" => {
            also(entry, format!("{plain} {plain}"));
            also(place.is_statement() || flows, format!("{plain}()"));
            also(place.is_accessor(pattern), "get;".to_owned());
            also(place.is_statement() || flows, format!("{plain} {plain};"));
        }
        // The value of an attribute is never a bare name.
        "javascript" | "tsx" | "typescript" => {
            let attribute = place.before.ends_with('=') && language.id() != "typescript";
            // What is imported besides a default is in braces.
            let imports = pattern.starts_with("import") || !pattern.contains(['(', '[', '{', ';']);
            also(attribute || imports && place.before.ends_with(','), format!("{{{plain}}}"));
            let module = place.before.ends_with("from") || place.before.ends_with("import");
            also(module && !hole.run, format!("'{plain}'"));
        }
        _ => {}
    }
    if hole.run && place.is_head_of_for() {
        also(language.id() != "php", format!("{plain}{FOR_HEAD}"));
        also(language.id() == "php", format!("${plain}{FOR_HEAD}"));
    }
    if let Some(text) = super::lists::spellings(language, pattern, hole, &plain) {
        also(true, text);
    }
    ways
}

/// What stands beside a hole.
struct Place<'p> {
    before: &'p str,
    after: &'p str,
}

impl<'p> Place<'p> {
    fn of(pattern: &'p str, hole: &Hole) -> Self {
        Self {
            before: without_comments(&pattern[..hole.at.start]),
            after: pattern[hole.at.end..].trim_start(),
        }
    }

    /// All of an entry of a list.
    fn is_entry(&self) -> bool {
        let starts = self.before.ends_with(['{', ',', '(']);
        let ends = self.after.starts_with(['}', ',', ')']);
        let listed = self.before.ends_with(',') || self.after.starts_with(',');
        starts && (ends || self.after.is_empty()) || listed
    }

    /// All that stands between two parentheses: a tuple when it holds several.
    fn is_alone_in_parens(&self) -> bool {
        self.before.ends_with('(') && self.after.starts_with(')')
    }

    /// All that stands between the parentheses of a `for`.
    fn is_head_of_for(&self) -> bool {
        let head = self.before.strip_suffix('(').map(str::trim_end);
        self.is_alone_in_parens() && head.is_some_and(|head| head.ends_with("for"))
    }

    /// The last thing in a block.
    fn ends_block(&self) -> bool {
        self.after.starts_with('}')
    }

    /// Beside the accessors of a property or alone in its braces: `$T $N { $$$A }`, `{ get; $$$A }`.
    fn is_accessor(&self, pattern: &str) -> bool {
        let accessor = ["get", "set", "init"];
        let starts = |text: &str| accessor.iter().any(|word| text.starts_with(word));
        let beside = ["get;", "set;", "init;", "get }", "set }"];
        let named = beside.iter().any(|word| pattern.contains(word));
        let alone = self.before.ends_with('{')
            && self.after.starts_with('}')
            && !self.before.trim_end_matches('{').trim_end().ends_with([')', '>', ';'])
            && !pattern.contains('(');
        let ends = self.after.starts_with(['}', '$']) || starts(self.after);
        (named && self.before.ends_with(['{', ';', '}']) && ends) || alone
    }

    /// What an `else` does, where the grammar wants a block.
    fn is_else(&self) -> bool {
        self.before.ends_with("else") && !self.after.starts_with('{')
    }

    /// Alone where a statement may stand.
    fn is_statement(&self) -> bool {
        (self.before.ends_with(['{', ';', '}', ')', ':']) || self.before.ends_with("else"))
            && (self.after.is_empty()
                || self.after.starts_with(['}', ';'])
                || self.after.starts_with("else"))
    }
}
