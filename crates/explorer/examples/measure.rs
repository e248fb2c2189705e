//! Indexes PGN files and looks positions up, with times: `measure DATABASE FILE.pgn…`.

use std::path::PathBuf;
use std::time::Instant;

use tabia_core::{ChessGame, Game, Stop};
use tabia_explorer::{Filter, Lookup, build};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let database = arguments.next().ok_or("measure DATABASE FILE.pgn…")?;
    let files: Vec<PathBuf> = arguments.collect();
    let begin = Instant::now();
    let done = build(&database, &files, &Stop::new(), &mut |_| {})?;
    println!("{} games, {} faults in {:.1} s", done.games, done.faults, begin.elapsed().as_secs_f64());
    println!("{} bytes of {}", database.metadata()?.len(), done.of_bytes);
    let lookup = Lookup::open(&database)?;
    for line in
        ["", "e4", "e4 e5 Nf3 Nc6 Bb5", "d4 Nf6 c4 e6 Nc3 Bb4", "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "a3"]
    {
        let mut game = ChessGame::default();
        for text in line.split_whitespace() {
            let m = game.read_move(text)?;
            game.apply(m);
        }
        let filters = [
            ("", Filter::default()),
            ("by 2650 to 2750", Filter { rating: Some(2650..=2750), ..Filter::default() }),
            ("by Carlsen", Filter { player: Some("Carlsen".to_owned()), ..Filter::default() }),
        ];
        for (what, filter) in filters {
            let begin = Instant::now();
            let found = lookup.position(game.position(), &filter)?;
            let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
            println!(
                "{:8} games, {:2} moves in {milliseconds:6.2} ms  {line} {what}",
                found.results.games,
                found.moves.len()
            );
        }
    }
    Ok(())
}
