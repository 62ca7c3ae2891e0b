//! A host that starts the shell script of its argument and then waits to be killed. Prints the script's pid
//! and its first line.

use tokio::io::{AsyncBufReadExt, BufReader};
use tool_wire::Spawn;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let script = std::env::args().nth(1).ok_or("no script")?;
    // The guard of the test marks the host; its mark goes on to what the host starts.
    let spawn = Spawn::new("/bin/sh", "/").args(["-c", &script]).allow_env(["RUNBOUND_LEAK_GUARD"]);
    let mut spawned = spawn.start().await?;
    let stdout = spawned.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).await?;
    #[expect(clippy::print_stdout, reason = "the test reads it")]
    {
        println!("{} {}", spawned.child.pid(), line.trim());
    }
    std::future::pending().await
}
