//! What the three tools of a run share: the root, remembered trees, compiled patterns, staged edits.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tool_workspace::Root;

use crate::edit::Proposal;
use crate::error::SearchError;
use crate::language::Language;
use crate::memory::Memory;
use crate::pattern::{Compiled, PatternError, compile_until};
use crate::scan::{Trees, lock};
use crate::schedule::{Stopped, default_threads};
use crate::stage::Ledger;

/// How the tools of a run work.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AstGrepConfig {
    /// Bytes of parsed files that a run remembers between calls; 0 for a process that makes one call. Default: 256 MiB.
    pub memory_budget: usize,
    /// Threads of a search; 0 chooses by the machine, at most 8. Default: 0.
    pub threads: usize,
    /// Bytes, old and new, that all open edits may hold together. Default: 256 MiB.
    pub staged_budget: usize,
    /// Who decides a staged edit; the proposal says it. Default: a later call of `resolve`.
    pub decided: Decided,
}

/// Who decides what `ast_edit` has staged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Decided {
    /// A later call of `resolve`, in the same run.
    #[default]
    ByResolve,
    /// Nobody: the process makes one call, and the edit ends with it.
    Never,
    /// The caller, who accepts it as soon as it is staged and shows both answers one after the other.
    AtOnce,
}

impl Default for AstGrepConfig {
    fn default() -> Self {
        Self {
            memory_budget: 256 * 1024 * 1024,
            threads: 0,
            staged_budget: 256 * 1024 * 1024,
            decided: Decided::ByResolve,
        }
    }
}

impl AstGrepConfig {
    /// For a process that makes a single call: nothing is remembered, and proposals do not point to `resolve`.
    #[must_use]
    pub fn one_shot() -> Self {
        Self { memory_budget: 0, decided: Decided::Never, ..Self::default() }
    }
}

/// Patterns kept compiled; agents repeat them.
const PATTERNS: usize = 256;

type PatternKey = (Language, String, Option<String>);
type CompileResult = Result<Arc<Compiled>, PatternError>;

pub(crate) struct Workshop {
    pub(crate) root: Root,
    /// Where commits keep their journals.
    pub(crate) state_dir: PathBuf,
    pub(crate) trees: Trees,
    pub(crate) ledger: Ledger<Proposal>,
    pub(crate) threads: usize,
    pub(crate) decided: Decided,
    patterns: Mutex<HashMap<PatternKey, CompileResult>>,
}

impl Workshop {
    pub(crate) fn new(root: Root, state_dir: PathBuf, config: &AstGrepConfig) -> Self {
        Self {
            root,
            state_dir,
            trees: Memory::new(config.memory_budget),
            ledger: Ledger::new(config.staged_budget),
            threads: match config.threads {
                0 => default_threads(),
                n => n,
            },
            decided: config.decided,
            patterns: Mutex::new(HashMap::new()),
        }
    }

    /// The pattern in one language, compiled once a run; what was stopped is not remembered.
    pub(crate) fn compile(
        &self,
        language: Language,
        pattern: &str,
        context: Option<&str>,
        stop: &dyn Fn() -> bool,
    ) -> Result<CompileResult, Stopped> {
        let key = (language, pattern.to_owned(), context.map(str::to_owned));
        if let Some(known) = lock(&self.patterns).get(&key) {
            return Ok(known.clone());
        }
        let compiled = compile_until(language, pattern, context, stop);
        if stop() {
            return Err(Stopped);
        }
        let mut patterns = lock(&self.patterns);
        if patterns.len() >= PATTERNS {
            patterns.clear();
        }
        patterns.insert(key, compiled.clone());
        Ok(compiled)
    }

    /// The pattern in every language of a scope; an error only where none accepts it.
    pub(crate) fn compile_all(
        &self,
        languages: &[Language],
        pattern: &str,
        context: Option<&str>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Option<Arc<Compiled>>>, SearchError> {
        let mut first_error = None;
        let mut patterns = Vec::with_capacity(languages.len());
        for language in languages {
            patterns.push(match self.compile(*language, pattern, context, stop)? {
                Ok(compiled) => Some(compiled),
                Err(error) => {
                    first_error.get_or_insert(error);
                    None
                }
            });
        }
        match first_error {
            Some(error) if patterns.iter().all(Option::is_none) => Err(error.into()),
            _ => Ok(patterns),
        }
    }
}
