//! Contexts for JavaScript, TypeScript and PHP.

use super::Rung;

pub(super) const JAVASCRIPT: &[Rung] = &[
    Rung::new("else", "if (a) {} ", "").after(&["else"]),
    Rung::new("catch", "try {} ", "").after(&["catch", "finally"]),
    Rung::new("case", "switch (x) { ", " }").after(&["case", "default"]),
    Rung::new("stmt", "async function* f() { ", " }"),
    Rung::new("expr", "x = ", ";"),
    Rung::new("member", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("prop", "x = {", "}"),
    Rung::new("decorator", "", " class C {}"),
    Rung::new("arg", "f(", ")"),
    Rung::new("param", "function f(", "){}"),
    Rung::new("jsxattr", "x = <a ", " />"),
    Rung::new("pat", "const ", " = x"),
];

pub(super) const TYPESCRIPT: &[Rung] = &[
    Rung::new("heritage", "class C ", " {}").after(&["extends", "implements"]),
    Rung::new("else", "if (a) {} ", "").after(&["else"]),
    Rung::new("catch", "try {} ", "").after(&["catch", "finally"]),
    Rung::new("case", "switch (x) { ", " }").after(&["case", "default"]),
    Rung::new("stmt", "async function* f() { ", " }"),
    Rung::new("expr", "x = ", ";"),
    Rung::new("member", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("prop", "x = {", "}"),
    Rung::new("decorator", "", " class C {}"),
    Rung::new("arg", "f(", ")"),
    Rung::new("param", "function f(", "){}"),
    Rung::new("type", "type X = ", ";"),
    Rung::new("iface", "interface I { ", " }"),
    Rung::new("enum", "enum E { ", " }"),
];

pub(super) const TSX: &[Rung] = &[
    Rung::new("heritage", "class C ", " {}").after(&["extends", "implements"]),
    Rung::new("else", "if (a) {} ", "").after(&["else"]),
    Rung::new("catch", "try {} ", "").after(&["catch", "finally"]),
    Rung::new("case", "switch (x) { ", " }").after(&["case", "default"]),
    Rung::new("stmt", "async function* f() { ", " }"),
    Rung::new("expr", "x = ", ";"),
    Rung::new("member", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("prop", "x = {", "}"),
    Rung::new("decorator", "", " class C {}"),
    Rung::new("arg", "f(", ")"),
    Rung::new("param", "function f(", "){}"),
    Rung::new("type", "type X = ", ";"),
    Rung::new("iface", "interface I { ", " }"),
    Rung::new("enum", "enum E { ", " }"),
    Rung::new("jsxattr", "x = <a ", " />"),
];

pub(super) const PHP: &[Rung] = &[
    Rung::new("else", "if ($a) {} ", "").after(&["else", "elseif"]),
    Rung::new("catch", "try {} ", "").after(&["catch", "finally"]),
    Rung::new("case", "switch ($x) { ", " }").after(&["case", "default"]),
    Rung::new("stmt", "function f() { ", "; }").ends(";"),
    Rung::new("stmt-terminated", "function f() { ", " }"),
    Rung::new("expr", "$x = ", ";"),
    Rung::new("member", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("arrent", "$x = [", "];"),
    Rung::new("matcharm", "$x = match($y) { ", " };"),
    Rung::new("attr", "", " class C {}"),
    Rung::new("param", "function f(", " ) {}"),
];
