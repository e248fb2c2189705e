//! What clients cannot use up: connections, memory, threads, attempts to log in, and the data folder.

use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::json;
use tabia_server::app_state::AppState;
use tabia_server::budget::Demand;
use tabia_server::config::{Bounds, Config};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::restart::Folder;
use crate::support::{GUARD, Server, catalogue, client, expect, text};

async fn with_bounds(bounds: Bounds) -> Server {
    Server::with(Config { bounds, ..Config::in_memory() }).await
}

/// A connection that has sent half of a request.
async fn half_sent(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    stream
}

/// Waits until the server has closed a connection; what it said before.
async fn closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    // A reset is an end, too.
    let _ = tokio::time::timeout(GUARD, stream.read_to_end(&mut said)).await.expect("it is closed");
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test]
async fn half_sent_requests_keep_nobody_out() {
    let server = with_bounds(Bounds { connections: 16, header_time: GUARD, ..Bounds::default() }).await;
    let mut held = Vec::new();
    for _ in 0..64 {
        held.push(half_sent(&server).await);
        // Whoever comes is served, however many are held before.
        if held.len() % 16 == 0 {
            let health = client().build().unwrap().get(format!("http://{}/healthz", server.address));
            assert_eq!(health.send().await.unwrap().status(), StatusCode::OK);
        }
    }
    assert!(server.app.connections.count() <= 16);
    closed(&mut held[0]).await;
}

#[tokio::test]
async fn a_request_that_is_never_whole_is_given_up() {
    let bounds = Bounds { header_time: Duration::from_millis(50), ..Bounds::default() };
    let server = with_bounds(bounds).await;
    let mut slow = half_sent(&server).await;
    closed(&mut slow).await;
    // So is a connection that says nothing at all.
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    closed(&mut silent).await;
}

#[tokio::test]
async fn a_stream_is_not_closed_for_those_who_wait() {
    let server = with_bounds(Bounds { connections: 8, header_time: GUARD, ..Bounds::default() }).await;
    let game = server.new_game(json!({"black": "human"})).await;
    let mut events = game.watch(None).await;
    assert_eq!(events.next().await.unwrap().name, "state");
    let mut held = Vec::new();
    for _ in 0..32 {
        held.push(half_sent(&server).await);
    }
    game.play("e4").await;
    assert_eq!(events.next_named("moved").await.data["move"]["san"], "e4");
}

#[tokio::test]
async fn a_body_that_is_never_whole_is_given_up() {
    let bounds = Bounds { request_time: Duration::from_millis(50), ..Bounds::default() };
    let server = with_bounds(bounds).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                Content-Length: 100\r\nConnection: close\r\n\r\n{\"black\":";
    stream.write_all(head.as_bytes()).await.unwrap();
    let said = closed(&mut stream).await;
    assert!(said.starts_with("HTTP/1.1 503"), "{said}");
}

#[tokio::test]
async fn a_match_beyond_the_budget_is_refused_with_the_numbers() {
    let folder = Folder::new();
    let budget = Demand { memory_mb: 4_096, threads: 8 };
    let config = Config {
        data: Some(folder.0.clone()),
        program: Some("/bin/false".into()),
        bounds: Bounds { budget, threads: 2, hash_mb: 64, ..Bounds::default() },
        ..Config::in_memory()
    };
    let server = Server::with(config).await;
    let agents = ["engine(hash=64,threads=2)", "b=engine(hash=64,threads=2)"];
    let body = json!({"kind": "match", "agents": agents, "nodes": 100, "games": 64, "concurrency": 64});
    let refused = server.post("/api/v1/runs", &body, StatusCode::UNPROCESSABLE_ENTITY).await;
    let detail = text(&refused["detail"]);
    assert!(detail.contains("128 threads") && detail.contains("8 threads"), "{detail}");
    assert!(detail.contains("4096 MiB") && detail.contains("concurrency"), "{detail}");
    assert_eq!(server.app.budget.used(), Demand::default());
    assert!(!folder.0.join("runs").exists(), "nothing was begun");
}

#[tokio::test]
async fn an_analysis_waits_for_no_more_than_there_is() {
    let budget = Demand { memory_mb: 100, threads: 1 };
    // As on a machine with two cores, however many there are.
    let server = with_bounds(Bounds { budget, threads: 2, analyses: 2, ..Bounds::default() }).await;
    let lines = "/api/v1/analysis/lines?agent=engine(hash=32)";
    let first = server.request(Method::GET, lines).send().await.unwrap();
    assert_eq!(first.status(), StatusCode::OK);
    let busy = expect(StatusCode::SERVICE_UNAVAILABLE, server.send(Method::GET, lines).await).await;
    assert!(text(&busy["detail"]).contains("in use"), "{busy}");
    let large = "/api/v1/analysis/lines?agent=engine(hash=64,threads=2)";
    let large = expect(StatusCode::UNPROCESSABLE_ENTITY, server.send(Method::GET, large).await).await;
    drop(first);
    // What a finished analysis used is there again.
    while server.app.budget.used() != Demand::default() {
        tokio::task::yield_now().await;
    }
    assert!(text(&large["detail"]).contains("100 MiB"), "{large}");
}

#[tokio::test]
async fn an_agent_of_a_game_beyond_the_budget_is_refused_with_the_numbers() {
    let budget = Demand { memory_mb: 100, threads: 4 };
    let server = with_bounds(Bounds { budget, threads: 8, hash_mb: 256, ..Bounds::default() }).await;
    for agent in ["engine(hash=128)", "engine(hash=1,threads=5)"] {
        let body = json!({"white": "human", "black": agent});
        let refused = server.post("/api/v1/games", &body, StatusCode::UNPROCESSABLE_ENTITY).await;
        let detail = text(&refused["detail"]);
        assert!(detail.contains("100 MiB of memory and 4 threads"), "{detail}");
    }
    // 257 MiB of a tree.
    let body = json!({"white": "human", "black": "mcts(memory=256)"});
    server.post("/api/v1/quantum/games", &body, StatusCode::UNPROCESSABLE_ENTITY).await;
    assert_eq!(server.app.budget.used(), Demand::default());
}

#[tokio::test]
async fn a_game_whose_agent_would_wait_for_work_is_refused_until_the_work_is_done() {
    let budget = Demand { memory_mb: 400, threads: 4 };
    let server = with_bounds(Bounds { budget, threads: 4, ..Bounds::default() }).await;
    // As a match or an analysis of three threads.
    let work = server.app.reserve(Demand { memory_mb: 300, threads: 3 }).await.unwrap();
    let body = json!({"white": "human", "black": "engine(hash=1,threads=2)"});
    let busy = server.post("/api/v1/games", &body, StatusCode::SERVICE_UNAVAILABLE).await;
    let detail = text(&busy["detail"]);
    assert!(detail.contains("300 MiB of memory and 3 threads are in use"), "{detail}");
    // What is kept for games is enough for most of them.
    server.new_game(json!({"white": "human", "black": "engine(hash=1)"})).await;
    drop(work);
    server.new_game(body).await;
}

#[tokio::test]
async fn an_agent_takes_its_memory_from_the_budget_until_its_game_is_over() {
    let budget = Demand { memory_mb: 400, threads: 4 };
    let server = with_bounds(Bounds { budget, ..Bounds::default() }).await;
    let game = server.new_game(json!({"white": "human", "black": "engine(hash=32,depth=1)"})).await;
    assert_eq!(server.app.budget.used(), Demand::default(), "nobody has thought yet");
    let mut events = game.watch(None).await;
    game.play("e4").await;
    while events.next_named("moved").await.data["move"]["san"] == "e4" {}
    // Its table and its search thread, between two moves without the thread.
    assert_eq!(server.app.budget.used(), Demand { memory_mb: 64, threads: 0 });
    game.post("resign", json!({})).await;
    while server.app.budget.used() != Demand::default() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn agents_between_two_moves_make_room_for_others() {
    let budget = Demand { memory_mb: 100, threads: 4 };
    let server = with_bounds(Bounds { budget, ..Bounds::default() }).await;
    let mut games = Vec::new();
    // 64 MiB each: only one of them fits.
    for _ in 0..2 {
        let game = server.new_game(json!({"white": "human", "black": "engine(hash=32,depth=1)"})).await;
        let events = game.watch(None).await;
        games.push((game, events));
    }
    // Moves that are legal whatever the agent answers.
    for (white, black) in [("c3", 2), ("d3", 4), ("Nf3", 6)] {
        for (game, events) in &mut games {
            game.play(white).await;
            while events.next_named("moved").await.data["move"]["ply"] != black {}
        }
    }
    assert_eq!(server.app.budget.used().memory_mb, 64);
    // So they do for an analysis.
    let reserved = server.app.reserve(Demand { memory_mb: 75, threads: 1 }).await.unwrap();
    assert_eq!(server.app.budget.used(), Demand { memory_mb: 75, threads: 1 });
    drop(reserved);
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn a_client_that_takes_nothing_of_its_answer_is_cut_off() {
    let stalled = Duration::from_secs(1);
    let bounds = Bounds { stalled, header_time: 10 * GUARD, ..Bounds::default() };
    let server = with_bounds(bounds).await;
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let started = Instant::now();
    let mut stream = socket.connect(server.address).await.unwrap();
    // More answers than any buffer between the two holds.
    let request = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(request.repeat(400).as_bytes()).await.unwrap();
    // The first answer has begun. On a busy machine all may be over by now: then it is a reset.
    let _ = tokio::time::timeout(GUARD, stream.peek(&mut [0])).await.expect("an answer begins");
    let closed = tokio::time::timeout(GUARD, async {
        while server.app.connections.count() != 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    closed.await.expect("the connection is closed");
    // For no other reason: its client was given the time that it may take.
    assert!(started.elapsed() >= stalled / 2, "{:?}", started.elapsed());
}

#[tokio::test]
async fn attempts_to_log_in_are_limited() {
    let bounds = Bounds { logins_per_minute: 3, ..Bounds::default() };
    let token = Some("a token that is long enough".to_owned());
    let server = Server::with(Config { token, bounds, ..Config::in_memory() }).await;
    let form = |token: &'static str| {
        let request = server.request(Method::POST, "/login");
        request
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!("token={token}"))
            .send()
    };
    for _ in 0..3 {
        assert_eq!(form("wrong").await.unwrap().status(), StatusCode::UNAUTHORIZED);
    }
    let refused = form("wrong").await.unwrap();
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(server.send(Method::GET, "/?token=wrong").await.status(), StatusCode::TOO_MANY_REQUESTS);
    // Whoever has the token does not have to log in.
    let bearer = "Bearer a token that is long enough";
    let request = server.request(Method::GET, "/api/v1/agents").header("authorization", bearer);
    assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn sessions_are_random_survive_a_restart_and_can_be_ended() {
    let folder = Folder::new();
    let config = |token: &str| Config {
        data: Some(folder.0.clone()),
        token: Some(token.to_owned()),
        trusted_proxies: vec!["127.0.0.1/32".parse().unwrap()],
        ..Config::in_memory()
    };
    let visitor = client().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let server = Server::with(config("0123456789abcdef")).await;
    let enter = |proto: &'static str| {
        let address = format!("http://{}/board?token=0123456789abcdef&x=1", server.address);
        visitor.get(address).header("x-forwarded-proto", proto).send()
    };
    let (first, second) = (enter("https").await.unwrap(), enter("http").await.unwrap());
    assert_eq!(
        (first.status(), &first.headers()["location"]),
        (StatusCode::SEE_OTHER, &"/board?x=1".parse().unwrap())
    );
    let cookie = |response: &reqwest::Response| response.headers()["set-cookie"].to_str().unwrap().to_owned();
    let (first, second) = (cookie(&first), cookie(&second));
    assert!(first.ends_with("; Secure") && !second.contains("Secure"), "{first} {second}");
    assert!(!first.contains("0123456789abcdef"), "{first}");
    let value = |cookie: &str| cookie.split(';').next().unwrap().to_owned();
    let (first, second) = (value(&first), value(&second));
    assert_ne!(first, second);
    server.close().await;

    let status = async |server: &Server, cookie: &str| {
        server.request(Method::GET, "/api/v1/agents").header("cookie", cookie).send().await.unwrap().status()
    };
    let server = Server::with(config("0123456789abcdef")).await;
    assert_eq!(status(&server, &first).await, StatusCode::OK);
    let leave = server.request(Method::POST, "/logout").header("cookie", &first).send().await.unwrap();
    assert_eq!(leave.status(), StatusCode::NO_CONTENT);
    assert_eq!(status(&server, &first).await, StatusCode::UNAUTHORIZED);
    assert_eq!(status(&server, &second).await, StatusCode::OK);
    server.close().await;
    // Another token ends all sessions.
    let server = Server::with(config("another token, long enough")).await;
    assert_eq!(status(&server, &second).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_data_folder_is_for_one_server() {
    let folder = Folder::new();
    let server = Server::in_folder(&folder.0).await;
    let config = Config { data: Some(folder.0.clone()), ..Config::in_memory() };
    let refused = tokio::task::spawn_blocking(move || AppState::open(config, catalogue()).err().unwrap());
    let refused = refused.await.unwrap().to_string();
    assert!(refused.contains("one server at a time"), "{refused}");
    server.close().await;
    Server::in_folder(&folder.0).await.close().await;
}

#[tokio::test]
async fn games_that_are_over_for_long_are_deleted_and_no_others() {
    let server = Server::start().await;
    let over = server.new_game(json!({"black": "human"})).await;
    over.post("resign", json!({"side": "white"})).await;
    let going = server.new_game(json!({"black": "human"})).await;
    let later = tabia_server::timestamp::Timestamp::from_milliseconds(u64::MAX >> 2);
    assert_eq!(server.app.store.delete_finished(later).await.unwrap(), 1);
    assert_eq!(going.state().await["awaits"], "human");
}

#[tokio::test]
async fn games_with_long_clocks_keep_nobody_out_and_their_clocks_run_on() {
    let server = with_bounds(Bounds { sessions: 4, ..Bounds::default() }).await;
    let clock = json!({"initial_ms": 3_600_000, "increment_ms": 0});
    let mut games = Vec::new();
    for _ in 0..12 {
        let game = server.new_game(json!({"black": "human", "clock": clock})).await;
        // The clock runs from the first move on.
        game.play("e4").await;
        games.push(game);
    }
    assert!(server.app.sessions.len() <= 4);
    for game in &games {
        let state = game.state().await;
        assert_eq!(state["clock"]["running"], "black");
        assert!(state["clock"]["black_ms"].as_u64().unwrap() <= 3_600_000);
        game.play("e5").await;
    }
}

#[tokio::test]
async fn the_clock_of_an_unloaded_game_falls() {
    let server = with_bounds(Bounds { sessions: 1, ..Bounds::default() }).await;
    let clock = json!({"initial_ms": 1_000, "increment_ms": 0});
    let game = server.new_game(json!({"black": "human", "clock": clock})).await;
    game.play("e4").await;
    // Another game takes its place in memory.
    let other = server.new_game(json!({"black": "human"})).await;
    other.play("d4").await;
    let state = loop {
        let state = game.state().await;
        if state["outcome"].is_object() {
            break state;
        }
        other.state().await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(text(&state["outcome"]["reason"]).contains("time"), "{state}");
}

#[tokio::test]
async fn a_client_has_so_many_games_and_no_more() {
    let server = with_bounds(Bounds { games_per_client: 3, ..Bounds::default() }).await;
    let owner = format!("tabia_owner={}", tabia_server::id::Id::random());
    let create = async || {
        let request = server.request(Method::POST, "/api/v1/games").header("cookie", &owner);
        request.json(&json!({"black": "human"})).send().await.unwrap()
    };
    let mut last = serde_json::Value::Null;
    for _ in 0..3 {
        last = expect(StatusCode::CREATED, create().await).await;
    }
    let refused = expect(StatusCode::TOO_MANY_REQUESTS, create().await).await;
    assert!(text(&refused["detail"]).contains("3 games that are not over"), "{refused}");
    // Games that are there can be played, and one that is over makes room.
    let path = format!("/api/v1/games/{}", text(&last["id"]));
    server.game(&path).play("e4").await;
    server.game(&path).post("resign", json!({"side": "white"})).await;
    assert_eq!(create().await.status(), StatusCode::CREATED);
}
