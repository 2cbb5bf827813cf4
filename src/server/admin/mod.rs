//! What an operator asks a running server: whether it is well, and what it has done.

mod http;
mod metrics;

pub use http::serve_admin;
pub use metrics::Metrics;
pub(super) use metrics::Tally;
