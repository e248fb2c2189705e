//! EnginePool that are other programs: what a web client may make them do, on every path by which one can be named.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tabia_server::config::{Bounds, Config};

use crate::restart::Folder;
use crate::support::{Server, expect, text};

/// Plays one move, and writes wherever `Debug Log File` says, as Stockfish does.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
    uci) echo "option name Debug Log File type string default"
        echo "option name Hash type spin default 16 min 1 max 1024"
        echo "option name Skill Level type spin default 20 min 0 max 20"
        echo uciok ;;
    setoption*Debug*) echo overwritten > "${line##* value }" ;;
    setoption*Hash*) hash="${line##* }" ;;
    isready) echo readyok ;;
    go*) echo "info depth 1 score cp ${hash:-0}"; echo "bestmove e7e5" ;;
    quit) exit 0 ;;
    esac
done
"#;

fn engine(folder: &Path, name: &str) {
    fs::write(folder.join(name), ENGINE).unwrap();
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A server with an engine `logger` in a folder of the operator's, whose name has a space.
async fn server(folder: &Folder, bounds: Bounds) -> Server {
    let programs = folder.0.join("my engines");
    fs::create_dir_all(programs.join("deeper")).unwrap();
    engine(&programs, "logger");
    engine(&programs.join("deeper"), "hidden");
    engine(&folder.0, "outside");
    fs::write(programs.join("notes.txt"), "no program").unwrap();
    let config = Config {
        data: Some(folder.0.clone()),
        allowed_programs: Some(programs),
        bounds,
        ..Config::in_memory()
    };
    Server::with(config).await
}

fn refused(problem: &Value, said: &str) {
    assert_eq!(problem["type"].as_str().unwrap_or_default().split('/').nth(1), Some("problems"), "{problem}");
    assert!(text(&problem["detail"]).contains(said), "{said}: {problem}");
}

#[tokio::test]
async fn no_path_lets_a_client_set_an_option_that_is_not_on_the_list() {
    let folder = Folder::new();
    let server = server(&folder, Bounds { hash_mb: 32, threads: 2, ..Bounds::default() }).await;
    let victim = format!("victim-{}.txt", std::process::id());
    for (options, status, said) in [
        (
            format!("option.Debug_Log_File={victim}"),
            StatusCode::FORBIDDEN,
            "Hash (1 to 32), Threads (1 to 2)",
        ),
        (format!("option.debug_log_file={victim}"), StatusCode::FORBIDDEN, "\"debug_log_file\""),
        ("option.SyzygyPath=x".to_owned(), StatusCode::FORBIDDEN, "\"SyzygyPath\""),
        ("option.Hash=33".to_owned(), StatusCode::UNPROCESSABLE_ENTITY, "1 to 32"),
        ("option.Threads=3".to_owned(), StatusCode::UNPROCESSABLE_ENTITY, "1 to 2"),
        (
            format!("option.Hash=1 name Debug Log File value {victim}"),
            StatusCode::UNPROCESSABLE_ENTITY,
            "1 to 32",
        ),
        ("args=--flag".to_owned(), StatusCode::FORBIDDEN, "\"args\""),
        ("dir=/tmp".to_owned(), StatusCode::FORBIDDEN, "\"dir\""),
    ] {
        let spec = format!("uci(cmd=logger,{options})");
        for side in ["white", "black"] {
            let body = json!({"white": "human", "black": "human", side: spec});
            refused(&server.post("/api/v1/games", &body, status).await, said);
        }
        let body = json!({"kind": "match", "agents": ["random", format!("x={spec}")]});
        refused(&server.post("/api/v1/runs", &body, status).await, said);
        let lines = server.request(Method::GET, "/api/v1/analysis/lines").query(&[("agent", &spec)]);
        refused(&expect(status, lines.send().await.unwrap()).await, said);
        // There are no such agents there at all.
        let body = json!({"white": "human", "black": spec});
        let problem = server.post("/api/v1/quantum/games", &body, StatusCode::UNPROCESSABLE_ENTITY).await;
        refused(&problem, "no agent is called \"uci\"");
    }
    for (spec, status) in [
        ("xboard(cmd=logger,args=-x)", StatusCode::FORBIDDEN),
        ("xboard(cmd=logger,dir=/)", StatusCode::FORBIDDEN),
        ("xboard(cmd=logger,option.Hash=1)", StatusCode::UNPROCESSABLE_ENTITY),
        ("xboard(cmd=sh)", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        server.post("/api/v1/games", &json!({"black": spec}), status).await;
    }
    assert!(!Path::new(&victim).exists() && !folder.0.join(&victim).exists(), "nothing was written");
}

#[tokio::test]
async fn a_command_is_a_program_of_the_folder_and_nothing_else() {
    let folder = Folder::new();
    let server = server(&folder, Bounds::default()).await;
    for command in [
        "sh",
        "/bin/sh",
        "../outside",
        "./logger",
        "deeper/hidden",
        "deeper",
        "logger -x",
        "logger\t-x",
        "'logger' -x",
        "logger;sh",
        "$(logger)",
        "~/logger",
        "LD_PRELOAD=x logger",
        "-logger",
        "..",
        ".",
        "",
        "notes.txt",
    ] {
        let body = json!({"black": format!("uci(cmd={command})")});
        let response = server.request(Method::POST, "/api/v1/games").json(&body).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY, "{command}");
    }
    server.post("/api/v1/games", &json!({"black": "uci"}), StatusCode::FORBIDDEN).await;
}

#[tokio::test]
async fn what_is_on_the_list_reaches_the_engine() {
    let folder = Folder::new();
    let server = server(&folder, Bounds::default()).await;
    let spec = "uci(cmd=logger,option.hash=7,option.Skill_Level=3)";
    let game = server.new_game(json!({"black": spec})).await;
    game.play("e4").await;
    let state = game.settled().await;
    assert_eq!(state["moves"][1]["uci"], "e7e5");
    assert_eq!(state["moves"][1]["score_cp"], -7, "it was told: {state}");
}

#[tokio::test]
async fn a_game_of_before_is_held_to_the_bounds_of_now() {
    let folder = Folder::new();
    let path = {
        let server = server(&folder, Bounds { hash_mb: 64, ..Bounds::default() }).await;
        let game = server.new_game(json!({"black": "uci(cmd=logger,option.Hash=64)"})).await;
        let path = game.path.clone();
        server.close().await;
        path
    };
    let server = server(&folder, Bounds { hash_mb: 16, ..Bounds::default() }).await;
    let game = server.game(&path);
    let mut events = game.watch(None).await;
    game.play("e4").await;
    let ended = events.next_named("ended").await.data;
    assert!(text(&ended["detail"]).contains("1 to 16"), "{ended}");
}

#[tokio::test]
async fn a_run_is_resumed_only_with_programs_that_the_client_could_name() {
    let folder = Folder::new();
    let server = server(&folder, Bounds::default()).await;
    let programs = folder.0.join("my engines");
    let inside = format!("'{}'", programs.join("logger").display());
    for (name, spec, status, said) in [
        ("shell", "uci(cmd=sh -c id)".to_owned(), StatusCode::FORBIDDEN, "--allow-uci"),
        (
            "path",
            format!("uci(cmd='{}')", folder.0.join("outside").display()),
            StatusCode::FORBIDDEN,
            "--resume",
        ),
        ("argument", format!("uci(cmd={inside} -x)"), StatusCode::FORBIDDEN, "--allow-uci"),
        (
            "deeper",
            format!("uci(cmd='{}')", programs.join("deeper/hidden").display()),
            StatusCode::FORBIDDEN,
            "--",
        ),
        (
            "option",
            format!("uci(cmd={inside},option.Debug_Log_File=x)"),
            StatusCode::FORBIDDEN,
            "Debug_Log_File",
        ),
        ("xboard", "xboard(cmd=sh)".to_owned(), StatusCode::FORBIDDEN, "--allow-uci"),
        // This far and no further: the server was not told which program plays matches.
        ("fine", format!("uci(cmd={inside},option.Hash=8)"), StatusCode::FORBIDDEN, "which program"),
        ("ours", "engine(hash=128)".to_owned(), StatusCode::FORBIDDEN, "which program"),
    ] {
        let path = folder.0.join("runs").join(name);
        fs::create_dir_all(&path).unwrap();
        let agents = format!(
            "[[settings.agents]]\nname = \"a\"\nspec = \"random\"\n[[settings.agents]]\nname = \"b\"\nspec = {}\n",
            toml::Value::from(spec)
        );
        fs::write(path.join("manifest.toml"), format!("format = 1\nkind = \"match\"\n{agents}")).unwrap();
        let problem = server.post(&format!("/api/v1/runs/{name}/resume"), &json!({}), status).await;
        refused(&problem, said);
    }
}

#[tokio::test]
async fn a_client_cannot_name_tablebases_of_the_server() {
    let folder = Folder::new();
    let open = server(&folder, Bounds::default()).await;
    for server in [&open, &Server::start().await] {
        let body = json!({"white": "human", "black": "engine(syzygy=/var/lib/syzygy)"});
        refused(&server.post("/api/v1/games", &body, StatusCode::FORBIDDEN).await, "--syzygy DIR");
    }
}
