//! The bridge: `egtp join`, `egtp send`, `egtp open`.
//!
//! | module | what is held against what |
//! |---|---|
//! | `machine` | the bridge without sockets, line by line |
//! | `process` | the program, against a server that says what the test wants |
//! | `fake` | that server |
//! | `real` | board programs in a room of a real server, with accidents |
//! | `host` | server and seat in one process |
//! | `tls` | both programs, encrypted |

mod fake;
mod host;
mod machine;
mod process;
#[cfg(unix)]
mod real;
mod tls;
