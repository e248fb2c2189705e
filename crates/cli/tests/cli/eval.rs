//! `tabia eval`.

use super::tabia;

const KINGS_INDIAN: &str = "r1bq1rk1/pppnn1bp/3p4/3Pp1p1/2P1Pp2/2N2P2/PP2BBPP/R2QNRK1 w - - 0 13";

#[test]
fn the_terms_of_every_evaluation_add_up_to_its_score() {
    for eval in ["material", "mat_mob", "aggressive", "pst", "axiomx-speed", "axiomx", "axon", "chromosome"] {
        let run = tabia(&["eval", KINGS_INDIAN, "--eval", eval, "--json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let document = run.json();
        assert_eq!((&document["fen"], &document["eval"]), (&KINGS_INDIAN.into(), &eval.into()));
        let terms = document["terms"].as_array().unwrap();
        let sum: i64 = terms.iter().map(|term| term["score_cp"].as_i64().unwrap()).sum();
        assert_eq!(Some(sum), document["score_cp"].as_i64(), "{eval}");
        for term in terms {
            let keys: Vec<&String> = term.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["black", "name", "score_cp", "weight", "white"], "{eval}");
        }
    }
}

#[test]
fn fields_are_eight_times_eight_numbers_rank_8_first() {
    let document = tabia(&["eval", "8/8/8/3k4/8/8/8/K6R w - - 0 1", "--eval", "pst", "--json"]).json();
    let keys: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["eval", "fen", "fields", "score_cp", "terms"]);
    let field = &document["fields"][0];
    assert_eq!((&field["name"], &field["unit"]), (&"worth".into(), &"centipawns".into()));
    let values = field["values"].as_array().unwrap();
    assert!(values.len() == 8 && values.iter().all(|rank| rank.as_array().unwrap().len() == 8));
    assert!(values[7][7].as_f64().unwrap() > 300.0, "the rook stands on h1");
    assert_eq!(values[0][0].as_f64(), Some(0.0));
}

#[test]
fn people_read_the_board_the_terms_and_the_reasons() {
    let run = tabia(&["eval", "4k3/8/8/8/8/8/PPP5/4K3", "w", "-", "-", "0", "1", "--eval", "material"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for part in [
        " 2   P  P  P  .  .  .  .  . ",
        "material  +3.00 for White, White to move",
        "pawns            3          0        100     +300",
        "White is much better (+3.00), because of more pawns.",
    ] {
        assert!(run.stdout.contains(part), "{part:?} in:\n{}", run.stdout);
    }
}

#[test]
fn a_finished_game_is_called_finished() {
    let run = tabia(&["eval", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("But the game is over: 1/2-1/2 (stalemate)."), "{}", run.stdout);
}

#[test]
fn an_unknown_evaluation_is_answered_with_the_right_ones() {
    let run = tabia(&["eval", "startpos", "--eval", "chromosom"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("no evaluation is called \"chromosom\"")
            && run.stderr.contains("there are: material, "),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("did you mean \"chromosome\"?"), "{}", run.stderr);
    assert!(run.stdout.is_empty());
}

#[test]
fn evaluations_take_the_options_that_agents_take() {
    let score = |eval: &str| {
        let run = tabia(&[
            "eval",
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 5",
            "--eval",
            eval,
            "--json",
        ]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        document["score_cp"].as_i64().unwrap()
    };
    assert_ne!(score("axiomx(kernels=code)"), score("axiomx"));
    let run = tabia(&["eval", "startpos", "--eval", "axon(kernels=code)"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("contempt, style"), "{}", run.stderr);
}
