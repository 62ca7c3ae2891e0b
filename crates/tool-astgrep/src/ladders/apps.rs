//! Contexts for Dart, Kotlin, Swift and Scala.

use super::Rung;

pub(super) const DART: &[Rung] = &[
    Rung::new("heritage", "class C ", " {}").after(&["extends", "implements", "with"]),
    Rung::new("switch-case", "void f() { switch (x) { ", " } }").after(&["case", "default"]),
    Rung::new("stmt", "void f() async { ", ";}").ends(";"),
    Rung::new("stmt-terminated", "void f() async { ", " }"),
    Rung::new("expr", "var x = ", ";"),
    Rung::new("member", "class C { ", ";}").ends(";"),
    Rung::new("member-terminated", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("decl;", "", ";").ends(";"),
    Rung::new("type", "", "  x;"),
    Rung::new("annotation", "", "  class C {}"),
    Rung::new("mapentry", "var x = {", " };"),
    Rung::new("arg", "var x = f(", ");"),
    Rung::new("param", "void f(", " ) {}"),
    Rung::new("switch-expr-arm", "var x = switch (y) { ", " };"),
    Rung::new("ctor-init", "class C { C() ", " ; }"),
];

pub(super) const KOTLIN: &[Rung] = &[
    Rung::new("else", "fun f() { if (a) {} ", " }").after(&["else"]),
    Rung::new("catch", "fun f() { try {} ", " }").after(&["catch", "finally"]),
    Rung::new("member", "class C { ", " }").after(&["companion", "object", "init", "constructor"]),
    Rung::new("when", "fun f() { when (x) { ", " } }").after(&["is", "in", "else"]),
    Rung::new("stmt", "fun f() { ", " }"),
    Rung::new("expr", "val x = ", ""),
    Rung::new("member", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("type", "val x: ", " = y"),
    Rung::new("when", "fun f() { when (x) { ", " } }"),
    Rung::new("annotation", "", " class C"),
    Rung::new("arg", "val x = f(", ")"),
    Rung::new("param", "fun f(", " ) {}"),
    Rung::new("ctorparam", "class C(", " )"),
    Rung::new("enum", "enum class E { ", " }"),
];

pub(super) const SWIFT: &[Rung] = &[
    Rung::new("catch", "do {} ", "").after(&["catch"]),
    Rung::new("else", "if a {} ", "").after(&["else"]),
    Rung::new("case", "switch x { ", " }").after(&["case", "default"]),
    Rung::new("enumcase", "enum E { ", " }").after(&["case"]),
    Rung::new("member", "class C { ", " }").after(&["init", "deinit", "subscript"]),
    Rung::new("stmt", "func f() { ", " }"),
    Rung::new("expr", "let x = ", ""),
    Rung::new("member", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("type", "let x: ", " = y"),
    Rung::new("proto", "protocol P { ", " }"),
    Rung::new("attr", "", " class C {}"),
    Rung::new("arg", "let x = f(", ")"),
    Rung::new("param", "func f(", " ) {}"),
];

pub(super) const SCALA: &[Rung] = &[
    Rung::new("case", "x match { ", " }").after(&["case"]),
    Rung::new("stmt", "object O { def f() = { ", " } }"),
    Rung::new("expr", "val x = ", ""),
    Rung::new("member", "class C { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("type", "val x: ", " = y"),
    Rung::new("annot", "", " class C"),
    Rung::new("param", "def f(", " ) = 1"),
];
