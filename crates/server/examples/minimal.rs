//! A handler that does nothing but answer: what the server's figures are measured beside (`tools/load.py --minimal`).

use axum::{Json, Router, routing};
use serde_json::json;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let app = Router::new().route("/", routing::get(async || Json(json!({"answer": "x".repeat(4000)}))));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/", listener.local_addr()?);
    axum::serve(listener, app).await
}
