//! What we say of ourselves in `initialize`. Pure.

use std::path::Path;

use serde_json::{Value, json};
use tool_wire::host_pid;

use crate::uri::to_uri;

/// The params of `initialize`.
pub(super) fn params(root: &Path, options: &Value) -> Value {
    let uri = to_uri(root);
    let name = root.file_name().map_or_else(|| "root".into(), |name| name.to_string_lossy());
    let mut params = json!({
        "processId": host_pid(),
        "clientInfo": {"name": "runbound", "version": env!("CARGO_PKG_VERSION")},
        "rootPath": root.to_string_lossy(),
        "rootUri": uri,
        "workspaceFolders": [{"uri": uri, "name": name}],
        "capabilities": capabilities(),
    });
    if !options.is_null() {
        params["initializationOptions"] = options.clone();
    }
    params
}

fn capabilities() -> Value {
    let kinds: Vec<u32> = (1..=26).collect();
    let link = json!({"dynamicRegistration": true, "linkSupport": true});
    let dynamic = json!({"dynamicRegistration": true});
    json!({
        "general": {
            "positionEncodings": ["utf-8", "utf-16", "utf-32"],
            "staleRequestSupport": {"cancel": true, "retryOnContentModified": []},
        },
        "window": {
            "workDoneProgress": true,
            "showMessage": {"messageActionItem": {"additionalPropertiesSupport": false}},
            "showDocument": {"support": false},
        },
        "workspace": {
            "applyEdit": false,
            "configuration": true,
            "workspaceFolders": true,
            "didChangeConfiguration": dynamic,
            "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
            "symbol": {
                "dynamicRegistration": true,
                "symbolKind": {"valueSet": kinds},
                "resolveSupport": {"properties": ["location.range"]},
            },
            "executeCommand": dynamic,
            "workspaceEdit": {
                "documentChanges": true,
                "resourceOperations": ["create", "rename", "delete"],
                "failureHandling": "transactional",
                "normalizesLineEndings": true,
                "changeAnnotationSupport": {"groupsOnLabel": false},
            },
            "fileOperations": {
                "dynamicRegistration": true, "willRename": true, "didRename": true,
            },
            "diagnostics": {"refreshSupport": true},
        },
        "textDocument": {
            "synchronization": {"dynamicRegistration": true, "didSave": true},
            "publishDiagnostics": {
                "versionSupport": true, "relatedInformation": true, "codeDescriptionSupport": false,
                "dataSupport": true, "tagSupport": {"valueSet": [1, 2]},
            },
            "diagnostic": {"dynamicRegistration": true, "relatedDocumentSupport": true},
            "hover": {"dynamicRegistration": true, "contentFormat": ["markdown", "plaintext"]},
            "definition": link,
            "declaration": link,
            "typeDefinition": link,
            "implementation": link,
            "references": dynamic,
            "callHierarchy": dynamic,
            "documentSymbol": {
                "dynamicRegistration": true,
                "hierarchicalDocumentSymbolSupport": true,
                "symbolKind": {"valueSet": kinds},
            },
            "codeAction": {
                "dynamicRegistration": true,
                "isPreferredSupport": true,
                "disabledSupport": true,
                "dataSupport": true,
                "resolveSupport": {"properties": ["edit"]},
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [
                    "", "quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite",
                    "source", "source.organizeImports", "source.fixAll",
                ]}},
            },
            "rename": {"dynamicRegistration": true, "prepareSupport": true, "honorsChangeAnnotations": true},
        },
        "experimental": {"serverStatusNotification": true},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Failures 27, 33 and 86: watching is offered, absent options stay absent, the pid is ours.
    #[test]
    fn what_servers_need_to_hear() {
        let params = params(Path::new("/a b/[c]"), &Value::Null);
        assert_eq!(params["rootUri"], "file:///a%20b/%5Bc%5D");
        assert_eq!(params["workspaceFolders"][0]["name"], "[c]");
        assert_eq!(params["processId"], std::process::id());
        assert_eq!(params.get("initializationOptions"), None);
        let watching = &params["capabilities"]["workspace"]["didChangeWatchedFiles"];
        assert_eq!(watching, &json!({"dynamicRegistration": true, "relativePatternSupport": true}));
        assert!(!params.to_string().contains("null"));
    }
}
