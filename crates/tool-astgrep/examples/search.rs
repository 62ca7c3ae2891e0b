//! `search ROOT LANGUAGE PATTERN [TIMES] [REWRITE]`: the same search several times in one run, with the time of each.
//!
//! The first is cold, the others are answered from what the run remembers. `COLD=1` remembers nothing.

use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use serde_json::json;
use tool_astgrep::{AstGrepConfig, AstGrepPack};
use tool_core::{CallRequest, ConversationId, RegistryBuilder, RunScope, Tier};
use tool_workspace::Root;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, language, pattern, rest @ ..] = args.as_slice() else {
        return Err("usage: search ROOT LANGUAGE PATTERN [TIMES] [REWRITE]".into());
    };
    let config = match std::env::var_os("COLD") {
        Some(_) => AstGrepConfig::one_shot(),
        None => AstGrepConfig::default(),
    };
    let state = std::env::temp_dir().join("runbound-example");
    let scope = RunScope::builder(ConversationId::fresh()).workspace(root).cap(Tier::Write).build();
    let view = RegistryBuilder::new()
        .pack(AstGrepPack::new(Root::open(Path::new(root))?, state, &config))
        .build(scope)?;
    let times = rest.first().map_or(Ok(1), |n| n.parse())?;
    let mut out = std::io::stdout();
    for _ in 0..times {
        let began = Instant::now();
        let (tool, args) = match rest.get(1) {
            Some(rewrite) => (
                "ast_edit",
                json!({ "pattern": pattern, "language": language, "rewrite": rewrite }),
            ),
            None => ("ast_grep", json!({ "pattern": pattern, "language": language })),
        };
        let outcome = view.invoke(CallRequest::new(tool, args)).await;
        let text = outcome.render_text();
        writeln!(out, "{:>8.1?}  {}", began.elapsed(), text.lines().next().unwrap_or_default())?;
        if std::env::var_os("SHOW").is_some() {
            writeln!(out, "{text}")?;
        }
    }
    Ok(())
}
