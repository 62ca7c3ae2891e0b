//! Contexts for Data, markup, style and configuration.

use super::Rung;

pub(super) const JSON: &[Rung] =
    &[Rung::new("value", "", ""), Rung::new("member", "{ ", " }"), Rung::new("elem", "[ ", " ]")];

pub(super) const YAML: &[Rung] = &[Rung::new("value", "", ""), Rung::new("flow", "[", "]")];

pub(super) const CSS: &[Rung] = &[
    Rung::new("decl", "a { ", "; }").ends(";"),
    Rung::new("decl-terminated", "a { ", " }"),
    Rung::new("rule", "", ""),
    Rung::new("value", "a { color: ", "; }"),
    Rung::new("sel", "", " {}"),
];

pub(super) const HTML: &[Rung] =
    &[Rung::new("child", "", ""), Rung::new("attr", "<div ", " ></div>")];

pub(super) const HCL: &[Rung] =
    &[Rung::new("block", "a { ", " }"), Rung::new("file", "", ""), Rung::new("expr", "x = ", "")];

pub(super) const MARKDOWN: &[Rung] = &[Rung::new("file", "", "")];

pub(super) const NIX: &[Rung] = &[Rung::new("file", "", ""), Rung::new("attr", "{ ", " }")];
