//! Configuration of a server, and its limits.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use tabia_arena::driver::SandboxLimits;
use tabia_book::Tables;

use crate::budget::Demand;

/// The least budget for what clients start.
const MIN_MEMORY_MB: u64 = 512;
const MIN_THREADS: u64 = 8;

/// Configuration: storage, access, limits.
#[derive(Clone, Debug)]
pub struct Config {
    /// Data folder for games and runs; `None` keeps games in memory only.
    pub data: Option<PathBuf>,
    /// PGN files for the opening explorer.
    pub games: Vec<PathBuf>,
    /// The token that clients must send, if any.
    pub token: Option<String>,
    /// The folder whose programs and weights agents from the web may use, if any.
    pub allowed_programs: Option<PathBuf>,
    /// Syzygy tablebases for the coach, if any.
    pub tables: Option<Tables>,
    /// Resource limits of the engines in that folder.
    pub confinement: SandboxLimits,
    /// The executable that plays matches started by clients; `None` disables it.
    pub program: Option<PathBuf>,
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
    pub trusted_proxies: Vec<IpNet>,
    pub bounds: Bounds,
}

/// Limits.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Agents that search at the same time in games.
    pub engines: usize,
    /// Agents in the queue before new work is refused.
    pub waiting: usize,
    /// Concurrent analyses.
    pub analyses: usize,
    /// Concurrent reviews.
    pub reviews: usize,
    /// Reviews in memory, finished ones included.
    pub kept_reviews: usize,
    /// Concurrent runs started by the server.
    pub runs: usize,
    /// Games in memory; others are loaded from the database on demand.
    pub sessions: usize,
    /// Agents cached between moves.
    pub warm_agents: usize,
    /// Concurrent event streams.
    pub streams: usize,
    /// Size of a request body, in bytes.
    pub body_bytes: usize,
    /// Longest search for one move or analysis.
    pub think_time: Duration,
    /// Longest request, event streams excepted.
    pub request_time: Duration,
    /// A game is unloaded after this long without a request.
    pub idle: Duration,
    /// Length of a game in plies.
    pub plies: usize,
    /// Threads of one agent.
    pub threads: i64,
    /// Transposition table of one agent, in mebibytes.
    pub hash_mb: i64,
    /// Options of external engines, besides threads and hash table.
    pub external: ExternalBounds,
    /// Requests per second and client; clients on this machine are not limited.
    pub requests_per_second: u32,
    /// Unfinished games of one client.
    pub games_per_client: usize,
    /// New games per minute and address; clients on this machine are not limited.
    pub games_per_minute: u32,
    /// Login attempts per minute and client.
    pub logins_per_minute: u32,
    /// Open connections.
    pub connections: usize,
    /// Open connections per address; clients on this machine and trusted proxies are not limited.
    pub connections_per_address: usize,
    /// Time to send the header of the next request; also the longest a connection may be idle.
    pub header_time: Duration,
    /// A connection is closed if its client reads nothing for this long.
    pub stalled: Duration,
    /// What everything together may use that clients start; a quarter is kept for agents in games.
    pub budget: Demand,
    /// Finished games are deleted after this long; `None` keeps them.
    pub retention: Option<Duration>,
}

/// What clients may set options of other engines to; ranges are inclusive.
#[derive(Clone, Debug)]
pub struct ExternalBounds {
    /// `MultiPV`, from 1.
    pub multipv: i64,
    /// `UCI_Elo`.
    pub elo: (i64, i64),
    /// `Skill Level`.
    pub skill_level: (i64, i64),
    /// `Contempt`, in centipawns.
    pub contempt: (i64, i64),
}

impl Default for ExternalBounds {
    fn default() -> ExternalBounds {
        ExternalBounds { multipv: 10, elo: (0, 4_000), skill_level: (-20, 100), contempt: (-250, 250) }
    }
}

impl Default for Bounds {
    fn default() -> Bounds {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Bounds {
            engines: cores,
            waiting: 512,
            analyses: cores.max(2),
            reviews: (cores / 2).max(1),
            kept_reviews: 64,
            runs: 1,
            sessions: 2_000,
            warm_agents: 16,
            streams: 4_096,
            body_bytes: 256 * 1024,
            think_time: Duration::from_mins(1),
            request_time: Duration::from_secs(20),
            idle: Duration::from_mins(10),
            plies: 2_000,
            threads: cores as i64,
            hash_mb: 64,
            external: ExternalBounds::default(),
            requests_per_second: 50,
            games_per_client: 100,
            games_per_minute: 60,
            logins_per_minute: 10,
            connections: 4_096,
            connections_per_address: 256,
            header_time: Duration::from_secs(20),
            stalled: Duration::from_mins(1),
            budget: Demand {
                memory_mb: (tabia_run::memory::total_bytes() >> 21).max(MIN_MEMORY_MB),
                threads: (2 * cores as u64).max(MIN_THREADS),
            },
            retention: None,
        }
    }
}

impl Config {
    /// Whether this address is a trusted proxy.
    pub fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&address.to_canonical()))
    }

    /// A server without storage: for tests, and to print the API description.
    pub fn in_memory() -> Config {
        Config {
            data: None,
            games: Vec::new(),
            token: None,
            allowed_programs: None,
            tables: None,
            confinement: SandboxLimits::default(),
            program: None,
            trusted_proxies: Vec::new(),
            bounds: Bounds::default(),
        }
    }
}

/// The address is reachable by others, and no token protects it.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} can be reached from other machines: give the server a token with --token or TABIA_TOKEN, or listen on 127.0.0.1"
)]
pub struct OpenToAll(SocketAddr);

/// Refuses an address that others can reach unless a token is set.
pub fn check_address(address: SocketAddr, token: Option<&str>) -> Result<(), OpenToAll> {
    if address.ip().is_loopback() || token.is_some() { Ok(()) } else { Err(OpenToAll(address)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_needs_no_token() {
        for (address, token, allowed) in [
            ("127.0.0.1:8050", None, true),
            ("[::1]:8050", None, true),
            ("0.0.0.0:8050", None, false),
            ("192.168.1.5:8050", None, false),
            ("0.0.0.0:8050", Some("secret"), true),
        ] {
            assert_eq!(check_address(address.parse().unwrap(), token).is_ok(), allowed, "{address}");
        }
    }
}
