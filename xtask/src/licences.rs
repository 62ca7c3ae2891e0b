//! `licences`: every dependency is under a licence of the allow-list.

use crate::sh;
use anyhow::{Result, bail};
use serde_json::Value;

/// Licences that may be shipped with a program under MIT or Apache-2.0 without further duties than a notice.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// `licences`.
pub(crate) fn run() -> Result<bool> {
    let text = sh::stdout(sh::cargo().args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--all-features",
    ]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let problems: Vec<String> = packages.iter().filter_map(problem).collect();
    println!("{} crates, {} allowed licences", packages.len(), ALLOWED.len());
    for problem in &problems {
        println!("licences: {problem}");
    }
    Ok(problems.is_empty())
}

fn problem(package: &Value) -> Option<String> {
    let name = format!(
        "{} {}",
        package["name"].as_str().unwrap_or("?"),
        package["version"].as_str().unwrap_or("?")
    );
    let Some(expression) = package["license"].as_str() else {
        return Some(format!("{name} names no licence"));
    };
    match allowed(expression) {
        Ok(true) => None,
        Ok(false) => Some(format!("{name}: {expression:?} is not on the list")),
        Err(error) => Some(format!("{name}: cannot read {expression:?}: {error}")),
    }
}

/// Whether an SPDX expression can be met with allowed licences only. `/` is the old form of `OR`.
fn allowed(expression: &str) -> Result<bool> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words, at: 0 };
    let result = parser.any()?;
    match parser.next() {
        None => Ok(result),
        Some(word) => bail!("unexpected {word:?}"),
    }
}

struct Parser<'a> {
    words: &'a [&'a str],
    at: usize,
}

impl<'a> Parser<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        word
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.words.get(self.at) == Some(&word);
        self.at += usize::from(found);
        found
    }

    /// `all OR all …`
    fn any(&mut self) -> Result<bool> {
        let mut result = self.all()?;
        while self.take("OR") {
            result |= self.all()?;
        }
        Ok(result)
    }

    /// `one AND one …`
    fn all(&mut self) -> Result<bool> {
        let mut result = self.one()?;
        while self.take("AND") {
            result &= self.one()?;
        }
        Ok(result)
    }

    /// A licence, with an exception or not, or an expression in brackets.
    fn one(&mut self) -> Result<bool> {
        match self.next() {
            Some("(") => {
                let result = self.any()?;
                if !self.take(")") {
                    bail!("a bracket is not closed");
                }
                Ok(result)
            }
            Some(word) if !matches!(word, ")" | "OR" | "AND" | "WITH") => {
                let mut licence = word.to_string();
                if self.take("WITH") {
                    licence = format!("{licence} WITH {}", self.next().unwrap_or_default());
                }
                Ok(ALLOWED.contains(&licence.as_str()))
            }
            word => bail!("a licence is missing before {:?}", word.unwrap_or("the end")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_expressions() {
        for good in [
            "MIT",
            "MIT OR GPL-3.0",
            "GPL-2.0/MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR MIT",
        ] {
            assert!(allowed(good).unwrap(), "{good}");
        }
        for bad in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR ISC) AND LGPL-2.1",
            "Apache-2.0 WITH Other-exception",
        ] {
            assert!(!allowed(bad).unwrap(), "{bad}");
        }
        for broken in ["", "MIT OR", "(MIT", "MIT MIT", "AND MIT"] {
            assert!(allowed(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_crate_without_a_licence_is_a_problem() {
        let package = serde_json::json!({"name": "a", "version": "1.0.0", "license": null});
        assert_eq!(problem(&package).unwrap(), "a 1.0.0 names no licence");
    }
}
