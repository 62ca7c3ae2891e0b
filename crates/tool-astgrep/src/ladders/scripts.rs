//! Contexts for Python, Ruby, Lua and the shell.

use super::Rung;

pub(super) const PYTHON: &[Rung] = &[
    Rung::new("except", "try: pass\n", "").after(&["except", "finally"]),
    Rung::new("else", "if a: pass\n", "").after(&["else", "elif"]),
    Rung::new("case", "match x:\n    ", "").after(&["case"]),
    Rung::new("stmt", "", ""),
    Rung::new("expr", "x = ", ""),
    Rung::new("decorator", "", "\ndef f(): pass"),
    Rung::new("arg", "f(", ")"),
    Rung::new("param", "def f(", "): pass"),
    Rung::new("dictent", "x = {", "}"),
    Rung::new("comp", "x = [y ", "]"),
    Rung::new("type", "x: ", " = 1"),
    Rung::new("infn", "async def f():\n    ", ""),
];

pub(super) const RUBY: &[Rung] = &[
    Rung::new("case", "case x\n", "\nend").after(&["when", "in"]),
    Rung::new("rescue", "begin\n", "\nend").after(&["rescue", "ensure"]),
    Rung::new("else", "if a\n", "\nend").after(&["else", "elsif"]),
    Rung::new("stmt", "", ""),
    Rung::new("expr", "x = ", ""),
    Rung::new("member", "class C\n  ", "\nend"),
    Rung::new("hashent", "x = { ", " }"),
    Rung::new("param", "def f(", "); end"),
];

pub(super) const LUA: &[Rung] = &[
    Rung::new("stmt", "", ""),
    Rung::new("infn", "function f() ", " end"),
    Rung::new("expr", "x = ", ""),
    Rung::new("field", "x = {", "}"),
];

pub(super) const BASH: &[Rung] = &[
    Rung::new("stmt", "", ""),
    Rung::new("expr", "x=", ""),
    Rung::new("caseitem", "case x in ", " esac"),
];
