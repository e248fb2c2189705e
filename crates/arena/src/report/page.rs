//! The report as one self-contained HTML document.

use std::fmt::{self, Write};

use super::format::{self, Breakable, count, elo_with_error, likelihood, points};
use super::standings::Standings;
use super::table::{Align, Cell, Table};
use super::{axis, plots, tables};
use tabia_draw::Escaped;

/// A tournament as one HTML document: no script, nothing fetched from elsewhere, names escaped.
pub fn page(standings: &Standings) -> String {
    let mut page = Page::default();
    page.add(format_args!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{}{}</style>\n</head>\n<body>\n",
        Escaped(&standings.title),
        axis::STYLE,
        include_str!("page.css"),
    ));
    page.add(format_args!("<header>\n<h1>{}</h1>\n", Escaped(&standings.title)));
    page.add(format_args!("<p class=\"lead\">{}</p>\n", Escaped(&lead(standings))));
    page.figures(&figures(standings));
    page.add(format_args!("</header>\n<main>\n"));
    if standings.is_match() {
        page.of_match(standings);
    } else {
        page.of_tournament(standings);
    }
    page.columns(|page| {
        if standings.games.games() > 0 {
            page.section("Length of games", |page| page.plot(&plots::length_histogram(standings)));
        }
        page.table(&tables::endings(standings), "wide");
        page.table(&tables::openings(standings), "");
        page.faults(standings);
    });
    page.table(&tables::settings(standings), "settings");
    page.add(format_args!("</main>\n</body>\n</html>\n"));
    page.text
}

fn lead(standings: &Standings) -> String {
    let games: u64 = standings.pairings.iter().map(tabia_stats::EncounterScore::games).sum();
    let players = match standings.players.len() {
        2 => format!("{} against {}", standings.name(0), standings.name(1)),
        players => format!("{players} players"),
    };
    format!("{players}, {} games", count(games))
}

/// The key figures: a value and its label.
fn figures(standings: &Standings) -> Vec<(String, String)> {
    let mut figures = Vec::new();
    let mut add = |value: String, what: &str| figures.push((value, what.to_owned()));
    if standings.is_match() {
        let tally = standings.tally(0);
        let estimate = tally.estimate();
        add(
            elo_with_error(estimate.elo, estimate.elo_error_95),
            &format!("Elo of {}, 95%", standings.name(0)),
        );
        add(likelihood(estimate.los), "likelihood of superiority");
        add(format!("{} / {}", points(tally.points()), count(tally.games())), "points");
    } else {
        let leader = standings.ratings.players.first();
        if let Some((leader, rating)) = leader.and_then(|leader| Some((leader, leader.elo?))) {
            add(
                standings.name(leader.player).to_owned(),
                &format!("first, at {} Elo", format::rating(rating, standings.is_anchored())),
            );
        }
        let ratings = &standings.ratings;
        let first_move = elo_with_error(Some(ratings.first_move_elo), ratings.first_move_error_95);
        add(first_move, "Elo, worth of the first move");
    }
    if let Some(sprt) = &standings.sprt {
        add(
            tables::verdict(&sprt.report).to_owned(),
            &format!("sequential test, LLR {:.2}", sprt.report.llr),
        );
    }
    let faults: u64 = standings.players.iter().map(|player| player.faults.total()).sum();
    add(count(faults), "games lost by faults");
    figures
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn add(&mut self, text: fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a String takes all text");
    }

    fn of_match(&mut self, standings: &Standings) {
        self.columns(|page| {
            page.table(&tables::match_result(standings), "wide");
            page.stack(|page| {
                page.section("Lead", |page| page.plot(&plots::inline_rating_plot(standings)));
                if standings.tally(0).pairs() > 0 {
                    page.section("Pairs", |page| page.plot(&plots::pair_histogram(standings)));
                }
            });
            page.test(standings);
        });
    }

    fn of_tournament(&mut self, standings: &Standings) {
        self.table(&tables::ratings(standings), "wide");
        self.columns(|page| {
            page.section("Ratings with 95% errors", |page| {
                page.plot(&plots::inline_rating_plot(standings));
            });
            page.results(standings);
        });
        self.table(&tables::crosstable(standings), "wide");
        if standings.sprt.is_some() {
            self.columns(|page| page.test(standings));
        }
    }

    fn test(&mut self, standings: &Standings) {
        if let Some(sprt) = &standings.sprt {
            self.section("Log-likelihood ratio", |page| page.plot(&plots::llr_curve(sprt)));
            self.table(&tables::test(&sprt.report), "wide");
        }
    }

    fn results(&mut self, standings: &Standings) {
        self.section("Results", |page| {
            page.plot(&plots::result_bars(standings));
            page.add(format_args!(
                "<p class=\"key\"><i class=\"win\"></i>won<i class=\"draw\"></i>drawn<i class=\"loss\"></i>lost</p>\n"
            ));
        });
    }

    fn faults(&mut self, standings: &Standings) {
        let table = tables::faults(standings);
        if table.rows.is_empty() {
            self.section("Faults", |page| {
                page.add(format_args!("<p>No illegal move, no loss on time, no crash.</p>\n"));
            });
        } else {
            self.table(&table, "");
        }
    }

    fn figures(&mut self, figures: &[(String, String)]) {
        self.add(format_args!("<ul class=\"figures\">\n"));
        for (value, what) in figures {
            self.add(format_args!("<li><b>{}</b><span>{}</span></li>\n", Breakable(value), Breakable(what)));
        }
        self.add(format_args!("</ul>\n"));
    }

    fn plot(&mut self, svg: &str) {
        self.text.push_str(svg);
    }

    fn columns(&mut self, inside: impl FnOnce(&mut Page)) {
        self.add(format_args!("<div class=\"columns\">\n"));
        inside(self);
        self.add(format_args!("</div>\n"));
    }

    fn stack(&mut self, inside: impl FnOnce(&mut Page)) {
        self.add(format_args!("<div>\n"));
        inside(self);
        self.add(format_args!("</div>\n"));
    }

    fn section(&mut self, title: &str, inside: impl FnOnce(&mut Page)) {
        self.add(format_args!("<section>\n<h2>{}</h2>\n", Escaped(title)));
        inside(self);
        self.add(format_args!("</section>\n"));
    }

    /// A table, if it has rows.
    fn table(&mut self, table: &Table, class: &str) {
        if table.rows.is_empty() {
            return;
        }
        let side = |align: Align| if align == Align::Right { "right" } else { "left" };
        self.section(&table.title, |page| {
            page.add(format_args!("<div class=\"scroll {class}\"><table>\n"));
            if table.columns.iter().any(|column| !column.name.is_empty()) {
                page.add(format_args!("<thead><tr>"));
                for column in &table.columns {
                    page.add(format_args!(
                        "<th class=\"{}\">{}</th>",
                        side(column.align),
                        Escaped(&column.name)
                    ));
                }
                page.add(format_args!("</tr></thead>\n"));
            }
            page.add(format_args!("<tbody>\n"));
            for row in &table.rows {
                page.add(format_args!("<tr>"));
                for (cell, column) in row.iter().zip(&table.columns) {
                    let class = format!("{} {}", side(column.align), tint(cell));
                    page.add(format_args!("<td class=\"{}\">{}</td>", class.trim(), Breakable(&cell.text)));
                }
                page.add(format_args!("</tr>\n"));
            }
            page.add(format_args!("</tbody></table></div>\n"));
            for note in &table.notes {
                page.add(format_args!("<p class=\"note\">{}</p>\n", Escaped(note)));
            }
        });
    }
}

/// Five tints by the share of points: below a quarter, below 45%, about even, and the same above.
fn tint(cell: &Cell) -> &'static str {
    match cell.share {
        Some(share) if share < 0.25 => "s0",
        Some(share) if share < 0.45 => "s1",
        Some(share) if share > 0.75 => "s4",
        Some(share) if share > 0.55 => "s3",
        _ => "",
    }
}
