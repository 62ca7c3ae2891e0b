//! A check that a server runs when a file is saved (`cargo check`): its end says that what it pushed is all.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::pull::pull;
use super::{Moment, Said, Via};
use crate::client::{Client, Synced};
use crate::spec::Channel;

/// A check that a save starts begins within this time, if the server has ever run one.
const BEGINS: Duration = Duration::from_secs(5);
/// The same for a server that has run none yet: it may be switched off.
const BEGINS_AT_ALL: Duration = Duration::from_secs(1);

/// How the token of the server's check begins.
pub(super) fn token(client: &Client) -> Option<&str> {
    client.spec().diagnostics.iter().find_map(|channel| match channel {
        Channel::ProgressEnd { token, .. } => Some(token.as_str()),
        _ => None,
    })
}

fn starts_on_save(client: &Client) -> bool {
    client
        .spec()
        .diagnostics
        .iter()
        .any(|c| matches!(c, Channel::ProgressEnd { on_save: true, .. }))
}

/// Where the check stands, seen from a moment.
#[derive(PartialEq, Eq, Debug)]
enum State {
    NotBegun,
    Running,
    Ended,
}

/// A check that ran at the moment was about the text before; only one that began later counts.
fn state(begun_before: u64, begun: u64, ended: u64) -> State {
    if begun <= begun_before {
        State::NotBegun
    } else if ended < begun {
        State::Running
    } else {
        State::Ended
    }
}

/// Adds what the check finds to what was said already. Where it does not end in time, that is said.
pub(super) async fn complete(
    client: &Client,
    path: &Path,
    synced: &Synced,
    moment: &Moment,
    mut said: Said,
    deadline: Instant,
) -> Said {
    let Some(token) = token(client) else { return said };
    let mut changes = client.changes();
    let begins = moment.at + if seen(client) { BEGINS } else { BEGINS_AT_ALL };
    loop {
        changes.borrow_and_update();
        let count = client.progress_count(token);
        let running = count.begun > count.ended;
        let wake = match state(moment.checks.begun, count.begun, count.ended) {
            State::Ended => {
                // The end is told before what it has cleared away is; an answer to a question comes after both.
                let identifiers = client.pull_identifiers(path);
                if !identifiers.is_empty()
                    && let Ok(again) = pull(client, path, synced, &identifiers, deadline).await
                {
                    said = again;
                }
                break said.via = Via::Check;
            }
            State::Running => deadline,
            // Nothing was saved, and nothing runs: what was pushed is what is known.
            State::NotBegun if !running && (!moment.saved || !expected(client)) => break,
            State::NotBegun if running && !moment.saved => deadline,
            State::NotBegun => begins.min(deadline),
        };
        if Instant::now() >= wake {
            if !running {
                client.pushes().checks_missed.fetch_add(1, Ordering::Relaxed);
            }
            let what = if running { "has not ended" } else { "has not begun" };
            said.part = Some(format!("the check that {} runs {what}", client.id()));
            let push = client.pushes().pushed(path);
            if let Some(push) = push.filter(|p| p.version == Some(i64::from(synced.version))) {
                said.items.extend(push.items);
            }
            return said;
        }
        let _ = timeout_at(wake, changes.changed()).await;
    }
    if let Some(push) = client.pushes().pushed(path) {
        said.items.extend(push.items);
    }
    said
}

fn seen(client: &Client) -> bool {
    token(client).is_some_and(|token| client.progress_count(token).begun > 0)
}

/// A save is followed by a check, as far as is known: one that is switched off is not waited for each time.
fn expected(client: &Client) -> bool {
    const TRIES: u64 = 2;
    starts_on_save(client)
        && (seen(client) || client.pushes().checks_missed.load(Ordering::Relaxed) < TRIES)
}

#[cfg(test)]
mod tests {
    use super::{State, state};

    #[test]
    fn a_check_counts_that_began_after_the_save() {
        for (before, begun, ended, is) in [
            (0, 0, 0, State::NotBegun),
            // One ran at the save; its end says nothing of what was saved.
            (1, 1, 0, State::NotBegun),
            (1, 1, 1, State::NotBegun),
            (1, 2, 1, State::Running),
            // One a package: all that began have to end.
            (1, 3, 2, State::Running),
            (1, 3, 3, State::Ended),
        ] {
            assert_eq!(state(before, begun, ended), is, "{before} {begun} {ended}");
        }
    }
}
