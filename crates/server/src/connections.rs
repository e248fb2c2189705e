//! Limits on open connections, in total and per address.
//!
//! A client that opens connections and sends half a request on each (Slowloris) must not keep others out. When the
//! limit is reached, the connection that has been idle longest is closed for the new one. A connection with a request
//! in progress, such as an event stream, is never closed for another.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::sync::Notify;

/// The open connections of a server.
pub struct Connections {
    max: usize,
    max_per_address: usize,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    /// Ordered by the time since which they wait for a request.
    connections: BTreeMap<u64, OpenConnection>,
    next: u64,
}

struct OpenConnection {
    address: IpAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    requests: AtomicUsize,
    evicted: Notify,
}

/// One connection; releases its slot on drop.
pub struct Connection {
    number: u64,
    shared: Arc<Shared>,
    open: Arc<Mutex<Open>>,
}

/// A request in progress, until its response has been sent.
pub struct Busy(Arc<Shared>);

impl Connections {
    /// Limits: in total, and per address.
    pub fn new(max: usize, max_per_address: usize) -> Connections {
        Connections { max, max_per_address, open: Arc::default() }
    }

    /// Accepts a new connection; `is_counted` says whether the limit per address applies. `None` if the limit is
    /// reached and all connections are busy.
    pub fn enter(&self, address: IpAddr, is_counted: bool) -> Option<Connection> {
        let mut open = lock(&self.open);
        let of_address = |connection: &OpenConnection| connection.address == address;
        if is_counted
            && open.connections.values().filter(|connection| of_address(connection)).count()
                >= self.max_per_address
        {
            open.evict(of_address)?;
        }
        if open.connections.len() >= self.max {
            open.evict(|_| true)?;
        }
        let number = open.next;
        open.next += 1;
        let shared = Arc::new(Shared::default());
        open.connections.insert(number, OpenConnection { address, shared: shared.clone() });
        Some(Connection { number, shared, open: self.open.clone() })
    }

    /// Number of open connections.
    pub fn count(&self) -> usize {
        lock(&self.open).connections.len()
    }
}

impl Open {
    /// Closes the connection that has been idle longest.
    fn evict(&mut self, is_candidate: impl Fn(&OpenConnection) -> bool) -> Option<()> {
        let is_waiting =
            |connection: &OpenConnection| connection.shared.requests.load(Ordering::Acquire) == 0;
        let (number, _) = self
            .connections
            .iter()
            .find(|(_, connection)| is_candidate(connection) && is_waiting(connection))?;
        let number = *number;
        let connection = self.connections.remove(&number)?;
        connection.shared.evicted.notify_one();
        Some(())
    }
}

impl Connection {
    /// Returns when the connection is evicted.
    pub async fn evicted(&self) {
        self.shared.evicted.notified().await;
    }

    /// A handle for its requests.
    pub fn requests(&self) -> Requests {
        Requests(self.shared.clone())
    }
}

/// Counts the requests of a connection.
#[derive(Clone)]
pub struct Requests(Arc<Shared>);

impl Requests {
    /// Marks a request as begun.
    pub fn begin(&self) -> Busy {
        self.0.requests.fetch_add(1, Ordering::AcqRel);
        Busy(self.0.clone())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        lock(&self.open).connections.remove(&self.number);
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A response body that keeps its request in progress until it has been sent.
pub struct BusyBody {
    body: Body,
    _busy: Busy,
}

impl BusyBody {
    /// Wraps a body.
    pub fn new(body: Body, busy: Busy) -> BusyBody {
        BusyBody { body, _busy: busy }
    }
}

impl HttpBody for BusyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    #[tokio::test]
    async fn the_connection_that_waits_longest_makes_room() {
        let connections = Connections::new(2, 2);
        let first = connections.enter(HERE, false).unwrap();
        let second = connections.enter(HERE, false).unwrap();
        let busy = first.requests().begin();
        let third = connections.enter(THERE, true).unwrap();
        second.evicted().await;
        assert_eq!(connections.count(), 2);
        let _busy_too = third.requests().begin();
        assert!(connections.enter(THERE, true).is_none(), "both are busy");
        drop(busy);
        let _fourth = connections.enter(THERE, true).unwrap();
        first.evicted().await;
        drop(second);
        assert_eq!(connections.count(), 2, "a place is given back once");
    }

    #[tokio::test]
    async fn one_address_keeps_to_its_share() {
        let connections = Connections::new(100, 3);
        let other = connections.enter(HERE, true).unwrap();
        let mut held: Vec<Connection> = Vec::new();
        for _ in 0..20 {
            held.push(connections.enter(THERE, true).unwrap());
        }
        assert_eq!(connections.count(), 4);
        for connection in &held[..17] {
            connection.evicted().await;
        }
        drop(held);
        assert_eq!(connections.count(), 1);
        drop(other);
        assert_eq!(connections.count(), 0);
    }
}
