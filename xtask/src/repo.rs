//! Where things are: the repository, the folder of fetched things, the build's target folder.

use std::path::{Path, PathBuf};

/// The root of the repository, from where this program was built.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// What set-up fetches: `target/toolbox` in the repository whatever the build's target folder is,
/// so that tests find it without being told. `RUNBOUND_TOOLBOX` names another.
pub(crate) fn toolbox() -> PathBuf {
    match std::env::var_os("RUNBOUND_TOOLBOX") {
        Some(dir) => PathBuf::from(dir),
        None => root().join("target").join("toolbox"),
    }
}

/// The build's target folder.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// The binary as the tests build it.
pub(crate) fn binary() -> PathBuf {
    target().join("debug").join(format!("runbound{}", std::env::consts::EXE_SUFFIX))
}
