//! A language server that does what the protocol says, over a language of words: `def NAME` defines, any other whole
//! `NAME` refers, and a word that nothing defines is an error. It knows open documents only, loads before it is ready
//! and says so, and counts columns in UTF-16.
//!
//! Built on a server framework that cannot misbehave; what misbehaves is the [`Scripted`](crate::Scripted) one.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range as Span;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tool_wire::End;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::lsp_types::notification::Progress;
use tower_lsp::lsp_types::request::WorkDoneProgressCreate;
use tower_lsp::lsp_types::*;
use tower_lsp::{Client, LanguageServer, LspService, Server};

/// How the conforming server counts columns.
pub const CONFORMING_ENCODING: &str = "utf-16";

/// A running conforming server.
#[derive(Debug)]
pub struct Conforming {
    task: tokio::task::JoinHandle<()>,
}

impl Conforming {
    /// Speaks on one end of a pair. It loads for so long once the client is there, and tells of it as progress. Needs a
    /// runtime.
    pub fn start(end: End, loads_for: Duration) -> Self {
        let (service, socket) =
            LspService::new(|client| Words { client, loads_for, documents: Arc::default() });
        let serve = Server::new(end.reader, end.writer, socket).serve(service);
        Self { task: tokio::spawn(serve) }
    }

    /// Waits for its end.
    pub async fn ended(self) {
        // Its own failures are those of the framework.
        let _ = self.task.await;
    }
}

#[derive(Debug, Clone)]
struct Document {
    version: i32,
    text: String,
}

struct Words {
    client: Client,
    loads_for: Duration,
    documents: Arc<Mutex<BTreeMap<Url, Document>>>,
}

/// A word of a line: line, columns in UTF-16, itself, and whether it is defined here.
struct Word {
    range: Range,
    text: String,
    defines: bool,
}

fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut defines = false;
        for span in spans(line) {
            let word = &line[span.clone()];
            if word == "def" {
                defines = true;
                continue;
            }
            let at = |byte: usize| {
                let column = line[..byte].encode_utf16().count();
                Position::new(
                    u32::try_from(number).unwrap_or(0),
                    u32::try_from(column).unwrap_or(0),
                )
            };
            let range = Range::new(at(span.start), at(span.end));
            found.push(Word { range, text: word.to_string(), defines });
            defines = false;
        }
    }
    found
}

fn spans(line: &str) -> Vec<Span<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, c) in line.char_indices() {
        let inside = c.is_alphanumeric() || c == '_';
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                spans.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|from| from..line.len()));
    spans
}

impl Words {
    async fn all(&self) -> Vec<(Url, Word)> {
        let documents = self.documents.lock().await;
        let of = |(uri, document): (&Url, &Document)| {
            let uri = uri.clone();
            words(&document.text)
                .into_iter()
                .map(move |word| (uri.clone(), word))
                .collect::<Vec<_>>()
        };
        documents.iter().flat_map(of).collect()
    }

    async fn at(&self, place: &TextDocumentPositionParams) -> Option<String> {
        let documents = self.documents.lock().await;
        let document = documents.get(&place.text_document.uri)?;
        let inside =
            |word: &Word| word.range.start <= place.position && place.position <= word.range.end;
        words(&document.text).into_iter().find(inside).map(|word| word.text)
    }

    async fn places(
        &self,
        place: &TextDocumentPositionParams,
        wants: impl Fn(&Word) -> bool,
    ) -> Vec<Location> {
        let Some(name) = self.at(place).await else { return Vec::new() };
        let found =
            self.all().await.into_iter().filter(|(_, word)| word.text == name && wants(word));
        found.map(|(uri, word)| Location::new(uri, word.range)).collect()
    }

    /// What nothing defines, in each open document.
    async fn check(&self) {
        let all = self.all().await;
        let defined: Vec<&str> = all
            .iter()
            .filter(|(_, word)| word.defines)
            .map(|(_, word)| word.text.as_str())
            .collect();
        let documents = self.documents.lock().await.clone();
        for (uri, document) in documents {
            let missing = all
                .iter()
                .filter(|(at, word)| *at == uri && !defined.contains(&word.text.as_str()));
            let items = missing
                .map(|(_, word)| Diagnostic {
                    range: word.range,
                    severity: Some(DiagnosticSeverity::ERROR),
                    source: Some("words".into()),
                    message: format!("{} is not defined", word.text),
                    ..Diagnostic::default()
                })
                .collect();
            self.client.publish_diagnostics(uri, items, Some(document.version)).await;
        }
    }

    async fn progress(&self, value: WorkDoneProgress) {
        let token = NumberOrString::String("loading".into());
        let value = ProgressParamsValue::WorkDone(value);
        self.client.send_notification::<Progress>(ProgressParams { token, value }).await;
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for Words {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            ..TextDocumentSyncOptions::default()
        };
        let capabilities = ServerCapabilities {
            position_encoding: Some(PositionEncodingKind::new(CONFORMING_ENCODING)),
            text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            rename_provider: Some(OneOf::Left(true)),
            ..ServerCapabilities::default()
        };
        let server_info = Some(ServerInfo { name: "words".into(), version: Some("1".into()) });
        Ok(InitializeResult { capabilities, server_info })
    }

    async fn initialized(&self, _: InitializedParams) {
        let token = NumberOrString::String("loading".into());
        // Asked as the protocol wants it, though a refusal changes nothing here.
        let _ = self
            .client
            .send_request::<WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token })
            .await;
        let title = "Loading words".to_string();
        let begin = WorkDoneProgressBegin {
            title,
            percentage: Some(0),
            ..WorkDoneProgressBegin::default()
        };
        self.progress(WorkDoneProgress::Begin(begin)).await;
        tokio::time::sleep(self.loads_for).await;
        self.progress(WorkDoneProgress::End(WorkDoneProgressEnd { message: None })).await;
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, text, .. } = params.text_document;
        self.documents.lock().await.insert(uri, Document { version, text });
        self.check().await;
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        if let Some(change) = params.content_changes.into_iter().next_back() {
            self.documents.lock().await.insert(uri, Document { version, text: change.text });
        }
        self.check().await;
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.documents.lock().await.remove(&params.text_document.uri);
        self.check().await;
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let name = self.at(&params.text_document_position_params).await;
        let contents =
            |name: String| HoverContents::Scalar(MarkedString::String(format!("the word {name}")));
        Ok(name.map(|name| Hover { contents: contents(name), range: None }))
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let places = self.places(&params.text_document_position_params, |word| word.defines).await;
        Ok(Some(GotoDefinitionResponse::Array(places)))
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let defines = params.context.include_declaration;
        let wants = |word: &Word| defines || !word.defines;
        Ok(Some(self.places(&params.text_document_position, wants).await))
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let whole = 0..params.new_name.len();
        if spans(&params.new_name).first() != Some(&whole) {
            return Err(Error::invalid_params(format!("{:?} is no word", params.new_name)));
        }
        let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
        for place in self.places(&params.text_document_position, |_| true).await {
            let edit = TextEdit::new(place.range, params.new_name.clone());
            changes.entry(place.uri).or_default().push(edit);
        }
        Ok(Some(WorkspaceEdit::new(changes)))
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_counted_as_the_protocol_does() {
        let found = words("def one\r\n🦀 one");
        let columns: Vec<_> = found
            .iter()
            .map(|word| {
                (
                    word.text.as_str(),
                    word.range.start.character,
                    word.range.end.character,
                    word.defines,
                )
            })
            .collect();
        assert_eq!(columns, [("one", 4, 7, true), ("one", 3, 6, false)]);
    }
}
