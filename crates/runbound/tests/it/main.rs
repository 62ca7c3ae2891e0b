//! The facade as a harness author meets it.

/// The example on the first screen is the one that the crate's documentation compiles and runs.
#[test]
fn the_first_screen_shows_the_compiled_example() {
    let readme = include_str!("../../../../README.md");
    let example = include_str!("../../src/embedding.rs.txt");
    let shown = readme
        .split_once("```rust\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(code, _)| code);
    assert_eq!(shown, Some(example));
    assert!(example.lines().count() <= 22, "short enough for a first screen");
}

/// A tool of a harness's own needs nothing but the prelude.
#[tokio::test]
async fn the_prelude_is_enough_for_a_small_tool_and_a_layer() {
    use runbound::prelude::*;
    use serde_json::json;

    struct Stamp;

    #[async_trait]
    impl Layer for Stamp {
        fn stage(&self) -> Stage {
            Stage::Around
        }

        async fn around(
            &self,
            _: &CallCx,
            _: &Args,
            next: Next<'_>,
        ) -> Result<ToolOutput, ToolError> {
            next.run().await.map(|output| output.note("stamped"))
        }
    }

    let schema =
        json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
    let spec = ToolSpec::new("count", Tier::Read, "Counts.", schema).kind(ToolKind::Search);
    let tool = FnTool::new(spec, |_, _| async { Ok(ToolOutput::text(n_of_m(2, 3))) });
    let scope = RunScope::builder("c1").build();
    let view = RegistryBuilder::new().tool(tool).layer(Stamp).build(scope).expect("it registers");
    let outcome = view.invoke(CallRequest::new("count", json!({}))).await;
    assert_eq!(outcome.render_text(), "2 of 3\nstamped");
}

/// The page of the crate names every grammar that there is a feature for.
#[test]
fn the_page_names_the_grammars() {
    let page = include_str!("../../src/lib.rs");
    let features =
        include_str!("../../Cargo.toml").lines().filter_map(|line| line.split_once(" = "));
    let grammars: Vec<&str> =
        features.map(|(name, _)| name).filter(|name| name.starts_with("lang")).collect();
    assert_eq!(grammars.len(), 29);
    for name in grammars {
        assert!(page.contains(&format!("`{name}`")), "{name} is not named");
    }
}

/// What the example does, with an answer that is known.
#[cfg(all(
    feature = "astgrep",
    feature = "files",
    any(feature = "lang-rust", feature = "langs-all")
))]
#[tokio::test]
async fn a_harness_has_a_working_registry_in_a_few_lines() -> Result<(), Box<dyn std::error::Error>>
{
    use runbound::prelude::*;
    use runbound::workspace::Journals;
    use serde_json::json;

    let dir = tempfile::tempdir()?;
    let checkout = dir.path().join("checkout");
    std::fs::create_dir(&checkout)?;
    std::fs::write(checkout.join("a.rs"), "fn main() { run(1); }\n")?;
    let state = dir.path().join("state");

    let root = Root::open(&checkout)?;
    let scope = RunScope::builder("c1").workspace(root.path()).cap(Tier::Write).build();
    let view = RegistryBuilder::new()
        .pack(FilesPack::new(root.clone(), Journals::open(&state, &root)))
        .pack(AstGrepPack::new(root, &state, &AstGrepConfig::default()))
        .build(scope.clone())?;
    let call = async |tool: &str, args| view.invoke(CallRequest::new(tool, args)).await;

    let found = call("ast_grep", json!({"pattern": "run($A)", "language": "rust"})).await;
    assert_eq!(found.details().get("total"), Some(&json!(1)));
    let edit = json!({"pattern": "run($A)", "rewrite": "walk($A)", "language": "rust"});
    let staged = call("ast_edit", edit).await;
    let id = staged.details().get("edit_id").cloned();
    let accepted = call("resolve", json!({"edit_id": id, "action": "accept"})).await;
    assert!(!accepted.is_error(), "{}", accepted.render_text());
    assert_eq!(std::fs::read_to_string(checkout.join("a.rs"))?, "fn main() { walk(1); }\n");

    let plan = view.narrowed(Tier::Read);
    assert!(plan.get("write").is_none());
    let hidden = plan.invoke(CallRequest::new("write", json!({"path": "b", "content": ""}))).await;
    assert_eq!(hidden.result.err().map(|error| error.kind()), Some(ErrorKind::UnknownTool));
    assert!(scope.close(CloseWhy::Finished, std::time::Duration::from_secs(5)).await.is_clean());
    Ok(())
}
