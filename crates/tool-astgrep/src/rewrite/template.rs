//! The template of a rewrite: literal text, and the metavariables into which captures are put back.

/// Why a template cannot be used with its pattern. The text is for the agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TemplateError {
    /// The pattern has no metavariable of that name.
    #[error("rewrite uses {used}, which the pattern does not capture; {known}")]
    Unknown { used: String, known: String },
    /// The pattern has the name, as the other kind.
    #[error(
        "rewrite uses {used}, but the pattern captures {has}: write {has} in the rewrite, or {used} in the pattern"
    )]
    OtherKind { used: String, has: String },
    /// `$$$` without a name.
    #[error(
        "rewrite uses $$$ without a name, so nothing can be put there: name the run in the pattern and in the rewrite, for instance $$$ARGS"
    )]
    UnnamedRun,
    /// `$_` or `$_X`.
    #[error(
        "rewrite uses {used}, which captures nothing: name it in the pattern and in the rewrite, for instance $X"
    )]
    Unnamed { used: String },
    /// `$$X`, `$$$$X`, `$$$lower`.
    #[error(
        "rewrite has {used}, which is no metavariable: write $NAME (one node) or $$$NAME (a run), with an upper-case name"
    )]
    Malformed { used: String },
}

/// One piece of a template line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text as it stands; never empty, never with a line break.
    Text(String),
    /// A capture, by the key it has in a match: `X`, or `$$$X` for a run.
    Capture(String),
}

/// One line of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Blanks at its start; the pieces come after them.
    pub(crate) indent: String,
    /// What stands on the line.
    pub(crate) pieces: Vec<Piece>,
    /// The line starts inside a string of the template: no indentation is put before it.
    pub(crate) frozen: bool,
}

/// A parsed template. Outer blank lines, and the indentation that its first line has, are gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    lines: Vec<Line>,
    /// The captures that it uses, each once.
    keys: Vec<String>,
    shadow: String,
    /// For each line: where it starts in `shadow`.
    starts: Vec<usize>,
    /// It is the pattern itself: whatever a match looks like, nothing changes.
    identity: bool,
    /// Runs behind which neither the pattern nor the template has a `;`.
    unterminated: Vec<String>,
}

impl Template {
    /// Reads `text`; `known` are the capture keys of `pattern` (`X`, `$$$X`).
    pub(crate) fn read(text: &str, pattern: &str, known: &[String]) -> Result<Self, TemplateError> {
        let known = Known { pattern, captures: known };
        let mut lines = Vec::new();
        let mut shadow = String::new();
        let mut starts = Vec::new();
        for line in outer_trimmed(text) {
            if !starts.is_empty() {
                shadow.push('\n');
            }
            starts.push(shadow.len());
            let body = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - body.len()];
            shadow.push_str(indent);
            lines.push(Line {
                indent: indent.to_owned(),
                pieces: pieces(body, &known, &mut shadow)?,
                frozen: false,
            });
        }
        let mut keys: Vec<String> = Vec::new();
        for piece in lines.iter().flat_map(|line: &Line| &line.pieces) {
            if let Piece::Capture(key) = piece
                && !keys.contains(key)
            {
                keys.push(key.clone());
            }
        }
        let identity = outer_trimmed(text) == outer_trimmed(pattern);
        let terminated = |text: &str, key: &str| {
            text.match_indices(key)
                .any(|(at, _)| text[at + key.len()..].trim_start().starts_with(';'))
        };
        let unterminated = keys
            .iter()
            .filter(|key| {
                key.starts_with('$') && !terminated(text, key) && !terminated(pattern, key)
            })
            .cloned()
            .collect();
        Ok(Self { lines, keys, shadow, starts, identity, unterminated })
    }

    /// Whether a run stands in the pattern and in the template without a `;` behind it: one that the
    /// source has there ends the run's last element.
    pub(crate) fn is_unterminated(&self, key: &str) -> bool {
        self.unterminated.iter().any(|known| known == key)
    }

    /// Whether it is the pattern, word for word: a rewrite that changes nothing.
    pub(crate) fn is_identity(&self) -> bool {
        self.identity
    }

    /// The lines; none at all for a template that deletes.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The keys of the captures that it uses, each once.
    pub(crate) fn keys(&self) -> &[String] {
        &self.keys
    }

    /// The template with each metavariable replaced by an identifier of the same length: what a
    /// parser can read to find the strings in it.
    pub(crate) fn shadow(&self) -> &str {
        &self.shadow
    }

    /// Marks the lines that start inside one of `spans`, which are byte ranges of [`Self::shadow`].
    pub(crate) fn freeze(&mut self, spans: &super::frozen::Frozen) {
        for (line, start) in self.lines.iter_mut().zip(&self.starts) {
            line.frozen = spans.holds(*start);
        }
    }
}

/// The lines without blank ones at both ends and without the first line's indentation.
fn outer_trimmed(text: &str) -> Vec<&str> {
    let lines: Vec<&str> =
        text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let inked = |line: &&str| !line.trim_matches([' ', '\t']).is_empty();
    let (Some(first), Some(last)) = (lines.iter().position(inked), lines.iter().rposition(inked))
    else {
        return Vec::new();
    };
    let first_line = lines[first];
    let own = &first_line[..first_line.len() - first_line.trim_start_matches([' ', '\t']).len()];
    lines[first..=last]
        .iter()
        .map(|line| line.strip_prefix(own).unwrap_or_else(|| line.trim_start_matches([' ', '\t'])))
        .collect()
}

/// What the pattern captures, and its text.
struct Known<'a> {
    pattern: &'a str,
    captures: &'a [String],
}

impl Known<'_> {
    fn has(&self, key: &str) -> bool {
        self.captures.iter().any(|known| known == key)
    }

    /// The pattern has the whole word (`$Xs`), which is no metavariable there.
    fn is_literal(&self, word: &str) -> bool {
        self.pattern.match_indices(word).any(|(at, _)| {
            !self.pattern[at + word.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    }
}

fn pieces(body: &str, known: &Known<'_>, shadow: &mut String) -> Result<Vec<Piece>, TemplateError> {
    let mut out = Vec::new();
    let mut text = String::new();
    let mut rest = body;
    while let Some(at) = rest.find('$') {
        let (before, dollars_on) = rest.split_at(at);
        text.push_str(before);
        shadow.push_str(before);
        let escaped = before.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1;
        let (key, used) = if escaped { (None, 1) } else { metavariable(dollars_on, known)? };
        if let Some(key) = key {
            if !text.is_empty() {
                out.push(Piece::Text(std::mem::take(&mut text)));
            }
            out.push(Piece::Capture(key));
            shadow.extend(std::iter::repeat_n('m', used));
        } else {
            text.push_str(&dollars_on[..used]);
            shadow.push_str(&dollars_on[..used]);
        }
        rest = &dollars_on[used..];
    }
    text.push_str(rest);
    shadow.push_str(rest);
    if !text.is_empty() {
        out.push(Piece::Text(text));
    }
    Ok(out)
}

/// What the dollars at the start of `text` are: a capture key and its length, or literal text of
/// that length.
fn metavariable(text: &str, known: &Known<'_>) -> Result<(Option<String>, usize), TemplateError> {
    let dollars = text.bytes().take_while(|b| *b == b'$').count();
    let after = &text[dollars..];
    let word =
        after.find(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(after, |end| &after[..end]);
    let upper_end = word
        .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        .unwrap_or(word.len());
    let upper = &word[..upper_end];
    let is_name = upper.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    let whole = upper_end == word.len();
    match dollars {
        1 if !is_name => return Ok((None, 1)),
        1 | 3 => {}
        _ if is_name => {
            return Err(TemplateError::Malformed { used: text[..dollars + word.len()].to_owned() });
        }
        _ => return Ok((None, dollars)),
    }
    if dollars == 3 && word.is_empty() {
        return Err(TemplateError::UnnamedRun);
    }
    if dollars == 3 && !is_name {
        return Err(TemplateError::Malformed { used: text[..dollars + word.len()].to_owned() });
    }
    let sigil = if dollars == 3 { "$$$" } else { "" };
    // `$Xs`: a capture with text glued to it, if the pattern has it; else a variable such as PHP's `$Foo`.
    if !whole && dollars == 1 && known.is_literal(&text[..dollars + word.len()]) {
        return Ok((None, 1));
    }
    for name in [upper, upper.trim_end_matches('_')] {
        let key = format!("{sigil}{name}");
        if known.has(&key) {
            return Ok((Some(key), dollars + name.len()));
        }
        if whole {
            break;
        }
    }
    if !whole && dollars == 1 {
        return Ok((None, 1));
    }
    let used = text[..dollars + upper.len()].to_owned();
    let other = if dollars == 3 { upper.to_owned() } else { format!("$$${upper}") };
    if known.has(&other) {
        let has = written(&other);
        return Err(TemplateError::OtherKind { used, has });
    }
    if upper.starts_with('_') {
        return Err(TemplateError::Unnamed { used });
    }
    Err(TemplateError::Unknown { used, known: captured(known.captures) })
}

/// A capture key as one writes it: `$X`, `$$$X`.
fn written(key: &str) -> String {
    if key.starts_with('$') { key.to_owned() } else { format!("${key}") }
}

fn captured(known: &[String]) -> String {
    if known.is_empty() {
        return "it has no metavariables".to_owned();
    }
    let names: Vec<String> = known.iter().map(|key| written(key)).collect();
    format!("it captures {}", names.join(", "))
}

#[cfg(test)]
mod tests;
