//! Registration, visibility, narrowing.

use std::sync::Arc;

use tool_core::serde_json::json;
use tool_core::{
    BuildError, CloseWhy, Closed, Dialect, ErrorKind, Installer, Pack, RegistryBuilder, Resource,
    RunScope, Tier, Tool, ToolSpec, async_trait,
};

use crate::support::{Log, build, call, kind, says, scope, secs, spec, tool};

fn names(view: &tool_core::ToolView) -> Vec<String> {
    view.surface().iter().map(|s| s.name().to_owned()).collect()
}

#[test]
fn every_fault_is_reported_at_once() {
    let errors = RegistryBuilder::new()
        .tool(says("ast_grep", Tier::Read))
        .tool(says("ast_grep", Tier::Read))
        .tool(says("AstGrep", Tier::Read))
        .tool(says("a/b", Tier::Read))
        .tool(tool(
            ToolSpec::new("mute", Tier::Read, " ", json!({ "type": "object" })),
            |_| async { unreachable!() },
        ))
        .tool(tool(ToolSpec::new("odd", Tier::Read, "d", json!({ "type": "array" })), |_| async {
            unreachable!()
        }))
        .replace(says("nowhere", Tier::Read))
        .without("gone")
        .wrap("missing", |t| t)
        .wrap("odd", |_| Arc::new(says("other", Tier::Read)))
        .build(scope())
        .err()
        .expect("faults");
    let texts = errors.to_string();
    for part in [
        "`ast_grep` is registered twice",
        "`ast_grep` and `AstGrep` are one name",
        "`a/b` is no name for a tool",
        "`mute` has no description",
        "the schema of `odd` is unusable",
        "`replace` names `nowhere`",
        "`without` names `gone`",
        "`wrap` names `missing`",
        "the wrapper of `odd` renames it to `other`",
    ] {
        assert!(texts.contains(part), "{part} not in {texts}");
    }
    assert_eq!(errors.iter().count(), 9, "{texts}");
    // What a `main` that returns it prints.
    let shown = format!("{errors:?}");
    assert!(shown.starts_with("the registry cannot be built:\n  `"), "{shown}");
    assert_eq!(shown.lines().count(), 10, "{shown}");
}

struct Two;

impl Pack for Two {
    fn install(self, installer: &mut Installer) {
        installer.tool(says("zeta", Tier::Read)).tool(says("beta", Tier::Exec));
    }
}

#[test]
fn the_surface_is_ordered_by_pack_and_name() {
    let make = || {
        build(
            RegistryBuilder::new()
                .tool(says("m", Tier::Write))
                .tool(says("c", Tier::Read))
                .pack(Two)
                .tool(says("a", Tier::Read))
                .maybe(None::<tool_core::Typed<Never>>),
        )
    };
    assert_eq!(names(&make()), ["c", "m", "beta", "zeta", "a"]);
    let bytes = |d| tool_core::serde_json::to_string(&make().export(d)).expect("json");
    for dialect in [Dialect::Anthropic, Dialect::Gemini, Dialect::OpenAiChat] {
        assert_eq!(bytes(dialect), bytes(dialect));
    }
}

struct Never;

#[async_trait]
impl tool_core::TypedTool for Never {
    type Args = ();

    fn spec(&self) -> &ToolSpec {
        unreachable!("never registered")
    }

    async fn run(&self, _: &tool_core::CallCx, (): ()) -> crate::support::CallResult {
        unreachable!("never called")
    }
}

#[tokio::test]
async fn a_narrowed_view_never_widens_and_hides_wholly() {
    let view = build(
        RegistryBuilder::new()
            .tool(says("look", Tier::Read))
            .tool(says("change", Tier::Write))
            .tool(says("drive", Tier::Exec)),
    );
    let read = view.narrowed(Tier::Read);
    assert_eq!(names(&read), ["look"]);
    assert_eq!(names(&read.narrowed(Tier::Exec)), ["look"]);
    assert_eq!(read.narrowed(Tier::Exec).cap(), Tier::Read, "what tools see of it, too");
    assert_eq!(read.for_scope(scope()).cap(), Tier::Read);
    assert_eq!(names(&read.for_scope(scope())), ["look"]);
    assert_eq!(names(&view.narrowed(Tier::Write)), ["change", "look"]);
    assert!(read.get("change").is_none() && read.export(Dialect::JsonSchema).len() == 1);

    let outcome = read.invoke(call("chang")).await;
    assert_eq!(kind(&outcome.result), Some(ErrorKind::UnknownTool));
    let text = outcome.render_text();
    assert!(text.contains("there are: look") && !text.contains("change"), "{text}");

    let outcome = view.invoke(call("Look")).await;
    assert!(outcome.render_text().contains("did you mean `look`?"));
    assert_eq!(names(&view.without(&["look", "nowhere"])), ["change", "drive"]);
}

#[tokio::test]
async fn a_scope_caps_every_view_of_it() {
    let scope = RunScope::builder("c").cap(Tier::Write).build();
    assert!(!scope.trusted(), "unsaid, a run that cannot reach exec is untrusted");
    let view = RegistryBuilder::new()
        .tool(says("look", Tier::Read))
        .tool(says("drive", Tier::Exec))
        .build(scope)
        .expect("builds");
    assert_eq!(names(&view), ["look"]);
    assert_eq!(view.cap(), Tier::Write);
}

#[tokio::test]
async fn replace_without_and_wrap_do_what_they_say() {
    struct Loud(Arc<dyn Tool>);

    #[async_trait]
    impl Tool for Loud {
        fn spec(&self) -> &ToolSpec {
            self.0.spec()
        }

        async fn call(
            &self,
            cx: &tool_core::CallCx,
            args: tool_core::Args,
        ) -> crate::support::CallResult {
            Ok(self.0.call(cx, args).await?.note("loud"))
        }
    }

    let view = build(
        RegistryBuilder::new()
            .tool(says("a", Tier::Read))
            .tool(says("b", Tier::Read))
            .tool(says("c", Tier::Read))
            .replace(tool(spec("a", Tier::Read), |_| async {
                Ok(tool_core::ToolOutput::text("another"))
            }))
            .without("b")
            .wrap("c", |inner| Arc::new(Loud(inner))),
    );
    assert_eq!(names(&view), ["a", "c"]);
    assert_eq!(view.invoke(call("a")).await.render_text(), "another");
    assert_eq!(view.invoke(call("c")).await.render_text(), "c\nloud");
}

struct Thing(Log);

#[async_trait]
impl Resource for Thing {
    fn name(&self) -> String {
        "thing".to_owned()
    }

    async fn close(&self, _: CloseWhy, _: std::time::Duration) -> Closed {
        self.0.add("closed");
        Closed::Clean
    }

    fn abandon(&self) {
        self.0.add("abandoned");
    }
}

struct WithThing(Log);

impl Pack for WithThing {
    fn install(self, installer: &mut Installer) {
        installer.resource(Arc::new(Thing(self.0)));
    }
}

#[tokio::test]
async fn resources_of_packs_belong_to_the_run_or_are_abandoned() {
    let log = Log::default();
    let run = scope();
    let built = RegistryBuilder::new().pack(WithThing(log.clone())).build(Arc::clone(&run));
    assert!(built.is_ok());
    let report = run.close(CloseWhy::Finished, secs(1)).await;
    assert_eq!(report.closed, ["thing"]);
    assert_eq!(log.all(), ["closed"]);

    let log = Log::default();
    let failed = RegistryBuilder::new().pack(WithThing(log.clone())).without("gone").build(scope());
    assert!(failed.is_err());
    assert_eq!(log.all(), ["abandoned"]);

    let late = RegistryBuilder::new().pack(WithThing(log.clone())).build(run);
    let errors = late.err().expect("the run is closed");
    assert_eq!(errors.iter().collect::<Vec<_>>(), [&BuildError::ScopeClosed]);
}
