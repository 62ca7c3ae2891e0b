//! Waiting for what a server says unasked: for this version, or after the text was sent and then nothing more.

use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::{Moment, Said, Via};
use crate::client::{Client, Synced};
use crate::evidence::Push;
use crate::spec::Channel;

/// How the server's pushes are read.
struct Rules {
    /// A push for this version is the verdict.
    versioned: bool,
    /// A push without version is one after so much silence.
    settle: Option<Duration>,
}

fn rules(client: &Client) -> Rules {
    let mut rules = Rules { versioned: false, settle: None };
    for channel in &client.spec().diagnostics {
        match channel {
            Channel::PushVersioned => rules.versioned = true,
            Channel::PushSettled { ms } => rules.settle = Some(Duration::from_millis(*ms)),
            Channel::Pull | Channel::TsserverRequest | Channel::ProgressEnd { .. } => {}
        }
    }
    rules
}

/// What a push is worth now.
#[derive(PartialEq, Eq, Debug)]
enum Worth {
    /// About another text, or from before.
    Nothing,
    /// The verdict.
    Now(Via),
    /// The verdict at that time, unless more comes.
    At(Instant),
}

/// `sent` is the number of the event at which the text went out.
fn worth(push: &Push, version: i64, sent: u64, rules: &Rules) -> Worth {
    let settled = |after: Duration| Worth::At(push.at + after);
    match push.version {
        Some(of) if of != version => Worth::Nothing,
        Some(_) if rules.versioned => Worth::Now(Via::PushVersioned),
        Some(_) => rules.settle.map_or(Worth::Now(Via::PushVersioned), settled),
        None if push.seq <= sent => Worth::Nothing,
        // Nothing is known of its habits: half a second of silence.
        None => settled(rules.settle.unwrap_or(Duration::from_millis(500))),
    }
}

/// Waits until a push is a verdict; `None` when `askable` holds meanwhile. The error says that there is none.
pub(super) async fn wait(
    client: &Client,
    path: &Path,
    synced: &Synced,
    moment: &Moment,
    deadline: Instant,
    askable: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Said>, String> {
    let (rules, inbox) = (rules(client), client.pushes());
    let sent = match inbox.last_sent(path) {
        Some((seq, version, _)) if version == i64::from(synced.version) => seq,
        _ => moment.mark,
    };
    let begun = Instant::now();
    let (mut pushes, mut others) = (inbox.changes(), client.changes());
    loop {
        pushes.borrow_and_update();
        others.borrow_and_update();
        if askable() {
            return Ok(None);
        }
        let mut wake = deadline;
        if let Some(push) = inbox.pushed(path) {
            let via = match worth(&push, i64::from(synced.version), sent, &rules) {
                Worth::Now(via) => Some(via),
                Worth::At(time) if time <= Instant::now() => Some(Via::PushSettled),
                Worth::At(time) => {
                    wake = wake.min(time);
                    None
                }
                Worth::Nothing => None,
            };
            if let Some(via) = via {
                return Ok(Some(Said { items: push.items, via, part: None }));
            }
        }
        // That a sender is gone cannot be: the client holds both.
        tokio::select! {
            _ = pushes.changed() => {}
            _ = others.changed() => {}
            () = sleep_until(wake) => {}
        }
        if Instant::now() >= deadline {
            let waited = begun.elapsed().as_secs_f32();
            return Err(format!(
                "{} has said nothing of this text within {waited:.1} s",
                client.id()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Push, Rules, Worth, worth};
    use crate::verdict::Via;
    use std::time::Duration;
    use tokio::time::Instant;

    fn push(version: Option<i64>, seq: u64) -> Push {
        Push { items: Vec::new(), version, seq, at: Instant::now() }
    }

    /// Failures 13, 17, 20: what was said of another version, or before the text was sent, is worth nothing.
    #[test]
    fn only_what_is_about_this_text_counts() {
        let both = Rules { versioned: true, settle: Some(Duration::from_millis(300)) };
        let settles = Rules { versioned: false, ..both };
        let bare = Rules { versioned: true, settle: None };
        for (version, seq, rules, now) in [
            (Some(3), 1, &both, Worth::Nothing),
            (Some(5), 9, &both, Worth::Nothing),
            (Some(4), 1, &both, Worth::Now(Via::PushVersioned)),
            (None, 6, &both, Worth::Nothing),
            (None, 6, &bare, Worth::Nothing),
        ] {
            assert_eq!(worth(&push(version, seq), 4, 6, rules), now, "{version:?} {seq}");
        }
        for (version, rules, after) in
            [(None, &both, 300), (Some(4), &settles, 300), (None, &bare, 500)]
        {
            let push = push(version, 7);
            assert_eq!(
                worth(&push, 4, 6, rules),
                Worth::At(push.at + Duration::from_millis(after)),
                "{version:?}"
            );
        }
    }
}
