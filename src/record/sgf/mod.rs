//! The text of the Smart Game Format: bytes to text, text to trees of nodes with properties, and back.
//!
//! Nothing here knows what a property means. [`decode`] makes text of a file, [`parse()`] makes trees of it, a [`Tree`]
//! writes itself.
//!
//! Files come from strangers. Nothing here recurses, so neither deep nesting nor long lines use up the stack; the time
//! is linear in the text. Trees take about seven times the memory of a text of bare moves, once that of long comments,
//! and never more than some forty times (a text of nothing but `(;)`).
//!
//! ```
//! use egtp::record::sgf::{Tree, decode, escape_text, parse};
//!
//! let text = decode(b"(;FF[4]SZ[9]C[a \\] b];B[ee](;W[cc])(;W[gg]))");
//! let trees = parse(&text).unwrap();
//! let moves: Vec<&str> = trees[0].main_line().filter_map(|n| trees[0].get(n, "B")).map(|p| p.first()).collect();
//! assert_eq!(moves, ["ee"]);
//! assert_eq!(trees[0].get(trees[0].root(), "C").unwrap().text(), "a ] b");
//! assert_eq!(parse("(;B[ee]\n;W[").unwrap_err().to_string(), "line 2, column 3: a property value is not closed");
//!
//! let mut tree = Tree::new();
//! tree.set(tree.root(), "C", [escape_text("[1]")]);
//! let node = tree.add_child(tree.root());
//! tree.set(node, "B", ["ee"]);
//! assert_eq!(tree.to_string(), "(;C[[1\\]];B[ee])\n");
//! ```

mod encoding;
mod parse;
mod property;
mod scratch;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod write;

pub use encoding::decode;
pub use parse::{SgfError, parse, parse_lenient};
pub use property::Property;
pub use text::{escape_simple, escape_text, split_composed, unescape_simple, unescape_text};
pub use tree::{NodeId, Tree};
