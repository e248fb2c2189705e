//! Who may come in.

use reqwest::{Method, StatusCode, redirect};
use serde_json::json;
use tabia_server::config::Config;

use crate::support::{Server, client, expect};

const AGENTS: &str = "/api/v1/agents";

#[tokio::test]
async fn a_foreign_name_for_this_machine_is_refused() {
    let server = Server::start().await;
    let asked = |host: &str| server.request(Method::GET, AGENTS).header("host", host).send();
    assert_eq!(asked("localhost:8050").await.unwrap().status(), StatusCode::OK);
    let refused = expect(StatusCode::FORBIDDEN, asked("evil.example:8050").await.unwrap()).await;
    assert_eq!(refused["type"], "/problems/cross-site");
}

#[tokio::test]
async fn a_page_of_another_site_cannot_play() {
    let server = Server::start().await;
    let request = server
        .request(Method::POST, "/api/v1/games")
        .header("origin", "http://evil.example")
        .json(&json!({"black": "human"}));
    expect(StatusCode::FORBIDDEN, request.send().await.unwrap()).await;
    let request = server.request(Method::GET, "/post/move/e2e4").header("sec-fetch-site", "cross-site");
    expect(StatusCode::FORBIDDEN, request.send().await.unwrap()).await;
    let own = format!("http://{}", server.address);
    let request =
        server.request(Method::POST, "/api/v1/games").header("origin", own).json(&json!({"black": "human"}));
    assert_eq!(request.send().await.unwrap().status(), StatusCode::CREATED);
}

#[tokio::test]
async fn with_a_token_nobody_comes_in_without_it() {
    let server = Server::with(Config { token: Some("open sesame".to_owned()), ..Config::in_memory() }).await;
    let refused = server.send(Method::GET, AGENTS).await;
    assert!(refused.headers().contains_key("www-authenticate"));
    expect(StatusCode::UNAUTHORIZED, refused).await;
    for (header, status) in [
        ("Bearer open sesame", StatusCode::OK),
        ("Bearer open", StatusCode::UNAUTHORIZED),
        ("open sesame", StatusCode::UNAUTHORIZED),
    ] {
        let asked = server.request(Method::GET, AGENTS).header("authorization", header).send().await.unwrap();
        assert_eq!(asked.status(), status, "{header}");
    }
    for path in ["/get/board/", "/metrics", "/api/docs/", "/", "/api/v1/openapi.json"] {
        assert_eq!(server.send(Method::GET, path).await.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    assert_eq!(server.send(Method::GET, "/healthz").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_person_types_the_token_once() {
    let server = Server::with(Config { token: Some("sesame".to_owned()), ..Config::in_memory() }).await;
    let client = client().redirect(redirect::Policy::none()).build().unwrap();
    let at = |path: &str| format!("http://{}{path}", server.address);
    let page = client.get(at("/")).header("accept", "text/html").send().await.unwrap();
    assert_eq!(page.headers()["location"], "/login");
    let form = |token: &'static str| {
        let kind = "application/x-www-form-urlencoded";
        client.post(at("/login")).header("content-type", kind).body(format!("token={token}")).send()
    };
    assert_eq!(form("wrong").await.unwrap().status(), StatusCode::UNAUTHORIZED);
    let entered = form("sesame").await.unwrap();
    assert_eq!(entered.status(), StatusCode::SEE_OTHER);
    let cookie = entered.headers()["set-cookie"].to_str().unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("sesame"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().unwrap();
    let asked = client.get(at(AGENTS)).header("cookie", cookie).send().await.unwrap();
    assert_eq!(asked.status(), StatusCode::OK);
}

#[tokio::test]
async fn whoever_shows_the_token_may_list_all_games() {
    let server = Server::with(Config { token: Some("sesame".to_owned()), ..Config::in_memory() }).await;
    let request = |method, path: &str| server.request(method, path).header("authorization", "Bearer sesame");
    let body = json!({"black": "human"});
    request(Method::POST, "/api/v1/games").json(&body).send().await.unwrap().error_for_status().unwrap();
    let mine = expect(StatusCode::OK, request(Method::GET, "/api/v1/games").send().await.unwrap()).await;
    assert_eq!(mine["games"], json!([]));
    let all =
        expect(StatusCode::OK, request(Method::GET, "/api/v1/games?all=true").send().await.unwrap()).await;
    assert_eq!(all["games"].as_array().unwrap().len(), 1);

    let open = Server::start().await;
    expect(StatusCode::FORBIDDEN, open.send(Method::GET, "/api/v1/games?all=true").await).await;
}
