//! `tabia suite`.

use std::path::PathBuf;

use super::{folder, interrupt_after, start, tabia_in};

const MATES: &str = "\
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar\";
rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - dm 1; id \"fool\";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - am Ra8#; id \"avoid\";
";

const POINTS: &str = "\
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; c0 \"Ra8#=10, h3=4\"; id \"points\";
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Kx9; id \"broken\";
";

const PUZZLES: &str = "\
PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
right,6k1/5ppp/8/8/8/8/1r3PPP/R5K1 b - - 0 1,b2b7 a1a8 b7b8 a8b8,900,80,90,100,mate mateIn2,,
wrong,6k1/5ppp/8/8/8/8/1r3PPP/R5K1 b - - 0 1,b2b7 a1a2 b7b8,1200,80,90,100,,,
";

fn files() -> PathBuf {
    let folder = folder("suite");
    for (name, text) in [("mates.epd", MATES), ("points.epd", POINTS), ("puzzles.csv", PUZZLES)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    folder
}

#[test]
fn several_files_are_solved_and_summed_up() {
    let run = tabia_in(&files(), &["suite", "mates.epd", "points.epd", "--depth", "4", "--unsolved"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("left out: points.epd:2: \"Kx9\" is not a move"), "{}", run.stderr);
    let columns = |name: &str| -> Vec<String> {
        let line = run.stdout.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().take(5).map(str::to_owned).collect()
    };
    assert_eq!(columns("mates.epd"), ["mates.epd", "3", "2", "66.7", "2/3"]);
    assert_eq!(columns("points.epd"), ["points.epd", "1", "1", "100.0", "10/10"]);
    assert_eq!(columns("all"), ["all", "4", "3", "75.0", "12/13"]);
    assert!(run.stdout.contains("  avoid: played a1a8"), "{}", run.stdout);
}

#[test]
fn the_document_has_the_names_of_the_contract_and_does_not_depend_on_threads() {
    let folder = files();
    let document = |threads: &str| {
        let run =
            tabia_in(&folder, &["suite", "mates.epd", "--nodes", "3000", "--threads", threads, "--json"], "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let mut document = run.json();
        document["ms"].take();
        document["files"][0]["ms"].take();
        for result in document["results"].as_array_mut().unwrap() {
            assert!(result["ms"].take().is_u64());
        }
        document
    };
    let one = document("1");
    assert_eq!(
        (&one["positions"], &one["solved"], &one["score"], &one["max_score"], &one["interrupted"]),
        (&3.into(), &2.into(), &2.into(), &3.into(), &false.into())
    );
    let first = &one["results"][0];
    assert_eq!(
        (&first["id"], &first["move"], &first["best"], &first["solved"], &first["score"]),
        (&"scholar".into(), &"h5f7".into(), &serde_json::json!(["h5f7"]), &true.into(), &1.into())
    );
    assert!(first["fen"].is_string() && first["nodes"].as_u64().unwrap() > 0);
    assert_eq!(one, document("3"));
}

#[test]
fn puzzles_give_a_rating() {
    let folder = files();
    let run = tabia_in(&folder, &["suite", "puzzles.csv", "--depth", "6"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("solves like a player of 1050 ±"), "{}", run.stdout);
    let document =
        tabia_in(&folder, &["suite", "puzzles.csv", "--depth", "6", "--first", "1", "--json"], "").json();
    assert_eq!((&document["positions"], &document["solved"]), (&1.into(), &1.into()));
    assert!(document["rating"].is_null(), "nobody knows how much stronger");
}

#[test]
fn what_cannot_be_read_is_refused() {
    let folder = files();
    for (arguments, code, expected) in [
        (&["suite", "points.epd", "--strict"][..], 1, "points.epd:2: \"Kx9\" is not a move"),
        (&["suite", "missing.epd"], 1, "cannot read missing.epd"),
        (&["suite", "mates.epd", "--agent", "nobody"], 2, "nobody"),
        (&["suite"], 2, "FILE"),
    ] {
        let run = tabia_in(&folder, arguments, "");
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn an_interrupt_keeps_what_was_done() {
    let folder = files();
    // A mate is searched to any depth at once, the start of a game never.
    let start_of_a_game = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"endless\";\n";
    std::fs::write(folder.join("first.epd"), format!("{}\n", MATES.lines().next().unwrap())).unwrap();
    std::fs::write(folder.join("endless.epd"), start_of_a_game).unwrap();
    let child = start(&folder, &["suite", "first.epd", "endless.epd", "--depth", "100"]);
    let run = interrupt_after(child, "first.epd");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("Interrupted: 1 of 2 positions were tried."), "{}", run.stdout);
    let row = run.stdout.lines().find(|line| line.starts_with("first.epd")).unwrap();
    assert_eq!(row.split_whitespace().take(3).collect::<Vec<_>>(), ["first.epd", "1", "1"]);
}
