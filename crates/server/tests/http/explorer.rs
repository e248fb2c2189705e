//! The opening explorer over HTTP.

use std::path::Path;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tabia_server::config::Config;

use crate::restart::Folder;
use crate::support::{GUARD, Server, expect, text};

const GAMES: &str = "[Event \"One\"]\n[White \"Ada\"]\n[Black \"Babbage\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n\
    [Event \"Two\"]\n[White \"Curie\"]\n[Black \"Darwin\"]\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n\n\
    [Event \"Three\"]\n[White \"Euler\"]\n[Black \"Fermat\"]\n[Result \"*\"]\n\n1. e4 Ke4 *\n";

async fn with_games(folder: &Path) -> Server {
    let file = folder.join("games.pgn");
    std::fs::write(&file, GAMES).unwrap();
    let config = Config { data: Some(folder.to_owned()), games: vec![file], ..Config::in_memory() };
    Server::with(config).await
}

/// The collection, when it is read.
async fn ready(server: &Server) -> Value {
    let read = async {
        loop {
            let collection = server.get("/api/v1/explorer").await;
            if collection["state"] != "indexing" {
                return collection;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(GUARD, read).await.unwrap()
}

#[tokio::test]
async fn moves_games_and_names_of_a_position() {
    let folder = Folder::new();
    let server = with_games(&folder.0).await;
    let collection = ready(&server).await;
    assert_eq!((&collection["state"], &collection["games"]), (&"ready".into(), &2.into()));
    assert_eq!(collection["faults"], 1, "what could not be read is told");
    assert!(text(&collection["first_faults"][0]).starts_with("games.pgn, line "), "{collection}");

    let start = server.get("/api/v1/explorer/position").await;
    assert_eq!((&start["results"]["games"], &start["results"]["white"]), (&2.into(), &1.into()));
    assert_eq!(
        (&start["moves"][0]["san"], &start["moves"][0]["opening"]["eco"]),
        (&"e4".into(), &"B00".into())
    );
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let found = server.get(&format!("/api/v1/explorer/position?fen={}", fen.replace(' ', "%20"))).await;
    assert_eq!((&found["games"][0]["white"], &found["games"][0]["result"]), (&"Ada".into(), &"1-0".into()));
    let path = format!("/api/v1/explorer/games/{}", found["games"][0]["number"]);
    let pgn = server.send(Method::GET, &path).await.text().await.unwrap();
    assert!(pgn.contains("[White \"Ada\"]") && pgn.contains("3. Bb5 1-0"), "{pgn}");
    expect(StatusCode::NOT_FOUND, server.send(Method::GET, "/api/v1/explorer/games/77").await).await;
}

#[tokio::test]
async fn games_are_filtered() {
    let folder = Folder::new();
    let rated = GAMES.replacen(
        "[Result",
        "[WhiteElo \"2700\"]\n[BlackElo \"2600\"]\n[Date \"2019.03.14\"]\n[Result",
        1,
    );
    let file = folder.0.join("games.pgn");
    std::fs::write(&file, rated).unwrap();
    let config = Config { data: Some(folder.0.clone()), games: vec![file], ..Config::in_memory() };
    let server = Server::with(config).await;
    let collection = ready(&server).await;
    assert_eq!((&collection["ratings"]["max"], &collection["years"]["min"]), (&2650.into(), &2019.into()));

    for (query, games) in [
        ("", 2),
        ("min_rating=2650&max_rating=2650", 1),
        ("min_rating=2651", 0),
        ("since=2019-03&until=2019", 1),
        ("result=black", 1),
        ("player=ada", 1),
        ("player=ada&color=black", 0),
        ("player=%20", 2),
    ] {
        let found = server.get(&format!("/api/v1/explorer/position?{query}")).await;
        assert_eq!(found["results"]["games"], games, "{query}");
        assert_eq!(found["games"].as_array().unwrap().len(), games, "{query}");
    }
    let players = server.get("/api/v1/explorer/players?name=DAR").await;
    assert_eq!(
        (&players["players"][0]["name"], &players["players"][0]["games"]),
        (&"Darwin".into(), &1.into())
    );

    for (query, said) in [
        ("min_rating=2700&max_rating=2600", "between them"),
        ("since=March", "2019-03-14"),
        ("color=white", "needs player"),
        (&format!("player={}", "x".repeat(101)), "100 letters"),
    ] {
        let path = format!("/api/v1/explorer/position?{query}");
        let wrong = expect(StatusCode::UNPROCESSABLE_ENTITY, server.send(Method::GET, &path).await).await;
        assert!(text(&wrong["detail"]).contains(said), "{query}: {wrong}");
    }
    for query in ["result=lost", "min_rating=-1", "elo=2500"] {
        let path = format!("/api/v1/explorer/position?{query}");
        expect(StatusCode::BAD_REQUEST, server.send(Method::GET, &path).await).await;
    }
}

#[tokio::test]
async fn without_games_only_names_are_known() {
    let server = Server::start().await;
    assert_eq!(server.get("/api/v1/explorer").await["state"], "none");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let found = server.get(&format!("/api/v1/explorer/position?fen={}", fen.replace(' ', "%20"))).await;
    assert_eq!((&found["opening"]["eco"], &found["results"]["games"]), (&"B00".into(), &0.into()));
    expect(StatusCode::NOT_FOUND, server.send(Method::GET, "/api/v1/explorer/games/1").await).await;
    let wrong = expect(
        StatusCode::UNPROCESSABLE_ENTITY,
        server.send(Method::GET, "/api/v1/explorer/position?fen=x").await,
    )
    .await;
    assert!(!text(&wrong["detail"]).is_empty());
}
