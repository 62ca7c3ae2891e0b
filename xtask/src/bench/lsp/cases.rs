//! What is asked of which server, about which project.

use crate::repo;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// How the bare client learns what is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It asks.
    Pull,
    /// It is told.
    Push,
    /// It asks TypeScript's own server.
    Tsserver,
}

/// One server.
pub(super) struct Case {
    /// Its id.
    pub(super) server: &'static str,
    /// How the bare client starts it.
    pub(super) program: &'static [&'static str],
    pub(super) language: &'static str,
    /// Of `fixtures`.
    pub(super) fixture: &'static str,
    pub(super) file: &'static str,
    /// A text before which a broken line can stand, and that line.
    pub(super) anchor: &'static str,
    pub(super) broken: &'static str,
    /// A part of what the server says of it.
    pub(super) says: &'static str,
    /// A text, and the name in it that is hovered over.
    pub(super) hover: (&'static str, &'static str),
    pub(super) way: Way,
    /// A major version of TypeScript in the project.
    pub(super) typescript: Option<u32>,
}

const PYTHON: Case = Case {
    server: "ty",
    program: &["ty", "server"],
    language: "python",
    fixture: "lsp-python",
    file: "main.py",
    anchor: "    print(line([1, 2])",
    broken: "    no_such_name()\n",
    says: "no_such_name",
    hover: ("    books = [Book(1200)]", "Book"),
    way: Way::Pull,
    typescript: None,
};

const TYPESCRIPT: Case = Case {
    server: "typescript-native",
    program: &["tsc", "--lsp", "--stdio"],
    language: "typescript",
    fixture: "lsp-typescript",
    file: "src/main.ts",
    anchor: "export const all",
    broken: "noSuchName();\n",
    says: "noSuchName",
    hover: ("const books = [new Book(1200)]", "Book"),
    way: Way::Pull,
    typescript: Some(7),
};

pub(super) const CASES: &[Case] = &[
    PYTHON,
    Case { server: "pyright", program: &["pyright-langserver", "--stdio"], ..PYTHON },
    TYPESCRIPT,
    Case {
        server: "typescript",
        program: &["typescript-language-server", "--stdio"],
        way: Way::Tsserver,
        typescript: Some(5),
        ..TYPESCRIPT
    },
    Case {
        server: "clangd",
        program: &["clangd", "--background-index", "--log=error"],
        language: "c",
        fixture: "lsp-c",
        file: "src/main.c",
        anchor: "    const char *size",
        broken: "    no_such_name = 1;\n",
        says: "no_such_name",
        hover: ("return (int)(line(prices, 2)", "line"),
        way: Way::Push,
        typescript: None,
    },
    Case {
        server: "gopls",
        program: &["gopls", "serve"],
        language: "go",
        fixture: "lsp-go",
        file: "main.go",
        anchor: "\tbooks :=",
        broken: "\tnoSuchName()\n",
        says: "noSuchName",
        hover: ("\tfmt.Println(report.Line", "Line"),
        way: Way::Push,
        typescript: None,
    },
    Case {
        server: "rust-analyzer",
        program: &["rust-analyzer"],
        language: "rust",
        fixture: "lsp-rust",
        file: "cli/src/main.rs",
        anchor: "    println!(",
        broken: "    no_such_name();\n",
        says: "no_such_name",
        hover: ("    let books = [Book {", "Book"),
        way: Way::Push,
        typescript: None,
    },
];

impl Case {
    /// A copy of the project, anew.
    pub(super) fn project(&self, to: &Path) -> Result<PathBuf> {
        let _ = fs::remove_dir_all(to);
        copy(&repo::root().join("fixtures").join(self.fixture), to)?;
        if self.language == "c" {
            let entries: Vec<serde_json::Value> = ["main.c", "order.c", "report.c", "größe.c"]
                .iter()
                .map(|name| {
                    serde_json::json!({ "directory": to, "file": to.join("src").join(name),
                        "arguments": ["cc", "-std=c11", "-c", format!("src/{name}")] })
                })
                .collect();
            fs::write(to.join("compile_commands.json"), serde_json::to_string(&entries)?)?;
        }
        if let Some(major) = self.typescript {
            let modules = super::toolbox().join(format!("ts{major}/node_modules"));
            std::os::unix::fs::symlink(modules, to.join("node_modules"))?;
        }
        Ok(to.canonicalize()?)
    }

    /// Line from 1, and character from 0, of the name that is hovered over.
    pub(super) fn place(&self, text: &str) -> Result<(usize, usize)> {
        let (line, name) = self.hover;
        let at = text.lines().position(|l| l.contains(line)).context("no line to hover over")?;
        let found = text.lines().nth(at).and_then(|l| l.find(name)).context("no name")?;
        Ok((at + 1, found))
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
