//! The files that an edit touches, as they would be after each step.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tool_workspace::{Captured, Located, Place, Walk, WalkOptions};

use super::{Known, capture, locate};
use crate::edits::EditProblem;

/// The most files of a folder that is moved or deleted.
const MOST_FILES: usize = 5_000;

/// A file as it would be.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) content: Vec<u8>,
    /// The file (below the root) whose bytes and attributes it has; `None` for one that was created.
    pub(super) origin: Option<PathBuf>,
    pub(super) edits: usize,
}

/// A file as it was.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub(super) at: Located,
    pub(super) captured: Captured,
}

pub(super) struct Tree<'a> {
    known: &'a Known<'a>,
    /// Everything that was looked at, by its path below the root; `None`: nothing is there.
    pub(super) now: BTreeMap<PathBuf, Option<Node>>,
    pub(super) before: BTreeMap<PathBuf, Before>,
    /// Places of files that were not there before.
    pub(super) places: BTreeMap<PathBuf, Located>,
    /// Folders that were moved or deleted as such.
    pub(super) folders: Vec<PathBuf>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(known: &'a Known<'a>) -> Self {
        Self {
            known,
            now: BTreeMap::new(),
            before: BTreeMap::new(),
            places: BTreeMap::new(),
            folders: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.now.len()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let now: usize = self.now.values().flatten().map(|node| node.content.len()).sum();
        now + self.before.values().map(|before| before.captured.bytes().len()).sum::<usize>()
    }

    /// Looks at a path for the first time.
    fn load(&mut self, at: &Located) -> Result<(), EditProblem> {
        if self.now.contains_key(at.within()) {
            return Ok(());
        }
        let within = at.within().to_path_buf();
        let node = match at.place() {
            Place::Nothing => {
                self.places.insert(within.clone(), at.clone());
                None
            }
            Place::File => {
                let captured = capture(self.known, at)?;
                let content = captured.bytes().to_vec();
                self.before.insert(within.clone(), Before { at: at.clone(), captured });
                Some(Node { content, origin: Some(within.clone()), edits: 0 })
            }
            Place::Folder | Place::Other => {
                return Err(EditProblem::NotText { rel: at.rel(), why: "it is no file".into() });
            }
        };
        self.now.insert(within, node);
        Ok(())
    }

    /// The content of a file at this step; `None` if there is none.
    pub(super) fn content(&mut self, at: &Located) -> Result<Option<Vec<u8>>, EditProblem> {
        self.load(at)?;
        let node = self.now.get(at.within()).and_then(Option::as_ref);
        Ok(node.map(|node| node.content.clone()))
    }

    pub(super) fn set(&mut self, at: &Located, content: Vec<u8>, edits: usize) {
        if let Some(Some(node)) = self.now.get_mut(at.within()) {
            node.content = content;
            node.edits += edits;
        }
    }

    fn exists(&mut self, at: &Located) -> Result<bool, EditProblem> {
        self.load(at)?;
        Ok(self.now.get(at.within()).is_some_and(Option::is_some))
    }

    pub(super) fn create(
        &mut self,
        path: &Path,
        overwrite: bool,
        ignore: bool,
    ) -> Result<(), EditProblem> {
        let at = locate(self.known.root, path)?;
        // The protocol: overwriting wins over ignoring.
        match self.exists(&at)? {
            true if !overwrite && ignore => return Ok(()),
            true if !overwrite => return Err(EditProblem::Exists { rel: at.rel() }),
            _ => {}
        }
        let node = Node { content: Vec::new(), origin: None, edits: 0 };
        self.now.insert(at.within().to_path_buf(), Some(node));
        Ok(())
    }

    pub(super) fn rename(
        &mut self,
        from: &Path,
        to: &Path,
        overwrite: bool,
        ignore: bool,
    ) -> Result<(), EditProblem> {
        let at = locate(self.known.root, from)?;
        if !at.is_folder() {
            let goal = locate(self.known.root, to)?;
            return self.move_file(&at, &goal, overwrite, ignore);
        }
        if locate(self.known.root, to)?.exists() {
            if ignore && !overwrite {
                return Ok(());
            }
            return Err(EditProblem::Exists { rel: locate(self.known.root, to)?.rel() });
        }
        for file in self.below(&at)? {
            let Ok(rest) = file.within().strip_prefix(at.within()) else { continue };
            let goal = locate(self.known.root, &to.join(rest))?;
            self.move_file(&file, &goal, overwrite, ignore)?;
        }
        self.folders.push(at.path().to_path_buf());
        Ok(())
    }

    fn move_file(
        &mut self,
        from: &Located,
        to: &Located,
        overwrite: bool,
        ignore: bool,
    ) -> Result<(), EditProblem> {
        if !self.exists(from)? {
            return Err(EditProblem::Missing { rel: from.rel() });
        }
        if from.within() == to.within() {
            return Ok(());
        }
        match self.exists(to)? {
            true if !overwrite && ignore => return Ok(()),
            true if !overwrite => return Err(EditProblem::Exists { rel: to.rel() }),
            _ => {}
        }
        let node = self.now.insert(from.within().to_path_buf(), None).flatten();
        self.now.insert(to.within().to_path_buf(), node);
        Ok(())
    }

    pub(super) fn delete(
        &mut self,
        path: &Path,
        recursive: bool,
        ignore: bool,
    ) -> Result<(), EditProblem> {
        let at = locate(self.known.root, path)?;
        if at.is_folder() {
            let files = self.below(&at)?;
            if !files.is_empty() && !recursive {
                return Err(EditProblem::NotEmpty { rel: at.rel() });
            }
            for file in files {
                self.load(&file)?;
                self.now.insert(file.within().to_path_buf(), None);
            }
            self.folders.push(at.path().to_path_buf());
            return Ok(());
        }
        if !self.exists(&at)? {
            return if ignore { Ok(()) } else { Err(EditProblem::Missing { rel: at.rel() }) };
        }
        self.now.insert(at.within().to_path_buf(), None);
        Ok(())
    }

    /// The files of a folder that are there at this step, hidden and ignored ones too.
    fn below(&self, at: &Located) -> Result<Vec<Located>, EditProblem> {
        let mut options = WalkOptions::default();
        (options.ignore_files, options.hidden, options.count_excluded) = (false, true, false);
        let root = self.known.root;
        let walked = Walk::new(root, at).options(options).run().map_err(EditProblem::Path)?;
        if let Some(skipped) = walked.skipped.first() {
            let why = skipped.reason.to_string();
            return Err(EditProblem::NotText { rel: skipped.rel.clone(), why });
        }
        if walked.files.len() > MOST_FILES {
            let what = format!("{} has {} files", at.rel(), walked.files.len());
            return Err(EditProblem::TooMuch { what });
        }
        let gone = |within: &Path| matches!(self.now.get(within), Some(None));
        let mut files = Vec::new();
        for file in &walked.files {
            let found = root.resolve_walked(file).map_err(EditProblem::Path)?;
            if !gone(found.within()) {
                files.push(found);
            }
        }
        Ok(files)
    }
}
