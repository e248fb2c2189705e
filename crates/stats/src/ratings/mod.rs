//! Ratings of many players, fitted jointly to all their results.
//!
//! **Model.** Elo's, which is Bradley and Terry's: a player with White who is `d` Elo stronger scores
//! `1 / (1 + 10^(−(d + a) / 400))`, where `a` is the advantage of the first move, the same for all players and fitted with
//! the ratings. A draw is half a win, as in Ordo. BayesElo's model has a separate draw parameter, which stretches the
//! scale: differences there depend on how drawish the players are. Here a difference is the Elo of the score, as a match
//! between the two would report it (after correction for colours).
//!
//! **Errors.** Draws and colour-swapped pairs vary less than coin tosses with the same mean. So the objective is a
//! quasi-likelihood: its Fisher information is divided by the dispersion, the observed variance over that of coin tosses.
//! One coin toss is added as a prior, so that a series of draws leaves some uncertainty. A draw probability of
//! `2κ e (1 − e)` at expected score `e` would make this exact.
//!
//! **Anchors.** Ratings have no absolute zero. With anchors, players of known rating, errors are relative to them, and an
//! anchor has none. Without, the mean of every group is zero and errors are relative to it. A *group* is a connected
//! component of the results, all anchors being connected; ratings of different groups are not comparable.
//!
//! **Perfect scores** have no finite rating. The exact condition (Ford, 1957) is that no set of players won every game
//! against all others. Where one did, one virtual drawn game is added between the two sides, spread over their games, and
//! reported in [`Rating::virtual_games`]. Otherwise ratings are plain maximum-likelihood estimates. The first-move
//! advantage always gets one virtual draw between equals, because there are events in which White always wins.

mod graph;
mod linear;
mod model;
mod score;

use serde::Serialize;

use super::elo::{ELO_PER_UNIT, Z_95, normal_cdf};
use super::error::StatsError;
use graph::Links;
use model::Model;
pub use score::EncounterScore;

/// A player of known rating.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Anchor {
    pub player: usize,
    pub elo: f64,
}

#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum Advantage {
    /// Fitted to the results.
    #[default]
    Fitted,
    /// Known, in Elo; 0 to ignore it.
    Fixed(f64),
}

/// The rating of one player.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    pub player: usize,
    /// `None` without games.
    pub elo: Option<f64>,
    /// 95% error, relative to the anchors or to the mean of the group; zero for an anchor.
    pub elo_error_95: Option<f64>,
    /// Probability of being stronger than the next player in the list; `None` for the last of a group.
    pub los_next: Option<f64>,
    pub games: u64,
    /// A point for a win, half for a draw.
    pub points: f64,
    /// Group of connected players; ratings are comparable within a group only.
    pub group: usize,
    /// Whether the rating is given, not fitted.
    pub anchored: bool,
    /// Virtual drawn games that keep the rating finite; zero where the results suffice.
    #[serde(rename = "imagined_games")]
    pub virtual_games: f64,
}

/// Ratings of all players of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// The anchored group first, then by size; within a group by rating.
    pub players: Vec<Rating>,
    /// Advantage of the first move, in Elo.
    pub first_move_elo: f64,
    /// Its 95% error; `None` where it was given.
    pub first_move_error_95: Option<f64>,
    /// Variance of results over that of coin tosses: below 1 with draws or unbalanced openings.
    pub dispersion: f64,
    /// Number of groups that are not comparable; ideally 1.
    pub groups: usize,
    /// Covariance of ratings in Elo², by player number.
    #[serde(skip)]
    covariance: Vec<Vec<f64>>,
}

/// Fits ratings of players numbered from 0, and the first-move advantage.
///
/// ```
/// use tabia_stats::GameResult::{Draw, Win};
/// use tabia_stats::{EncounterScore, PairResult, ratings};
///
/// let mut score = EncounterScore::new(0, 1);
/// for _ in 0..10 {
///     score.add_pair(PairResult::new(Win, Draw));
/// }
/// let fitted = ratings::fit(2, &[score], &[])?;
/// assert_eq!(fitted.players[0].player, 0);
/// assert!(fitted.players[0].elo > fitted.players[1].elo);
/// # Ok::<(), tabia_stats::StatsError>(())
/// ```
pub fn fit(players: usize, scores: &[EncounterScore], anchors: &[Anchor]) -> Result<Ratings, StatsError> {
    fit_with(players, scores, anchors, Advantage::Fitted)
}

/// Fits ratings with a given or fitted first-move advantage.
pub fn fit_with(
    players: usize,
    scores: &[EncounterScore],
    anchors: &[Anchor],
    advantage: Advantage,
) -> Result<Ratings, StatsError> {
    check(players, scores, anchors)?;
    let links = Links::of(players, scores, anchors);
    let mut model = Model::new(players, scores, anchors, advantage, &links);
    model.maximise();
    let dispersion = model.dispersion(scores);
    let (units, first_move, covariance) = model.centred(&links);
    let scale = ELO_PER_UNIT * ELO_PER_UNIT * dispersion;
    let covariance: Vec<Vec<f64>> =
        covariance.into_iter().map(|row| row.into_iter().map(|value| value * scale).collect()).collect();
    let error = |variance: f64| Z_95 * variance.max(0.0).sqrt();

    let mut rows: Vec<Rating> = (0..players)
        .map(|player| {
            let of = |score: &&EncounterScore| score.first == player || score.second == player;
            let played = scores.iter().filter(of);
            let anchored = anchors.iter().any(|anchor| anchor.player == player);
            let known = anchored || links.is_rated(player);
            Rating {
                player,
                elo: known.then(|| units[player] * ELO_PER_UNIT),
                elo_error_95: known.then(|| error(covariance[player][player])),
                los_next: None,
                games: played.clone().map(EncounterScore::games).sum(),
                points: played.map(|score| score.tally_of(player).points()).sum(),
                group: links.group(player),
                anchored,
                virtual_games: links.virtual_games_of(player),
            }
        })
        .collect();
    rows.sort_by(|a, b| {
        let strength = |rating: &Rating| rating.elo.unwrap_or(f64::NEG_INFINITY);
        a.group.cmp(&b.group).then(strength(b).total_cmp(&strength(a))).then(a.player.cmp(&b.player))
    });
    let mut ratings = Ratings {
        players: rows,
        first_move_elo: first_move * ELO_PER_UNIT,
        first_move_error_95: (advantage == Advantage::Fitted).then(|| error(covariance[players][players])),
        dispersion,
        groups: links.groups(),
        covariance,
    };
    for index in 1..players {
        let [upper, lower] = [index - 1, index].map(|index| ratings.players[index].player);
        ratings.players[index - 1].los_next = ratings.superiority(upper, lower);
    }
    Ok(ratings)
}

impl Ratings {
    /// The rating of one player, by number.
    pub fn of(&self, player: usize) -> Option<&Rating> {
        self.players.iter().find(|rating| rating.player == player)
    }

    /// Probability that `one` is stronger than `other`; `None` if they are not connected.
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        let (mine, theirs) = (self.of(one)?, self.of(other)?);
        let lead = mine.elo? - theirs.elo?;
        let cov = &self.covariance;
        let variance = cov[one][one] + cov[other][other] - 2.0 * cov[one][other];
        let certain = if lead == 0.0 { 0.5 } else { f64::from(lead > 0.0) };
        (mine.group == theirs.group)
            .then(|| if variance > 0.0 { normal_cdf(lead / variance.sqrt()) } else { certain })
    }
}

fn check(players: usize, scores: &[EncounterScore], anchors: &[Anchor]) -> Result<(), StatsError> {
    let named = scores.iter().flat_map(|score| [score.first, score.second]);
    for player in named.chain(anchors.iter().map(|anchor| anchor.player)) {
        if player >= players {
            return Err(StatsError::UnknownPlayer { player, players });
        }
    }
    if let Some(score) = scores.iter().find(|score| score.first == score.second) {
        return Err(StatsError::AgainstItself(score.first));
    }
    for (index, anchor) in anchors.iter().enumerate() {
        if !anchor.elo.is_finite() {
            return Err(StatsError::AnchorRating { player: anchor.player, elo: anchor.elo });
        }
        if anchors[..index].iter().any(|other| other.player == anchor.player) {
            return Err(StatsError::AnchoredTwice(anchor.player));
        }
    }
    Ok(())
}
