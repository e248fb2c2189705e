//! Every message of the catalogue, said in every language.

use std::collections::BTreeSet;

use shakmaty::{Color, Role, Square};
use tabia_coach::heading::Heading;
use tabia_coach::messages::{
    BestStanding, Gain, Hint, Label, Locale, MotifFacts, PlacedPiece, Sentence, Taken, TermChange, WhiteScore,
};
use tabia_coach::outcome::{Balance, End};
use tabia_coach::proof::{Check, Evidence};
use tabia_coach::structure::{Fact, Feature};
use tabia_coach::{Theme, Verdict};
use tabia_core::Score;
use tabia_core::chances::Mark;
use tabia_search::engine::tablebases::TablebaseResult;

const VERDICTS: [Verdict; 10] = [
    Verdict::Brilliant,
    Verdict::OnlyMove,
    Verdict::Best,
    Verdict::Good,
    Verdict::Inaccuracy,
    Verdict::Mistake,
    Verdict::Blunder,
    Verdict::MissedWin,
    Verdict::MissedMate,
    Verdict::AllowedMate,
];

fn ends() -> Vec<End> {
    vec![
        End::Mate(Color::White),
        End::Stalemate,
        End::InsufficientMaterial,
        End::Repetition,
        End::PerpetualCheck(Color::Black),
        End::Quiet,
    ]
}

fn balances() -> Vec<Balance> {
    use Role::{Bishop, Knight, Pawn, Queen, Rook};
    let of = |lost: &[Role], won: &[Role], promoted: &[Role], conceded: &[Role]| Balance {
        lost: lost.to_vec(),
        won: won.to_vec(),
        promoted: promoted.to_vec(),
        conceded: conceded.to_vec(),
        net: 1,
    };
    vec![
        of(&[], &[], &[], &[]),
        of(&[Knight], &[Rook], &[], &[Queen]),
        of(&[Rook], &[Knight], &[Queen], &[]),
        of(&[Rook], &[Bishop, Pawn], &[], &[]),
        of(&[Rook, Pawn], &[Knight], &[], &[Knight]),
        of(&[Queen], &[Rook, Pawn, Pawn], &[], &[]),
        of(&[], &[Pawn; 5], &[Queen], &[]),
        of(&[Rook], &[], &[Knight], &[]),
        of(&[], &[], &[Queen, Rook], &[Queen, Queen]),
        of(&[Pawn; 3], &[Bishop; 4], &[], &[]),
    ]
}

fn on(role: Role, square: Square) -> PlacedPiece {
    PlacedPiece { role, square }
}

fn features() -> Vec<Feature> {
    vec![
        Feature::Isolated,
        Feature::Doubled,
        Feature::Backward,
        Feature::Passed,
        Feature::Outpost(Role::Knight),
        Feature::Outpost(Role::Bishop),
        Feature::OpenFile,
    ]
}

fn changes() -> Vec<TermChange> {
    let mut changes = Vec::new();
    for heading in Heading::ALL {
        changes.push(TermChange { heading, cp: 45, leading: None, fact: None });
    }
    let start = shakmaty::Chess::default();
    let evaluation = tabia_eval::field::FieldEval::default();
    let explained = tabia_eval::Evaluate::explain(&evaluation, tabia_eval::View::from(&start));
    for term in explained.terms {
        let heading = Heading::of(&term.name);
        changes.push(TermChange { heading, cp: 45, leading: Some(term.name.clone()), fact: None });
    }
    for feature in features() {
        for (side, is_gained) in [(Color::White, true), (Color::Black, false)] {
            let fact = Fact { feature, side, square: Square::D5, is_gained };
            let (heading, leading) = (Heading::PieceActivity, Some("outposts".to_owned()));
            changes.push(TermChange { heading, cp: 45, leading, fact: Some(fact) });
        }
    }
    changes
}

/// A number for each kind of sentence: one that is new has to be added here, and then to the examples.
const fn kind(sentence: &Sentence) -> usize {
    match sentence {
        Sentence::Marked { .. } => 0,
        Sentence::Loses { .. } => 1,
        Sentence::AllowsMate { .. } => 2,
        Sentence::MissesMate { .. } => 3,
        Sentence::Misses { .. } => 4,
        Sentence::MissesDraw { .. } => 5,
        Sentence::Table { .. } => 6,
        Sentence::TableKeeps { .. } => 7,
        Sentence::StillWins { .. } => 8,
        Sentence::MissesRecapture { .. } => 9,
        Sentence::LetsSlip { .. } => 10,
        Sentence::WrongBishop { .. } => 11,
        Sentence::Judged { .. } => 12,
        Sentence::Beyond { .. } => 13,
        Sentence::Costs { .. } => 14,
        Sentence::Improves { .. } => 15,
        Sentence::Motif(_) => 16,
        Sentence::MatePattern { .. } => 17,
        Sentence::IgnoresThreat { .. } => 18,
        Sentence::ParriesThreat { .. } => 19,
        Sentence::Threatens { .. } => 20,
        Sentence::BestWas { .. } => 21,
        Sentence::Unguards { .. } => 22,
        Sentence::OpensLine { .. } => 23,
        Sentence::FollowUpFails { .. } => 24,
        Sentence::ForcesMate { .. } => 25,
        Sentence::Wins { .. } => 26,
        Sentence::Draws { .. } => 27,
        Sentence::DrawsWrongBishop { .. } => 28,
        Sentence::IsGood { .. } => 29,
        Sentence::Sacrifices { .. } => 30,
        Sentence::Zugzwang { .. } => 31,
    }
}
const KINDS: usize = 32;

fn sentences() -> Vec<Sentence> {
    let played = || "17.Nd2".to_owned();
    let best = || "17.h3".to_owned();
    let line = || "17...Bxh2+ 18.Kxh2 Qh4+".to_owned();
    let (from, to) =
        (WhiteScore::of(Score::cp(20), Color::White), WhiteScore::of(Score::mated_in_plies(4), Color::White));
    let mut told = Vec::new();
    for mark in Mark::ALL {
        told.push(Sentence::Marked { mark, best: None, mates: false });
        told.push(Sentence::Marked { mark, best: Some(best()), mates: false });
        told.push(Sentence::Marked { mark, best: Some(best()), mates: true });
    }
    let mark = Some(Mark::Blunder);
    for balance in balances() {
        for is_long in [false, true] {
            let line = Some(line()).filter(|_| is_long);
            told.push(Sentence::Loses {
                played: played(),
                mark,
                balance: balance.clone(),
                line: "18.Bxe3 Nf6 …".to_owned(),
                is_long,
            });
            told.push(Sentence::Misses {
                played: played(),
                mark,
                best: best(),
                balance: balance.clone(),
                line: line.clone(),
                is_long,
            });
            told.push(Sentence::Wins {
                played: played(),
                verdict: Verdict::Best,
                balance: balance.clone(),
                line,
            });
        }
        let (threat, gain) = (best(), Gain::Material(balance.clone()));
        told.push(Sentence::ParriesThreat { threat: threat.clone(), gain: gain.clone() });
        told.push(Sentence::Threatens { side: Color::Black, threat, gain });
    }
    for moves in [1, 3] {
        for proved in [true, false] {
            told.push(Sentence::AllowsMate { played: played(), mark, moves, line: line(), proved });
            let verdict = Verdict::Brilliant;
            told.push(Sentence::ForcesMate { played: played(), verdict, moves, line: line(), proved });
        }
        told.push(Sentence::MissesMate { played: played(), mark, best: best(), moves, line: Some(line()) });
        told.push(Sentence::ParriesThreat { threat: best(), gain: Gain::Mate(moves) });
        told.push(Sentence::Threatens { side: Color::White, threat: best(), gain: Gain::Mate(moves) });
    }
    for end in ends() {
        let end = || end.clone();
        told.push(Sentence::MissesDraw { played: played(), mark, best: best(), end: end(), line: line() });
        told.push(Sentence::LetsSlip { played: played(), mark, end: end(), line: line() });
        told.push(Sentence::Draws { played: played(), verdict: Verdict::OnlyMove, end: end(), line: line() });
    }
    let results = [TablebaseResult::Win, TablebaseResult::Draw, TablebaseResult::Loss];
    for result in results {
        for instead in results.into_iter().map(Some).chain([None]) {
            told.push(Sentence::Table { played: played(), mark, result, instead, line: line() });
            let verdict = Verdict::OnlyMove;
            told.push(Sentence::TableKeeps { played: played(), verdict, result, instead });
        }
    }
    told.push(Sentence::StillWins { played: played(), mark, best: best(), from, to });
    told.push(Sentence::MissesRecapture { played: played(), mark, best: best(), line: Some(line()) });
    let corner = Square::H8;
    told.push(Sentence::WrongBishop { played: played(), mark, corner, line: line() });
    told.push(Sentence::DrawsWrongBishop { played: played(), verdict: Verdict::Best, corner, line: line() });
    for verdict in VERDICTS {
        told.push(Sentence::Judged { played: played(), mark, verdict, from, to });
        told.push(Sentence::Beyond { played: played(), mark: None, verdict, from, to });
        for better in [None, Some(best())] {
            told.push(Sentence::IsGood { played: played(), verdict, score: from, better });
        }
    }
    for change in changes() {
        told.push(Sentence::Costs { changes: vec![change.clone(); 3], is_all: false });
        told.push(Sentence::Costs { changes: vec![change.clone()], is_all: true });
        told.push(Sentence::Improves { changes: vec![change; 2] });
    }
    for theme in Theme::ALL {
        told.push(Sentence::MatePattern { theme: *theme });
        let pieces = [
            on(Role::Queen, Square::D8),
            on(Role::King, Square::G8),
            on(Role::Pawn, Square::B7),
            on(Role::Rook, Square::A8),
        ];
        for (count, is_played) in [(1, true), (2, false), (3, true), (4, false)] {
            for first in pieces {
                let mut targets = vec![first];
                targets.extend(pieces.into_iter().filter(|piece| *piece != first).take(count - 1));
                told.push(Sentence::Motif(MotifFacts {
                    theme: *theme,
                    shown_by: played(),
                    next: Some(best()),
                    actor: Some(on(Role::Bishop, Square::B2)),
                    targets,
                    square: Some(Square::F7),
                    escape: is_played,
                    is_played,
                    instead: Some(from),
                }));
            }
        }
    }
    told.push(Sentence::IgnoresThreat { threat: None });
    told.push(Sentence::IgnoresThreat { threat: Some(best()) });
    let standings = [
        BestStanding::Mates,
        BestStanding::Wins,
        BestStanding::Advantage,
        BestStanding::Balance,
        BestStanding::Damage,
        BestStanding::Resistance,
        BestStanding::LastsLonger,
    ];
    let piece = on(Role::Queen, Square::E5);
    let takes = [
        None,
        Some(Taken::Won(on(Role::Pawn, Square::E5))),
        Some(Taken::Exchanged { own: Role::Queen, piece }),
        Some(Taken::Exchanged { own: Role::Rook, piece }),
    ];
    for standing in standings {
        for takes in takes {
            for is_only in [true, false] {
                told.push(Sentence::BestWas { best: best(), score: from, standing, takes, is_only });
            }
        }
    }
    for role in Role::ALL {
        told.push(Sentence::Unguards { piece: role, square: Square::E5 });
        let (attacker, target) = (on(role, Square::A1), on(Role::Queen, Square::A8));
        told.push(Sentence::OpensLine { attacker, target });
        told.push(Sentence::OpensLine { attacker: target, target: attacker });
        told.push(Sentence::Sacrifices { role, square: Square::H7 });
    }
    told.push(Sentence::FollowUpFails { check: played(), reply: best() });
    told.push(Sentence::Zugzwang { side: Color::Black });
    told
}

fn hints() -> Vec<Hint> {
    let mut hints = vec![Hint::Mate(1), Hint::Mate(4), Hint::TakeBack, Hint::Win, Hint::Nothing];
    hints.extend(Theme::ALL.iter().map(|theme| Hint::Motif(*theme)));
    hints.extend(ends().into_iter().map(Hint::Draw));
    hints.extend(Color::ALL.into_iter().map(Hint::Threat));
    hints.push(Hint::Reply { side: Color::Black, played: "17.Nd2".to_owned() });
    hints.extend(Heading::ALL.into_iter().map(Hint::Heading));
    hints
}

fn labels() -> Vec<Label> {
    let mut labels = vec![
        Label::Verdict,
        Label::Played,
        Label::Best,
        Label::Reason,
        Label::Motif,
        Label::Worth,
        Label::Proof,
        Label::AgainstBest,
        Label::ByLine,
        Label::White,
        Label::Further,
        Label::Exercise,
        Label::ToMove(Color::White),
        Label::ToMove(Color::Black),
        Label::Game,
        Label::MovePlayed,
        Label::Hint,
        Label::Solutions,
        Label::Or,
        Label::NoExercise,
    ];
    labels.extend(Heading::ALL.into_iter().map(Label::Heading));
    labels.extend(VERDICTS.into_iter().map(Label::VerdictName));
    labels.extend(["outcome", "motif", "threat", "positional"].map(Label::Kind));
    labels
}

fn assert_reads_well(text: &str, is_sentence: bool) {
    assert!(!text.trim().is_empty());
    assert_eq!(text.trim(), text);
    for wrong in ["  ", " .", " ,", "..", "{", "}", "()", "….", "::"] {
        // A move of Black's has its dots: 17...Bxh2+.
        assert!(!text.replace("...", "").contains(wrong), "\"{wrong}\" in \"{text}\"");
    }
    if is_sentence {
        assert!(text.ends_with(['.', '?', '…']), "{text}");
        assert!(text.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()), "{text}");
    }
}

/// Words that would betray a message that was not translated.
const ENGLISH: [&str; 18] = [
    "the", "is", "and", "which", "pawn", "knight", "bishop", "rook", "queen", "king", "check", "wins",
    "loses", "White", "Black", "mate", "move", "threat",
];

fn assert_german(text: &str) {
    for word in text.split(|letter: char| !letter.is_alphabetic()) {
        assert!(!ENGLISH.contains(&word), "\"{word}\" in \"{text}\"");
    }
}

#[test]
fn every_sentence_is_said_in_every_language() {
    let all = sentences();
    let kinds: BTreeSet<usize> = all.iter().map(kind).collect();
    assert_eq!(kinds.len(), KINDS, "no example of some kinds: only {kinds:?}");
    for sentence in all {
        let [english, german] = Locale::ALL.map(|locale| locale.language().sentence(&sentence));
        assert_reads_well(&english, true);
        assert_reads_well(&german, true);
        assert_ne!(english, german);
        // A motif that no text names is told by lichess's label for it.
        if !german.contains("zeigt das Motiv") {
            assert_german(&german);
        }
    }
}

#[test]
fn every_hint_is_given_in_every_language() {
    for hint in hints() {
        let [english, german] = Locale::ALL.map(|locale| locale.language().hint(&hint));
        assert_reads_well(&english, true);
        assert_reads_well(&german, true);
        assert_ne!(english, german);
        assert_german(&german);
    }
}

#[test]
fn every_proof_and_label_is_said_in_every_language() {
    for check in Check::ALL {
        for (actual_cp, mate) in [(120, None), (-120, None), (Score::mate_in_plies(3).raw(), Some(2))] {
            let evidence = Evidence { check, actual_cp, counterfactual_cp: Score::mated_in_plies(4).raw() };
            let [english, german] = Locale::ALL.map(|locale| locale.language().proof(&evidence, mate));
            assert_reads_well(&english, false);
            assert_reads_well(&german, false);
            assert_ne!(english, german);
            assert_german(&german);
        }
    }
    for label in labels() {
        let german = Locale::De.language().label(label);
        assert_reads_well(Locale::En.language().label(label), false);
        assert_reads_well(german, false);
        assert_german(german);
    }
    for locale in Locale::ALL {
        assert_eq!(locale.code().parse(), Ok(locale));
        assert_reads_well(&locale.language().worth(150, None), false);
        assert_reads_well(&locale.language().worth(0, Some(3)), false);
    }
    let error = "tlh".parse::<Locale>().unwrap_err().to_string();
    assert!(error.contains("\"tlh\"") && error.contains("de (German)"), "{error}");
}

#[test]
fn german_has_its_cases() {
    let say = |sentence: Sentence| Locale::De.language().sentence(&sentence);
    let motif = |theme, actor, targets: &[PlacedPiece]| {
        say(Sentence::Motif(MotifFacts {
            theme,
            shown_by: "24.Ne7+".to_owned(),
            next: Some("25.Nxc8".to_owned()),
            actor,
            targets: targets.to_vec(),
            square: Some(Square::C6),
            escape: true,
            is_played: false,
            instead: None,
        }))
    };
    let (king, queen) = (on(Role::King, Square::G8), on(Role::Queen, Square::A8));
    let (pawn, rook) = (on(Role::Pawn, Square::B7), on(Role::Rook, Square::C8));
    assert_eq!(
        motif(Theme::Fork, None, &[king, rook, queen]),
        "24.Ne7+ ist eine Gabel gegen den König, den Turm auf c8 und die Dame auf a8."
    );
    assert_eq!(
        motif(Theme::Skewer, None, &[king, queen]),
        "24.Ne7+ ist ein Spieß: Hinter dem König steht die Dame auf a8."
    );
    assert_eq!(
        motif(Theme::DiscoveredAttack, Some(queen), &[pawn]),
        "24.Ne7+ ist ein Abzugsangriff: Die Dame auf a8 greift den Bauern auf b7 an."
    );
    assert_eq!(motif(Theme::Deflection, None, &[queen]), "24.Ne7+ lenkt die Dame auf a8 ab, die c6 deckt.");
    assert_eq!(
        motif(Theme::Attraction, None, &[king]),
        "24.Ne7+ lockt den König nach c6, wo ihn 25.Nxc8 angreift."
    );
    assert_eq!(
        say(Sentence::OpensLine { attacker: queen, target: pawn }),
        "Der Zug öffnet der Dame auf a8 den Weg zum Bauern auf b7."
    );
}
