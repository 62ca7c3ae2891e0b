//! The arguments of `lsp`: their schema, and what each action needs of them.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::LspError;

/// Every action with what it needs, in the order of the schema.
const ACTIONS: [(&str, Needs); 12] = [
    ("diagnostics", Needs::File),
    ("definition", Needs::Place),
    ("type_definition", Needs::Place),
    ("implementation", Needs::Place),
    ("references", Needs::Place),
    ("hover", Needs::Place),
    ("symbols", Needs::FileOrQuery),
    ("code_actions", Needs::Place),
    ("incoming_calls", Needs::Place),
    ("outgoing_calls", Needs::Place),
    ("status", Needs::Nothing),
    ("reload", Needs::Nothing),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    File,
    Place,
    FileOrQuery,
}

pub(super) const DESCRIPTION: &str = "Asks the language servers of this checkout. A place is `file`, `line` (from 1) and `symbol`, a piece of that line as it \
     stands there, best the whole name; never a column. Where a name stands several times on the line and means \
     different things, `name#2` picks the second. Actions: definition, type_definition, implementation, references, hover, \
     code_actions (listed, never run), incoming_calls, outgoing_calls: at a place. symbols: of a `file`, or by `query` in \
     the whole workspace. diagnostics: errors and warnings of a `file`; file \"*\" runs the project's own check (cargo \
     check, tsc, pyright, go vet, …). status: which servers run, and why the others do not. reload: restarts the servers \
     (of a `file`, or all). A server that is still loading is waited for; an answer \"not ready\" says nothing about the \
     code.";

/// The schema of the arguments.
pub(super) fn schema() -> Value {
    let actions: Vec<&str> = ACTIONS.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "object",
        "properties": {
            "action": { "type": "string", "enum": actions, "description": "What to ask." },
            "file": {
                "type": "string",
                "description": "The file, relative to the workspace's root. For diagnostics also \"*\": the whole project.",
            },
            "line": { "type": "integer", "description": "The line of the symbol, from 1." },
            "symbol": {
                "type": "string",
                "description": "A name on that line, exactly as written there. name#2 is the second of that name on the line.",
            },
            "query": { "type": "string", "description": "For symbols: the name, or a part of it, to look for in the workspace." },
        },
        "required": ["action"],
        "additionalProperties": false,
    })
}

/// The arguments of `lsp`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LspArgs {
    action: String,
    file: Option<String>,
    line: Option<u32>,
    symbol: Option<String>,
    query: Option<String>,
}

/// A place that was asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct At {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) symbol: String,
}

/// What a list of places is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Definition,
    TypeDefinition,
    Implementation,
    References,
}

/// A checked question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    Diagnostics { file: String },
    CheckAll,
    Places(Relation, At),
    Hover(At),
    DocumentSymbols { file: String },
    WorkspaceSymbols { query: String, file: Option<String> },
    CodeActions(At),
    Calls { incoming: bool, at: At },
    Status,
    Reload { file: Option<String> },
}

impl LspArgs {
    /// What is asked, or what is missing for it.
    pub(crate) fn ask(self) -> Result<Ask, LspError> {
        let Some((_, needs)) = ACTIONS.iter().find(|(name, _)| *name == self.action) else {
            let known: Vec<&str> = ACTIONS.iter().map(|(name, _)| *name).collect();
            return Err(LspError::invalid(
                format!("there is no action {:?}", self.action),
                format!("it is one of: {}", known.join(", ")),
            ));
        };
        let action = self.action.clone();
        let missing = self.missing(*needs);
        if !missing.is_empty() {
            return Err(LspError::invalid(
                format!("{action} needs {}: {} missing", needs.words(), is_missing(&missing)),
                match *needs {
                    Needs::Place => {
                        "a place is a file, a line from 1 and a name that stands on that line, never a column"
                    }
                    Needs::FileOrQuery => {
                        "pass `file` for its symbols, or `query` to search the workspace by name"
                    }
                    _ => "pass `file`, or \"*\" for the project's own check",
                },
            ));
        }
        let file = self.file.filter(|f| !f.trim().is_empty());
        let query = self.query.filter(|q| !q.trim().is_empty());
        let at = At {
            file: file.clone().unwrap_or_default(),
            line: self.line.unwrap_or_default(),
            symbol: self.symbol.unwrap_or_default(),
        };
        Ok(match action.as_str() {
            "diagnostics" if at.file.trim() == "*" => Ask::CheckAll,
            "diagnostics" => Ask::Diagnostics { file: at.file },
            "definition" => Ask::Places(Relation::Definition, at),
            "type_definition" => Ask::Places(Relation::TypeDefinition, at),
            "implementation" => Ask::Places(Relation::Implementation, at),
            "references" => Ask::Places(Relation::References, at),
            "hover" => Ask::Hover(at),
            "symbols" => match query {
                Some(query) => Ask::WorkspaceSymbols { query, file },
                None => Ask::DocumentSymbols { file: at.file },
            },
            "code_actions" => Ask::CodeActions(at),
            "incoming_calls" => Ask::Calls { incoming: true, at },
            "outgoing_calls" => Ask::Calls { incoming: false, at },
            "reload" => Ask::Reload { file },
            _ => Ask::Status,
        })
    }

    fn missing(&self, needs: Needs) -> Vec<&'static str> {
        let blank = |text: &Option<String>| text.as_ref().is_none_or(|t| t.trim().is_empty());
        let file = blank(&self.file).then_some("file");
        match needs {
            Needs::Nothing => Vec::new(),
            Needs::File => file.into_iter().collect(),
            Needs::Place => {
                let line = self.line.is_none().then_some("line");
                let symbol = blank(&self.symbol).then_some("symbol");
                file.into_iter().chain(line).chain(symbol).collect()
            }
            Needs::FileOrQuery if file.is_some() && blank(&self.query) => vec!["both"],
            Needs::FileOrQuery => Vec::new(),
        }
    }
}

impl Needs {
    fn words(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::File => "file",
            Self::Place => "file, line and symbol",
            Self::FileOrQuery => "file or query",
        }
    }
}

fn is_missing(names: &[&str]) -> String {
    match names {
        ["both"] => "both are".to_owned(),
        [one] => format!("{one} is"),
        [most @ .., last] => format!("{} and {last} are", most.join(", ")),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(args: Value) -> Result<Ask, LspError> {
        serde_json::from_value::<LspArgs>(args).expect("it fits").ask()
    }

    #[test]
    fn every_action_of_the_schema_can_be_asked() {
        for (action, _) in ACTIONS {
            let full =
                json!({ "action": action, "file": "a", "line": 1, "symbol": "s", "query": "q" });
            assert!(ask(full).is_ok(), "{action}");
        }
        assert_eq!(schema()["properties"]["action"]["enum"].as_array().map(Vec::len), Some(12));
    }

    #[test]
    fn a_place_without_a_symbol_is_an_error_that_names_what_is_missing() {
        for action in [
            "definition",
            "type_definition",
            "implementation",
            "references",
            "hover",
            "code_actions",
        ] {
            let error =
                ask(json!({ "action": action, "file": "a", "line": 1 })).expect_err("no symbol");
            assert_eq!(
                error.to_string(),
                format!("{action} needs file, line and symbol: symbol is missing")
            );
        }
        let error = ask(json!({ "action": "hover", "symbol": " " })).expect_err("nothing");
        assert!(error.to_string().ends_with("file, line and symbol are missing"), "{error}");
        let error = ask(json!({ "action": "symbols", "query": "" })).expect_err("nothing");
        assert!(error.to_string().ends_with("both are missing"), "{error}");
        let error = ask(json!({ "action": "format" })).expect_err("unknown");
        assert!(error.to_string().contains("no action \"format\""), "{error}");
    }

    #[test]
    fn the_whole_project_is_another_question() {
        assert_eq!(ask(json!({ "action": "diagnostics", "file": "*" })).ok(), Some(Ask::CheckAll));
        let one = ask(json!({ "action": "diagnostics", "file": "a.rs" })).ok();
        assert_eq!(one, Some(Ask::Diagnostics { file: "a.rs".into() }));
        let all = ask(json!({ "action": "symbols", "query": "x", "file": "" })).ok();
        assert_eq!(all, Some(Ask::WorkspaceSymbols { query: "x".into(), file: None }));
    }
}
