//! Keys to seats: who knows one holds the seat.

use std::fmt;

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

/// A key: 128 bits from the operating system. Shown once, never kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 16]);

/// What is kept of a key or a token: its SHA-256 digest. A key is random and long, so that nothing slower is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Digest(pub [u8; 32]);

impl Key {
    /// A new key.
    pub fn random() -> Result<Key, String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers: {error}"))?;
        Ok(Key(bytes))
    }

    /// What is kept of it.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.to_string())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Keys must not reach a log by accident.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Digest(…)")
    }
}

impl Digest {
    /// The digest of a word. Keys are written in hexadecimal digits, and read in either case.
    pub fn of(word: &str) -> Digest {
        Digest(Sha256::digest(word.to_ascii_lowercase().as_bytes()).into())
    }

    /// Whether this is the word that was digested; takes as long for every other word.
    pub fn is_of(&self, word: &str) -> bool {
        self.0.ct_eq(&Digest::of(word).0).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_open_what_they_closed() {
        let (one, two) = (Key::random().unwrap(), Key::random().unwrap());
        assert_ne!(one, two);
        assert_eq!(one.to_string().len(), 32);
        assert!(one.digest().is_of(&one.to_string()) && one.digest().is_of(&one.to_string().to_uppercase()));
        assert!(!one.digest().is_of(&two.to_string()) && !one.digest().is_of(""));
        assert_eq!(format!("{one:?} {:?}", one.digest()), "Key(…) Digest(…)");
    }
}
