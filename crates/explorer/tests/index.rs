//! An index built from files, and what it answers.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use shakmaty::{Color, KnownOutcome};
use tabia_core::{ChessGame, Game, Stop};
use tabia_explorer::{Filter, Lookup, PositionCount, Progress, Span, build};

/// A folder of a test's own, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tabia-explorer-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn database(&self) -> PathBuf {
        self.0.join("index.sqlite3")
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const GAMES: &str = r#"[Event "One"]
[White "Ada"]
[Black "Babbage"]
[WhiteElo "2700"]
[BlackElo "2650"]
[Date "2020.05.01"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 {a comment} (2... d6 3. d4) 3. Bb5 1-0

[Event "Two"]
[White "Curie"]
[Black "Darwin"]
[Result "1/2-1/2"]

1. Nf3 Nc6 2. e4 e5 3. Bc4 1/2-1/2

[Event "Three"]
[White "Euler"]
[Black "Fermat"]
[Result "0-1"]

1. d4 d5 0-1
"#;

fn index(database: &Path, files: &[PathBuf]) -> Progress {
    build(database, files, &Stop::new(), &mut |_| {}).unwrap()
}

fn after(database: &Path, moves: &str) -> PositionCount {
    filtered(database, moves, &Filter::default())
}

fn filtered(database: &Path, moves: &str, filter: &Filter) -> PositionCount {
    let mut game = ChessGame::default();
    for text in moves.split_whitespace() {
        let m = game.read_move(text).unwrap();
        game.apply(m);
    }
    Lookup::open(database).unwrap().position(game.position(), filter).unwrap()
}

#[test]
fn moves_are_counted_by_position_whatever_their_order() {
    let folder = Folder::new();
    let database = folder.database();
    let done = index(&database, &[folder.write("games.pgn", GAMES)]);
    assert_eq!((done.games, done.faults, done.complete), (3, 0, true));

    let start = after(&database, "");
    assert_eq!(
        (start.results.games, start.results.white, start.results.draws, start.results.black),
        (3, 1, 1, 1)
    );
    assert_eq!(start.moves.len(), 3);
    let italian_or_lopez = after(&database, "e4 e5 Nf3 Nc6");
    assert_eq!(italian_or_lopez.results.games, 2, "transpositions meet");
    assert_eq!(italian_or_lopez.moves.len(), 2);
    let names: Vec<&str> = italian_or_lopez.games.iter().map(|game| game.white.as_str()).collect();
    assert_eq!(names, ["Ada", "Curie"], "the highest rated first");
    let ended = after(&database, "d4 d5");
    assert_eq!((ended.results.games, ended.moves.len()), (1, 0), "a game is found by its last position, too");
    assert_eq!(after(&database, "e4 e5 Nf3 d6").results.games, 0, "variations are no games");
}

#[test]
fn a_game_is_read_from_its_file_as_it_stands_there() {
    let folder = Folder::new();
    let database = folder.database();
    index(&database, &[folder.write("one.pgn", GAMES), folder.write("two.pgn", GAMES)]);
    let found = after(&database, "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(found.results.games, 2);
    let lookup = Lookup::open(&database).unwrap();
    for game in &found.games {
        let text = lookup.pgn(game.id).unwrap().unwrap();
        assert!(text.trim().starts_with("[Event \"One\"]") && text.trim().ends_with("3. Bb5 1-0"), "{text}");
    }
    assert_eq!(lookup.pgn(99).unwrap(), None);
}

#[test]
fn an_interrupted_index_goes_on_where_it_was() {
    let folder = Folder::new();
    let text = GAMES.repeat(400);
    let file = folder.write("games.pgn", &text);
    let whole = folder.0.join("whole.sqlite3");
    index(&whole, std::slice::from_ref(&file));

    let parts = folder.database();
    let mut rounds = 0;
    loop {
        let stop = Stop::new();
        let mut told = 0;
        let done = build(&parts, std::slice::from_ref(&file), &stop, &mut |_| {
            told += 1;
            if told == 3 {
                stop.stop();
            }
        })
        .unwrap();
        rounds += 1;
        if done.complete {
            assert_eq!((done.games, done.bytes), (1200, text.len() as u64));
            break;
        }
        assert!(rounds < 100, "it does not go on");
    }
    assert!(rounds > 1, "it was interrupted");
    for moves in ["", "e4", "e4 e5 Nf3 Nc6", "d4 d5"] {
        let (mut one, mut two) = (after(&parts, moves), after(&whole, moves));
        one.games.clear();
        two.games.clear();
        assert_eq!(one, two, "after {moves}");
    }
}

#[test]
fn a_position_of_many_games_is_counted_as_any_other() {
    let folder = Folder::new();
    let database = folder.database();
    index(&database, &[folder.write("games.pgn", &GAMES.repeat(400))]);
    let start = after(&database, "");
    assert_eq!((start.results.games, start.results.white), (1200, 400));
    assert_eq!(start.moves.iter().map(|count| count.results.games).sum::<u32>(), 1200);
    assert_eq!(start.games.len(), 20);
    assert!(start.games.iter().all(|game| game.white == "Ada"));
}

#[test]
fn a_broken_game_is_told_with_its_line_and_the_others_are_kept() {
    let folder = Folder::new();
    let database = folder.database();
    let broken = GAMES.replace("1. Nf3 Nc6 2. e4 e5", "1. Nf3 Ke4 2. e4 e5");
    let done = index(&database, &[folder.write("games.pgn", &broken)]);
    assert_eq!((done.games, done.faults), (2, 1));
    let faults = Lookup::open(&database).unwrap().faults(5).unwrap();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].1 == 16 && faults[0].2.contains("Ke4"), "{faults:?}");
    let again = index(&database, &[folder.0.join("games.pgn")]);
    assert_eq!((again.games, again.faults, again.complete), (2, 1, true), "nothing is read twice");
}

#[test]
fn a_file_that_has_changed_is_read_anew() {
    let folder = Folder::new();
    let database = folder.database();
    let file = folder.write("games.pgn", GAMES);
    index(&database, std::slice::from_ref(&file));
    folder.write("games.pgn", &GAMES.replace("1. d4 d5", "1. c4 c5 2. g3"));
    index(&database, std::slice::from_ref(&file));
    assert_eq!(after(&database, "d4").results.games, 0);
    assert_eq!(after(&database, "c4").results.games, 1);
}

#[test]
fn a_missing_file_is_an_error_with_its_name() {
    let folder = Folder::new();
    let error = build(&folder.database(), &[folder.0.join("no.pgn")], &Stop::new(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("no.pgn"), "{error}");
}

/// Who had White and Black, their ratings, when, and how it ended; all begin with the same move.
fn played(white: &str, black: &str, ratings: Option<(u16, u16)>, date: &str, result: &str) -> String {
    let rated = ratings
        .map_or(String::new(), |(white, black)| format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n"));
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n{rated}[Date \"{date}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
    )
}

/// Two games by Carlsen, one against a name with wildcards in it, one without ratings and one without a date.
fn some_games() -> String {
    [
        played("Carlsen,M", "Anand,V", Some((2850, 2800)), "2014.11.08", "1-0"),
        played("Anand,V", "Carlsen,M", Some((2790, 2850)), "2013.??.??", "1/2-1/2"),
        played("Club_Player", "100% Human", Some((1600, 1500)), "2020.02.29", "0-1"),
        played("Nobody", "Somebody", None, "2021.05", "1-0"),
        played("Old Master", "Other Master", Some((2500, 2400)), "????.??.??", "1/2-1/2"),
    ]
    .concat()
}

#[test]
fn a_filter_says_which_games_count() {
    let folder = Folder::new();
    let database = folder.database();
    index(&database, &[folder.write("games.pgn", &some_games())]);
    let date = |text: &str| Some(text.parse().unwrap());
    let player = |name: &str| Filter { player: Some(name.to_owned()), ..Filter::default() };
    let cases: [(&str, Filter, &[&str]); 14] = [
        ("none", Filter::default(), &["Carlsen,M", "Anand,V", "Old Master", "Club_Player", "Nobody"]),
        ("rating", Filter { rating: Some(2450..=2822), ..Filter::default() }, &["Anand,V", "Old Master"]),
        ("rating to", Filter { rating: Some(0..=1550), ..Filter::default() }, &["Club_Player"]),
        (
            "since",
            Filter { since: date("2014-11-08"), ..Filter::default() },
            &["Carlsen,M", "Club_Player", "Nobody"],
        ),
        ("until", Filter { until: date("2014"), ..Filter::default() }, &["Carlsen,M", "Anand,V"]),
        (
            "a year's unknown day",
            Filter { since: date("2013-06"), until: date("2013-06"), ..Filter::default() },
            &["Anand,V"],
        ),
        (
            "a month",
            Filter { since: date("2020-02"), until: date("2020-02"), ..Filter::default() },
            &["Club_Player"],
        ),
        (
            "result",
            Filter { result: Some(KnownOutcome::Decisive { winner: Color::White }), ..Filter::default() },
            &["Carlsen,M", "Nobody"],
        ),
        (
            "draws",
            Filter { result: Some(KnownOutcome::Draw), ..Filter::default() },
            &["Anand,V", "Old Master"],
        ),
        ("player", player("carlsen"), &["Carlsen,M", "Anand,V"]),
        ("colour", Filter { color: Some(Color::Black), ..player("Carlsen") }, &["Anand,V"]),
        ("wildcards", player("0% h"), &["Club_Player"]),
        ("underscore", player("d_m"), &[]),
        (
            "everything",
            Filter { rating: Some(2800..=2900), since: date("2014"), ..player("anand") },
            &["Carlsen,M"],
        ),
    ];
    for (what, filter, expected) in cases {
        for moves in ["", "e4"] {
            let found = filtered(&database, moves, &filter);
            let names: Vec<&str> = found.games.iter().map(|game| game.white.as_str()).collect();
            assert_eq!(names, expected, "{what}");
            assert_eq!(found.results.games as usize, expected.len(), "{what}");
        }
    }
}

#[test]
fn positions_of_many_games_are_filtered_too() {
    let folder = Folder::new();
    let database = folder.database();
    index(&database, &[folder.write("games.pgn", &some_games().repeat(300))]);
    assert_eq!(after(&database, "").results.games, 1500);
    let drawn = Filter { result: Some(KnownOutcome::Draw), ..Filter::default() };
    let found = filtered(&database, "", &drawn);
    assert_eq!((found.results.games, found.results.draws, found.moves[0].results.draws), (600, 600, 600));
    assert_eq!(found.games.len(), 20);
    assert!(found.games.iter().all(|game| game.result == "1/2-1/2"));
}

#[test]
fn an_index_says_what_can_be_filtered() {
    let folder = Folder::new();
    let database = folder.database();
    let lookup = Lookup::open(&database).unwrap();
    assert_eq!((lookup.ratings().unwrap(), lookup.years().unwrap()), (None, None));
    index(&database, &[folder.write("games.pgn", &some_games())]);
    assert_eq!(lookup.ratings().unwrap(), Some(Span { min: 1550, max: 2825 }));
    assert_eq!(lookup.years().unwrap(), Some(Span { min: 2013, max: 2021 }));
    let anand: Vec<(String, u32)> = vec![("Anand,V".to_owned(), 2)];
    assert_eq!(lookup.players("ANA", 5).unwrap(), anand);
    assert_eq!(lookup.players("master", 1).unwrap(), [("Old Master".to_owned(), 1)]);
    assert!(lookup.players("%%", 5).unwrap().is_empty());
}
