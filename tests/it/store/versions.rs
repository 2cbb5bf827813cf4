//! Files that are no stores, later ones, locked ones, damaged ones: one clear line each, and nothing changed.

use std::fs;
use std::path::Path;

use egtp::store::{Reader, Store, StoreError};
use rusqlite::Connection;

use super::{append, create, open_rooms};

/// Why a store cannot be opened, by a server and by a reader, without the folder.
fn refused(path: &Path) -> [String; 2] {
    let folder = format!("{}/", path.parent().unwrap().display());
    let line = |error: StoreError| {
        let line = error.to_string();
        assert!(!line.contains('\n'), "{line}");
        line.replace(&folder, "")
    };
    [line(Store::open(path).unwrap_err()), line(Reader::open(path).unwrap_err())]
}

fn sql(path: &Path, statements: &str) {
    Connection::open(path).unwrap().execute_batch(statements).unwrap();
}

#[test]
fn a_later_store_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    create(&Store::open(&path).unwrap(), "a").unwrap();
    sql(&path, "PRAGMA user_version = 2; ALTER TABLE rooms ADD COLUMN later TEXT");
    let before = fs::read(&path).unwrap();
    let line = "the store rooms.db is of version 2, written by a later egtp; use that one";
    assert_eq!(refused(&path), [line, line]);
    assert_eq!(fs::read(&path).unwrap(), before);
    sql(&path, "PRAGMA user_version = 1; ALTER TABLE rooms DROP COLUMN later");
    assert_eq!(open_rooms(&Store::open(&path).unwrap()), [("a".into(), vec![])]);
    // one that is older than any is only read by a program that may write it
    sql(&path, "PRAGMA user_version = 0");
    assert_eq!(
        Reader::open(&path).unwrap_err().to_string().split(" was ").last().unwrap(),
        "written by an earlier egtp; start a server with it once, which converts it"
    );
}

#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, contents: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, contents).unwrap();
        path
    };
    let other = folder.path().join("other.db");
    sql(&other, "CREATE TABLE t (x)");
    let marked = folder.path().join("marked.db");
    sql(&marked, "PRAGMA application_id = 7");
    let text = file("game.sgf", "(;FF[4]SZ[9];B[ee])".repeat(100).as_bytes());
    let short = file("short", b"x");
    for path in [other, marked, text, short] {
        let before = fs::read(&path).unwrap();
        let line = format!("{} is not a store of rooms; name another file", path.file_name().unwrap().display());
        assert_eq!(refused(&path), [line.as_str(), &line]);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    // an empty file becomes a store, but not by reading
    let empty = file("empty", b"");
    assert!(matches!(Reader::open(&empty), Err(StoreError::NoStore(_))));
    assert_eq!(fs::metadata(&empty).unwrap().len(), 0);
    create(&Store::open(&empty).unwrap(), "a").unwrap();

    let nowhere = folder.path().join("nowhere/rooms.db");
    let [server, reader] = refused(&nowhere);
    assert!(server.starts_with("cannot use ") && server.ends_with("nowhere: No such file or directory (os error 2)"));
    assert_eq!(reader, "cannot use rooms.db: No such file or directory (os error 2)");
    let [server, reader] = refused(&folder.path().join("."));
    assert!(server.starts_with("cannot use ") && reader.starts_with("cannot use "), "{server} {reader}");
}

#[test]
fn one_server_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let store = Store::open(&path).unwrap();
    let mut names =
        vec![path.clone(), folder.path().join("../").join(folder.path().file_name().unwrap()).join("rooms.db")];
    if cfg!(unix) {
        let link = folder.path().join("link.db");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&path, &link).unwrap();
        names.push(link);
    }
    for name in names {
        let error = Store::open(&name).unwrap_err();
        assert!(matches!(error, StoreError::InUse(_)));
        let line = error.to_string();
        assert!(line.starts_with("another server is using the store ") && line.ends_with("rooms.db; stop it first"));
    }
    // readers are welcome
    create(&store, "a").unwrap();
    assert_eq!(Reader::open(&path).unwrap().rooms().unwrap().len(), 1);
    drop(store);
    append(&Store::open(&path).unwrap(), "a", 1, "resume").unwrap();
}

#[cfg(unix)]
#[test]
fn a_store_that_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    create(&Store::open(&path).unwrap(), "a").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&path).is_ok() {
        println!("the superuser may write everything: not tested");
        return;
    }
    let line = Store::open(&path).unwrap_err().to_string();
    assert!(line.ends_with("rooms.db may not be written; see to its permissions"), "{line}");
    assert_eq!(Reader::open(&path).unwrap().rooms().unwrap().len(), 1);
}

#[test]
fn a_missing_event_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let store = Store::open(&path).unwrap();
    for name in ["good", "bad"] {
        create(&store, name).unwrap();
        (1..=5).for_each(|i| append(&store, name, i, "resume").unwrap());
    }
    drop(store);
    sql(&path, "DELETE FROM events WHERE room = 2 AND number = 3");
    let line = "event 3 of the room bad is missing; restore the store from a copy";
    assert_eq!(Store::open(&path).unwrap().rooms().unwrap_err().to_string(), line);
    let reader = Reader::open(&path).unwrap();
    let rooms = reader.all_rooms().unwrap();
    assert_eq!(reader.events(&rooms[0]).unwrap().len(), 5);
    assert_eq!(reader.events(&rooms[1]).unwrap_err().to_string(), line);
    sql(&path, "DELETE FROM events WHERE room = 2 AND number < 5");
    assert!(reader.rooms().unwrap_err().to_string().starts_with("event 1 of the room bad"));
}

#[test]
fn damage_is_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms.db");
    let store = Store::open(&path).unwrap();
    create(&store, "a").unwrap();
    (1..=500).for_each(|i| append(&store, "a", i, &"turn black D4 ".repeat(20)).unwrap());
    drop(store);
    let whole = fs::read(&path).unwrap();
    for page in 1..whole.len() / 4096 {
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0x5a);
        fs::write(&path, &bytes).unwrap();
        let read = |path: &Path| Reader::open(path).and_then(|reader| reader.rooms());
        match read(&path) {
            Ok(rooms) => assert!(rooms.len() == 1 && rooms[0].events.len() == 500, "page {page} is not read"),
            Err(error) => {
                let line = error.to_string();
                assert!(line.starts_with("cannot use the store ") && !line.contains('\n'), "{line}");
            }
        }
    }
}
