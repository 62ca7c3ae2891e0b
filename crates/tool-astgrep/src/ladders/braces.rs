//! Contexts for C and the languages whose statements end in `;`.

use super::Rung;

pub(super) const C: &[Rung] = &[
    Rung::new("else", "void f(void) { if (a) {} ", " }").after(&["else"]),
    Rung::new("stmt", "void f(void) { ", "; }").ends(";"),
    Rung::new("stmt-terminated", "void f(void) { ", " }"),
    Rung::new("expr", "int x = ", ";"),
    Rung::new("member", "struct S { ", " };"),
    Rung::new("decl", "", ""),
    Rung::new("pp", "", "\n"),
    Rung::new("type", "", " x;"),
    Rung::new("param", "void f(", " ) {}"),
    Rung::new("init", "struct S x = {", "};"),
    Rung::new("enum", "enum E { ", " };"),
];

pub(super) const CPP: &[Rung] = &[
    Rung::new("else", "void f() { if (a) {} ", " }").after(&["else"]),
    Rung::new("catch", "void f() { try {} ", " }").after(&["catch"]),
    Rung::new("access", "class C { ", " };").after(&["public", "private", "protected"]),
    Rung::new("stmt", "void f() { ", "; }").ends(";"),
    Rung::new("stmt-terminated", "void f() { ", " }"),
    Rung::new("expr", "auto x = ", ";"),
    Rung::new("member", "class C { ", " };"),
    Rung::new("decl", "", ""),
    Rung::new("type", "using X = ", ";"),
    Rung::new("param", "void f(", " ) {}"),
    Rung::new("attr", "", " void f() {}"),
];

pub(super) const CSHARP: &[Rung] = &[
    Rung::new("else", "class C { void F() { if (a) {} ", " } }").after(&["else"]),
    Rung::new("catch", "class C { void F() { try {} ", " } }").after(&["catch", "finally"]),
    Rung::new("stmt", "class C { async void F() { ", "; } }").ends(";"),
    Rung::new("stmt-terminated", "class C { async void F() { ", " } }"),
    Rung::new("expr", "class C { object x = ", "; }"),
    Rung::new("member", "class C { ", " }"),
    Rung::new("member;", "class C { ", "; }").ends(";"),
    Rung::new("decl", "", ""),
    Rung::new("type", "class C { ", " x; }"),
    Rung::new("attr", "", " class C {}"),
    Rung::new("swarm", "class C { object x = y switch { ", " }; }"),
    Rung::new("param", "class C { void F(", " ) {} }"),
    Rung::new("enum", "enum E { ", " }"),
];

pub(super) const JAVA: &[Rung] = &[
    Rung::new("else", "class C { void f() { if (a) {} ", " } }").after(&["else"]),
    Rung::new("catch", "class C { void f() { try {} ", " } }").after(&["catch", "finally"]),
    Rung::new("case", "class C { void f() { switch (x) { ", " } } }").after(&["case", "default"]),
    Rung::new("heritage", "class C ", " {}").after(&["extends", "implements"]),
    Rung::new("stmt", "class C { void f() { ", "; } }").ends(";"),
    Rung::new("stmt-terminated", "class C { void f() { ", " } }"),
    Rung::new("expr", "class C { Object x = ", "; }"),
    Rung::new("member", "class C { ", " }"),
    Rung::new("member;", "class C { ", "; }").ends(";"),
    Rung::new("decl", "", ""),
    Rung::new("type", "class C { ", " x; }"),
    Rung::new("annotation", "", " class C {}"),
    Rung::new("param", "class C { void f(", " ) {} }"),
    Rung::new("enumconst", "enum E { ", " }"),
    Rung::new("annarg", "@A(", " ) class C {}"),
];

pub(super) const SOLIDITY: &[Rung] = &[
    Rung::new("stmt", "contract C { function f() public { ", "; } }").ends(";"),
    Rung::new("stmt-terminated", "contract C { function f() public { ", " } }"),
    Rung::new("expr", "contract C { function f() public { x = ", "; } }"),
    Rung::new("member", "contract C { ", " }"),
    Rung::new("file", "", ""),
];

pub(super) const ZIG: &[Rung] = &[
    Rung::new("stmt", "fn f() void { ", "; }").ends(";"),
    Rung::new("stmt-terminated", "fn f() void { ", " }"),
    Rung::new("expr", "const x = ", ";"),
    Rung::new("file", "", ""),
];
