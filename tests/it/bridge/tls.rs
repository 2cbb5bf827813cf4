//! Encrypted connections: certificates that are believed and others, and ends that do not agree.

use std::io::Read;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};

use super::process::{Joined, folder};
use crate::engine::{PATIENCE, Server, run};

/// Files with a certificate, its key, and the certificate of who signed it.
struct Pki {
    folder: PathBuf,
}

impl Pki {
    /// A certificate for these names.
    fn new(name: &str, names: &[&str]) -> Pki {
        let folder = folder(&format!("tls-{name}"));
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca_key = KeyPair::generate().unwrap();
        let ca = params.self_signed(&ca_key).unwrap();
        let issuer = Issuer::new(params, ca_key);
        let key = KeyPair::generate().unwrap();
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
        let pki = Pki { folder };
        let write = |name: &str, text: String| std::fs::write(pki.folder.join(name), text).unwrap();
        write("ca.pem", ca.pem());
        write("cert.pem", certificate.pem());
        write("key.pem", key.serialize_pem());
        pki
    }

    fn file(&self, name: &str) -> String {
        self.folder.join(name).to_str().unwrap().into()
    }

    fn serve(&self, more: &[&str]) -> Server {
        let (cert, key) = (self.file("cert.pem"), self.file("key.pem"));
        Server::start(&[&["--tls-cert", &cert, "--tls-key", &key], more].concat())
    }
}

fn refused(args: &[&str]) -> String {
    let ran = run(args, b"");
    assert_eq!((ran.code, ran.stdout.as_slice()), (Some(1), &b""[..]), "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    ran.stderr
}

#[test]
fn believed_and_not_believed() {
    let pki = Pki::new("believed", &["localhost", "127.0.0.1"]);
    let other = Pki::new("stranger", &["localhost"]);
    let server = pki.serve(&[]);
    let port = server.address.rsplit_once(':').unwrap().1;
    for host in ["localhost", "127.0.0.1"] {
        let ran = run(&["send", &format!("{host}:{port}"), "--tls", "--tls-ca", &pki.file("ca.pem"), "name"], b"");
        assert_eq!((ran.code, ran.stdout.as_slice(), ran.stderr.as_str()), (Some(0), &b"egtp\n"[..], ""));
    }
    let address = format!("localhost:{port}");
    let said = refused(&["send", &address, "--tls", "--tls-ca", &other.file("ca.pem"), "name"]);
    assert!(said.contains("its certificate is not believed") && said.contains("believed is what is in"), "{said}");
    // the bridge does not try for long, and not again and again
    let begun = Instant::now();
    let args = ["join", &address, "--room", "r", "--watch", "--tls", "--tls-ca", &other.file("ca.pem")];
    let said = refused(&args);
    assert!(said.contains("its certificate is not believed"), "{said}");
    assert!(begun.elapsed() < Duration::from_secs(8));
}

#[test]
fn another_name() {
    let pki = Pki::new("name", &["go.example.org"]);
    let server = pki.serve(&[]);
    let said = refused(&["send", &server.address, "--tls", "--tls-ca", &pki.file("ca.pem"), "name"]);
    assert!(said.contains("not valid for name"), "{said}");
}

#[test]
fn only_one_end_encrypts() {
    let pki = Pki::new("one-end", &["127.0.0.1"]);
    let plain = Server::start(&[]);
    let said = refused(&["send", &plain.address, "--tls", "--tls-ca", &pki.file("ca.pem"), "name"]);
    assert!(said.contains("it does not speak TLS"), "{said}");
    let server = pki.serve(&[]);
    let said = refused(&["join", &server.address, "--room", "r", "--watch"]);
    assert!(said.contains("does it need --tls?"), "{said}");
    assert_eq!(run(&["send", &server.address, "name"], b"").code, Some(1));
}

#[test]
fn files_that_are_no_certificates() {
    let (pki, other) = (Pki::new("files", &["localhost"]), Pki::new("files-2", &["localhost"]));
    let (cert, key) = (pki.file("cert.pem"), pki.file("key.pem"));
    for (cert, key, said) in [
        ("/nowhere/cert.pem", key.as_str(), "cannot read /nowhere/cert.pem"),
        (&cert, "/nowhere/key.pem", "cannot read /nowhere/key.pem"),
        (&key, &key, "holds no certificate in PEM form"),
        (&cert, &cert, "holds no private key in PEM form"),
        (&cert, &other.file("key.pem"), "cannot be used"),
    ] {
        let stderr = refused(&["serve", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key]);
        assert!(stderr.contains(said), "{stderr}");
    }
    let stderr = refused(&["send", "localhost:1", "--tls", "--tls-ca", &key, "name"]);
    assert!(stderr.contains("holds no certificate in PEM form"), "{stderr}");
    assert_eq!(run(&["serve", "--tls-cert", &cert], b"").code, Some(2));
    assert_eq!(run(&["send", "localhost:1", "--tls-ca", &cert, "name"], b"").code, Some(2));
}

/// A client that says nothing does not keep its place.
#[test]
fn silence() {
    let pki = Pki::new("silence", &["localhost"]);
    let server = pki.serve(&["--max-connections", "1"]);
    let mut silent = TcpStream::connect(&server.address).unwrap();
    silent.set_read_timeout(Some(PATIENCE)).unwrap();
    let begun = Instant::now();
    // the other one is told why, encrypted
    let (address, ca) = (server.address.replace("127.0.0.1", "localhost"), pki.file("ca.pem"));
    let args = ["send", &address, "--tls", "--tls-ca", &ca, "name"];
    let ran = run(&args, b"");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), "egtp: name: too many connections; try again later\n"));
    assert_eq!(silent.read(&mut [0; 100]).unwrap(), 0);
    assert!((9..30).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    let begun = Instant::now();
    while run(&args, b"").code != Some(0) {
        assert!(begun.elapsed() < PATIENCE);
    }
}

#[test]
fn a_game() {
    let pki = Pki::new("game", &["localhost"]);
    let server = pki.serve(&[]);
    let (address, ca) = (server.address.replace("127.0.0.1", "localhost"), pki.file("ca.pem"));
    let keys = pki.folder.to_str().unwrap();
    let ran = run(&["open", &address, "r", "--tls", "--tls-ca", &ca, "--keys", keys], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let join = |color: &str| {
        let key = pki.file(&format!("r-{color}.key"));
        let args = ["join", &address, "--room", "r", "--seat", color, "--key-file", &key, "--tls", "--tls-ca", &ca];
        Joined::start(&args)
    };
    let (mut black, mut white) = (join("black"), join("white"));
    for joined in [&mut black, &mut white] {
        joined.send("clear_board");
        assert_eq!(joined.answer(), "= ");
    }
    white.send("1 genmove b");
    black.send("1 play b D4");
    assert_eq!([black.answer(), white.answer()], ["=1 ", "=1 D4"]);
    black.send("2 genmove w");
    white.send("2 play w E5");
    assert_eq!([black.answer(), white.answer()], ["=2 E5", "=2 "]);
    black.send("play b C3");
    assert_eq!(black.answer(), "= ");
    black.send("3 genmove w");
    black.stdin = None;
    assert_eq!(black.answer(), "?3 interrupted");
    assert_eq!(black.process.end(PATIENCE).code(), Some(0));
    white.send("quit");
    assert_eq!(white.answer(), "= ");
    assert_eq!(white.process.end(PATIENCE).code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_warning_without_encryption() {
    let pki = Pki::new("warning", &["localhost"]);
    let (cert, key) = (pki.file("cert.pem"), pki.file("key.pem"));
    for (args, warned) in [
        (&["--listen", "0.0.0.0:0"][..], true),
        (&["--listen", "[::1]:0"], false),
        (&["--listen", "0.0.0.0:0", "--tls-cert", &cert, "--tls-key", &key], false),
    ] {
        let server = Server::listening(args);
        server.signal("TERM");
        let (code, said) = server.end(PATIENCE);
        assert_eq!(code, Some(0));
        assert_eq!(said.starts_with("egtp: warning: "), warned, "{args:?}: {said}");
        assert_eq!(said.lines().count(), warned as usize, "{said}");
    }
    assert!(Path::new(&cert).exists());
}
