//! Command-line options for search limits.

use std::time::Duration;

use tabia_core::{Limits, Options};

use crate::numbers::integer;

/// Time limit of agents without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Limits of one search; the first one reached ends it.
#[derive(Clone, Debug, clap::Args)]
pub struct LimitArgs {
    /// Stop at this depth in plies.
    #[arg(long, value_name = "N", value_parser = integer::<u32>(1..=250))]
    pub depth: Option<u32>,
    /// Stop after this many nodes.
    #[arg(long, value_name = "N", value_parser = integer::<u64>(1..))]
    pub nodes: Option<u64>,
    /// Stop after this many milliseconds (without any limit: 1000, or what the agent's own options say).
    #[arg(long = "movetime", visible_alias = "time", value_name = "MS", value_parser = integer::<u64>(1..))]
    pub movetime_ms: Option<u64>,
}

impl LimitArgs {
    /// The limits for an agent with these options. An agent with a limit of its own (`alphabeta` by its depth) gets
    /// no other; any other agent gets a second.
    pub fn for_agent<M>(&self, options: &Options) -> Limits<M> {
        let mut limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime_ms.map(Duration::from_millis),
            ..Limits::default()
        };
        let bounds = ["depth", "nodes", "simulations"];
        let bounds_itself = bounds.iter().any(|key| options.integer(key).is_some_and(|bound| bound > 0));
        if limits.is_infinite() && !bounds_itself {
            limits.movetime = Some(DEFAULT_TIME);
        }
        limits
    }

    /// As [`LimitArgs::for_agent`], but with a node limit instead of the second, so that results are reproducible.
    pub fn or_nodes(&self, options: &Options, nodes: u64) -> Limits {
        match self.for_agent(options) {
            unasked if self.movetime_ms.is_none() && unasked.movetime.is_some() => Limits::nodes(nodes),
            given => given,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn limits(depth: Option<u32>, spec: &str) -> Limits {
        let catalogue = catalogue::chess();
        let (_, options) = catalogue.check(&spec.parse().unwrap()).unwrap();
        LimitArgs { depth, nodes: None, movetime_ms: None }.for_agent(&options)
    }

    #[test]
    fn only_agents_without_bounds_of_their_own_get_one() {
        assert_eq!(limits(None, "alphabeta"), Limits::default());
        assert_eq!(limits(None, "engine(nodes=100)"), Limits::default());
        assert_eq!(limits(None, "engine"), Limits::movetime(DEFAULT_TIME));
        assert_eq!(limits(Some(5), "engine"), Limits::depth(5));
    }
}
