//! Accepting and discarding: the one place from which this crate changes files.

use tool_core::{ToolError, ToolOutput};
use tool_workspace::{CommitError, CommitOptions, Journals};

use crate::render;
use crate::stage::Closed;
use crate::workshop::Workshop;

/// Decides an edit. Blocks; once the first file is changed all of it is carried out.
pub(crate) fn decide(
    shop: &Workshop,
    id: &str,
    accept: bool,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<ToolOutput, ToolError> {
    if !accept {
        return match shop.ledger.discard(id) {
            Ok((id, proposal)) => Ok(render::discarded(id, &proposal)),
            Err(why) => Err(render::not_open(id, "discard", &why)),
        };
    }
    let mut claim = shop.ledger.claim(id).map_err(|why| render::not_open(id, "accept", &why))?;
    let proposal = claim.payload.clone();
    let journals = Journals::open(&shop.state_dir, &shop.root);
    let options = CommitOptions { cancelled, ..CommitOptions::default() };
    match proposal.changes.commit_with(&shop.root, &journals, &options) {
        Ok(_) => {
            claim.close(Closed::Accepted);
            Ok(render::accepted(claim.id, &proposal))
        }
        Err(CommitError::Mismatch { files }) => {
            claim.close(Closed::Stale);
            let files: Vec<(String, String)> = files
                .into_iter()
                .filter(|file| file.problem.is_mismatch())
                .map(|file| (file.rel, file.problem.to_string()))
                .collect();
            Err(render::mismatched(claim.id, &proposal, &files))
        }
        Err(error) => {
            if matches!(error, CommitError::Stuck { .. }) {
                claim.close(Closed::Broken);
            }
            // Otherwise nothing was written: the edit stays open.
            Err(render::not_written(claim.id, &error))
        }
    }
}
