//! Parses a game's text to a tree. A broken variation is reported, and kept up to the error.

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position, Square};
use tabia_core::chess::fen_of;
use tabia_core::{ChessGame, printable};

use super::token::{Token, Tokens, is_tag, starts_line};
use super::{decode, ending};
use crate::record::Variant;
use crate::tree::{GameTree, NodeId, Played, pass};

/// Longer words are shortened in messages.
const WORD_SHOWN: usize = 24;

/// An error at a position of the text.
#[derive(Debug)]
pub struct ParseError {
    /// Byte offset.
    pub at: usize,
    pub why: String,
}

/// A parsed game: its tree, and the errors in its variations.
pub struct Parsed {
    pub tree: GameTree,
    /// Broken variations.
    pub broken: Vec<ParseError>,
    /// Whether the movetext has a result, even `*`.
    pub has_result: bool,
}

/// Where the next game begins within a text.
#[derive(Copy, Clone, Debug)]
pub struct NextGame {
    /// Byte offset.
    pub at: usize,
    /// Whether a `}` may follow.
    pub has_brace: bool,
}

/// Parses the first game of a text, with these tags; `has_brace` is whether the text may have a `}`.
///
/// A text has more than one game if tags follow a result on the same line, or a comment that is not closed.
pub fn game(
    tags: Vec<(String, String)>,
    text: &[u8],
    has_brace: bool,
) -> (Result<Parsed, ParseError>, Option<NextGame>) {
    let mut tokens = Tokens::of_game(text).with_brace(has_brace);
    let first = tokens.at();
    let mut builder = start(&tags)
        .map(|start| Builder::new(&start))
        .map_err(|(tag, why)| ParseError { at: tag_offset(&text[..first], tag).unwrap_or(first), why });
    let (mut has_result, mut next) = (false, None);
    while let Some((at, token)) = tokens.next() {
        if matches!(token, Token::Unexpected(_))
            && (has_result || starts_line(text, at))
            && is_tag(&text[at..])
        {
            next = Some(NextGame { at, has_brace: tokens.has_brace() });
            break;
        }
        has_result |= matches!(token, Token::Result(_));
        builder = builder.and_then(|mut builder| builder.take(at, token).map(|()| builder));
    }
    let parsed = builder.map(|mut builder| {
        let why = "this tag is not closed: the quotation mark after its value is missing";
        let open_tags = tokens.open_tags().iter();
        builder.broken.extend(open_tags.map(|at| ParseError { at: *at, why: why.to_owned() }));
        builder.finish(tags)
    });
    (parsed, next)
}

/// Where a tag begins.
fn tag_offset(tags: &[u8], name: &str) -> Option<usize> {
    let opening = [b"[", name.as_bytes(), b" "].concat();
    tags.windows(opening.len()).position(|window| window == opening)
}

struct Builder {
    tree: GameTree,
    line: Line,
    /// The lines that variations interrupt.
    outer: Vec<Line>,
    broken: Vec<ParseError>,
    /// Whether the main line has a null move: the tree keeps it, a record cannot.
    has_null: bool,
    /// Whether a NUL byte was reported.
    has_nul: bool,
    result: Option<GameResult>,
}

/// A result as the movetext has it: `None` inside for `*`.
#[derive(Copy, Clone)]
struct GameResult(Option<shakmaty::KnownOutcome>);

/// A line being parsed.
#[derive(Clone)]
struct Line {
    /// The last move of the line, or where the line branches off.
    at: NodeId,
    position: Chess,
    /// The position before the last move, where variations start; `None` before the first move.
    before: Option<Chess>,
    /// Comments and glyphs before the first move of a variation.
    comments: Vec<String>,
    glyphs: Vec<u8>,
    has_moves: bool,
    /// Skip everything until the variation is closed.
    is_broken: bool,
    opened_at: usize,
}

impl Builder {
    fn new(start: &ChessGame) -> Builder {
        let line = Line {
            at: GameTree::ROOT,
            position: start.position().clone(),
            before: None,
            comments: Vec::new(),
            glyphs: Vec::new(),
            has_moves: false,
            is_broken: false,
            opened_at: 0,
        };
        Builder {
            tree: GameTree::new(start),
            line,
            outer: Vec::new(),
            broken: Vec::new(),
            has_null: false,
            has_nul: false,
            result: None,
        }
    }

    fn take(&mut self, at: usize, token: Token<'_>) -> Result<(), ParseError> {
        match token {
            Token::Open => self.open(at),
            Token::Close => self.close(),
            _ if self.line.is_broken => {}
            Token::Comment(text) => self.comment(&decode(text)),
            Token::OpenComment(text) => {
                let why = "this comment is not closed: \"}\" is missing".to_owned();
                self.broken.push(ParseError { at, why });
                self.comment(&decode(text));
            }
            Token::Glyph(glyph) => self.glyph(glyph),
            Token::UnknownGlyph(word) => {
                let why = format!(
                    "\"{}\" is not a glyph: they are $0 to $255; it is left out",
                    shorten(&decode(word))
                );
                self.broken.push(ParseError { at, why });
            }
            Token::Result(result) if self.outer.is_empty() => {
                self.result.get_or_insert(GameResult(result));
            }
            Token::Result(_) => {}
            Token::Unexpected(word) => {
                let why = format!("\"{}\" is not a move", shorten(&decode(word)));
                self.wrong(at, why)?;
            }
            Token::Move(san, word) => self.san(at, san.san, word)?,
        }
        Ok(())
    }

    /// Ends the current variation, or the whole game if the main line is invalid.
    fn wrong(&mut self, at: usize, why: String) -> Result<(), ParseError> {
        let wrong = ParseError { at, why };
        if self.outer.is_empty() {
            return Err(wrong);
        }
        self.line.is_broken = true;
        self.broken.push(wrong);
        Ok(())
    }

    fn san(&mut self, at: usize, san: San, word: &[u8]) -> Result<(), ParseError> {
        if word.contains(&0) && !self.has_nul {
            let why = format!("\"{}\" has a NUL byte, which is left out", shorten(&decode(word)));
            self.broken.push(ParseError { at, why });
            self.has_nul = true;
        }
        let word = shorten(&decode(word));
        if self.outer.is_empty() && self.result.is_some() {
            let why = format!("\"{word}\" comes after the result; between two games there is an empty line");
            return self.wrong(at, why);
        }
        let position = &self.line.position;
        let (played, after) = match (resolve(san, position), san) {
            (Some(m), _) => {
                let mut after = position.clone();
                after.play_unchecked(m);
                (Played::Move(m), after)
            }
            (None, San::Null) => match pass(position) {
                Some(after) => {
                    if self.outer.is_empty() && !self.has_null {
                        let why = format!("\"{word}\" is a null move, with which no game of chess goes on");
                        self.broken.push(ParseError { at, why });
                        self.has_null = true;
                    }
                    (Played::Null, after)
                }
                None => {
                    return self.wrong(at, format!("\"{word}\" passes in check, in {}", fen_of(position)));
                }
            },
            (None, _) => return self.wrong(at, format!("\"{word}\" is not legal in {}", fen_of(position))),
        };
        let node = self.tree.push(self.line.at, position, played);
        let new = self.tree.node_mut(node);
        new.before = std::mem::take(&mut self.line.comments);
        new.glyphs = std::mem::take(&mut self.line.glyphs);
        self.line.before = Some(std::mem::replace(&mut self.line.position, after));
        (self.line.at, self.line.has_moves) = (node, true);
        Ok(())
    }

    /// A comment belongs to the last move; before the first move of a variation, to that move.
    fn comment(&mut self, text: &str) {
        let text = printable(&on_one_line(text)).into_owned();
        if text.is_empty() {
            return;
        }
        if self.line.has_moves || self.outer.is_empty() {
            self.tree.node_mut(self.line.at).comments.push(text);
        } else {
            self.line.comments.push(text);
        }
    }

    fn glyph(&mut self, glyph: u8) {
        if self.line.has_moves {
            self.tree.node_mut(self.line.at).glyphs.push(glyph);
        } else {
            self.line.glyphs.push(glyph);
        }
    }

    /// A variation replaces the last move.
    fn open(&mut self, at: usize) {
        let parent = self.tree.node(self.line.at).parent();
        let mut inner = Line {
            at: parent.unwrap_or(GameTree::ROOT),
            position: self.line.position.clone(),
            before: None,
            comments: Vec::new(),
            glyphs: Vec::new(),
            has_moves: false,
            is_broken: self.line.is_broken,
            opened_at: at,
        };
        match (parent, &self.line.before) {
            _ if inner.is_broken => {}
            (None, _) => {
                inner.is_broken = true;
                self.broken.push(ParseError { at, why: "a variation before the first move".to_owned() });
            }
            (Some(_), Some(before)) => inner.position = before.clone(),
            // A variation at the start of another one replaces the move before it.
            (Some(parent), None) => inner.position = self.tree.position(parent),
        }
        self.outer.push(std::mem::replace(&mut self.line, inner));
    }

    fn close(&mut self) {
        let Some(outer) = self.outer.pop() else { return };
        let inner = std::mem::replace(&mut self.line, outer);
        // Comments in a variation without moves belong to the move that it would replace.
        if !inner.is_broken && !inner.has_moves {
            self.tree.node_mut(self.line.at).comments.extend(inner.comments);
        }
    }

    fn finish(mut self, tags: Vec<(String, String)>) -> Parsed {
        while !self.outer.is_empty() {
            if !self.line.is_broken {
                let why = "this variation is not closed: \")\" is missing".to_owned();
                self.broken.push(ParseError { at: self.line.opened_at, why });
            }
            self.close();
        }
        let mut tree = self.tree;
        tree.tags = tags;
        let has_result = self.result.is_some();
        tree.result = match self.result {
            Some(GameResult(result)) => result,
            None => tree.tag("Result").and_then(ending::result),
        };
        Parsed { tree, broken: self.broken, has_result }
    }
}

/// Line breaks in a comment are layout: each is a space, together with the spaces around it.
pub(crate) fn on_one_line(text: &str) -> String {
    if !text.contains(['\n', '\r']) {
        return text.trim().to_owned();
    }
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// The game before its first move; or the tag that is wrong, and why.
fn start(tags: &[(String, String)]) -> Result<ChessGame, (&'static str, String)> {
    let known = |name: &str| {
        let value = tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        value.filter(|value| !ending::is_placeholder(value))
    };
    let mode = match known("Variant") {
        None => None,
        Some(name) => Some(match variant(name).map_err(|why| ("Variant", why))? {
            Variant::Chess960 => CastlingMode::Chess960,
            _ => CastlingMode::Standard,
        }),
    };
    // Some programs write a FEN with Chess960 castling rights, and no variant tag.
    let read = |fen: &str| match mode {
        Some(CastlingMode::Chess960) => ChessGame::from_fen_in_mode(fen, CastlingMode::Chess960),
        _ => ChessGame::from_fen(fen),
    };
    match known("FEN") {
        Some(fen) => read(fen).map_err(|error| ("FEN", format!("the tag FEN is no position: {error}"))),
        None => Ok(ChessGame::default().in_mode(mode.unwrap_or(CastlingMode::Standard))),
    }
}

/// The variant of a tag, in the spellings of many programs.
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

/// The move of a SAN text. If there is none, a missing or superfluous `x` is tolerated, and `g1f3` is read as long
/// algebraic notation.
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

fn shorten(word: &str) -> String {
    if word.chars().count() <= WORD_SHOWN {
        return word.escape_debug().to_string();
    }
    word.chars().take(WORD_SHOWN).chain(['…']).collect::<String>().escape_debug().to_string()
}
