//! Hunks onto a text: exact context or nothing.

use crate::patch::{Endings, Hunk, Kind, Line};
use crate::text::{Ending, listed, split_ending};

/// A text with all hunks applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Applied {
    pub(crate) text: String,
    /// Hunks that stood elsewhere than they said: number from 1, line they said, line they were found at.
    pub(crate) moved: Vec<(usize, usize, usize)>,
}

/// Why a hunk does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unapplied {
    /// Number of the hunk in its file, from 1.
    pub(crate) hunk: usize,
    /// Line of its header in the patch, from 1.
    pub(crate) header: usize,
    pub(crate) message: String,
}

/// Applies the hunks of one file, in order.
///
/// # Errors
/// The first hunk whose context is not there, or is there several times and not where the hunk says.
pub(crate) fn apply(text: &str, hunks: &[Hunk]) -> Result<Applied, Unapplied> {
    // A byte order mark is no part of the first line, unless the patch has it there, as git writes it.
    let mut lines = hunks.iter().flat_map(|hunk| &hunk.lines);
    let is_told = lines.any(|line| line.text.starts_with('\u{feff}'));
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) if !is_told => ("\u{feff}", body),
        _ => ("", text),
    };
    let mut target = Target {
        lines: body.split_inclusive('\n').collect(),
        ending: Ending::of(body).as_str(),
        out: mark.to_owned(),
        mark: mark.len(),
        next: 0,
    };
    let mut moved = Vec::new();
    // How far the last hunk was off; the next is probably as far.
    let mut shift = 0_isize;
    for (n, hunk) in hunks.iter().enumerate() {
        let said = hunk.start.map(|start| start.max(1) - 1);
        let expected = said.and_then(|said| said.checked_add_signed(shift));
        let at = target.find(hunk, expected).map_err(|message| Unapplied {
            hunk: n + 1,
            header: hunk.header,
            message,
        })?;
        if let Some(said) = said {
            shift = isize::try_from(at).unwrap_or(0) - isize::try_from(said).unwrap_or(0);
            if shift != 0 {
                moved.push((n + 1, said + 1, at + 1));
            }
        }
        target.take(hunk, at);
    }
    target.copy_to(target.lines.len());
    Ok(Applied { text: target.out, moved })
}

struct Target<'a> {
    lines: Vec<&'a str>,
    /// The ending that most lines have.
    ending: &'static str,
    out: String,
    /// Bytes of the byte order mark.
    mark: usize,
    /// First line that no hunk has taken yet.
    next: usize,
}

impl<'a> Target<'a> {
    fn find(&self, hunk: &Hunk, expected: Option<usize>) -> Result<usize, String> {
        let old: Vec<&Line> = hunk.lines.iter().filter(|line| line.kind != Kind::Add).collect();
        if old.is_empty() {
            return match expected {
                Some(at) if at >= self.next && at <= self.lines.len() => Ok(at),
                None if self.lines.is_empty() => Ok(0),
                Some(at) => Err(format!(
                    "it only adds lines, before line {} of {}; give the lines around them as context",
                    at + 1,
                    self.lines.len()
                )),
                None => Err("it has neither line numbers nor context".to_owned()),
            };
        }
        let fits =
            |at: usize| old.iter().enumerate().all(|(n, line)| self.same(hunk, line, at + n));
        if let Some(at) = expected
            && at >= self.next
            && fits(at)
        {
            return Ok(at);
        }
        let last = self.lines.len().saturating_sub(old.len());
        let places: Vec<usize> = (self.next..=last).filter(|at| fits(*at)).collect();
        match places[..] {
            [at] => Ok(at),
            [] => Err(self.difference(hunk, &old, expected)),
            _ => {
                let lines: Vec<usize> = places.iter().map(|at| at + 1).collect();
                Err(format!(
                    "its context occurs {} times, at lines {}; give more context or the right line number",
                    places.len(),
                    listed(&lines)
                ))
            }
        }
    }

    fn same(&self, hunk: &Hunk, line: &Line, at: usize) -> bool {
        let Some(there) = self.lines.get(at) else {
            return false;
        };
        let (content, ending) = match hunk.endings {
            Endings::Literal => there.split_at(there.strip_suffix('\n').unwrap_or(there).len()),
            _ => split_ending(there),
        };
        // A line marked as without an ending must be so; one that is not marked may be, as models leave the mark out.
        content == line.text && !(line.open && ending.ends_with('\n'))
    }

    /// Says where the context first differs, at the place that it fits best.
    fn difference(&self, hunk: &Hunk, old: &[&Line], expected: Option<usize>) -> String {
        let fitting = |at: usize| {
            old.iter().enumerate().take_while(|(n, line)| self.same(hunk, line, at + n)).count()
        };
        if let Some(before) = (0..self.next).find(|at| fitting(*at) == old.len()) {
            return format!(
                "its context is at line {}, before or inside the hunk in front of it; put the hunks in order",
                before + 1
            );
        }
        let best =
            (self.next..self.lines.len()).max_by_key(|at| (fitting(*at), std::cmp::Reverse(*at)));
        let at = match best {
            Some(best) if fitting(best) > 0 => best,
            _ => expected.unwrap_or(self.next),
        };
        let n = fitting(at);
        let wanted = old.get(n).map_or("", |line| line.text.as_str());
        match self.lines.get(at + n) {
            Some(there) if split_ending(there).0 == wanted => {
                format!("line {} is the same but for its ending", at + n + 1)
            }
            Some(there) => format!(
                "line {} is {:?}, the patch expects {:?}",
                at + n + 1,
                short(split_ending(there).0),
                short(wanted)
            ),
            None => format!(
                "the file ends at line {}, the patch expects {:?}",
                self.lines.len(),
                short(wanted)
            ),
        }
    }

    fn copy_to(&mut self, end: usize) {
        for at in self.next..end {
            self.push(self.lines[at]);
        }
        self.next = end;
    }

    fn push(&mut self, line: &str) {
        if self.out.len() > self.mark && !self.out.ends_with('\n') {
            self.out.push_str(self.ending);
        }
        self.out.push_str(line);
    }

    fn take(&mut self, hunk: &Hunk, at: usize) {
        self.copy_to(at);
        let default = match hunk.endings {
            Endings::CrLf if self.lines.is_empty() => "\r\n",
            Endings::Literal => "\n",
            _ => self.ending,
        };
        // New lines end as the line before them does.
        let before = at.checked_sub(1).and_then(|before| self.lines.get(before));
        let mut ending = before.map_or("", |line| split_ending(line).1);
        let mut was_open = false;
        for line in &hunk.lines {
            match line.kind {
                Kind::Keep | Kind::Remove => {
                    let there: &'a str = self.lines[self.next];
                    ending = split_ending(there).1;
                    was_open |= ending.is_empty();
                    if line.kind == Kind::Keep {
                        self.push(there);
                    }
                    self.next += 1;
                }
                Kind::Add => {
                    let end = match hunk.endings {
                        _ if line.open => "",
                        Endings::Literal => "\n",
                        _ if ending.is_empty() => default,
                        _ => ending,
                    };
                    self.push(&line.text);
                    self.out.push_str(end);
                }
            }
        }
        // The file had no last ending and the patch does not say that it gets one.
        let added_last = hunk.lines.last().is_some_and(|line| line.kind == Kind::Add);
        if was_open && added_last && !hunk.marked {
            let ending =
                if self.out.ends_with("\r\n") { 2 } else { usize::from(self.out.ends_with('\n')) };
            self.out.truncate(self.out.len() - ending);
        }
    }
}

fn short(line: &str) -> String {
    const SHOWN: usize = 80;
    if line.chars().count() <= SHOWN {
        return line.to_owned();
    }
    line.chars().take(SHOWN).chain("…".chars()).collect()
}
