//! Properties.

use std::borrow::Cow;

use memchr::memchr;

use super::text::{closing, split_composed, unescape_simple, unescape_text};

/// A property of a node: a name and at least one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Property<'a> {
    /// As it is written: `AB[aa][bb]`.
    raw: &'a str,
    /// The length of the name.
    ident: usize,
}

impl<'a> Property<'a> {
    /// Of a name and well-formed values.
    pub(super) fn new(raw: &'a str) -> Property<'a> {
        Property { raw, ident: memchr(b'[', raw.as_bytes()).unwrap_or(raw.len()) }
    }

    /// The name: capitals and digits.
    pub fn ident(&self) -> &'a str {
        &self.raw[..self.ident]
    }

    /// The first value, raw: with its escapes.
    pub fn first(&self) -> &'a str {
        self.values().next().unwrap_or_default()
    }

    /// All values, raw.
    pub fn values(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let mut rest = &self.raw[self.ident..];
        std::iter::from_fn(move || {
            let value = rest.strip_prefix('[')?;
            let end = closing(value.as_bytes())?;
            rest = &value[end + 1..];
            Some(&value[..end])
        })
    }

    /// The first value as a text of several lines: [`unescape_text`].
    pub fn text(&self) -> Cow<'a, str> {
        unescape_text(self.first())
    }

    /// The first value as a text of one line: [`unescape_simple`].
    pub fn simple_text(&self) -> Cow<'a, str> {
        unescape_simple(self.first())
    }

    /// The raw sides of the first value, if it is composed: [`split_composed`].
    pub fn composed(&self) -> Option<(&'a str, &'a str)> {
        split_composed(self.first())
    }

    /// Name and values as they are written.
    pub(super) fn raw(&self) -> &'a str {
        self.raw
    }
}

/// The capitals and digits of a name, since old formats have `AddBlack` for `AB`; if there is none, it is written in
/// capitals.
pub(super) fn short_name(ident: &str) -> Cow<'_, str> {
    if !ident.bytes().any(|b| b.is_ascii_lowercase()) {
        return Cow::Borrowed(ident);
    }
    if !ident.bytes().any(|b| b.is_ascii_uppercase()) {
        return Cow::Owned(ident.to_ascii_uppercase());
    }
    Cow::Owned(ident.chars().filter(|c| !c.is_ascii_lowercase()).collect())
}
