//! Checkers that print lines for people.

use std::path::Path;

use super::{Place, diagnostic, severity, under};
use crate::diagnostics::{Diagnostic, Severity};

/// `path:line:column: rest` or `path:line: rest`. The path may have colons of its own.
fn place(line: &str) -> Option<(&str, Place, &str)> {
    let bytes = line.as_bytes();
    let colons = bytes.iter().enumerate().filter(|(_, byte)| **byte == b':').map(|(at, _)| at);
    for at in colons {
        let Some((first, rest)) = digits(&line[at + 1..]) else { continue };
        if at == 0 {
            continue;
        }
        let Some(rest) = rest.strip_prefix(':') else { continue };
        if let Some((column, behind)) = digits(rest)
            && let Some(behind) = behind.strip_prefix(':')
        {
            return Some((&line[..at], Place::point(first, column), behind.trim()));
        }
        if rest.starts_with(' ') {
            return Some((&line[..at], Place::point(first, 1), rest.trim()));
        }
    }
    None
}

fn digits(text: &str) -> Option<(u64, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..len].parse().ok()?, &text[len..]))
}

/// `src/a.ts(2,23): error TS2322: message`, indented lines belong to the one before; or `error TS18003: message`.
pub(super) fn tsc(stdout: &str, dir: &Path, config: &Path) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for line in stdout.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(last) = found.last_mut() {
                last.message.push('\n');
                last.message.push_str(line.trim());
            }
            continue;
        }
        found.extend(tsc_line(line, dir, config));
    }
    found
}

fn tsc_line(line: &str, dir: &Path, config: &Path) -> Option<Diagnostic> {
    let (head, level, rest) = ["error", "warning", "message"].into_iter().find_map(|level| {
        let mark = format!("{level} TS");
        let at = line.find(&mark)?;
        (at == 0 || line[..at].ends_with("): "))
            .then(|| (line[..at].trim_end_matches(": "), level, &line[at + level.len() + 1..]))
    })?;
    let (code, message) = rest.split_once(": ")?;
    let code = Some(code.to_owned());
    if head.is_empty() {
        let place = Place::point(1, 1);
        return Some(diagnostic(config.into(), place, severity(level), code, "tsc", message));
    }
    let (path, at) = head.strip_suffix(')')?.rsplit_once('(')?;
    let (row, column) = at.split_once(',')?;
    let place = Place::point(row.parse().ok()?, column.parse().ok()?);
    Some(diagnostic(under(dir, path), place, severity(level), code, "tsc", message))
}

/// `a.py:2:15: error[missing-module-member] message`.
pub(super) fn concise(stdout: &str, dir: &Path) -> Vec<Diagnostic> {
    let read = |line: &str| {
        let (path, at, rest) = place(line)?;
        let (head, message) = rest.split_once("] ")?;
        let (level, code) = head.split_once('[')?;
        let code = Some(code.to_owned());
        let level = if level == "fatal" { Severity::Error } else { severity(level) };
        Some(diagnostic(under(dir, path), at, level, code, "ty", message))
    };
    stdout.lines().filter_map(read).collect()
}

/// `./main.go:5:2: message`. Vet writes `vet: ` before what does not compile; what else it finds is a warning.
pub(super) fn go(stderr: &str, dir: &Path, vet: bool) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for line in stderr.lines() {
        if line.starts_with('#') {
            continue;
        }
        // A tab continues the message above.
        if let (Some(more), Some(last)) = (line.strip_prefix('\t'), found.last_mut()) {
            last.message.push('\n');
            last.message.push_str(more);
            continue;
        }
        let (line, level) = match line.strip_prefix("vet: ") {
            Some(rest) => (rest, Severity::Error),
            None if vet => (line, Severity::Warning),
            None => (line, Severity::Error),
        };
        let source = if vet { "go vet" } else { "go" };
        if let Some((path, at, message)) = place(line).filter(|(path, ..)| path.ends_with(".go")) {
            let path = under(dir, path);
            found.push(diagnostic(path, at, level, None, source, message));
        }
    }
    found
}

/// `E[16:59:43.811] [code] Line 2: message`.
pub(super) fn clangd(stderr: &str, file: &Path) -> Vec<Diagnostic> {
    let read = |line: &str| {
        let (_, rest) = line.strip_prefix("E[")?.split_once("] [")?;
        let (code, rest) = rest.split_once("] Line ")?;
        let (row, message) = rest.split_once(": ")?;
        // The log has no severity; a flag of a warning is one.
        let level = if code.starts_with("-W") { Severity::Warning } else { Severity::Error };
        let place = Place::point(row.parse().ok()?, 1);
        Some(diagnostic(file.into(), place, level, Some(code.to_owned()), "clangd", message))
    };
    stderr.lines().filter_map(read).collect()
}

/// `PHP Parse error:  message in a.php on line 2`, on either stream, with `PHP ` or without.
pub(super) fn php(stdout: &str, stderr: &str, dir: &Path) -> Vec<Diagnostic> {
    let read = |line: &str| {
        let line = line.trim().strip_prefix("PHP ").unwrap_or(line.trim());
        let (kind, rest) = line.split_once(": ")?;
        let level = match kind {
            "Parse error" | "Fatal error" => Severity::Error,
            "Warning" | "Deprecated" => Severity::Warning,
            _ => return None,
        };
        let (head, row) = rest.rsplit_once(" on line ")?;
        let (message, path) = head.rsplit_once(" in ")?;
        let place = Place::point(row.trim().parse().ok()?, 1);
        Some(diagnostic(under(dir, path), place, level, None, "php", message.trim()))
    };
    stdout.lines().chain(stderr.lines()).filter_map(read).collect()
}

/// `luac5.4: a.lua:1: message`.
pub(super) fn luac(stderr: &str, dir: &Path) -> Vec<Diagnostic> {
    let read = |line: &str| {
        let (program, rest) = line.split_once(": ")?;
        let (path, at, message) = place(rest).filter(|_| program.contains("lua"))?;
        Some(diagnostic(under(dir, path), at, Severity::Error, None, "luac", message))
    };
    stderr.lines().filter_map(read).collect()
}

/// Maven's `[ERROR] /a/B.java:[3,5] message`, javac's `/a/B.java:3: error: message`, kotlinc's
/// `e: file:///a/B.kt:3:5 message`.
pub(super) fn jvm(stdout: &str, stderr: &str, dir: &Path) -> Vec<Diagnostic> {
    let maven = |line: &str| {
        let (word, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let level = match word {
            "ERROR" => Severity::Error,
            "WARNING" => Severity::Warning,
            _ => return None,
        };
        let (path, rest) = rest.split_once(":[")?;
        let (at, message) = rest.split_once("] ")?;
        let (row, column) = at.split_once(',')?;
        let place = Place::point(row.parse().ok()?, column.parse().ok()?);
        Some(diagnostic(under(dir, path), place, level, None, "maven", message))
    };
    let javac = |line: &str| {
        let (path, at, rest) = place(line)?;
        let (word, message) = rest.split_once(": ")?;
        let level = match word {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => return None,
        };
        Some(diagnostic(under(dir, path), at, level, None, "javac", message))
    };
    let kotlin = |line: &str| {
        let (word, rest) = line.split_once(": ")?;
        let level = match word {
            "e" => Severity::Error,
            "w" => Severity::Warning,
            _ => return None,
        };
        let (head, message) = rest.strip_prefix("file://")?.split_once(' ')?;
        let (head, column) = head.rsplit_once(':')?;
        let (path, row) = head.rsplit_once(':')?;
        let place = Place::point(row.parse().ok()?, column.parse().ok()?);
        Some(diagnostic(under(dir, path), place, level, None, "kotlinc", message))
    };
    let read = |line: &str| maven(line).or_else(|| kotlin(line)).or_else(|| javac(line));
    stdout.lines().chain(stderr.lines()).filter_map(read).collect()
}
