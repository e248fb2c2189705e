//! A server from its first request to its last.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::app;
use crate::lab::Lab;
use crate::telemetry;

/// How long open requests have to end after the server was told to close.
const DRAIN: Duration = Duration::from_secs(2);
/// How often tables are put away that nobody comes to.
const TIDY: Duration = Duration::from_secs(30);

/// Serves until `closing` comes; then streams and thinking end, requests get a moment to finish, and it returns.
pub async fn serve(
    listener: TcpListener,
    lab: Arc<Lab>,
    closing: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let tidying = tokio::spawn(tidy(lab.clone()));
    let service = app(lab.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let told = {
        let lab = lab.clone();
        async move {
            closing.await;
            tracing::info!("closing");
            lab.close();
        }
    };
    let serving = axum::serve(listener, service).with_graceful_shutdown(told);
    let late = async {
        lab.closed().await;
        tokio::time::sleep(DRAIN).await;
    };
    let done = tokio::select! {
        done = serving => done,
        () = late => Ok(()),
    };
    tidying.abort();
    done
}

async fn tidy(lab: Arc<Lab>) {
    loop {
        tokio::time::sleep(TIDY).await;
        lab.hall.tidy(lab.config.bounds.idle);
        lab.quantum.hall.tidy(lab.config.bounds.idle);
        lab.rates.tidy();
        telemetry::tidy();
    }
}
