//! A guard under which nothing outlives a test.

use std::time::{Duration, Instant};
use tool_wire::Spawn;

const MARK: &str = "RUNBOUND_LEAK_GUARD";

/// Marks what is started, and fails the test if any of it, or what it started in turn, is alive when the
/// guard is dropped. It sees every descendant that keeps its environment, whatever its session; on systems
/// without `/proc` it sees nothing.
#[derive(Debug)]
pub struct LeakGuard {
    mark: String,
}

impl LeakGuard {
    /// A mark that no other test has.
    #[expect(clippy::new_without_default, reason = "a guard is made on purpose, never by the way")]
    pub fn new() -> Self {
        static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Self { mark: format!("{}-{number}", std::process::id()) }
    }

    /// Puts a program under the guard.
    pub fn mark(&self, spawn: Spawn) -> Spawn {
        spawn.env(MARK, &self.mark)
    }

    /// The variable that puts a process under the guard, for what is not started by `Spawn`.
    pub fn variable(&self) -> (&'static str, &str) {
        (MARK, &self.mark)
    }

    /// The command lines of what is alive.
    pub fn alive(&self) -> Vec<String> {
        let wanted = format!("{MARK}={}", self.mark).into_bytes();
        let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
        entries
            .filter_map(|entry| {
                let folder = entry.ok()?.path();
                let variables = std::fs::read(folder.join("environ")).ok()?;
                // A zombie's environment reads as empty, so it does not count.
                variables.split(|byte| *byte == 0).find(|variable| **variable == *wanted)?;
                let line = std::fs::read(folder.join("cmdline")).ok()?;
                let line = String::from_utf8_lossy(&line).replace('\0', " ");
                let pid = folder.file_name()?.to_string_lossy().into_owned();
                Some(format!("{pid} {}", line.chars().take(200).collect::<String>()))
            })
            .collect()
    }
}

impl Drop for LeakGuard {
    fn drop(&mut self) {
        // What was just killed may take a moment to go.
        let until = Instant::now() + Duration::from_secs(20);
        while !self.alive().is_empty() && Instant::now() < until {
            std::thread::park_timeout(Duration::from_millis(5));
        }
        let alive = self.alive();
        if !std::thread::panicking() {
            assert!(alive.is_empty(), "left behind: {alive:#?}");
        }
    }
}
