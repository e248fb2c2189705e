//! What a journal keeps, and what it survives.

use std::fs;

use shakmaty::Color;
use tabia_core::{Outcome, Reason, Score};

use super::*;
use tabia_games::record::Ply;

fn record(moves: &str, outcome: Outcome) -> GameRecord {
    let plies = moves.split_whitespace().enumerate().map(|(index, action)| Ply {
        opening: index == 0,
        score: (index > 0).then(|| Score::mate_in_plies(5)),
        nodes: Some(index as u64),
        ..Ply::of(action)
    });
    GameRecord {
        white: "a".to_owned(),
        black: "b".to_owned(),
        plies: plies.collect(),
        outcome: Some(outcome),
        detail: Some("it hurts".to_owned()),
        tags: vec![("Round".to_owned(), "1.2".to_owned())],
        ..GameRecord::default()
    }
}

fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tabia-journal-{}-{name}", std::process::id()));
    fs::create_dir_all(&path).unwrap();
    path.join("games.jsonl")
}

#[test]
fn games_read_back_as_they_were() {
    let games = [
        record("e2e4 e7e5 g1f3", Outcome::draw(Reason::MoveLimit)),
        record("", Outcome::win(Color::Black, Reason::Fault)),
        record("d2d4", Outcome::win(Color::White, Reason::TimeForfeit)),
    ];
    let path = directory("back");
    let mut kept = Journal::open(&path).unwrap();
    let mut memory = Journal::in_memory();
    for (number, game) in [2, 0, 7].into_iter().zip(&games) {
        kept.add(number, game).unwrap();
        memory.add(number, game).unwrap();
    }
    drop(kept);
    let mut kept = Journal::open(&path).unwrap();
    assert_eq!((kept.len(), kept.dropped()), (3, 0));
    for (number, game) in [2, 0, 7].into_iter().zip(&games) {
        assert_eq!(kept.read(number).unwrap().as_ref(), Some(game));
        assert_eq!(memory.read(number).unwrap().as_ref(), Some(game));
    }
    assert_eq!(kept.read(1).unwrap(), None);
}

#[test]
fn every_reason_can_be_read_back() {
    let mut journal = Journal::in_memory();
    for (number, reason) in
        [Reason::Adjudication, Reason::IllegalMove, Reason::KingCaptured].into_iter().enumerate()
    {
        let game = record("e2e4", Outcome::win(Color::White, reason));
        journal.add(number, &game).unwrap();
        assert_eq!(journal.read(number).unwrap(), Some(game));
    }
}

#[test]
fn a_line_cut_anywhere_is_dropped_and_the_rest_kept() {
    let path = directory("cut");
    let mut journal = Journal::open(&path).unwrap();
    journal.add(0, &record("e2e4", Outcome::draw(Reason::Stalemate))).unwrap();
    let first = fs::read(&path).unwrap();
    journal.add(1, &record("d2d4 d7d5", Outcome::draw(Reason::Stalemate))).unwrap();
    drop(journal);
    let both = fs::read(&path).unwrap();
    for cut in first.len()..both.len() {
        fs::write(&path, &both[..cut]).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert_eq!((journal.len(), journal.dropped()), (1, cut - first.len()));
        journal.add(1, &record("d2d4 d7d5", Outcome::draw(Reason::Stalemate))).unwrap();
        drop(journal);
        assert_eq!(fs::read(&path).unwrap(), both);
    }
}

#[test]
fn a_broken_line_in_the_middle_is_named() {
    let path = directory("broken");
    let mut journal = Journal::open(&path).unwrap();
    journal.add(0, &record("e2e4", Outcome::draw(Reason::Stalemate))).unwrap();
    drop(journal);
    let good = fs::read_to_string(&path).unwrap();
    for (bad, why) in [
        ("{}\n", "missing field"),
        (good.as_str(), "twice"),
        (&good.replace("stalemate", "boredom").replace("\"game\":0", "\"game\":9"), "checksum"),
        (
            &without_checksum(&good.replace("stalemate", "boredom").replace("\"game\":0", "\"game\":9")),
            "boredom",
        ),
    ] {
        fs::write(&path, format!("{good}{bad}")).unwrap();
        let error = Journal::open(&path).err().unwrap().to_string();
        assert!(error.contains("games.jsonl:2:") && error.contains(why), "{error}");
    }
}

/// A line as earlier versions wrote it.
fn without_checksum(line: &str) -> String {
    let end = line.rfind(",\"crc32\"").unwrap();
    format!("{}}}\n", &line[..end])
}

#[test]
fn a_journal_of_an_earlier_version_is_read_and_continued() {
    let path = directory("earlier");
    let (first, second) = (
        record("e2e4", Outcome::draw(Reason::Stalemate)),
        record("d2d4", Outcome::win(Color::White, Reason::Fault)),
    );
    let mut journal = Journal::open(&path).unwrap();
    journal.add(0, &first).unwrap();
    drop(journal);
    fs::write(&path, without_checksum(&fs::read_to_string(&path).unwrap())).unwrap();
    let mut journal = Journal::open(&path).unwrap();
    journal.add(1, &second).unwrap();
    drop(journal);
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!(journal.read(0).unwrap(), Some(first));
    assert_eq!(journal.read(1).unwrap(), Some(second));
}

#[test]
fn no_flipped_bit_changes_a_game_unnoticed() {
    let path = directory("flipped");
    let games = [
        record("e2e4 e7e5", Outcome::draw(Reason::Stalemate)),
        record("d2d4", Outcome::draw(Reason::Stalemate)),
    ];
    let mut journal = Journal::open(&path).unwrap();
    for (number, game) in games.iter().enumerate() {
        journal.add(number, game).unwrap();
    }
    journal.retract(&[1]).unwrap();
    drop(journal);
    let good = fs::read(&path).unwrap();
    for bit in 0..good.len() * 8 {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bytes).unwrap();
        // It is refused, or the damaged line is the last one and dropped as unfinished.
        let Ok(mut journal) = Journal::open(&path) else { continue };
        assert!(journal.dropped() > 0, "bit {bit}");
        assert_eq!(journal.read(0).unwrap().as_ref(), Some(&games[0]), "bit {bit}");
    }
}

#[test]
fn a_game_that_is_taken_back_can_be_played_again() {
    let path = directory("retracted");
    let mut journal = Journal::open(&path).unwrap();
    let (forged, played) = (
        record("e2e4", Outcome::win(Color::White, Reason::Fault)),
        record("d2d4", Outcome::draw(Reason::Stalemate)),
    );
    for game in [0, 1, 2] {
        journal.add(game, &forged).unwrap();
    }
    journal.retract(&[1, 2, 7]).unwrap();
    assert_eq!((journal.len(), journal.has(1), journal.read(1).unwrap()), (1, false, None));
    journal.add(1, &played).unwrap();
    drop(journal);
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!((journal.len(), journal.has(2)), (2, false));
    assert_eq!(journal.read(1).unwrap(), Some(played));
    assert_eq!(journal.read(0).unwrap(), Some(forged));
}

#[test]
fn two_cannot_write_the_same_journal() {
    let path = directory("locked");
    let _first = Journal::open(&path).unwrap();
    assert!(matches!(Journal::open(&path), Err(TournamentError::Run(RunError::InUse(_)))));
}
