//! Why moves are good or bad: a move, and a whole game as a job.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tabia_server::config::{Bounds, Config};

use crate::support::{Event, Events, Server, expect, text};

const LEGAL: &str = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6";
const GAMES: &str = "/api/v1/analysis/games";

/// Black allows the scholar's mate.
const GAME: &str = "[White \"anna\"]\n[Black \"boris\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 { a gift } (3... g6 4. Qf3 (4. Qd1)) 4. Qxf7# 1-0";

async fn start(server: &Server, body: Value) -> String {
    let job = server.post(GAMES, &body, StatusCode::CREATED).await;
    format!("{GAMES}/{}", text(&job["id"]))
}

async fn watch(server: &Server, path: &str, since: Option<u64>) -> Vec<Event> {
    let mut request = server.request(Method::GET, &format!("{path}/events"));
    if let Some(since) = since {
        request = request.header("last-event-id", since);
    }
    let mut events = Events::open(request).await;
    let mut heard = Vec::new();
    while let Some(event) = events.next().await {
        heard.push(event);
    }
    heard
}

#[tokio::test]
async fn a_move_is_explained_with_proof() {
    let server = Server::start().await;
    let body = json!({"fen": LEGAL, "move": "Bxd1", "nodes": 20_000});
    let review = server.post("/api/v1/analysis/review", &body, StatusCode::OK).await;
    assert_eq!((&review["move"], &review["san"]), (&json!("h5d1"), &json!("Bxd1")));
    assert_eq!(review["verdict"], "allowed mate");
    let mate = &review["reasons"][0];
    assert_eq!((&mate["kind"], &mate["mate"]), (&json!("outcome"), &json!(2)));
    assert!(text(&review["text"]).starts_with("6...Bxd1?? allows mate in 2: 7.Bxf7+"), "{review}");
    let again = server.post("/api/v1/analysis/review", &body, StatusCode::OK).await;
    assert_eq!(review, again, "the same nodes give the same document");
    let idea =
        server.post("/api/v1/analysis/review", &json!({"fen": LEGAL, "nodes": 5_000}), StatusCode::OK).await;
    assert_ne!(idea["move"], "h5d1");
}

#[tokio::test]
async fn texts_come_in_the_language_that_is_asked_for() {
    let server = Server::start().await;
    let body = json!({"fen": LEGAL, "move": "Bxd1", "nodes": 20_000});
    let english = server.post("/api/v1/analysis/review", &body, StatusCode::OK).await;
    let mut german = server.post("/api/v1/analysis/review?language=de", &body, StatusCode::OK).await;
    assert!(text(&german["text"]).starts_with("6...Bxd1?? lässt Matt in 2 zu: 7.Bxf7+"), "{german}");
    german["text"] = english["text"].clone();
    assert_eq!(german, english, "only the text differs");
    let problem = server.post("/api/v1/analysis/review?language=tlh", &body, StatusCode::BAD_REQUEST).await;
    assert!(text(&problem["detail"]).contains("tlh"), "{problem}");

    let body = json!({"pgn": GAME, "nodes": 3_000, "exercises": true});
    let job = server.post(&format!("{GAMES}?language=de"), &body, StatusCode::CREATED).await;
    assert_eq!(job["language"], "de");
    let path = format!("{GAMES}/{}", text(&job["id"]));
    watch(&server, &path, None).await;
    let job = server.get(&path).await;
    assert!(text(&job["moves"][5]["review"]["text"]).contains("lässt Matt in 1 zu"), "{job}");
    let exercises = server.get(&format!("{path}/exercises")).await;
    let reasons = exercises["exercises"].as_array().unwrap().iter().map(|exercise| text(&exercise["reason"]));
    assert!(reasons.into_iter().any(|reason| reason.contains("lässt Matt in 1 zu")), "{exercises}");
    let annotated = server.send(Method::GET, &format!("{path}/pgn")).await.text().await.unwrap();
    let on_one_line = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(on_one_line.contains("lässt Matt in 1 zu"), "{annotated}");
}

#[tokio::test]
async fn what_cannot_be_explained_is_refused_with_the_reason() {
    let server = Server::start().await;
    for (body, why) in [
        (json!({"fen": LEGAL, "move": "Bxd2"}), "Bxd2"),
        (json!({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}), "king"),
        (json!({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}), "the game is over"),
        (json!({"move": "e4", "nodes": 0}), "1 to 5000000"),
        (json!({"move": "e4", "agent": "nobody"}), "nobody"),
    ] {
        let problem = server.post("/api/v1/analysis/review", &body, StatusCode::UNPROCESSABLE_ENTITY).await;
        assert!(text(&problem["detail"]).contains(why), "{problem}");
    }
    for (body, why) in [
        (json!({}), "`pgn` or as `moves`"),
        (json!({"pgn": "1. e4 *", "moves": ["e4"]}), "not both"),
        (json!({"moves": ["e4", "e5", "Ke3"]}), "half-move 3"),
        (json!({"moves": []}), "0 half-moves"),
        (json!({"pgn": "1. e4 *\n\n1. d4 *"}), "more than one game"),
        (json!({"moves": ["e4"], "nodes": 3_000_000}), "1 to 2000000"),
    ] {
        let problem = server.post(GAMES, &body, StatusCode::UNPROCESSABLE_ENTITY).await;
        assert!(text(&problem["detail"]).contains(why), "{problem}");
    }
    expect(StatusCode::NOT_FOUND, server.send(Method::GET, &format!("{GAMES}/{}", "0".repeat(32))).await)
        .await;
}

#[tokio::test]
async fn a_game_is_reviewed_while_nobody_listens_and_told_from_its_first_event() {
    let server = Server::start().await;
    let path = start(&server, json!({"pgn": GAME, "nodes": 3_000, "exercises": true})).await;
    let events = watch(&server, &path, None).await;
    let numbers: Vec<u64> = events.iter().map(|event| event.id.unwrap()).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    assert_eq!(events.last().unwrap().name, "done");
    let moves: Vec<&Event> = events.iter().filter(|event| event.name == "move").collect();
    let sans: Vec<&str> = moves.iter().map(|event| text(&event.data["san"])).collect();
    assert_eq!(sans, ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]);
    let blunder = moves[5];
    assert_eq!(blunder.data["mark"], "blunder");
    let at = events.iter().position(|event| event == blunder).unwrap();
    assert_eq!(events[at + 1].name, "review", "a marked move is followed by its review");
    assert_eq!(events[at + 1].data["ply"], 6);
    assert!(
        text(&events[at + 1].data["review"]["text"]).starts_with("3...Nf6?? allows mate in 1: 4.Qxf7#."),
        "{:?}",
        events[at + 1]
    );

    // Whoever comes back hears the rest, and the same.
    let rest = watch(&server, &path, Some(3)).await;
    assert_eq!(rest, events[3..]);

    let job = server.get(&path).await;
    assert_eq!(
        (&job["state"], &job["white"], &job["version"]),
        (&json!("done"), &json!("anna"), &json!(events.len()))
    );
    assert_eq!(job["positions"], json!({"done": 8, "of": 8}));
    assert_eq!(job["moves"][5]["review"], events[at + 1].data["review"]);
    assert_eq!(job["marks"]["black"]["blunders"], 1);
    assert!(job["opening"]["eco"].is_string(), "{job}");

    let exercises = server.get(&format!("{path}/exercises?player=black")).await;
    let exercise = &exercises["exercises"][0];
    assert_eq!((&exercise["ply"], &exercise["played"]["san"]), (&json!(6), &json!("Nf6")));
    let accepted = exercise["accepted"].as_array().unwrap();
    assert!(!accepted.is_empty() && accepted.iter().all(|one| one["san"] != "Nf6"), "{exercise}");
    assert!(text(&exercise["hint"]).ends_with(['.', '?']), "{exercise}");

    let pgn = server.send(Method::GET, &format!("{path}/pgn")).await.text().await.unwrap();
    // Where its lines are broken depends on the length of the scores.
    let pgn = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        pgn.contains("3... Nf6 $4") && pgn.contains("a gift") && pgn.contains("(3... g6 4. Qf3 (4. Qd1))"),
        "{pgn}"
    );

    expect_gone(&server, &path).await;
}

async fn expect_gone(server: &Server, path: &str) {
    assert_eq!(server.send(Method::DELETE, path).await.status(), StatusCode::NO_CONTENT);
    expect(StatusCode::NOT_FOUND, server.send(Method::GET, path).await).await;
}

#[tokio::test]
async fn the_same_game_gets_the_same_marks() {
    let server = Server::start().await;
    let moves = ["e4", "e5", "g1f3", "b8c6", "Nxe5", "Nxe5"];
    let mut found = Vec::new();
    for _ in 0..2 {
        let path = start(&server, json!({"moves": moves, "nodes": 2_000})).await;
        watch(&server, &path, None).await;
        found.push(server.get(&path).await["moves"].clone());
        let problem =
            expect(StatusCode::CONFLICT, server.send(Method::GET, &format!("{path}/exercises")).await).await;
        assert!(text(&problem["detail"]).contains("exercises"), "{problem}");
    }
    assert_eq!(found[0], found[1]);
}

#[tokio::test]
async fn a_review_can_be_cancelled_and_waiting_ones_go_on() {
    let bounds = Bounds { reviews: 1, kept_reviews: 2, ..Bounds::default() };
    let server = Server::with(Config { bounds, ..Config::in_memory() }).await;
    // The most nodes: it does not end by itself while the test looks.
    let long =
        start(&server, json!({"moves": ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"], "nodes": 2_000_000})).await;
    let short = start(&server, json!({"moves": ["f3", "e5", "g4", "Qh4#"], "nodes": 1_000})).await;
    let full = server.post(GAMES, &json!({"moves": ["e4"]}), StatusCode::SERVICE_UNAVAILABLE).await;
    assert!(text(&full["detail"]).contains("as many games"), "{full}");
    let cancelled = server.post(&format!("{long}/cancel"), &json!({}), StatusCode::OK).await;
    assert_eq!(cancelled["state"], "cancelled");
    let events = watch(&server, &long, None).await;
    assert_eq!(events.last().unwrap().name, "cancelled");
    let events = watch(&server, &short, None).await;
    assert_eq!(events.last().unwrap().name, "done");
    let job = server.get(&short).await;
    assert_eq!((&job["result"], &job["moves"][3]["mate"]), (&json!("0-1"), &json!(0)));
    // An ended one makes room.
    start(&server, json!({"moves": ["e4"], "nodes": 100})).await;
    expect(StatusCode::NOT_FOUND, server.send(Method::GET, &long).await).await;
}

#[tokio::test]
async fn an_agent_that_breaks_down_fails_its_review_and_nothing_else() {
    let server = Server::start().await;
    let path = start(&server, json!({"moves": ["e4", "e5"], "agent": "broken"})).await;
    let events = watch(&server, &path, None).await;
    assert_eq!(events.last().unwrap().name, "failed");
    let job = server.get(&path).await;
    assert_eq!(job["state"], "failed");
    assert!(text(&job["detail"]).contains("a fault on purpose"), "{job}");
}

#[tokio::test]
async fn a_broken_variation_is_named_and_kept_as_far_as_it_goes() {
    let server = Server::start().await;
    let pgn = "1. e4 e5\n(1... c5 2. Nf3 Ke3 3. d4)\n2. Nf3 *";
    let path = start(&server, json!({"pgn": pgn, "nodes": 500})).await;
    watch(&server, &path, None).await;
    let job = server.get(&path).await;
    let faults = job["faults"].as_array().unwrap();
    assert!(text(&faults[0]).starts_with("PGN:2: \"Ke3\" is not legal in "), "{job}");
    assert_eq!(faults.len(), 1);
    assert_eq!(job["moves"].as_array().unwrap().len(), 3);
    let written = server.send(Method::GET, &format!("{path}/pgn")).await.text().await.unwrap();
    assert!(written.contains("(1... c5 2. Nf3)"), "{written}");
    let whole = start(&server, json!({"pgn": GAME, "nodes": 500})).await;
    assert_eq!(server.get(&whole).await["faults"], Value::Null);
}
