//! The engine as a player: with limits of its own, at full strength or limited to an Elo rating.
//!
//! A weaker player searches fewer nodes, adds noise to the score of each line, and compares more lines. All three follow
//! from the rating by a table; `docs/strength.md` has the measured ratings.

use rand::Rng;
use shakmaty::Move;
use tabia_core::{Agent, AgentError, ChessGame, Limits, SearchInfo, Stop, seed};
use tabia_eval::Evaluate;

use crate::engine::{Engine, SearchResult, Settings, TableTooLarge};

/// Lowest rating.
pub const MIN_ELO: u32 = 600;
/// Highest rating; above it is full strength.
pub const MAX_ELO: u32 = 2600;
/// Lines further below the best than this are not considered, whatever the noise, in centipawns.
const WORST_CONSIDERED: f64 = 1_200.0;

/// Limits that a player always keeps: a fixed depth or number of nodes per move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnLimits {
    pub depth: Option<u32>,
    /// Nodes per move.
    pub nodes: Option<u64>,
}

impl OwnLimits {
    fn apply(self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        limits.depth = lower_limit(limits.depth, self.depth);
        limits.nodes = lower_limit(limits.nodes, self.nodes);
        limits
    }
}

fn lower_limit<T: Ord + Copy>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

/// The handicap of a rating: nodes, noise on the score of a line, and number of lines.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Handicap {
    /// Nodes per move.
    pub nodes: u64,
    /// Standard deviation of the noise, in centipawns.
    pub noise: f64,
    /// Number of lines that are compared.
    pub multipv: usize,
}

/// Elo, nodes, noise, lines; interpolated in between. Every line costs nodes, and only lines searched to the same depth
/// are compared: below about 60 nodes per line there would be nothing to choose from.
const LEVELS: &[(f64, f64, f64, f64)] = &[
    (600.0, 1_530.0, 185.0, 12.0),
    (900.0, 1_570.0, 162.0, 11.0),
    (1200.0, 1_680.0, 116.0, 9.0),
    (1500.0, 1_980.0, 70.5, 7.0),
    (1800.0, 2_670.0, 47.6, 6.0),
    (2100.0, 4_000.0, 34.1, 5.0),
    (2400.0, 7_440.0, 20.5, 5.0),
    (2600.0, 12_300.0, 12.6, 5.0),
];

impl Handicap {
    /// The handicap of a rating, clamped to [`MIN_ELO`] and [`MAX_ELO`].
    pub fn from_elo(elo: u32) -> Handicap {
        let elo = f64::from(elo.clamp(MIN_ELO, MAX_ELO));
        let upper = LEVELS.iter().position(|point| point.0 >= elo).unwrap_or(LEVELS.len() - 1).max(1);
        let (low, high) = (LEVELS[upper - 1], LEVELS[upper]);
        let share = (elo - low.0) / (high.0 - low.0);
        let mix = |a: f64, b: f64| (a.ln() + (b.ln() - a.ln()) * share).exp();
        Handicap {
            nodes: mix(low.1, high.1).round() as u64,
            noise: mix(low.2, high.2),
            multipv: mix(low.3, high.3).round() as usize,
        }
    }
}

/// An agent that can be reconfigured between moves, as UCI requires.
pub trait Player: Agent<ChessGame> {
    /// Changes the settings of the search and the strength. If there is no memory for the table, both stay as they were.
    fn configure(&mut self, settings: Settings, elo: Option<u32>, seed: u64) -> Result<(), TableTooLarge>;

    /// Searches at full strength and within the given limits only, for callers that need more than a move.
    fn search(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<SearchResult, AgentError>;
}

/// The strong search over one evaluation.
pub struct EnginePlayer<E> {
    engine: Engine<E>,
    settings: Settings,
    own_limits: OwnLimits,
    handicap: Option<Handicap>,
    own_seed: u64,
    seed: u64,
}

impl<E: Evaluate> EnginePlayer<E> {
    /// A player at full strength.
    ///
    /// # Panics
    ///
    /// If there is no memory for the transposition table, as [`Engine::new`] does.
    pub fn new(evaluation: E, settings: Settings, own_limits: OwnLimits) -> EnginePlayer<E> {
        EnginePlayer::try_new(evaluation, settings, own_limits).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A player at full strength, if there is memory for its table.
    pub fn try_new(
        evaluation: E,
        settings: Settings,
        own_limits: OwnLimits,
    ) -> Result<EnginePlayer<E>, TableTooLarge> {
        Ok(EnginePlayer {
            engine: Engine::try_new(evaluation, settings.clone())?,
            settings,
            own_limits,
            handicap: None,
            own_seed: 0,
            seed: 0,
        })
    }

    fn set_up(&mut self, settings: Settings, elo: Option<u32>, seed: u64) -> Result<(), TableTooLarge> {
        let handicap = elo.map(Handicap::from_elo);
        let multipv = handicap.map_or(0, |handicap| handicap.multipv).max(settings.multipv);
        self.engine.configure(Settings { multipv, ..settings.clone() })?;
        self.handicap = handicap;
        self.own_seed = seed;
        self.seed = seed;
        self.settings = settings;
        Ok(())
    }

    /// A limited search; adds noise to every line of the last depth and plays the best.
    fn choose_weakly(
        &mut self,
        handicap: Handicap,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        let mut limits = limits.clone();
        limits.nodes = lower_limit(limits.nodes, Some(handicap.nodes));
        let mut lines: Vec<SearchInfo<Move>> = Vec::new();
        let shown = self.settings.multipv.max(1) as u32;
        let found = self.engine.search(game, &limits, stop, &mut |info| {
            if info.rank == 1 {
                lines.clear();
            }
            lines.push(info.clone());
            if info.rank <= shown {
                report(info);
            }
        })?;
        let mut random = seed::random(seed::derive(
            seed::derive(self.seed, game.moves().len() as u64),
            tabia_core::Game::key(game),
        ));
        let best = f64::from(found.score.raw());
        let heard = lines
            .iter()
            .filter(|info| best - f64::from(info.score.raw()) < WORST_CONSIDERED)
            .filter_map(|info| {
                let value = f64::from(info.score.raw()) + handicap.noise * normal(&mut random);
                Some((value, *info.line.first()?))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0));
        Ok(heard.map_or(found.best, |(_, m)| m))
    }
}

/// A standard normal number (Irwin–Hall: the sum of twelve uniform ones, minus six).
fn normal(random: &mut seed::Random) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

impl<E: Evaluate> Agent<ChessGame> for EnginePlayer<E> {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        let limits = self.own_limits.apply(limits);
        match self.handicap {
            Some(handicap) => self.choose_weakly(handicap, game, &limits, stop, report),
            None => self.engine.search(game, &limits, stop, report).map(|found| found.best),
        }
    }

    fn new_game(&mut self) {
        self.engine.clear();
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed::derive(self.own_seed, seed);
    }
}

impl<E: Evaluate> Player for EnginePlayer<E> {
    fn configure(&mut self, settings: Settings, elo: Option<u32>, seed: u64) -> Result<(), TableTooLarge> {
        self.set_up(settings, elo, seed)
    }

    fn search(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<SearchResult, AgentError> {
        self.engine.search(game, limits, stop, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position as _;
    use tabia_eval::pst::Pst;

    #[test]
    fn more_elo_is_more_nodes_and_less_noise() {
        let ladder: Vec<Handicap> = (MIN_ELO..=MAX_ELO).step_by(50).map(Handicap::from_elo).collect();
        assert!(ladder.is_sorted_by(|a, b| a.nodes < b.nodes && a.noise > b.noise && a.multipv >= b.multipv));
        assert_eq!(Handicap::from_elo(0), Handicap::from_elo(MIN_ELO));
        assert_eq!(Handicap::from_elo(9_999), Handicap::from_elo(MAX_ELO));
    }

    #[test]
    fn every_handicap_leaves_something_to_choose_from() {
        let game = ChessGame::default();
        for elo in (MIN_ELO..=MAX_ELO).step_by(200) {
            let handicap = Handicap::from_elo(elo);
            let settings = Settings { hash_mb: 1, multipv: handicap.multipv, ..Settings::default() };
            let mut ranks = std::collections::BTreeSet::new();
            let mut engine = Engine::new(Pst, settings);
            let mut hear = |info: &SearchInfo<Move>| {
                ranks.insert(info.rank);
            };
            engine.search(&game, &Limits::nodes(handicap.nodes), &Stop::new(), &mut hear).unwrap();
            assert_eq!(ranks.len(), handicap.multipv.min(game.position().legal_moves().len()), "{elo}");
        }
    }

    #[test]
    fn a_weak_player_repeats_itself_for_a_seed_and_varies_between_seeds() {
        let game = ChessGame::default();
        let choose = |seed| {
            let settings = Settings { hash_mb: 1, ..Settings::default() };
            let mut player = EnginePlayer::new(Pst, settings.clone(), OwnLimits::default());
            player.configure(settings, Some(800), seed).unwrap();
            player.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).unwrap()
        };
        assert_eq!(choose(1), choose(1));
        let first: std::collections::BTreeSet<String> =
            (0..12).map(|seed| choose(seed).to_string()).collect();
        assert!(first.len() > 2, "{first:?}");
    }

    #[test]
    fn own_limits_and_asked_limits_both_hold() {
        let own = OwnLimits { depth: None, nodes: Some(500) };
        assert_eq!(own.apply(&Limits::nodes(900)).nodes, Some(500));
        assert_eq!(own.apply(&Limits::nodes(100)).nodes, Some(100));
        assert_eq!(own.apply(&Limits::depth(3)), Limits { nodes: Some(500), ..Limits::depth(3) });
    }
}
