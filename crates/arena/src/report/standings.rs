//! The data of a report.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::Color;
use tabia_core::Outcome;

use tabia_stats::ratings::{self, Anchor, EncounterScore, Ratings};
use tabia_stats::{CurvePoint, Sprt, SprtReport, StatsError, Tally};

/// The state of a tournament. Players are numbered by their index in [`Standings::players`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// Title of the report.
    pub title: String,
    /// Players; a match of two is from the first one's view.
    pub players: Vec<Player>,
    /// Results of every pairing, each from the view of its first player.
    pub pairings: Vec<EncounterScore>,
    /// Ratings fitted to all results.
    pub ratings: Ratings,
    /// The SPRT of the first player against the second, if there is one.
    pub sprt: Option<SprtCurve>,
    /// Endings and lengths of games.
    pub games: GameCounts,
    /// Settings as names and values: time control, book, machine.
    pub settings: Vec<(String, String)>,
    /// White's results by opening; may be empty.
    pub openings: Vec<OpeningScore>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Player {
    pub name: String,
    /// Agent spec and time control; may be empty.
    pub detail: String,
    /// Games lost by faults.
    pub faults: Faults,
}

impl Player {
    /// A player without faults.
    pub fn named(name: impl Into<String>) -> Player {
        Player { name: name.into(), ..Player::default() }
    }
}

/// Games that one player lost by faults.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    /// By an illegal move.
    pub illegal_moves: u64,
    pub time_losses: u64,
    /// By a crash, a hang or a protocol error.
    pub crashes: u64,
}

impl Faults {
    /// Games lost by faults of any kind.
    pub const fn total(&self) -> u64 {
        self.illegal_moves + self.time_losses + self.crashes
    }
}

/// An SPRT and its LLR curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SprtCurve {
    pub report: SprtReport,
    /// LLR after each pair.
    pub curve: Vec<CurvePoint>,
}

impl From<&Sprt> for SprtCurve {
    fn from(sprt: &Sprt) -> SprtCurve {
        SprtCurve { report: sprt.report(), curve: sprt.curve() }
    }
}

/// White's results in an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningScore {
    pub name: String,
    /// Games White lost, drew and won.
    pub white: [u64; 3],
}

/// Bin width of the histogram of game lengths, in plies.
pub(super) const PLIES_A_BIN: u64 = 20;

/// Endings and lengths of all games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameCounts {
    /// Games Black won, drawn games, games White won.
    pub white: [u64; 3],
    /// The same for each way a game ended.
    pub endings: BTreeMap<String, [u64; 3]>,
    /// Plies of all games together.
    pub plies: u64,
    /// Plies of the shortest and of the longest game.
    pub shortest_and_longest: Option<[u64; 2]>,
    /// Games of 0 to 19 plies, of 20 to 39, and so on.
    pub lengths: Vec<u64>,
}

impl GameCounts {
    pub fn add(&mut self, outcome: Outcome, plies: usize) {
        let result = (outcome.points(Color::White) * 2.0) as usize;
        self.white[result] += 1;
        self.endings.entry(outcome.reason.to_string()).or_default()[result] += 1;
        let plies = plies as u64;
        self.plies += plies;
        let [shortest, longest] = self.shortest_and_longest.unwrap_or([plies; 2]);
        self.shortest_and_longest = Some([shortest.min(plies), longest.max(plies)]);
        let bin = (plies / PLIES_A_BIN) as usize;
        if self.lengths.len() <= bin {
            self.lengths.resize(bin + 1, 0);
        }
        self.lengths[bin] += 1;
    }

    pub fn games(&self) -> u64 {
        self.white.iter().sum()
    }

    /// Mean number of plies.
    pub fn mean_plies(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.plies as f64 / self.games() as f64)
    }
}

impl Standings {
    /// Standings of players and results, with fitted ratings; the other fields are empty.
    pub fn new(
        title: impl Into<String>,
        players: Vec<Player>,
        pairings: Vec<EncounterScore>,
        anchors: &[Anchor],
    ) -> Result<Standings, StatsError> {
        let ratings = ratings::fit(players.len(), &pairings, anchors)?;
        Ok(Standings {
            title: title.into(),
            players,
            pairings,
            ratings,
            sprt: None,
            games: GameCounts::default(),
            settings: Vec::new(),
            openings: Vec::new(),
        })
    }

    /// All results of one player, from that player's view.
    pub fn tally(&self, player: usize) -> Tally {
        self.pairings.iter().map(|score| score.tally_of(player)).sum()
    }

    /// Results of one player against another, from the view of the one.
    pub fn between(&self, player: usize, opponent: usize) -> Tally {
        let met = |score: &&EncounterScore| [score.first, score.second].contains(&opponent);
        self.pairings.iter().filter(met).map(|score| score.tally_of(player)).sum()
    }

    pub(super) fn name(&self, player: usize) -> &str {
        &self.players[player].name
    }

    /// Whether ratings are absolute, given by anchors, and not relative to a mean or an opponent.
    pub(super) fn is_anchored(&self) -> bool {
        !self.is_match() && self.ratings.players.iter().any(|rating| rating.anchored)
    }

    pub(super) fn is_match(&self) -> bool {
        self.players.len() == 2
    }
}
