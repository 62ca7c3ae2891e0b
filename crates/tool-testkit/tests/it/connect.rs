//! Connecting to what is about to listen.

use crate::support::wait;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpSocket;
use tool_testkit::LeakGuard;
use tool_wire::{Spawn, Stdout, Wait, WireError, connect};

/// An address that nobody listens on, and that nobody else is given while the socket lives: it is bound, and
/// a program may bind it too if it says so.
fn unused() -> (SocketAddr, TcpSocket) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseport(true).unwrap();
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
    (socket.local_addr().unwrap(), socket)
}

#[tokio::test]
async fn it_waits_until_the_program_listens() {
    let Some(python) = tool_testkit::python("it_waits_until_the_program_listens").await else {
        return;
    };
    let guard = LeakGuard::new();
    let (to, _reserved) = unused();
    let source = "import socket, sys, time\ntime.sleep(0.05)\ns = socket.create_server(('127.0.0.1', int(sys.argv[1])), reuse_port=True)\ns.accept()[0].recv(1)";
    let spawn = Spawn::new(python, "/").args(["-I", "-S", "-c", source]).arg(to.port().to_string());
    let spawned = guard.mark(spawn.stdout(Stdout::Tail)).start().await.unwrap();
    let stream = connect(to, Some(&spawned.child.watch()), wait("a listener")).await.unwrap();
    drop(stream);
    assert_eq!(spawned.child.watch().gone().await.exit.code, Some(0));
}

#[tokio::test]
async fn it_ends_with_the_program_and_its_words() {
    let spawn = Spawn::new("/bin/sh", "/").args(["-c", "echo no module named debugpy >&2; exit 1"]);
    let spawned = spawn.start().await.unwrap();
    let (to, _reserved) = unused();
    let error = connect(to, Some(&spawned.child.watch()), wait("a listener")).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "it ended with exit code 1; it said on stderr: no module named debugpy"
    );
}

#[tokio::test]
async fn it_has_a_deadline_and_stays_on_this_machine() {
    let (to, _reserved) = unused();
    let short = Wait::new("a listener", Duration::from_millis(50));
    let error = connect(to, None, short).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer within 50ms: a listener");
    let away =
        connect(SocketAddr::from(([192, 0, 2, 1], 80)), None, wait("nothing")).await.unwrap_err();
    assert!(matches!(away, WireError::Connect { .. }), "{away}");
}
