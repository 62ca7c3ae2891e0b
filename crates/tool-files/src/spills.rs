//! Files for the whole text of answers that the output budget cuts, below the run's state folder.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tool_core::{CallId, CloseWhy, Closed, Resource, RunScope, Spill, async_trait};

/// Bytes of one text; what is longer is not kept.
pub const SPILL_TEXT_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of all texts of a run; the oldest go first.
pub const SPILL_RUN_BYTES: usize = 128 * 1024 * 1024;
/// What runs have left behind that did not end properly goes after a week.
const STALE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Keeps the whole text of cut answers in files, for the time of a run. Cheap to clone.
///
/// The files lie in `spill/<run>` below the run's state folder and are readable by their owner only. At most
/// [`SPILL_RUN_BYTES`] are kept. `read` takes their names when the pack has been given the spills.
#[derive(Clone, Debug)]
pub struct Spills {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    outlive: bool,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    files: VecDeque<(PathBuf, usize)>,
    bytes: usize,
    made: u64,
    closed: bool,
}

impl Spills {
    /// For this run; `None` where it has no state folder. Touches nothing until a text is kept.
    #[must_use]
    pub fn of(scope: &RunScope) -> Option<Self> {
        let folder = scope.state_dir()?.join("spill").join(scope.run().to_string());
        Some(Self::new(folder, false))
    }

    fn new(folder: PathBuf, outlive: bool) -> Self {
        Self { inner: Arc::new(Inner { folder, outlive, kept: Mutex::default() }) }
    }

    /// Leaves the files when the run ends, for a process that makes one call and is gone before anybody can read. They
    /// go after a week.
    #[must_use]
    pub fn outlive_the_run(self) -> Self {
        Self::new(self.inner.folder.clone(), true)
    }

    /// The file, if this run has written it. Nothing but what was given out is found: a model cannot name another file.
    pub(crate) fn find(&self, path: &str) -> Option<PathBuf> {
        let kept = self.inner.lock();
        kept.files
            .iter()
            .find(|(file, _)| file.to_str() == Some(path))
            .map(|(file, _)| file.clone())
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, text: &str) -> Result<PathBuf, String> {
        if text.len() > SPILL_TEXT_BYTES {
            return Err(format!("it has {} bytes, the limit is {SPILL_TEXT_BYTES}", text.len()));
        }
        // Held while writing: texts are rare, and a run that closes waits for the one that is being written.
        let mut kept = self.lock();
        if kept.closed {
            return Err("the run is closing".to_owned());
        }
        if kept.made == 0 {
            sweep(&self.folder);
        }
        let told = |error: io::Error| format!("{}: {error}", self.folder.display());
        private_folder(&self.folder).map_err(told)?;
        while kept.bytes + text.len() > SPILL_RUN_BYTES {
            let Some((oldest, bytes)) = kept.files.pop_front() else { break };
            kept.bytes -= bytes;
            let _ = fs::remove_file(oldest);
        }
        kept.made += 1;
        let path = self.folder.join(format!("cut-{}.txt", kept.made));
        if let Err(error) = private_file(&path).and_then(|mut file| file.write_all(text.as_bytes()))
        {
            let _ = fs::remove_file(&path);
            return Err(told(error));
        }
        kept.files.push_back((path.clone(), text.len()));
        kept.bytes += text.len();
        Ok(path)
    }

    fn clear(&self) -> io::Result<()> {
        let mut kept = self.lock();
        kept.closed = true;
        if self.outlive || kept.made == 0 {
            return Ok(());
        }
        kept.files.clear();
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Removes the folders of other runs that are old enough to be nobody's.
fn sweep(own: &Path) {
    let Some(entries) = own.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return };
    for entry in entries.flatten() {
        let old = entry
            .metadata()
            .and_then(|meta| meta.modified())
            .is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > STALE));
        if old && entry.path() != own {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[async_trait]
impl Spill for Spills {
    async fn keep(&self, _: CallId, text: String) -> Result<PathBuf, String> {
        let inner = Arc::clone(&self.inner);
        tokio::task::spawn_blocking(move || inner.write(&text))
            .await
            .unwrap_or_else(|error| Err(error.to_string()))
    }
}

#[async_trait]
impl Resource for Spills {
    fn name(&self) -> String {
        "texts of cut answers".to_owned()
    }

    async fn close(&self, _: CloseWhy, _: Duration) -> Closed {
        let inner = Arc::clone(&self.inner);
        match tokio::task::spawn_blocking(move || inner.clear()).await {
            Ok(Ok(())) => Closed::Clean,
            Ok(Err(error)) => {
                Closed::Left(format!("{} cannot be removed: {error}", self.inner.folder.display()))
            }
            Err(error) => Closed::Left(error.to_string()),
        }
    }

    /// Leaves the files to a later run's sweep, since removing them could block.
    fn abandon(&self) {}
}

#[cfg(test)]
mod tests;
