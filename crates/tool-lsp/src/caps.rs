//! What a server can do: announced and registered later. Pure.

mod watchers;

use std::collections::BTreeMap;
use std::path::Path;

use globset::GlobBuilder;
use serde_json::Value;

pub(crate) use watchers::Watchers;

/// How a server takes changes of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SyncKind {
    /// None: it is closed and opened anew.
    None,
    /// The whole text.
    Full,
    /// Ranges.
    Incremental,
}

/// Whether `didSave` is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Save {
    /// No.
    No,
    /// Yes, without the text.
    Plain,
    /// Yes, with the text.
    WithText,
}

/// The announcement of a server, and its later registrations.
#[derive(Debug, Default)]
pub(crate) struct Caps {
    announced: Value,
    registered: BTreeMap<String, Registration>,
}

#[derive(Debug)]
struct Registration {
    method: String,
    options: Value,
}

/// Methods and where in the announcement they are offered.
const OFFERS: &[(&str, &str)] = &[
    ("textDocument/definition", "/definitionProvider"),
    ("textDocument/declaration", "/declarationProvider"),
    ("textDocument/typeDefinition", "/typeDefinitionProvider"),
    ("textDocument/implementation", "/implementationProvider"),
    ("textDocument/references", "/referencesProvider"),
    ("textDocument/hover", "/hoverProvider"),
    ("textDocument/documentSymbol", "/documentSymbolProvider"),
    ("textDocument/documentHighlight", "/documentHighlightProvider"),
    ("textDocument/codeAction", "/codeActionProvider"),
    ("codeAction/resolve", "/codeActionProvider/resolveProvider"),
    ("textDocument/rename", "/renameProvider"),
    ("textDocument/prepareRename", "/renameProvider/prepareProvider"),
    ("textDocument/diagnostic", "/diagnosticProvider"),
    ("workspace/diagnostic", "/diagnosticProvider/workspaceDiagnostics"),
    ("textDocument/prepareCallHierarchy", "/callHierarchyProvider"),
    ("callHierarchy/incomingCalls", "/callHierarchyProvider"),
    ("callHierarchy/outgoingCalls", "/callHierarchyProvider"),
    ("textDocument/prepareTypeHierarchy", "/typeHierarchyProvider"),
    ("textDocument/formatting", "/documentFormattingProvider"),
    ("textDocument/signatureHelp", "/signatureHelpProvider"),
    ("textDocument/didSave", "/textDocumentSync/save"),
    ("workspace/symbol", "/workspaceSymbolProvider"),
    ("workspaceSymbol/resolve", "/workspaceSymbolProvider/resolveProvider"),
    ("workspace/executeCommand", "/executeCommandProvider"),
    ("workspace/willRenameFiles", "/workspace/fileOperations/willRename"),
    ("workspace/didRenameFiles", "/workspace/fileOperations/didRename"),
];

/// What a registration under another name brings along.
fn registered_as(method: &str) -> &str {
    match method {
        "codeAction/resolve" => "textDocument/codeAction",
        "textDocument/prepareRename" => "textDocument/rename",
        "callHierarchy/incomingCalls" | "callHierarchy/outgoingCalls" => {
            "textDocument/prepareCallHierarchy"
        }
        "workspace/diagnostic" => "textDocument/diagnostic",
        other => other,
    }
}

impl Caps {
    /// What `initialize` answered as `capabilities`.
    pub(crate) fn announce(&mut self, capabilities: Value) {
        self.announced = capabilities;
    }

    /// `client/registerCapability`.
    pub(crate) fn register(&mut self, params: &Value) {
        for each in params["registrations"].as_array().into_iter().flatten() {
            let (Some(id), Some(method)) = (each["id"].as_str(), each["method"].as_str()) else {
                continue;
            };
            let options = each["registerOptions"].clone();
            self.registered
                .insert(id.to_string(), Registration { method: method.to_string(), options });
        }
    }

    /// `client/unregisterCapability`. The protocol's own spelling has a mistake in it, which servers repeat or mend.
    pub(crate) fn unregister(&mut self, params: &Value) {
        for list in ["unregisterations", "unregistrations"] {
            for each in params[list].as_array().into_iter().flatten() {
                if let Some(id) = each["id"].as_str() {
                    self.registered.remove(id);
                }
            }
        }
    }

    /// Whether a method is offered: for the document, or without one for any.
    pub(crate) fn can(&self, method: &str, document: Option<(&Path, &str)>) -> bool {
        self.announced_as(method)
            || self.registrations(method).any(|options| {
                let fits = document.is_none_or(|(path, language)| {
                    selects(&options["documentSelector"], path, language)
                });
                fits && part_offered(method, options)
            })
    }

    fn announced_as(&self, method: &str) -> bool {
        let offer = OFFERS.iter().find(|(name, _)| *name == method);
        offer.and_then(|(_, at)| self.announced.pointer(at)).is_some_and(truthy)
    }

    fn registrations<'a>(&'a self, method: &'a str) -> impl Iterator<Item = &'a Value> {
        let wanted = registered_as(method);
        self.registered.values().filter(move |one| one.method == wanted).map(|one| &one.options)
    }

    /// How it takes changes.
    pub(crate) fn sync_kind(&self) -> SyncKind {
        let sync = &self.announced["textDocumentSync"];
        let kind = sync.as_u64().or_else(|| sync["change"].as_u64());
        match kind {
            Some(0) => SyncKind::None,
            Some(2) => SyncKind::Incremental,
            Some(_) => SyncKind::Full,
            // Changes registered later, or a server that forgot: the whole text is understood by all.
            None => match self.registrations("textDocument/didChange").next() {
                Some(options) if options["syncKind"] == 2 => SyncKind::Incremental,
                _ => SyncKind::Full,
            },
        }
    }

    /// Whether it wants to hear of saved documents.
    pub(crate) fn save(&self) -> Save {
        let announced =
            self.announced.pointer("/textDocumentSync/save").filter(|save| truthy(save));
        let registered = self.registrations("textDocument/didSave").next();
        match announced.or(registered) {
            None => Save::No,
            Some(options) if options["includeText"] == true => Save::WithText,
            Some(_) => Save::Plain,
        }
    }

    /// The identifiers under which diagnostics of a document are pulled, each once; `None` is the pull without one.
    pub(crate) fn pull_identifiers(&self, path: &Path, language: &str) -> Vec<Option<String>> {
        let announced = self.announced.get("diagnosticProvider").filter(|offer| truthy(offer));
        let registered = self
            .registrations("textDocument/diagnostic")
            .filter(|options| selects(&options["documentSelector"], path, language));
        let mut found = Vec::new();
        for options in announced.into_iter().chain(registered) {
            let identifier = options["identifier"].as_str().map(str::to_string);
            if !found.contains(&identifier) {
                found.push(identifier);
            }
        }
        found
    }

    /// The files that it wants to hear of, and whether it asked at all.
    pub(crate) fn watchers(&self, root: &Path) -> Option<Watchers> {
        let options: Vec<&Value> = self.registrations("workspace/didChangeWatchedFiles").collect();
        (!options.is_empty()).then(|| Watchers::new(&options, root))
    }
}

/// Offers that are a part of a registration.
fn part_offered(method: &str, options: &Value) -> bool {
    match method {
        "codeAction/resolve" => options["resolveProvider"] == true,
        "textDocument/prepareRename" => options["prepareProvider"] == true,
        "workspace/diagnostic" => options["workspaceDiagnostics"] == true,
        _ => true,
    }
}

fn truthy(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

/// Whether a document selector fits. One that cannot be read fits everything: the question will show.
fn selects(selector: &Value, path: &Path, language: &str) -> bool {
    let Some(filters) = selector.as_array() else { return true };
    filters.iter().any(|filter| {
        if let Some(name) = filter.as_str() {
            return name == language || name == "*";
        }
        let language_fits =
            filter["language"].as_str().is_none_or(|name| name == language || name == "*");
        let scheme_fits = filter["scheme"].as_str().is_none_or(|scheme| scheme == "file");
        let pattern = filter["pattern"].as_str().or_else(|| filter["pattern"]["pattern"].as_str());
        let pattern_fits = pattern.is_none_or(|pattern| {
            glob(pattern).is_none_or(|glob| glob.compile_matcher().is_match(path))
        });
        language_fits && scheme_fits && pattern_fits
    })
}

/// A glob as the protocol means it; relative ones fit at any depth.
fn glob(pattern: &str) -> Option<globset::Glob> {
    let pattern = match pattern.strip_prefix("./") {
        Some(rest) => format!("**/{rest}"),
        None if pattern.starts_with('/') || pattern.starts_with("**/") => pattern.to_string(),
        None => format!("**/{pattern}"),
    };
    GlobBuilder::new(&pattern).literal_separator(true).empty_alternates(true).build().ok()
}

#[cfg(test)]
mod tests;
