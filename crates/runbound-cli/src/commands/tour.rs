//! `tour` (being written).
use crate::args::Common;
use crate::exit::Exit;
pub(crate) async fn tour(_: &Common) -> anyhow::Result<Exit> {
    anyhow::bail!("not yet")
}
