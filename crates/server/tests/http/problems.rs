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
    let problem = problem(StatusCode::PAYLOAD_TOO_LARGE, response).await;
    assert_eq!(problem["detail"], "the body is larger than 1000 bytes, the most that this server takes");
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

/// What a client is told of a request that was refused.
async fn refused(
    server: &Server,
    method: Method,
    path: &str,
    body: Option<&str>,
    status: StatusCode,
) -> String {
    let mut request = server.request(method, path);
    if let Some(body) = body {
        request = request.header("content-type", "application/json").body(body.to_owned());
    }
    text(&problem(status, request.send().await.unwrap()).await["detail"]).to_owned()
}

#[tokio::test]
async fn a_body_that_does_not_fit_is_told_where_and_what_would_be_right() {
    let server = Server::start().await;
    let malformed = StatusCode::BAD_REQUEST;
    let impossible = StatusCode::UNPROCESSABLE_ENTITY;
    for (path, body, status, sentence) in [
        ("games", "", malformed, "the body is empty; expected a JSON object"),
        ("games", "{", malformed, "the body is not JSON: it ends in the middle of an object"),
        ("games", "{} x", malformed, "the body is not JSON: trailing characters (line 1, column 4)"),
        ("games", "hello", malformed, "the body is not JSON: expected a value (line 1, column 1)"),
        ("games", "[1]", impossible, "the body is a list; expected an object"),
        ("games", "\"text\"", impossible, "the body is \"text\"; expected an object"),
        ("games", r#"{"white": 1}"#, impossible, "white is 1; expected a string"),
        ("games", r#"{"moves": "e4"}"#, impossible, "moves is \"e4\"; expected a list"),
        ("games", r#"{"moves": ["e4", 5]}"#, impossible, "moves[1] is 5; expected a string"),
        ("games", r#"{"clock": "x"}"#, impossible, "clock is \"x\"; expected an object"),
        ("games", r#"{"clock": {}}"#, impossible, "the field \"initial_ms\" in clock is missing"),
        (
            "games",
            r#"{"clock": {"initial_ms": -1}}"#,
            impossible,
            "clock.initial_ms is -1; expected a whole number from 0",
        ),
        (
            "games",
            r#"{"clock": {"seconds": 1}}"#,
            impossible,
            "unknown field \"seconds\" in clock; expected \"initial_ms\" or \"increment_ms\"",
        ),
        (
            "games",
            r#"{"start": 99999}"#,
            impossible,
            "start is 99999; expected a whole number from 0 to 65535",
        ),
        (
            "games",
            r#"{"variant": "atomic"}"#,
            impossible,
            "variant is \"atomic\"; expected \"chess\" or \"chess960\"",
        ),
        ("games", r#"{"variant": 5}"#, impossible, "variant is 5; expected a string"),
        ("runs", "{}", impossible, "the field \"kind\" is missing"),
        (
            "runs",
            r#"{"kind": "match", "agents": ["random", "random"], "sprt": [5]}"#,
            impossible,
            "sprt has 1 entry; expected a list of 2",
        ),
        (
            "runs",
            r#"{"kind": "match", "agents": ["random", "random"], "seed": -1}"#,
            impossible,
            "seed is -1; expected a whole number from 0 to 4294967295",
        ),
    ] {
        let detail = refused(&server, Method::POST, &format!("/api/v1/{path}"), Some(body), status).await;
        assert_eq!(detail, sentence, "{body}");
    }
    let body = r#"{"foo": 1}"#;
    let detail = refused(&server, Method::POST, "/api/v1/games", Some(body), impossible).await;
    assert!(detail.starts_with("unknown field \"foo\"; expected one of \"variant\", \"white\""), "{detail}");
}

#[tokio::test]
async fn a_query_or_path_that_does_not_fit_is_told_where_and_what_would_be_right() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "human"})).await;
    let id = game.path.rsplit('/').next().unwrap();
    for (path, sentence) in [
        ("analysis/lines?multipv=x", "multipv is \"x\"; expected a whole number"),
        ("analysis/lines?multipv=-1", "multipv is \"-1\"; expected a whole number from 0"),
        ("analysis/lines?depth=99999999999", "depth is \"99999999999\"; expected a smaller number"),
        ("games?all=x", "all is \"x\"; expected true or false"),
        ("games?limit=5", "unknown parameter \"limit\"; expected \"all\""),
        ("analysis/evaluate?foo=1", "unknown parameter \"foo\"; expected \"fen\" or \"eval\""),
        ("analysis/square?fen=startpos", "the parameter \"square\" is missing"),
        ("analysis/square?square=e4&square=e5", "the parameter \"square\" is given twice"),
        ("explorer/position?color=x", "color is \"x\"; expected \"white\" or \"black\""),
        ("explorer/position?result=x", "result is \"x\"; expected one of \"white\", \"draw\", \"black\""),
        ("explorer/games/x", "the path has \"x\"; expected a whole number"),
        ("games/xyz", "\"xyz\" is no id: an id is 32 hexadecimal digits"),
        ("games/%ff", "the path is not UTF-8"),
    ] {
        let path = format!("/api/v1/{path}");
        assert_eq!(
            refused(&server, Method::GET, &path, None, StatusCode::BAD_REQUEST).await,
            sentence,
            "{path}"
        );
    }
    let quantum = server.post("/api/v1/quantum/games", &json!({}), StatusCode::CREATED).await;
    let path = format!("/api/v1/quantum/games/{}/positions/x", text(&quantum["id"]));
    let detail = refused(&server, Method::GET, &path, None, StatusCode::BAD_REQUEST).await;
    assert_eq!(detail, "the path has \"x\"; expected a whole number from 0");
    let (path, status) = (format!("/api/v1/games/{id}/moves"), StatusCode::UNPROCESSABLE_ENTITY);
    let detail = refused(&server, Method::POST, &path, Some("{}"), status).await;
    assert_eq!(detail, "the field \"move\" is missing");
}

#[tokio::test]
async fn an_agent_without_scores_is_named() {
    let server = Server::start().await;
    let body = r#"{"agent": "random", "move": "e2e4", "nodes": 100}"#;
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    let detail = refused(&server, Method::POST, "/api/v1/analysis/review", Some(body), status).await;
    assert_eq!(
        detail,
        "\"random\" does not say what a position is worth; use an agent that searches, such as engine"
    );
}
