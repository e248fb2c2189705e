//! WatchGuard a game: events in order, none lost, and a server that closes.

use reqwest::Method;
use serde_json::json;

use crate::support::{Events, Server};

#[tokio::test]
async fn whoever_comes_back_hears_what_was_missed() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "human"})).await;
    let mut events = game.watch(None).await;
    let first = events.next_named("state").await;
    assert_eq!(first.data["ply"], 0);
    game.play("e4").await;
    let moved = events.next_named("moved").await;
    assert_eq!(moved.id, Some(first.id.unwrap() + 1));
    assert_eq!(moved.data["move"]["san"], "e4");
    assert_eq!(moved.data["position"]["turn"], "black");
    drop(events);

    game.play("e5").await;
    game.post("undo", json!({})).await;
    game.play("c5").await;
    let id = moved.id.unwrap().to_string();
    let request = server.request(Method::GET, &format!("{}/events", game.path)).header("last-event-id", &id);
    let mut events = Events::open(request).await;
    let missed = [events.next().await, events.next().await, events.next().await].map(Option::unwrap);
    assert_eq!(missed.each_ref().map(|event| event.name.as_str()), ["moved", "undone", "moved"]);
    assert_eq!(missed.each_ref().map(|event| event.id.unwrap()), [3, 4, 5]);
    assert_eq!(missed[1].data["plies"], 1);
    let mut since = game.watch(Some(4)).await;
    assert_eq!(since.next().await.unwrap(), missed[2]);
}

#[tokio::test]
async fn a_number_that_was_never_given_gets_the_whole_game() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "human"})).await;
    let mut events = game.watch(Some(1_000)).await;
    assert_eq!(events.next().await.unwrap().name, "state");
}

#[tokio::test]
async fn two_agents_play_to_the_end_and_every_event_is_heard() {
    let server = Server::start().await;
    let game = server.new_game(json!({"white": "random(seed=1)", "black": "random(seed=2)"})).await;
    let mut events = game.watch(Some(0)).await;
    let mut expected = 1;
    loop {
        let event = events.next().await.unwrap();
        if event.name == "state" {
            // Away for longer than events are kept.
            expected = event.id.unwrap() + 1;
            continue;
        }
        assert_eq!(event.id, Some(expected), "{}", event.name);
        expected += 1;
        if event.name == "ended" {
            break;
        }
    }
    assert_eq!(game.state().await["awaits"], "nobody");
}

#[tokio::test]
async fn closing_the_server_ends_streams_and_thinking() {
    let server = Server::start().await;
    let limits = json!({"movetime_ms": 600_000});
    let game = server.new_game(json!({"white": "engine", "black": "human", "white_limits": limits})).await;
    let mut events = game.watch(None).await;
    events.next_named("thinking").await;
    let (path, ()) = (game.path.clone(), drop(game));
    assert!(path.starts_with("/api"));
    server.close().await;
    while events.next().await.is_some() {}
}
