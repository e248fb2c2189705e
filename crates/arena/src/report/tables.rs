//! The tables of a report.

use super::format::{
    self, UNKNOWN, count, decimal, elo_with_error, error, likelihood, percent, plain, points,
};
use super::standings::Standings;
use super::table::{Cell, Table};
use tabia_stats::ratings::Rating;
use tabia_stats::{Basis, EloModel, SprtReport, Tally, Verdict};

/// All tables that have something in them, the most asked for first.
pub fn tables(standings: &Standings) -> Vec<Table> {
    let first = if standings.is_match() { match_result(standings) } else { ratings(standings) };
    let all = [
        Some(first),
        standings.sprt.as_ref().map(|sprt| test(&sprt.report)),
        (!standings.is_match()).then(|| crosstable(standings)),
        Some(endings(standings)),
        Some(faults(standings)),
        Some(openings(standings)),
        Some(settings(standings)),
    ];
    all.into_iter().flatten().filter(|table| !table.rows.is_empty()).collect()
}

/// A match of two players, from the view of the first.
pub(super) fn match_result(standings: &Standings) -> Table {
    let tally = standings.tally(0);
    let summary = tally.summary();
    let estimate = summary.estimate;
    let title = format!("{} against {}", standings.name(0), standings.name(1));
    let mut table = Table::new(title, &["", ">"]);
    let pairs = tally.pentanomial.map(|pairs| pairs.to_string()).join(" ");
    let lines = [
        ("Elo", elo_with_error(estimate.elo, estimate.elo_error_95)),
        ("normalised Elo", elo_with_error(estimate.nelo, estimate.nelo_error_95)),
        ("likelihood of superiority", likelihood(estimate.los)),
        ("points", format!("{} of {}", points(tally.points()), tally.games())),
        ("share of points", percent(summary.point_share)),
        ("won, drawn, lost", results(tally)),
        ("pairs by points 0 ½ 1 1½ 2", pairs),
        ("drawn games", percent(summary.draw_ratio)),
        ("pairs won to lost", summary.pairs_ratio.map_or(UNKNOWN.into(), ratio)),
    ];
    for (name, value) in lines {
        table.row([name.into(), value.into()]);
    }
    if estimate.basis == Basis::Trinomial && tally.games() > 0 {
        table.notes.push("Games did not come in pairs: errors are taken over single games.".into());
    }
    table
}

fn ratio(value: f64) -> String {
    if value.is_infinite() { "∞".into() } else { format!("{value:.2}") }
}

/// The state of an SPRT.
pub(super) fn test(report: &SprtReport) -> Table {
    let mut table = Table::new("Sequential test", &["", ">"]);
    let model = match report.model {
        EloModel::Logistic => "logistic Elo",
        EloModel::Normalized => "normalised Elo",
    };
    for (name, value) in [
        ("verdict", verdict(report).to_owned()),
        (
            "log-likelihood ratio",
            format!("{} in ({}, {})", decimal(report.llr), decimal(report.lower), decimal(report.upper)),
        ),
        ("hypotheses", format!("{} and {} {model}", plain(report.elo0), plain(report.elo1))),
        ("error rates", format!("{} and {}", report.alpha, report.beta)),
        ("pairs", count(report.pairs)),
    ] {
        table.row([name.into(), value.into()]);
    }
    table
}

pub(super) const fn verdict(report: &SprtReport) -> &'static str {
    match report.verdict {
        Verdict::Continue => "not decided",
        Verdict::H0 => "failed (H0)",
        Verdict::H1 => "passed (H1)",
    }
}

pub(super) fn ratings(standings: &Standings) -> Table {
    let columns = ["#>", "player", "Elo>", "± 95%>", "above next>", "games>", "points>", "share>", "drawn>"];
    let mut table = Table::new("Ratings", &columns);
    for (place, rating) in standings.ratings.players.iter().enumerate() {
        let tally = standings.tally(rating.player);
        table.row([
            (place + 1).to_string().into(),
            marked(standings.name(rating.player), rating).into(),
            rating.elo.map_or(UNKNOWN.into(), |elo| format::rating(elo, standings.is_anchored())).into(),
            if rating.anchored { "fixed".into() } else { error(rating.elo_error_95).into() },
            rating.los_next.map_or(String::new(), |los| likelihood(Some(los))).into(),
            tally.games().to_string().into(),
            points(tally.points()).into(),
            Cell { text: percent(tally.point_share()), share: tally.point_share() },
            percent(tally.draw_ratio()).into(),
        ]);
    }
    table.notes = rating_notes(standings);
    table
}

fn marked(name: &str, rating: &Rating) -> String {
    if rating.virtual_games > 0.0 { format!("{name} *") } else { name.to_owned() }
}

fn rating_notes(standings: &Standings) -> Vec<String> {
    let ratings = &standings.ratings;
    let relative =
        if standings.is_anchored() { "the fixed players" } else { "the mean of all players, which is 0" };
    let first_move = elo_with_error(Some(ratings.first_move_elo), ratings.first_move_error_95);
    let mut notes =
        vec![format!("Errors are relative to {relative}. The first move is worth {first_move} Elo.")];
    if ratings.players.iter().any(|rating| rating.virtual_games > 0.0) {
        notes.push(
            "* Points between some players all went one way; an imagined draw keeps their ratings finite."
                .into(),
        );
    }
    if ratings.groups > 1 {
        notes.push(format!(
            "The players form {} groups that never met: ratings compare only within a group.",
            ratings.groups
        ));
    }
    notes
}

/// `+12 =30 −8`.
fn results(tally: Tally) -> String {
    format!("+{} ={} −{}", tally.wins, tally.draws, tally.losses)
}

/// Crosstable, in the order of ratings, from the view of the player on the left.
pub(super) fn crosstable(standings: &Standings) -> Table {
    let order: Vec<usize> = standings.ratings.players.iter().map(|rating| rating.player).collect();
    let numbers: Vec<String> = (1..=order.len()).map(|place| format!("{place}>")).collect();
    let columns: Vec<&str> = ["#>", "player"].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    let mut table = Table::new("Everybody against everybody", &columns);
    for (place, &player) in order.iter().enumerate() {
        let scores = order.iter().map(|&opponent| {
            let tally = standings.between(player, opponent);
            match tally.point_share() {
                _ if player == opponent => Cell::from("·"),
                None => Cell::from(""),
                share => Cell { text: results(tally), share },
            }
        });
        let head = [Cell::from((place + 1).to_string()), Cell::from(standings.name(player))];
        table.row(head.into_iter().chain(scores));
    }
    table.notes.push("Won, drawn and lost by the player on the left.".into());
    table
}

pub(super) fn endings(standings: &Standings) -> Table {
    let games = &standings.games;
    let mut table = Table::new("How games ended", &["", "games>", "1–0>", "½–½>", "0–1>"]);
    let mut endings: Vec<(&String, &[u64; 3])> = games.endings.iter().collect();
    endings.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.iter().sum::<u64>()), *name));
    let all = "all".to_owned();
    for (name, [black, drawn, white]) in
        endings.into_iter().chain((games.games() > 0).then_some((&all, &games.white)))
    {
        let cells =
            [black + drawn + white, *white, *drawn, *black].map(|games| Cell::from(games.to_string()));
        table.row([Cell::from(name.as_str())].into_iter().chain(cells));
    }
    if let (Some(mean), Some([shortest, longest])) = (games.mean_plies(), games.shortest_and_longest) {
        table.notes.push(format!(
            "A game took {:.1} moves on average, the shortest {}, the longest {}.",
            mean / 2.0,
            shortest.div_ceil(2),
            longest.div_ceil(2)
        ));
    }
    table
}

/// Faults by player; empty if there are none.
pub(super) fn faults(standings: &Standings) -> Table {
    let mut table = Table::new("Faults", &["player", "illegal moves>", "time losses>", "crashes>"]);
    for player in standings.players.iter().filter(|player| player.faults.total() > 0) {
        let faults = player.faults;
        let counts = [faults.illegal_moves, faults.time_losses, faults.crashes];
        table.row(
            [Cell::from(player.name.as_str())]
                .into_iter()
                .chain(counts.map(|games| games.to_string().into())),
        );
    }
    table
}

/// White's results by opening.
pub(super) fn openings(standings: &Standings) -> Table {
    let mut table = Table::new("Openings", &["opening", "games>", "White's share>"]);
    for opening in &standings.openings {
        let [losses, draws, wins] = opening.white;
        let white = Tally { wins, draws, losses, ..Tally::default() };
        let share = Cell { text: percent(white.point_share()), share: white.point_share() };
        table.row([opening.name.as_str().into(), white.games().to_string().into(), share]);
    }
    table
}

/// Settings, and the specs of the players.
pub(super) fn settings(standings: &Standings) -> Table {
    let mut table = Table::new("Settings", &["", ""]);
    for (name, value) in &standings.settings {
        table.row([name.as_str().into(), value.as_str().into()]);
    }
    for player in standings.players.iter().filter(|player| !player.detail.is_empty()) {
        table.row([player.name.as_str().into(), player.detail.as_str().into()]);
    }
    table
}
