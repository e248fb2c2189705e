//! Everything that is said to a player, in one place: the message catalogue.
//!
//! A [`Sentence`] is what is to be said, in terms of chess: moves, pieces, scores. A [`Language`] is how it is said:
//! [`English`] or [`German`], chosen by its [`Locale`]. Nothing outside this module puts words together.

mod english;
mod german;

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Role, Square};
use tabia_core::Score;
use tabia_core::chances::Mark;
use tabia_search::engine::tablebases::TablebaseResult;

use crate::motif::Theme;
use crate::outcome::{Balance, End};
use crate::proof::Evidence;
use crate::structure::Fact;
use crate::verdict::Verdict;

pub use english::English;
pub use german::German;

/// The languages there are.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Locale {
    /// English.
    #[default]
    En,
    /// German.
    De,
}

/// A language that the catalogue has not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no language of the coach; it has en (English) and de (German)")]
pub struct UnknownLocale(String);

impl Locale {
    /// All of them.
    pub const ALL: [Locale; 2] = [Locale::En, Locale::De];

    /// Its code (ISO 639-1): `de`.
    pub const fn code(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::De => "de",
        }
    }

    /// How it says things.
    pub fn language(self) -> &'static dyn Language {
        match self {
            Locale::En => &English,
            Locale::De => &German,
        }
    }
}

impl std::str::FromStr for Locale {
    type Err = UnknownLocale;

    fn from_str(code: &str) -> Result<Locale, UnknownLocale> {
        let known = Locale::ALL.into_iter().find(|locale| locale.code() == code);
        known.ok_or_else(|| UnknownLocale(code.to_owned()))
    }
}

impl std::fmt::Display for Locale {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

/// How everything is said: one for each language.
pub trait Language {
    /// A sentence, with its full stop.
    fn sentence(&self, sentence: &Sentence) -> String;

    /// What an exercise asks to look for.
    fn hint(&self, hint: &Hint) -> String;

    /// A score.
    fn score(&self, score: WhiteScore) -> String;

    /// What a reason is worth, in pawns or as a mate in so many moves.
    fn worth(&self, cp: i32, mate: Option<u32>) -> String;

    /// How a reason was proved, with what the check found.
    fn proof(&self, evidence: &Evidence, mate: Option<u32>) -> String;

    /// A word of a table.
    fn label(&self, label: Label) -> &'static str;
}

/// What the tables beside a text are labelled with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// What the move is called.
    Verdict,
    /// The played line.
    Played,
    /// The best line.
    Best,
    /// The kind of a reason.
    Reason,
    /// Its motif.
    Motif,
    /// What it is worth.
    Worth,
    /// How it was proved.
    Proof,
    /// What changes under the headings, compared with the best line.
    AgainstBest,
    /// What the line changes under the headings.
    ByLine,
    /// In White's view.
    White,
    /// What the search adds.
    Further,
    /// A heading.
    Heading(crate::heading::Heading),
    /// A verdict.
    VerdictName(Verdict),
    /// A kind of reason, by its name in documents.
    Kind(&'static str),
    /// The heading of an exercise, before its number.
    Exercise,
    /// Whose move it is in an exercise.
    ToMove(Color),
    /// A game of a file, before its number.
    Game,
    /// The move that was played in an exercise, at the start of a line.
    MovePlayed,
    /// The hint of an exercise.
    Hint,
    /// The heading of the solutions.
    Solutions,
    /// Between moves that solve an exercise alike.
    Or,
    /// That no exercise was found.
    NoExercise,
}

/// A score to be told, in White's view.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct WhiteScore {
    /// The score.
    pub white: Score,
    /// Moves to mate where it is one, negative for Black's.
    pub mate: Option<i32>,
}

impl WhiteScore {
    /// The score of a mover, counted before its move.
    pub fn of(score: Score, mover: Color) -> WhiteScore {
        let mate = score.moves_to_mate().map(|moves| mover.fold_wb(moves, -moves));
        WhiteScore { white: mover.fold_wb(score, -score), mate }
    }
}

/// A piece on a square.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlacedPiece {
    /// Which kind.
    pub role: Role,
    /// Where.
    pub square: Square,
}

/// What a move takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A piece that is not won back.
    Won(PlacedPiece),
    /// A piece for one that is taken in return.
    Exchanged {
        /// The piece that takes.
        own: Role,
        /// What it takes.
        piece: PlacedPiece,
    },
}

/// A move as it is written, with its number: `17...Bxh2+`.
pub type Written = String;

/// What a threat comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gain {
    /// Mate in so many moves.
    Mate(u32),
    /// Material.
    Material(Balance),
}

/// A motif to be told: the move that shows it and the pieces it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MotifFacts {
    /// Which.
    pub theme: Theme,
    /// The move that shows it.
    pub shown_by: Written,
    /// The player's next move.
    pub next: Option<Written>,
    /// The piece that acts.
    pub actor: Option<PlacedPiece>,
    /// The pieces that are acted on, as they stood at the time.
    pub targets: Vec<PlacedPiece>,
    /// A square that it is about: what was guarded, where a piece is lured.
    pub square: Option<Square>,
    /// Whether the pinned piece could otherwise have got away; else it could have taken something.
    pub escape: bool,
    /// Whether the move that shows it is the one that the text is about, and needs not be named again.
    pub is_played: bool,
    /// What the natural move would have been worth, where it was searched.
    pub instead: Option<WhiteScore>,
}

/// A term of the evaluation that leads a heading, and the heading's change in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermChange {
    /// The heading.
    pub heading: crate::heading::Heading,
    /// In centipawns, without a sign.
    pub cp: i32,
    /// The term that makes up most of it.
    pub leading: Option<String>,
    /// What shows that term on the board.
    pub fact: Option<Fact>,
}

/// One sentence.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the English below says what each one is")]
pub enum Sentence {
    Marked {
        mark: Mark,
        best: Option<Written>,
        mates: bool,
    },
    Loses {
        played: Written,
        mark: Option<Mark>,
        balance: Balance,
        line: Written,
        is_long: bool,
    },
    AllowsMate {
        played: Written,
        mark: Option<Mark>,
        moves: u32,
        line: Written,
        proved: bool,
    },
    MissesMate {
        played: Written,
        mark: Option<Mark>,
        best: Written,
        moves: u32,
        line: Option<Written>,
    },
    Misses {
        played: Written,
        mark: Option<Mark>,
        best: Written,
        balance: Balance,
        line: Option<Written>,
        is_long: bool,
    },
    MissesDraw {
        played: Written,
        mark: Option<Mark>,
        best: Written,
        end: End,
        line: Written,
    },
    Table {
        played: Written,
        mark: Option<Mark>,
        result: TablebaseResult,
        instead: Option<TablebaseResult>,
        line: Written,
    },
    TableKeeps {
        played: Written,
        verdict: Verdict,
        result: TablebaseResult,
        instead: Option<TablebaseResult>,
    },
    StillWins {
        played: Written,
        mark: Option<Mark>,
        best: Written,
        from: WhiteScore,
        to: WhiteScore,
    },
    MissesRecapture {
        played: Written,
        mark: Option<Mark>,
        best: Written,
        line: Option<Written>,
    },
    LetsSlip {
        played: Written,
        mark: Option<Mark>,
        end: End,
        line: Written,
    },
    WrongBishop {
        played: Written,
        mark: Option<Mark>,
        corner: Square,
        line: Written,
    },
    Judged {
        played: Written,
        mark: Option<Mark>,
        verdict: Verdict,
        from: WhiteScore,
        to: WhiteScore,
    },
    Beyond {
        played: Written,
        mark: Option<Mark>,
        verdict: Verdict,
        from: WhiteScore,
        to: WhiteScore,
    },
    Costs {
        changes: Vec<TermChange>,
        is_all: bool,
    },
    Improves {
        changes: Vec<TermChange>,
    },
    Motif(MotifFacts),
    MatePattern {
        theme: Theme,
    },
    IgnoresThreat {
        threat: Option<Written>,
    },
    ParriesThreat {
        threat: Written,
        gain: Gain,
    },
    Threatens {
        side: Color,
        threat: Written,
        gain: Gain,
    },
    BestWas {
        best: Written,
        score: WhiteScore,
        standing: BestStanding,
        takes: Option<Taken>,
        is_only: bool,
    },
    Unguards {
        piece: Role,
        square: Square,
    },
    OpensLine {
        attacker: PlacedPiece,
        target: PlacedPiece,
    },
    FollowUpFails {
        check: Written,
        reply: Written,
    },
    ForcesMate {
        played: Written,
        verdict: Verdict,
        moves: u32,
        line: Written,
        proved: bool,
    },
    Wins {
        played: Written,
        verdict: Verdict,
        balance: Balance,
        line: Option<Written>,
    },
    Draws {
        played: Written,
        verdict: Verdict,
        end: End,
        line: Written,
    },
    DrawsWrongBishop {
        played: Written,
        verdict: Verdict,
        corner: Square,
        line: Written,
    },
    IsGood {
        played: Written,
        verdict: Verdict,
        score: WhiteScore,
        better: Option<Written>,
    },
    Sacrifices {
        role: Role,
        square: Square,
    },
    Zugzwang {
        side: Color,
    },
}

/// What the best move would have kept, for the mover.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BestStanding {
    /// It mates, though not by a proof.
    Mates,
    /// A won position.
    Wins,
    /// Better.
    Advantage,
    /// About equal.
    Balance,
    /// Worse, but not lost.
    Damage,
    /// Lost, but less so.
    Resistance,
    /// Mated, but later.
    LastsLonger,
}

/// What an exercise asks to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A forced mate in so many moves.
    Mate(u32),
    /// A motif of the best line.
    Motif(Theme),
    /// A draw can be had.
    Draw(End),
    /// Something was just taken.
    TakeBack,
    /// Material can be won.
    Win,
    /// A threat of this side was overlooked.
    Threat(Color),
    /// The reply of this side to the move that was played.
    Reply {
        /// Who replies.
        side: Color,
        /// To what.
        played: Written,
    },
    /// A heading under which the better move gains.
    Heading(crate::heading::Heading),
    /// Nothing was proved.
    Nothing,
}

/// A text whose line was cut short ends with its ellipsis, without a full stop after it.
fn with_one_stop(mut text: String) -> String {
    if text.ends_with("….") {
        text.pop();
    }
    text
}
