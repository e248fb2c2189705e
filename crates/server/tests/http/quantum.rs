//! Quantum chess over HTTP: chances told before, measurements after, and nothing lost by a restart.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::restart::Folder;
use crate::support::{Events, Game, Server, text};

/// The knight is on d5 or on f6, and White's queen can ask.
const ASK: &str = "w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -";

async fn new_game<'a>(server: &'a Server, body: &Value) -> Game<'a> {
    let game = server.post("/api/v1/quantum/games", body, StatusCode::CREATED).await;
    server.game(&format!("/api/v1/quantum/games/{}", text(&game["id"])))
}

fn action<'a>(state: &'a Value, name: &str) -> &'a Value {
    let legal = state["legal"].as_array().unwrap();
    legal.iter().find(|action| action["move"] == name).unwrap_or_else(|| panic!("{name} in {legal:?}"))
}

#[tokio::test]
async fn a_split_makes_two_branches_that_share_the_piece() {
    let server = Server::start().await;
    let game = new_game(&server, &json!({"black": "human"})).await;
    let start = game.state().await;
    assert_eq!(start["legal"].as_array().unwrap().len(), 40);
    assert_eq!(action(&start, "b1~c3")["chance"], 0.5);
    assert_eq!(action(&start, "b1c3")["chance"], 1.0);
    let state = game.play("b1~c3").await;
    assert_eq!(state["branches"].as_array().unwrap().len(), 2);
    assert_eq!((&state["total"], &state["turn"]), (&json!("2"), &json!("black")));
    for square in ["b1", "c3"] {
        assert_eq!(state["squares"][square], json!([{"piece": "N", "probability": 0.5}]));
    }
    assert_eq!(state["squares"]["c4"], json!(null));
    assert_eq!(state["moves"][0]["split"], true);
    assert!(text(&state["position"]).starts_with("b 1 1: 1*"), "{state}");
}

#[tokio::test]
async fn a_measurement_is_described_and_repeats_with_its_seed() {
    let server = Server::start().await;
    let mut seen = Vec::new();
    for seed in 0..12 {
        let setup = json!({"black": "human", "position": ASK, "seed": seed});
        let game = new_game(&server, &setup).await;
        let before = game.state().await;
        let asks = action(&before, "d1d5");
        assert_eq!(
            (&asks["chance"], &asks["capture"], &asks["measured"]),
            (&json!(1.0), &json!(0.5), &json!(true))
        );
        let after = game.play("d1d5").await;
        let ply = &after["moves"][0];
        let words = text(&ply["measured"][0]["words"]).to_owned();
        let expected = if ply["text"] == "d1d5+" {
            "d1d5 took the knight: 50%"
        } else {
            "the knight was not on d5: 50%"
        };
        assert_eq!(words, expected);
        assert_eq!(after["branches"].as_array().unwrap().len(), 1);
        let again = new_game(&server, &setup).await;
        assert_eq!(again.play("d1d5").await["moves"], after["moves"]);
        seen.push(words);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 2, "twelve seeds show both answers");
}

#[tokio::test]
async fn a_king_captured_in_every_branch_is_a_win_without_a_measurement() {
    let server = Server::start().await;
    let position = "w 0 9: 1*4k3/2N2b2/8/8/8/8/8/4R2K - - + 1*4k3/2N2b2/8/8/8/8/8/3R3K - -";
    let game = new_game(&server, &json!({"black": "human", "position": position})).await;
    let before = game.state().await;
    assert_eq!(
        (&action(&before, "e1e8")["win"], &action(&before, "c7e8")["win"]),
        (&json!(0.5), &json!(1.0))
    );
    let state = game.play("c7e8").await;
    assert_eq!(state["outcome"]["words"], "White wins by king captured");
    assert_eq!((&state["awaits"], &state["legal"]), (&json!("nobody"), &json!([])));
    assert_eq!(state["moves"][0]["measured"], json!([]));
    game.refused("moves", json!({"move": "c7e8"}), StatusCode::CONFLICT).await;
}

#[tokio::test]
async fn what_is_wrong_is_said_in_the_words_of_the_rules() {
    let server = Server::start().await;
    for (body, said) in [
        (json!({"position": "w 0 1: 1*8/8 - -"}), "branch 1: "),
        (json!({"position": "w 0 1: 0*7k/8/8/8/8/8/8/7K - -"}), "its weight is 0"),
        (json!({"black": "gredy"}), "did you mean \"greedy\"?"),
        (json!({"black": "mcts(memory=60000)"}), "allows up to 256"),
        (json!({"moves": ["b1~c3", "b1~c3"]}), "move 2 of the list"),
        (json!({"position": ASK, "moves": ["d1d5"]}), "write d1d5+ if so"),
    ] {
        let problem = server.post("/api/v1/quantum/games", &body, StatusCode::UNPROCESSABLE_ENTITY).await;
        assert!(text(&problem["detail"]).contains(said), "{body}: {problem}");
    }
    let game = new_game(&server, &json!({"black": "human"})).await;
    for (name, said) in
        [("c3d5", "nothing of yours can be on c3"), ("e2e5", "cannot go to e5"), ("x", "is not a move")]
    {
        let problem = game.refused("moves", json!({"move": name}), StatusCode::UNPROCESSABLE_ENTITY).await;
        assert!(text(&problem["detail"]).contains(said), "{problem}");
    }
    game.refused("moves", json!({"move": "e2e4", "ply": 4}), StatusCode::CONFLICT).await;
    let response = server.request(Method::GET, "/api/v1/quantum/position").query(&[("position", "k w")]);
    let problem =
        crate::support::expect(StatusCode::UNPROCESSABLE_ENTITY, response.send().await.unwrap()).await;
    assert!(text(&problem["detail"]).contains("branch 1"), "{problem}");
}

#[tokio::test]
async fn moves_are_taken_back_where_it_was_agreed() {
    let server = Server::start().await;
    let game = new_game(&server, &json!({"black": "random", "seed": 4, "takebacks": true})).await;
    game.play("b1~c3").await;
    assert_eq!(game.settled().await["ply"], 2);
    let after = game.post("undo", json!({})).await;
    assert_eq!((&after["ply"], after["branches"].as_array().unwrap().len()), (&json!(0), 1));
    let strict = new_game(&server, &json!({"black": "random", "seed": 4})).await;
    strict.play("b1~c3").await;
    strict.settled().await;
    let problem = strict.refused("undo", json!({}), StatusCode::CONFLICT).await;
    assert!(text(&problem["detail"]).contains("stays measured"), "{problem}");
}

#[tokio::test]
async fn resigning_and_draw_offers_are_as_in_chess() {
    let server = Server::start().await;
    let game = new_game(&server, &json!({"black": "random", "takebacks": true})).await;
    let state = game.post("resign", json!({})).await;
    let outcome = &state["outcome"];
    assert_eq!((&outcome["result"], &outcome["reason"]), (&json!("0-1"), &json!("resignation")));
    game.refused("undo", json!({}), StatusCode::CONFLICT).await;
    game.refused("resign", json!({}), StatusCode::CONFLICT).await;
    game.refused("draw", json!({}), StatusCode::CONFLICT).await;

    // Black is a queen down: it accepts, but not in the opening. A queen up it declines.
    for (position, drawn) in [
        ("4k3/p7/8/8/8/8/P7/3QK3 w - - 0 30", true),
        ("4k3/p7/8/8/8/8/P7/3QK3 w - - 0 1", false),
        ("3qk3/8/8/8/8/8/P7/4K3 w - - 0 30", false),
    ] {
        let game = new_game(&server, &json!({"position": position, "black": "random", "seed": 1})).await;
        let mut events: Events = game.watch(Some(1)).await;
        let state = game.post("draw", json!({})).await;
        assert_eq!(state["outcome"].is_object(), drawn, "{position}");
        let heard = [events.next().await, events.next().await].map(|event| event.unwrap().name);
        assert_eq!(heard, ["draw_offered", if drawn { "ended" } else { "draw_declined" }]);
    }

    let people = new_game(&server, &json!({"black": "human"})).await;
    let problem = people.refused("resign", json!({}), StatusCode::UNPROCESSABLE_ENTITY).await;
    assert!(text(&problem["detail"]).contains("which side"), "{problem}");
    assert_eq!(people.post("draw", json!({"side": "white"})).await["draw_offer"], "white");
    people.refused("draw", json!({"side": "white"}), StatusCode::CONFLICT).await;
    let declined = people.post("draw", json!({"action": "decline", "side": "black"})).await;
    assert_eq!(declined["draw_offer"], json!(null));
    people.post("draw", json!({"side": "white"})).await;
    let state = people.post("draw", json!({"action": "accept"})).await;
    assert_eq!(state["outcome"]["reason"], "agreement");
}

#[tokio::test]
async fn a_game_continues_its_random_sequence_after_a_restart() {
    let folder = Folder::new();
    let server = Server::in_folder(&folder.0).await;
    let setup = json!({"white": "human", "black": "human", "position": ASK, "seed": 3});
    let game = new_game(&server, &setup).await;
    game.play("d1~d2").await;
    game.post("undo", json!({})).await;
    let before = game.play("d1d5").await;
    let path = game.path.clone();
    server.close().await;

    let server = Server::in_folder(&folder.0).await;
    let game = server.game(&path);
    let after = game.state().await;
    for key in ["position", "moves", "version", "white", "black", "seed", "branches", "created_at", "outcome"]
    {
        assert_eq!(after[key], before[key], "{key}");
    }
    let mut events = game.watch(Some(1)).await;
    let missed = [events.next().await, events.next().await, events.next().await].map(Option::unwrap);
    assert_eq!(missed.each_ref().map(|event| event.name.as_str()), ["moved", "undone", "moved"]);
    let replay = server.get(&format!("{path}/replay")).await;
    assert_eq!(replay["variant"], "quantum");
    assert!(replay["seed"].is_null() && after["seed"].is_null(), "it foretells what comes: {replay}");
    assert_eq!(replay["moves"][0], before["moves"][0]["text"]);
    let first = server.get(&format!("{path}/positions/0")).await;
    assert_eq!(first["branches"].as_array().unwrap().len(), 2);
    assert_eq!(
        server.send(Method::GET, &format!("{path}/positions/9")).await.status(),
        StatusCode::NOT_FOUND
    );
    assert_eq!(game.post("resign", json!({"side": "white"})).await["seed"], "3");
    assert_eq!(server.get(&format!("{path}/replay")).await["seed"], 3);
    assert_eq!(server.send(Method::DELETE, &path).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(server.send(Method::GET, &path).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn two_agents_play_to_the_end_and_are_heard() {
    let server = Server::start().await;
    let agents = server.get("/api/v1/agents?variant=quantum").await;
    let names: Vec<&str> =
        agents["agents"].as_array().unwrap().iter().map(|agent| text(&agent["name"])).collect();
    assert_eq!(names, ["mcts", "greedy", "random", "net"]);
    let setup = json!({"white": "mcts(simulations=30)", "black": "random", "seed": 1});
    let game = new_game(&server, &setup).await;
    let mut events: Events = game.watch(Some(0)).await;
    loop {
        let event = events.next().await.unwrap();
        if event.name == "ended" {
            break;
        }
    }
    let state = game.state().await;
    assert_eq!(state["awaits"], "nobody");
    assert_eq!(state["ply"].as_u64().unwrap() as usize, state["moves"].as_array().unwrap().len());
    let replay = server.get(&format!("{}/replay", game.path)).await;
    let again = json!({"black": "human", "moves": replay["moves"]});
    let copy = new_game(&server, &again).await.state().await;
    assert_eq!((&copy["position"], &copy["outcome"]), (&state["position"], &state["outcome"]));
    let measured = |state: &Value| -> Vec<Value> {
        state["moves"].as_array().unwrap().iter().map(|ply| ply["measured"].clone()).collect()
    };
    assert_eq!(measured(&copy), measured(&state), "what was measured is told alike");
}

#[tokio::test]
async fn a_record_is_read_looked_through_and_written_again() {
    let server = Server::start().await;
    let record = json!({"variant": "quantum", "fen": ASK, "moves": ["d1d5-", "f6~e4", "d5e4-"], "white": "anna", "black": "boris",
        "result": "1-0", "reason": "resignation", "seed": 7, "rules": 2});
    let made = server.post("/api/v1/quantum/games/import", &record, StatusCode::CREATED).await;
    assert_eq!((&made["white"]["name"], &made["outcome"]["result"]), (&json!("anna"), &json!("1-0")));
    assert_eq!(made["moves"][0]["measured"][0]["words"], "the knight was not on d5: 50%");
    let path = format!("/api/v1/quantum/games/{}", text(&made["id"]));
    let second = server.get(&format!("{path}/positions/2")).await;
    assert_eq!(second["branches"].as_array().unwrap().len(), 2);
    let written = server.get(&format!("{path}/replay")).await;
    for field in ["moves", "fen", "white", "black", "result", "reason", "seed", "rules"] {
        assert_eq!(written[field], record[field], "{field}");
    }
    for (field, value, said) in [
        ("moves", json!(["d1d5"]), "move 1 of the list: d1d5 measures whether it captures the knight"),
        ("moves", json!(["d1d4+"]), "nothing is measured after d1d4"),
        ("fen", json!("w 0 1: 0*7k/8/8/8/8/8/8/7K - -"), "its weight is 0"),
        ("rules", json!(3), "version 3 of the rules is not known"),
        ("variant", json!("tic-tac-toe"), "chess, chess960 or quantum"),
    ] {
        let mut wrong = record.clone();
        wrong[field] = value;
        let problem =
            server.post("/api/v1/quantum/games/import", &wrong, StatusCode::UNPROCESSABLE_ENTITY).await;
        assert!(text(&problem["detail"]).contains(said), "{problem}");
    }
}

#[tokio::test]
async fn a_state_is_analysed_with_what_each_measurement_would_do() {
    let server = Server::start().await;
    let asked = json!({"position": ASK, "simulations": 100, "evaluator": "mcts"});
    let found = server.post("/api/v1/quantum/analysis", &asked, StatusCode::OK).await;
    assert_eq!((&found["side"], &found["simulations"]), (&json!("white"), &json!(100)));
    let moves = found["moves"].as_array().unwrap();
    let capture = moves.iter().find(|m| m["move"] == "d1d5").unwrap();
    assert_eq!(capture["outcomes"][0]["ply"], "d1d5+");
    assert_eq!(capture["outcomes"][0]["probability"], 0.5);
    for (wrong, said) in [
        (json!({"simulations": 0}), "simulations is 0; it takes 1 to 10000"),
        (json!({"position": ASK, "moves": ["d1d5"]}), "move 1 of the list"),
        (json!({"position": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}), "the game is over"),
    ] {
        let problem = server.post("/api/v1/quantum/analysis", &wrong, StatusCode::UNPROCESSABLE_ENTITY).await;
        assert!(text(&problem["detail"]).contains(said), "{problem}");
    }
}

#[tokio::test]
async fn no_client_makes_the_server_connect_to_an_evaluator() {
    let server = Server::start().await;
    // Nobody listens there: an attempt to connect would be told as such.
    let body = json!({"black": "net(evaluator=http://127.0.0.1:1)"});
    let problem = server.post("/api/v1/quantum/games", &body, StatusCode::FORBIDDEN).await;
    assert!(text(&problem["detail"]).contains("connects to no external evaluator"), "{problem}");
}
