//! Connected components of the results, and where points went one way only.

use super::{Anchor, EncounterScore};

/// The components of the results.
pub(super) struct Links {
    group: Vec<usize>,
    groups: usize,
    /// Whether the first group has anchors.
    anchored: bool,
    rated: Vec<bool>,
    /// Virtual drawn games: two players, and how many.
    imagined: Vec<(usize, usize, f64)>,
}

impl Links {
    pub(super) fn of(players: usize, scores: &[EncounterScore], anchors: &[Anchor]) -> Links {
        let mut met = Reach::new(players);
        let mut above = Reach::new(players);
        for anchor in anchors {
            for other in anchors {
                met.link(anchor.player, other.player);
                above.link(anchor.player, other.player);
            }
        }
        for score in scores.iter().filter(|score| score.games() > 0) {
            let (first, second, points) = (score.first, score.second, score.tally().points());
            met.link(first, second);
            met.link(second, first);
            if points > 0.0 {
                above.link(first, second);
            }
            if points < score.games() as f64 {
                above.link(second, first);
            }
        }
        met.close();
        above.close();
        let imagined = virtual_games_of(scores, &above);
        let (group, groups) = groups(players, anchors, &met);
        let rated =
            (0..players).map(|player| (0..players).any(|other| other != player && met.is(player, other)));
        Links { group, groups, anchored: !anchors.is_empty(), rated: rated.collect(), imagined }
    }

    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    pub(super) fn group(&self, player: usize) -> usize {
        self.group[player]
    }

    /// Whether a group has anchors: the first, if there are any.
    pub(super) fn is_anchored(&self, group: usize) -> bool {
        self.anchored && group == 0
    }

    /// Whether a player is connected with another one.
    pub(super) fn is_rated(&self, player: usize) -> bool {
        self.rated[player]
    }

    pub(super) fn members(&self, group: usize) -> impl Iterator<Item = usize> {
        self.group.iter().enumerate().filter(move |(_, of)| **of == group).map(|(player, _)| player)
    }

    pub(super) fn virtual_games(&self) -> &[(usize, usize, f64)] {
        &self.imagined
    }

    pub(super) fn virtual_games_of(&self, player: usize) -> f64 {
        self.imagined
            .iter()
            .filter(|(one, other, _)| *one == player || *other == player)
            .map(|(.., games)| games)
            .sum()
    }
}

/// Orders groups: the anchored first, then by size, then by first member.
fn groups(players: usize, anchors: &[Anchor], met: &Reach) -> (Vec<usize>, usize) {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for player in 0..players {
        match found.iter_mut().find(|group| met.is(group[0], player)) {
            Some(group) => group.push(player),
            None => found.push(vec![player]),
        }
    }
    let has_anchor = |group: &[usize]| anchors.iter().any(|anchor| group.contains(&anchor.player));
    found.sort_by_key(|group| (!has_anchor(group), std::cmp::Reverse(group.len()), group[0]));
    let mut of = vec![0; players];
    for (number, group) in found.iter().enumerate() {
        for &player in group {
            of[player] = number;
        }
    }
    (of, found.len())
}

/// One virtual draw between any two sides whose points all went one way, spread over their games.
fn virtual_games_of(scores: &[EncounterScore], above: &Reach) -> Vec<(usize, usize, f64)> {
    let one_way = |score: &&EncounterScore| {
        let (first, second) = (score.first, score.second);
        score.games() > 0 && !(above.is(first, second) && above.is(second, first))
    };
    let same = |a: usize, b: usize| a == b || (above.is(a, b) && above.is(b, a));
    let same_sides = |a: &EncounterScore, b: &EncounterScore| {
        (same(a.first, b.first) && same(a.second, b.second))
            || (same(a.first, b.second) && same(a.second, b.first))
    };
    let one_way: Vec<&EncounterScore> = scores.iter().filter(one_way).collect();
    one_way
        .iter()
        .map(|score| {
            let games: u64 =
                one_way.iter().filter(|other| same_sides(score, other)).map(|other| other.games()).sum();
            (score.first, score.second, score.games() as f64 / games as f64)
        })
        .collect()
}

/// Reachability between players.
struct Reach {
    players: usize,
    from: Vec<bool>,
}

impl Reach {
    fn new(players: usize) -> Reach {
        Reach { players, from: vec![false; players * players] }
    }

    fn link(&mut self, from: usize, to: usize) {
        self.from[from * self.players + to] = true;
    }

    fn is(&self, from: usize, to: usize) -> bool {
        self.from[from * self.players + to]
    }

    /// Warshall's transitive closure.
    fn close(&mut self) {
        for through in 0..self.players {
            for from in 0..self.players {
                if self.is(from, through) {
                    for to in 0..self.players {
                        if self.is(through, to) {
                            self.link(from, to);
                        }
                    }
                }
            }
        }
    }
}
