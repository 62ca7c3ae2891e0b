//! From the text of a patch to its files and hunks.
//!
//! Strict about what a line means, lenient about what models get wrong harmlessly: counts in hunk headers, headers
//! without numbers, blanks that were trimmed off empty context lines, prose and fences around the patch.

use crate::patch::header::{Headers, path_of};
use crate::patch::{Endings, FilePatch, Hunk, Kind, Line, PatchError, Verb};

/// Parses a unified diff of any number of files.
///
/// # Errors
/// The first thing that cannot be understood, with its line in the patch.
pub(crate) fn parse(patch: &str) -> Result<Vec<FilePatch>, PatchError> {
    let mut lines: Vec<&str> = patch.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let mut parser = Parser { lines, at: 0 };
    let mut files: Vec<FilePatch> = Vec::new();
    while let Some(file) = parser.file()? {
        let same = |other: &&mut FilePatch| {
            matches!(file.verb, Verb::Change { .. }) && other.verb == file.verb
        };
        match files.iter_mut().find(same) {
            // Models write the headers again before each hunk.
            Some(earlier) => earlier.hunks.extend(file.hunks),
            None => files.push(file),
        }
    }
    if files.is_empty() {
        return Err(PatchError::new(
            1,
            "no file in it: expected \"--- a/path\" and \"+++ b/path\" lines",
        ));
    }
    Ok(files)
}

struct Parser<'a> {
    lines: Vec<&'a str>,
    /// Index of the next line.
    at: usize,
}

impl<'a> Parser<'a> {
    /// A line without the carriage return that a patch may have been carried with.
    fn header_line(&self, at: usize) -> Option<&'a str> {
        self.lines.get(at).map(|line| line.strip_suffix('\r').unwrap_or(line))
    }

    fn is_file_header(&self, at: usize) -> bool {
        self.header_line(at).is_some_and(|line| line.starts_with("--- "))
            && self.header_line(at + 1).is_some_and(|line| line.starts_with("+++ "))
    }

    fn is_git_header(&self, at: usize) -> bool {
        self.header_line(at).is_some_and(|line| line.starts_with("diff --git "))
    }

    fn is_hunk_header(&self, at: usize) -> bool {
        self.header_line(at).is_some_and(|line| line == "@@" || line.starts_with("@@ "))
    }

    fn file(&mut self) -> Result<Option<FilePatch>, PatchError> {
        let mut headers = Headers::default();
        while !self.is_file_header(self.at) && !self.is_git_header(self.at) {
            let Some(line) = self.header_line(self.at) else {
                return Ok(None);
            };
            if line.starts_with("*** Begin Patch") {
                let message = "this is no unified diff: expected \"--- a/path\", \"+++ b/path\" and \"@@\" lines";
                return Err(PatchError::new(self.at + 1, message));
            }
            if self.is_hunk_header(self.at) {
                let message = "a hunk without \"--- a/path\" and \"+++ b/path\" lines before it";
                return Err(PatchError::new(self.at + 1, message));
            }
            self.at += 1;
        }
        headers.line = self.at + 1;
        if let Some(rest) =
            self.header_line(self.at).and_then(|line| line.strip_prefix("diff --git "))
        {
            headers.git = Some(rest.to_owned());
            self.at += 1;
            while !self.is_file_header(self.at)
                && !self.is_git_header(self.at)
                && !self.is_hunk_header(self.at)
                && let Some(line) = self.header_line(self.at)
            {
                headers.extended(line, self.at + 1)?;
                self.at += 1;
            }
        }
        if self.is_file_header(self.at) {
            headers.old =
                self.header_line(self.at).and_then(|line| line.strip_prefix("--- ")).map(path_of);
            headers.new = self
                .header_line(self.at + 1)
                .and_then(|line| line.strip_prefix("+++ "))
                .map(path_of);
            self.at += 2;
        }
        let mut hunks = Vec::new();
        loop {
            // Nothing but blank lines may stand between the hunks of a file.
            let next = (self.at..self.lines.len()).find(|at| self.header_line(*at) != Some(""));
            match next {
                Some(at) if self.is_hunk_header(at) => {
                    self.at = at;
                    hunks.push(self.hunk()?);
                }
                _ => break,
            }
        }
        let verb = headers.verb(!hunks.is_empty())?;
        Ok(Some(FilePatch { verb, hunks }))
    }

    fn hunk(&mut self) -> Result<Hunk, PatchError> {
        let header = self.at + 1;
        let line = self.header_line(self.at).unwrap_or_default();
        let ranges = ranges(line);
        self.at += 1;
        let end = ranges
            .and_then(|(old, new)| self.counted(old.1, new.1))
            .unwrap_or_else(|| self.uncounted());
        let body = &self.lines[self.at..end];
        self.at = end;
        let hunk = read_body(header, ranges.map(|(old, _)| old), body)?;
        if hunk.lines.iter().all(|line| line.kind == Kind::Keep) {
            return Err(PatchError::new(header, "a hunk that neither adds nor removes a line"));
        }
        Ok(hunk)
    }

    /// The end of a body with just so many old and new lines; `None` when the counts of the header are wrong.
    fn counted(&self, mut old: usize, mut new: usize) -> Option<usize> {
        let mut at = self.at;
        while old > 0 || new > 0 {
            let line = self.lines.get(at)?;
            match line.as_bytes().first() {
                Some(b' ' | b'\t') | None => {
                    old = old.checked_sub(1)?;
                    new = new.checked_sub(1)?;
                }
                Some(b'-') => old = old.checked_sub(1)?,
                Some(b'+') => new = new.checked_sub(1)?,
                Some(b'\\') => {}
                Some(b'\r') if *line == "\r" => {
                    old = old.checked_sub(1)?;
                    new = new.checked_sub(1)?;
                }
                Some(_) => return None,
            }
            at += 1;
        }
        while self.lines.get(at).is_some_and(|line| line.starts_with('\\')) {
            at += 1;
        }
        // "-- " is how a mailed patch ends.
        let ends = match self.header_line(at) {
            None | Some("-- " | "--") => true,
            Some(line) => !line.starts_with([' ', '+', '-']) || self.is_file_header(at),
        };
        ends.then_some(at)
    }

    /// The end of a body whose header says nothing, or something wrong: the next header, or the first strange line.
    fn uncounted(&self) -> usize {
        let mut at = self.at;
        while let Some(line) = self.lines.get(at) {
            let strange =
                !line.is_empty() && *line != "\r" && !line.starts_with([' ', '+', '-', '\\', '\t']);
            if strange || self.is_file_header(at) {
                break;
            }
            at += 1;
        }
        while at > self.at && matches!(self.header_line(at - 1), Some("" | "-- ")) {
            at -= 1;
        }
        at
    }
}

type Range = (usize, usize);

/// `@@ -3,7 +3,8 @@`: start and count of the old and of the new lines.
fn ranges(header: &str) -> Option<(Range, Range)> {
    let mut words = header.strip_prefix("@@ ")?.split_whitespace();
    let range = |word: &str, sign| -> Option<Range> {
        let word = word.strip_prefix(sign)?;
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    Some((range(words.next()?, '-')?, range(words.next()?, '+')?))
}

fn read_body(header: usize, old: Option<Range>, body: &[&str]) -> Result<Hunk, PatchError> {
    let full = body.iter().filter(|line| !line.is_empty() && !line.starts_with('\\'));
    let (with, without): (Vec<&str>, Vec<&str>) = full.partition(|line| line.ends_with('\r'));
    let endings = match (with.is_empty(), without.is_empty()) {
        (true, _) => Endings::Plain,
        (false, true) => Endings::CrLf,
        (false, false) => Endings::Literal,
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut marked = false;
    for (n, line) in body.iter().enumerate() {
        if line.starts_with('\\') {
            let Some(last) = lines.last_mut() else {
                return Err(PatchError::new(header + n + 1, "\"\\ No newline\" before any line"));
            };
            last.open = true;
            marked = true;
            continue;
        }
        let line = match endings {
            Endings::CrLf => line.strip_suffix('\r').unwrap_or(line),
            _ => line,
        };
        let (kind, text) = match line.as_bytes().first() {
            Some(b' ') => (Kind::Keep, &line[1..]),
            Some(b'-') => (Kind::Remove, &line[1..]),
            Some(b'+') => (Kind::Add, &line[1..]),
            // An empty line, or one whose first blank was lost.
            _ => (Kind::Keep, line),
        };
        lines.push(Line { kind, text: text.to_owned(), open: false });
    }
    let start = old.map(|(start, count)| if count == 0 { start + 1 } else { start });
    Ok(Hunk { header, start, lines, endings, marked })
}
