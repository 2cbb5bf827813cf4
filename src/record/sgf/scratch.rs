//! The node that is being read.

use std::borrow::Cow;
use std::collections::HashMap;

use super::tree::{NodeId, Tree};

/// A value of the node that is being read, and the place of its property among those.
pub(super) struct Value {
    pub(super) slot: u32,
    /// Its bytes in the text.
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The node that is being read. It goes to the tree when it is whole, since values of one property may be apart.
#[derive(Default)]
pub(super) struct Scratch<'a> {
    idents: Vec<Cow<'a, str>>,
    values: Vec<Value>,
    /// The places of the names, as soon as there are too many for a search.
    slots: HashMap<Cow<'a, str>, u32>,
    repeated: bool,
}

/// Names up to which they are searched one by one.
const FEW: usize = 16;

impl<'a> Scratch<'a> {
    /// The place of a name, which may be new.
    pub(super) fn slot(&mut self, ident: Cow<'a, str>) -> u32 {
        let new = self.idents.len() as u32;
        let found = if self.slots.is_empty() {
            self.idents.iter().position(|other| *other == ident).map(|i| i as u32)
        } else {
            self.slots.get(&ident).copied()
        };
        if let Some(found) = found {
            // values that follow each other are in order already
            self.repeated |= found + 1 != new;
            return found;
        }
        if !self.slots.is_empty() {
            self.slots.insert(ident.clone(), new);
        } else if self.idents.len() == FEW {
            let all = self.idents.iter().chain([&ident]).cloned();
            self.slots = all.zip(0..).collect();
        }
        self.idents.push(ident);
        new
    }

    pub(super) fn push(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Gives all to a node.
    pub(super) fn keep(&mut self, text: &str, tree: &mut Tree, node: NodeId) {
        if self.repeated {
            self.values.sort_by_key(|value| value.slot);
        }
        for values in self.values.chunk_by(|a, b| a.slot == b.slot) {
            let ident = &self.idents[values[0].slot as usize];
            tree.append(node, ident, values.iter().map(|value| &text[value.start as usize..value.end as usize]));
        }
        self.idents.clear();
        self.values.clear();
        self.repeated = false;
        if !self.slots.is_empty() {
            self.slots = HashMap::new();
        }
    }
}
