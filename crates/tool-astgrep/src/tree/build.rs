//! Parsing, and the one walk that makes a compact tree.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser};

use super::{EXTRA, GAP, HAS_ERROR, LONG, MISSING, NodeId, Tree, is_filler};
use crate::language::{ERROR_KIND, Language};

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ParseStopped {
    /// The caller's `stop` said so.
    #[error("the parse was stopped")]
    Stopped,
    /// More bytes than a tree can count.
    #[error("the file is larger than 4 GiB")]
    TooLarge,
    /// The grammar is not part of this build.
    #[error("the grammar is not compiled into this build")]
    NotCompiled,
}

thread_local! {
    /// One parser for each language and thread: making one is dearer than a small parse.
    static PARSERS: RefCell<Vec<Option<Parser>>> = const { RefCell::new(Vec::new()) };
}

thread_local! {
    /// The arrays of the last tree that this thread recycled.
    static SPARE: Cell<Spare> = const { Cell::new(Spare::EMPTY) };
}

/// The arrays of a tree, empty.
struct Spare {
    kinds: Vec<u16>,
    fields: Vec<u8>,
    flags: Vec<u8>,
    starts: Vec<u32>,
    lens: Vec<u16>,
    sizes: Vec<u16>,
}

impl Spare {
    const EMPTY: Self = Self {
        kinds: Vec::new(),
        fields: Vec::new(),
        flags: Vec::new(),
        starts: Vec::new(),
        lens: Vec::new(),
        sizes: Vec::new(),
    };

    fn with_room(nodes: usize) -> Self {
        Self {
            kinds: Vec::with_capacity(nodes),
            fields: Vec::with_capacity(nodes),
            flags: Vec::with_capacity(nodes),
            starts: Vec::with_capacity(nodes),
            lens: Vec::with_capacity(nodes),
            sizes: Vec::with_capacity(nodes),
        }
    }

    fn clear(&mut self) {
        self.kinds.clear();
        self.fields.clear();
        self.flags.clear();
        self.starts.clear();
        self.lens.clear();
        self.sizes.clear();
    }
}

impl Default for Spare {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// A tree as tree-sitter made it; only kept where a changed text is parsed again.
pub(crate) struct RawTree {
    language: Language,
    tree: tree_sitter::Tree,
}

impl RawTree {
    /// Parses `src`. `old` is the tree of an earlier text, already told of the edits
    /// ([`RawTree::edit`]).
    pub(crate) fn parse(
        language: Language,
        src: &str,
        old: Option<&RawTree>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, ParseStopped> {
        if u32::try_from(src.len()).is_err() {
            return Err(ParseStopped::TooLarge);
        }
        let grammar = language.grammar().ok_or(ParseStopped::NotCompiled)?;
        let bytes = src.as_bytes();
        let tree = PARSERS.with_borrow_mut(|parsers| {
            let at = language.index();
            if parsers.len() <= at {
                parsers.resize_with(at + 1, || None);
            }
            let parser = match &mut parsers[at] {
                Some(parser) => parser,
                empty => {
                    let mut parser = Parser::new();
                    parser.set_language(grammar).map_err(|_| ParseStopped::NotCompiled)?;
                    empty.insert(parser)
                }
            };
            // A stopped parse leaves state that the next one would resume.
            parser.reset();
            let mut progress = |_: &ParseState| {
                if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let options = ParseOptions::new().progress_callback(&mut progress);
            parser
                .parse_with_options(
                    &mut |offset, _| bytes.get(offset..).unwrap_or(&[]),
                    old.map(|raw| &raw.tree),
                    Some(options),
                )
                .ok_or(ParseStopped::Stopped)
        })?;
        Ok(Self { language, tree })
    }

    /// Tells the tree that bytes `start..old_end` became `start..new_end`. Positions are not
    /// kept up to date: only bytes are ever read.
    pub(crate) fn edit(&mut self, start: usize, old_end: usize, new_end: usize) {
        let point = tree_sitter::Point::new(0, 0);
        self.tree.edit(&tree_sitter::InputEdit {
            start_byte: start,
            old_end_byte: old_end,
            new_end_byte: new_end,
            start_position: point,
            old_end_position: point,
            new_end_position: point,
        });
    }
}

/// A node whose children are being visited.
struct Open {
    id: NodeId,
    /// Up to here children (or blanks) cover the node.
    covered: usize,
    end: usize,
    /// An ERROR or MISSING node is in it.
    broken: bool,
}

impl Tree {
    /// The compact form of `raw`, which was parsed from `src`.
    pub(crate) fn from_raw(raw: &RawTree, src: &str) -> Self {
        let root = raw.tree.root_node();
        let mut tree = Self::with_room(raw.language, root.descendant_count());
        let mut open: Vec<Open> = Vec::new();
        let mut cursor = raw.tree.walk();
        'walk: loop {
            let node = cursor.node();
            // Each question to a node is a call into C: asked once, and of errors only where there are any.
            let (start, end) = (node.start_byte(), node.end_byte());
            let broken = open.last().is_none_or(|parent| parent.broken) && node.has_error();
            let field = cursor.field_id().map_or(0, std::num::NonZero::get);
            let id = tree.push(&node, field, start, end, broken);
            if let Some(parent) = open.last_mut() {
                parent.cover(&mut tree, src, start, end);
            }
            if cursor.goto_first_child() {
                open.push(Open { id, covered: start, end, broken });
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'walk;
                }
                if let Some(mut done) = open.pop() {
                    let end = done.end;
                    done.cover(&mut tree, src, end, end);
                    tree.close(done.id);
                }
            }
        }
        tree.long_lens.shrink_to_fit();
        tree.long_sizes.sort_unstable();
        tree.long_sizes.shrink_to_fit();
        tree
    }

    fn with_room(language: Language, nodes: usize) -> Self {
        let kinds = language.classes().len().div_ceil(64);
        let mut spare = SPARE.take();
        if spare.kinds.capacity() == 0 {
            spare = Spare::with_room(nodes);
        }
        Self {
            language,
            kinds: spare.kinds,
            fields: spare.fields,
            flags: spare.flags,
            starts: spare.starts,
            lens: spare.lens,
            sizes: spare.sizes,
            long_lens: Vec::new(),
            long_sizes: Vec::new(),
            present: vec![0; kinds],
            errors: Vec::new(),
        }
    }

    /// Ends a tree that nobody remembers; the next one that this thread builds takes over its arrays. Freeing and
    /// getting large arrays for each file is dear.
    pub(crate) fn recycle(self) {
        let mut spare = Spare {
            kinds: self.kinds,
            fields: self.fields,
            flags: self.flags,
            starts: self.starts,
            lens: self.lens,
            sizes: self.sizes,
        };
        spare.clear();
        SPARE.set(spare);
    }

    /// `broken`: the node holds or is an ERROR or MISSING node.
    fn push(
        &mut self,
        node: &Node<'_>,
        field: u16,
        start: usize,
        end: usize,
        broken: bool,
    ) -> NodeId {
        let id = self.len();
        let kind = node.kind_id();
        let mut flags = if node.is_extra() { EXTRA } else { 0 };
        if broken {
            let missing = node.is_missing();
            flags |= HAS_ERROR | if missing { MISSING } else { 0 };
        }
        if kind == ERROR_KIND || flags & MISSING != 0 {
            self.errors.push(id);
        }
        if let Some(word) = self.present.get_mut(usize::from(kind) / 64) {
            *word |= 1 << (kind % 64);
        }
        self.kinds.push(kind);
        self.fields.push(u8::try_from(field).unwrap_or(0));
        self.flags.push(flags);
        self.starts.push(start as u32);
        let len = (end - start) as u32;
        self.lens.push(u16::try_from(len).unwrap_or(LONG));
        if len >= u32::from(LONG) {
            self.long_lens.push((id, len));
        }
        self.sizes.push(1);
        id
    }

    fn close(&mut self, id: NodeId) {
        let size = self.len() - id;
        self.sizes[id as usize] = u16::try_from(size).unwrap_or(LONG);
        if size >= u32::from(LONG) {
            self.long_sizes.push((id, size));
        }
    }
}

impl Open {
    /// A child covers `start..end`; what lies before it is a gap unless it is mere filler.
    fn cover(&mut self, tree: &mut Tree, src: &str, start: usize, end: usize) {
        if self.covered < start {
            let between = src.get(self.covered..start).unwrap_or("");
            let blank = between.bytes().all(|byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
            if !blank && !between.chars().all(is_filler) {
                tree.flags[self.id as usize] |= GAP;
            }
        }
        self.covered = self.covered.max(end);
    }
}
