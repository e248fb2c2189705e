//! Moves with points, as the Strategic Test Suite writes them.

use shakmaty::Move;

use tabia_games::epd::Epd;

/// The moves that get points. `c0 "f5=10, Be5+=2"`, or points in `c8` and their moves in `c9` or `c7`.
pub fn of(epd: &Epd) -> Option<Vec<(Move, u32)>> {
    epd.text("c0")
        .and_then(|text| pairs(epd, &text))
        .or_else(|| columns(epd, "c9"))
        .or_else(|| columns(epd, "c7"))
}

/// A comment that is something else is no list of points.
fn pairs(epd: &Epd, text: &str) -> Option<Vec<(Move, u32)>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let points: Option<Vec<_>> = parts
        .map(|part| {
            let (m, points) = part.rsplit_once('=')?;
            Some((epd.read_move(m.trim()).ok()?, points.trim().parse().ok()?))
        })
        .collect();
    points.filter(|points| !points.is_empty())
}

fn columns(epd: &Epd, moves: &str) -> Option<Vec<(Move, u32)>> {
    let (moves, points) = (epd.text(moves)?, epd.text("c8")?);
    let (moves, points) = (moves.split_whitespace(), points.split_whitespace());
    if moves.clone().count() != points.clone().count() {
        return None;
    }
    moves.zip(points).map(|(m, points)| Some((epd.read_move(m).ok()?, points.parse().ok()?))).collect()
}
