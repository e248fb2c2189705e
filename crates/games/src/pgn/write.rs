//! Records as PGN.

use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};
use tabia_core::{ChessGame, Game, Outcome};

use super::{comment, ending};
use crate::record::{GameRecord, Ply, RecordError, Variant};

/// The longest line.
const COLUMNS: usize = 80;
/// The first of the tags that every game has; White, Black and Result follow.
const ROSTER: [(&str, &str); 4] = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")];

/// Why a record has no PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// PGN knows no superpositions.
    #[error("a game of quantum chess has no PGN; keep it as a JSON replay")]
    Quantum,
    /// It cannot be played through.
    #[error("the game cannot be written as PGN: {0}")]
    Unplayable(#[from] RecordError),
}

/// One game as PGN, an empty line after it.
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    if record.variant == Variant::Quantum {
        return Err(WriteError::Quantum);
    }
    let mut game = record.opening_position()?;
    let mut text = String::new();
    write_tags(&mut text, record);
    text.push('\n');
    let mut lines = Lines::default();
    for (index, ply) in record.plies.iter().enumerate() {
        let m =
            game.read_move(&ply.action).map_err(|fault| RecordError::Move { number: index + 1, fault })?;
        let number_needed = index == 0 || record.plies[index - 1].comment_needed(game.side_to_move().other());
        write_ply(&mut lines, &game, m, ply, number_needed);
        game.apply(m);
    }
    lines.word(record.outcome.map_or("*", Outcome::as_pgn));
    text.push_str(&lines.finish());
    text.push_str("\n\n");
    Ok(text)
}

impl Ply {
    /// Whether something stands between this move and the next one.
    fn comment_needed(&self, mover: Color) -> bool {
        self.comment.is_some() || !self.instead.is_empty() || !comment::commands(self, mover).is_empty()
    }
}

/// Characters of what an engine said last; a longer tag is more than readers of PGN take.
const LONGEST_DETAIL: usize = 800;

fn write_tags(text: &mut String, record: &GameRecord) {
    let mut tag = |name: &str, value: &str| {
        let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.extend(["[", name, " \"", &value, "\"]\n"]);
    };
    for (name, nothing) in ROSTER {
        tag(name, record.tag(name).unwrap_or(nothing));
    }
    let named = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    tag("White", &named(&record.white));
    tag("Black", &named(&record.black));
    tag("Result", record.outcome.map_or("*", Outcome::as_pgn));
    if record.variant == Variant::Chess960 {
        tag("Variant", "Chess960");
    }
    if let Some(fen) = &record.start {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    tag("Termination", ending::termination(record.outcome));
    if let Some(outcome) = record.outcome {
        tag("Reason", &outcome.reason.to_string());
    }
    if let Some(detail) = &record.detail {
        let short: String = detail.chars().take(LONGEST_DETAIL).collect();
        tag("Detail", &short);
    }
    for (name, value) in record.tags.iter().filter(|(name, _)| ROSTER.iter().all(|(known, _)| known != name))
    {
        tag(name, value);
    }
}

fn write_ply(lines: &mut Lines, game: &ChessGame, m: shakmaty::Move, ply: &Ply, number_needed: bool) {
    let mover = game.side_to_move();
    lines.word(&numbered(game, m, number_needed));
    for glyph in &ply.glyphs {
        lines.word(&format!("${glyph}"));
    }
    let commands = comment::commands(ply, mover).join(" ");
    // A brace cannot be quoted, and would end the comment.
    let words = ply.comment.as_deref().unwrap_or_default().replace('{', "(").replace('}', ")");
    let mut parts: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    // Commands stay on one line with their brace: no line of moves begins like a tag.
    if !commands.is_empty() {
        parts.insert(0, commands);
    }
    if let Some(first) = parts.first_mut() {
        first.insert_str(0, "{ ");
    }
    if let Some(last) = parts.last_mut() {
        last.push_str(" }");
    }
    for part in &parts {
        lines.word(part);
    }
    if !ply.instead.is_empty() {
        write_side_line(lines, game, &ply.instead);
    }
}

/// As far as it can be played.
fn write_side_line(lines: &mut Lines, game: &ChessGame, moves: &[String]) {
    let mut line = ChessGame::from_position(game.position().clone(), game.mode());
    let mut words = Vec::new();
    for text in moves {
        let Ok(m) = line.read_move(text) else { break };
        words.push(numbered(&line, m, words.is_empty()));
        line.apply(m);
    }
    if let (Some(first), Some(last)) =
        (words.first_mut().map(|word| format!("({word}")), words.len().checked_sub(1))
    {
        words[0] = first;
        words[last].push(')');
    }
    for word in &words {
        lines.word(word);
    }
}

/// `12. Nf3`, `Nf6`, or `12... Nf6` where a number is needed.
fn numbered(game: &ChessGame, m: shakmaty::Move, needed: bool) -> String {
    let san = SanPlus::from_move(game.position().clone(), m);
    let number = game.position().fullmoves();
    match game.side_to_move() {
        Color::White => format!("{number}. {san}"),
        Color::Black if needed => format!("{number}... {san}"),
        Color::Black => san.to_string(),
    }
}

/// Words in lines of limited length.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + length > COLUMNS {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += length;
    }

    fn finish(self) -> String {
        self.text
    }
}
