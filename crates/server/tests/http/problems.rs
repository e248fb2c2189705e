//! Errors: problem+json in every case, axum's own included.

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tabia_server::config::{Bounds, Config};

use crate::support::{Server, text};

async fn problem(status: StatusCode, response: Response) -> Value {
    assert_eq!(response.status(), status);
    assert_eq!(response.headers()["content-type"], "application/problem+json");
    let problem: Value = response.json().await.unwrap();
    assert_eq!(problem["status"], status.as_u16());
    assert!(text(&problem["type"]).starts_with("/problems/"), "{problem}");
    assert!(!text(&problem["title"]).is_empty() && !text(&problem["detail"]).is_empty(), "{problem}");
    problem
}

#[tokio::test]
async fn every_error_is_a_problem() {
    let server = Server::start().await;
    let games = "/api/v1/games";
    let raw = |body: &'static str, kind: &'static str| {
        server.request(Method::POST, games).header("content-type", kind).body(body).send()
    };
    problem(StatusCode::BAD_REQUEST, raw("{", "application/json").await.unwrap()).await;
    problem(StatusCode::UNPROCESSABLE_ENTITY, raw("{\"moves\": 1}", "application/json").await.unwrap()).await;
    problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, raw("{}", "text/plain").await.unwrap()).await;
    problem(StatusCode::NOT_FOUND, server.send(Method::GET, "/api/v1/nothing").await).await;
    problem(StatusCode::NOT_FOUND, server.send(Method::GET, "/nothing.js").await).await;
    let missing = format!("{games}/{}", "0".repeat(32));
    problem(StatusCode::NOT_FOUND, server.send(Method::GET, &missing).await).await;
    problem(StatusCode::BAD_REQUEST, server.send(Method::GET, &format!("{games}/..%2Fx")).await).await;
    let wrong = server.send(Method::PUT, games).await;
    assert!(wrong.headers().contains_key("allow"));
    problem(StatusCode::METHOD_NOT_ALLOWED, wrong).await;
    problem(StatusCode::BAD_REQUEST, server.send(Method::GET, "/api/v1/analysis/lines?depth=x").await).await;
    problem(StatusCode::BAD_REQUEST, server.send(Method::GET, "/ws/legacy").await).await;
}

#[tokio::test]
async fn a_body_beyond_the_bound_is_refused() {
    let bounds = Bounds { body_bytes: 1000, ..Bounds::default() };
    let server = Server::with(Config { bounds, ..Config::in_memory() }).await;
    let body = json!({"fen": "x".repeat(2000)});
    let response = server.request(Method::POST, "/api/v1/games").json(&body).send().await.unwrap();
    problem(StatusCode::PAYLOAD_TOO_LARGE, response).await;
}

#[tokio::test]
async fn a_full_server_says_when_to_come_back() {
    let bounds = Bounds { sessions: 1, streams: 1, analyses: 1, ..Bounds::default() };
    let server = Server::with(Config { bounds, ..Config::in_memory() }).await;
    let game = server.new_game(json!({"black": "human"})).await;
    let mut watching = game.watch(None).await;
    watching.next_named("state").await;

    // The one stream is open, and so the one session is in use.
    let response = server.send(Method::GET, &format!("{}/events", game.path)).await;
    assert!(response.headers().contains_key("retry-after"));
    problem(StatusCode::SERVICE_UNAVAILABLE, response).await;
    let body = json!({"black": "human"});
    let response = server.request(Method::POST, "/api/v1/games").json(&body).send().await.unwrap();
    assert!(response.headers().contains_key("retry-after"));
    problem(StatusCode::SERVICE_UNAVAILABLE, response).await;
    assert_eq!(game.play("e4").await["ply"], 1, "whoever is in goes on");
}

#[tokio::test]
async fn games_beyond_the_bound_are_put_away_and_found_again() {
    let bounds = Bounds { sessions: 2, ..Bounds::default() };
    let server = Server::with(Config { bounds, ..Config::in_memory() }).await;
    let mut paths = Vec::new();
    for number in 0..6 {
        let game = server.new_game(json!({"black": "human"})).await;
        game.play(["e4", "d4", "c4", "f4", "g4", "h4"][number]).await;
        paths.push(game.path);
    }
    assert!(server.app.sessions.len() <= 2);
    for (path, m) in paths.iter().zip(["e4", "d4", "c4", "f4", "g4", "h4"]) {
        assert_eq!(server.game(path).state().await["moves"][0]["san"], m);
        assert_eq!(server.game(path).play("a6").await["ply"], 2);
    }
}

#[tokio::test]
async fn a_list_is_no_body() {
    let server = Server::start().await;
    for (path, body) in [
        ("/api/v1/games", serde_json::json!([null, null])),
        ("/api/v1/games", serde_json::json!([])),
        ("/api/v1/games", serde_json::json!(null)),
        ("/api/v1/quantum/games", serde_json::json!([null, null])),
        ("/api/v1/runs", serde_json::json!(["match", null, ["random", "random"]])),
    ] {
        let problem = server.post(path, &body, StatusCode::UNPROCESSABLE_ENTITY).await;
        let detail = crate::support::text(&problem["detail"]);
        assert!(detail.contains("expected an object"), "{path}: {detail}");
    }
}
