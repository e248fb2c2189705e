//! Tablebases of a server: the folder is `$TABIA_DATA`, or `shared/data` beside the workspace (`make test-data`).

use std::path::PathBuf;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tabia_book::Tables;
use tabia_search::agents::AgentFiles;
use tabia_server::config::Config;

use crate::support::{Events, Server, catalogue, catalogue_with, text};

/// Queen against a pawn on the seventh rank: a draw that a shallow search takes for a win.
const QUEEN_AGAINST_PAWN: &str = "6Q1/8/8/8/8/5K2/2p5/1k6 w - - 0 1";

/// The score in centipawns of the last line.
async fn score(server: &Server) -> i64 {
    let query = [("fen", QUEEN_AGAINST_PAWN), ("depth", "3"), ("agent", "engine(hash=1)")];
    let mut events = Events::open(server.request(Method::GET, "/api/v1/analysis/lines").query(&query)).await;
    let mut score = None;
    loop {
        let event = events.next().await.unwrap();
        match event.name.as_str() {
            "line" => score = event.data["score_cp"].as_i64(),
            "best" => return score.expect("a line with a score in centipawns"),
            _ => {}
        }
    }
}

fn tables() -> Tables {
    let root = std::env::var_os("TABIA_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    Tables::open(root.join("syzygy/3-4").to_str().unwrap()).unwrap()
}

#[tokio::test]
#[ignore = "needs public data: make test-data"]
async fn the_coach_of_a_server_looks_endings_up() {
    let server = Server::with(Config { tables: Some(tables()), ..Config::in_memory() }).await;
    // Only the king's step to a6 wins.
    let body = json!({"fen": "k7/8/1K6/1P6/8/8/8/8 w - - 0 1", "move": "Kc7", "nodes": 2_000});
    let review = server.post("/api/v1/analysis/review", &body, StatusCode::OK).await;
    let reason = &review["reasons"][0];
    assert_eq!(reason["evidence"]["check"], "endgame tables", "{review}");
    assert!(text(&review["text"]).contains("by the endgame tables"), "{review}");
}

#[tokio::test]
#[ignore = "needs public data: make test-data"]
async fn the_engine_of_a_server_with_tablebases_knows_a_drawn_endgame() {
    let tables = tables();
    let files = AgentFiles::new(|path| std::fs::read_to_string(path))
        .with_tables(tabia_search::syzygy::shared(tables));
    let with_tables = Server::with_agents(Config::in_memory(), catalogue_with(files)).await;
    assert_eq!(score(&with_tables).await, 0);
    let without = Server::with_agents(Config::in_memory(), catalogue()).await;
    assert!(score(&without).await > 200);
}
