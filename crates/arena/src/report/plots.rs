//! The plots of a report.

use super::axis::{Axis, DIGIT, STYLE, WIDTH};
use super::format::{count, cut, error, percent, plain, rating, signed};
use super::standings::{PLIES_A_BIN, Standings};
use super::{standings::SprtCurve, tables};
use tabia_draw::svg::{Class, Svg, TextAnchor};
use tabia_stats::Tally;

/// Radius of a dot.
const DOT: f64 = 4.5;
/// Space around a plot.
const MARGIN: f64 = 14.0;
/// Space below a plot for the numbers of its axis.
const AXIS: f64 = 26.0;
/// A row with a name above a bar.
const ROW: f64 = 42.0;
/// How many characters of a name fit beside its numbers.
const NAME: usize = 36;
/// Height of plots that are not made of rows.
const HEIGHT: f64 = 240.0;

/// Ratings with their errors as an SVG file that follows the reader's choice of light or dark.
pub fn rating_plot(standings: &Standings) -> String {
    let (svg, height) = drawn_ratings(standings);
    svg.standalone(WIDTH, height, &rating_name(standings), STYLE)
}

pub(super) fn inline_rating_plot(standings: &Standings) -> String {
    let (svg, height) = drawn_ratings(standings);
    svg.inline(WIDTH, height, &rating_name(standings))
}

fn rating_name(standings: &Standings) -> String {
    format!("{}: Elo with 95% errors", standings.title)
}

struct Spread {
    name: String,
    elo: f64,
    ends: Option<[f64; 2]>,
    error: Option<f64>,
    fixed: bool,
}

/// The players of the first connected group, or in a match the lead of the first player.
fn spreads(standings: &Standings) -> Vec<Spread> {
    if standings.is_match() {
        let estimate = standings.tally(0).estimate();
        let lead = estimate.elo.filter(|elo| elo.is_finite()).map(|elo| Spread {
            name: format!("{} over {}", standings.name(0), standings.name(1)),
            elo,
            ends: estimate.elo_interval_95,
            error: estimate.elo_error_95,
            fixed: false,
        });
        return lead.into_iter().collect();
    }
    let rated = standings.ratings.players.iter().filter(|rating| rating.group == 0);
    rated
        .filter_map(|rating| {
            let (elo, error) = (rating.elo?, rating.elo_error_95?);
            Some(Spread {
                name: standings.name(rating.player).to_owned(),
                elo,
                ends: Some([elo - error, elo + error]),
                error: (!rating.anchored).then_some(error),
                fixed: rating.anchored,
            })
        })
        .collect()
}

fn drawn_ratings(standings: &Standings) -> (Svg, f64) {
    let spreads = spreads(standings);
    let mut svg = Svg::default();
    let height = MARGIN + ROW * spreads.len().max(1) as f64 + AXIS;
    let bottom = height - AXIS;
    let ends = spreads.iter().flat_map(|spread| spread.ends.into_iter().flatten().chain([spread.elo]));
    let finite = ends.filter(|end| end.is_finite());
    let about_zero = standings.is_match().then_some(0.0);
    let (low, high) = finite
        .chain(about_zero)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    if spreads.is_empty() {
        svg.text(
            [WIDTH / 2.0, MARGIN + ROW / 2.0],
            TextAnchor::Middle,
            "no finite rating yet",
            Class("pale"),
        );
        return (svg, height);
    }
    let room = ((high - low) * 0.05).max(1.0);
    let scale = Axis::new([low - room, high + room], [MARGIN, WIDTH - MARGIN]);
    for tick in scale.ticks(6) {
        let x = scale.at(tick);
        svg.line([x, MARGIN], [x, bottom], Class(if tick == 0.0 { "zero" } else { "rule" }));
        svg.text([x, bottom + 17.0], TextAnchor::Middle, tick_text(tick, standings), Class("pale"));
    }
    for (row, spread) in spreads.iter().enumerate() {
        let top = MARGIN + ROW * row as f64;
        let y = top + 29.0;
        svg.text([MARGIN, top + 15.0], TextAnchor::Start, cut(&spread.name, NAME), Class(""));
        let error = spread.error.map_or(String::new(), |by| format!(" ± {}", error(Some(by))));
        let numbers = format!("{}{error}", rating(spread.elo, standings.is_anchored()));
        svg.text([WIDTH - MARGIN, top + 15.0], TextAnchor::End, numbers, Class("pale"));
        if let Some([from, to]) = spread.ends.map(|ends| ends.map(|end| scale.at(end)))
            && !spread.fixed
        {
            svg.line([from, y], [to, y], Class("spread"));
            for end in [from, to] {
                svg.line([end, y - 4.0], [end, y + 4.0], Class("spread"));
            }
        }
        svg.circle([scale.at(spread.elo), y], DOT, Class(if spread.fixed { "fixed" } else { "dot" }));
    }
    (svg, height)
}

fn tick_text(tick: f64, standings: &Standings) -> String {
    if standings.is_anchored() { plain(tick) } else { signed(tick, usize::from(tick.fract() != 0.0)) }
}

/// The log-likelihood ratio between its bounds.
pub(super) fn llr_curve(sprt: &SprtCurve) -> String {
    let report = &sprt.report;
    let mut svg = Svg::default();
    let (top, bottom, left, right) = (MARGIN, HEIGHT - AXIS - 16.0, 48.0, WIDTH - MARGIN);
    let llrs = sprt.curve.iter().map(|point| point.llr);
    let (low, high) =
        llrs.fold((report.lower, report.upper), |(low, high), llr| (low.min(llr), high.max(llr)));
    let room = (high - low) * 0.08;
    let scale = Axis::new([low - room, high + room], [bottom, top]);
    let pairs = Axis::new([0.0, report.pairs.max(1) as f64], [left, right]);
    for tick in scale.ticks(6) {
        let y = scale.at(tick);
        svg.line([left, y], [right, y], Class(if tick == 0.0 { "zero" } else { "rule" }));
        svg.text(
            [left - 8.0, y + 4.0],
            TextAnchor::End,
            signed(tick, usize::from(tick.fract() != 0.0)),
            Class("pale"),
        );
    }
    for tick in pairs.ticks(5).into_iter().filter(|tick| tick.fract() == 0.0) {
        let x = pairs.at(tick);
        let anchor = if x > right - 20.0 { TextAnchor::End } else { TextAnchor::Middle };
        svg.text([x, bottom + 18.0], anchor, count(tick as u64), Class("pale"));
    }
    for (bound, name, offset) in [
        (report.upper, format!("H1: Elo ≥ {}", plain(report.elo1)), -6.0),
        (report.lower, format!("H0: Elo ≤ {}", plain(report.elo0)), 16.0),
    ] {
        let y = scale.at(bound);
        svg.line([left, y], [right, y], Class("bound"));
        svg.text([left + 6.0, y + offset], TextAnchor::Start, name, Class("pale"));
    }
    let start = [[pairs.at(0.0), scale.at(0.0)]];
    let points = sprt.curve.iter().map(|point| [pairs.at(point.pairs as f64), scale.at(point.llr)]);
    svg.polyline(start.into_iter().chain(points), Class("curve"));
    svg.text([f64::midpoint(left, right), HEIGHT - 6.0], TextAnchor::Middle, "pairs of games", Class("pale"));
    svg.inline(WIDTH, HEIGHT, &format!("Log-likelihood ratio {:.2}: {}", report.llr, tables::verdict(report)))
}

/// Histogram of pairs of games by points of the first player.
pub(super) fn pair_histogram(standings: &Standings) -> String {
    let pairs = standings.tally(0).pentanomial;
    let bars = ["0", "½", "1", "1½", "2"].into_iter().zip(["loss", "loss", "draw", "win", "win"]).zip(pairs);
    let bars = bars.map(|((points, class), pairs)| (points.to_owned(), class, pairs)).collect::<Vec<_>>();
    let axis = format!("points of {} in a pair of games", cut(standings.name(0), NAME));
    histogram(&bars, "pairs", &axis)
}

/// Histogram of game lengths.
pub(super) fn length_histogram(standings: &Standings) -> String {
    let moves = PLIES_A_BIN / 2;
    let bars = standings.games.lengths.iter().enumerate().map(|(bin, &games)| {
        let from = bin as u64 * moves;
        (from.to_string(), "win", games)
    });
    histogram(&bars.collect::<Vec<_>>(), "games", &format!("moves, {moves} a bar"))
}

fn histogram(bars: &[(String, &str, u64)], things: &str, axis: &str) -> String {
    let mut svg = Svg::default();
    let (top, bottom) = (MARGIN + 14.0, HEIGHT - AXIS - 16.0);
    let highest = bars.iter().map(|(.., count)| *count).max().unwrap_or(0).max(1);
    let scale = Axis::new([0.0, highest as f64], [bottom, top]);
    let width = (WIDTH - 2.0 * MARGIN) / bars.len().max(1) as f64;
    // Labels of neighbouring bars must not overlap.
    let wide = |text: &str| DIGIT * (text.chars().count() + 1) as f64;
    let widest = bars.iter().map(|(label, ..)| wide(label)).fold(0.0, f64::max);
    let every = (widest / width).ceil().max(1.0) as usize;
    let counts_fit = wide(&count(highest)) <= width;
    for (index, (label, class, things_in)) in bars.iter().enumerate() {
        let (x, y) = (MARGIN + width * index as f64, scale.at(*things_in as f64));
        let middle = x + width / 2.0;
        let says = format!("{label}: {} {things}", count(*things_in));
        svg.titled_rect([x + width * 0.08, y, width * 0.84, bottom - y], &says, Class(class));
        if *things_in > 0 && counts_fit {
            svg.text([middle, y - 5.0], TextAnchor::Middle, count(*things_in), Class("pale"));
        }
        if index % every == 0 {
            svg.text([middle, bottom + 17.0], TextAnchor::Middle, label, Class("pale"));
        }
    }
    svg.line([MARGIN, bottom], [WIDTH - MARGIN, bottom], Class("zero"));
    svg.text([WIDTH / 2.0, HEIGHT - 6.0], TextAnchor::Middle, axis, Class("pale"));
    svg.inline(WIDTH, HEIGHT, &format!("{things} by {axis}"))
}

/// Wins, draws and losses of each player as a stacked bar.
pub(super) fn result_bars(standings: &Standings) -> String {
    let mut svg = Svg::default();
    let order = standings.ratings.players.iter().map(|rating| rating.player);
    let played: Vec<(usize, Tally)> = order
        .map(|player| (player, standings.tally(player)))
        .filter(|(_, tally)| tally.games() > 0)
        .collect();
    for (row, (player, tally)) in played.iter().enumerate() {
        let top = MARGIN + ROW * row as f64;
        svg.text([MARGIN, top + 15.0], TextAnchor::Start, cut(standings.name(*player), NAME), Class(""));
        svg.text([WIDTH - MARGIN, top + 15.0], TextAnchor::End, percent(tally.point_share()), Class("pale"));
        let scale = Axis::new([0.0, tally.games() as f64], [MARGIN, WIDTH - MARGIN]);
        let mut before = 0;
        for (class, what, games) in
            [("win", "won", tally.wins), ("draw", "drawn", tally.draws), ("loss", "lost", tally.losses)]
        {
            let [from, to] = [before, before + games].map(|games| scale.at(games as f64));
            before += games;
            if games > 0 {
                svg.titled_rect(
                    [from, top + 21.0, to - from, 13.0],
                    &format!("{what}: {}", count(games)),
                    Class(class),
                );
            }
        }
    }
    let height = MARGIN + ROW * played.len().max(1) as f64 + 4.0;
    svg.inline(WIDTH, height, "Games won, drawn and lost")
}
