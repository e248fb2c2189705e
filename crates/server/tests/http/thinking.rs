//! Agents that think: those that break down, those that nobody waits for any more, and those in a process of their own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use tabia_server::config::{Bounds, Config};

use crate::restart::Folder;
use crate::support::{Events, GUARD, Server, text};

#[tokio::test]
async fn an_agent_that_panics_loses_its_game_and_no_other() {
    let server = Server::start().await;
    let other = server.new_game(json!({"black": "axiomx-speed(depth=1)"})).await;
    let game = server.new_game(json!({"black": "broken"})).await;
    let mut events = game.watch(None).await;
    game.play("e4").await;
    let ended = events.next_named("ended").await;
    assert!(text(&ended.data["detail"]).contains("a fault on purpose"), "{}", ended.data);
    let state = game.state().await;
    assert_eq!((&state["outcome"]["result"], &state["awaits"]), (&json!("1-0"), &json!("nobody")));

    let query = "/api/v1/analysis/lines?agent=broken";
    let mut lines = Events::open(server.request(Method::GET, query)).await;
    let failed = lines.next_named("failed").await;
    assert!(text(&failed.data["detail"]).contains("a fault on purpose"), "{}", failed.data);

    other.play("e4").await;
    assert_eq!(other.settled().await["ply"], 2);
}

#[tokio::test]
async fn an_agent_that_gives_up_has_lost() {
    let server = Server::start().await;
    let game = server.new_game(json!({"black": "quitter"})).await;
    let mut events = game.watch(None).await;
    game.play("e4").await;
    let ended = events.next_named("ended").await;
    assert_eq!((&ended.data["by"], &ended.data["detail"]), (&json!("black"), &json!(null)), "{}", ended.data);
    let outcome = &game.state().await["outcome"];
    assert_eq!((&outcome["result"], &outcome["reason"]), (&json!("1-0"), &json!("resignation")));
}

#[tokio::test]
async fn a_game_that_everybody_has_left_keeps_nobody_waiting() {
    let bounds = Bounds { engines: 1, think_time: 10 * GUARD, ..Bounds::default() };
    let server = Server::with(Config { bounds, ..Config::in_memory() }).await;
    let left = server.new_game(json!({"black": "engine(depth=60)"})).await;
    let mut events = left.watch(None).await;
    left.play("e4").await;
    events.next_named("thinking").await;
    drop(events);

    let game = server.new_game(json!({"white": "random(seed=1)", "black": "random(seed=2)"})).await;
    let mut events = game.watch(None).await;
    for _ in 0..6 {
        events.next_named("moved").await;
    }
    drop(events);

    // Nothing was played for it, and whoever comes back finds it thinking.
    let mut events = left.watch(None).await;
    let state = events.next_named("state").await.data;
    assert_eq!((&state["ply"], &state["awaits"]), (&json!(1), &json!("agent")));
    events.next_named("thinking").await;
}

/// Knows one move, and says it in UCI.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
    uci) echo "id name one move"; echo uciok ;;
    isready) echo readyok ;;
    go*) echo "bestmove e7e5" ;;
    quit) exit 0 ;;
    esac
done
"#;

/// Children of this process that go by a name, zombies among them.
fn children(name: &str) -> usize {
    let own = std::process::id().to_string();
    let is_child = |stat: &str| {
        let (head, tail) = stat.rsplit_once(')')?;
        let called = head.split_once('(')?.1 == name;
        (called && tail.split_whitespace().nth(1)? == own).then_some(())
    };
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes.filter_map(|entry| is_child(&fs::read_to_string(entry.path().join("stat")).ok()?)).count()
}

#[tokio::test]
async fn an_engine_in_its_own_process_is_gone_when_its_game_is_over() {
    const NAME: &str = "one-move.sh";
    let folder = Folder::new();
    let path = folder.0.join(NAME);
    fs::write(&path, ENGINE).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let allowed_programs = Some(folder.0.clone());
    let server = Server::with(Config { allowed_programs, ..Config::in_memory() }).await;
    let game = server.new_game(json!({"black": format!("uci(cmd={NAME})")})).await;
    game.play("e4").await;
    assert_eq!(game.settled().await["moves"][1]["uci"], "e7e5");
    assert_eq!(children(NAME), 1, "it waits for its next move");
    game.post("resign", json!({"side": "white"})).await;
    let gone = async {
        while children(NAME) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(GUARD, gone).await.expect("the engine is ended, and waited for");
}
