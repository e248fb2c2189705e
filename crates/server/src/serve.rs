//! Runs the server on a listener, until shutdown.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use crate::app_state::AppState;
use crate::connections::{BusyBody, Connection, Requests};
use crate::router;
use crate::telemetry;
use crate::timestamp::Timestamp;

/// Grace period for open requests after shutdown began.
const DRAIN: Duration = Duration::from_secs(2);
/// How often idle games are unloaded.
const TIDY: Duration = Duration::from_secs(30);
/// Pause after an error of `accept`, such as no free file descriptor.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `closing` completes. Then streams and searches end, open requests get a grace period, and it returns.
pub async fn serve(
    listener: TcpListener,
    app: Arc<AppState>,
    closing: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let tidying = tokio::spawn(tidy(app.clone()));
    let accepting = tokio::spawn(accept(listener, app.clone()));
    closing.await;
    tracing::info!("closing");
    app.close();
    accepting.abort();
    let idle = async {
        while app.connections.count() > 0 {
            tokio::time::sleep(ACCEPT_PAUSE).await;
        }
    };
    // Remaining connections are dropped.
    let _ = tokio::time::timeout(DRAIN, idle).await;
    tidying.abort();
    Ok(())
}

/// Accepts connections for ever.
async fn accept(listener: TcpListener, app: Arc<AppState>) {
    let router = router(app.clone());
    loop {
        let (stream, address) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // The client disconnected before it was accepted.
                if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset)
                {
                    tracing::error!(%error, "no connection can be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
                continue;
            }
        };
        let ip = address.ip().to_canonical();
        // Behind a proxy, many clients share one address.
        let is_counted = !ip.is_loopback() && !app.config.is_trusted_proxy(ip);
        let Some(connection) = app.connections.enter(ip, is_counted) else {
            metrics::counter!("tabia_connections_refused").increment(1);
            continue;
        };
        set_timeouts(&stream, app.config.bounds.stalled);
        tokio::spawn(answer(stream, address, connection, router.clone(), app.clone()));
    }
}

/// Serves the requests of one connection.
async fn answer(
    stream: TcpStream,
    address: SocketAddr,
    connection: Connection,
    router: Router,
    app: Arc<AppState>,
) {
    let requests = connection.requests();
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        respond(request.map(Body::new), address, requests.clone(), router.clone())
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        // Covers idle connections too: from the end of one request to the end of the next header.
        .header_read_timeout(app.config.bounds.header_time)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    let closing = app.closing();
    drop(app);
    tokio::select! {
        // Errors of a connection concern only its client.
        _ = serving.as_mut() => {}
        () = connection.evicted() => {}
        () = closing => {
            serving.as_mut().graceful_shutdown();
            let _ = serving.await;
        }
    }
}

async fn respond(
    mut request: Request,
    address: SocketAddr,
    requests: Requests,
    router: Router,
) -> Result<Response<BusyBody>, Infallible> {
    let busy = requests.begin();
    request.extensions_mut().insert(ConnectInfo(address));
    let response = router.oneshot(request).await?;
    Ok(response.map(|body| BusyBody::new(body, busy)))
}

/// Closes a connection whose client reads nothing for this long.
fn set_timeouts(stream: &TcpStream, stalled: Duration) {
    #[cfg(target_os = "linux")]
    {
        let milliseconds = u32::try_from(stalled.as_millis()).unwrap_or(u32::MAX);
        if let Err(error) = rustix::net::sockopt::set_tcp_user_timeout(stream, milliseconds) {
            tracing::debug!(%error, "a connection has no timeout for what is sent");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = stalled;
    // Responses are small, and events should arrive at once.
    let _ = stream.set_nodelay(true);
}

async fn tidy(app: Arc<AppState>) {
    loop {
        tokio::time::sleep(TIDY).await;
        if let Some(retention) = app.config.bounds.retention {
            let kept_from = Timestamp::now().milliseconds().saturating_sub(retention.as_millis() as u64);
            match app.store.delete_finished(Timestamp::from_milliseconds(kept_from)).await {
                Ok(0) => {}
                Ok(games) => tracing::info!(games, "games that were over for long were deleted"),
                Err(error) => tracing::error!(%error, "old games could not be deleted"),
            }
        }
        app.sessions.evict_expired(app.config.bounds.idle);
        app.quantum.sessions.evict_expired(app.config.bounds.idle);
        app.rates.tidy();
        app.new_games.tidy();
        app.logins.tidy();
        telemetry::tidy();
    }
}
