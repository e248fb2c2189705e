//! Games as files, out and in again.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Server, expect, text};

async fn import(server: &Server, kind: &str, body: String, status: StatusCode) -> Value {
    let request =
        server.request(Method::POST, "/api/v1/games/import").header("content-type", kind).body(body);
    expect(status, request.send().await.unwrap()).await
}

#[tokio::test]
async fn a_game_goes_out_and_comes_in_again() {
    let server = Server::start().await;
    let game =
        server.new_game(json!({"black": "axiomx-speed(depth=1)", "moves": ["e4", "e5", "Nf3", "Nc6"]})).await;
    game.play("Bb5").await;
    let state = game.settled().await;
    game.post("resign", json!({})).await;

    let pgn = server.send(Method::GET, &format!("{}/pgn", game.path)).await.text().await.unwrap();
    assert!(pgn.contains("[Black \"axiomx-speed(depth=1)\"]") && pgn.contains("[%eval "), "{pgn}");
    let replay = server.get(&format!("{}/replay", game.path)).await;
    assert_eq!(replay["result"], "0-1");
    assert_eq!(replay["moves"][0], "e2e4");
    assert_eq!(replay["variant"], "chess");

    for (kind, body) in [("application/x-chess-pgn", pgn), ("application/json", replay.to_string())] {
        let again = import(&server, kind, body, StatusCode::CREATED).await;
        assert_eq!(again["fen"], state["fen"]);
        assert_eq!(again["outcome"]["reason"], "resignation");
        assert_eq!(again["black"]["name"], "axiomx-speed(depth=1)");
        assert_eq!(again["moves"][5]["score_cp"], state["moves"][5]["score_cp"], "{kind}");
    }
}

#[tokio::test]
async fn the_opening_has_its_name_and_loses_it_with_the_move() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "human", "pgn": "1. e4 e5 2. Nf3 Nc6"})).await;
    let state = game.play("Bb5").await;
    let name = text(&state["opening"]["name"]).to_owned();
    assert!(name.contains("Ruy Lopez"), "{name}");
    assert_eq!(text(&game.play("h5").await["opening"]["name"]), name, "until there is a better one");
    game.post("undo", json!({})).await;
    let state = game.post("undo", json!({})).await;
    assert_ne!(text(&state["opening"]["name"]), name);
}

#[tokio::test]
async fn files_that_are_no_games_are_refused() {
    let server = Server::start().await;
    for (kind, body, status, said) in [
        ("application/x-chess-pgn", "1. e4 e5 2. Ke3 *", StatusCode::UNPROCESSABLE_ENTITY, "Ke3"),
        ("application/x-chess-pgn", "", StatusCode::UNPROCESSABLE_ENTITY, "no game"),
        (
            "application/x-chess-pgn",
            "1. e4 *\n\n1. d4 *\n",
            StatusCode::UNPROCESSABLE_ENTITY,
            "one at a time",
        ),
        ("application/json", "{\"moves\": [\"e2e5\"]}", StatusCode::UNPROCESSABLE_ENTITY, "e2e5"),
        ("image/png", "x", StatusCode::UNSUPPORTED_MEDIA_TYPE, "Content-Type"),
    ] {
        let problem = import(&server, kind, body.to_owned(), status).await;
        assert!(text(&problem["detail"]).contains(said), "{problem}");
    }
}
