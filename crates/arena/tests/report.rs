//! Reports of tournaments: what is in them, and that nothing in a name can break out of its place.

use rand::Rng;
use shakmaty::Color;
use tabia_arena::report::{self, Faults, OpeningScore, Player, SprtCurve, Standings};
use tabia_core::seed::{self, Random};
use tabia_core::{Outcome, Reason};
use tabia_stats::{EloModel, EncounterScore, GameResult, PairResult, Sprt, expected_score};

use GameResult::{Draw, Loss, Win};

fn drawn_game(share: f64, random: &mut Random) -> GameResult {
    let draw = share.min(1.0 - share);
    match random.random::<f64>() {
        at if at < share - draw / 2.0 => Win,
        at if at < share + draw / 2.0 => Draw,
        _ => Loss,
    }
}

fn ending(white: GameResult, random: &mut Random) -> Outcome {
    let reasons = match white {
        Draw => [Reason::Repetition, Reason::FiftyMoves, Reason::InsufficientMaterial, Reason::Adjudication],
        _ => [Reason::Checkmate, Reason::Checkmate, Reason::Adjudication, Reason::TimeForfeit],
    };
    let reason = reasons[random.random_range(0..reasons.len())];
    match white {
        Win => Outcome::win(Color::White, reason),
        Draw => Outcome::draw(reason),
        Loss => Outcome::win(Color::Black, reason),
    }
}

/// A round robin in pairs between named players of known strength.
fn standings_of(title: &str, players: &[(&str, f64)], pairs: usize, sprt: Option<Sprt>) -> Standings {
    let mut random = seed::random(1);
    let mut sprt = sprt;
    let mut pairings = Vec::new();
    let mut games = Vec::new();
    for (first, (_, strength)) in players.iter().enumerate() {
        for (second, (_, other)) in players.iter().enumerate().skip(first + 1) {
            let mut score = EncounterScore::new(first, second);
            for _ in 0..pairs {
                let white = drawn_game(expected_score(strength - other + 30.0), &mut random);
                let black = drawn_game(expected_score(other - strength + 30.0), &mut random);
                for game in [white, black] {
                    games.push((ending(game, &mut random), random.random_range(30..260)));
                }
                let pair = PairResult::new(white, black.flipped());
                score.add_pair(pair);
                if let Some(sprt) = &mut sprt {
                    sprt.add(pair);
                }
            }
            pairings.push(score);
        }
    }
    let players = players.iter().map(|(name, _)| Player::named(*name)).collect();
    let mut standings = Standings::new(title, players, pairings, &[]).unwrap();
    for (outcome, plies) in games {
        standings.games.add(outcome, plies);
    }
    standings.sprt = sprt.as_ref().map(SprtCurve::from);
    standings
}

fn tournament() -> Standings {
    let players =
        [("Axon", 80.0), ("engine(eval=pst,nodes=20000)", 210.0), ("Chromosome", -60.0), ("Random", -700.0)];
    let mut standings = standings_of("Four evaluations at depth 3", &players, 30, None);
    standings.players[3].faults = Faults { time_losses: 2, crashes: 1, ..Faults::default() };
    standings.players[1].detail = "engine(eval=pst,nodes=20000), 20000 nodes a move".into();
    standings.settings =
        vec![("limit".into(), "depth 3".into()), ("book".into(), "balanced, 8 plies".into())];
    standings.openings = vec![OpeningScore { name: "Sicilian Defence".into(), white: [10, 20, 15] }];
    standings
}

fn duel() -> Standings {
    let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Normalized).unwrap();
    standings_of("New search against the old", &[("new", 9.0), ("old", 0.0)], 3000, Some(sprt))
}

/// Marks of the document, each closed by its own; those that have no inside left out.
fn assert_marks_close(document: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = document.trim_start_matches("<!DOCTYPE html>");
    for mark in body.split('<').skip(1).map(|rest| rest.split_once('>').expect("a mark ends").0) {
        let name = mark.split_whitespace().next().expect("a mark has a name");
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "in {mark:?}"),
            None if ["meta", "wbr"].contains(&name) || mark.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

fn documents() -> Vec<String> {
    let empty = Standings::new(
        "Nothing yet",
        vec![Player::named("a"), Player::named("b"), Player::named("c")],
        vec![],
        &[],
    );
    let new_match = Standings::new("Nothing yet", vec![Player::named("a"), Player::named("b")], vec![], &[]);
    let all = [tournament(), duel(), empty.unwrap(), new_match.unwrap()];
    all.iter().flat_map(|standings| [report::page(standings), report::rating_plot(standings)]).collect()
}

#[test]
fn documents_are_well_formed_and_have_no_nan() {
    for document in documents() {
        assert_marks_close(&document);
        assert!(!document.contains("NaN") && !document.contains("inf\""), "{document}");
    }
}

#[test]
fn documents_stand_alone() {
    for document in documents() {
        let document = document.replace("http://www.w3.org/2000/svg", "");
        for needle in ["http:", "https:", "<script", "<link", "<img", "@import", "url("] {
            assert!(!document.contains(needle), "{needle} in a document that stands alone");
        }
        assert!(document.contains("prefers-color-scheme: dark"));
    }
}

#[test]
fn names_cannot_break_out_of_their_place() {
    let hostile = r#"</title><script>alert("1")</script>'&"#;
    let mut standings = standings_of(hostile, &[(hostile, 0.0), ("b", 0.0), (hostile, 50.0)], 3, None);
    standings.players[0].detail = hostile.into();
    standings.players[0].faults.crashes = 1;
    standings.settings = vec![(hostile.into(), hostile.into())];
    standings.openings = vec![OpeningScore { name: hostile.into(), white: [1, 2, 3] }];
    let mut duel = standings.clone();
    duel.players.pop();
    duel.pairings.retain(|score| score.first < 2 && score.second < 2);
    for standings in [standings, duel] {
        for document in [report::page(&standings), report::rating_plot(&standings)] {
            assert!(!document.contains("<script"), "{document}");
            assert!(document.contains("&lt;script&gt;alert("));
            assert_marks_close(&document);
        }
    }
}

#[test]
fn a_tournament_lists_everybody_in_order_of_rating() {
    let standings = tournament();
    let tables = report::tables(&standings);
    let titles: Vec<&str> = tables.iter().map(|table| table.title.as_str()).collect();
    assert_eq!(
        titles,
        ["Ratings", "Everybody against everybody", "How games ended", "Faults", "Openings", "Settings"]
    );
    let names: Vec<&str> = tables[0].rows.iter().map(|row| row[1].text.as_str()).collect();
    assert_eq!(names[0], "engine(eval=pst,nodes=20000)");
    assert!(names[3].starts_with("Random"), "{names:?}");
    let games: u64 = tables[2].rows.last().unwrap()[1].text.parse().unwrap();
    assert_eq!(games, 6 * 60);
    // What one won against the other, the other lost.
    let cell = |row: usize, column: usize| &tables[1].rows[row][column + 2];
    for row in 0..4 {
        assert_eq!(cell(row, row).text, "·");
        for column in 0..row {
            let share = cell(row, column).share.unwrap() + cell(column, row).share.unwrap();
            assert!((share - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn a_match_is_told_from_the_view_of_the_first() {
    let standings = duel();
    let text: String = report::tables(&standings).iter().map(ToString::to_string).collect();
    assert!(text.contains("new against old"), "{text}");
    assert!(
        text.contains("Elo  ")
            && text.contains("likelihood of superiority")
            && text.contains("Sequential test")
    );
    let page = report::page(&standings);
    for needle in ["H1: Elo ≥ 10", "H0: Elo ≤ 0", "Log-likelihood ratio", "points of new in a pair"] {
        assert!(page.contains(needle), "{needle}");
    }
}

#[test]
fn the_same_standings_give_the_same_bytes() {
    assert_eq!(report::page(&tournament()), report::page(&tournament()));
}

#[test]
fn standings_are_json() {
    let json = serde_json::to_value(duel()).unwrap();
    assert_eq!(json["players"][0]["name"], "new");
    assert!(json["ratings"]["players"][0]["elo"].is_f64());
    assert_eq!(json["sprt"]["report"]["elo1"], 10.0);
}
