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
fn an_agent_answers_a_draw_offer_by_its_score_and_resigning_is_final() {
    // Black is a queen down, a queen up, and a queen down in the opening; then two people.
    for (black, position, input, result, reason) in [
        ("random", "4k3/p7/8/8/8/8/P7/3QK3 w - - 0 30", "a2a3\ndraw\n", "1/2-1/2", "agreement"),
        ("random", "3qk3/p7/8/8/8/8/P7/4K3 w - - 0 30", "a2a3\ndraw\nresign\n", "0-1", "resignation"),
        ("random", "4k3/p7/8/8/8/8/P7/3QK3 w - - 0 3", "a2a3\ndraw\nresign\n", "0-1", "resignation"),
        ("human", "4k3/p7/8/8/8/8/P7/3QK3 w - - 0 3", "draw\nno\na2a3\ndraw\nyes\n", "1/2-1/2", "agreement"),
    ] {
        let folder = folder("draw");
        let arguments = ["quantum", "play", "--seed", "3", "--black", black, "--position", position];
        let run = tabia_in(&folder, &arguments, input);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let replay = replay(&folder);
        assert_eq!((&replay["result"], &replay["reason"]), (&result.into(), &reason.into()), "{position}");
        let declines = reason == "resignation" || black == "human";
        assert_eq!(run.stdout.contains("Black declines."), declines, "{}", run.stdout);
    }
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

const MATCH: [&str; 11] = [
    "quantum",
    "match",
    "--agent",
    "greedy",
    "--agent",
    "random",
    "--games",
    "6",
    "--seed",
    "2",
    "--opening-plies=3",
];

#[test]
fn a_match_says_what_a_match_of_chess_says_and_repeats_itself() {
    let here = folder("quantum-match");
    let run = |name: &str, threads: &str| {
        let arguments = [&MATCH[..], &["--json", "--run", name, "--concurrency", threads]].concat();
        let run = tabia_in(&here, &arguments, "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()
    };
    let (one, two) = (run("one", "1"), run("two", "2"));
    for key in
        ["agents", "pentanomial", "elo", "los", "sprt", "illegal_moves", "crosstable", "ratings", "endings"]
    {
        assert!(one.get(key).is_some(), "{key} in {one}");
    }
    let total: u64 = ["wins", "draws", "losses"].iter().map(|key| one[key].as_u64().unwrap()).sum();
    assert_eq!((one["games"].as_u64(), total), (Some(6), 6));
    assert_eq!(one["agents"], two["agents"]);
    for file in ["replays.jsonl", "result.json", "report.html", "manifest.toml"] {
        let [one, two] = ["one", "two"].map(|run| fs::read(here.join(run).join(file)).unwrap());
        assert!(one == two, "{file} differs");
    }
    let replays = fs::read_to_string(here.join("one/replays.jsonl")).unwrap();
    let games: Vec<Value> = replays.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 6);
    assert_eq!((&games[0]["white"], &games[1]["white"]), (&"greedy".into(), &"random".into()));
    assert_eq!(games[0]["variant"], "quantum");
    assert_eq!(&games[0]["moves"].as_array().unwrap()[..3], &games[1]["moves"].as_array().unwrap()[..3]);
    // Every game is what the rules make of its moves and measurements.
    for game in games {
        let mut play = tabia_quantum::QuantumGame::default();
        for ply in game["moves"].as_array().unwrap() {
            play.play_text(ply.as_str().unwrap()).unwrap();
        }
        assert_eq!(play.outcome().unwrap().as_pgn(), game["result"].as_str().unwrap());
    }
}

#[test]
fn a_match_killed_on_its_way_resumes_to_the_same_bytes() {
    let here = folder("quantum-killed");
    let begin = |run: &'static str| [&MATCH[..7], &["40", "--seed", "5", "--run", run]].concat();
    assert_eq!(tabia_in(&here, &begin("whole"), "").code, 0);
    let journal = here.join("run/games.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut arguments = begin("run");
    for kill in 1..=3 {
        let mut child = super::start(&here, &arguments);
        let begun = std::time::Instant::now();
        while lines() < 8 * kill {
            assert!(begun.elapsed().as_secs() < 120, "no games were played");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        arguments = vec!["quantum", "match", "--resume", "run"];
    }
    let run = tabia_in(&here, &["quantum", "match", "--resume", "run", "--json"], "");
    assert_eq!((run.code, run.json()["games"].as_u64()), (0, Some(40)), "{}", run.stderr);
    for file in ["replays.jsonl", "result.json", "report.html"] {
        let [whole, resumed] = ["whole", "run"].map(|run| fs::read(here.join(run).join(file)).unwrap());
        assert!(whole == resumed, "{file} differs");
    }
    let other = tabia_in(&here, &["quantum", "match", "--resume", "run", "--seed", "6"], "");
    assert!(other.code == 2 && other.stderr.contains("seed is 5 there and 6 here"), "{}", other.stderr);
    let chess = tabia_in(&here, &["match", "--resume", "run"], "");
    assert!(
        chess.code == 2 && chess.stderr.contains("by `tabia quantum match --resume`"),
        "{}",
        chess.stderr
    );
}

#[test]
fn many_agents_are_rated_and_a_sequential_test_ends_a_match() {
    let three = tabia(&[
        "quantum",
        "match",
        "--agent",
        "greedy",
        "--agent",
        "random",
        "--agent",
        "other=random(seed=9)",
        "--games",
        "4",
        "--json",
    ])
    .json();
    assert_eq!(three["crosstable"].as_array().unwrap().len(), 3);
    assert_eq!(three["games_played"], 12);
    let arguments =
        ["quantum", "match", "--agent", "greedy", "--agent", "random", "--sprt", "0,200", "--json"];
    let decided = tabia(&arguments).json();
    assert_eq!((&decided["ending"], &decided["sprt"]["verdict"]), (&"decided".into(), &"H1".into()));
}

#[test]
fn a_match_that_cannot_be_meant_is_refused() {
    for (arguments, said) in [
        (&["--agent", "greedy"][..], "a match needs two agents, 1 given"),
        (&["--agent", "greedy", "--agent", "gredy"], "did you mean \"greedy\"?"),
        (&["--agent", "a=greedy", "--agent", "a=random"], "two agents are called \"a\""),
        (&["--agent", "greedy", "--agent", "random", "--sprt", "5,0"], "elo0"),
    ] {
        let run = tabia(&[&["quantum", "match"], arguments].concat());
        assert!(run.code == 2 && run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn the_agents_of_quantum_chess_are_listed() {
    let document = tabia(&["agents", "--variant", "quantum", "--json"]).json();
    let names: Vec<_> =
        document["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["mcts", "greedy", "random", "net"]);
    assert_eq!(document["agents"][0]["game"], "quantum");
    assert!(tabia(&["agents", "--variant", "quantum"]).stdout.contains("simulations=800"));
}

#[test]
fn networks_of_a_training_are_rated_and_no_match_is_played_twice() {
    let folder = folder("quantum-rate");
    let mut train = vec!["quantum", "train", "--run", "first", "--threads", "1"];
    for setting in [
        "games=2",
        "generations=2",
        "simulations=2",
        "quick_simulations=2",
        "rate_every=0",
        "least_samples=1",
        "steps=1",
        "batch=8",
    ] {
        train.extend(["--set", setting]);
    }
    assert_eq!(tabia_in(&folder, &train, "").code, 0);
    let asked = "quantum rate first --against random --games 2 --simulations 2 --json";
    let rate = |more: &str| {
        let arguments: Vec<&str> = asked.split(' ').chain(more.split_terminator(' ')).collect();
        tabia_in(&folder, &arguments, "")
    };
    let all = rate("");
    let ratings = all.json()["ratings"].as_array().unwrap().clone();
    let numbers: Vec<_> = ratings.iter().map(|rating| rating["generation"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2]);
    assert!(all.stderr.contains("generation 2 against random: +"), "{}", all.stderr);
    let counted = |rating: &Value| ["wins", "draws", "losses"].map(|key| rating[key].as_u64().unwrap());
    assert_eq!(counted(&ratings[0]).iter().sum::<u64>(), 2);
    assert!(folder.join("first/ratings.svg").exists());

    let again = rate("");
    assert!(!again.stderr.contains("against random"), "{}", again.stderr);
    assert_eq!(again.json(), all.json());
    let network = tabia_in(
        &folder,
        &[
            "quantum",
            "rate",
            "7=first/final.safetensors",
            "--output",
            "first",
            "--against",
            "random",
            "--games",
            "2",
            "--simulations",
            "2",
        ],
        "",
    );
    assert!(!network.stderr.contains("against random"), "it is the last generation: {}", network.stderr);
    assert!(network.stdout.contains("7  random"), "{}", network.stdout);

    let asked = "quantum rate first --among --games 2 --simulations 2";
    let among = |more: &str| {
        let arguments: Vec<&str> = asked.split(' ').chain(more.split_terminator(' ')).collect();
        tabia_in(&folder, &arguments, "")
    };
    let all = among("--json");
    let standings = all.json()["among"].as_array().unwrap().clone();
    assert_eq!(standings.iter().map(|one| one["generation"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2]);
    let elo: f64 = standings.iter().map(|one| one["elo"].as_f64().unwrap()).sum();
    assert!(elo.abs() < 1e-6, "their mean is 0: {standings:?}");
    assert!(all.stderr.contains("generation 1 against 2: +"), "{}", all.stderr);
    assert_eq!(all.json()["ratings"][0]["opponent_generation"], 2);
    assert!(folder.join("first/among.svg").exists());
    let again = among("");
    assert!(
        again.stderr.is_empty() && again.stdout.contains("generation"),
        "{} {}",
        again.stderr,
        again.stdout
    );
    let alone = tabia_in(
        &folder,
        &["quantum", "rate", "7=first/final.safetensors", "--among", "--output", "alone"],
        "",
    );
    assert!(alone.code == 2 && alone.stderr.contains("--among needs two networks"), "{}", alone.stderr);

    for (arguments, code, said) in [
        (
            &["seven=first/final.safetensors"][..],
            2,
            "\"seven\" of \"seven=first/final.safetensors\" is not a generation",
        ),
        (&["nowhere.safetensors"], 1, "cannot read nowhere.safetensors"),
        (&["."], 1, "manifest.toml"),
    ] {
        let run = tabia_in(&folder, &[&["quantum", "rate"], arguments].concat(), "");
        assert!(run.code == code && run.stderr.contains(said), "{arguments:?}: {} {}", run.code, run.stderr);
    }
    fs::write(folder.join("first/ratings.json"), "{}").unwrap();
    let run = rate("");
    assert!(
        run.code == 1 && run.stderr.contains("ratings.json is not valid: it holds no ratings"),
        "{}",
        run.stderr
    );
}

/// Settings with which a generation takes a second or two.
const QUICK: [&str; 9] = [
    "games=2",
    "generations=1",
    "simulations=4",
    "quick_simulations=2",
    "rate_every=0",
    "least_samples=1",
    "steps=1",
    "batch=8",
    "ply_limit=12",
];

fn with_settings<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let settings = QUICK.iter().flat_map(|setting| ["--set", *setting]);
    arguments.iter().copied().chain(settings).collect()
}

#[test]
fn a_position_is_analysed_with_what_each_measurement_would_do() {
    let position = "w 0 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -";
    let asked = ["quantum", "analyze", position, "--evaluator", "mcts", "--simulations", "200"];
    let document = tabia(&[&asked[..], &["--json"]].concat()).json();
    assert_eq!((&document["side"], &document["simulations"]), (&"white".into(), &200.into()));
    let moves = document["moves"].as_array().unwrap();
    let take = moves.iter().find(|m| m["move"] == "d1d5").unwrap();
    assert_eq!(
        (&take["outcomes"][0]["ply"], &take["outcomes"][0]["probability"]),
        (&"d1d5+".into(), &0.5.into())
    );
    let text = tabia(&asked);
    assert!(text.stdout.starts_with("White to move: "), "{}", text.stdout);
    let refused = tabia(&["quantum", "analyze", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]);
    assert!(refused.code == 2 && refused.stderr.contains("the game is over"), "{}", refused.stderr);
    let refused = tabia(&["quantum", "analyze", "--moves", "e2e4,e2e4"]);
    assert!(refused.code == 2 && refused.stderr.contains("ply 2: e2e4 is not legal"), "{}", refused.stderr);
}

#[test]
fn a_match_starts_from_given_positions() {
    let folder = folder("quantum-positions");
    let queen = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    let split = "w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -";
    fs::write(folder.join("positions.txt"), format!("# two queens\n\n{split}\n")).unwrap();
    let asked = ["quantum", "match", "--agent", "greedy", "--agent", "random", "--position", queen];
    let more =
        ["--positions", "positions.txt", "--games", "4", "--run", "here", "--concurrency", "1", "--json"];
    let document = tabia_in(&folder, &[&asked[..], &more].concat(), "").json();
    assert_eq!(document["games_played"], 4);
    let replays = fs::read_to_string(folder.join("here/replays.jsonl")).unwrap();
    let starts: Vec<String> = replays
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["fen"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(starts, [queen, queen, split, split]);
    let shown = tabia_in(&folder, &["replay", "here/replays.jsonl", "--game", "3"], "");
    assert!(shown.code == 0 && shown.stdout.contains("2 branches"), "{} {}", shown.stdout, shown.stderr);
    for (position, said) in [
        ("w 0 1: 0*7k/8/8/8/8/8/8/7K - -", "position 1: not a valid position: branch 1: its weight is 0"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "position 1: the game is over in it"),
    ] {
        let refused =
            tabia(&["quantum", "match", "--agent", "greedy", "--agent", "random", "--position", position]);
        assert!(refused.code == 2 && refused.stderr.contains(said), "{} {}", refused.code, refused.stderr);
    }
}

#[test]
fn a_manifest_can_be_fed_back_and_games_come_out_as_replays() {
    let folder = folder("quantum-config");
    let run =
        tabia_in(&folder, &with_settings(&["quantum", "train", "--run", "first", "--threads", "1"]), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let again = ["quantum", "train", "--config", "first/manifest.toml", "--run", "second", "--threads", "1"];
    assert_eq!(tabia_in(&folder, &again, "").code, 0);
    let read = |path: &str| std::fs::read(folder.join(path)).unwrap();
    assert_eq!(read("first/manifest.toml"), read("second/manifest.toml"));
    assert_eq!(read("first/final.safetensors"), read("second/final.safetensors"));
    std::fs::write(folder.join("wrong.toml"), "[learning]\ngame = 3\n").unwrap();
    let refused = tabia_in(&folder, &["quantum", "train", "--config", "wrong.toml", "--run", "third"], "");
    assert!(
        refused.code == 2 && refused.stderr.contains("did you mean \"learning.games\"?"),
        "{}",
        refused.stderr
    );
    assert!(!folder.join("third").exists());

    let games = tabia_in(&folder, &["quantum", "games", "first/games-0001.bin"], "");
    assert_eq!(games.code, 0, "{}", games.stderr);
    let replays: Vec<Value> = games.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(replays.len(), 2);
    for replay in replays {
        assert_eq!((&replay["variant"], &replay["rules"]), (&"quantum".into(), &2.into()));
        assert!(replay["seed"].is_u64() && !replay["moves"].as_array().unwrap().is_empty());
    }
    let written = tabia_in(&folder, &["quantum", "games", "first/games-0001.bin", "-o", "games.jsonl"], "");
    assert_eq!(std::fs::read_to_string(folder.join("games.jsonl")).unwrap(), games.stdout);
    assert!(
        written.stdout.starts_with("2 games, ") && written.stdout.contains("\n  results "),
        "{}",
        written.stdout
    );
}

#[test]
fn an_ablation_says_what_a_setting_is_worth() {
    let folder = folder("quantum-ablate");
    let asked =
        ["quantum", "ablate", "--change", "full_share=1", "--seeds", "2", "--games", "2", "--run", "here"];
    let asked = with_settings(&[&asked[..], &["--simulations", "2", "--json"]].concat());
    let document = tabia_in(&folder, &asked, "").json();
    assert_eq!(document["seeds"].as_array().unwrap().len(), 2);
    assert!(document["elo"].is_number() && document["error"].is_number());
    let same = ["quantum", "ablate", "--change", "games=2", "--run", "there"];
    let refused = tabia_in(&folder, &with_settings(&same), "");
    assert!(refused.code == 2 && refused.stderr.contains("changes nothing"), "{}", refused.stderr);
}

#[test]
fn without_weights_the_shipped_network_is_exported() {
    let folder = folder("quantum-export");
    let run = tabia_in(&folder, &["quantum", "export", "--output", "net.onnx"], "");
    assert!(run.code == 0 && run.stdout.contains("8 blocks"), "{} {}", run.stdout, run.stderr);
    assert!(folder.join("net.onnx").exists());
}
