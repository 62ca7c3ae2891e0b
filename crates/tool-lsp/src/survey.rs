//! Which servers a checkout could use, and why the others not: found out by asking the programs, starting none.

use crate::config::{LspConfig, Servers};
use crate::find::{Binary, Unusable, find, search_path};
use crate::roots::root_for;
use crate::spec::{Role, ServerSpec};
use futures_util::future::join_all;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tool_wire::Finder;
use tool_workspace::{Root, Walk, WorkspaceError};

/// Roots of one server that are looked at; a checkout with more is told of so many.
const ROOTS: usize = 20;

/// A server for files of this checkout, at one of its roots.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surveyed {
    /// The server.
    pub id: String,
    /// Whether it only adds to what another one says.
    pub linter: bool,
    /// Its root, relative to the run's (`.` is that itself); empty where there is none.
    pub root: String,
    /// How many files of the checkout are its own there.
    pub files: usize,
    /// Whether it could be started.
    pub usable: bool,
    /// Why not, in one word: `no_marker`, `no_binary`, `broken_binary`, `unsupported`, `untrusted`. Empty if usable.
    pub code: &'static str,
    /// Why not, in a sentence; what its program says of its version where it is usable.
    pub says: String,
    /// The program.
    pub program: Option<PathBuf>,
    /// A command that installs it.
    pub install: String,
    /// The server that answers for the same files, if it is another one: this one is then not needed.
    pub covered_by: Option<String>,
}

/// What this checkout could use: servers for files that are there, in the order in which they are preferred.
///
/// # Errors
/// The root cannot be walked.
pub async fn survey(
    root: &Root,
    config: &LspConfig,
    trusted: bool,
) -> Result<Vec<Surveyed>, WorkspaceError> {
    let finder = Finder::with_path(&search_path(config, root.path(), trusted));
    let found = join_all(places(root, &config.servers)?.into_iter().map(async |place| {
        let result = match &place.root {
            Some(at) => find(&finder, place.spec, at, root.path(), trusted).await,
            None => Err(Unusable::NoMarker {
                server: place.spec.id.clone(),
                markers: place.spec.markers.clone(),
            }),
        };
        (place, result)
    }))
    .await;
    let mut list: Vec<(Place<'_>, Surveyed)> = Vec::new();
    for (place, result) in found {
        let covered_by = list
            .iter()
            .find(|(other, said)| said.usable && covers(other, &place))
            .map(|(_, said)| said.id.clone());
        let said = surveyed(root, &place, result, covered_by);
        list.push((place, said));
    }
    Ok(list.into_iter().map(|(_, said)| said).collect())
}

/// Where a server would be used.
pub(crate) struct Place<'a> {
    pub(crate) spec: &'a ServerSpec,
    /// Its root; `None` if files have no marker.
    pub(crate) root: Option<PathBuf>,
    /// How many files are its own there.
    pub(crate) files: usize,
}

/// The places of every server that has files in this checkout. Blocks: it walks the whole root.
///
/// # Errors
/// The root cannot be walked.
pub(crate) fn places<'a>(
    root: &Root,
    servers: &'a Servers,
) -> Result<Vec<Place<'a>>, WorkspaceError> {
    // One file a kind and folder stands for all of them.
    let mut kinds: BTreeMap<(PathBuf, String), (PathBuf, usize)> = BTreeMap::new();
    for file in Walk::new(root, &root.resolve(".")?).run()?.files {
        let path = file.path;
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { continue };
        let kind = path.extension().unwrap_or(name).to_string_lossy().into_owned();
        let entry = kinds.entry((folder.to_path_buf(), kind));
        entry.or_insert_with(|| (path.clone(), 0)).1 += 1;
    }
    let mut list = Vec::new();
    for spec in servers.iter() {
        let mut roots: BTreeMap<Option<PathBuf>, usize> = BTreeMap::new();
        for (file, count) in kinds.values() {
            if spec.language_id(file).is_some() {
                *roots.entry(root_for(spec, file, root.path())).or_default() += count;
            }
        }
        let rootless = roots.remove(&None);
        if roots.is_empty() {
            list.extend(rootless.map(|files| Place { spec, root: None, files }));
        }
        let roots = roots.into_iter().take(ROOTS);
        list.extend(roots.map(|(root, files)| Place { spec, root, files }));
    }
    Ok(list)
}

/// Whether `one` answers for what `other` would: both know types, of the same files, at a root that holds the other's.
fn covers(one: &Place<'_>, other: &Place<'_>) -> bool {
    let both = [one, other].iter().all(|place| place.spec.role == Role::Types);
    let holds = match (&one.root, &other.root) {
        (Some(one), Some(other)) => other.starts_with(one),
        (Some(_), None) => true,
        _ => false,
    };
    let same = other
        .spec
        .documents
        .iter()
        .any(|(what, _)| one.spec.documents.iter().any(|(known, _)| known == what));
    both && holds && same && one.spec.id != other.spec.id
}

fn surveyed(
    root: &Root,
    place: &Place<'_>,
    result: Result<Binary, Unusable>,
    covered_by: Option<String>,
) -> Surveyed {
    let (usable, code, says, program) = match result {
        Ok(binary) => (true, "", binary.version, Some(binary.program)),
        Err(why) => (false, why.code(), why.to_string(), None),
    };
    let shown = |at: &Path| match root.relative(at) {
        whole if whole.is_empty() => ".".to_string(),
        part => part,
    };
    Surveyed {
        id: place.spec.id.clone(),
        linter: place.spec.role == Role::Linter,
        root: place.root.as_deref().map(shown).unwrap_or_default(),
        files: place.files,
        usable,
        code,
        says,
        program,
        install: place.spec.install.clone(),
        covered_by,
    }
}
