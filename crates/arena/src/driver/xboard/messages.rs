//! Parsing of the lines that an xboard engine writes.

use tabia_core::Score;

/// A parsed line.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A move.
    Move(String),
    /// Thinking output.
    SearchInfo {
        /// Depth in plies.
        depth: u32,
        /// The score, from the engine's side.
        score: Score,
        /// Positions visited.
        nodes: u64,
    },
    /// Declared features, as names and values.
    Features(Vec<(String, String)>),
    /// The answer to `ping`.
    Pong(u32),
    /// Resignation.
    Resign,
    /// A claimed result: `1-0`, `0-1`, `1/2-1/2`.
    Result(String),
    /// An error or illegal-move message.
    Refusal(String),
    /// Anything else.
    Other,
}

/// Scores beyond this are mates: engines of this protocol write 100 000 and so many moves, or 30 000 and so.
const MATES_FROM: i64 = 28_000;

/// Parses a line.
pub fn read(line: &str) -> Message {
    let line = line.trim();
    let mut tokens = line.split_whitespace();
    let first = tokens.next().unwrap_or_default();
    match first {
        "move" => tokens.next().map_or(Message::Other, |text| Message::Move(text.to_owned())),
        "feature" => Message::Features(features(&line["feature".len()..])),
        "pong" => tokens.next().and_then(|number| number.parse().ok()).map_or(Message::Other, Message::Pong),
        "resign" => Message::Resign,
        "1-0" | "0-1" | "1/2-1/2" => Message::Result(first.to_owned()),
        "Illegal" | "Error" => Message::Refusal(line.to_owned()),
        "result" => tokens.next().map_or(Message::Other, |result| Message::Result(result.to_owned())),
        _ => old_move(line).or_else(|| thinking_output(line)).unwrap_or(Message::Other),
    }
}

/// As the first version of the protocol has it: `My move is: e7e5`, or `1. ... e7e5`.
fn old_move(line: &str) -> Option<Message> {
    const OLD: &str = "my move is";
    let text = match line.split_once(" ... ") {
        Some((number, text)) if number.trim_end_matches('.').parse::<u32>().is_ok() => text,
        _ if line.get(..OLD.len())?.eq_ignore_ascii_case(OLD) => &line[OLD.len()..],
        _ => return None,
    };
    let text = text.trim_start_matches([':', ' ', '-', '>']).split_whitespace().next()?;
    Some(Message::Move(text.to_owned()))
}

/// `ply score time nodes pv`; the ply may have a mark after it.
fn thinking_output(line: &str) -> Option<Message> {
    let mut tokens = line.split_whitespace();
    let depth = tokens.next()?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
    let score: i64 = tokens.next()?.parse().ok()?;
    let _centiseconds: i64 = tokens.next()?.parse().ok()?;
    let nodes = tokens.next()?.parse().ok()?;
    // How far a mate is, engines say in different ways; that it is one, they all do.
    let score = match score {
        _ if score >= MATES_FROM => Score::EVALUATION_BOUND,
        _ if score <= -MATES_FROM => -Score::EVALUATION_BOUND,
        _ => Score::cp(score as i32),
    };
    Some(Message::SearchInfo { depth, score, nodes })
}

/// `name=value name="a value with spaces" …`
fn features(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        found.push((name.trim().to_owned(), value.to_owned()));
        rest = next.trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_both_versions_are_read() {
        for line in ["move e7e5", "My move is: e7e5", "1. ... e7e5", "my move is e7e5"] {
            assert_eq!(read(line), Message::Move("e7e5".to_owned()), "{line}");
        }
        assert_eq!(read("move"), Message::Other);
    }

    #[test]
    fn features_may_be_quoted_and_many_on_a_line() {
        let Message::Features(found) = read(r#"feature ping=1 myname="Phalanx XXV" san=0 done=1"#) else {
            panic!("not features")
        };
        let expected = [("ping", "1"), ("myname", "Phalanx XXV"), ("san", "0"), ("done", "1")];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn thinking_output_is_distinguished_from_other_lines() {
        let expected = Message::SearchInfo { depth: 8, score: Score::cp(-35), nodes: 1234 };
        assert_eq!(read("  8.  -35  12  1234  e2e4 e7e5"), expected);
        assert_eq!(read("8& -35 12 1234\te2e4"), expected);
        assert_eq!(read("8 hello 12 1234"), Message::Other);
        let Message::SearchInfo { score, .. } = read("9 100003 12 1234 e2e4") else {
            panic!("no thinking output")
        };
        assert_eq!(score, Score::EVALUATION_BOUND);
    }

    #[test]
    fn ends_and_refusals_are_read() {
        assert_eq!(read("resign"), Message::Resign);
        assert_eq!(read("0-1 {White resigns}"), Message::Result("0-1".to_owned()));
        assert_eq!(read("Illegal move: e2e5"), Message::Refusal("Illegal move: e2e5".to_owned()));
        assert_eq!(read("pong 7"), Message::Pong(7));
        assert_eq!(read("# a remark"), Message::Other);
        assert_eq!(read(""), Message::Other);
    }
}
