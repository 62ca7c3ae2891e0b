//! The example of `docs/serve.md`, as a harness author would run it.

use std::process::Command;

use crate::support::{Project, Ran};

#[test]
fn the_documented_python_host_works() {
    let page = include_str!("../../../../docs/serve.md");
    let program =
        page.split_once("```python\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_runbound")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(binary.to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let project = Project::new(&[("a.py", "print(1)\nprint( 2 )\n")]);
    #[expect(clippy::disallowed_methods, reason = "this test is a host in another language")]
    let mut python = Command::new("python3");
    python.args(["-c", program]).arg(project.root());
    python.env("PATH", path.unwrap()).env("XDG_STATE_HOME", project.state());
    let Ok(output) = python.output() else {
        println!("SKIP the_documented_python_host_works: python3 is not installed");
        return;
    };
    let ran = Ran::of(output);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    let tools = lines[0].strip_suffix(" tools").and_then(|n| n.parse::<usize>().ok());
    assert!(tools.is_some_and(|n| n >= 7), "{ran:?}");
    assert_eq!(lines[lines.len() - 1], "True", "{ran:?}");
    assert!(ran.out.contains("2 matches"), "{ran:?}");
    assert!(ran.out.contains("(proposed) 2 replacements"), "{ran:?}");
    assert_eq!(project.read("a.py"), "print(1)\nprint( 2 )\n", "the page only shows an edit");
}
