//! The server: routing, authentication and graceful shutdown.

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
pub(crate) const NAME: &str = "tabia.quantum.v1.Quantum";
/// Largest request in bytes: seed 004's network has 89 million, and a client's own format may have twice that.
const MAX_REQUEST_BYTES: usize = 256 << 20;
/// Interval of HTTP/2 keepalive pings (seed 004 §7).
const KEEPALIVE: Duration = Duration::from_mins(5);
/// Time to answer a ping.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// HTTP/2 flow-control window in bytes: weights are large, and latency may be high.
const WINDOW: u32 = 4 << 20;
/// Concurrent calls per connection.
const MAX_STREAMS: u32 = 64;
/// Time for clients to receive final responses at shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

#[derive(Clone)]
struct AppState {
    quantum: Arc<Quantum>,
    token: Option<Arc<str>>,
}

/// Serves until `shutdown`; running and waiting calls then end with a status, and connections close.
pub async fn serve(
    listener: TcpListener,
    quantum: Quantum,
    token: Option<String>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), tonic::transport::Error> {
    let quantum = Arc::new(quantum);
    let state = AppState { quantum: quantum.clone(), token: token.map(Arc::from) };
    let ending = Arc::new(tokio::sync::Notify::new());
    let ended = ending.clone();
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true)).with_keepalive(Some(KEEPALIVE));
    let server = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(2 * WINDOW)
        .max_concurrent_streams(MAX_STREAMS)
        .add_routes(routes(state))
        .serve_with_incoming_shutdown(incoming, async move { ended.notified().await });
    tokio::pin!(server);
    tokio::select! {
        ended = &mut server => return ended,
        () = shutdown => {}
    }
    quantum.close();
    ending.notify_one();
    // Connections that do not close in time are dropped.
    tokio::time::timeout(SHUTDOWN_GRACE, server).await.unwrap_or(Ok(()))
}

fn routes(state: AppState) -> Routes {
    let path = |call: &str| format!("/{NAME}/{call}");
    let router = axum::Router::new()
        .route(&path("GenerateGames"), games())
        .route(&path("EvaluatePosition"), unary(Quantum::evaluate_position))
        .route(&path("LoadWeights"), unary(Quantum::load_weights))
        .route(&path("GetWeights"), unary(Quantum::get_weights))
        .fallback(|| async { error_response(Status::unimplemented("unknown method; see quantum.proto")) })
        .with_state(state);
    Routes::from(router)
}

fn unary<Q, A, F>(call: fn(Arc<Quantum>, Q) -> F) -> MethodRouter<AppState, Infallible>
where
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
    F: Future<Output = Result<A, Status>> + Send + 'static,
{
    post(move |State(state): State<AppState>, request: Request| async move {
        if let Err(error) = state.authenticate(request.headers()) {
            return error_response(error);
        }
        let answer = service_fn(move |request: tonic::Request<Q>| {
            let answer = call(state.quantum.clone(), request.into_inner());
            async move { answer.await.map(tonic::Response::new) }
        });
        let mut grpc = Grpc::new(ProstCodec::<A, Q>::default()).max_decoding_message_size(MAX_REQUEST_BYTES);
        grpc.unary(answer, request).await.into_response()
    })
}

/// `GenerateGames`, a server-streaming method.
fn games() -> MethodRouter<AppState, Infallible> {
    post(|State(state): State<AppState>, request: Request| async move {
        if let Err(error) = state.authenticate(request.headers()) {
            return error_response(error);
        }
        let answer = service_fn(move |request: tonic::Request<_>| {
            let games = state.quantum.clone().generate_games(request.into_inner());
            async move { games.await.map(tonic::Response::new) }
        });
        Grpc::new(ProstCodec::default()).server_streaming(answer, request).await.into_response()
    })
}

fn error_response(status: Status) -> Response {
    status.into_http::<axum::body::Body>()
}

impl AppState {
    /// Checks the bearer token, if one is required.
    fn authenticate(&self, headers: &HeaderMap) -> Result<(), Status> {
        let Some(token) = &self.token else { return Ok(()) };
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let shown = shown.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        if bool::from(shown.trim().as_bytes().ct_eq(token.as_bytes())) {
            return Ok(());
        }
        Err(Status::unauthenticated("send the token as metadata: `authorization: Bearer TOKEN`"))
    }
}
