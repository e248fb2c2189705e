//! Any body or query is answered, and never with an error of the server's own; what is refused is refused in words. The first
//! byte says which path.

use std::sync::Mutex;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use tabia_core::Catalogue;
use tabia_server::app_state::AppState;
use tabia_server::config::Config;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

/// Paths that take a body.
const BODIES: &[(&str, &str)] = &[
    ("/api/v1/games", "application/json"),
    ("/api/v1/games/import", "application/json"),
    ("/api/v1/games/import", "application/x-chess-pgn"),
    ("/api/v1/quantum/games", "application/json"),
    ("/api/v1/runs", "application/json"),
    ("/login", "application/x-www-form-urlencoded"),
];
/// Paths that take the input as the end of the address.
const ADDRESSES: &[&str] = &[
    "/api/v1/analysis/evaluate?",
    "/api/v1/analysis/square?",
    "/api/v1/analysis/position?fen=",
    "/api/v1/quantum/position?position=",
    "/api/v1/games/",
    "/get/possible_moves/",
    "/post/move/",
    "/",
];
/// The server is replaced after this many requests, because it holds a limited number of games.
const REQUESTS: u64 = 500;

struct Server {
    runtime: Runtime,
    router: Router,
    requested: u64,
}

static SERVER: Mutex<Option<Server>> = Mutex::new(None);

impl Server {
    fn new() -> Server {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let entries = tabia_search::agents::entries(|_| Err(std::io::Error::other("no file is read here")));
        // No agent may think: that would test searches.
        let mut catalogue = Catalogue::default();
        catalogue.add(entries.into_iter().filter(|entry| entry.name == "random"));
        let app = {
            let _inside = runtime.enter();
            AppState::open(Config::in_memory(), catalogue).expect("a server in memory")
        };
        Server { router: tabia_server::router(app), runtime, requested: 0 }
    }
}

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    let which = usize::from(*which) % (BODIES.len() + ADDRESSES.len());
    let request = if let Some((path, kind)) = BODIES.get(which) {
        let request = Request::builder().method(Method::POST).uri(*path).header("content-type", *kind);
        request.header("host", "localhost").body(Body::from(bytes.to_vec()))
    } else {
        let end: String = bytes.iter().map(|byte| escaped(*byte)).collect();
        let address = format!("{}{end}", ADDRESSES[which - BODIES.len()]);
        Request::builder().uri(address).header("host", "localhost").body(Body::empty())
    };
    let Ok(request) = request else { return };
    let mut server = SERVER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if server.as_ref().is_none_or(|server| server.requested >= REQUESTS) {
        *server = Some(Server::new());
    }
    let Some(server) = server.as_mut() else { return };
    server.requested += 1;
    let router = server.router.clone();
    server.runtime.block_on(async move {
        let response = router.oneshot(request).await.expect("a router answers");
        let status = response.status();
        // A stream has no end that could be waited for.
        if status == StatusCode::OK {
            return;
        }
        let body = to_bytes(response.into_body(), 1 << 20).await.expect("an answer has an end");
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{}", String::from_utf8_lossy(&body));
        if status.is_client_error() && which < BODIES.len() - 1 {
            let problem: serde_json::Value = serde_json::from_slice(&body).expect("a problem is JSON");
            assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{problem}");
        }
    });
}

/// Letters of an address as they are, most others in hexadecimal, some left as they are on purpose.
fn escaped(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'=' | b'&' | b'/' | b'%' | b'-' | b'.' | b'+' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02x}"),
    }
}
