//! Contexts for Rust and Go.

use super::Rung;

pub(super) const RUST: &[Rung] = &[
    Rung::new("else", "fn f() { if a {} ", " }").after(&["else"]),
    Rung::new("where", "fn f() ", ", {}").after(&["where"]),
    Rung::new("stmt", "fn f() { ", "; }").ends(";"),
    Rung::new("stmt0", "fn f() { ", " }"),
    Rung::new("expr", "const X: u8 = ", ";"),
    Rung::new("member", "impl T { ", " }"),
    Rung::new("decl", "", ""),
    Rung::new("type", "type X = ", ";"),
    Rung::new("arm", "fn f() { match x { ", " } }"),
    Rung::new("field", "struct S { ", " }"),
    Rung::new("fieldinit", "fn f() { S { ", " } }"),
    Rung::new("param", "fn f(", " ) {}"),
    Rung::new("pat", "fn f() { let ", " = x; }"),
    Rung::new("variant", "enum E { ", " }"),
    Rung::new("lifetime", "type X = &", " u8;"),
];

pub(super) const GO: &[Rung] = &[
    Rung::new("case", "package p\nfunc f() { switch x { ", " } }").after(&["case", "default"]),
    Rung::new("typecase", "package p\nfunc f() { switch x.(type) { ", " } }").after(&["case"]),
    Rung::new("select", "package p\nfunc f() { select { ", " } }").after(&["case"]),
    Rung::new("stmt", "package p\nfunc f() { ", " }"),
    Rung::new("expr", "package p\nvar x = ", ""),
    Rung::new("decl", "package p\n", ""),
    Rung::new("member", "package p\ntype S struct {\n", "\n}"),
    Rung::new("ifacemember", "package p\ntype I interface {\n", "\n}"),
    Rung::new("type", "package p\ntype X ", ""),
    Rung::new("keyed", "package p\nvar x = T{", "}"),
    Rung::new("param", "package p\nfunc f(", " ) {}"),
];
