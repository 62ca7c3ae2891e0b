//! The folder of journals of one root: creating, holding, listing and removing them.
//!
//! A journal is written under a name that recovery ignores, flushed, and only then given its real one. So a file under
//! the real name is whole, and one that does not decode was damaged later: it is set aside, not guessed at.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::faults::Faults;
use crate::identity::ContentHash;
use crate::journal::codec::{self, Intent, Phase};
use crate::lock::{self, Held, LockError};
use crate::root::Root;

const JOURNAL: &str = "journal";
const UNFINISHED: &str = "new";

/// The journals of one root, in a state folder outside the checkout. Cheap; creates nothing until a commit needs it.
#[derive(Debug, Clone)]
pub struct Journals {
    root: Root,
    folder: PathBuf,
}

/// Why the state folder could not be used.
#[derive(Debug)]
pub(crate) enum StoreError {
    Busy(Duration),
    Stopped,
    Io(io::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<LockError> for StoreError {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Busy(waited) => Self::Busy(waited),
            LockError::Stopped => Self::Stopped,
            LockError::Io(error) => Self::Io(error),
        }
    }
}

/// A journal that this process holds.
#[derive(Debug)]
pub(crate) struct Live {
    file: File,
    /// The lock on the file, for as long as we are at it.
    #[expect(dead_code, reason = "held for its lock")]
    held: Held,
    path: PathBuf,
    encoded: Vec<u8>,
}

/// A journal that was found.
#[derive(Debug)]
pub(crate) enum Found {
    /// Its process lives, or somebody else is recovering it.
    Held,
    /// Nobody holds it; now we do.
    Dead(Box<(Live, Intent, Phase)>),
    /// Not readable as a journal; where it was set aside.
    Damaged(PathBuf),
}

impl Journals {
    /// The journals of `root` below `state_dir`. Touches nothing.
    pub fn open(state_dir: &Path, root: &Root) -> Self {
        let name = ContentHash::of(root.path().as_os_str().as_encoded_bytes()).to_string();
        let folder = state_dir.join("journals").join(name);
        Self { root: root.clone(), folder }
    }

    /// The root that these journals are about.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// The folder that holds them; it may not exist yet.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn lock_root(
        &self,
        within: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<Held, StoreError> {
        let spare = || {
            self.make_folder()?;
            open_lock(&self.folder.join("root.lock"))
        };
        Ok(lock::tree(self.root.path(), within, stop, spare)?)
    }

    fn make_folder(&self) -> io::Result<()> {
        if self.folder.is_dir() {
            return Ok(());
        }
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder)?;
        // Its own name, `journals` and the state folder may all be new, and must outlive a power cut.
        for above in self.folder.ancestors().skip(1).take(3) {
            if let Ok(above) = File::open(above) {
                let _ = above.sync_all();
            }
        }
        Ok(())
    }

    /// Keeps journals that are just being created apart from leftovers of a crash.
    fn lock_listing(&self, within: Duration) -> Result<Held, StoreError> {
        let file = open_lock(&self.folder.join("lock"))?;
        Ok(lock::exclusive(file, within, &|| false)?)
    }

    /// Writes `intent` down, durably, before anything else happens.
    pub(crate) fn begin(
        &self,
        id: &str,
        intent: &Intent,
        faults: &Faults,
        within: Duration,
    ) -> Result<Live, StoreError> {
        self.make_folder()?;
        let encoded = codec::encode(intent);
        let path = self.folder.join(id).with_extension(JOURNAL);
        let unfinished = path.with_extension(UNFINISHED);
        let _listing = self.lock_listing(within)?;
        faults.at("create journal", &unfinished)?;
        let file = OpenOptions::new()
            .write(true)
            .read(true)
            .create_new(true)
            .mode(0o600)
            .open(&unfinished)?;
        // Nobody else can have it open yet.
        let held = lock::exclusive(file.try_clone()?, Duration::ZERO, &|| false)?;
        let written = (|| {
            faults.at("write journal", &unfinished)?;
            file.write_all_at(&encoded, 0)?;
            faults.at("sync journal", &unfinished)?;
            file.sync_all()?;
            faults.at("name journal", &path)?;
            fs::rename(&unfinished, &path)?;
            faults.at("sync journals", &self.folder)?;
            File::open(&self.folder)?.sync_all()
        })();
        match written {
            Ok(()) => Ok(Live { file, held, path, encoded }),
            Err(error) => {
                // Nothing of the checkout has been touched; under either name it would only be cleaned up later.
                let _ = fs::remove_file(&unfinished);
                let _ = fs::remove_file(&path);
                Err(error.into())
            }
        }
    }

    /// Whether any journal is there, living or dead.
    pub(crate) fn is_idle(&self) -> bool {
        match fs::read_dir(&self.folder) {
            Ok(entries) => !entries.flatten().any(|entry| {
                let path = entry.path();
                let extension = path.extension().and_then(|extension| extension.to_str());
                matches!(extension, Some(JOURNAL | UNFINISHED))
            }),
            Err(_) => true,
        }
    }

    /// Removes what a crash left of journals that never got their name.
    pub(crate) fn sweep(&self, within: Duration) -> Result<(), StoreError> {
        let _listing = self.lock_listing(within)?;
        for path in self.list(UNFINISHED)? {
            if let Ok(file) = File::open(&path)
                && file.try_lock().is_ok()
            {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Paths of all journals, in a fixed order.
    pub(crate) fn journals(&self) -> io::Result<Vec<PathBuf>> {
        self.list(JOURNAL)
    }

    fn list(&self, extension: &str) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|found| found == extension) {
                paths.push(path);
            }
        }
        paths.sort();
        Ok(paths)
    }

    /// Whether the process that wrote a journal is dead. A look only: whoever wants to act must [`Journals::claim`] it.
    pub(crate) fn is_dead(path: &Path) -> bool {
        // Shared, so that two who look at the same time do not take each other for its writer.
        File::open(path).is_ok_and(|file| file.try_lock_shared().is_ok())
    }

    /// Takes hold of a journal if nobody has it; `None` when it is gone by now. The caller holds the root's lock.
    pub(crate) fn claim(&self, path: &Path) -> io::Result<Option<Found>> {
        // Long enough for somebody who only looks.
        const LOOKED_AT: Duration = Duration::from_secs(1);
        let file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let held = match lock::exclusive(file.try_clone()?, LOOKED_AT, &|| false) {
            Ok(held) => held,
            Err(LockError::Busy(_) | LockError::Stopped) => return Ok(Some(Found::Held)),
            Err(LockError::Io(error)) => return Err(error),
        };
        let mut live = Live { file, held, path: path.to_path_buf(), encoded: Vec::new() };
        // Its holder may have finished between our open and our lock.
        if live.file.metadata()?.nlink() == 0 {
            return Ok(None);
        }
        (&live.file).read_to_end(&mut live.encoded)?;
        match codec::decode(&live.encoded) {
            Ok((intent, phase)) if intent.root == self.root.path() => {
                Ok(Some(Found::Dead(Box::new((live, intent, phase)))))
            }
            _ => {
                let aside = path.with_extension("damaged");
                fs::rename(path, &aside)?;
                Ok(Some(Found::Damaged(aside)))
            }
        }
    }

    /// Keeps content that an interrupted change and somebody else's would lose between them.
    pub(crate) fn keep(&self, live: &Live, number: usize, bytes: &[u8]) -> io::Result<PathBuf> {
        let stem = live.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let path = self.folder.join(format!("{stem}-{number}.kept"));
        let temp = path.with_extension("part");
        fs::write(&temp, bytes)?;
        File::open(&temp)?.sync_all()?;
        fs::rename(&temp, &path)?;
        Ok(path)
    }
}

impl Live {
    /// Writes a decision down, durably. In place, so that a full disk cannot prevent it.
    pub(crate) fn decide(&self, phase: Phase, faults: &Faults) -> io::Result<()> {
        let name = match phase {
            Phase::Preparing => return Ok(()),
            Phase::Committed => "mark committed",
            Phase::Aborted => "mark aborted",
            Phase::Carried => "mark carried",
            Phase::Undone => "mark undone",
        };
        let Some((at, mark)) = codec::mark(&self.encoded, phase) else {
            return Ok(());
        };
        faults.at(name, &self.path)?;
        self.file.write_all_at(&mark, at)?;
        match phase {
            // These two only spare a recovery some work, so they need not outlive a power cut.
            Phase::Carried | Phase::Undone => Ok(()),
            _ => {
                faults.at("sync mark", &self.path)?;
                self.file.sync_data()
            }
        }
    }

    /// Removes the journal: the change is at one of its ends.
    pub(crate) fn end(&self, faults: &Faults) -> io::Result<()> {
        faults.at("remove journal", &self.path)?;
        fs::remove_file(&self.path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn open_lock(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)
}

/// A name that no other commit has: time, process and a counter.
pub(crate) fn fresh_id() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let seed = format!("{now} {} {count}", std::process::id());
    let tail = ContentHash::of(seed.as_bytes()).0 & 0xffff_ffff;
    format!("{:012x}{tail:08x}", now / 1_000_000)
}
