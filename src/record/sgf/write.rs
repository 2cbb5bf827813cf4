//! Trees to text.

use std::fmt;

use memchr::memrchr;

use super::property::Property;
use super::tree::{NodeId, Tree};

/// The length of a line, in bytes, that is kept to where there is a place to break it.
const WIDTH: usize = 78;

impl Tree {
    /// Appends the tree as text: `(`, the nodes, `)`, a newline. Every variation begins on a line of its own; other
    /// lines are broken before nodes, and within a long node between its properties and values, so that they stay
    /// within 78 bytes unless a single value is longer. Values are written as they are.
    pub fn write(&self, out: &mut String) {
        let mut writer = Writer { out, column: 0 };
        writer.piece("(");
        let mut node = self.root();
        'nodes: loop {
            writer.node(self, node);
            if let Some(child) = self.children(node).next() {
                node = child;
                if self.next_sibling(child).is_some() {
                    writer.variation();
                }
                continue;
            }
            // back to where another variation begins
            while let Some(parent) = self.parent(node) {
                let next = self.next_sibling(node);
                if next.is_some() || self.children(parent).next() != Some(node) {
                    writer.piece(")");
                }
                if let Some(next) = next {
                    writer.variation();
                    node = next;
                    continue 'nodes;
                }
                node = parent;
            }
            break;
        }
        writer.piece(")");
        writer.out.push('\n');
    }
}

impl fmt::Display for Tree {
    /// As [`Tree::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

struct Writer<'a> {
    out: &'a mut String,
    /// Bytes in the present line.
    column: usize,
}

impl Writer<'_> {
    fn line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    fn room(&self, bytes: usize) -> bool {
        self.column == 0 || self.column + bytes <= WIDTH
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        match memrchr(b'\n', text.as_bytes()) {
            Some(newline) => self.column = text.len() - newline - 1,
            None => self.column += text.len(),
        }
    }

    /// What is not broken.
    fn piece(&mut self, text: &str) {
        if !self.room(text.len()) {
            self.line_break();
        }
        self.put(text);
    }

    fn variation(&mut self) {
        self.line_break();
        self.put("(");
    }

    fn node(&mut self, tree: &Tree, node: NodeId) {
        let mut length = 1;
        for property in tree.properties(node) {
            length += property.raw().len();
            if length > WIDTH {
                break;
            }
        }
        // not behind a parenthesis: it would stand alone
        if !self.room(length) && self.column > 1 {
            self.line_break();
        }
        self.put(";");
        for property in tree.properties(node) {
            self.property(property);
        }
    }

    fn property(&mut self, property: Property<'_>) {
        let raw = property.raw();
        if self.room(raw.len()) {
            return self.put(raw);
        }
        if raw.len() <= WIDTH {
            return self.piece(raw);
        }
        // the name and its first value stay together
        let mut start = 0;
        let mut end = property.ident().len();
        for value in property.values() {
            end += value.len() + 2;
            self.piece(&raw[start..end]);
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{parse, tests::written};

    #[test]
    fn variations_are_kept_and_needless_parentheses_are_not() {
        let cases = [
            ("(;)", "(;)\n"),
            ("(;B[aa](;W[bb](;B[cc])))", "(;B[aa];W[bb];B[cc])\n"),
            ("(;A[](;B[];C[])(;D[](;E[])(;F[]))(;G[]))", "(;A[]\n(;B[];C[])\n(;D[]\n(;E[])\n(;F[]))\n(;G[]))\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text), expected, "{text}");
            assert_eq!(written(expected), expected);
        }
    }

    #[test]
    fn lines_are_broken_at_nodes_properties_and_values() {
        let text = format!("(;{}{})", "AB[aa][bb][cc]AW[dd]C[e f]".repeat(20), ";B[aa]N[1];W[bb]".repeat(50));
        let out = written(&text);
        assert!(out.lines().all(|line| line.len() <= super::WIDTH), "{out}");
        assert!(out.lines().count() < text.len() / 50, "{out}");
        assert!(out.lines().filter(|line| !line.starts_with('[')).count() > 10);
        assert_eq!(written(&out), out);
    }

    #[test]
    fn values_are_not_broken() {
        let long = format!("(;C[{}\nx];B[aa])", "long ".repeat(30));
        let tree = &parse(&long).unwrap()[0];
        assert_eq!(tree.to_string(), format!("(;\n{}\n", &long[2..]));
    }
}
