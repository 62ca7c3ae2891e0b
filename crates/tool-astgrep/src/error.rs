//! What can go wrong in a search or an edit, and the words and kinds that a caller gets for it.

use serde_json::{Value, json};
use tool_core::ToolError;
use tool_workspace::{WorkspaceError, WorkspaceErrorKind};

use crate::language::LanguageError;
use crate::pattern::PatternError;
use crate::schedule::Stopped;

/// Everything that ends a call without an answer.
#[derive(Debug)]
pub(crate) enum SearchError {
    /// An argument that is wrong in itself, and what to do about it.
    Argument { message: String, hint: String },
    /// A path that cannot be used.
    Path(WorkspaceError),
    /// The path is neither file nor folder.
    NotAFile(String),
    /// The file named by itself cannot be read.
    Unreadable { path: String, why: String },
    /// No such language, or not in this build.
    Language(LanguageError),
    /// A folder without a language, and the files it has by language.
    FolderLanguage { path: String, counts: Vec<(&'static str, usize)> },
    /// The extension of a file tells no language.
    FileLanguage(String),
    /// No context accepts the pattern.
    Pattern(Box<PatternError>),
    /// The caller stopped the call.
    Stopped,
    /// The change cannot be put together.
    Unstageable(String),
    /// Too many bytes would be staged.
    TooMuch { wanted: usize, limit: usize, open: Vec<String> },
}

impl SearchError {
    pub(crate) fn argument(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Argument { message: message.into(), hint: hint.into() }
    }
}

impl From<WorkspaceError> for SearchError {
    fn from(error: WorkspaceError) -> Self {
        Self::Path(error)
    }
}

impl From<LanguageError> for SearchError {
    fn from(error: LanguageError) -> Self {
        Self::Language(error)
    }
}

impl From<PatternError> for SearchError {
    fn from(error: PatternError) -> Self {
        Self::Pattern(Box::new(error))
    }
}

impl From<Stopped> for SearchError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<SearchError> for ToolError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Argument { message, hint } => ToolError::invalid(message).hint(hint),
            SearchError::Path(error) => of_path(&error),
            SearchError::NotAFile(path) => {
                ToolError::failed(format!("{path} is neither a file nor a folder"))
            }
            SearchError::Unreadable { path, why } => {
                ToolError::failed(format!("{path} cannot be searched: {why}"))
            }
            SearchError::Language(error) => of_language(&error),
            SearchError::FolderLanguage { path, counts } => folder_language(&path, &counts),
            SearchError::FileLanguage(path) => {
                ToolError::invalid(format!("the extension of {path} tells no language"))
                    .hint(match compiled() {
                        ids if ids.is_empty() => "this build has no grammar".to_owned(),
                        ids => format!("pass `language`, one of: {}", ids.join(", ")),
                    })
                    .details(json!({ "languages": compiled() }))
            }
            SearchError::Pattern(error) => crate::render::pattern_error(&error),
            SearchError::Unstageable(why) => {
                ToolError::failed(format!("the edit cannot be staged: {why}"))
            }
            SearchError::Stopped => ToolError::cancelled("the search was stopped"),
            SearchError::TooMuch { wanted, limit, open } => ToolError::limit(format!(
                "staging this edit takes {} MiB, {} MiB are free or allowed",
                mebibytes(wanted),
                mebibytes(limit),
            ))
            .hint(if open.is_empty() {
                "narrow `path` and edit part by part".to_owned()
            } else {
                format!("resolve the open edits first ({}), or narrow `path`", open.join(", "))
            })
            .details(json!({ "open": open })),
        }
    }
}

fn mebibytes(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / (1024.0 * 1024.0))
}

fn compiled() -> Vec<&'static str> {
    crate::language::Language::compiled().map(crate::language::Language::id).collect()
}

fn of_path(error: &WorkspaceError) -> ToolError {
    let message = format!("the path {error}");
    match error.kind() {
        WorkspaceErrorKind::Outside => {
            ToolError::refused(message).hint("paths are held inside the workspace's root")
        }
        WorkspaceErrorKind::Invalid => ToolError::invalid(message),
        _ => ToolError::failed(message),
    }
    .details(json!({ "path": error.path() }))
}

fn of_language(error: &LanguageError) -> ToolError {
    match error {
        LanguageError::Unknown { known, .. } => {
            ToolError::invalid(error.to_string()).details(json!({ "languages": known }))
        }
        LanguageError::NotCompiled { compiled, .. } => ToolError::unavailable(error.to_string())
            .details(json!({ "reason": "grammar not compiled in", "languages": compiled })),
    }
}

fn folder_language(path: &str, counts: &[(&'static str, usize)]) -> ToolError {
    let place = if path == "." { "the workspace" } else { path };
    let by_language: serde_json::Map<String, Value> =
        counts.iter().map(|(id, n)| ((*id).to_owned(), json!(n))).collect();
    let details = json!({ "languages": by_language });
    if counts.is_empty() {
        return ToolError::invalid(format!(
            "{place} is a folder, so `language` is needed; it has no file of a known language"
        ))
        .details(details);
    }
    let list: Vec<String> = counts.iter().map(|(id, n)| format!("{id} {n}")).collect();
    ToolError::invalid(format!(
        "{place} is a folder, so `language` is needed; files there: {}",
        list.join(", ")
    ))
    .hint(format!("call again with language: \"{}\"", counts[0].0))
    .details(details)
}
