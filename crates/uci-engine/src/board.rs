//! What `d`, `eval` and `perft` print: for people who type to the engine.

use std::fmt::Write;
use std::time::Instant;

use shakmaty::{Color, File, Piece, Position, Rank, Square};
use tabia_core::ChessGame;
use tabia_eval::Explanation;

/// The board with coordinates, the FEN, the key and who gives check.
pub fn picture(game: &ChessGame) -> String {
    let position = game.position();
    let mut text = String::new();
    let rule = " +---+---+---+---+---+---+---+---+\n";
    for rank in Rank::ALL.into_iter().rev() {
        text.push_str(rule);
        for file in File::ALL {
            let piece = position.board().piece_at(Square::from_coords(file, rank));
            let _ = write!(text, " | {}", piece.map_or(' ', Piece::char));
        }
        let _ = writeln!(text, " | {}", u32::from(rank) + 1);
    }
    text.push_str(rule);
    text.push_str("   a   b   c   d   e   f   g   h\n\n");
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let _ = writeln!(text, "Fen: {}", game.fen());
    let _ = writeln!(text, "Key: {:016X}", tabia_core::Game::key(game));
    let _ = write!(text, "Checkers: {}", checkers.join(" "));
    text
}

/// An evaluation term by term.
pub fn explained(name: &str, explanation: &Explanation, turn: Color) -> String {
    let mut text = format!("Evaluation `{name}`, centipawns, White's view\n\n");
    let _ = writeln!(text, "{:<24} {:>10} {:>10} {:>8} {:>8}", "term", "White", "Black", "weight", "score");
    for term in &explanation.terms {
        let _ = writeln!(
            text,
            "{:<24} {:>10.2} {:>10.2} {:>8.2} {:>+8}",
            term.name, term.white, term.black, term.weight, term.centipawns
        );
    }
    let _ = write!(
        text,
        "{:<24} {:>39}\n\nFinal evaluation {} (White's side), {} to move",
        "total",
        format!("{:+}", explanation.sum()),
        explanation.score,
        turn.fold_wb("White", "Black"),
    );
    text
}

/// Move counts below each legal move, and their sum.
pub fn perft(game: &ChessGame, depth: u32, tell: impl Fn(String)) {
    let start = Instant::now();
    let mut total: u64 = 0;
    if depth == 0 {
        tell("\nNodes searched: 1".to_owned());
        return;
    }
    for m in game.position().legal_moves() {
        let mut position = game.position().clone();
        position.play_unchecked(m);
        let nodes = if depth == 1 { 1 } else { shakmaty::perft(&position, depth - 1) };
        total += nodes;
        tell(format!("{}: {nodes}", game.write_move(m)));
    }
    tell(format!("\nNodes searched: {total}"));
    tell(format!("Time: {} ms", start.elapsed().as_millis()));
}
