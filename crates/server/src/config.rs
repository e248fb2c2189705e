//! What a server is told at its start, and the bounds it keeps.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use tabia_arena::driver::SandboxLimits;
use tabia_book::Tables;

use crate::budget::Demand;

/// The least of the budget for what clients start.
const LEAST_MEMORY_MB: u64 = 512;
const LEAST_THREADS: u64 = 8;

/// Where things are kept, who may come in, and how much there may be of everything.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where games and runs are kept; none is memory, gone with the server.
    pub data: Option<PathBuf>,
    /// PGN files that the opening explorer knows.
    pub games: Vec<PathBuf>,
    /// What a client must show, if anything.
    pub token: Option<String>,
    /// The folder whose programs and weights agents from the web may use, if any.
    pub allowed_programs: Option<PathBuf>,
    /// Endgame tables that the coach looks endings up in, if any.
    pub tables: Option<Tables>,
    /// What engines of that folder may use.
    pub confinement: SandboxLimits,
    /// The program that plays matches, if clients may start some: this one.
    pub program: Option<PathBuf>,
    /// Proxies in front of the server, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The bounds.
    pub bounds: Bounds,
}

/// How much there may be of everything.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Agents that think at the same time in games.
    pub engines: usize,
    /// Agents that wait for their turn before new work is refused.
    pub waiting: usize,
    /// Analyses at the same time.
    pub analyses: usize,
    /// Games reviewed at the same time.
    pub reviews: usize,
    /// Reviews of games that are kept, ended ones among them.
    pub kept_reviews: usize,
    /// Runs that the server has started at the same time.
    pub runs: usize,
    /// Games held in memory; others lie on disk.
    pub sessions: usize,
    /// Agents that keep what they learned between moves.
    pub warm_agents: usize,
    /// Event streams open at the same time.
    pub streams: usize,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// The longest an agent thinks about one move, or analyses one position.
    pub think_time: Duration,
    /// The longest a request may take that is no stream.
    pub request_time: Duration,
    /// After this long without anybody, a game is put away.
    pub idle: Duration,
    /// Plies of a game.
    pub plies: usize,
    /// Threads of one agent.
    pub threads: i64,
    /// Transposition table of one agent, in mebibytes.
    pub hash_mb: i64,
    /// Options of engines that are other programs, beside threads and hash table.
    pub external: ExternalBounds,
    /// Requests a second and client; clients on this machine are not counted.
    pub requests_per_second: u32,
    /// Games of one client that are not over.
    pub games_per_client: usize,
    /// Games that one address may set up in a minute; clients on this machine are not counted.
    pub games_per_minute: u32,
    /// Attempts to log in of one client a minute.
    pub logins_per_minute: u32,
    /// Connections open at the same time.
    pub connections: usize,
    /// The same of one address; clients on this machine and trusted proxies are not counted.
    pub connections_per_address: usize,
    /// How long a connection may take to send the header of its next request, and so how long it may be idle.
    pub header_time: Duration,
    /// A connection whose client takes nothing of what is sent for this long is closed.
    pub stalled: Duration,
    /// What everything together may use that clients start; a quarter is kept for agents in games.
    pub budget: Demand,
    /// After this long a game that is over is deleted; none keeps it for ever.
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
                memory_mb: (tabia_run::memory::total_bytes() >> 21).max(LEAST_MEMORY_MB),
                threads: (2 * cores as u64).max(LEAST_THREADS),
            },
            retention: None,
        }
    }
}

impl Config {
    /// Whether requests from this address come through a proxy that is believed.
    pub fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&address.to_canonical()))
    }

    /// A server that keeps nothing: for tests, and for looking at its description.
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

/// A server that would be open to others without asking who they are.
#[derive(Debug, thiserror::Error)]
#[error(
    "{0} can be reached from other machines: give the server a token with --token or TABIA_TOKEN, or listen on 127.0.0.1"
)]
pub struct OpenToAll(SocketAddr);

/// Refuses an address that others can reach when no token guards it.
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
