//! Whole files: what is odd, what is hostile, what is random.

use proptest::prelude::*;

use super::{NodeId, SgfError, Tree, decode, parse, parse_lenient};

/// The trees of a text, written again.
pub(super) fn written(text: &str) -> String {
    parse(text).unwrap().iter().map(Tree::to_string).collect()
}

/// What a tree holds, in the order of the file: for each node its depth and its properties.
type Content = Vec<(usize, Vec<(String, Vec<String>)>)>;

fn content(tree: &Tree) -> Content {
    let mut content = Vec::new();
    let mut open = vec![(0, tree.root())];
    while let Some((depth, node)) = open.pop() {
        let values = |p: super::Property<'_>| p.values().map(String::from).collect();
        content.push((depth, tree.properties(node).map(|p| (p.ident().into(), values(p))).collect()));
        let children: Vec<NodeId> = tree.children(node).collect();
        for &child in children.iter().rev() {
            assert_eq!(tree.parent(child), Some(node));
            open.push((depth + 1, child));
        }
    }
    assert_eq!(content.len(), tree.node_count());
    content
}

fn error(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn a_new_main_line() {
    let mut tree = parse("(;C[a](;B[aa];W[bb])(;B[cc]))").unwrap().remove(0);
    let first = tree.add_first_child(tree.root());
    tree.set(first, "B", ["dd"]);
    let leaf = tree.main_line().last().unwrap();
    assert_eq!(leaf, first);
    let second = tree.add_first_child(leaf);
    tree.set(second, "W", ["ee"]);
    let text: String = tree.to_string().split_whitespace().collect();
    assert_eq!(text, "(;C[a](;B[dd];W[ee])(;B[aa];W[bb])(;B[cc]))");
}

#[test]
fn other_text_and_odd_parentheses_are_passed_over() {
    let cases = [
        ("From: me (see below)\n(;B[aa]) bye (c) :)", "(;B[aa])\n"),
        ("(;B[aa])\0\0\n(;W[bb])", "(;B[aa])\n(;W[bb])\n"),
        ("\u{feff} (\n;\nB\t[aa]\u{3000}[bb] W [cc] ) ", "(;B[aa][bb]W[cc])\n"),
        ("()( ) (;)", "(;)\n"),
        ("((;B[aa])(;W[bb]))", "(;B[aa])\n(;W[bb])\n"),
        ("(;B[aa]()(()))", "(;B[aa])\n"),
        ("(;;;)", "(;;;)\n"),
        ("(GM[1];B[aa])", "(;GM[1];B[aa])\n"),
        ("( GM[1](B[aa])(W[bb]))", "(;GM[1]\n(;B[aa])\n(;W[bb]))\n"),
        ("(;GM[1](;B[aa]);W[bb])", "(;GM[1]\n(;B[aa])\n(;W[bb]))\n"),
        ("(;GM[1](;B[aa])W[bb])", "(;GM[1]\n(;B[aa])\n(;W[bb]))\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(written(text), expected, "{text:?}");
    }
}

#[test]
fn properties_are_read_as_old_and_careless_programs_write_them() {
    let cases = [
        ("(;GaMe[1]SiZe[9]AddBlack[aa][bb]Black[cc])", "(;GM[1]SZ[9]AB[aa][bb]B[cc])\n"),
        ("(;b[aa]ko[]MULTIGOGM[1]A2[x])", "(;B[aa]KO[]MULTIGOGM[1]A2[x])\n"),
        ("(;AB[aa]AW[bb]AB[cc]C[x]AddWhite[dd]AW[ee])", "(;AB[aa][cc]AW[bb][dd][ee]C[x])\n"),
        ("(;AB[aa]AB[bb]C[x])", "(;AB[aa][bb]C[x])\n"),
        ("(;C[;(\\])\\\\]B[a\na])", "(;C[;(\\])\\\\]B[a\na])\n"),
        ("(;C[[x]N[(])", "(;C[[x]N[(])\n"),
        ("(;C[\0é\\棋])", "(;C[\0é\\棋])\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(written(text), expected, "{text:?}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("", "line 1, column 1: there is no game tree, which begins with `(;`"),
        ("a (b) ()", "line 1, column 1: there is no game tree, which begins with `(;`"),
        ("(;C[é\n];B[aa]\nC[x\\]", "line 3, column 2: a property value is not closed"),
        ("(;B[aa]\r\n\r(;W[bb])\r\n", "line 4, column 1: the tree begun in line 1 is not closed"),
        ("(;)\n(;B[aa]", "line 2, column 8: the tree begun in line 2 is not closed"),
        ("(;PB[é];B;W[aa])", "line 1, column 9: the property `B` has no value"),
        ("(;Abcdefghijklmno;)", "line 1, column 3: the property `Abcdefghijkl…` has no value"),
        ("(;C[a [b] c];B[aa])", r"line 1, column 12: a `]` closes no value (within a value it is written `\]`)"),
        ("(;C[a [b]];B[aa])", r"line 1, column 10: a `]` closes no value (within a value it is written `\]`)"),
        ("(;[aa])", "line 1, column 3: a value without a property name"),
        ("(;B[aa] 1[x])", "line 1, column 9: `1` is out of place"),
        ("(;B[aa](, ))", "line 1, column 9: `,` is out of place"),
        ("(;B[aa]é)", "line 1, column 8: `é` is out of place"),
    ];
    for (text, message) in cases {
        assert_eq!(error(text), message, "{text:?}");
    }
    let SgfError { line, column, .. } = parse("(;\n x").unwrap_err();
    assert_eq!((line, column), (2, 2));
}

#[test]
fn what_was_read_before_an_error_is_kept() {
    let cases = [
        ("(;A[1];B[2](;C[3][4]D[5", "(;A[1];B[2];C[3][4])\n"),
        ("(;A[1])(;B[2];C[3][4", "(;A[1])\n(;B[2];C[3])\n"),
        ("(;A[1];B", "(;A[1];)\n"),
        ("(", ""),
    ];
    for (text, expected) in cases {
        let (trees, error) = parse_lenient(text);
        assert!(error.is_some());
        assert_eq!(trees.iter().map(Tree::to_string).collect::<String>(), expected, "{text}");
    }
    assert_eq!(parse_lenient("(;)").1, None);
}

#[test]
fn nodes_know_their_lines() {
    let tree = &parse("junk\n(\n\n;C[a\r\nb\rc]\n;B[aa]\n\r;W[bb](\n;))").unwrap()[0];
    let lines: Vec<usize> = tree.main_line().map(|node| tree.line_of(node)).collect();
    assert_eq!(lines, [4, 7, 9, 10]);
}

#[test]
fn a_file_cut_anywhere_gives_an_error_and_what_is_before() {
    let file = "(;FF[4]CA[UTF-8]\r\nAB[aa][bb]C[é \\] (;\\\\];B[cc](;W[棋])(;W[ee];B[]N[x]))";
    let whole = content(&parse(file).unwrap()[0]);
    for cut in 0..file.len() {
        let text = decode(&file.as_bytes()[..cut]);
        let (trees, error) = parse_lenient(&text);
        assert!(error.is_some(), "{text}");
        let Some(tree) = trees.first() else {
            assert!(cut < 2);
            continue;
        };
        let part = content(tree);
        let (last, before) = part.split_last().unwrap();
        assert_eq!(before, &whole[..before.len()], "{text}");
        let node = &whole[before.len()];
        assert_eq!(last.0, node.0);
        for (property, whole) in last.1.iter().zip(&node.1) {
            assert!(property.0 == whole.0 && whole.1.starts_with(&property.1), "{text}");
        }
    }
}

// Sizes at which anything that recurses or is quadratic would not come back.

#[test]
fn deep_nesting() {
    for unit in ["(;B[aa]", "(;B[aa](;W[bb])"] {
        let depth = 100_000;
        let text = unit.repeat(depth) + &")".repeat(depth);
        let tree = parse(&text).unwrap().remove(0);
        let line = tree.main_line().count();
        assert_eq!(line, if unit.ends_with(')') { 2 } else { depth });
        assert_eq!(content(&parse(&tree.to_string()).unwrap()[0]), content(&tree.clone()));
        let (part, error) = parse_lenient(&text[..text.len() - 1]);
        assert!(error.is_some() && part[0].node_count() == tree.node_count());
    }
    assert!(parse(&"(".repeat(1_000_000)).is_err());
    assert!(parse(&format!("(;{}", "(".repeat(1_000_000))).is_err());
    assert_eq!(written(&format!("(;{}{})", "(".repeat(1_000_000), ")".repeat(1_000_000))), "(;)\n");
}

#[test]
fn long_lines_and_many_variations() {
    let count = 1_000_000;
    let line = parse(&format!("(;{})", ";B[aa]".repeat(count))).unwrap().remove(0);
    assert_eq!(line.main_line().count(), count + 1);
    assert_eq!(line.to_string().replace('\n', "").len(), count * 6 + 3);
    let wide = parse(&format!("(;{})", "(;)".repeat(count))).unwrap().remove(0);
    assert_eq!(wide.children(wide.root()).count(), count);
    assert_eq!(wide.to_string().len(), count * 4 + 4);
    assert_eq!(parse(&"(;)".repeat(count / 10)).unwrap().len(), count / 10);
}

#[test]
fn large_nodes_and_values() {
    let size = 10_000_000;
    for filling in ["x", "\n", "\\]", "é", "(;"] {
        let text = filling.repeat(size / filling.len());
        let tree = parse(&format!("(;C[{text}])")).unwrap().remove(0);
        assert_eq!(tree.get(tree.root(), "C").unwrap().first(), text);
        assert!(parse(&format!("(;C[{text}")).is_err());
    }
    let stones = parse(&format!("(;AB{})", "[aa]".repeat(size / 10))).unwrap().remove(0);
    assert_eq!(stones.get(stones.root(), "AB").unwrap().values().count(), size / 10);
    // many names, and the same again
    let names: String = (0..200_000).map(|i| format!("A{i}[x]")).collect();
    let tree = parse(&format!("(;{names}{names})")).unwrap().remove(0);
    assert!(tree.properties(tree.root()).all(|p| p.values().count() == 2));
    assert_eq!(tree.properties(tree.root()).count(), 200_000);
    // a long name with many values
    let name = "A".repeat(size / 10);
    assert!(parse(&decode(format!("(;{name}{})", "[]".repeat(size / 10)).as_bytes())).is_ok());
    assert!(parse(&"( a".repeat(size / 10)).is_err());
}

#[test]
fn setting_replaces_appends_and_removes() {
    let mut tree = Tree::default();
    let root = tree.root();
    tree.set(root, "AddBlack", ["aa", "bb"]);
    tree.set(root, "C", ["a]b\\"]);
    tree.set(root, "N", [String::from("x")]);
    tree.set(root, "AB", ["cc"]);
    for no_name in ["", "1A", "A B", "A[", "é"] {
        tree.set(root, no_name, ["x"]);
    }
    assert_eq!(tree.to_string(), "(;AB[cc]C[a\\]b\\\\]N[x])\n");
    tree.set(root, "AB", [""; 0]);
    tree.set(root, "XX", [""; 0]);
    let child = tree.add_child(root);
    tree.set(child, "KO", [""]);
    assert_eq!(tree.to_string(), "(;C[a\\]b\\\\]N[x];KO[])\n");
    assert_eq!((tree.line_of(root), tree.line_of(child)), (0, 0));
    for i in 0..100_000 {
        tree.set(root, "C", [format!("comment {i}")]);
    }
    assert_eq!(tree.to_string(), "(;C[comment 99999]N[x];KO[])\n");
}

#[test]
fn properties_are_read_as_text() {
    let tree = &parse("(;C[a\\]\n\tb\\\nc]LB[aa:x\\:y:z][bb:1])").unwrap()[0];
    let get = |ident| tree.get(tree.root(), ident).unwrap();
    assert_eq!((get("C").text(), get("C").simple_text()), ("a]\n bc".into(), "a]  bc".into()));
    assert_eq!((get("LB").composed(), get("C").composed()), (Some(("aa", "x\\:y:z")), None));
    assert_eq!(get("LB").values().collect::<Vec<_>>(), ["aa:x\\:y:z", "bb:1"]);
    assert_eq!(tree.get(tree.root(), "L"), None);
}

/// Names and raw values for [`Tree::set`].
fn properties() -> impl Strategy<Value = Vec<(String, Vec<String>)>> {
    let value = r"([a-z;()\[: é棋\n\r\x00]|\\[\]\\a:\n棋]){0,6}";
    prop::collection::vec(("[A-C][A-D0-9]{0,2}", prop::collection::vec(value, 0..4)), 0..6)
}

/// A tree, and what it must hold: children in the order in which they were added.
fn trees() -> impl Strategy<Value = Tree> {
    prop::collection::vec((any::<prop::sample::Index>(), properties()), 1..30).prop_map(|nodes| {
        let mut tree = Tree::new();
        let mut ids = vec![tree.root()];
        for (parent, properties) in nodes {
            let node = tree.add_child(*parent.get(&ids));
            ids.push(node);
            // now and then at another node, so that rings are mended
            for (i, (ident, values)) in properties.iter().enumerate() {
                let node = if i % 3 == 2 { *parent.get(&ids) } else { node };
                let mut model: Vec<(String, Vec<String>)> =
                    tree.properties(node).map(|p| (p.ident().into(), p.values().map(String::from).collect())).collect();
                tree.set(node, ident, values);
                match model.iter().position(|(name, _)| name == ident) {
                    Some(at) if values.is_empty() => drop(model.remove(at)),
                    Some(at) => model[at].1.clone_from(values),
                    None if values.is_empty() => {}
                    None => model.push((ident.clone(), values.clone())),
                }
                let found: Vec<(String, Vec<String>)> =
                    tree.properties(node).map(|p| (p.ident().into(), p.values().map(String::from).collect())).collect();
                assert_eq!(found, model);
            }
        }
        tree
    })
}

proptest! {
    #[test]
    fn trees_survive_writing(tree in trees()) {
        let text = tree.to_string();
        let again = parse(&text).unwrap();
        prop_assert_eq!(again.len(), 1);
        prop_assert_eq!(content(&again[0]), content(&tree));
        prop_assert_eq!(again[0].to_string(), text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in r"[(;)\[\]AaBé1 \\\n\x00:]{0,40}") {
        let (trees, error) = parse_lenient(&text);
        for tree in &trees {
            prop_assert_eq!(content(&parse(&tree.to_string()).unwrap()[0]), content(tree));
        }
        if let Some(error) = error {
            let lines: Vec<&str> = text.split('\n').collect();
            prop_assert!(error.column <= lines[error.line - 1].chars().count() + 1);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60), begun in any::<bool>()) {
        let bytes = if begun { [b"(;CA[gbk]C[", &*bytes, b"])"].concat() } else { bytes };
        let (trees, error) = parse_lenient(&decode(&bytes));
        prop_assert!(error.is_some() || !trees.is_empty());
    }
}
