//! What was acknowledged is there after a restart, and games go on.

use std::path::PathBuf;

use serde_json::json;

use crate::support::Server;

/// A folder that is gone when the test is.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        let path = std::env::temp_dir().join(format!("tabia-server-test-{}", tabia_server::id::Id::random()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn a_game_goes_on_after_a_restart() {
    let folder = Folder::new();
    let server = Server::in_folder(&folder.0).await;
    let clock = json!({"initial_ms": 600_000, "increment_ms": 1000});
    let game = server.new_game(json!({"black": "random(seed=5)", "clock": clock})).await;
    game.play("e4").await;
    game.settled().await;
    game.play("d4").await;
    let before = game.settled().await;
    let path = game.path.clone();
    server.close().await;

    let server = Server::in_folder(&folder.0).await;
    let game = server.game(&path);
    let after = game.state().await;
    for key in ["fen", "moves", "version", "white", "black", "variant", "created_at", "evaluation", "outcome"]
    {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(after["clock"]["running"], "white");
    // Whoever was away hears what was missed before the restart.
    let mut events = game.watch(Some(1)).await;
    assert_eq!(events.next_named("moved").await.data["move"]["san"], "e4");
    game.play("a3").await;
    assert_eq!(game.settled().await["ply"], 6);
    assert_eq!(game.post("undo", json!({})).await["ply"], 4);
    server.close().await;

    let server = Server::in_folder(&folder.0).await;
    assert_eq!(server.game(&path).state().await["ply"], 4, "what was taken back stays so");
}

#[tokio::test]
async fn an_agent_that_was_thinking_thinks_again() {
    let folder = Folder::new();
    let server = Server::in_folder(&folder.0).await;
    let game = server
        .new_game(json!({"white": "engine", "black": "human", "white_limits": {"movetime_ms": 600_000}}))
        .await;
    let mut events = game.watch(None).await;
    events.next_named("thinking").await;
    let path = game.path.clone();
    server.close().await;

    let server = Server::in_folder(&folder.0).await;
    let game = server.game(&path);
    assert_eq!(game.state().await["ply"], 0, "a thought that was broken off is no move");
    let mut events = game.watch(None).await;
    events.next_named("thinking").await;
    server.post(&format!("{path}/move-now"), &json!({}), reqwest::StatusCode::ACCEPTED).await;
    assert_eq!(events.next_named("moved").await.data["move"]["ply"], 1);
}

#[tokio::test]
async fn the_seeds_game_goes_on_after_a_restart() {
    let folder = Folder::new();
    let server = Server::in_folder(&folder.0).await;
    server.send(reqwest::Method::POST, "/post/move/e2e4").await;
    server.close().await;
    let server = Server::in_folder(&folder.0).await;
    let status = server.send(reqwest::Method::GET, "/get/status/").await.text().await.unwrap();
    assert_eq!(status, "/get/status/Black to move");
}
