//! Random arguments: nearly right, wrong in type, extreme, absurd.

use serde_json::{Map, Value, json};

/// A small generator of its own, so that a seed means the same everywhere.
pub(super) struct Junk(u64);

const STRINGS: [&str; 16] = [
    "",
    " ",
    "a",
    "$A",
    "$$$",
    "\0",
    "\u{feff}x\r\n",
    "../conform-outside",
    "/",
    ".",
    "no/such/file.rs",
    "ẞ😀\u{202e}abc",
    "{\"a\":",
    "[[[[[[",
    "-1",
    "(((((((((((((((((((((((((((((",
];

impl Junk {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        // Only the low bits matter, so truncating is fine.
        usize::try_from(self.next() % (n.max(1) as u64)).unwrap_or(0)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Arguments for a tool: mostly its own keys with mostly the right types.
    pub(super) fn arguments(&mut self, schema: &Value) -> Value {
        match self.below(24) {
            0 => json!(null),
            1 => json!([1, 2]),
            2 => json!("not an object"),
            _ => self.object(schema, 0),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut map = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            let wanted = required.iter().any(|r| r == key);
            let give = if wanted { !self.one_in(12) } else { self.one_in(2) };
            if give {
                let value = self.value(property, depth + 1);
                map.insert(key.clone(), value);
            }
        }
        if self.one_in(16) {
            map.insert("surprise".to_owned(), self.anything(depth));
        }
        Value::Object(map)
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if self.one_in(8) {
            return self.anything(depth);
        }
        if let Some(words) = schema["enum"].as_array()
            && !words.is_empty()
            && !self.one_in(8)
        {
            return words[self.below(words.len())].clone();
        }
        match schema["type"].as_str() {
            Some("integer") => self.integer(),
            Some("number") => json!([0.0, -1.5, 1e308, 3.0, f64::MIN_POSITIVE][self.below(5)]),
            Some("boolean") => json!(self.one_in(2)),
            Some("array") => {
                let n = self.below(4);
                (0..n).map(|_| self.value(&schema["items"], depth + 1)).collect()
            }
            Some("object") => self.object(schema, depth),
            _ => self.string(),
        }
    }

    fn integer(&mut self) -> Value {
        let values = [0, 1, 2, -1, 7, 1_000_000, i64::MAX, i64::MIN];
        if self.one_in(9) {
            return json!(u64::MAX);
        }
        json!(values[self.below(values.len())])
    }

    fn string(&mut self) -> Value {
        match self.below(12) {
            0 => json!("x".repeat(70_000)),
            1 => json!(format!("{}{}", STRINGS[self.below(16)], STRINGS[self.below(16)])),
            _ => json!(STRINGS[self.below(16)]),
        }
    }

    fn anything(&mut self, depth: usize) -> Value {
        match self.below(if depth > 3 { 5 } else { 8 }) {
            0 => json!(null),
            1 => json!(self.one_in(2)),
            2 => self.integer(),
            3 => json!(0.25),
            4 => self.string(),
            5 => json!([self.anything(depth + 1)]),
            6 => json!({ "a": self.anything(depth + 1) }),
            _ => (0..60).fold(json!(1), |inner, _| json!([inner])),
        }
    }
}
