//! Nodes and their properties.

use std::iter::successors;
use std::ops::Range;

use super::property::{Property, short_name};
use super::text::push_closed;

/// No node, no property.
const NONE: u32 = u32::MAX;

/// A game tree, or one tree of a collection: nodes with properties, at least a root. No node is ever taken out.
///
/// A [`NodeId`] is good for the tree that gave it (and its clones). Of another one it names a different node or none at
/// all; in the latter case the methods panic. A tree holds up to 4 GiB of properties, more make it panic too.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root first. A node comes behind its parent.
    nodes: Vec<Node>,
    records: Vec<Record>,
    /// The properties as they are written: `AB[aa][bb]`.
    text: String,
    /// Bytes of the text that no property uses any more.
    waste: usize,
    /// The first record that is not in use; they are linked.
    free: u32,
}

/// A node of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

/// Children are a ring, and so are properties: the last one knows the first.
#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    last_child: u32,
    /// The next child of the same parent.
    next: u32,
    last_record: u32,
    line: u32,
}

/// Where a property is in the text.
#[derive(Clone, Debug)]
struct Record {
    start: u32,
    len: u32,
    /// The next one of the same node.
    next: u32,
}

impl Record {
    fn range(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Tree {
    /// A root without properties.
    pub fn new() -> Tree {
        Tree::at_line(0)
    }

    /// A root that begins in that line.
    pub(super) fn at_line(line: u32) -> Tree {
        let root = Node { parent: NONE, last_child: NONE, next: 0, last_record: NONE, line };
        Tree { nodes: vec![root], records: Vec::new(), text: String::new(), waste: 0, free: NONE }
    }

    /// The first node.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The node before this one; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        known(self.node(node).parent)
    }

    /// The nodes that follow this one, each beginning a variation if there are several; the first is the main one.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let first = known(self.node(node).last_child).map(|last| NodeId(self.node(last).next));
        successors(first, |&child| self.next_sibling(child))
    }

    pub(super) fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let last = self.parent(node).map(|parent| self.node(parent).last_child);
        last.filter(|&last| last != node.0).map(|_| NodeId(self.node(node).next))
    }

    /// The root and from there always the first child.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        successors(Some(self.root()), |&node| self.children(node).next())
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The line of the file in which the node begins, from 1; 0 if it was made by [`Tree::new`] or
    /// [`Tree::add_child`].
    pub fn line_of(&self, node: NodeId) -> usize {
        self.node(node).line as usize
    }

    /// The properties of a node in their order. No two have the same name.
    pub fn properties(&self, node: NodeId) -> impl Iterator<Item = Property<'_>> {
        self.records_of(node).map(|index| self.property(index))
    }

    /// The property of a node with that name, such as `AB`. Long names of old formats (`AddBlack`) were shortened when
    /// they were read.
    pub fn get(&self, node: NodeId, ident: &str) -> Option<Property<'_>> {
        self.properties(node).find(|property| property.ident() == ident)
    }

    /// Appends a node to the children of one.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        self.add_child_at_line(parent, 0)
    }

    /// Puts a node before the children of one: it begins the main line from there.
    pub fn add_first_child(&mut self, parent: NodeId) -> NodeId {
        let last = self.node(parent).last_child;
        let child = self.add_child(parent);
        if known(last).is_some() {
            // the ring goes on at its first, and the new one stands behind the last
            self.nodes[parent.0 as usize].last_child = last;
        }
        child
    }

    pub(super) fn add_child_at_line(&mut self, parent: NodeId, line: u32) -> NodeId {
        let child = number(self.nodes.len());
        let last = std::mem::replace(&mut self.nodes[parent.0 as usize].last_child, child);
        let next = match known(last) {
            Some(last) => std::mem::replace(&mut self.nodes[last.0 as usize].next, child),
            None => child,
        };
        self.nodes.push(Node { parent: parent.0, last_child: NONE, next, last_record: NONE, line });
        NodeId(child)
    }

    /// Gives a node a property: in the place of the one with that name, or behind the others. Without values it is
    /// taken out.
    ///
    /// The values are raw, so texts go through [`escape_text`](super::escape_text) or
    /// [`escape_simple`](super::escape_simple) first. One that would not end where it should is mended: a bare `]` gets
    /// a backslash, a single backslash at the end another one. A long name is shortened to its capitals; a name that is
    /// not a letter followed by letters and digits is no name, and nothing happens.
    pub fn set(&mut self, node: NodeId, ident: &str, values: impl IntoIterator<Item = impl AsRef<str>>) {
        let named = ident.starts_with(|c: char| c.is_ascii_alphabetic());
        if !named || !ident.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return;
        }
        let ident = short_name(ident);
        let start = self.text.len();
        self.text.push_str(&ident);
        let nothing = self.text.len();
        for value in values {
            self.text.push('[');
            push_closed(&mut self.text, value.as_ref());
            self.text.push(']');
        }
        let found = self.records_of(node).find(|&index| self.property(index).ident() == ident);
        if let Some(index) = found {
            self.waste += self.records[index as usize].len as usize;
        }
        if self.text.len() == nothing {
            self.text.truncate(start);
            if let Some(index) = found {
                self.unlink(node, index);
            }
        } else {
            let index = found.unwrap_or_else(|| self.link(node));
            let record = &mut self.records[index as usize];
            (record.start, record.len) = (number(start), number(self.text.len() - start));
        }
        if self.waste > self.text.len() / 2 + 256 {
            self.compact();
        }
    }

    /// Appends a property that the node does not have, with a short name and raw values that are well-formed.
    pub(super) fn append<'a>(&mut self, node: NodeId, ident: &str, values: impl Iterator<Item = &'a str>) {
        let start = self.text.len();
        self.text.push_str(ident);
        for value in values {
            self.text.push('[');
            self.text.push_str(value);
            self.text.push(']');
        }
        let index = self.link(node) as usize;
        (self.records[index].start, self.records[index].len) = (number(start), number(self.text.len() - start));
    }

    /// Gives back memory that was reserved.
    pub(super) fn shrink(&mut self) {
        self.nodes.shrink_to_fit();
        self.records.shrink_to_fit();
        self.text.shrink_to_fit();
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    fn property(&self, index: u32) -> Property<'_> {
        Property::new(&self.text[self.records[index as usize].range()])
    }

    fn records_of(&self, node: NodeId) -> impl Iterator<Item = u32> {
        let last = self.node(node).last_record;
        let first = (last != NONE).then(|| self.records[last as usize].next);
        successors(first, move |&index| (index != last).then(|| self.records[index as usize].next))
    }

    /// A record behind those of the node.
    fn link(&mut self, node: NodeId) -> u32 {
        let index = if self.free == NONE { number(self.records.len()) } else { self.free };
        let last = std::mem::replace(&mut self.nodes[node.0 as usize].last_record, index);
        let next = match self.records.get_mut(last as usize) {
            Some(last) => std::mem::replace(&mut last.next, index),
            None => index,
        };
        let record = Record { start: 0, len: 0, next };
        match self.records.get_mut(index as usize) {
            Some(free) => self.free = std::mem::replace(free, record).next,
            None => self.records.push(record),
        }
        index
    }

    fn unlink(&mut self, node: NodeId, index: u32) {
        let next = self.records[index as usize].next;
        let before = self.records_of(node).find(|&other| self.records[other as usize].next == index);
        let before = before.filter(|&before| before != index);
        if let Some(before) = before {
            self.records[before as usize].next = next;
        }
        let last = &mut self.nodes[node.0 as usize].last_record;
        if *last == index {
            *last = before.unwrap_or(NONE);
        }
        self.records[index as usize] = Record { start: 0, len: 0, next: self.free };
        self.free = index;
    }

    /// Leaves out what no property uses.
    fn compact(&mut self) {
        let mut text = String::with_capacity(self.text.len() - self.waste);
        for record in &mut self.records {
            let start = number(text.len());
            text.push_str(&self.text[record.range()]);
            record.start = start;
        }
        (self.text, self.waste) = (text, 0);
    }
}

fn known(index: u32) -> Option<NodeId> {
    (index != NONE).then_some(NodeId(index))
}

/// A length or a place as it is stored.
fn number(n: usize) -> u32 {
    assert!(n < NONE as usize, "an SGF tree of 4 GiB");
    n as u32
}
