//! Replays as files have them.

use super::*;
use crate::pgn;
use shakmaty::Color;
use tabia_core::{Reason, Score};

const SEED: &str = r#"{"moves":["f2f3","e7e5","g2g4","d8h4"],"result":"0-1","white":"Human","black":"AI (Depth 4)",
 "event":"Casual Game","timestamp":"2024-01-15T14:30:00","something_else":[1,2]}"#;

#[test]
fn the_seeds_replay_is_read() {
    let record = read(SEED).unwrap();
    assert_eq!(record.outcome, Some(Outcome::win(Color::Black, Reason::Checkmate)));
    assert_eq!((record.white.as_str(), record.black.as_str()), ("Human", "AI (Depth 4)"));
    assert_eq!(record.tag("Date"), Some("2024.01.15"));
    let text = pgn::write(&record).unwrap();
    for part in ["[Event \"Casual Game\"]", "[Date \"2024.01.15\"]", "[Time \"14:30:00\"]", "2. g4 Qh4# 0-1"]
    {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn replay_and_pgn_say_the_same() {
    let mut record = read(SEED).unwrap();
    record.detail = Some("a short one".to_owned());
    record.tags.push(("WhiteElo".to_owned(), "800".to_owned()));
    record.plies[0] = Ply {
        score: Some(Score::mated_in_plies(4)),
        depth: Some(9),
        nodes: Some(12_345),
        time_ms: Some(250),
        clock_ms: Some(60_000),
        comment: Some("Weak.".to_owned()),
        glyphs: vec![4],
        instead: vec!["e2e4".to_owned()],
        opening: true,
        ..record.plies[0].clone()
    };
    record.plies[1].score = Some(Score::cp(-17));
    let json = write(&record);
    assert!(json.contains("\"mate\": -2") && json.contains("\"score_cp\": 17"), "{json}");
    assert_eq!(read(&json).unwrap(), record);
    assert_eq!(pgn::read_text(&pgn::write(&record).unwrap()).unwrap(), [record]);
}

#[test]
fn a_plain_game_is_plain_json() {
    let json: Value = serde_json::from_str(&write(&read(SEED).unwrap())).unwrap();
    let expected = serde_json::json!({
        "moves": ["f2f3", "e7e5", "g2g4", "d8h4"], "result": "0-1", "reason": "checkmate",
        "white": "Human", "black": "AI (Depth 4)", "event": "Casual Game",
        "timestamp": "2024-01-15T14:30:00", "variant": "chess",
    });
    assert_eq!(json, expected);
}

#[test]
fn other_starts_and_variants_are_kept() {
    let text =
        r#"{"moves":["e1h1"],"variant":"chess960","fen":"4k3/8/8/8/8/8/8/4K2R w H - 0 1","result":"*"}"#;
    let record = read(text).unwrap();
    assert_eq!((record.variant, record.outcome), (Variant::Chess960, None));
    assert_eq!(read(&write(&record)).unwrap(), record);
    let quantum = read(r#"{"moves":["b1^a3c3","measure:1"],"variant":"quantum","result":"1-0"}"#).unwrap();
    assert_eq!(quantum.plies[1].action, "measure:1");
    assert_eq!(read(&write(&quantum)).unwrap(), quantum);
    let text = r#"{"moves":["b1~c3"],"variant":"quantum","result":"*","seed":7,"rules":2}"#;
    let quantum = read(text).unwrap();
    assert_eq!((quantum.tag("Seed"), quantum.tag(RULES)), (Some("7"), Some("2")));
    assert!(write(&quantum).contains("\"rules\": 2"));
    assert_eq!(read(&write(&quantum)).unwrap(), quantum);
}

#[test]
fn what_is_wrong_is_named() {
    for (text, expected) in [
        ("[]", "the document is []; expected an object with \"moves\""),
        ("{", "not valid JSON"),
        ("{}", "\"moves\" is missing"),
        (r#"{"moves":3}"#, "\"moves\" is 3; expected a list"),
        (r#"{"moves":["e2e4",5]}"#, "\"moves[1]\" is 5; expected a text"),
        (r#"{"moves":["e2e4","e2e4"]}"#, "half-move 2: \"e2e4\" is not legal"),
        (r#"{"moves":[],"result":"2-0"}"#, "\"result\" is \"2-0\"; expected 1-0"),
        (r#"{"moves":[],"reason":"boredom","result":"1-0"}"#, "\"reason\" is \"boredom\""),
        (r#"{"moves":[],"variant":"checkers"}"#, "\"variant\" is \"checkers\"; expected chess"),
        (r#"{"moves":[],"timestamp":"yesterday"}"#, "\"timestamp\" is \"yesterday\""),
        (r#"{"moves":[],"fen":"8/8 w - -"}"#, "the start position is invalid"),
        (r#"{"moves":["e2e4"],"thoughts":[{"depth":"x"}]}"#, "\"thoughts[0].depth\" is \"x\""),
        (
            r#"{"moves":["e2e4"],"thoughts":[{"score_cp":32645}]}"#,
            "\"thoughts[0].score_cp\" is 32645; expected a number between -30000 and 30000",
        ),
        (r#"{"moves":["e2e4"],"thoughts":[7]}"#, "\"thoughts[0]\" is 7; expected an object"),
    ] {
        let fault = read(text).unwrap_err().to_string();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}
