//! Links for watchers.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{Events, Server, expect, text};

#[tokio::test]
async fn a_watcher_sees_the_game_and_cannot_move() {
    let server = Server::start().await;
    let game = server.new_game(json!({"white": "human", "black": "human"})).await;
    game.play("e4").await;
    let link = game.post("watch", json!({})).await;
    let watch = text(&link["watch"]).to_owned();
    assert_eq!(text(&game.post("watch", json!({})).await["watch"]), watch, "the same each time");
    let id = game.path.rsplit('/').next().unwrap().to_owned();
    assert_ne!(watch, id);

    let seen = server.get(&format!("/api/v1/watch/{watch}")).await;
    assert_eq!(seen["moves"][0]["san"], "e4");
    assert!(!seen.to_string().contains(&id), "the game's own id is not told");
    let pgn = server.send(Method::GET, &format!("/api/v1/watch/{watch}/pgn")).await.text().await.unwrap();
    assert!(pgn.contains("1. e4"), "{pgn}");

    for path in [format!("/api/v1/games/{watch}"), format!("/api/v1/games/{watch}/events")] {
        expect(StatusCode::NOT_FOUND, server.send(Method::GET, &path).await).await;
    }
    for action in ["moves", "undo", "resign", "draw", "move-now", "watch"] {
        for path in [format!("/api/v1/games/{watch}/{action}"), format!("/api/v1/watch/{watch}/{action}")] {
            let answer =
                server.request(Method::POST, &path).json(&json!({"move": "e5"})).send().await.unwrap();
            assert!(answer.status().is_client_error(), "{path}: {}", answer.status());
        }
    }
    assert_eq!(server.get(&game.path).await["ply"], 1, "nothing has happened");

    let request = server.request(Method::GET, &format!("/api/v1/watch/{watch}/events"));
    let mut stream = Events::open(request).await;
    let first = stream.next_named("state").await;
    assert!(!first.data.to_string().contains(&id), "nor by the stream");
    game.play("e5").await;
    assert_eq!(stream.next_named("moved").await.data["move"]["san"], "e5");
}

#[tokio::test]
async fn a_link_ends_with_its_game() {
    let server = Server::start().await;
    let game = server.new_game(json!({"white": "human", "black": "human"})).await;
    let watch = text(&game.post("watch", json!({})).await["watch"]).to_owned();
    server.send(Method::DELETE, &game.path).await;
    expect(StatusCode::NOT_FOUND, server.send(Method::GET, &format!("/api/v1/watch/{watch}")).await).await;
}
