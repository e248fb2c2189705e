//! Prints the final position of every game of a PGN file as FEN, with players and result.
//!
//! ```sh
//! cargo run -p tabia-games --example pgn_to_epd -- games.pgn
//! ```

use std::process::ExitCode;

use tabia_games::pgn;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("expected a PGN file");
        return ExitCode::FAILURE;
    };
    let (records, faults) = match pgn::read_all(&path, false) {
        Ok(read) => read,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    for record in records {
        match record.play() {
            Ok(game) => {
                let result = record.outcome.map_or("*", |outcome| outcome.as_pgn());
                println!("{}; {} - {} {result}", game.fen(), record.white, record.black);
            }
            Err(error) => eprintln!("{error}"),
        }
    }
    for fault in faults {
        eprintln!("{fault}");
    }
    ExitCode::SUCCESS
}
