//! The bridge: `egtp join`, `egtp send`, `egtp open`.
//!
//! | module | what is held against what |
//! |---|---|
//! | `machine` | the bridge without sockets, line by line |
//! | `process` | the program, against a server that says what the test wants |
//! | `fake` | that server |
//! | `tls` | both programs, encrypted |

mod fake;
mod machine;
mod process;
mod tls;
