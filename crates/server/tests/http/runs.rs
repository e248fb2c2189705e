//! Runs: directories that are listed, looked at and watched.

use std::fs;
use std::io::Write;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::restart::Folder;
use crate::support::{Events, Server, expect};

fn run_in(folder: &Folder, name: &str) -> std::path::PathBuf {
    let path = folder.0.join("runs").join(name);
    fs::create_dir_all(&path).unwrap();
    let manifest = "format = 1\nversion = \"0.1.0\"\nkind = \"evolve\"\n[settings]\nseed = 7\n";
    fs::write(path.join("manifest.toml"), manifest).unwrap();
    path
}

#[tokio::test]
async fn a_run_is_listed_and_its_files_are_read() {
    let folder = Folder::new();
    let path = run_in(&folder, "first");
    fs::write(path.join("metrics.jsonl"), "{\"generation\":1}\n{\"generation\":2}\n{\"gen").unwrap();
    fs::write(path.join("best.json"), "[1,2]").unwrap();
    fs::create_dir_all(folder.0.join("runs/no-run")).unwrap();
    let server = Server::in_folder(&folder.0).await;

    let list = server.get("/api/v1/runs").await;
    assert_eq!(list["runs"].as_array().unwrap().len(), 1);
    let run = server.get("/api/v1/runs/first").await;
    assert_eq!(run["kind"], "evolve");
    assert_eq!(run["settings"]["seed"], 7);
    assert_eq!(run["state"], "running");
    let metrics = server.get("/api/v1/runs/first/metrics?since=1").await;
    assert_eq!(
        metrics["lines"],
        json!([{"line": 2, "values": {"generation": 2}}]),
        "a line that is not whole waits"
    );
    let file = server.send(Method::GET, "/api/v1/runs/first/artefacts/best.json").await;
    assert!(file.headers()["content-disposition"].to_str().unwrap().starts_with("attachment"));
    assert_eq!(file.text().await.unwrap(), "[1,2]");

    fs::write(path.join("result.json"), "{\"elo\":12.5}").unwrap();
    let run = server.get("/api/v1/runs/first").await;
    assert_eq!(run["state"], "finished");
    assert_eq!(run["result"]["elo"], 12.5);
}

#[tokio::test]
async fn a_file_comes_whole_to_those_who_take_it_compressed() {
    let folder = Folder::new();
    fs::write(run_in(&folder, "first").join("games.jsonl"), "{\"game\":1}\n".repeat(20_000)).unwrap();
    let server = Server::in_folder(&folder.0).await;
    let request = server.request(Method::GET, "/api/v1/runs/first/artefacts/games.jsonl");
    let response = request.header("accept-encoding", "gzip").send().await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert!(!response.bytes().await.expect("the body has an end").is_empty());
}

#[tokio::test]
async fn nothing_outside_the_runs_is_read() {
    let folder = Folder::new();
    let path = run_in(&folder, "first");
    fs::write(folder.0.join("secret.txt"), "secret").unwrap();
    std::os::unix::fs::symlink(folder.0.join("secret.txt"), path.join("link.txt")).unwrap();
    std::os::unix::fs::symlink(&path, folder.0.join("runs/linked")).unwrap();
    let server = Server::in_folder(&folder.0).await;
    for (path, status) in [
        ("/api/v1/runs/first/artefacts/..%2F..%2Fsecret.txt", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/v1/runs/first/artefacts/link.txt", StatusCode::NOT_FOUND),
        ("/api/v1/runs/..%2Fruns%2Ffirst", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/v1/runs/linked", StatusCode::NOT_FOUND),
        ("/api/v1/runs/%2e%2e", StatusCode::NOT_FOUND),
    ] {
        expect(status, server.send(Method::GET, path).await).await;
    }
}

#[tokio::test]
async fn a_run_is_watched_as_it_goes_on() {
    let folder = Folder::new();
    let path = run_in(&folder, "first");
    let mut metrics = fs::File::create(path.join("metrics.jsonl")).unwrap();
    writeln!(metrics, "{{\"step\":1}}").unwrap();
    let server = Server::in_folder(&folder.0).await;
    let request = server.request(Method::GET, "/api/v1/runs/first/events");
    let mut events = Events::open(request).await;
    assert_eq!(events.next_named("run").await.data["state"], "running");
    assert_eq!(events.next_named("metrics").await.data["values"]["step"], 1);
    writeln!(metrics, "{{\"step\":2}}").unwrap();
    let second = events.next_named("metrics").await;
    assert_eq!((second.id, &second.data["values"]["step"]), (Some(2), &json!(2)));
    fs::write(path.join("result.json"), "{}").unwrap();
    assert_eq!(events.next_named("run").await.data["state"], "finished");
    assert_eq!(events.next().await, None, "a run that is over has no more to tell");

    let request = server.request(Method::GET, "/api/v1/runs/first/events").header("last-event-id", "1");
    let mut events = Events::open(request).await;
    assert_eq!(events.next_named("metrics").await.id, Some(2));
}

#[tokio::test]
async fn a_run_that_cannot_be_meant_is_not_started() {
    let folder = Folder::new();
    run_in(&folder, "first");
    let server = Server::in_folder(&folder.0).await;
    let agents = json!(["random", "axiomx-speed"]);
    for (body, status, said) in [
        (json!({"kind": "match", "agents": ["random"]}), StatusCode::UNPROCESSABLE_ENTITY, "2 to 16 agents"),
        (json!({"kind": "match", "agents": ["random", "x"]}), StatusCode::UNPROCESSABLE_ENTITY, "no agent"),
        (
            json!({"kind": "match", "agents": ["random", "chromosome(weights=/x)"]}),
            StatusCode::FORBIDDEN,
            "--allow-uci",
        ),
        (
            json!({"kind": "match", "agents": agents, "name": "../x"}),
            StatusCode::UNPROCESSABLE_ENTITY,
            "no name",
        ),
        (json!({"kind": "match", "agents": agents, "name": "first"}), StatusCode::CONFLICT, "already"),
        (
            json!({"kind": "match", "agents": agents, "depth": 1, "nodes": 5}),
            StatusCode::UNPROCESSABLE_ENTITY,
            "one limit",
        ),
        (
            json!({"kind": "match", "agents": agents, "tc": "--run=x"}),
            StatusCode::UNPROCESSABLE_ENTITY,
            "clock",
        ),
        (
            json!({"kind": "match", "agents": ["random", "axiomx(multiscale=\u{0})"]}),
            StatusCode::UNPROCESSABLE_ENTITY,
            "control characters",
        ),
        (
            json!({"kind": "match", "agents": ["random", format!("random(seed={}1)", "0".repeat(200_000))]}),
            StatusCode::UNPROCESSABLE_ENTITY,
            "at most 200",
        ),
        (
            json!({"kind": "match", "agents": ["ä=random", "random"]}),
            StatusCode::UNPROCESSABLE_ENTITY,
            "no name for an agent",
        ),
        (
            json!({"kind": "match", "agents": ["random", "random", "axon"], "sprt": [0, 5]}),
            StatusCode::UNPROCESSABLE_ENTITY,
            "between two agents",
        ),
        (json!({"kind": "match", "agents": agents, "games": 0}), StatusCode::UNPROCESSABLE_ENTITY, "games"),
        (json!({"kind": "poem", "agents": agents}), StatusCode::UNPROCESSABLE_ENTITY, "poem"),
        // This server was not told which program plays matches.
        (json!({"kind": "match", "agents": agents, "name": "second"}), StatusCode::FORBIDDEN, "program"),
    ] {
        let problem = server.post("/api/v1/runs", &body, status).await;
        assert!(crate::support::text(&problem["detail"]).contains(said), "{body}: {problem}");
    }
    assert!(!folder.0.join("runs/second").exists(), "nothing is left of it");
    let problem = server.post("/api/v1/runs/first/stop", &json!({}), StatusCode::CONFLICT).await;
    assert!(crate::support::text(&problem["detail"]).contains("was not started by this server"), "{problem}");
    let problem = server.post("/api/v1/runs/missing/stop", &json!({}), StatusCode::NOT_FOUND).await;
    assert_eq!(problem["detail"], "there is no run \"missing\"");
    fs::write(folder.0.join("runs/first/result.json"), "{}").unwrap();
    let problem = server.post("/api/v1/runs/first/stop", &json!({}), StatusCode::CONFLICT).await;
    assert_eq!(problem["detail"], "the run \"first\" is not running");
    server.post("/api/v1/runs/first/resume", &json!({}), StatusCode::UNPROCESSABLE_ENTITY).await;
}

#[tokio::test]
async fn a_match_is_watched_move_by_move_while_somebody_holds_its_journal() {
    let folder = Folder::new();
    let path = run_in(&folder, "first");
    fs::write(path.join("manifest.toml"), "format = 1\nkind = \"match\"\n[settings]\n").unwrap();
    let live =
        |moves: &str| fs::write(path.join("live.json"), json!({"games": [{"moves": moves}]}).to_string());
    let journal = fs::File::create(path.join("games.jsonl")).unwrap();
    journal.lock().unwrap();
    live("e2e4").unwrap();
    let server = Server::in_folder(&folder.0).await;
    let mut events = Events::open(server.request(Method::GET, "/api/v1/runs/first/events")).await;
    let run = events.next_named("run").await.data;
    assert_eq!((&run["state"], &run["here"]), (&json!("running"), &json!(false)));
    assert_eq!(events.next_named("live").await.data["games"][0]["moves"], "e2e4");
    live("e2e4 e7e5").unwrap();
    assert_eq!(events.next_named("live").await.data["games"][0]["moves"], "e2e4 e7e5");

    fs::write(path.join("log.txt"), "a against b\ntabia: error: no engine\n  because: it is gone\n").unwrap();
    drop(journal);
    let run = events.next_named("run").await.data;
    assert_eq!((&run["state"], &run["problem"]), (&json!("stopped"), &json!("no engine: it is gone")));
    assert_eq!(events.next().await, None);
}
