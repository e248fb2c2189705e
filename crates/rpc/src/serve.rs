//! The server: which call is where, who may call, and how it ends.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post};
use prost::Message;
use subtle::ConstantTimeEq;
use tokio::net::TcpListener;
use tonic::Status;
use tonic::server::Grpc;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_prost::ProstCodec;
use tower::service_fn;

use crate::service::Quantum;

/// The service's name in paths: package and service of the .proto.
const NAME: &str = "tabia.quantum.v1.Quantum";
/// A request's bytes, at most: seed 004's network is 89 million, and as a checkpoint of its own kind it may be twice that.
const LARGEST: usize = 256 << 20;
/// How often a silent connection is asked whether it is still there (seed 004 §7).
const KEEPALIVE: Duration = Duration::from_mins(5);
/// How long it has to answer.
const ANSWER: Duration = Duration::from_secs(20);
/// Bytes of a message that may be on their way: a network is large, and networks between machines are slow to answer.
const WINDOW: u32 = 4 << 20;
/// Calls at once of one connection.
const CALLS: u32 = 64;
/// How long clients have to take the last of what they asked for.
const LAST_WORDS: Duration = Duration::from_secs(5);

#[derive(Clone)]
struct Desk {
    quantum: Arc<Quantum>,
    token: Option<Arc<str>>,
}

/// Serves until `shutdown`; then whoever plays or waits is told, and the connections end.
pub async fn serve(
    listener: TcpListener,
    quantum: Quantum,
    token: Option<String>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), tonic::transport::Error> {
    let quantum = Arc::new(quantum);
    let desk = Desk { quantum: quantum.clone(), token: token.map(Arc::from) };
    let ending = Arc::new(tokio::sync::Notify::new());
    let ended = ending.clone();
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true)).with_keepalive(Some(KEEPALIVE));
    let server = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE))
        .http2_keepalive_timeout(Some(ANSWER))
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(2 * WINDOW)
        .max_concurrent_streams(CALLS)
        .add_routes(routes(desk))
        .serve_with_incoming_shutdown(incoming, async move { ended.notified().await });
    tokio::pin!(server);
    tokio::select! {
        ended = &mut server => return ended,
        () = shutdown => {}
    }
    quantum.close();
    ending.notify_one();
    // Whoever does not listen is left behind.
    tokio::time::timeout(LAST_WORDS, server).await.unwrap_or(Ok(()))
}

fn routes(desk: Desk) -> Routes {
    let path = |call: &str| format!("/{NAME}/{call}");
    let router = axum::Router::new()
        .route(&path("GenerateGames"), games())
        .route(&path("EvaluatePosition"), unary(Quantum::evaluate_position))
        .route(&path("LoadWeights"), unary(Quantum::load_weights))
        .route(&path("GetWeights"), unary(Quantum::get_weights))
        .fallback(|| async { refusal(Status::unimplemented("there is no such call; see quantum.proto")) })
        .with_state(desk);
    Routes::from(router)
}

/// A call with one answer.
fn unary<Q, A, F>(call: fn(Arc<Quantum>, Q) -> F) -> MethodRouter<Desk, Infallible>
where
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
    F: Future<Output = Result<A, Status>> + Send + 'static,
{
    post(move |State(desk): State<Desk>, request: Request| async move {
        if let Err(stranger) = desk.admit(request.headers()) {
            return refusal(stranger);
        }
        let answer = service_fn(move |request: tonic::Request<Q>| {
            let answer = call(desk.quantum.clone(), request.into_inner());
            async move { answer.await.map(tonic::Response::new) }
        });
        let mut grpc = Grpc::new(ProstCodec::<A, Q>::default()).max_decoding_message_size(LARGEST);
        grpc.unary(answer, request).await.into_response()
    })
}

/// `GenerateGames`, which answers as long as games are played.
fn games() -> MethodRouter<Desk, Infallible> {
    post(|State(desk): State<Desk>, request: Request| async move {
        if let Err(stranger) = desk.admit(request.headers()) {
            return refusal(stranger);
        }
        let answer = service_fn(move |request: tonic::Request<_>| {
            let games = desk.quantum.clone().generate_games(request.into_inner());
            async move { games.await.map(tonic::Response::new) }
        });
        Grpc::new(ProstCodec::default()).server_streaming(answer, request).await.into_response()
    })
}

fn refusal(status: Status) -> Response {
    status.into_http::<axum::body::Body>()
}

impl Desk {
    /// Refuses whoever does not show the token, where one is asked for.
    fn admit(&self, headers: &HeaderMap) -> Result<(), Status> {
        let Some(token) = &self.token else { return Ok(()) };
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let shown = shown.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        if bool::from(shown.trim().as_bytes().ct_eq(token.as_bytes())) {
            return Ok(());
        }
        Err(Status::unauthenticated("send the token as metadata: `authorization: Bearer TOKEN`"))
    }
}
