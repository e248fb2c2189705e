//! Games as they are found in files.

use shakmaty::Color;
use tabia_core::{Outcome, Reason, Score};

use super::*;
use crate::pgn::write;
use crate::record::{Ply, Variant};

fn games(text: &str) -> Vec<Result<GameRecord, LineError>> {
    Games::new(text.as_bytes(), "x.pgn").collect()
}

fn only(text: &str) -> GameRecord {
    let mut games = read_text(text).unwrap();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn actions(record: &GameRecord) -> Vec<&str> {
    record.plies.iter().map(|ply| ply.action.as_str()).collect()
}

const LICHESS: &str = r#"[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2025.05.01"]
[Round "-"]
[White "anna"]
[Black "boris \"the\" bear"]
[Result "1-0"]
[WhiteElo "1500"]
[Termination "Time forfeit"]

1. e4 { [%eval 0.18] [%clk 0:03:00] } 1... e5?! { [%eval 0.5] [%clk 0:02:59] Not the best. } (1... c5 2. Nf3 (2. c3) 2... d6) (1... e6) 2. Nf3 $1 $146 { [%eval #-4] [%clk 0:02:58] } 1-0
"#;

#[test]
fn a_game_is_read_with_what_is_said_of_it() {
    let record = only(LICHESS);
    assert_eq!((record.white.as_str(), record.black.as_str()), ("anna", "boris \"the\" bear"));
    assert_eq!(record.outcome, Some(Outcome::win(Color::White, Reason::TimeForfeit)));
    assert_eq!(actions(&record), ["e2e4", "e7e5", "g1f3"]);
    assert_eq!(
        (record.tag("WhiteElo"), record.tag("Result"), record.tag("Round")),
        (Some("1500"), None, Some("-"))
    );
    let expected = Ply {
        action: "e7e5".to_owned(),
        score: Some(Score::cp(-50)),
        clock_ms: Some(179_000),
        comment: Some("Not the best.".to_owned()),
        glyphs: vec![6],
        instead: ["c7c5", "g1f3", "d7d6"].map(str::to_owned).to_vec(),
        ..Ply::default()
    };
    assert_eq!(record.plies[1], expected);
    assert_eq!(record.plies[2].score, Some(Score::mated_in_plies(8)));
    assert_eq!(record.plies[2].glyphs, [1, 146]);
    assert_eq!((record.variant, record.start), (Variant::Chess, None));
}

#[test]
fn what_was_written_is_read_back() {
    let record = only(LICHESS);
    let text = write(&record).unwrap();
    assert_eq!(only(&text), record);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for expected in [
        "[Black \"boris \\\"the\\\" bear\"]\n[Result \"1-0\"]\n",
        "[Termination \"time forfeit\"]\n[Reason \"time forfeit\"]\n",
        "1. e4 { [%eval 0.18] [%clk 0:03:00] } 1... e5 $6",
        "(1... c5 2. Nf3 d6) 2. Nf3 $1 $146",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

#[test]
fn a_broken_game_is_named_with_its_line_and_the_next_one_is_read() {
    let text = "[White \"a\"]\n\n1. e4 e5\n2. Ke3 Nc6 1-0\n\n[White \"b\"]\n\n1. d4 Nf6 2. Sf3\nd5 *\n\n\n[White \"c\"]\n\n1. c4 *\n";
    let games = games(text);
    assert_eq!(games.len(), 3);
    let faults: Vec<String> = games[..2].iter().map(|game| game.as_ref().unwrap_err().to_string()).collect();
    assert!(faults[0].starts_with("x.pgn:4: \"Ke3\" is not legal in rnbqkbnr/pppp1ppp/"), "{}", faults[0]);
    assert_eq!(faults[1], "x.pgn:8: \"Sf3\" is not a move");
    assert_eq!(games[2].as_ref().unwrap().white, "c");
}

#[test]
fn what_is_wrong_is_said() {
    for (text, expected) in [
        (
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*",
            "x.pgn:1: the tag FEN is no position: White has no king",
        ),
        (
            "[Event \"\"]\n[Variant \"Antichess\"]\n\n1. e4 *",
            "x.pgn:2: the variant \"Antichess\" is not played here",
        ),
        ("1. e4 -- 2. d4 *", "\"--\" is a null move"),
        ("1. e4 * e5 *", "\"e5\" comes after the result"),
    ] {
        let fault = games(text)[0].clone().unwrap_err().to_string();
        assert!(fault.contains(expected), "{fault}");
    }
    let utf16: Vec<u8> = "\u{feff}1. e4 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let fault = Games::new(utf16.as_slice(), "x.pgn").next().unwrap().unwrap_err().to_string();
    assert!(fault.contains("UTF-16"), "{fault}");
}

/// The games of a text in movetext, and all faults.
fn trees(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for read in Trees::new(text.as_bytes(), "x.pgn") {
        match read {
            Ok(read) => {
                let written = crate::pgn::write_tree(&read.tree);
                games.push(written.split_whitespace().collect::<Vec<_>>().join(" "));
                faults.extend(read.faults.iter().map(ToString::to_string));
            }
            Err(fault) => faults.push(fault.to_string()),
        }
    }
    (games, faults)
}

#[test]
fn what_can_be_read_is_kept_and_the_rest_is_named() {
    for (text, expected, fault) in [
        (
            "[White \"a\"]\n\n1. e4 {open e5 *\n\n[White \"b\"]\n\n1. d4 1-0\n\n[White \"c\"]\n1. c4 {on",
            &[
                "[White \"a\"] 1. e4 { open e5 * } *",
                "[White \"b\"] 1. d4 1-0",
                "[White \"c\"] 1. c4 { on } *",
            ] as &[&str],
            &["x.pgn:3: this comment is not closed", "x.pgn:10: this comment is not closed"] as &[&str],
        ),
        ("1. f3\0 e5\0 \0 *", &["1. f3 e5 *"], &["x.pgn:1: \"f3\\0\" has a NUL byte"]),
        ("1. e4 $1 $1000 e5 *", &["1. e4 $1 e5 *"], &["x.pgn:1: \"$1000\" is not a glyph"]),
        (
            "[White \"a\"]\n[Event \"b]\n\n1. e4 *",
            &["[White \"a\"] [Event \"b]\"] 1. e4 *"],
            &["x.pgn:2: this tag is not closed"],
        ),
    ] {
        let (games, faults) = trees(text);
        assert_eq!(games, expected, "{text}");
        assert_eq!(faults.len(), fault.len(), "{faults:?}");
        assert!(faults.iter().zip(fault).all(|(told, known)| told.starts_with(known)), "{faults:?}");
    }
}

#[test]
fn tags_after_a_result_begin_a_game_on_any_line() {
    let text = "[Event \"x\"][White \"y\"] 1. e4 e5 1-0 [Event \"second\"] 1. d4 * [Event \"3\"]\n1. Sf3 * [Event \"4\"] 1. c4 *";
    let mut games = Trees::new(text.as_bytes(), "x.pgn");
    let mut spans = Vec::new();
    let mut read = Vec::new();
    while let Some(game) = games.next() {
        read.push(game.map(|game| game.tree.tag("Event").unwrap_or_default().to_owned()));
        spans.push((games.line(), games.span()));
    }
    assert_eq!(read[2].as_ref().unwrap_err().to_string(), "x.pgn:2: \"Sf3\" is not a move");
    let events: Vec<&str> = read.iter().flatten().map(String::as_str).collect();
    assert_eq!(events, ["x", "second", "4"]);
    assert_eq!(spans.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 1, 1, 2]);
    assert!(spans.windows(2).all(|pair| pair[0].1.end == pair[1].1.start), "{spans:?}");
    assert_eq!(spans[3].1.end, text.len() as u64);
}

#[test]
fn small_sins_are_forgiven() {
    // Coordinates, a missing `x`, castling with zeros, figures of other programs between the moves.
    let record = only("1.e2e4 d7d5 2. ed5 Qd5 3.Ng1f3 += Bg4 4.Be2 Nc6 5.0-0 0-0-0 ½-½");
    assert_eq!(actions(&record)[2..4], ["e4d5", "d8d5"]);
    assert_eq!(actions(&record)[8..], ["e1g1", "e8c8"]);
    assert_eq!(record.outcome, Some(Outcome::draw(Reason::Agreement)));
}

#[test]
fn latin_1_and_utf_8_names_are_read() {
    let text = b"[White \"H\xfcbner\"]\n\n1. e4 {f\xfcr} *";
    let game = Games::new(text.as_slice(), "x.pgn").next().unwrap().unwrap();
    assert_eq!((game.white.as_str(), game.plies[0].comment.as_deref()), ("Hübner", Some("für")));
    assert_eq!(only("\u{feff}[White \"Hübner\"]\r\n\r\n1. e4 *\r\n").white, "Hübner");
}

#[test]
fn chess960_castles_by_taking_the_rook() {
    let text = "[Variant \"fischerandom\"]\n[FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. Ng3 Ng6 2. O-O O-O *";
    let record = only(text);
    assert_eq!((record.variant, actions(&record)[2]), (Variant::Chess960, "f1g1"));
    assert_eq!(only(&write(&record).unwrap()), record);
}

#[test]
fn nothing_is_no_game() {
    for text in ["", " \n\r\n\t", "; a remark\n\n; another\n", "% escaped\n"] {
        assert_eq!(games(text), [], "{text:?}");
    }
    assert_eq!(games("*").len(), 1);
}

#[test]
fn long_comments_stay_whole() {
    let text = "word ".repeat(30_000);
    let record = only(&format!("1. e4 {{ {text} }} e5 *"));
    assert_eq!(record.plies[0].comment.as_deref(), Some(text.trim()));
    assert_eq!(record.plies.len(), 2);
}

#[test]
fn quantum_games_have_no_pgn() {
    let record = GameRecord { variant: Variant::Quantum, ..GameRecord::default() };
    assert!(write(&record).unwrap_err().to_string().contains("JSON replay"));
}
