//! Suites from files to answers.

use std::convert::Infallible;
use std::num::NonZero;
use std::path::PathBuf;

use tabia_core::{Agent, AgentSpec, Catalogue, ChessGame, Limits, Stop};

use super::*;
use tabia_games::error::FileError;

fn file(name: &str, content: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabia-suite-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn engine() -> Box<dyn Agent<ChessGame>> {
    let mut catalogue = Catalogue::default();
    catalogue.add(tabia_search::agents::entries(|path| std::fs::read_to_string(path)));
    catalogue.build(&"engine(hash=1)".parse::<AgentSpec>().unwrap()).unwrap()
}

fn solved(line: &str, depth: u32) -> Solution {
    let (problems, faults) = read(file(&format!("{}.epd", line.len()), line), true).unwrap();
    assert!(faults.is_empty() && problems.len() == 1);
    problems[0].solve(engine().as_mut(), &Limits::depth(depth), &Stop::new()).unwrap()
}

/// White mates with Qxf7.
const SCHOLAR: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -";

#[test]
fn best_moves_and_moves_to_avoid() {
    assert!(solved(&format!("{SCHOLAR} bm Qxf7#; id \"x\";"), 4).solved);
    assert!(solved(&format!("{SCHOLAR} bm Nf3 Qxf7;"), 4).solved);
    assert!(!solved(&format!("{SCHOLAR} bm Nf3;"), 4).solved);
    assert!(!solved(&format!("{SCHOLAR} am Qxf7;"), 4).solved);
    assert!(solved(&format!("{SCHOLAR} am Nf3;"), 4).solved);
}

#[test]
fn mates_are_solved_by_their_distance() {
    for rest in ["bm #1;", "dm 1;", "bm #2;", "bm Nf3; ce +M1;"] {
        let solution = solved(&format!("{SCHOLAR} {rest}"), 4);
        assert!(solution.solved && solution.score == 1, "{rest}: {solution:?}");
    }
    // Black is mated next move, whatever it does.
    let mated = "7k/8/5K2/8/8/8/8/6Q1 b - -";
    assert!(solved(&format!("{mated} bm #-1;"), 4).solved);
    assert!(!solved(&format!("{mated} bm #1;"), 4).solved);
}

#[test]
fn points_are_counted_in_both_spellings() {
    let named = solved(&format!("{SCHOLAR} bm Nf3; c0 \"Nf3=10, Qxf7#=7\";"), 4);
    assert_eq!((named.solved, named.score), (false, 7));
    let columns = solved(&format!("{SCHOLAR} c0 \"a remark\"; c8 \"10 2\"; c9 \"h5f7 g1f3\";"), 4);
    assert_eq!((columns.solved, columns.score), (true, 10));
}

const PUZZLES: &str = "\
PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
right,6k1/5ppp/8/8/8/8/1r3PPP/R5K1 b - - 0 1,b2b7 a1a8 b7b8 a8b8,900,80,90,100,mate mateIn2,,
wrong,6k1/5ppp/8/8/8/8/1r3PPP/R5K1 b - - 0 1,b2b7 a1a2 b7b8,1200,80,90,100,,,
broken,6k1/5ppp/8/8/8/8/1r3PPP/R5K1 b - - 0 1,b2b7 a1h8,1200,80,90,100,,,
";

#[test]
fn puzzles_are_solved_to_the_end_of_their_line() {
    let (problems, faults) = read(file("puzzles.csv", PUZZLES), false).unwrap();
    assert_eq!((problems.len(), faults.len()), (2, 1));
    assert!(faults[0].to_string().contains("puzzles.csv:4: \"a1h8\" is not legal"), "{}", faults[0]);
    let solve =
        |problem: &Problem| problem.solve(engine().as_mut(), &Limits::depth(6), &Stop::new()).unwrap();
    let right = solve(&problems[0]);
    assert!(right.solved && !right.played.is_empty(), "{right:?}");
    let wrong = solve(&problems[1]);
    assert!(!wrong.solved && wrong.played.len() == 1, "{wrong:?}");
    assert_eq!(problems[0].rating(), Some(900));
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let lines = "\
        2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"1\";\n\
        8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id \"2\";\n\
        5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - bm Rg3; id \"3\";\n\
        r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - bm Qxh7+; id \"4\";\n";
    let (problems, _) = read(file("four.epd", lines), true).unwrap();
    let answers = |threads: usize| {
        let mut heard = 0;
        let tried = run(
            &problems,
            NonZero::new(threads).unwrap(),
            || Ok::<_, Infallible>(engine()),
            &Limits::nodes(5_000),
            &Stop::new(),
            |_, _| heard += 1,
        )
        .unwrap();
        assert_eq!(heard, 4);
        tried
            .into_iter()
            .map(|solution| solution.unwrap().unwrap())
            .map(|solution| (solution.played, solution.solved, solution.nodes, solution.announced))
            .collect::<Vec<_>>()
    };
    assert_eq!(answers(1), answers(3));
}

#[test]
fn what_was_stopped_is_not_counted() {
    let (problems, _) = read(file("one.epd", &format!("{SCHOLAR} bm Qxf7;")), true).unwrap();
    let stop = Stop::new();
    stop.stop();
    let tried = run(
        &problems,
        NonZero::<usize>::MIN,
        || Ok::<_, Infallible>(engine()),
        &Limits::default(),
        &stop,
        |_, _| panic!("nothing was done"),
    )
    .unwrap();
    assert!(tried[0].is_none());
}

#[test]
fn faults_name_their_line() {
    let text = format!("{SCHOLAR} bm Qxf7;\n{SCHOLAR} id \"nothing\";\n{SCHOLAR} bm Ke5;\nhello\n");
    let path = file("faults.epd", &text);
    let (problems, faults) = read(&path, false).unwrap();
    assert_eq!(problems.len(), 1);
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    for (fault, expected) in faults.iter().zip([
        ":2: there is nothing to solve",
        ":3: \"Ke5\" is not legal",
        ":4: not a valid position",
    ]) {
        assert!(fault.contains(expected), "{fault}");
    }
    assert!(matches!(read(&path, true), Err(FileError::Broken(fault)) if fault.line == 2));
    assert!(read(file("none.epd", "\n"), false).unwrap_err().to_string().contains("has no problems"));
}
