//! Makes calls of `lsp`, `read`, `write` and `edit` in one run, for measuring: `lsp_calls ROOT STATE SERVER PATH`, then one
//! `{"tool", "args"}` a line on standard input. One `{"ok", "text", "details", "elapsed_ms"}` a line comes back.

use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tool_core::{CallRequest, CloseWhy, ConversationId, RegistryBuilder, RunScope, Tier};
use tool_files::FilesPack;
use tool_lsp::{LspConfig, LspPack, Servers};
use tool_workspace::{Journals, Root};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [root, state, server, path] = words.as_slice() else {
        return Err("lsp_calls ROOT STATE SERVER PATH".into());
    };
    let builtin = Servers::builtin();
    let spec = builtin.get(server).ok_or("no such server")?.clone();
    let mut servers = Servers::none();
    servers.add(spec);
    let config = LspConfig {
        servers,
        path: Some(path.into()),
        write_wait: Duration::from_secs(60),
        ..LspConfig::default()
    };
    let root = Root::open(root.as_ref())?;
    let conversation = ConversationId::from("measured");
    let scope = RunScope::builder(conversation).workspace(root.path()).cap(Tier::Exec).build();
    let journals = Journals::open(state.as_ref(), &root);
    let view = RegistryBuilder::new()
        .pack(FilesPack::new(root.clone(), journals))
        .pack(LspPack::new(root, state, config, true))
        .build(scope)?;
    for line in std::io::stdin().lock().lines() {
        let call: Value = serde_json::from_str(&line?)?;
        let tool = call["tool"].as_str().ok_or("no tool")?;
        let begun = Instant::now();
        let outcome = view.invoke(CallRequest::new(tool, call["args"].clone())).await;
        let elapsed = begun.elapsed().as_secs_f64() * 1000.0;
        let told = match &outcome.result {
            Ok(output) => {
                json!({ "ok": true, "text": output.render_text(), "details": output.details })
            }
            Err(error) => json!({ "ok": false, "text": error.to_string() }),
        };
        let mut told = told;
        told["elapsed_ms"] = json!(elapsed);
        let mut out = std::io::stdout().lock();
        writeln!(out, "{told}")?;
        out.flush()?;
    }
    view.scope().close(CloseWhy::Finished, Duration::from_secs(10)).await;
    Ok(())
}
