//! The program; see the library's [`cli`](egtp::cli).

use std::process::ExitCode;

fn main() -> ExitCode {
    egtp::cli::main()
}
