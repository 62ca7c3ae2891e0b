//! How much memory processes hold, where the system tells.

/// Resident bytes of these processes together; `None` where the system does not tell.
pub(super) fn resident(pids: &[u32]) -> Option<u64> {
    let sizes: Vec<u64> = pids.iter().filter_map(|pid| of(*pid)).collect();
    (!sizes.is_empty()).then(|| sizes.iter().sum())
}

fn of(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::resident;

    #[test]
    fn our_own_memory_is_told() {
        let ours = resident(&[std::process::id()]).expect("Linux tells");
        assert!(ours > 100 * 1024, "{ours}");
        assert!(resident(&[std::process::id(), u32::MAX]).is_some());
        assert_eq!(resident(&[u32::MAX]), None);
    }
}
