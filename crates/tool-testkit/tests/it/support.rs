//! A fake server with a peer in front of it.

use std::time::Duration;
use tool_testkit::{LeakGuard, Script};
use tool_wire::{Child, Framing, Inbox, JsonRpc, Ladder, Peer, PeerOptions, Spawned, Wait};

/// Longer than any healthy machine needs.
pub(crate) fn wait(what: &'static str) -> Wait {
    Wait::new(what, Duration::from_secs(60))
}

/// Steps short enough to fall through, with a kill that has all the time it needs.
pub(crate) fn quick() -> Ladder {
    let short = Duration::from_millis(300);
    Ladder { goodbye: short, close: short, terminate: short, kill: Duration::from_secs(60) }
}

/// Steps that no healthy machine falls through by being slow.
pub(crate) fn patient() -> Ladder {
    let long = Duration::from_secs(60);
    Ladder { goodbye: long, close: long, terminate: long, kill: long }
}

/// A running fake server.
pub(crate) struct Server {
    pub(crate) peer: Peer,
    pub(crate) inbox: Inbox,
    pub(crate) child: Child,
    pub(crate) guard: LeakGuard,
    pub(crate) dir: tempfile::TempDir,
}

/// Starts the script under a guard; `None` where there is no Python.
pub(crate) async fn serve(test: &str, script: Script) -> Option<Server> {
    let python = tool_testkit::python(test).await?;
    let guard = LeakGuard::new();
    let dir = tempfile::tempdir().unwrap();
    let spawn = guard.mark(tool_testkit::server(&python, dir.path(), &script));
    let Spawned { child, stdin, stdout } = spawn.start().await.unwrap();
    let options = PeerOptions::new(Framing::ContentLength).program(child.watch());
    let (peer, inbox) = Peer::start(stdout.unwrap(), stdin.unwrap(), JsonRpc::lsp(), options);
    Some(Server { peer, inbox, child, guard, dir })
}
