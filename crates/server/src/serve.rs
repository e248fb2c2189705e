//! A server from its first request to its last.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::app_state::AppState;
use crate::router;
use crate::telemetry;

/// How long open requests have to end after the server was told to close.
const DRAIN: Duration = Duration::from_secs(2);
/// How often tables are put away that nobody comes to.
const TIDY: Duration = Duration::from_secs(30);

/// Serves until `closing` comes; then streams and thinking end, requests get a moment to finish, and it returns.
pub async fn serve(
    listener: TcpListener,
    app: Arc<AppState>,
    closing: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let tidying = tokio::spawn(tidy(app.clone()));
    let service = router(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let told = {
        let app = app.clone();
        async move {
            closing.await;
            tracing::info!("closing");
            app.close();
        }
    };
    let serving = axum::serve(listener, service).with_graceful_shutdown(told);
    let late = async {
        app.closed().await;
        tokio::time::sleep(DRAIN).await;
    };
    let done = tokio::select! {
        done = serving => done,
        () = late => Ok(()),
    };
    tidying.abort();
    done
}

async fn tidy(app: Arc<AppState>) {
    loop {
        tokio::time::sleep(TIDY).await;
        app.sessions.evict_expired(app.config.bounds.idle);
        app.quantum.sessions.evict_expired(app.config.bounds.idle);
        app.rates.tidy();
        telemetry::tidy();
    }
}
