//! The address of a client: of the connection or, behind a trusted proxy, the one the proxy reports.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;

use crate::config::Config;

/// The client of a request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// `None` in tests that call the router without a connection.
    pub address: Option<IpAddr>,
    /// Whether the client reached the proxy over HTTPS; cookies are then marked `Secure`.
    pub is_secure: bool,
}

impl Client {
    /// The client of a request.
    pub fn of(request: &Request, config: &Config) -> Client {
        let peer =
            request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_canonical());
        match peer {
            Some(peer) if config.is_trusted_proxy(peer) => Client {
                address: Some(forwarded_for(request.headers(), config).unwrap_or(peer)),
                is_secure: last(request.headers(), "x-forwarded-proto").is_some_and(|proto| proto == "https"),
            },
            peer => Client { address: peer, is_secure: false },
        }
    }

    /// The address to be rate-limited, if any: clients on this machine are not limited.
    pub fn limited(self) -> Option<IpAddr> {
        self.address.filter(|address| !address.is_loopback())
    }
}

/// The attributes of a cookie.
pub const fn secure(is_secure: bool) -> &'static str {
    if is_secure { "; Secure" } else { "" }
}

/// The last address of `X-Forwarded-For` that is not a trusted proxy. Addresses before it may be forged by the
/// client.
fn forwarded_for(headers: &HeaderMap, config: &Config) -> Option<IpAddr> {
    let lines = headers.get_all("x-forwarded-for").into_iter().filter_map(|value| value.to_str().ok());
    let mut addresses: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
    while let Some(text) = addresses.pop() {
        let address =
            text.parse::<IpAddr>().or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip()));
        let address = address.ok()?.to_canonical();
        if !config.is_trusted_proxy(address) {
            return Some(address);
        }
    }
    None
}

/// The last value of a comma-separated header.
fn last<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let value = headers.get_all(name).into_iter().next_back()?.to_str().ok()?;
    value.rsplit(',').next().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, headers: &[(&'static str, &'static str)]) -> (String, bool) {
        let proxies = ["127.0.0.1/32", "10.0.0.0/8"].map(|text| text.parse().unwrap());
        let config = Config { trusted_proxies: proxies.to_vec(), ..Config::in_memory() };
        let mut request = Request::new(axum::body::Body::empty());
        request.extensions_mut().insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().unwrap());
        }
        let client = Client::of(&request, &config);
        (client.address.unwrap().to_string(), client.is_secure)
    }

    #[test]
    fn a_trusted_proxy_is_believed_and_nobody_else() {
        const FOR: &str = "x-forwarded-for";
        let https = ("x-forwarded-proto", "https");
        for (peer, headers, address, is_secure) in [
            ("192.0.2.7", vec![(FOR, "198.51.100.1"), https], "192.0.2.7", false),
            ("127.0.0.1", vec![(FOR, "198.51.100.1"), https], "198.51.100.1", true),
            ("127.0.0.1", vec![(FOR, "6.6.6.6, 198.51.100.1, 10.1.2.3")], "198.51.100.1", false),
            ("127.0.0.1", vec![(FOR, "6.6.6.6"), (FOR, "198.51.100.1:4711")], "198.51.100.1", false),
            ("10.1.1.1", vec![(FOR, "nonsense")], "10.1.1.1", false),
            ("10.1.1.1", vec![("x-forwarded-proto", "https, http")], "10.1.1.1", false),
            ("127.0.0.1", vec![], "127.0.0.1", false),
        ] {
            assert_eq!(client(peer, &headers), (address.to_owned(), is_secure), "{peer} {headers:?}");
        }
    }
}
