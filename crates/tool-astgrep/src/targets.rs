//! Which files a call is about, and in which languages they are read.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tool_workspace::{
    Located, Root, SkipReason, Walk, WalkFile, WalkOptions, Walked, WorkspaceError,
};

use crate::error::SearchError;
use crate::language::Language;
use crate::scan::lock;
use crate::schedule::Stopped;
use crate::source::{MAX_FILE_BYTES, Unsearched};

/// What a call asks for, before any file is listed.
pub(crate) struct Scope {
    pub(crate) located: Located,
    /// The identifier asked for, or told by the file's extension.
    pub(crate) label: String,
    /// The languages to compile the pattern in; the first decides where a file fits several.
    pub(crate) languages: Vec<Language>,
}

impl Scope {
    /// Whether one file was named.
    pub(crate) fn is_file(&self) -> bool {
        !self.located.is_folder()
    }
}

/// A file to be searched. Kept small: there is one for each file of a tree, all through a search.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    root: Arc<Path>,
    /// As the walk found it, where the root and `rel` do not make up its path: a name that is no UTF-8.
    odd: Option<Box<WalkFile>>,
    /// Relative to the root, with `/`.
    pub(crate) rel: Box<str>,
    pub(crate) len: u64,
    /// Indices into the scope's languages that fit the file, the preferred one first.
    pub(crate) fits: Fits,
}

impl Target {
    fn new(root: &Arc<Path>, file: WalkFile, fits: Fits) -> Self {
        let within = file.path.strip_prefix(root).ok().and_then(Path::to_str);
        let plain = within == Some(&*file.rel);
        let (rel, len) = (file.rel.as_str().into(), file.len);
        let odd = (!plain).then(|| Box::new(file));
        Self { root: root.clone(), odd, rel, len, fits }
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> PathBuf {
        self.odd.as_ref().map_or_else(|| self.root.join(&*self.rel), |file| file.path.clone())
    }

    /// Locates the file, also one whose name is no UTF-8. Blocks.
    pub(crate) fn locate(&self, root: &Root) -> Result<Located, WorkspaceError> {
        match &self.odd {
            Some(file) => root.resolve_walked(file),
            None => root.resolve(&self.rel),
        }
    }
}

/// One language of a scope, or two that a file (`.h`) could be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fits {
    One(u8),
    Either(u8, u8),
}

/// The files of a scope in the order of their paths, and what was left out.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: Vec<Target>,
    pub(crate) skipped: Vec<(String, Unsearched)>,
}

impl Listing {
    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.len).sum()
    }
}

/// Resolves the path and the language. Blocks; lists a folder only to say which languages it has.
pub(crate) fn scope(
    root: &Root,
    path: Option<&str>,
    language: Option<&str>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Scope, SearchError> {
    // A wrong language is told before anything is looked for.
    let group =
        language.map(str::trim).filter(|id| !id.is_empty()).map(Language::group).transpose()?;
    let path = path.filter(|p| !p.trim().is_empty()).unwrap_or(".");
    let located = root.resolve(path)?;
    if !located.is_folder() && !located.is_file() {
        return Err(SearchError::NotAFile(located.rel()));
    }
    let languages = match group {
        Some(group) => group,
        None if located.is_folder() => {
            let mut options = WalkOptions::default();
            options.count_excluded = false;
            let walked = walk(root, &located, options, stop)?;
            return Err(SearchError::FolderLanguage {
                path: located.rel(),
                counts: census(&walked),
            });
        }
        None => of_file(&located)?,
    };
    let label = languages.first().map_or("", |l| l.id()).to_owned();
    Ok(Scope { located, label, languages })
}

/// The compiled-in languages that a file's extension stands for.
fn of_file(located: &Located) -> Result<Vec<Language>, SearchError> {
    let fitting = Language::for_path(located.path());
    let Some(first) = fitting.first() else {
        return Err(SearchError::FileLanguage(located.rel()));
    };
    let compiled: Vec<Language> = fitting.iter().copied().filter(|l| l.is_compiled()).collect();
    if compiled.is_empty() {
        // The error of looking it up says which feature is missing.
        return Ok(vec![Language::by_id(first.id())?]);
    }
    Ok(compiled)
}

/// Lists the files of a scope. Blocks.
pub(crate) fn list(
    root: &Root,
    scope: &Scope,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Listing, SearchError> {
    let mut options = WalkOptions::default();
    options.count_excluded = false;
    options.extensions = Some(extensions(scope));
    let explicit = scope.is_file();
    let base: Arc<Path> = root.path().into();
    let gathered = Mutex::new((Listing::default(), Fitting::new(&scope.languages)));
    let give = |file: WalkFile| {
        let (listing, fits) = &mut *lock(&gathered);
        let fit = match fits.of(&file.path) {
            Some(fit) => fit,
            // A file named by itself is read as what the caller says it is.
            None if explicit => Fits::One(0),
            None => return,
        };
        if !explicit && file.len > MAX_FILE_BYTES {
            listing.skipped.push((file.rel, Unsearched::TooLarge(file.len)));
        } else {
            listing.files.push(Target::new(&base, file, fit));
        }
    };
    let walk = Walk::new(root, &scope.located).options(options);
    let walked = unless_stopped(walk.run_into(stop, &give)?)?;
    let (mut listing, mut fits) =
        gathered.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    listing.files.shrink_to_fit();
    listing.files.sort_unstable_by(|a, b| a.rel.cmp(&b.rel));
    for skip in walked.skipped {
        let named = Path::new(&skip.rel);
        // A link to a file of another language is no loss; a folder that cannot be read is.
        let concerns = match skip.reason {
            SkipReason::Link | SkipReason::NotAFile => fits.of(named).is_some(),
            _ => true,
        };
        if concerns {
            let why = Unsearched::Walk(skip.reason.to_string());
            listing.skipped.push((skip.rel, why));
        }
    }
    Ok(listing)
}

/// Entries that the rules of ignore files, and those about hidden files, leave out of a scope. Blocks.
///
/// Told only where a search found nothing: counting them means to list every folder twice.
pub(crate) fn excluded(
    root: &Root,
    scope: &Scope,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(usize, usize), SearchError> {
    if scope.is_file() {
        return Ok((0, 0));
    }
    let mut options = WalkOptions::default();
    options.extensions = Some(extensions(scope));
    let walked = walk(root, &scope.located, options, stop)?;
    Ok((walked.ignored, walked.hidden))
}

fn extensions(scope: &Scope) -> Vec<String> {
    let all = scope.languages.iter().flat_map(|language| language.extensions());
    all.map(|extension| (*extension).to_owned()).collect()
}

fn walk(
    root: &Root,
    located: &Located,
    options: WalkOptions,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Walked, SearchError> {
    unless_stopped(Walk::new(root, located).options(options).run_until(stop)?)
}

fn unless_stopped(walked: Walked) -> Result<Walked, SearchError> {
    if walked.stopped { Err(Stopped.into()) } else { Ok(walked) }
}

/// Remembers what each extension means for the languages of a scope.
struct Fitting<'s> {
    languages: &'s [Language],
    known: HashMap<OsString, Option<Fits>>,
}

impl<'s> Fitting<'s> {
    fn new(languages: &'s [Language]) -> Self {
        Self { languages, known: HashMap::new() }
    }

    fn of(&mut self, path: &Path) -> Option<Fits> {
        let extension = path.extension()?;
        if let Some(known) = self.known.get(extension) {
            return *known;
        }
        let of_path = Language::for_path(path);
        let mut fitting = self
            .languages
            .iter()
            .enumerate()
            .filter(|(_, l)| of_path.contains(l))
            .filter_map(|(at, _)| u8::try_from(at).ok());
        let fits = match (fitting.next(), fitting.next()) {
            (Some(one), Some(other)) => Some(Fits::Either(one, other)),
            (Some(one), None) => Some(Fits::One(one)),
            (None, _) => None,
        };
        self.known.insert(extension.to_owned(), fits);
        fits
    }
}

/// How many files of which language a walk met, most first.
fn census(walked: &Walked) -> Vec<(&'static str, usize)> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut known: HashMap<OsString, Option<&'static str>> = HashMap::new();
    for file in &walked.files {
        let Some(extension) = file.path.extension() else {
            continue;
        };
        let id = *known.entry(extension.to_owned()).or_insert_with(|| {
            let id = Language::for_path(&file.path).first().map(|l| l.id());
            // The identifier that a search of the folder would take.
            id.map(|id| if id == "tsx" { "typescript" } else { id })
        });
        if let Some(id) = id {
            *counts.entry(id).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    counts
}
