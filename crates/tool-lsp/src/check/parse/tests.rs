//! Outputs as the tools really printed them (paths shortened); those of Dart, Maven, Gradle and PHPStan by their documentation.

use std::path::Path;

use super::{Format, parse};

const DIR: &str = "/w";

/// `path:line:column severity code message`, the message cut.
fn read(format: &Format, stdout: &str, stderr: &str) -> Vec<String> {
    parse(format, stdout, stderr, Path::new(DIR))
        .iter()
        .map(|d| {
            let message: String = d.message.replace('\n', " / ").chars().take(60).collect();
            format!(
                "{}:{}:{} {} {} {message}",
                d.path.display(),
                d.first_line(),
                d.span.start.character + 1,
                d.severity.as_str(),
                d.code.as_deref().unwrap_or("-")
            )
        })
        .collect()
}

#[test]
fn cargo_says_each_thing_once_and_summaries_are_none() {
    let got = read(&Format::Cargo, include_str!("samples/cargo.jsonl"), "");
    assert_eq!(
        got,
        [
            "/w/src/lib.rs:3:9 warning uncommon_codepoints identifier contains a non normalized (NFKC) character: '𝒳'",
            "/w/src/lib.rs:3:31 error E0308 mismatched types / expected `i32`, found `&str`",
            "/w/src/lib.rs:4:5 error E0425 cannot find function `undefined` in this scope / not found i",
        ]
    );
}

#[test]
fn cargo_points_to_where_a_macro_is_used_and_to_the_manifest_without_a_place() {
    let used = r#"{"reason":"compiler-message","manifest_path":"/w/Cargo.toml","message":{"level":"error","message":"no","code":null,
        "spans":[{"file_name":"/rust/lib/core/macros.rs","is_primary":true,"line_start":9,"column_start":1,"line_end":9,"column_end":2,"label":null,
        "expansion":{"span":{"file_name":"src/a.rs","is_primary":false,"line_start":2,"column_start":5,"line_end":2,"column_end":9,"label":null,"expansion":null}}}]}}"#
        .replace('\n', " ");
    let linker = r#"{"reason":"compiler-message","manifest_path":"/w/Cargo.toml","message":{"level":"error","message":"linking with `cc` failed","code":null,"spans":[]}}"#;
    let summary = r#"{"reason":"compiler-message","manifest_path":"/w/Cargo.toml","message":{"level":"error","message":"aborting due to 2 previous errors","code":null,"spans":[]}}"#;
    let all = format!(
        "   Compiling noise\n{used}\n{linker}\n{summary}\n{{\"reason\":\"build-finished\",\"success\":false}}\n{{broken"
    );
    assert_eq!(
        read(&Format::Cargo, &all, ""),
        ["/w/src/a.rs:2:5 error - no", "/w/Cargo.toml:1:1 error - linking with `cc` failed"]
    );
}

#[test]
fn typescript_of_all_ages() {
    let text = "src/a.ts(2,23): error TS2322: Type 'string' is not assignable to type 'number'.\n\
        src/b (1).ts(2,7): error TS2345: Argument of type '{ a: number; }' is not assignable to parameter.\n  Types of property 'a'.\n    Deeper.\n\
        error TS18003: No inputs were found in config file.\n\
        ../x.ts(1,1): warning TS1: w\n\nFound 3 errors.\n";
    let config = Path::new("/w/tsconfig.json").to_path_buf();
    assert_eq!(
        read(&Format::Tsc { config }, text, ""),
        [
            "/w/src/a.ts:2:23 error TS2322 Type 'string' is not assignable to type 'number'.",
            "/w/src/b (1).ts:2:7 error TS2345 Argument of type '{ a: number; }' is not assignable to param",
            "/w/tsconfig.json:1:1 error TS18003 No inputs were found in config file.",
            "/x.ts:1:1 warning TS1 w",
        ]
    );
}

#[test]
fn python_checkers() {
    let pyright = Format::Pyright { source: "Pyright" };
    let got = read(&pyright, include_str!("samples/pyright.json"), "");
    assert_eq!(
        got[0],
        "/w/a.py:2:15 error reportAttributeAccessIssue \"nothing\" is unknown import symbol"
    );
    assert_eq!(
        got[3],
        "/w/a.py:4:7 error reportUndefinedVariable \"undefined_name\" is not defined"
    );
    assert_eq!(got.len(), 5);
    let with_noise =
        format!("No configuration file found.\n{}", include_str!("samples/pyright.json"));
    assert_eq!(read(&pyright, &with_noise, "").len(), 5);
    let based = read(
        &Format::Pyright { source: "basedpyright" },
        include_str!("samples/basedpyright.json"),
        "",
    );
    assert_eq!(based[0], "/w/a.py:1:8 warning reportUnusedImport Import \"os\" is not accessed");

    let ty = "a.py:2:15: error[missing-module-member] Module `b` has no member `nothing`\n\
        b.py:2:12: warning[possibly-x] Maybe: 1:2: no\nFound 2 diagnostics\n";
    assert_eq!(
        read(&Format::Concise, ty, ""),
        [
            "/w/a.py:2:15 error missing-module-member Module `b` has no member `nothing`",
            "/w/b.py:2:12 warning possibly-x Maybe: 1:2: no",
        ]
    );

    let mypy = r#"{"file": "b.py", "line": 2, "column": 11, "end_line": 2, "end_column": 12, "message": "Incompatible return value type", "hint": null, "code": "return-value", "severity": "error"}
{"file": "a.py", "line": 2, "column": 0, "message": "See docs", "hint": null, "code": null, "severity": "note"}"#;
    assert_eq!(
        read(&Format::Mypy, mypy, ""),
        [
            "/w/b.py:2:12 error return-value Incompatible return value type",
            "/w/a.py:2:1 information - See docs",
        ]
    );

    let pyrefly = r#"{ "errors": [ { "line": 4, "column": 7, "stop_line": 4, "stop_column": 21, "path": "a.py", "code": -2,
        "name": "unknown-name", "description": "Could not find name `undefined_name`", "severity": "error" } ] }"#;
    assert_eq!(
        read(&Format::Pyrefly, pyrefly, " INFO 1 error"),
        ["/w/a.py:4:7 error unknown-name Could not find name `undefined_name`"]
    );

    let ruff = read(&Format::Ruff, include_str!("samples/ruff.json"), "");
    assert_eq!(ruff[1], "/w/a.py:1:8 warning F401 `os` imported but unused");
    assert_eq!(ruff[3], "/w/a.py:4:7 error F821 Undefined name `undefined_name`");
}

#[test]
fn go_builds_and_vets() {
    let stderr = "# demo/p\np/p.go:4:19: cannot use 1 (untyped int constant) as string value\n\thave (int)\n\twant (string)\n\
        # demo\n# [demo]\nvet: ./main.go:5:2: \"os\" imported and not used\nmain.go:8:14: fmt.Printf format %d has arg \"x\" of wrong type string\n\
        go: updates to go.mod needed\n";
    assert_eq!(
        read(&Format::Go { vet: true }, "", stderr),
        [
            "/w/p/p.go:4:19 warning - cannot use 1 (untyped int constant) as string value / have (",
            "/w/main.go:5:2 error - \"os\" imported and not used",
            "/w/main.go:8:14 warning - fmt.Printf format %d has arg \"x\" of wrong type string",
        ]
    );
    let built = read(&Format::Go { vet: false }, "", stderr);
    assert!(built[0].starts_with("/w/p/p.go:4:19 error - cannot use 1"), "{built:?}");
}

#[test]
fn clangd_checks_a_file() {
    let stderr = "I[16:59:43.811] Building AST...\n\
        E[16:59:43.811] [-Wimplicit-function-declaration] Line 2: call to undeclared function 'undefined_thing'\n\
        E[16:59:43.811] [expected_semi_after_stmt] Line 3: expected ';' after return statement\n\
        E[17:01:57.010] IncludeCleaner: Failed to get an entry for resolved path ''\n";
    let file = Path::new("/w/a.c").to_path_buf();
    assert_eq!(
        read(&Format::ClangdCheck { file }, "", stderr),
        [
            "/w/a.c:2:1 warning -Wimplicit-function-declaration call to undeclared function 'undefined_thing'",
            "/w/a.c:3:1 error expected_semi_after_stmt expected ';' after return statement",
        ]
    );
}

#[test]
fn scripts() {
    let shellcheck = r#"{"comments":[{"file":"a.sh","line":2,"endLine":2,"column":10,"endColumn":12,"level":"warning","code":2154,"message":"x is referenced but not assigned.","fix":null},
        {"file":"./b.sh","line":2,"endLine":2,"column":10,"endColumn":12,"level":"style","code":2086,"message":"Double quote.","fix":null}]}"#;
    assert_eq!(
        read(&Format::Shellcheck, shellcheck, ""),
        [
            "/w/a.sh:2:10 warning SC2154 x is referenced but not assigned.",
            "/w/b.sh:2:10 information SC2086 Double quote.",
        ]
    );
    let php = "PHP Parse error:  syntax error, unexpected token \"{\", expecting variable in a.php on line 2";
    let own = "\nParse error: syntax error, unexpected token \"{\", expecting variable in a.php on line 2\nErrors parsing a.php\n";
    assert_eq!(
        read(&Format::Php, own, php),
        ["/w/a.php:2:1 error - syntax error, unexpected token \"{\", expecting variable"]
    );
    assert_eq!(read(&Format::Php, "No syntax errors detected in a.php", ""), [""; 0]);
    assert_eq!(
        read(&Format::Luac, "", "luac5.4: a.lua:1: unexpected symbol near '='"),
        ["/w/a.lua:1:1 error - unexpected symbol near '='"]
    );
    let phpstan = r#"{"totals":{"errors":0,"file_errors":1},"files":{"/w/src/A.php":{"errors":1,"messages":[{"message":"Undefined variable: $x","line":7,"ignorable":true,"identifier":"variable.undefined"}]}},"errors":[]}"#;
    assert_eq!(
        read(&Format::Phpstan, phpstan, ""),
        ["/w/src/A.php:7:1 error variable.undefined Undefined variable: $x"]
    );
}

#[test]
fn dart_and_the_jvm() {
    let dart = r#"{"version":1,"diagnostics":[{"code":"undefined_identifier","severity":"ERROR","type":"COMPILE_TIME_ERROR",
        "location":{"file":"/w/lib/a.dart","range":{"start":{"offset":20,"line":3,"column":5},"end":{"offset":23,"line":3,"column":8}}},
        "problemMessage":"Undefined name 'foo'.","correctionMessage":"Try it."},
        {"code":"unused","severity":"INFO","location":{"file":"/w/lib/a.dart","range":{"start":{"line":1,"column":1},"end":{"line":1,"column":2}}},"problemMessage":"x"}]}"#;
    assert_eq!(
        read(&Format::Dart, &format!("Analyzing w...\n{dart}"), ""),
        [
            "/w/lib/a.dart:3:5 error undefined_identifier Undefined name 'foo'.",
            "/w/lib/a.dart:1:1 information unused x",
        ]
    );
    let maven = "[INFO] Compiling\n[ERROR] COMPILATION ERROR : \n[ERROR] /w/src/A.java:[3,5] cannot find symbol\n[WARNING] /w/src/A.java:[1,1] old\n[ERROR] Failed to execute goal org.apache: see [Help 1]\n";
    let gradle = "/w/src/B.java:4: error: ';' expected\ne: file:///w/src/C.kt:7:9 Unresolved reference: x\nw: something else\n";
    assert_eq!(
        read(&Format::Jvm, maven, gradle),
        [
            "/w/src/A.java:3:5 error - cannot find symbol",
            "/w/src/A.java:1:1 warning - old",
            "/w/src/B.java:4:1 error - ';' expected",
            "/w/src/C.kt:7:9 error - Unresolved reference: x",
        ]
    );
}

/// What is no output of the tool gives nothing, and never a panic.
#[test]
fn nonsense_is_nothing() {
    let config = Path::new("/w/t").to_path_buf();
    let formats = [
        Format::Cargo,
        Format::Tsc { config: config.clone() },
        Format::Pyright { source: "x" },
        Format::Concise,
        Format::Pyrefly,
        Format::Mypy,
        Format::Ruff,
        Format::Go { vet: true },
        Format::ClangdCheck { file: config },
        Format::Dart,
        Format::Shellcheck,
        Format::Php,
        Format::Phpstan,
        Format::Luac,
        Format::Jvm,
    ];
    for format in &formats {
        for text in [
            "",
            "\n",
            "{",
            "[]",
            "{}",
            "null",
            "a:b:c",
            ":1:2: x",
            "é:1: ü",
            "error TS",
            "E[x] [y",
            "[ERROR] x:[1",
            "a(: error TS1: x",
            "[{}]",
            "{\"errors\":[{}]}",
        ] {
            assert_eq!(read(format, text, text), [""; 0], "{format:?} {text:?}");
        }
    }
}
