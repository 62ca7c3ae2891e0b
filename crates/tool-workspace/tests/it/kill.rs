//! Real processes: aborted at every step, and killed at random times while they commit in a loop.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tool_workspace::{ChangeSet, CommitError, CommitOptions, Faults, Journals, Root};

use crate::support::{Site, at_step, open, picture};

const PLACE: &str = "RUNBOUND_TEST_PLACE";
const STEP: &str = "RUNBOUND_TEST_STEP";
const FILES: [&str; 5] = ["a", "b", "c/d", "c/e", "f/g/h"];

/// Not a test of its own: what the other tests start as a process. Without its variables it does nothing.
#[test]
fn child() {
    let Some(place) = std::env::var_os(PLACE) else {
        return;
    };
    let (root, journals) = open(Path::new(&place));
    match std::env::var(STEP) {
        Ok(step) => {
            let (faults, _) = at_step(step.parse().unwrap(), || std::process::abort());
            advance(&root, &journals, faults).unwrap();
        }
        Err(_) => loop {
            match advance(&root, &journals, Faults::default()) {
                Ok(()) => {}
                Err(CommitError::Mismatch { .. }) => {}
                Err(error) => panic!("{error}"),
            }
            println!("#");
        },
    }
}

fn start(place: &Path, step: Option<usize>) -> Child {
    #[expect(clippy::disallowed_methods, reason = "a process is what is tested")]
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "kill::child", "--nocapture"]).env(PLACE, place);
    if let Some(step) = step {
        command.env(STEP, step.to_string());
    }
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// From generation n to n + 1: every file holds its number; every other generation lacks the file `odd`.
fn advance(root: &Root, journals: &Journals, faults: Faults) -> Result<(), CommitError> {
    let mut set = ChangeSet::new();
    let mut next = 0;
    for name in FILES {
        let at = root.resolve(name).unwrap();
        let Ok(content) = root.read(&at) else { return Ok(()) };
        next = number(&content.bytes) + 1;
        let new = format!("{next}\n").repeat(1 + next % 7);
        set.replace(&at, content.into(), new.into_bytes()).unwrap();
    }
    let odd = root.resolve_new("new/odd").unwrap();
    if odd.exists() {
        let Ok(content) = root.read(&odd) else { return Ok(()) };
        set.delete(&odd, content.into()).unwrap();
    } else {
        set.create(&odd, next.to_string().into_bytes()).unwrap();
    }
    let options = CommitOptions { faults, ..CommitOptions::default() };
    set.commit_with(root, journals, &options).map(drop)
}

fn number(bytes: &[u8]) -> usize {
    let text = std::str::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| *line == lines[0]), "a torn file: {text:?}");
    lines[0].parse().unwrap()
}

fn fresh() -> Site {
    fill(Site::quick())
}

fn fill(site: Site) -> Site {
    for name in FILES {
        site.put(name, "1\n");
    }
    fs::create_dir(site.at("new")).unwrap();
    site
}

/// The one generation that all files are of.
fn generation(site: &Site, when: &str) -> usize {
    let numbers = FILES.map(|name| number(&fs::read(site.at(name)).unwrap()));
    assert!(numbers.iter().all(|n| *n == numbers[0]), "a mixture {when}: {numbers:?}");
    assert_eq!(site.at("new/odd").exists(), numbers[0] % 2 == 0, "{when}");
    let temps: Vec<PathBuf> = picture(site.root.path())
        .into_keys()
        .filter(|path| path.to_string_lossy().contains(".runbound"))
        .collect();
    assert!(temps.is_empty(), "{when}: {temps:?}");
    numbers[0]
}

#[test]
fn a_process_aborted_at_any_step_leaves_all_old_or_all_new() {
    let mut ends = [0, 0];
    for step in 0.. {
        let site = fresh();
        let status = start(site.place(), Some(step)).wait().unwrap();
        let report = site.journals.recover();
        assert!(report.failed.is_empty() && report.held == 0, "{report:?}");
        let now = generation(&site, &format!("after an abort at step {step}"));
        ends[now - 1] += 1;
        assert_eq!(site.journal_files(), [""; 0]);
        if status.success() {
            break;
        }
    }
    assert!(ends[0] > 10 && ends[1] > 10, "{ends:?}");
}

#[test]
fn processes_killed_at_random_times_leave_all_old_or_all_new() {
    // Some milliseconds a commit.
    kill_in_a_loop(fresh(), 60, 4_000);
}

#[test]
fn processes_killed_while_they_flush_leave_all_old_or_all_new() {
    // On a disk, where a commit takes many times as long.
    kill_in_a_loop(fill(Site::new()), 15, 100_000);
}

/// Kills processes at a random time of at most `window` microseconds after their first commit.
fn kill_in_a_loop(site: Site, kills: usize, window: u64) {
    let seed = std::env::var("RUNBOUND_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed: u64 = seed
        .unwrap_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64);
    let given = std::env::var("RUNBOUND_KILLS").ok().and_then(|given| given.parse().ok());
    let kills: usize = given.unwrap_or(kills);
    println!("RUNBOUND_SEED={seed} RUNBOUND_KILLS={kills}");
    let mut random = seed | 1;
    let mut next = |below: u64| {
        // xorshift64
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let (mut last, mut unfinished, mut advanced) = (1, 0, 0);
    for kill in 0..kills {
        // Every third time two processes commit over the same files, and one of them outlives the other a little.
        let two = kill % 3 == 2;
        let mut children: Vec<Child> =
            (0..1 + usize::from(two)).map(|_| start(site.place(), None)).collect();
        for child in &mut children {
            wait_for_work(child);
        }
        for child in &mut children {
            pause(Duration::from_micros(next(window)));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let report = site.journals.recover();
        assert!(
            report.failed.is_empty() && report.held == 0,
            "seed {seed}, kill {kill}: {report:?}"
        );
        assert!(report.damaged.is_empty(), "seed {seed}, kill {kill}: {report:?}");
        unfinished += report.settled.len();
        for recovered in &report.settled {
            assert_eq!(recovered.conflicts, [], "seed {seed}, kill {kill}");
        }
        let now = generation(&site, &format!("with seed {seed} after kill {kill}"));
        assert!(now >= last, "back from {last} to {now}");
        advanced += usize::from(now > last);
        last = now;
        assert_eq!(site.journal_files(), [""; 0]);
    }
    println!("{kills} kills, {unfinished} changes were unfinished, {last} generations");
    assert!(advanced > kills / 2, "the processes did commit: {advanced} of {kills}");
    assert!(unfinished > 0, "no kill hit a commit");
}

/// Until the child has committed for the first time.
fn wait_for_work(child: &mut Child) {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains('#') {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the child ended early");
    }
    // It goes on printing; somebody has to take that.
    std::thread::spawn(move || drop(lines.read_to_end(&mut Vec::new())));
}

#[expect(clippy::disallowed_methods, reason = "a random moment is what is wanted")]
fn pause(time: Duration) {
    std::thread::sleep(time);
}
