//! From files to trees: read, filter on bytes, then parse (or remember) what is left, the largest file first.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::filter::{Filter, Presence};
use crate::language::Language;
use crate::memory::{Memory, Scan, Stamp};
use crate::pattern::Compiled;
use crate::schedule::{Control, Order, Stopped, each};
use crate::source::{self, Source, Unsearched};
use crate::targets::{Fits, Target};
use crate::tree::{ParseStopped, RawTree, Tree};

/// Remembered trees, by file and language.
pub(crate) type Trees = Memory<(PathBuf, Language), Arc<Tree>>;

/// Bytes of files kept between the filter and the parse; what does not fit is read again.
const HELD_BYTES: usize = 2 * 1024 * 1024;

/// What a scan needs.
pub(crate) struct Job<'a> {
    pub(crate) files: &'a [Target],
    /// The pattern in each language of the scope; `None` where no context accepts it.
    pub(crate) patterns: &'a [Option<Arc<Compiled>>],
    pub(crate) trees: &'a Trees,
    pub(crate) threads: usize,
    /// The file was named by itself: it is searched whatever it is.
    pub(crate) explicit: bool,
    /// Keep tree-sitter's own trees, for parsing a changed text again.
    pub(crate) raw: bool,
    pub(crate) control: Control<'a>,
}

/// One file whose tree is there.
pub(crate) struct Visit<'a> {
    /// The place of the file among all.
    pub(crate) index: usize,
    pub(crate) target: &'a Target,
    /// The file as it was read.
    pub(crate) bytes: &'a [u8],
    pub(crate) source: &'a Source<'a>,
    pub(crate) tree: &'a Tree,
    pub(crate) raw: Option<RawTree>,
    pub(crate) pattern: &'a Arc<Compiled>,
    /// What the bytes say about each reading of the pattern.
    pub(crate) presence: &'a [Presence],
}

/// What a scan came to.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    /// Files looked at: all save the skipped ones.
    pub(crate) searched: usize,
    /// Files whose tree was made or remembered.
    pub(crate) parsed: usize,
    pub(crate) skipped: Vec<(usize, Unsearched)>,
    /// Files with syntax errors among the parsed.
    pub(crate) broken: usize,
    /// Literal parts of the pattern that no file has.
    pub(crate) absent: Vec<String>,
}

/// Shows each file that can hold a match to `visit`, from several threads and in no particular order.
pub(crate) fn scan(job: &Job<'_>, visit: &(dyn Fn(Visit<'_>) + Sync)) -> Result<Scanned, Stopped> {
    let scan = Pass::new(job);
    let queue = scan.sift()?;
    each(&queue, Order::BothEnds, job.threads, &job.control, Vec::new, |buffer, wait| {
        scan.look(wait, buffer, visit);
    })?;
    scan.finish()
}

/// A file that passed the filter.
struct Waiting {
    index: usize,
    /// Its bytes, if there was room to keep them.
    bytes: Option<Vec<u8>>,
}

struct Pass<'j, 'a> {
    job: &'j Job<'a>,
    filter: Filter,
    /// The first reading of each language in the filter.
    offsets: Vec<usize>,
    memory: Scan,
    held: AtomicUsize,
    parsed: AtomicUsize,
    broken: AtomicUsize,
    stopped: AtomicUsize,
    skipped: Mutex<Vec<(usize, Unsearched)>>,
}

impl<'j, 'a> Pass<'j, 'a> {
    fn new(job: &'j Job<'a>) -> Self {
        let mut offsets = Vec::with_capacity(job.patterns.len());
        let mut readings = Vec::new();
        for pattern in job.patterns {
            offsets.push(readings.len());
            for reading in pattern.iter().flat_map(|p| &p.readings) {
                readings.push(reading.needles.iter().map(|n| n.bytes()).collect());
            }
        }
        let keys = job.files.iter().flat_map(|file| {
            let (one, other) = file.fits.both();
            [Some(one), other]
                .into_iter()
                .flatten()
                .filter_map(|at| job.patterns[at].as_ref())
                .map(|pattern| (file.path(), pattern.language))
        });
        Self {
            memory: job.trees.begin(keys),
            filter: Filter::new(readings),
            offsets,
            job,
            held: AtomicUsize::new(0),
            parsed: AtomicUsize::new(0),
            broken: AtomicUsize::new(0),
            stopped: AtomicUsize::new(0),
            skipped: Mutex::new(Vec::new()),
        }
    }

    /// The files that can hold a match, largest first, so that no thread ends with a big one alone.
    fn sift(&self) -> Result<Vec<Waiting>, Stopped> {
        let files = self.job.files;
        let mut queue: Vec<Waiting> = if self.filter.is_useful() {
            let passed = Mutex::new(Vec::new());
            let chunks: Vec<usize> = (0..files.len()).step_by(16).collect();
            let silent = Control { stop: self.job.control.stop, progress: &|_, _| {} };
            each(&chunks, Order::InTurn, self.job.threads, &silent, Vec::new, |buffer, first| {
                for index in *first..(*first + 16).min(files.len()) {
                    if let Some(waiting) = self.passes(index, buffer) {
                        lock(&passed).push(waiting);
                    }
                }
            })?;
            passed.into_inner().unwrap_or_else(PoisonError::into_inner)
        } else {
            (0..files.len()).map(|index| Waiting { index, bytes: None }).collect()
        };
        queue.sort_by_key(|w| (std::cmp::Reverse(files[w.index].len), w.index));
        Ok(queue)
    }

    fn passes(&self, index: usize, buffer: &mut Vec<u8>) -> Option<Waiting> {
        let target = &self.job.files[index];
        if let Err(why) = source::read_into(&target.path(), buffer)
            .and_then(|()| source::decode(buffer, self.job.explicit).map(|_| ()))
        {
            lock(&self.skipped).push((index, why));
            return None;
        }
        if !self.filter.passes(buffer) {
            return None;
        }
        let held = self.held.fetch_add(buffer.len(), Ordering::Relaxed) + buffer.len();
        let bytes = (held <= HELD_BYTES).then(|| buffer.clone());
        if bytes.is_none() {
            self.held.fetch_sub(buffer.len(), Ordering::Relaxed);
        }
        Some(Waiting { index, bytes })
    }

    /// Reads, parses and shows one file.
    fn look(&self, waiting: &Waiting, buffer: &mut Vec<u8>, visit: &(dyn Fn(Visit<'_>) + Sync)) {
        let index = waiting.index;
        let target = &self.job.files[index];
        let bytes: &[u8] = match &waiting.bytes {
            Some(bytes) => bytes,
            None => {
                if let Err(why) = source::read_into(&target.path(), buffer) {
                    lock(&self.skipped).push((index, why));
                    return;
                }
                buffer
            }
        };
        let source = match source::decode(bytes, self.job.explicit) {
            Ok(source) => source,
            Err(why) => {
                lock(&self.skipped).push((index, why));
                return;
            }
        };
        let Some(read) = self.read(target, &source) else {
            return;
        };
        self.parsed.fetch_add(1, Ordering::Relaxed);
        if read.tree.error_count() > 0 {
            self.broken.fetch_add(1, Ordering::Relaxed);
        }
        visit(Visit {
            index,
            target,
            bytes,
            source: &source,
            tree: &read.tree,
            raw: read.raw,
            pattern: read.pattern,
            presence: &read.presence,
        });
        // Where nothing is remembered its arrays serve the next file, which is no larger.
        if self.job.trees.is_off()
            && let Ok(tree) = Arc::try_unwrap(read.tree)
        {
            tree.recycle();
        }
    }

    /// The file's tree in the language that fits best; `None` if nothing of the pattern can be in it.
    fn read(&self, target: &Target, source: &Source<'_>) -> Option<Read<'_>> {
        let (one, other) = target.fits.both();
        let one = self.read_as(one, target, source);
        let Some(other) = other else {
            return one;
        };
        // C and C++ share `.h`: the reading with fewer errors is the right one.
        match one {
            Some(read) if read.tree.error_count() == 0 => Some(read),
            first => {
                let second = self.read_as(other, target, source);
                [first, second].into_iter().flatten().min_by_key(|read| read.tree.error_count())
            }
        }
    }

    fn read_as(&self, at: usize, target: &Target, source: &Source<'_>) -> Option<Read<'_>> {
        let pattern = self.job.patterns[at].as_ref()?;
        let text = source.text.as_bytes();
        let presence: Vec<Presence> = (0..pattern.readings.len())
            .map(|reading| self.filter.presence(self.offsets[at] + reading, text))
            .collect();
        if presence.iter().all(|p| *p == Presence::Absent) {
            return None;
        }
        let (tree, raw) = self.tree(pattern.language, target, source)?;
        Some(Read { pattern, presence, tree, raw })
    }

    fn tree(
        &self,
        language: Language,
        target: &Target,
        source: &Source<'_>,
    ) -> Option<(Arc<Tree>, Option<RawTree>)> {
        let trees = self.job.trees;
        let key = (!trees.is_off()).then(|| {
            let stamp = Stamp::of(source.text.as_bytes());
            ((target.path(), language), stamp)
        });
        if let Some((key, stamp)) = &key
            && let Some(tree) = trees.get(key, stamp)
        {
            return Some((tree, None));
        }
        let raw = match RawTree::parse(language, &source.text, None, self.job.control.stop) {
            Ok(raw) => raw,
            Err(ParseStopped::Stopped) => {
                self.stopped.store(1, Ordering::Relaxed);
                return None;
            }
            Err(ParseStopped::TooLarge | ParseStopped::NotCompiled) => return None,
        };
        let tree = Arc::new(Tree::from_raw(&raw, &source.text));
        if let Some((key, stamp)) = key {
            trees.put(self.memory, key, stamp, tree.clone(), tree.bytes());
        }
        Some((tree, self.job.raw.then_some(raw)))
    }

    fn finish(self) -> Result<Scanned, Stopped> {
        if self.stopped.into_inner() > 0 {
            return Err(Stopped);
        }
        let mut skipped = self.skipped.into_inner().unwrap_or_else(PoisonError::into_inner);
        skipped.sort_by_key(|(index, _)| *index);
        Ok(Scanned {
            searched: self.job.files.len() - skipped.len(),
            parsed: self.parsed.into_inner(),
            broken: self.broken.into_inner(),
            absent: match self.filter.is_useful() {
                true => self.filter.never_seen(),
                false => Vec::new(),
            },
            skipped,
        })
    }
}

/// A file's tree with the pattern that is searched in it.
struct Read<'p> {
    pattern: &'p Arc<Compiled>,
    presence: Vec<Presence>,
    tree: Arc<Tree>,
    raw: Option<RawTree>,
}

impl Fits {
    fn both(self) -> (usize, Option<usize>) {
        match self {
            Self::One(one) => (one.into(), None),
            Self::Either(one, other) => (one.into(), Some(other.into())),
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
