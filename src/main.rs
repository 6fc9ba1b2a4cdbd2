use std::process::ExitCode;

fn main() -> ExitCode {
    hasami::cli::main(hasami_games::GAMES)
}
