//! Joint ratings: closed forms where there are any, and tournaments whose true ratings are known.

use rand::Rng;
use tabia_core::seed;
use tabia_stats::ratings::{self, Advantage};
use tabia_stats::{
    Anchor, EncounterScore, GameResult, PairResult, StatsError, elo_from_score, expected_score,
};

use GameResult::{Draw, Loss, Win};

fn games(first: usize, second: usize, as_white: [u64; 3], as_black: [u64; 3]) -> EncounterScore {
    EncounterScore { as_white, as_black, ..EncounterScore::new(first, second) }
}

fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected} ± {within}");
}

/// A game in which White's expected share is `share`: three draws in ten between equals, fewer between others.
fn drawn_game(share: f64, random: &mut impl Rng) -> GameResult {
    let draw = 0.6 * 2.0 * share * (1.0 - share);
    match random.random::<f64>() {
        at if at < share - draw / 2.0 => Win,
        at if at < share + draw / 2.0 => Draw,
        _ => Loss,
    }
}

/// A round robin in pairs between players of these ratings.
fn tournament(elo: &[f64], advantage: f64, pairs: usize, random: &mut impl Rng) -> Vec<EncounterScore> {
    let mut scores = Vec::new();
    for first in 0..elo.len() {
        for second in first + 1..elo.len() {
            let mut score = EncounterScore::new(first, second);
            let lead = elo[first] - elo[second];
            for _ in 0..pairs {
                let as_white = drawn_game(expected_score(lead + advantage), random);
                let as_black = drawn_game(expected_score(advantage - lead), random).flipped();
                score.add_pair(PairResult::new(as_white, as_black));
            }
            scores.push(score);
        }
    }
    scores
}

#[test]
fn two_players_have_a_closed_form() {
    // 70% with White and 45% with Black: lead + advantage and lead - advantage are the Elo of these shares.
    let scores = [games(0, 1, [2000, 2000, 6000], [4000, 3000, 3000])];
    let fitted = ratings::fit(2, &scores, &[]).unwrap();
    let [white, black] = [0.70, 0.45].map(elo_from_score);
    let lead = fitted.of(0).unwrap().elo.unwrap() - fitted.of(1).unwrap().elo.unwrap();
    // One imagined game among twenty thousand pulls the advantage, and with it a little the lead, towards zero.
    near(lead, f64::midpoint(white, black), 0.01);
    near(fitted.first_move_elo, (white - black) / 2.0, 0.02);
}

#[test]
fn a_match_has_the_elo_and_the_error_that_its_tally_reports() {
    let mut random = seed::random(3);
    let scores = tournament(&[15.0, -15.0], 60.0, 2000, &mut random);
    let tally = scores[0].tally().estimate();
    let anchor = Anchor { player: 1, elo: 2500.0 };
    let fitted = ratings::fit_with(2, &scores, &[anchor], Advantage::Fixed(0.0)).unwrap();
    let first = fitted.of(0).unwrap();
    near(first.elo.unwrap() - 2500.0, tally.elo.unwrap(), 1e-6);
    near(first.elo_error_95.unwrap(), tally.elo_error_95.unwrap(), 0.01);
    near(first.los_next.unwrap(), tally.los.unwrap(), 1e-3);
    assert_eq!(fitted.of(1).unwrap().elo_error_95, Some(0.0));
}

/// The 95% intervals of many tournaments hold the truth 95 times in a hundred. Within a tournament of `n` players
/// that add to zero errors are nearly independent; three binomial deviations are allowed, and one part in a hundred for
/// what is left of dependence.
#[test]
fn known_ratings_are_recovered_within_their_errors() {
    let truth = [310.0, 180.0, 75.0, 20.0, 0.0, -90.0, -195.0, -300.0];
    let (mut held, mut asked, mut moves_held) = (0, 0, 0);
    let tournaments = 120;
    for number in 0..tournaments {
        let mut random = seed::random(seed::derive(11, number));
        let fitted = ratings::fit(8, &tournament(&truth, 35.0, 25, &mut random), &[]).unwrap();
        for rating in &fitted.players {
            asked += 1;
            held +=
                u64::from((rating.elo.unwrap() - truth[rating.player]).abs() < rating.elo_error_95.unwrap());
        }
        moves_held += u64::from((fitted.first_move_elo - 35.0).abs() < fitted.first_move_error_95.unwrap());
        assert_eq!(fitted.groups, 1);
    }
    let deviation = |trials: u64| (0.95 * 0.05 / trials as f64).sqrt();
    near(held as f64 / asked as f64, 0.95, 3.0 * deviation(asked) + 0.01);
    near(moves_held as f64 / tournaments as f64, 0.95, 3.0 * deviation(tournaments));
}

#[test]
fn draws_and_mirrored_pairs_make_errors_smaller() {
    let toss = games(0, 1, [500, 0, 500], [500, 0, 500]);
    let drawn = games(0, 1, [100, 800, 100], [100, 800, 100]);
    let mirrored = EncounterScore { pentanomial: [0, 0, 1000, 0, 0], ..toss };
    let error = |score| ratings::fit(2, &[score], &[]).unwrap().of(0).unwrap().elo_error_95.unwrap();
    near(error(drawn) / error(toss), 0.2f64.sqrt(), 0.001);
    assert!(error(mirrored) > 0.0 && error(mirrored) < 0.05 * error(toss));
}

#[test]
fn who_won_everything_is_held_by_imagined_draws_and_says_so() {
    let scores = [games(0, 1, [0, 0, 10], [0, 0, 10]), games(1, 2, [5, 0, 5], [5, 0, 5])];
    let fitted = ratings::fit_with(3, &scores, &[], Advantage::Fixed(0.0)).unwrap();
    let first = fitted.players[0];
    assert_eq!((first.player, first.virtual_games), (0, 1.0));
    near(first.elo.unwrap() - fitted.of(1).unwrap().elo.unwrap(), elo_from_score(20.5 / 21.0), 1e-6);
    near(fitted.of(1).unwrap().elo.unwrap(), fitted.of(2).unwrap().elo.unwrap(), 1e-6);
    near(fitted.of(2).unwrap().virtual_games, 0.0, 0.0);
}

#[test]
fn nothing_is_imagined_where_results_suffice() {
    // Everybody lost a point to somebody of the other side.
    let scores = [games(0, 1, [0, 0, 9], [0, 1, 8]), games(1, 2, [0, 1, 5], [0, 0, 6])];
    let fitted = ratings::fit(3, &scores, &[]).unwrap();
    assert!(fitted.players.iter().all(|rating| rating.virtual_games == 0.0));
}

#[test]
fn groups_that_never_met_are_apart() {
    let scores = [
        games(0, 1, [3, 4, 5], [5, 4, 4]),
        games(3, 4, [1, 0, 9], [4, 0, 6]),
        games(4, 5, [5, 1, 5], [5, 1, 5]),
    ];
    let fitted = ratings::fit(7, &scores, &[]).unwrap();
    assert_eq!(fitted.groups, 4);
    let order: Vec<usize> = fitted.players.iter().map(|rating| rating.player).collect();
    assert_eq!(order[0], 3, "the larger group first: {order:?}");
    assert_eq!(fitted.superiority(0, 3), None);
    let lonely = fitted.of(2).unwrap();
    assert_eq!((lonely.elo, lonely.elo_error_95, lonely.games), (None, None, 0));
    for members in [&[0usize, 1][..], &[3, 4, 5]] {
        near(members.iter().map(|&player| fitted.of(player).unwrap().elo.unwrap()).sum(), 0.0, 1e-6);
    }
    let last_of_group = fitted.players.iter().rfind(|rating| rating.group == 0).unwrap();
    assert_eq!(last_of_group.los_next, None);
}

#[test]
fn anchors_hold_their_ratings_and_connect_their_groups() {
    let scores = [games(0, 1, [30, 20, 50], [30, 20, 50]), games(2, 3, [50, 20, 30], [50, 20, 30])];
    let anchors = [Anchor { player: 1, elo: 2000.0 }, Anchor { player: 2, elo: 2200.0 }];
    let fitted = ratings::fit_with(4, &scores, &anchors, Advantage::Fixed(0.0)).unwrap();
    assert_eq!(fitted.groups, 1);
    near(fitted.of(0).unwrap().elo.unwrap(), 2000.0 + elo_from_score(0.6), 1e-6);
    near(fitted.of(3).unwrap().elo.unwrap(), 2200.0 + elo_from_score(0.6), 1e-6);
    assert_eq!(fitted.of(1).unwrap().elo, Some(2000.0));
    assert!(fitted.of(1).unwrap().anchored && !fitted.of(0).unwrap().anchored);
    assert!(fitted.superiority(3, 0).unwrap() > 0.999);
    assert_eq!(fitted.superiority(2, 1), Some(1.0));
}

#[test]
fn whoever_is_named_first_ratings_are_the_same() {
    let mut random = seed::random(5);
    let scores = tournament(&[120.0, 40.0, -60.0, -100.0], 30.0, 12, &mut random);
    let turned: Vec<EncounterScore> = scores
        .iter()
        .rev()
        .map(|score| {
            let reversed = |mut counts: [u64; 3]| {
                counts.reverse();
                counts
            };
            let mut pentanomial = score.pentanomial;
            pentanomial.reverse();
            EncounterScore {
                first: score.second,
                second: score.first,
                as_white: reversed(score.as_black),
                as_black: reversed(score.as_white),
                pentanomial,
            }
        })
        .collect();
    let [one, other] = [scores, turned].map(|scores| ratings::fit(4, &scores, &[]).unwrap());
    for (one, other) in one.players.iter().zip(&other.players) {
        assert_eq!((one.player, one.games), (other.player, other.games));
        near(one.elo.unwrap(), other.elo.unwrap(), 1e-6);
        near(one.elo_error_95.unwrap(), other.elo_error_95.unwrap(), 1e-6);
    }
}

#[test]
fn white_winning_every_game_leaves_finite_ratings() {
    let scores = [games(0, 1, [0, 0, 10], [10, 0, 0])];
    let fitted = ratings::fit(2, &scores, &[]).unwrap();
    near(fitted.of(0).unwrap().elo.unwrap(), 0.0, 1e-6);
    assert!(fitted.first_move_elo > 300.0 && fitted.first_move_elo.is_finite());
    assert!(fitted.first_move_error_95.unwrap().is_finite());
}

#[test]
fn impossible_questions_are_refused() {
    let score = games(0, 1, [0, 0, 1], [0, 0, 1]);
    assert_eq!(ratings::fit(1, &[score], &[]), Err(StatsError::UnknownPlayer { player: 1, players: 1 }));
    assert_eq!(ratings::fit(2, &[games(1, 1, [0, 0, 1], [0; 3])], &[]), Err(StatsError::AgainstItself(1)));
    let anchor = Anchor { player: 0, elo: 1.0 };
    assert_eq!(ratings::fit(2, &[score], &[anchor, anchor]), Err(StatsError::AnchoredTwice(0)));
    let nowhere = Anchor { player: 0, elo: f64::INFINITY };
    assert!(matches!(ratings::fit(2, &[score], &[nowhere]), Err(StatsError::AnchorRating { .. })));
    assert_eq!(ratings::fit(0, &[], &[]).unwrap().players, []);
}
