//! Phrases for terms: how a player names them.
//!
//! An unknown name is its own phrase, with underscores as spaces.

use shakmaty::Square;

use crate::explain::Term;

/// From this many centipawns per piece, a term named after a kind of piece counts pieces rather than squares.
const COUNTED_FROM_CP: f64 = 50.0;

/// The wording of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    /// After an owner: Black's *passed pawns*.
    pub noun: String,
    /// As a reason to be better: *more material*.
    pub lead: String,
    /// It is worded as an advantage, whatever the sign of its weight.
    pub is_merit: bool,
    /// For terms of single pieces: the kind of piece.
    piece: Option<&'static str>,
}

impl Phrase {
    /// The wording of a term.
    pub fn of(term: &Term) -> Phrase {
        let name = term.name.replace('_', " ");
        let counted = term.weight.abs() >= COUNTED_FROM_CP;
        known(&name.to_lowercase(), counted).unwrap_or_else(|| plain(&name))
    }

    /// Says "an extra knight" instead of "better placed knights" where the side that gains has more of them than the
    /// other, and "the better placed knight" where it has one.
    pub fn count_pieces(&mut self, gainer: i32, other: i32) {
        let Some(piece) = self.piece else { return };
        let surplus = gainer - other;
        match surplus {
            1 => (self.noun, self.lead) = (format!("extra {piece}"), format!("an extra {piece}")),
            2.. => {
                self.noun = format!("{surplus} extra {piece}s");
                self.lead.clone_from(&self.noun);
            }
            _ if gainer == 1 => {
                (self.noun, self.lead) = (piece.to_owned(), format!("the better placed {piece}"));
            }
            _ => (),
        }
    }
}

/// Terms that complete the sum and mean nothing to a player.
pub(super) fn is_bookkeeping(name: &str) -> bool {
    matches!(name, "rounding" | "limit" | "bias")
}

fn plain(noun: &str) -> Phrase {
    Phrase { noun: noun.to_owned(), lead: noun.to_owned(), is_merit: false, piece: None }
}

fn with_lead(noun: &str, lead: &str) -> Phrase {
    Phrase { lead: lead.to_owned(), ..plain(noun) }
}

fn merit(noun: &str, lead: &str) -> Phrase {
    Phrase { is_merit: true, ..with_lead(noun, lead) }
}

fn known(name: &str, counted: bool) -> Option<Phrase> {
    let phrase = match name {
        "material" => with_lead("material", "more material"),
        "pawns" | "knights" | "bishops" | "rooks" | "queens" if counted => {
            with_lead(name, &format!("more {name}"))
        }
        "pawns" | "knights" | "bishops" | "rooks" | "queens" => {
            with_lead(name, &format!("better placed {name}"))
        }
        "kings" => with_lead("king", "the better placed king"),
        "control" => with_lead("control of the board", "control of the board"),
        "interplay" => with_lead("pieces that work together", "pieces that work together better"),
        "tempo" => with_lead("tempo", "the tempo"),
        "centre" | "center" | "centre pieces" | "center pieces" => plain("pieces in the centre"),
        "centre pawns" | "center pawns" => plain("pawns in the centre"),
        "passed" | "passed pawn" | "passed endgame" | "unstoppable pawns" => plain("passed pawns"),
        "doubled" => plain("doubled pawns"),
        "isolated" => plain("isolated pawns"),
        "bishop pair" | "bishop pair open" => with_lead("bishop pair", "the bishop pair"),
        "rook open file" | "rook half open file" | "rook files" => plain("rooks on open files"),
        "masked" | "doubly masked" => plain("masked pieces"),
        "minors at home" => plain("undeveloped pieces"),
        "castled" | "castling" | "castling broken" | "castling rights" => merit("castling", "castling"),
        "shelter near"
        | "shelter far"
        | "shelter open"
        | "king defenders"
        | "king shield"
        | "king safety"
        | "king shelter"
        | "pawn storm"
        | "files at the king"
        | "no pawns at the king" => merit("safer king", "the safer king"),
        "king attack"
        | "naked king"
        | "enemy king pressure"
        | "king pressure"
        | "king danger"
        | "lines to the king"
        | "near enemy king" => merit("attack on the king", "the attack on the king"),
        "king centralization" | "king centralisation" | "king pawn ending" | "king and nearest own pawn" => {
            merit("active king", "the more active king")
        }
        "placement" | "placement by king" | "approach" | "approach by king" | "near own king"
        | "guarded by pawns" | "behind a pawn" | "pieces and pawns" => {
            with_lead("better placed pieces", "better placed pieces")
        }
        "bishop's own pawns" => merit("freer bishops", "the freer bishops"),
        "pinned" => merit("pins", "pins"),
        "threats"
        | "pawn threats to come"
        | "threats by safe pawns"
        | "lines to the queen"
        | "attacked twice"
        | "guarded by the queen alone"
        | "squares to chase the queen from"
        | "attacks to discover" => plain("threats"),
        "restriction" | "safe reach" => with_lead("mobility", "more mobility"),
        "outposts in reach" => plain("outposts"),
        "pawns side by side" | "supported pawns" | "pawn islands" | "width of the pawns"
        | "pawn majorities" => merit("sounder pawns", "the sounder pawns"),
        _ if name.contains("passed pawns") => plain("passed pawns"),
        _ if name.starts_with("trade ") => merit("gains from trades", "what trades bring"),
        _ => return of_kind(name),
    };
    Some(phrase)
}

/// Terms that some evaluations have for every kind of piece.
fn of_kind(name: &str) -> Option<Phrase> {
    match name.rsplit(' ').next()? {
        "mobility" => Some(with_lead("mobility", "more mobility")),
        "development" => Some(with_lead("development", "better development")),
        "matrix" | "table" => Some(with_lead("better placed pieces", "better placed pieces")),
        square if square.parse::<Square>().is_ok() => of_piece(name.split(' ').next()?),
        _ => None,
    }
}

/// Terms that some evaluations have for every piece on the board: merged by kind of piece.
fn of_piece(role: &str) -> Option<Phrase> {
    let piece = match role {
        "pawn" => "pawn",
        "knight" => "knight",
        "bishop" => "bishop",
        "rook" => "rook",
        "queen" => "queen",
        "king" => return Some(with_lead("king", "the better placed king")),
        _ => return None,
    };
    let phrase = with_lead(&format!("{piece}s"), &format!("better placed {piece}s"));
    Some(Phrase { piece: Some(piece), ..phrase })
}

/// Whether a noun takes a plural verb: `rooks on open files` do, `pressure on pawns` does not.
pub(super) fn is_plural(noun: &str) -> bool {
    const PREPOSITIONS: [&str; 11] =
        ["after", "at", "by", "for", "from", "in", "near", "of", "on", "to", "with"];
    let head = noun.split(' ').take_while(|word| !PREPOSITIONS.contains(word)).last().unwrap_or(noun);
    let singular = ["ss", "us", "is"].iter().any(|ending| head.ends_with(ending));
    head.ends_with('s') && !singular
}
