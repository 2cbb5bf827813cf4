//! Text to trees.

use std::fmt;

use memchr::{memchr, memchr2_iter, memrchr2};

use super::property::short_name;
use super::scratch::{Scratch, Value};
use super::text::closing;
use super::tree::{NodeId, Tree};

/// Why a text cannot be read as SGF, or not to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SgfError {
    /// The line in the text, from 1. Lines end with LF, CR or CRLF.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    message: String,
}

impl fmt::Display for SgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SgfError {}

/// Reads a collection: at least one tree.
///
/// What is common in files is no error: other text before, between and behind trees, needless or empty parentheses, a
/// missing `;` behind a parenthesis, nodes behind variations (they are a further variation), white space and NUL
/// anywhere, lower-case letters in names (`AddBlack` is `AB`, `b` is `B`), a property twice in a node (its values are
/// put together).
///
/// Errors: no tree; a value or a tree that is not closed; a name without value, a value without name, and any other
/// character where none of this can stand, such as a `]` behind one that should have been escaped. What was read before
/// it is to be had from [`parse_lenient`].
pub fn parse(text: &str) -> Result<Vec<Tree>, SgfError> {
    match parse_lenient(text) {
        (trees, None) => Ok(trees),
        (_, Some(error)) => Err(error),
    }
}

/// Reads a collection up to its end or the first error: with the error, the last tree may be cut short. It has all the
/// values that were closed before.
pub fn parse_lenient(text: &str) -> (Vec<Tree>, Option<SgfError>) {
    let mut trees = Vec::new();
    let fault = read(text, &mut trees).err();
    (trees, fault.map(|fault| fault.locate(text)))
}

/// What is wrong, and at which byte.
struct Fault(usize, String);

impl Fault {
    #[cold]
    fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault(at, message.into())
    }

    fn locate(self, text: &str) -> SgfError {
        let before = &text[..self.0];
        let start = memrchr2(b'\n', b'\r', before.as_bytes()).map_or(0, |newline| newline + 1);
        let line = 1 + newlines(text.as_bytes(), 0, self.0);
        SgfError { line, column: 1 + before[start..].chars().count(), message: self.1 }
    }
}

/// How many lines end in a part of the text.
fn newlines(bytes: &[u8], from: usize, to: usize) -> usize {
    let is_end = |&i: &usize| bytes[i] == b'\r' || bytes[i] == b'\n' && (i == 0 || bytes[i - 1] != b'\r');
    memchr2_iter(b'\n', b'\r', &bytes[from..to]).map(|i| from + i).filter(is_end).count()
}

fn read(text: &str, trees: &mut Vec<Tree>) -> Result<(), Fault> {
    if text.len() >= u32::MAX as usize {
        return Err(Fault::new(0, "the text has 4 GiB or more"));
    }
    let mut reader = Reader { text, at: 0, counted: (0, 1), open: Vec::new(), node: Scratch::default() };
    while let Some(open) = memchr(b'(', &text.as_bytes()[reader.at..]) {
        reader.at += open + 1;
        if reader.at_tree() {
            let mut tree = Tree::at_line(reader.line());
            let result = reader.tree(&mut tree);
            tree.shrink();
            trees.push(tree);
            result?;
        }
    }
    if trees.is_empty() { Err(Fault::new(0, "there is no game tree, which begins with `(;`")) } else { Ok(()) }
}

struct Reader<'a> {
    text: &'a str,
    /// The byte that is next.
    at: usize,
    /// A byte, and its line.
    counted: (usize, usize),
    /// The nodes before the variations that are open.
    open: Vec<NodeId>,
    node: Scratch<'a>,
}

impl<'a> Reader<'a> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                // NUL too: some files are padded with it
                0..=b' ' | 0x7f => self.at += 1,
                0x80.. => match self.text[self.at..].chars().next() {
                    Some(c) if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// The line of the next byte.
    fn line(&mut self) -> u32 {
        let (from, line) = self.counted;
        self.counted = (self.at, line + newlines(self.text.as_bytes(), from, self.at));
        self.counted.1 as u32
    }

    /// Passes over the name of a property.
    #[inline]
    fn name(&mut self) -> &'a str {
        let start = self.at;
        if self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
                self.at += 1;
            }
        }
        &self.text[start..self.at]
    }

    /// Whether a node begins here, behind a `(`. If not, the parenthesis belongs to other text, or has no need to be.
    fn at_tree(&mut self) -> bool {
        self.skip_space();
        let start = self.at;
        let named = !self.name().is_empty();
        self.skip_space();
        let next = self.peek();
        self.at = start;
        if named { next == Some(b'[') } else { next == Some(b';') }
    }

    /// Reads a tree from its root on.
    fn tree(&mut self, tree: &mut Tree) -> Result<(), Fault> {
        let begun = self.counted.1;
        let mut node = tree.root();
        if self.peek() == Some(b';') {
            self.at += 1;
        }
        self.open.clear();
        self.properties(tree, node)?;
        loop {
            // spaces were skipped
            match self.peek() {
                Some(b'(') => {
                    self.open.push(node);
                    self.at += 1;
                    self.skip_space();
                }
                Some(b')') => {
                    self.at += 1;
                    match self.open.pop() {
                        Some(before) => node = before,
                        None => return Ok(()),
                    }
                    self.skip_space();
                }
                // letters only behind a parenthesis: a node has all of its own
                Some(b';' | b'a'..=b'z' | b'A'..=b'Z') => {
                    let line = self.line();
                    node = tree.add_child_at_line(node, line);
                    if self.peek() == Some(b';') {
                        self.at += 1;
                    }
                    self.properties(tree, node)?;
                }
                Some(_) => return Err(self.stray()),
                None => return Err(Fault::new(self.at, format!("the tree begun in line {begun} is not closed"))),
            }
        }
    }

    fn properties(&mut self, tree: &mut Tree, node: NodeId) -> Result<(), Fault> {
        let result = self.values();
        self.node.keep(self.text, tree, node);
        result
    }

    /// Reads the properties of a node, and the white space behind them.
    fn values(&mut self) -> Result<(), Fault> {
        loop {
            self.skip_space();
            let start = self.at;
            let ident = self.name();
            if ident.is_empty() {
                return Ok(());
            }
            self.skip_space();
            match self.peek() {
                Some(b'[') => {}
                Some(b']') => return Err(self.stray()),
                _ => {
                    let (shown, more) = ident.split_at(ident.len().min(12));
                    let more = if more.is_empty() { "" } else { "…" };
                    return Err(Fault::new(start, format!("the property `{shown}{more}` has no value")));
                }
            }
            let slot = self.node.slot(short_name(ident));
            while self.peek() == Some(b'[') {
                let start = self.at + 1;
                let Some(len) = closing(&self.text.as_bytes()[start..]) else {
                    return Err(Fault::new(self.at, "a property value is not closed"));
                };
                let end = start + len;
                self.node.push(Value { slot, start: start as u32, end: end as u32 });
                self.at = end + 1;
                self.skip_space();
            }
        }
    }

    /// The next character has no place here.
    #[cold]
    fn stray(&self) -> Fault {
        let message = match self.text[self.at..].chars().next() {
            Some(']') => r"a `]` closes no value (within a value it is written `\]`)".into(),
            Some('[') => "a value without a property name".into(),
            c => format!("`{}` is out of place", c.unwrap_or_default().escape_debug()),
        };
        Fault::new(self.at, message)
    }
}
