//! Games: set up, played, taken back, given up.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{Server, expect, text};

#[tokio::test]
async fn a_person_moves_and_the_agent_answers() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "axiomx-speed(depth=1)"})).await;
    let state = game.state().await;
    assert_eq!(state["awaits"], "human");
    assert_eq!(state["legal"]["e2"], json!(["e3", "e4"]));
    assert_eq!(state["legal"].as_object().unwrap().len(), 10);

    let after = game.play("e4").await;
    assert_eq!(after["moves"][0]["uci"], "e2e4");
    assert_eq!(after["moves"][0]["san"], "e4");
    let state = game.settled().await;
    assert_eq!(state["ply"], 2);
    assert_eq!(state["turn"], "white");
    assert_eq!(state["moves"][1]["side"], "black");
    assert!(state["evaluation"]["depth"].is_u64(), "{state}");
}

#[tokio::test]
async fn two_people_play_the_scholars_mate() {
    let server = Server::start().await;
    let game = server.new_game(json!({"white": "human", "black": "human"})).await;
    for m in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6"] {
        game.play(m).await;
    }
    let state = game.play("Qxf7#").await;
    assert_eq!(state["outcome"]["result"], "1-0");
    assert_eq!(state["outcome"]["reason"], "checkmate");
    assert_eq!(state["outcome"]["words"], "White wins by checkmate");
    assert_eq!(state["awaits"], "nobody");
    assert_eq!(state["legal"], json!({}));
    assert_eq!(state["captured"]["by_white"], json!(["p"]));
    let problem = game.refused("moves", json!({"move": "a6"}), StatusCode::CONFLICT).await;
    assert!(text(&problem["detail"]).contains("over"), "{problem}");
}

#[tokio::test]
async fn a_move_that_cannot_be_played_is_explained() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "human"})).await;
    for (body, status, said) in [
        (json!({"move": "e2e5"}), StatusCode::UNPROCESSABLE_ENTITY, "not legal"),
        (json!({"move": "hello"}), StatusCode::UNPROCESSABLE_ENTITY, "write it like"),
        (json!({"move": "e2e4", "ply": 3}), StatusCode::CONFLICT, "at ply 0, not at 3"),
        (json!({"mvoe": "e2e4"}), StatusCode::UNPROCESSABLE_ENTITY, "mvoe"),
    ] {
        let problem = game.refused("moves", body, status).await;
        assert!(text(&problem["detail"]).contains(said), "{problem}");
        assert_eq!(problem["status"], status.as_u16());
    }
    assert_eq!(game.state().await["ply"], 0);
}

#[tokio::test]
async fn taking_back_takes_the_agents_reply_too() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "random(seed=3)"})).await;
    game.play("e4").await;
    game.settled().await;
    game.play("d4").await;
    let before = game.settled().await;
    assert_eq!(before["ply"], 4);
    let after = game.post("undo", json!({})).await;
    assert_eq!(after["ply"], 2);
    assert_eq!(after["turn"], "white");
    assert_eq!(after["moves"].as_array().unwrap().len(), 2);
    // The same player plays the same move again.
    game.play("d4").await;
    assert_eq!(game.settled().await["fen"], before["fen"]);
}

#[tokio::test]
async fn resigning_ends_the_game_for_good() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "random"})).await;
    let state = game.post("resign", json!({})).await;
    assert_eq!(state["outcome"]["result"], "0-1");
    assert_eq!(state["outcome"]["reason"], "resignation");
    game.refused("undo", json!({}), StatusCode::CONFLICT).await;
    game.refused("resign", json!({}), StatusCode::CONFLICT).await;

    let between_people = server.new_game(json!({"black": "human"})).await;
    let problem = between_people.refused("resign", json!({}), StatusCode::UNPROCESSABLE_ENTITY).await;
    assert!(text(&problem["detail"]).contains("which side"), "{problem}");
    let state = between_people.post("resign", json!({"side": "black"})).await;
    assert_eq!(state["outcome"]["winner"], "white");
}

#[tokio::test]
async fn an_agent_accepts_a_draw_unless_it_is_better_or_the_game_is_young() {
    let server = Server::start().await;
    // White is a queen down: Black declines. A queen up: Black accepts, but not in the opening.
    for (fen, drawn) in [
        ("3qk3/8/8/8/8/8/P7/4K3 w - - 0 30", false),
        ("4k3/p7/8/8/8/8/P7/3QK3 w - - 0 30", true),
        ("4k3/p7/8/8/8/8/P7/3QK3 w - - 0 1", false),
    ] {
        let game = server.new_game(json!({"fen": fen, "black": "alphabeta(depth=1,eval=material)"})).await;
        game.play("a3").await;
        game.settled().await;
        let state = game.post("draw", json!({})).await;
        assert_eq!(state["outcome"].is_object(), drawn, "{fen}");
        assert_eq!(state["draw_offer"], json!(null));
    }
}

#[tokio::test]
async fn people_offer_and_accept_a_draw() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "human"})).await;
    assert_eq!(game.post("draw", json!({"side": "white"})).await["draw_offer"], "white");
    game.refused("draw", json!({"side": "white"}), StatusCode::CONFLICT).await;
    let declined = game.post("draw", json!({"action": "decline", "side": "black"})).await;
    assert_eq!(declined["draw_offer"], json!(null));
    game.post("draw", json!({"side": "white"})).await;
    let state = game.post("draw", json!({"action": "accept"})).await;
    assert_eq!(state["outcome"]["reason"], "agreement");
}

#[tokio::test]
async fn chess960_castles_by_taking_the_rook() {
    let server = Server::start().await;
    let fen = "4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1";
    let game = server.new_game(json!({"variant": "chess960", "fen": fen, "black": "human"})).await;
    let state = game.state().await;
    assert!(state["legal"]["e1"].as_array().unwrap().contains(&json!("f1")), "{state}");
    let state = game.play("e1f1").await;
    assert_eq!(state["moves"][0]["san"], "O-O");
    let told_by_its_rights = server.new_game(json!({"fen": fen, "black": "human"})).await.state().await;
    assert_eq!(told_by_its_rights["variant"], "chess960");
    assert!(told_by_its_rights["legal"]["e1"].as_array().unwrap().contains(&json!("f1")));
    let any = server.new_game(json!({"variant": "chess960", "black": "human"})).await.state().await;
    assert_eq!(any["ply"], 0);
}

#[tokio::test]
async fn agents_that_do_not_exist_or_are_not_allowed_are_refused() {
    let server = Server::start().await;
    for (body, status, said) in [
        (json!({"black": "engin"}), StatusCode::UNPROCESSABLE_ENTITY, "did you mean \"engine\""),
        (json!({"black": "engine(dept=3)"}), StatusCode::UNPROCESSABLE_ENTITY, "depth"),
        (json!({"black": "engine(hash=60000)"}), StatusCode::UNPROCESSABLE_ENTITY, "allows up to"),
        (json!({"black": "chromosome(weights=/etc/passwd)"}), StatusCode::FORBIDDEN, "--allow-uci"),
        (json!({"black": "random", "black_limits": {"elo": 1500}}), StatusCode::UNPROCESSABLE_ENTITY, "elo"),
        (json!({"fen": "8/8/8 w - - 0 1"}), StatusCode::UNPROCESSABLE_ENTITY, "ranks, expected 8"),
        (json!({"moves": ["e4", "e4"]}), StatusCode::UNPROCESSABLE_ENTITY, "move 2 of the list"),
        (json!({"clock": {"initial_ms": 1}}), StatusCode::UNPROCESSABLE_ENTITY, "clock"),
        (json!({"variant": "shogi"}), StatusCode::UNPROCESSABLE_ENTITY, "chess960"),
    ] {
        let problem = server.post("/api/v1/games", &body, status).await;
        assert!(text(&problem["detail"]).contains(said), "{body}: {problem}");
    }
}

#[tokio::test]
async fn an_agent_can_be_told_to_move_now() {
    let server = Server::start().await;
    // Without the word it would think for a minute.
    let limits = json!({"movetime_ms": 600_000});
    let game = server.new_game(json!({"white": "engine", "black": "human", "white_limits": limits})).await;
    let mut events = game.watch(None).await;
    events.next_named("thinking").await;
    let told = server.post(&format!("{}/move-now", game.path), &json!({}), StatusCode::ACCEPTED).await;
    assert_eq!(told["was_thinking"], true);
    assert_eq!(events.next_named("moved").await.data["move"]["ply"], 1);
}

#[tokio::test]
async fn a_deleted_game_is_gone() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "human"})).await;
    let mut events = game.watch(None).await;
    events.next_named("state").await;
    assert_eq!(server.send(Method::DELETE, &game.path).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(events.next().await, None, "its stream ends");
    expect(StatusCode::NOT_FOUND, server.send(Method::GET, &game.path).await).await;
    expect(StatusCode::NOT_FOUND, server.send(Method::DELETE, &game.path).await).await;
}

#[tokio::test]
async fn the_list_shows_the_games_of_the_same_cookie_alone() {
    let server = Server::start().await;
    let response =
        server.request(Method::POST, "/api/v1/games").json(&json!({"black": "human"})).send().await.unwrap();
    let cookie = response.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let id = text(&expect(StatusCode::CREATED, response).await["id"]).to_owned();
    server.new_game(json!({"black": "human"})).await;

    let mine = server.request(Method::GET, "/api/v1/games").header("cookie", &cookie).send().await.unwrap();
    let mine = expect(StatusCode::OK, mine).await;
    assert_eq!(mine["games"].as_array().unwrap().len(), 1);
    assert_eq!(mine["games"][0]["id"], id);
    assert_eq!(server.get("/api/v1/games").await["games"], json!([]));
}

#[tokio::test]
async fn a_clock_that_runs_out_ends_the_game() {
    let server = Server::start().await;
    let clock = json!({"initial_ms": 1000, "increment_ms": 0});
    let game = server.new_game(json!({"black": "human", "clock": clock})).await;
    let mut events = game.watch(None).await;
    let state = game.play("e4").await;
    assert_eq!(state["clock"]["running"], "black");
    assert_eq!(state["clock"]["white_ms"], 1000);
    let ended = events.next_named("ended").await;
    assert_eq!(ended.data["position"]["outcome"]["words"], "White wins on time");
    game.refused("moves", json!({"move": "e5"}), StatusCode::CONFLICT).await;
}

#[tokio::test]
async fn a_start_of_chess960_is_chosen_by_its_number() {
    let server = Server::start().await;
    let chess960 = |start: u16| json!({"variant": "chess960", "black": "human", "start": start});
    let game = server.new_game(chess960(518)).await;
    let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(game.state().await["start_fen"], usual);
    for (body, said) in [
        (chess960(960), "0 to 959"),
        (json!({"start": 1}), "only the starts of chess960"),
        (json!({"variant": "chess960", "start": 1, "fen": usual}), "not both"),
    ] {
        let problem = server.post("/api/v1/games", &body, StatusCode::UNPROCESSABLE_ENTITY).await;
        assert!(text(&problem["detail"]).contains(said), "{body}: {problem}");
    }
}
