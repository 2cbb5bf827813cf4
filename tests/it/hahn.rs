//! `egtp hahn`, as it is called.

use std::process::Command;

/// What it prints for a file of these lines, or what it complains about.
fn table(name: &str, lines: &str) -> Result<String, String> {
    let file = std::env::temp_dir().join(format!("egtp-hahn-{}-{name}", std::process::id()));
    std::fs::write(&file, lines).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_egtp")).arg("hahn").arg(&file).output().unwrap();
    std::fs::remove_file(&file).unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace(&*file.to_string_lossy(), name);
    if ran.status.success() { Ok(text(ran.stdout)) } else { Err(text(ran.stderr)) }
}

#[test]
fn the_source_example_goes_by_points_not_by_wins() {
    // seven wins by at most ten points, and five by more than forty with two defeats
    let narrow = "B x B+10\n".repeat(7);
    let wide = "A y B+40.5\n".repeat(5) + &"A y W+5\n".repeat(2);
    let text = table("text", &(narrow + "# a comment\n\n" + &wide)).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["1", "A", "580", "7", "5", "2", "0"]);
    assert_eq!(rows[2], ["2", "B", "420", "7", "7", "0", "0"]);
}

#[test]
fn names_with_spaces_headers_and_tabs() {
    let csv = "black,white,result\n\"Doe, Jane\",Max Muster,W+R\nMax Muster,\"Doe, Jane\",0\n";
    let rows = table("csv", csv).unwrap();
    assert!(rows.contains("1  Max Muster     150"), "{rows}");
    assert!(rows.contains("2  Doe, Jane       50"), "{rows}");
    let tabs = table("tabs", "Max Muster\tJane Doe\tB+0.25\n").unwrap();
    assert!(tabs.contains("Max Muster      60"), "{tabs}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let cases = [
        ("a b B+3\na b c+3\n", "egtp: m:2: c+3: a result is B+3.5, W+R, W+T, W+F, 0, Draw or Jigo\n"),
        ("Anna Ben B+1O.5\nBen Anna B+3\n", "egtp: m:1: B+1O.5: a result is B+3.5, W+R, W+T, W+F, 0, Draw or Jigo\n"),
        ("a b\n", "egtp: m:1: a line is BLACK WHITE RESULT, three words; this has 2\n"),
        ("Ann Lee Bob B+1\n", "egtp: m:1: a line is BLACK WHITE RESULT, three words; this has 4\n"),
        ("a,b,B+3\na,b\n", "egtp: m:2: a line is BLACK WHITE RESULT, three words; this has 2\n"),
    ];
    for (lines, complaint) in cases {
        assert_eq!(table("m", lines), Err(complaint.into()), "{lines:?}");
    }
}
