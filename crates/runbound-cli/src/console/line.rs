//! What a person types at the prompt: a call as words or as JSON, or a word to the console itself.

use serde_json::{Map, Value};

/// A line, understood.
#[derive(Debug, PartialEq)]
pub(crate) enum Entry {
    Nothing,
    Call {
        tool: String,
        args: Value,
    },
    Help,
    Tools,
    Schema(String),
    /// The word after `:tier`.
    Tier(String),
    Quit,
}

/// Reads a line. `schema_of` gives the input schema of a visible tool: it tells numbers from text in `key=value`.
///
/// # Errors
/// What is wrong, in a sentence.
pub(crate) fn parse<'a>(
    line: &str,
    schema_of: impl Fn(&str) -> Option<&'a Value>,
) -> Result<Entry, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(Entry::Nothing);
    }
    if let Some(word) = line.strip_prefix(':') {
        return steer(word);
    }
    let (tool, rest) = match line.split_once(char::is_whitespace) {
        Some((tool, rest)) => (tool, rest.trim()),
        None => (line, ""),
    };
    // What people type by habit, unless a tool has the name.
    if rest.is_empty() && schema_of(tool).is_none() {
        match tool {
            "quit" | "exit" => return Ok(Entry::Quit),
            "help" | "?" => return Ok(Entry::Help),
            "tools" => return Ok(Entry::Tools),
            _ => {}
        }
    }
    let args = if rest.starts_with('{') {
        serde_json::from_str(rest)
            .map_err(|error| format!("the arguments are not JSON: {error}"))?
    } else {
        words_to_args(rest, schema_of(tool))?
    };
    Ok(Entry::Call { tool: tool.to_owned(), args })
}

/// Whether the line goes on: a JSON object that has been opened and not closed.
pub(crate) fn is_unfinished(line: &str) -> bool {
    let json = line.trim_start().split_once(char::is_whitespace).map(|(_, rest)| rest.trim_start());
    json.filter(|rest| rest.starts_with('{'))
        .is_some_and(|rest| serde_json::from_str::<Value>(rest).is_err_and(|error| error.is_eof()))
}

fn steer(word: &str) -> Result<Entry, String> {
    let (word, rest) = word.split_once(char::is_whitespace).unwrap_or((word, ""));
    let rest = rest.trim().to_owned();
    match word {
        "help" | "h" | "?" => Ok(Entry::Help),
        "tools" => Ok(Entry::Tools),
        "schema" if rest.is_empty() => Err(":schema needs the name of a tool".to_owned()),
        "schema" => Ok(Entry::Schema(rest)),
        "tier" => Ok(Entry::Tier(rest)),
        "quit" | "q" | "exit" => Ok(Entry::Quit),
        other => Err(format!("there is no :{other}; see :help")),
    }
}

fn words_to_args(text: &str, schema: Option<&Value>) -> Result<Value, String> {
    let mut args = Map::new();
    for word in split(text)? {
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!(
                "\"{word}\" is no key=value; arguments are words like path=src or one JSON object"
            ));
        };
        let kind = schema
            .and_then(|schema| schema.get("properties")?.get(key)?.get("type")?.as_str())
            .unwrap_or("string");
        let value = match kind {
            "string" => Value::String(value.to_owned()),
            _ => serde_json::from_str(value)
                .map_err(|_| format!("{key} takes {}, not \"{value}\"", article(kind)))?,
        };
        if args.insert(key.to_owned(), value).is_some() {
            return Err(format!("{key} is given twice"));
        }
    }
    Ok(Value::Object(args))
}

fn article(kind: &str) -> String {
    match kind {
        "integer" | "array" | "object" => format!("an {kind} as JSON"),
        kind => format!("a {kind} as JSON"),
    }
}

/// Splits into words as a shell would: '…' is literal, in "…" a backslash makes \n, \t, \" and \\. A `$` means nothing.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            space if space.is_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(char) => word.push(char),
                        None => return Err("a ' is not closed".to_owned()),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some('n') => word.push('\n'),
                            Some('t') => word.push('\t'),
                            Some(char @ ('"' | '\\')) => word.push(char),
                            Some(char) => word.extend(['\\', char]),
                            None => return Err("a \" is not closed".to_owned()),
                        },
                        Some(char) => word.push(char),
                        None => return Err("a \" is not closed".to_owned()),
                    }
                }
            }
            char => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(line: &str) -> Result<Entry, String> {
        let schema = json!({"properties": {
            "pattern": {"type": "string"}, "max_results": {"type": "integer"},
            "all": {"type": "boolean"}, "paths": {"type": "array"},
        }});
        parse(line, |name| (name == "t").then_some(&schema))
    }

    fn args(line: &str) -> Value {
        match read(line).unwrap() {
            Entry::Call { tool, args } if tool == "t" => args,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_take_the_type_of_the_schema() {
        let got = args(r#"t pattern=7 max_results=7 all=true paths='["a","b"]'"#);
        assert_eq!(
            got,
            json!({"pattern": "7", "max_results": 7, "all": true, "paths": ["a", "b"]})
        );
        // Quotes are the shell's, so an array of text is quoted as a whole.
        assert!(read(r#"t paths=["a"]"#).is_err());
    }

    #[test]
    fn quotes_keep_spaces_and_dollars() {
        assert_eq!(
            args("t pattern='if ($X != null) $X.dispose()'"),
            json!({"pattern": "if ($X != null) $X.dispose()"})
        );
        assert_eq!(
            args(r#"t pattern="a\n\"b\" \d" all=false"#),
            json!({"pattern": "a\n\"b\" \\d", "all": false})
        );
        assert_eq!(args("t pattern=a=b"), json!({"pattern": "a=b"}));
        assert_eq!(args("t pattern=''"), json!({"pattern": ""}));
        assert_eq!(args(r#"t {"pattern": "x", "n": [1]}"#), json!({"pattern": "x", "n": [1]}));
        assert_eq!(args("t"), json!({}));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, why) in [
            ("t pattern", "no key=value"),
            ("t pattern='x", "not closed"),
            ("t max_results=many", "max_results takes an integer"),
            ("t pattern=a pattern=b", "twice"),
            ("t {", "not JSON"),
            (":frob", "no :frob"),
            (":schema", "needs the name"),
        ] {
            let said = read(line).unwrap_err();
            assert!(said.contains(why), "{line}: {said}");
        }
    }

    #[test]
    fn words_to_the_console() {
        assert_eq!(read(":tier read"), Ok(Entry::Tier("read".into())));
        assert_eq!(read(":schema t"), Ok(Entry::Schema("t".into())));
        assert_eq!(read("quit"), Ok(Entry::Quit));
        assert_eq!((read("help"), read("?")), (Ok(Entry::Help), Ok(Entry::Help)));
        assert_eq!(read("tools"), Ok(Entry::Tools));
        assert!(matches!(read("help path=a"), Ok(Entry::Call { .. })), "a call has arguments");
        assert_eq!(read("  # note"), Ok(Entry::Nothing));
        assert_eq!(read(""), Ok(Entry::Nothing));
    }

    #[test]
    fn an_open_object_goes_on() {
        assert!(is_unfinished("t {\"pattern\":"));
        assert!(!is_unfinished("t {\"pattern\": 1}"));
        assert!(!is_unfinished("t {]"));
        assert!(!is_unfinished("t pattern={"));
    }
}
