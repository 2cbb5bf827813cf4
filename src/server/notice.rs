//! Notices for a person, on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes one line to standard error. If nobody reads it, nothing is to be done about it.
pub fn notice(text: impl Display) {
    writeln!(io::stderr(), "egtp: {text}").unwrap_or_default();
}
