//! `tabia quantum`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{folder, tabia, tabia_in};

fn replay(folder: &Path) -> Value {
    let files: Vec<_> =
        fs::read_dir(folder.join("replays")).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    serde_json::from_str(&fs::read_to_string(&files[0]).unwrap()).unwrap()
}

const BOTH: [&str; 8] = ["quantum", "play", "--white", "human", "--black", "human", "--seed", "3"];

#[test]
fn the_counts_of_the_rules_are_counted() {
    for (arguments, leaves) in [
        (&["2"][..], 1600),
        (&["3", "--classical"], 8902),
        (&["0"], 1),
        (&["1", "7k/8/5n2/8/8/8/8/3Q3K b - - 0 1"], 22),
    ] {
        let run = tabia(&[&["quantum", "perft"], arguments].concat());
        assert!(run.stdout.starts_with(&format!("{leaves} leaves, ")), "{}{}", run.stdout, run.stderr);
    }
    let run = tabia(&["quantum", "perft", "2", "--classical", "--divide", "--json"]);
    assert_eq!(run.json()["divide"].as_array().unwrap().len(), 20);
    assert_eq!(run.json()["leaves"], 400);
}

#[test]
fn a_game_is_played_told_and_kept() {
    let folder = folder("quantum");
    let start = "7k/8/5n2/8/8/8/8/3Q3K b - - 0 1";
    let arguments = [&BOTH[..], &["--position", start]].concat();
    let words = "f6~d5\nodds d1d5\nwhere d5\nbranches\nmoves d1\ntext\nd1d5\nquit\n";
    let run = tabia_in(&folder, &arguments, words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for expected in [
        "1... f6~d5 (succeeds 50%)",
        "n50",
        "2 branches",
        "d1d5 succeeds 100% of the time",
        "d5: Black knight 50%",
        "Black knight on f6: 0% if it is there, 100% if not",
        "   50%  7k/8/5n2/8/8/8/8/3Q3K",
        "w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -",
        "measured: ",
        ": 50%",
        "Left after 2 plies.",
    ] {
        assert!(run.stdout.contains(expected), "{expected}:\n{}", run.stdout);
    }
    let replay = replay(&folder);
    assert_eq!((&replay["variant"], &replay["seed"]), (&"quantum".into(), &3.into()));
    assert_eq!(replay["fen"], start);
    assert_eq!(replay["moves"][0], "f6~d5");
    assert!(["d1d5+", "d1d5-"].contains(&replay["moves"][1].as_str().unwrap()), "{replay}");
}

#[test]
fn a_bad_move_is_explained_in_the_words_of_the_rules() {
    let run = tabia_in(&folder("bad"), &BOTH, "c3d5\ne2e5\nundo\nbranchs\nb1~c3\nundo\nhelp\nflip\nresign\n");
    for expected in [
        "nothing of yours can be on c3 in any branch",
        "the pawn on e2 cannot go to e5 in any branch",
        "there is no move of yours to take back",
        "did you mean \"branches\"?",
        "odds      `odds b1c3`",
        " 1    R    N    B    K    Q    B    N    R",
        "0-1: Black wins by resignation.",
    ] {
        assert!(run.stdout.contains(expected), "{expected}:\n{}", run.stdout);
    }
    assert!(!run.stdout.contains('\x1b'), "no colour in a pipe");
}

#[test]
fn agents_play_by_themselves_and_the_same_seed_the_same_game() {
    let play = |name: &str| {
        let folder = folder(name);
        let arguments = [
            "quantum",
            "play",
            "--white",
            "greedy(seed=1)",
            "--black",
            "mcts(simulations=20)",
            "--seed",
            "5",
        ];
        let run = tabia_in(&folder, &arguments, "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        replay(&folder)
    };
    let (first, second) = (play("first"), play("second"));
    assert!(first["moves"].as_array().unwrap().len() > 4);
    assert_eq!((&first["moves"], &first["result"]), (&second["moves"], &second["result"]));
}

#[test]
fn a_match_is_played_in_pairs_and_repeats_itself() {
    let arguments = [
        "quantum", "match", "--agent", "greedy", "--agent", "random", "--games", "5", "--seed", "2", "--json",
    ];
    let report = tabia(&arguments).json();
    assert_eq!(report["games"], 6);
    let total: u64 = ["wins", "draws", "losses"].iter().map(|key| report[key].as_u64().unwrap()).sum();
    assert_eq!(total, 6);
    assert_eq!(tabia(&[&arguments[..], &["--concurrency", "1"]].concat()).json(), report);
    let one = tabia(&["quantum", "match", "--agent", "greedy"]);
    assert_eq!(one.code, 2);
    assert!(one.stderr.contains("a match is between two agents, 1 given"), "{}", one.stderr);
    let wrong = tabia(&["quantum", "match", "--agent", "greedy", "--agent", "gredy"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("did you mean \"greedy\"?"), "{}", wrong.stderr);
}

#[test]
fn the_agents_of_quantum_chess_are_listed() {
    let document = tabia(&["agents", "--variant", "quantum", "--json"]).json();
    let names: Vec<_> =
        document["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mcts", "greedy", "random"]);
    assert_eq!(document["agents"][0]["game"], "quantum");
    assert!(tabia(&["agents", "--variant", "quantum"]).stdout.contains("simulations=800"));
}
