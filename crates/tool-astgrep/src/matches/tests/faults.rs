//! Kinds of pattern that once found nothing, too much, or were refused.

/// Language, pattern, source, and what is found: the text, then `NAME=text` of captures that
/// matter, all parted by ` | `.
pub(super) type Fault = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Words that are keywords in some languages only.
pub(super) const WORDS: &[Fault] = &[
    (
        "java",
        "when($X).thenReturn($Y)",
        "class A { void f() { when(a).thenReturn(b); } }",
        &["when(a).thenReturn(b)"],
    ),
    (
        "dart",
        "when($X).thenReturn($Y)",
        "void f() { when(a).thenReturn(b); }",
        &["when(a).thenReturn(b)"],
    ),
    ("python", "when($X).thenReturn($Y)", "when(a).thenReturn(b)\n", &["when(a).thenReturn(b)"]),
    ("typescript", "where($X)", "where(a);", &["where(a)"]),
    ("ruby", "where($X)", "where(a)\n", &["where(a)"]),
    ("lua", "where($X)", "where(a)\n", &["where(a)"]),
    ("csharp", "where($X)", "class C { void F() { where(a); } }", &["where(a)"]),
    ("haskell", "return $X", "f = return x\n", &["return x"]),
    ("haskell", "when $C $A", "f = when c a\n", &["when c a"]),
    ("haskell", "throw $X", "f = throw x\n", &["throw x"]),
    ("haskell", "catch $X $Y", "f = catch x y\n", &["catch x y"]),
    ("elixir", "import $X", "import Foo\n", &["import Foo"]),
    ("elixir", "case $X do $$$C end", "case x do\n  1 -> 2\nend\n", &["case x do\n  1 -> 2\nend"]),
    ("bash", "import $X", "import a\n", &["import a"]),
    ("bash", "return $N", "f() {\n  return 1\n}\n", &["return 1"]),
    ("rust", "default($X)", "fn f() { default(x); }", &["default(x)"]),
    ("nix", "import $X $Y", "import ./a.nix { }", &["import ./a.nix { }"]),
    ("nix", "import $X", "{ a = import ./b.nix; }", &["import ./b.nix"]),
    (
        "swift",
        "default: $$$B",
        "func f() { switch x { case 1: a()\n default: b()\n c()\n } }",
        &["default: b()\n c() | $$$B=b()\n c()"],
    ),
    ("swift", "catch { $$$C }", "func f() { do { try a() } catch { b() } }", &["catch { b() }"]),
    ("swift", "throw $X", "func f() { throw E.x }", &["throw E.x | X=E.x"]),
    ("swift", "throw E.x", "func f() { throw E.x }", &["throw E.x"]),
];

/// Values that a grammar spells as tokens.
pub(super) const VALUES: &[Fault] = &[
    (
        "csharp",
        "g($X)",
        "class C { void F() { g(this); g(null); g(base.X); } }",
        &["g(this) | X=this", "g(null)", "g(base.X)"],
    ),
    (
        "csharp",
        "lock ($X) { $$$B }",
        "class C { void F() { lock (this) { g(); } } }",
        &["lock (this) { g(); } | X=this"],
    ),
    (
        "csharp",
        "$X.M()",
        "class C { void F() { this.M(); base.M(); a.M(); } }",
        &["this.M()", "base.M()", "a.M()"],
    ),
    (
        "dart",
        "g($X)",
        "class C { void f() { g(this); g(null); g(a); } }",
        &["g(this)", "g(null)", "g(a)"],
    ),
    (
        "dart",
        "$X.dispose()",
        "class C { void f() { this.dispose(); a.dispose(); super.dispose(); } }",
        &["this.dispose()", "a.dispose()", "super.dispose()"],
    ),
    (
        "dart",
        "return $X;",
        "class C { f() { return this; } g() { return 1; } }",
        &["return this;", "return 1;"],
    ),
    (
        "zig",
        "const $N = $V;",
        "const a = null;\nconst b = undefined;\nconst c = 1;\n",
        &["const a = null;", "const b = undefined;", "const c = 1;"],
    ),
    (
        "zig",
        "g($X)",
        "fn f() void { g(null); g(undefined); g(unreachable); g(a); }",
        &["g(null)", "g(undefined)", "g(unreachable)", "g(a)"],
    ),
    ("php", "g($X)", "<?php g($this); g(null); g(true);", &["g($this)", "g(null)", "g(true)"]),
    ("swift", "g($X)", "func f() { g(self); g(nil); g(true) }", &["g(self)", "g(nil)", "g(true)"]),
    (
        "kotlin",
        "g($X)",
        "fun f() { g(this); g(null); g(true) }",
        &["g(this)", "g(null)", "g(true)"],
    ),
    (
        "java",
        "g($X)",
        "class C { void f() { g(this); g(null); g(int.class); } }",
        &["g(this)", "g(null)", "g(int.class)"],
    ),
    ("rust", "g($X)", "fn f() { g(self); g(true); g(_x); }", &["g(self)", "g(true)", "g(_x)"]),
    ("lua", "g($X)", "g(nil)\ng(true)\ng(...)\n", &["g(nil)", "g(true)", "g(...)"]),
    (
        "solidity",
        "g($X)",
        "contract C { function f() public { g(this); g(true); } }",
        &["g(this)", "g(true)"],
    ),
    (
        "scala",
        "g($X)",
        "object O { g(this); g(null); g(true) }",
        &["g(this)", "g(null)", "g(true)"],
    ),
    (
        "go",
        "g($X)",
        "package p\nfunc f() { g(nil); g(true); g(iota) }\n",
        &["g(nil)", "g(true)", "g(iota)"],
    ),
    (
        "typescript",
        "g($X)",
        "g(this); g(null); g(undefined); g(super.x);",
        &["g(this)", "g(null)", "g(undefined)", "g(super.x)"],
    ),
    (
        "cpp",
        "g($X)",
        "void f() { g(this); g(nullptr); g(true); }",
        &["g(this)", "g(nullptr)", "g(true)"],
    ),
    ("c", "g($X)", "void f(void) { g(NULL); g(true); }", &["g(NULL)", "g(true)"]),
    ("ruby", "g($X)", "g(self)\ng(nil)\ng(true)\n", &["g(self)", "g(nil)", "g(true)"]),
    ("python", "g($X)", "g(self)\ng(None)\ng(...)\n", &["g(self)", "g(None)", "g(...)"]),
];

/// Branches: what an `if` without `else` says, and bodies that are one metavariable.
pub(super) const BRANCHES: &[Fault] = &[
    (
        "c",
        "if ($A) $B else $C",
        "void f(void) { if (x) a(); else { b(); } }",
        &["if (x) a(); else { b(); }"],
    ),
    (
        "cpp",
        "if ($A) $B else $C",
        "void f() { if (x) a(); else { b(); } }",
        &["if (x) a(); else { b(); }"],
    ),
    (
        "java",
        "if ($A) $B else $C",
        "class A { void f() { if (x) a(); else { b(); } } }",
        &["if (x) a(); else { b(); }"],
    ),
    (
        "csharp",
        "if ($A) $B else $C",
        "class A { void F() { if (x) a(); else { b(); } } }",
        &["if (x) a(); else { b(); }"],
    ),
    (
        "dart",
        "if ($A) $B else $C",
        "void f() { if (x) a(); else { b(); } }",
        &["if (x) a(); else { b(); }"],
    ),
    (
        "php",
        "if ($A) $B else $C",
        "<?php if ($x) a(); else { b(); }",
        &["if ($x) a(); else { b(); }"],
    ),
    (
        "solidity",
        "if ($A) $B else $C",
        "contract C { function f() public { if (x) a(); else { b(); } } }",
        &["if (x) a(); else { b(); }"],
    ),
    (
        "javascript",
        "if ($A) $B else $C",
        "if (x) a(); else { b(); }",
        &["if (x) a(); else { b(); }"],
    ),
    ("c", "while ($A) $B", "void f(void) { while (x) a(); }", &["while (x) a();"]),
    (
        "java",
        "for ($T $V : $X) $B",
        "class A { void f() { for (int a : b) g(); } }",
        &["for (int a : b) g();"],
    ),
    ("c", "else $E", "void f(void) { if (x) a(); else b(); }", &["else b(); | E=b();"]),
    (
        "lua",
        "if $A then $$$B end",
        "if x then a() b() end\nif x then a() else b() end\nif x then a() elseif y then b() end\n",
        &["if x then a() b() end | $$$B=a() b()"],
    ),
    (
        "lua",
        "if $A then $$$B else $$$C end",
        "if x then a() else b() c() end\nif x then a() end\nif x then a() elseif y then b() else c() end\n",
        &["if x then a() else b() c() end | $$$B=a() | $$$C=b() c()"],
    ),
    (
        "lua",
        "if $A then $$$B elseif $C then $$$D else $$$E end",
        "if x then a() elseif y then b() else c() end",
        &["if x then a() elseif y then b() else c() end | $$$B=a() | $$$D=b() | $$$E=c()"],
    ),
    (
        "bash",
        "if $A; then $$$B; fi",
        "if x; then a; b; fi\nif x; then a; else b; fi\nif x; then a; elif y; then b; fi\n",
        &["if x; then a; b; fi"],
    ),
    (
        "ruby",
        "if $A\n$$$B\nend",
        "if x\n  a\nelse\n  b\nend\nif x\n  a\n  b\nend\n",
        &["if x\n  a\n  b\nend"],
    ),
    (
        "python",
        "if $A: $$$B",
        "if x:\n    a()\nelse:\n    b()\nif x:\n    a()\n",
        &["if x:\n    a()"],
    ),
    (
        "elixir",
        "if $A do $$$B end",
        "if x do\n  a()\n  b()\nend\nif x do\n  a()\nelse\n  b()\nend\n",
        &["if x do\n  a()\n  b()\nend"],
    ),
    (
        "ruby",
        "begin\n$$$B\nend",
        "begin\n  a\nrescue\n  b\nend\nbegin\n  a\nend\n",
        &["begin\n  a\nend"],
    ),
    ("bash", "while $A; do $$$B; done", "while x; do a; b; done\n", &["while x; do a; b; done"]),
];

/// Calls without parentheses.
pub(super) const COMMANDS: &[Fault] = &[
    ("ruby", "p $X", "p 1\np(2)\nf(1, 2)\np 1, 2\n", &["p 1 | X=1"]),
    ("ruby", "f $$$A", "f 1, 2\nf(3, 4)\n", &["f 1, 2 | $$$A=1, 2"]),
    ("elixir", "f $X", "f 1\nf(2)\nf 1, 2\n", &["f 1 | X=1"]),
    ("ruby", "return $X", "def a\n  return 1\nend\n", &["return 1 | X=1"]),
    ("ruby", "f($$$A)", "f 1, 2\nf(3, 4)\n", &["f(3, 4) | $$$A=3, 4"]),
];

/// Declarations and statements of all kinds.
pub(super) const FORMS: &[Fault] = &[
    ("c", "enum $E { $$$M };", "enum e { A, B };", &["enum e { A, B };"]),
    ("c", "struct $S;", "struct s;\n", &["struct s;"]),
    ("c", "struct s;", "struct s;\n", &["struct s;"]),
    ("c", "union $U { $$$F };", "union u { int a; };", &["union u { int a; };"]),
    ("cpp", "class $F;", "class F;\n", &["class F;"]),
    ("cpp", "class F;", "class F;\n", &["class F;"]),
    (
        "cpp",
        "class $C : public $D { $$$B };",
        "class A : public B { int x; };",
        &["class A : public B { int x; };"],
    ),
    ("cpp", "enum class $E { $$$M };", "enum class E { A, B };", &["enum class E { A, B };"]),
    (
        "go",
        "func $F($$$P) $R",
        "package p\nfunc f(a int) error { return nil }\nfunc g() { h() }\n",
        &[],
    ),
    (
        "hcl",
        "resource $T $N { $$$B }",
        "resource \"a\" \"b\" {\n  c = 1\n  d {\n    e = 2\n  }\n}\n",
        &["resource \"a\" \"b\" {\n  c = 1\n  d {\n    e = 2\n  }\n}"],
    ),
    (
        "hcl",
        "variable \"$N\" { $$$B }",
        "variable \"a\" {\n  type = string\n}\n",
        &["variable \"a\" {\n  type = string\n}"],
    ),
    (
        "hcl",
        "resource \"$T\" \"$N\" {\n  $$$B\n}",
        "resource \"a\" \"b\" {\n  c = 1\n}\n",
        &["resource \"a\" \"b\" {\n  c = 1\n}"],
    ),
    ("hcl", "locals { $$$B }", "locals {\n  a = 1\n}\n", &["locals {\n  a = 1\n}"]),
    (
        "solidity",
        "struct $S { $$$F }",
        "contract C { struct S { uint a; uint b; } }",
        &["struct S { uint a; uint b; }"],
    ),
    ("javascript", "f($$$A)", "f(1, 2,);", &["f(1, 2,) | $$$A=1, 2"]),
];
