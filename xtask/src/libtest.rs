//! Reads what `cargo test -- --show-output` prints and sums it up. No IO.

use std::collections::BTreeSet;

/// What one run of tests came to.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Tests that passed, less those that said they skipped.
    pub(crate) passed: usize,
    /// Tests that failed, plus test programs that did not build or died.
    pub(crate) failed: usize,
    /// `name: reason` of each test that said `SKIP` and of each ignored test.
    pub(crate) skipped: Vec<String>,
    /// Names of what failed.
    pub(crate) failures: Vec<String>,
}

impl Summary {
    /// The line that a run ends with.
    pub(crate) fn closing_line(&self) -> String {
        format!("{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped.len())
    }

    /// Adds another run's results.
    pub(crate) fn add(&mut self, other: Summary) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
        self.failures.extend(other.failures);
    }
}

/// What a line means to the person who watches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// Not worth showing.
    Hide,
    /// Show it as it is.
    Line,
    /// Show this instead.
    Text(String),
}

/// Follows the output line by line.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    summary: Summary,
    program: String,
    in_failures: bool,
    slow: BTreeSet<String>,
    skips: BTreeSet<String>,
}

impl Reader {
    /// Takes one line; says whether to show it.
    pub(crate) fn line(&mut self, line: &str) -> Show {
        let text = line.trim();
        if let Some(program) = program(text) {
            self.program = program;
            self.in_failures = false;
            return Show::Hide;
        }
        if let Some(rest) = text.strip_prefix("test result: ") {
            return self.result(rest);
        }
        if let Some(rest) = text.strip_prefix("test ") {
            return self.test(rest);
        }
        if let Some(skip) = text.strip_prefix("SKIP ") {
            if self.skips.insert(skip.to_string()) {
                self.summary.skipped.push(skip.to_string());
            }
            return Show::Line;
        }
        match text {
            "failures:" => self.in_failures = true,
            "successes:" => self.in_failures = false,
            _ => {}
        }
        let compiler = ["error:", "error[", "thread '"].iter().any(|p| text.starts_with(p));
        if self.in_failures || compiler { Show::Line } else { Show::Hide }
    }

    fn result(&mut self, rest: &str) -> Show {
        let (mut passed, mut failed) = (0, 0);
        for part in rest.split([';', '.']) {
            let mut words = part.split_whitespace();
            let count = words.next().and_then(|n| n.parse::<usize>().ok());
            match (count, words.next()) {
                (Some(n), Some("passed")) => passed = n,
                (Some(n), Some("failed")) => failed = n,
                _ => {}
            }
        }
        self.summary.passed += passed;
        self.summary.failed += failed;
        self.in_failures = false;
        if passed + failed == 0 {
            return Show::Hide;
        }
        let time = rest.rsplit_once("finished in ").map_or("", |(_, time)| time);
        Show::Text(format!("  {}: {passed} ok, {failed} failed, {time}", self.program))
    }

    fn test(&mut self, rest: &str) -> Show {
        if let Some(name) = rest.strip_suffix(" has been running for over 60 seconds") {
            self.slow.insert(name.to_string());
            return Show::Line;
        }
        let Some((name, result)) = rest.rsplit_once(" ... ") else { return Show::Hide };
        self.slow.remove(name);
        if result.starts_with("FAILED") {
            self.summary.failures.push(format!("{name} ({})", self.program));
            return Show::Line;
        }
        if result.starts_with("ignored") {
            let reason = result.strip_prefix("ignored, ").unwrap_or("ignored");
            self.summary.skipped.push(format!("{name}: {reason}"));
            return Show::Line;
        }
        Show::Hide
    }

    /// What was running when the run was killed: tests known to be slow, else the program.
    pub(crate) fn running(&self) -> String {
        if self.slow.is_empty() {
            return format!(
                "a test of {}",
                if self.program.is_empty() { "a program not yet built" } else { &self.program }
            );
        }
        format!(
            "{} (of {})",
            self.slow.iter().cloned().collect::<Vec<_>>().join(", "),
            self.program
        )
    }

    /// The sums. `success` is what `cargo test` itself said: when it failed although no test did
    /// (a build error, a crash), that counts as one failure.
    pub(crate) fn finish(self, success: bool) -> Summary {
        let mut summary = self.summary;
        summary.passed = summary.passed.saturating_sub(self.skips.len());
        if !success && summary.failed == 0 {
            summary.failed = 1;
            summary.failures.push(match self.program.as_str() {
                "" => "the build".to_string(),
                program => {
                    format!("the build, or a test program that died (after {program} had begun)")
                }
            });
        }
        summary
    }
}

/// The test program that a line of cargo announces.
fn program(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("Running ") {
        let (source, path) = rest.split_once(" (")?;
        let file = path.trim_end_matches(')').rsplit('/').next()?;
        let krate = file.rsplit_once('-').map_or(file, |(name, _)| name);
        return Some(format!("{krate}: {}", source.strip_prefix("unittests ").unwrap_or(source)));
    }
    text.strip_prefix("Doc-tests ").map(|krate| format!("{krate}: doc tests"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
   Compiling tool-core v0.1.0
     Running unittests src/lib.rs (target/debug/deps/tool_core-0c5b)
running 3 tests
test lane::one ... ok
test lane::two ... FAILED
test lane::three ... ok

successes:

---- lane::three stdout ----
SKIP lane::three: no corpus for zig
failures:

---- lane::two stdout ----
thread 'lane::two' panicked at src/lane.rs:3:5:
left is not right

failures:
    lane::two

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
   Doc-tests runbound
test crates/runbound/src/lib.rs - (line 3) ... ok
test crates/runbound/src/lib.rs - (line 9) ... ignored
test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 1.20s
";

    fn read(text: &str) -> (Reader, Vec<&str>) {
        let mut reader = Reader::default();
        let shown = text.lines().filter(|l| reader.line(l) == Show::Line).collect();
        (reader, shown)
    }

    #[test]
    fn sums_up_programs_doc_tests_and_skips() {
        let (reader, shown) = read(OUTPUT);
        let summary = reader.finish(false);
        assert_eq!(summary.closing_line(), "2 passed, 1 failed, 2 skipped");
        assert_eq!(summary.failures, ["lane::two (tool_core: src/lib.rs)"]);
        assert_eq!(summary.skipped[0], "lane::three: no corpus for zig");
        assert!(shown.contains(&"left is not right"));
        assert!(!shown.contains(&"test lane::one ... ok"));
    }

    #[test]
    fn a_build_that_fails_is_a_failure() {
        let (reader, shown) = read("error[E0425]: cannot find value `x`\n");
        assert_eq!(shown.len(), 1);
        let summary = reader.finish(false);
        assert_eq!(summary.closing_line(), "0 passed, 1 failed, 0 skipped");
        assert_eq!(summary.failures, ["the build"]);
    }

    #[test]
    fn a_program_that_dies_after_passing_tests_is_a_failure() {
        let text = "Running unittests src/lib.rs (target/debug/deps/a-1)\ntest x ... ok\n";
        assert_eq!(read(text).0.finish(false).failed, 1);
        assert_eq!(read(text).0.finish(true).failed, 0);
    }

    #[test]
    fn names_the_test_that_hangs() {
        let text = "Running tests/it/main.rs (target/debug/deps/it-1)\ntest a has been running for over 60 seconds\ntest b has been running for over 60 seconds\ntest b ... ok\n";
        assert_eq!(read(text).0.running(), "a (of it: tests/it/main.rs)");
        assert_eq!(read("").0.running(), "a test of a program not yet built");
    }

    #[test]
    fn the_same_skip_twice_counts_once() {
        let text =
            "SKIP a: no pip\nSKIP a: no pip\ntest result: ok. 3 passed; 0 failed; 0 ignored;\n";
        assert_eq!(read(text).0.finish(true).closing_line(), "2 passed, 0 failed, 1 skipped");
    }
}
