//! Positions taken apart, and lines as they are found.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{Events, Server, expect, text};

#[tokio::test]
async fn the_terms_of_every_evaluation_sum_to_its_score() {
    let server = Server::start().await;
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let list = server.get("/api/v1/analysis/evaluations").await;
    let evaluations = list["evaluations"].as_array().unwrap();
    assert!(evaluations.iter().any(|entry| entry["name"] == list["default"]));
    for entry in evaluations {
        let name = text(&entry["name"]);
        let request =
            server.request(Method::GET, "/api/v1/analysis/evaluate").query(&[("fen", fen), ("eval", name)]);
        let document = expect(StatusCode::OK, request.send().await.unwrap()).await;
        let sum: i64 =
            document["terms"].as_array().unwrap().iter().map(|term| term["score_cp"].as_i64().unwrap()).sum();
        assert_eq!(document["score_cp"], sum, "{name}");
        assert_eq!(document["fen"], fen);
        assert!(text(&document["words"]).ends_with('.'), "{document}");
        let fields: Vec<_> =
            document["fields"].as_array().unwrap().iter().map(|field| &field["name"]).collect();
        let listed: Vec<_> = entry["fields"].as_array().unwrap().iter().map(|field| &field["name"]).collect();
        assert_eq!(fields, listed, "{name}");
    }
}

#[tokio::test]
async fn an_evaluation_takes_the_options_that_are_listed_for_it() {
    let server = Server::start().await;
    let list = server.get("/api/v1/analysis/evaluations").await;
    let axiomx = list["evaluations"].as_array().unwrap().iter().find(|entry| entry["name"] == "axiomx");
    let options: Vec<&str> =
        axiomx.unwrap()["options"].as_array().unwrap().iter().map(|option| text(&option["key"])).collect();
    assert_eq!(options, ["kernels", "multiscale", "attention", "phase", "opening", "passed"]);
    let control = async |eval: &str| {
        let document = server.get(&format!("/api/v1/analysis/evaluate?eval={eval}")).await;
        let fields = document["fields"].as_array().unwrap();
        fields.iter().find(|field| field["name"] == "control").unwrap()["values"].clone()
    };
    assert_ne!(control("axiomx").await, control("axiomx(kernels=code)").await);
    assert_ne!(control("axiomx").await, control("axiomx(multiscale=3,5)").await);
}

#[tokio::test]
async fn the_pieces_that_reach_a_square_are_named() {
    let server = Server::start().await;
    for name in ["axiomx", "axon", "pst", "chromosome", "axiomx-speed"] {
        let path = format!("/api/v1/analysis/square?square=f3&eval={name}");
        let document = server.get(&path).await;
        assert_eq!(document["square"], "f3");
        let fields = document["fields"].as_array().unwrap();
        if name == "axiomx" {
            let attack = fields.iter().find(|field| field["name"] == "white attack").unwrap();
            let pieces: Vec<&str> =
                attack["pieces"].as_array().unwrap().iter().map(|piece| text(&piece["square"])).collect();
            for square in ["g1", "e2", "g2", "f2"] {
                assert!(pieces.contains(&square), "{attack}");
            }
        }
    }
    let wrong = server.send(Method::GET, "/api/v1/analysis/square?square=f9").await;
    expect(StatusCode::UNPROCESSABLE_ENTITY, wrong).await;
}

#[tokio::test]
async fn a_position_is_checked_and_faults_are_named() {
    let server = Server::start().await;
    let ask = |fen: &'static str| {
        server.request(Method::GET, "/api/v1/analysis/position").query(&[("fen", fen)]).send()
    };
    let fine = expect(StatusCode::OK, ask("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").await.unwrap()).await;
    assert_eq!(fine["outcome"]["reason"], "stalemate");
    assert_eq!(fine["legal"], json!({}));
    for (fen, said) in [
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7 has 9 squares, expected 8"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
    ] {
        let problem = expect(StatusCode::UNPROCESSABLE_ENTITY, ask(fen).await.unwrap()).await;
        assert!(text(&problem["detail"]).contains(said), "{problem}");
    }
}

#[tokio::test]
async fn lines_are_streamed_and_end_with_the_best_move() {
    let server = Server::start().await;
    let query = [("fen", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), ("depth", "4"), ("multipv", "2")];
    let mut events = Events::open(server.request(Method::GET, "/api/v1/analysis/lines").query(&query)).await;
    let mut ranks = std::collections::BTreeSet::new();
    loop {
        let event = events.next().await.unwrap();
        match event.name.as_str() {
            "line" => ranks.insert(event.data["rank"].as_u64().unwrap()),
            "best" => {
                assert_eq!(event.data["san"], "Ra8#");
                break;
            }
            other => panic!("{other}: {}", event.data),
        };
    }
    assert_eq!(ranks.into_iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn closing_the_stream_ends_the_thinking() {
    let server = Server::start().await;
    let mut streams = Vec::new();
    for _ in 0..server.app.config.bounds.analyses {
        let request = server.request(Method::GET, "/api/v1/analysis/lines?movetime_ms=600000");
        let mut events = Events::open(request).await;
        events.next_named("line").await;
        streams.push(events);
    }
    let full = server.send(Method::GET, "/api/v1/analysis/lines?depth=1").await;
    assert!(full.headers().contains_key("retry-after"));
    expect(StatusCode::SERVICE_UNAVAILABLE, full).await;
    drop(streams);
    // Places become free as soon as the engines notice.
    let free = async {
        while server.send(Method::GET, "/api/v1/analysis/lines?depth=1").await.status() != StatusCode::OK {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(crate::support::GUARD, free).await.expect("a place becomes free");
}

#[tokio::test]
async fn wrong_questions_are_refused() {
    let server = Server::start().await;
    for (path, said) in [
        ("/api/v1/analysis/evaluate?eval=axonn", "did you mean \"axon\""),
        ("/api/v1/analysis/evaluate?eval=axon(kernels=code)", "contempt, style"),
        ("/api/v1/analysis/square?square=f3&eval=axon(style=101)", "-100 to 100"),
        ("/api/v1/analysis/lines?agent=random&multipv=3", "lines"),
        ("/api/v1/analysis/lines?multipv=99", "1 to 10"),
        ("/api/v1/analysis/lines?depth=0", "at least 1"),
        ("/api/v1/analysis/lines?fen=7k/5Q2/6K1/8/8/8/8/8%20b%20-%20-", "over"),
    ] {
        let problem = expect(StatusCode::UNPROCESSABLE_ENTITY, server.send(Method::GET, path).await).await;
        assert!(text(&problem["detail"]).contains(said), "{path}: {problem}");
    }
}
