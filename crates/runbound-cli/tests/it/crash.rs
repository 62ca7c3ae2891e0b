//! A process that dies in the middle of an accepted rewrite: the next start finds all-old or all-new.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{LONG, Project, piped, signal, wait};

const FILES: usize = 40;
const OLD: &str = "foo(1)\n";
const NEW: &str = "bar(1)\n";

#[test]
fn a_killed_acceptance_is_settled_by_the_next_start() {
    let names: Vec<String> = (0..FILES).map(|n| format!("f{n}.py")).collect();
    let mut cut = 0;
    for round in 0_u64..12 {
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), OLD)).collect();
        let project = Project::new(&files);
        let args = r#"{"pattern": "foo($A)", "rewrite": "bar($A)", "language": "python"}"#;
        let child = piped(&mut project.command(&["call", "ast_edit", args, "--accept"]));
        let id = child.id();
        // The journal is what comes first of a commit; from there on every moment is a fair one.
        let begun = Instant::now();
        while !journal_is_there(&project) && begun.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        let moment = Instant::now() + Duration::from_millis(round * 3);
        while Instant::now() < moment {
            std::thread::yield_now();
        }
        signal(id, "KILL");
        let died = wait(child, LONG).code().is_none();

        let report = project.run(&["doctor", "--json"]);
        let report: Value = serde_json::from_str(&report.out).unwrap();
        let notes = report["journals"]["notes"].to_string();
        if report["journals"]["settled"] != 0 {
            assert!(notes.contains("completed: f") || notes.contains("undone: f"), "{notes}");
            assert!(notes.contains(" and 35 more"), "{notes}");
        }
        cut += usize::from(died && report["journals"]["settled"] != 0);
        let new = names.iter().filter(|name| project.read(name) == NEW).count();
        let old = names.iter().filter(|name| project.read(name) == OLD).count();
        assert!(
            (new, old) == (FILES, 0) || (new, old) == (0, FILES),
            "round {round}: {new} new, {old} old: {report}"
        );
        assert_eq!(
            std::fs::read_dir(project.root()).unwrap().count(),
            FILES,
            "nothing is left beside the files"
        );
    }
    assert!(cut > 0, "no round was cut in the middle of a commit, so nothing was tested");
}

fn journal_is_there(project: &Project) -> bool {
    let folders =
        std::fs::read_dir(project.state().join("journals")).into_iter().flatten().flatten();
    folders
        .flat_map(|folder| std::fs::read_dir(folder.path()).into_iter().flatten().flatten())
        .any(|file| file.path().extension().is_some_and(|extension| extension == "journal"))
}
