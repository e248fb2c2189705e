//! Writing PGN.

use std::fmt::Write as _;

use shakmaty::{Color, KnownOutcome};
use tabia_core::{Outcome, printable};

use super::ending;
use crate::record::{GameRecord, RecordError, Variant};
use crate::tree::{GameTree, Node, NodeId};

/// Longest line, as far as words allow.
const COLUMNS: usize = 80;
/// The first of the seven standard tags; White, Black and Result follow.
const ROSTER: [(&str, &str); 4] = [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")];
/// Longest detail of an ending; readers of PGN limit tags.
const LONGEST_DETAIL: usize = 800;

/// Why a record cannot be written as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    #[error("a game of quantum chess has no PGN; keep it as a JSON replay")]
    Quantum,
    #[error("the game cannot be written as PGN: {0}")]
    Unplayable(#[from] RecordError),
}

/// One game, followed by an empty line.
///
/// ```
/// use tabia_games::{GameRecord, Ply, pgn};
///
/// let plies = vec![Ply::of("e2e4"), Ply::of("e7e5")];
/// let record = GameRecord { white: "A".to_owned(), plies, ..GameRecord::default() };
/// assert!(pgn::write(&record)?.contains("1. e4 e5"));
/// # Ok::<(), tabia_games::pgn::WriteError>(())
/// ```
pub fn write(record: &GameRecord) -> Result<String, WriteError> {
    Ok(write_tree(&GameTree::of_record(record)?))
}

/// One game with all its variations, followed by an empty line.
pub fn write_tree(tree: &GameTree) -> String {
    let mut text = String::new();
    for (name, value) in &tree.tags {
        write_tag(&mut text, name, value);
    }
    if !tree.tags.is_empty() {
        text.push('\n');
    }
    let mut lines = Lines::default();
    for comment in &tree.node(GameTree::ROOT).comments {
        lines.comment(comment);
    }
    movetext(&mut lines, tree, GameTree::ROOT);
    lines.word(result(tree.result));
    text.push_str(&lines.text);
    text.push_str("\n\n");
    text
}

/// The variations at a node, each in parentheses: alternatives to its first child.
pub fn write_variations(tree: &GameTree, node: NodeId) -> Vec<String> {
    let others = tree.node(node).children().iter().skip(1);
    let written = others.map(|first| {
        let mut lines = Lines { is_one_line: true, ..Lines::default() };
        lines.open();
        lines.node(tree.node(*first));
        movetext(&mut lines, tree, *first);
        lines.close();
        lines.text
    });
    written.collect()
}

const fn result(result: Option<KnownOutcome>) -> &'static str {
    match result {
        None => "*",
        Some(KnownOutcome::Draw) => "1/2-1/2",
        Some(KnownOutcome::Decisive { winner: Color::White }) => "1-0",
        Some(KnownOutcome::Decisive { winner: Color::Black }) => "0-1",
    }
}

/// Work items; an explicit stack instead of recursion, for games of any depth.
enum Work {
    /// Everything after a node.
    After(NodeId),
    /// A variation that begins with this node.
    Open(NodeId),
    Close,
}

/// Everything after a node: the next move, its variations, and the continuation.
fn movetext(lines: &mut Lines, tree: &GameTree, node: NodeId) {
    let mut work = vec![Work::After(node)];
    while let Some(next) = work.pop() {
        match next {
            Work::After(node) => {
                let Some((main, others)) = tree.node(node).children().split_first() else { continue };
                lines.node(tree.node(*main));
                work.push(Work::After(*main));
                for other in others.iter().rev() {
                    work.extend([Work::Close, Work::After(*other), Work::Open(*other)]);
                }
            }
            Work::Open(node) => {
                lines.open();
                lines.node(tree.node(node));
            }
            Work::Close => lines.close(),
        }
    }
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    let value = printable(value).replace('\\', "\\\\").replace('"', "\\\"");
    text.extend(["[", name, " \"", &value, "\"]\n"]);
}

/// The tags of a record: the seven standard ones first.
pub(crate) fn record_tags(record: &GameRecord) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    let mut tag = |name: &str, value: &str| tags.push((name.to_owned(), value.to_owned()));
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
    tags
}

/// Wraps words into lines.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
    /// Written before the next word, without a space.
    prefix: &'static str,
    /// Whether Black's next move needs a number, because something precedes it.
    is_interrupted: bool,
    /// Whether something was written since the first word.
    has_moves: bool,
    is_one_line: bool,
}

impl Lines {
    fn word(&mut self, word: &str) {
        self.part(word, true);
    }

    fn part(&mut self, word: &str, may_break: bool) {
        let length = self.prefix.len() + word.chars().count();
        if self.column > 0 {
            if may_break && !self.is_one_line && self.column + 1 + length > COLUMNS {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(std::mem::take(&mut self.prefix));
        self.text.push_str(word);
        self.column += length;
    }

    fn open(&mut self) {
        self.prefix = "(";
        self.is_interrupted = true;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
        self.is_interrupted = true;
    }

    /// A move with its number where needed, glyphs and comments.
    fn node(&mut self, node: &Node) {
        for comment in &node.before {
            self.comment(comment);
        }
        let needs_number = self.is_interrupted || !self.has_moves;
        let mut word = String::new();
        match node.mover() {
            Color::White => {
                let _ = write!(word, "{}. ", node.number());
            }
            Color::Black if needs_number => {
                let _ = write!(word, "{}... ", node.number());
            }
            Color::Black => {}
        }
        self.word(&(word + node.san()));
        (self.is_interrupted, self.has_moves) = (false, true);
        for glyph in &node.glyphs {
            self.word(&format!("${glyph}"));
        }
        for comment in &node.comments {
            self.comment(comment);
        }
    }

    fn comment(&mut self, text: &str) {
        let text = printable(text);
        self.is_interrupted = true;
        // A brace cannot be escaped and would end the comment: such a comment is written with a semicolon.
        if text.contains('}') && !self.is_one_line {
            self.word(&format!("; {text}"));
            self.text.push('\n');
            self.column = 0;
            return;
        }
        // Broken only at single spaces, so that it reads back unchanged; and no line may start like a tag or an escape.
        let mut parts: Vec<(String, bool)> = Vec::new();
        let mut may_break = true;
        for word in text.split(' ') {
            let is_gap = word.is_empty();
            match parts.last_mut() {
                Some((last, _)) if is_gap || !may_break => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => parts.push((word.to_owned(), !word.starts_with(['[', '%']))),
            }
            may_break = !is_gap;
        }
        if let Some((first, may_break)) = parts.first_mut() {
            first.insert_str(0, "{ ");
            *may_break = true;
        }
        if let Some((last, _)) = parts.last_mut() {
            last.push_str(" }");
        }
        for (part, may_break) in &parts {
            self.part(part, *may_break);
        }
    }
}

/// Whether a tag has no field of its own in a record.
pub(crate) fn is_kept_tag(name: &str, value: &str) -> bool {
    let silent = matches!(name, "Event" | "Site" | "Date" | "Round") && ending::is_placeholder(value);
    !name.is_empty() && !OWN.contains(&name) && !silent
}

/// Tag names with a field of their own in a record.
const OWN: [&str; 9] =
    ["White", "Black", "Result", "FEN", "SetUp", "Variant", "Termination", "Reason", "Detail"];
