//! The comment after a move: commands in brackets, and text.

use shakmaty::Color;
use tabia_core::Score;

use crate::record::Ply;

/// Milliseconds in an hour, a minute, a second.
const HOUR: u64 = 3_600_000;
const MINUTE: u64 = 60_000;
const SECOND: u64 = 1_000;

/// Adds the contents of a comment to the ply it follows. `mover` made the move.
pub fn read(text: &str, mover: Color, ply: &mut Ply) {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("[%") {
        let Some(length) = rest[start..].find(']') else { break };
        plain.push_str(&rest[..start]);
        let command = &rest[start..=start + length];
        if apply_command(&command[2..command.len() - 1], mover, ply).is_none() {
            plain.push_str(command);
        }
        plain.push(' ');
        rest = &rest[start + length + 1..];
    }
    plain.push_str(rest);
    let tokens: Vec<&str> = plain.split_whitespace().collect();
    let spoken = &tokens[cutechess(&tokens, ply)..];
    if !spoken.is_empty() {
        let spoken = spoken.join(" ");
        ply.comment = Some(match ply.comment.take() {
            Some(before) => format!("{before} {spoken}"),
            None => spoken,
        });
    }
}

/// Applies a command, given without its brackets; `None` if it is unknown or invalid.
fn apply_command(command: &str, mover: Color, ply: &mut Ply) -> Option<()> {
    let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let value = value.trim();
    match name {
        "eval" => ply.score = Some(eval(value, mover)?),
        "clk" => ply.clock_ms = Some(time(value)?),
        "emt" => ply.time_ms = Some(time(value)?),
        "depth" => ply.depth = Some(value.parse().ok()?),
        "nodes" => ply.nodes = Some(value.parse().ok()?),
        "book" => ply.opening = true,
        _ => return None,
    }
    Some(())
}

/// Converts White's view after the move to the mover's view before it. lichess may add the depth: `0.35,18`.
fn eval(value: &str, mover: Color) -> Option<Score> {
    let value = value.split(',').next().unwrap_or(value).trim();
    if let Some(moves) = value.strip_prefix('#') {
        let white: i32 = moves.parse().ok()?;
        let mine = mover.fold_wb(white, -white);
        let distance = u16::try_from(mine.unsigned_abs()).ok().filter(|moves| (1..1000).contains(moves))?;
        // The mating side has just moved, or moves next.
        return Some(if mine > 0 {
            Score::mate_in_plies(2 * distance + 1)
        } else {
            Score::mated_in_plies(2 * distance)
        });
    }
    let white = centipawns(value)?;
    Some(mover.fold_wb(white, -white))
}

fn centipawns(pawns: &str) -> Option<Score> {
    let pawns: f64 = pawns.parse().ok().filter(|pawns: &f64| pawns.is_finite())?;
    let raw = (pawns * 100.0).round() as i32;
    let score = Score::from_raw(raw);
    Some(if score.is_decisive() && !score.is_mate() { score } else { Score::cp(raw) })
}

/// `0:01:02.5` in milliseconds; the hours are optional.
fn time(value: &str) -> Option<u64> {
    let mut total = 0.0;
    let mut parts = 0;
    for part in value.split(':') {
        let part: f64 = part.trim().parse().ok().filter(|part: &f64| part.is_finite() && *part >= 0.0)?;
        total = total * 60.0 + part;
        parts += 1;
    }
    (parts <= 3).then_some((total * SECOND as f64).round() as u64)
}

/// `+0.35/18 0.12s` or `book`, as cutechess and fastchess write; returns the number of words that were consumed.
fn cutechess(tokens: &[&str], ply: &mut Ply) -> usize {
    let Some((score, depth)) = tokens.first().and_then(|word| word.split_once('/')) else {
        let book = tokens.first().is_some_and(|word| *word == "book");
        ply.opening |= book;
        return usize::from(book);
    };
    let (Some(score), Ok(depth)) = (cutechess_score(score), depth.parse()) else { return 0 };
    (ply.score, ply.depth) = (Some(score), Some(depth));
    let time = tokens.get(1).map(|word| word.trim_end_matches(','));
    match time.and_then(|word| word.strip_suffix('s')).and_then(time_in_seconds) {
        Some(ms) => {
            ply.time_ms = Some(ms);
            2
        }
        None => 1,
    }
}

fn time_in_seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)?;
    Some((seconds * SECOND as f64).round() as u64)
}

/// In the mover's view, before the move: `+0.35`, `-M4` is being mated after four half-moves.
fn cutechess_score(text: &str) -> Option<Score> {
    if !text.contains(['.', 'M']) {
        return None;
    }
    let (mine, text) = match text.as_bytes().first()? {
        b'+' => (true, &text[1..]),
        b'-' => (false, &text[1..]),
        _ => (true, text),
    };
    let score = match text.strip_prefix('M') {
        Some(plies) => Score::mate_in_plies(plies.parse().ok().filter(|plies| (1..2000).contains(plies))?),
        None => centipawns(text)?,
    };
    Some(if mine { score } else { -score })
}

/// A comment without its commands of these names (`eval` is `[%eval …]`).
pub fn without_commands(text: &str, names: &[&str]) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("[%") {
        let Some(length) = rest[start..].find(']') else { break };
        let command = &rest[start..=start + length];
        let name = command[2..command.len() - 1].split_whitespace().next().unwrap_or_default();
        kept.push_str(&rest[..start]);
        rest = &rest[start + length + 1..];
        if names.contains(&name) {
            rest = rest.trim_start();
        } else {
            kept.push_str(command);
        }
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}

/// The values of a command in some comments: `[%csl Gd4,Rf7]` has two.
pub fn command_values(comments: &[String], name: &str) -> Vec<String> {
    let opening = format!("[%{name} ");
    let values = comments.iter().flat_map(|comment| comment.split(opening.as_str()).skip(1));
    let values = values.filter_map(|rest| rest.split_once(']')).flat_map(|(value, _)| value.split(','));
    values.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
}

/// The comments of a move with added analysis: a first comment of commands and text. Commands of the same names are
/// replaced wherever they are; an existing equal text is not repeated.
pub fn set_commands(comments: &mut Vec<String>, commands: &[(&str, String)], text: Option<&str>) {
    let names: Vec<&str> = commands.iter().map(|(name, _)| *name).collect();
    for comment in comments.iter_mut() {
        *comment = without_commands(comment, &names);
    }
    comments.retain(|comment| !comment.is_empty() && Some(comment.as_str()) != text);
    let commands = commands.iter().filter(|(_, value)| !value.is_empty());
    let parts = commands.map(|(name, value)| format!("[%{name} {value}]"));
    let first = parts.chain(text.map(str::to_owned)).collect::<Vec<_>>().join(" ");
    if !first.is_empty() {
        comments.insert(0, first);
    }
}

/// The `[%eval]` of a score for the mover before the move; `None` for a mating move.
pub fn eval_value(score: Score, mover: Color) -> Option<String> {
    white_eval(score, mover)
}

/// The commands for a ply, in their order.
pub fn commands(ply: &Ply, mover: Color) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(eval) = ply.score.and_then(|score| white_eval(score, mover)) {
        commands.push(format!("[%eval {eval}]"));
    }
    commands.extend(ply.depth.map(|depth| format!("[%depth {depth}]")));
    commands.extend(ply.nodes.map(|nodes| format!("[%nodes {nodes}]")));
    commands.extend(ply.time_ms.map(|ms| format!("[%emt {}]", clock(ms))));
    commands.extend(ply.clock_ms.map(|ms| format!("[%clk {}]", clock(ms))));
    if ply.opening {
        commands.push("[%book]".to_owned());
    }
    commands
}

/// White's view after the move; `None` for a mating move.
fn white_eval(score: Score, mover: Color) -> Option<String> {
    let Some(plies) = score.plies_to_mate() else {
        let white = mover.fold_wb(score, -score);
        return Some(format!("{:.2}", f64::from(white.raw()) / 100.0));
    };
    // One ply has passed: the mating side has this many moves left.
    let left = plies.abs() / 2;
    if left == 0 {
        return None;
    }
    let white = if (plies > 0) == (mover == Color::White) { left } else { -left };
    Some(format!("#{white}"))
}

/// `0:01:02.5`.
fn clock(ms: u64) -> String {
    let (hours, minutes, seconds) = (ms / HOUR, ms / MINUTE % 60, ms / SECOND % 60);
    let whole = format!("{hours}:{minutes:02}:{seconds:02}");
    match ms % SECOND {
        0 => whole,
        fraction => format!("{whole}.{}", format!("{fraction:03}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, mover: Color) -> Ply {
        let mut ply = Ply::default();
        read(text, mover, &mut ply);
        ply
    }

    #[test]
    fn lichess_comments_are_understood() {
        let ply = said(" [%eval -0.17] [%clk 0:03:00] ", Color::Black);
        assert_eq!((ply.score, ply.clock_ms, ply.comment), (Some(Score::cp(17)), Some(180_000), None));
        // White has moved and mates in two more moves: five plies before the move.
        assert_eq!(said("[%eval #2]", Color::White).score, Some(Score::mate_in_plies(5)));
        assert_eq!(said("[%eval #2]", Color::Black).score, Some(Score::mated_in_plies(4)));
        assert_eq!(said("[%eval 0.35,18]", Color::White).score, Some(Score::cp(35)));
    }

    #[test]
    fn words_and_unknown_commands_are_kept() {
        let ply = said("  The   point. [%csl Gd5] [%emt 0:00:01.25] Now\nBlack", Color::White);
        assert_eq!(ply.comment.as_deref(), Some("The point. [%csl Gd5] Now Black"));
        assert_eq!(ply.time_ms, Some(1_250));
        let ply = said("[%eval none] [%clk soon] [%depth -1]", Color::White);
        assert_eq!(ply.comment.as_deref(), Some("[%eval none] [%clk soon] [%depth -1]"));
        assert_eq!(said("[%eval 1", Color::White).comment.as_deref(), Some("[%eval 1"));
    }

    #[test]
    fn what_was_analysed_replaces_what_was_said_of_it_before() {
        let mut comments =
            vec!["[%eval 0.3] [%clk 0:01:00] Best. [%csl Gd4,Rf7]".to_owned(), "A remark.".to_owned()];
        assert_eq!(command_values(&comments, "csl"), ["Gd4", "Rf7"]);
        let commands = [("eval", "-1.20".to_owned()), ("depth", String::new()), ("csl", "Gd4".to_owned())];
        for _ in 0..2 {
            set_commands(&mut comments, &commands, Some("A mistake."));
            assert_eq!(
                comments,
                ["[%eval -1.20] [%csl Gd4] A mistake.", "[%clk 0:01:00] Best.", "A remark."]
            );
        }
    }

    #[test]
    fn cutechess_comments_are_understood() {
        let ply = said("+0.35/18 0.12s", Color::Black);
        assert_eq!((ply.score, ply.depth, ply.time_ms), (Some(Score::cp(35)), Some(18), Some(120)));
        let ply = said("-M4/20 1.5s, White mates", Color::Black);
        assert_eq!((ply.score, ply.time_ms), (Some(Score::mated_in_plies(4)), Some(1_500)));
        assert_eq!(ply.comment.as_deref(), Some("White mates"));
        assert!(said("book", Color::White).opening);
        assert_eq!(said("1/2 is fair", Color::White).comment.as_deref(), Some("1/2 is fair"));
    }

    #[test]
    fn a_move_that_mates_has_no_eval() {
        let mate = |plies| white_eval(Score::mate_in_plies(plies), Color::Black);
        assert_eq!((mate(1), mate(3).as_deref()), (None, Some("#-1")));
        assert_eq!(white_eval(Score::mated_in_plies(2), Color::White).as_deref(), Some("#-1"));
    }

    #[test]
    fn clocks_are_as_exact_as_they_need_to_be() {
        for (ms, text) in [(0, "0:00:00"), (59_900, "0:00:59.9"), (3_723_045, "1:02:03.045")] {
            assert_eq!((clock(ms).as_str(), time(text)), (text, Some(ms)));
        }
    }
}
