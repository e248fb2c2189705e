//! The page, the documentation, and the headers of all answers.

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::support::Server;

#[tokio::test]
async fn the_first_page_is_there_with_or_without_the_built_one() {
    let server = Server::start().await;
    let page = server.send(Method::GET, "/").await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.headers()["x-content-type-options"], "nosniff");
    let body = page.text().await.unwrap();
    assert!(body.contains("Tabia"));
    assert!(!body.contains("<script>"), "no script within the page");
}

#[tokio::test]
async fn the_api_is_described_and_can_be_browsed() {
    let server = Server::start().await;
    let description = server.get("/api/v1/openapi.json").await;
    for path in ["/api/v1/games", "/api/v1/games/{id}/events", "/api/v1/analysis/lines", "/api/v1/runs/{id}"]
    {
        assert!(description["paths"][path].is_object(), "{path}");
    }
    // Everything that is referred to is there.
    let mut references = Vec::new();
    collect(&description, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(description.pointer(pointer).is_some(), "{reference}");
    }
    let docs = server.send(Method::GET, "/api/docs/").await;
    assert_eq!(docs.status(), StatusCode::OK);
    let policy = docs.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("script-src 'self';"), "{policy}");
    let body = docs.text().await.unwrap();
    assert!(body.contains("swagger-ui") && !body.contains("<script>"), "{body}");
}

fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(text) if key == "$ref" => found.push(text),
                    _ => collect(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn what_happens_is_measured() {
    let server = Server::start().await;
    server.get("/api/v1/agents").await;
    assert_eq!(server.send(Method::GET, "/healthz").await.text().await.unwrap(), "ok\n");
    let metrics = server.send(Method::GET, "/metrics").await.text().await.unwrap();
    assert!(metrics.contains("tabia_http_requests"), "{metrics}");
    assert!(metrics.contains("path=\"/api/v1/agents\""), "{metrics}");
}
