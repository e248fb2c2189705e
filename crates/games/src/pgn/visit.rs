//! Builds a record while pgn-reader walks over a game.

use std::ops::ControlFlow;

use pgn_reader::{KnownOutcome, Nag, Outcome as Result_, RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Square};
use tabia_core::{ChessGame, Game};

use super::{comment, decode, ending};
use crate::record::{GameRecord, Ply, Variant};

/// A game, or why it is none.
pub type Built = Result<GameRecord, String>;

/// Tag names with a field of their own in a record.
const OWN: [&str; 9] =
    ["White", "Black", "Result", "FEN", "SetUp", "Variant", "Termination", "Reason", "Detail"];

/// The visitor; all it needs is in what it builds.
pub struct Builder;

/// Tag pairs in the order of the file, the first of each name.
#[derive(Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A value that is not the standard's way to say nothing.
    fn known(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !is_placeholder(value))
    }
}

fn is_placeholder(value: &str) -> bool {
    matches!(value, "" | "?" | "????.??.??")
}

/// A game under way.
pub struct Building {
    tags: Tags,
    record: GameRecord,
    game: ChessGame,
    /// The position before the last move: where side lines begin.
    before: Chess,
    /// How deep in side lines we are.
    depth: usize,
    /// The side line that is being kept.
    side_line: Option<ChessGame>,
    comment: Vec<u8>,
    result: Option<Result_>,
}

impl Visitor for Builder {
    type Tags = Tags;
    type Movetext = Building;
    type Output = Built;

    fn begin_tags(&mut self) -> ControlFlow<Built, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Built> {
        let name = decode(name).trim().to_owned();
        if tags.get(&name).is_none() {
            tags.0.push((name, decode(&value.decode())));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Built, Building> {
        match start(&tags) {
            Ok(game) => {
                let before = game.position().clone();
                let record = GameRecord::of_game(&game);
                ControlFlow::Continue(Building {
                    tags,
                    record,
                    game,
                    before,
                    depth: 0,
                    side_line: None,
                    comment: Vec::new(),
                    result: None,
                })
            }
            Err(why) => ControlFlow::Break(Err(why)),
        }
    }

    fn san(&mut self, at: &mut Building, san: SanPlus) -> ControlFlow<Built> {
        if at.depth > 0 {
            at.side_move(san.san);
            return ControlFlow::Continue(());
        }
        if at.result.is_some() {
            return ControlFlow::Break(Err(format!(
                "\"{san}\" comes after the result; between two games there is an empty line"
            )));
        }
        match resolve(san.san, at.game.position()) {
            Some(m) => {
                at.before = at.game.position().clone();
                at.record.plies.push(Ply::of(at.game.write_move(m)));
                at.game.apply(m);
                ControlFlow::Continue(())
            }
            None if san.san == San::Null => ControlFlow::Break(Err(format!(
                "\"{san}\" is a null move, with which no game of chess goes on"
            ))),
            None => ControlFlow::Break(Err(format!("\"{san}\" is not legal in {}", at.game.fen()))),
        }
    }

    fn nag(&mut self, at: &mut Building, nag: Nag) -> ControlFlow<Built> {
        if at.depth == 0
            && let Some(ply) = at.record.plies.last_mut()
        {
            ply.glyphs.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, at: &mut Building, part: RawComment<'_>) -> ControlFlow<Built> {
        at.comment.extend_from_slice(part.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, at: &mut Building, part: RawComment<'_>) -> ControlFlow<Built> {
        at.comment.extend_from_slice(part.as_bytes());
        let text = std::mem::take(&mut at.comment);
        if at.depth == 0
            && let Some(ply) = at.record.plies.last_mut()
        {
            comment::read(&decode(&text), at.game.side_to_move().other(), ply);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, at: &mut Building) -> ControlFlow<Built, Skip> {
        at.depth += 1;
        let first = at.depth == 1 && at.record.plies.last().is_some_and(|ply| ply.instead.is_empty());
        if first {
            let mode = at.game.mode();
            at.side_line = Some(ChessGame::from_position(at.before.clone(), mode));
        }
        ControlFlow::Continue(Skip(!first))
    }

    fn end_variation(&mut self, at: &mut Building) -> ControlFlow<Built> {
        at.depth = at.depth.saturating_sub(1);
        if at.depth == 0 {
            at.keep_side_line();
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, at: &mut Building, result: Result_) -> ControlFlow<Built> {
        if at.depth == 0 {
            at.result.get_or_insert(result);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut at: Building) -> Built {
        at.keep_side_line();
        Ok(at.finish())
    }
}

impl Building {
    /// A side line is kept as far as it can be played.
    fn side_move(&mut self, san: San) {
        let Some(line) = &mut self.side_line else { return };
        match resolve(san, line.position()) {
            Some(m) => line.apply(m),
            None => self.keep_side_line(),
        }
    }

    fn keep_side_line(&mut self) {
        if let (Some(line), Some(ply)) = (self.side_line.take(), self.record.plies.last_mut()) {
            ply.instead = line.moves().iter().map(|m| line.write_move(*m)).collect();
        }
    }

    fn finish(self) -> GameRecord {
        let Building { tags, mut record, game, result, .. } = self;
        let known: Option<KnownOutcome> = match result {
            Some(result) => result.known(),
            None => tags.get("Result").and_then(ending::result),
        };
        let outcome =
            known.map(|result| ending::outcome(result, tags.get("Reason"), tags.get("Termination"), &game));
        tags.known("White").unwrap_or_default().clone_into(&mut record.white);
        tags.known("Black").unwrap_or_default().clone_into(&mut record.black);
        record.outcome = outcome;
        record.detail = tags.get("Detail").map(str::to_owned);
        record.tags = tags.0.into_iter().filter(|(name, value)| is_kept(name, value)).collect();
        record
    }
}

fn is_kept(name: &str, value: &str) -> bool {
    let silent = matches!(name, "Event" | "Site" | "Date" | "Round") && is_placeholder(value);
    !name.is_empty() && !OWN.contains(&name) && !silent
}

/// The game before its first move.
fn start(tags: &Tags) -> Result<ChessGame, String> {
    let mode = match tags.known("Variant") {
        None => None,
        Some(name) => Some(match variant(name)? {
            Variant::Chess960 => CastlingMode::Chess960,
            _ => CastlingMode::Standard,
        }),
    };
    // Some write a FEN whose castling rights only Chess960 knows, and no variant.
    let read = |fen: &str| match mode {
        Some(CastlingMode::Chess960) => ChessGame::from_fen_in_mode(fen, CastlingMode::Chess960),
        _ => ChessGame::from_fen(fen),
    };
    match tags.known("FEN") {
        Some(fen) => read(fen).map_err(|error| format!("the tag FEN is no position: {error}")),
        None => Ok(ChessGame::default().in_mode(mode.unwrap_or(CastlingMode::Standard))),
    }
}

/// The variant of a tag, as many programs write it.
fn variant(name: &str) -> Result<Variant, String> {
    let letters: String =
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    match letters.as_str() {
        "chess" | "standard" | "normal" | "fromposition" => Ok(Variant::Chess),
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "frc" | "dfrc" | "freestyle" => {
            Ok(Variant::Chess960)
        }
        _ => Err(format!("the variant \"{name}\" is not played here; known are Standard and Chess960")),
    }
}

/// The move that is meant. Where the standard's notation finds none, a missing or needless `x` is forgiven, and
/// `g1f3` is taken for the move from g1 to f3.
fn resolve(san: San, position: &Chess) -> Option<Move> {
    if let Ok(m) = san.to_move(position) {
        return Some(m);
    }
    let San::Normal { role, file, rank, capture, to, promotion } = san else { return None };
    let other = San::Normal { role, file, rank, capture: !capture, to, promotion };
    if let Ok(m) = other.to_move(position) {
        return Some(m);
    }
    let from = Square::from_coords(file?, rank?);
    UciMove::Normal { from, to, promotion }.to_move(position).ok()
}
