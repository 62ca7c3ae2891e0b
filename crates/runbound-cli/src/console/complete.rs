//! Completion at the prompt: names of tools, keys of their arguments, words of a closed choice.

use serde_json::Value;

/// A visible tool, as far as completion needs it.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) schema: Value,
}

const WORDS: [&str; 5] = [":help", ":quit", ":schema", ":tier", ":tools"];

/// What may stand at the end of `before`: where the replaced part starts (bytes), and the candidates.
pub(crate) fn complete(tools: &[Known], before: &str) -> (usize, Vec<String>) {
    let start = before
        .rfind(char::is_whitespace)
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let (head, part) = before.split_at(start);
    let mut words = head.split_whitespace();
    let candidates: Vec<String> = match words.next() {
        None => {
            tools.iter().map(|tool| tool.name.clone()).chain(WORDS.map(str::to_owned)).collect()
        }
        Some(":schema") => tools.iter().map(|tool| tool.name.clone()).collect(),
        Some(":tier") => ["read", "write", "exec"].map(str::to_owned).into(),
        Some(name) => match tools.iter().find(|tool| tool.name == name) {
            Some(tool) => arguments(&tool.schema, part, words),
            None => Vec::new(),
        },
    };
    let fits = candidates
        .into_iter()
        .filter(|candidate| candidate.starts_with(part) && candidate != part)
        .collect();
    (start, fits)
}

fn arguments<'a>(schema: &Value, part: &str, given: impl Iterator<Item = &'a str>) -> Vec<String> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    if let Some((key, _)) = part.split_once('=') {
        let choice = properties.get(key).and_then(|property| property.get("enum")?.as_array());
        return choice
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(|word| format!("{key}={word}"))
            .collect();
    }
    let given: Vec<&str> = given.filter_map(|word| Some(word.split_once('=')?.0)).collect();
    properties
        .keys()
        .filter(|key| !given.contains(&key.as_str()))
        .map(|key| format!("{key}="))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(before: &str) -> (usize, Vec<String>) {
        let tools = [
            Known {
                name: "read".into(),
                schema: json!({"properties": {"path": {}, "start_line": {}}}),
            },
            Known {
                name: "resolve".into(),
                schema: json!({"properties": {"action": {"enum": ["accept", "discard"]}}}),
            },
        ];
        complete(&tools, before)
    }

    #[test]
    fn names_come_first() {
        assert_eq!(at("re"), (0, vec!["read".into(), "resolve".into()]));
        assert_eq!(at(":sc"), (0, vec![":schema".into()]));
        assert_eq!(at(":schema res"), (8, vec!["resolve".into()]));
        assert_eq!(at("nothing p"), (8, vec![]));
    }

    #[test]
    fn then_keys_that_are_not_given_yet() {
        assert_eq!(at("read "), (5, vec!["path=".into(), "start_line=".into()]));
        assert_eq!(at("read path=a "), (12, vec!["start_line=".into()]));
        assert_eq!(at("resolve action=d"), (8, vec!["action=discard".into()]));
    }

    #[test]
    fn a_wide_space_is_a_space() {
        assert_eq!(at("read\u{3000}pa"), (7, vec!["path=".into()]));
    }
}
