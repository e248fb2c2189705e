//! The catalogue in German.
//!
//! Moves stay in standard notation (`Nf3`), as PGN and the page write them, so that a text names a move as the board
//! beside it does.

use shakmaty::{Color, Role};
use tabia_core::Score;
use tabia_core::chances::Mark;
use tabia_search::engine::tablebases::TablebaseResult;

use super::{
    BestStanding, Gain, Hint, Label, Language, MotifFacts, PlacedPiece, Sentence, Taken, TermChange,
    WhiteScore,
};
use crate::heading::Heading;
use crate::motif::Theme;
use crate::outcome::{Balance, End};
use crate::proof::{Check, Evidence};
use crate::structure::{Fact, Feature};
use crate::verdict::Verdict;

/// German, as chess books write it.
#[derive(Copy, Clone, Debug, Default)]
pub struct German;

impl Language for German {
    fn sentence(&self, told: &Sentence) -> String {
        super::with_one_stop(sentence(told))
    }

    fn hint(&self, told: &Hint) -> String {
        hint(told)
    }

    fn score(&self, white: WhiteScore) -> String {
        score(white)
    }

    fn worth(&self, cp: i32, mate: Option<u32>) -> String {
        mate.map_or_else(|| format!("{:.2}", f64::from(cp) / 100.0), |moves| format!("Matt in {moves}"))
    }

    fn proof(&self, evidence: &Evidence, mate: Option<u32>) -> String {
        proof(evidence, mate)
    }

    fn label(&self, label: Label) -> &'static str {
        match label {
            Label::Verdict => "Urteil",
            Label::Played => "gespielt",
            Label::Best => "am besten",
            Label::Reason => "Grund",
            Label::Motif => "Motiv",
            Label::Worth => "Wert",
            Label::Proof => "Beweis",
            Label::AgainstBest => "Unterschied zum besten Zug",
            Label::ByLine => "Änderung durch die Variante",
            Label::White => "Weiß",
            Label::Further => "weitere Berechnung",
            Label::Heading(heading) => heading_name(heading),
            Label::VerdictName(verdict) => verdict_name(verdict),
            Label::Kind(kind) => match kind {
                "outcome" => "Ergebnis",
                "motif" => "Motiv",
                "threat" => "Drohung",
                "positional" => "Stellung",
                other => other,
            },
            Label::Exercise => "Aufgabe",
            Label::ToMove(Color::White) => "Weiß am Zug",
            Label::ToMove(Color::Black) => "Schwarz am Zug",
            Label::Game => "Partie",
            Label::MovePlayed => "Gespielt",
            Label::Hint => "Hinweis",
            Label::Solutions => "Lösungen",
            Label::Or => "oder",
            Label::NoExercise => "Kein Fehler dieser Partien ergibt eine Aufgabe.",
        }
    }
}

/// The cases that the sentences need.
#[derive(Copy, Clone)]
enum Case {
    Nominative,
    Accusative,
    Dative,
}

use Case::{Accusative, Dative, Nominative};

fn hint(hint: &Hint) -> String {
    match hint {
        Hint::Mate(1) => "Es gibt ein Matt in einem Zug.".to_owned(),
        Hint::Mate(moves) => format!("Es gibt ein erzwungenes Matt in {moves} Zügen."),
        Hint::Motif(theme) => motif_hint(*theme).to_owned(),
        Hint::Draw(End::PerpetualCheck(_)) => "Schachgebote halten das Remis.".to_owned(),
        Hint::Draw(End::Stalemate) => "Ein Patt hält das Remis.".to_owned(),
        Hint::Draw(_) => "Das Remis ist zu halten.".to_owned(),
        Hint::TakeBack => "Eben wurde etwas geschlagen. Wie schlägt man am besten zurück?".to_owned(),
        Hint::Win => "Material ist zu gewinnen.".to_owned(),
        Hint::Threat(side) => format!("Was droht {}?", name(*side)),
        Hint::Reply { side, played } => {
            format!(
                "{} hat eine starke Antwort auf {played}. Finde einen Zug, der sie verhindert.",
                name(*side)
            )
        }
        Hint::Heading(heading) => format!("Denke {}.", of_which(*heading)),
        Hint::Nothing => "Es gibt einen besseren Zug.".to_owned(),
    }
}

const fn motif_hint(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => "Suche eine Gabel.",
        Theme::Pin | Theme::RelativePin => "Eine der Figuren ist gefesselt.",
        Theme::Overloading => "Eine Figur hat zu viel zu decken.",
        Theme::Skewer => "Suche einen Spieß.",
        Theme::DiscoveredAttack => "Suche einen Abzugsangriff.",
        Theme::DoubleCheck => "Suche ein Doppelschach.",
        Theme::HangingPiece => "Etwas ist ungedeckt.",
        Theme::TrappedPiece => "Eine der Figuren hat kein sicheres Feld.",
        Theme::CapturingDefender => "Ein Verteidiger lässt sich beseitigen.",
        Theme::Deflection => "Ein Verteidiger lässt sich ablenken.",
        Theme::Attraction => "Eine Figur lässt sich auf ein schlechteres Feld locken.",
        Theme::Interference => "Ein Verteidiger lässt sich abschneiden.",
        Theme::Clearance => "Eine eigene Figur steht im Weg.",
        Theme::Intermezzo => "Es gibt etwas Besseres, als gleich zurückzuschlagen.",
        Theme::XRayAttack => "Sieh durch die Figuren hindurch: Der Angriff geht dahinter weiter.",
        Theme::UnderPromotion => "Eine Dame ist nicht immer die beste Figur.",
        Theme::Promotion => "Ein Bauer kann umwandeln.",
        Theme::AdvancedPawn => "Sieh dir den vorgerückten Bauern an.",
        Theme::ExposedKing => "Der gegnerische König steht offen.",
        Theme::QuietMove => "Die Lösung ist ein stiller Zug.",
        Theme::DefensiveMove => "Es gibt nur einen guten Zug.",
        _ => "Es gibt eine taktische Lösung.",
    }
}

fn sentence(sentence: &Sentence) -> String {
    use Sentence as S;
    match sentence {
        S::Marked { mark, best, mates } => {
            let mark = mark_name(*mark);
            match best {
                Some(best) if *mates => format!("{mark}. {best} setzt matt."),
                Some(best) => format!("{mark}. {best} war am besten."),
                None => format!("{mark}."),
            }
        }
        S::Loses { played, mark, balance, line, is_long } => {
            format!("{played}{} {}: {line}.", glyph(*mark), losing(balance, in_the_long_run(*is_long)))
        }
        S::AllowsMate { played, mark, moves, line, proved: true } => {
            format!("{played}{} lässt Matt in {moves} zu: {line}.", glyph(*mark))
        }
        S::AllowsMate { played, mark, moves, line, proved: false } => {
            format!(
                "{played}{} läuft in einen Mattangriff; die Suche sieht Matt in {moves}: {line}.",
                glyph(*mark)
            )
        }
        S::MissesMate { played, mark, best, moves, line } => match moves {
            0 | 1 => format!("{played}{} übersieht Matt in einem Zug: {best}.", glyph(*mark)),
            _ => format!(
                "{played}{} übersieht {best} mit Matt in {moves}{}.",
                glyph(*mark),
                shown(line.as_deref())
            ),
        },
        S::Misses { played, mark, best, balance, line, is_long } => format!(
            "{played}{} übersieht {best}, was {}{}{}.",
            glyph(*mark),
            in_the_long_run(*is_long),
            winning_after(balance),
            shown(line.as_deref())
        ),
        S::MissesDraw { played, mark, best, end, line } => {
            format!("{played}{} übersieht {best}, was remis hält: {line} {}.", glyph(*mark), ended(end))
        }
        S::Table { played, mark, result, instead: Some(instead), .. } => {
            format!("{played}{} {}.", glyph(*mark), throwing_away(*result, *instead))
        }
        S::Table { played, mark, result, instead: None, line } => {
            let ending = if *result == TablebaseResult::Draw { "remis" } else { "verloren" };
            format!(
                "{played}{} führt in ein Endspiel, das laut Endspieltabellen {ending} ist: {line}.",
                glyph(*mark)
            )
        }
        S::TableKeeps { played, verdict, result, instead } => {
            let keeps = if *result == TablebaseResult::Win {
                "gewinnt laut Endspieltabellen"
            } else {
                "hält laut Endspieltabellen remis"
            };
            let others = match instead {
                Some(TablebaseResult::Draw) => "andere Züge halten nur remis",
                _ => "andere Züge verlieren",
            };
            format!("{played}{} {keeps}; {others}.", praise(*verdict))
        }
        S::StillWins { played, mark, best, from, to } => {
            format!(
                "{played}{} gewinnt noch, aber weniger leicht ({} → {}). {best} ist genauer.",
                glyph(*mark),
                score(*from),
                score(*to)
            )
        }
        S::MissesRecapture { played, mark, best, line } => {
            format!("{played}{} schlägt nicht zurück, {best} schon{}.", glyph(*mark), shown(line.as_deref()))
        }
        S::LetsSlip { played, mark, end, line } => {
            format!("{played}{} vergibt den Gewinn: {line} {}.", glyph(*mark), ended(end))
        }
        S::WrongBishop { played, mark, corner, line } => {
            format!("{played}{} vergibt den Gewinn: {}.", glyph(*mark), wrong_bishop(line, *corner))
        }
        S::Judged { played, mark, verdict, from, to } => {
            format!("{played}{} ist {} ({} → {}).", glyph(*mark), named(*verdict), score(*from), score(*to))
        }
        S::Beyond { played, mark, verdict, from, to } => {
            format!(
                "{played}{} ist {} ({} → {}); der Grund liegt außerhalb dieser Analyse.",
                glyph(*mark),
                named(*verdict),
                score(*from),
                score(*to)
            )
        }
        S::Costs { changes, is_all } => {
            let rest = if *is_all { "" } else { "; der Rest liegt in weiterer Berechnung" };
            format!("Das kostet {}{rest}.", list(&changes.iter().map(in_heading).collect::<Vec<_>>()))
        }
        S::Improves { changes } => {
            format!("Das bringt {}.", list(&changes.iter().map(in_heading).collect::<Vec<_>>()))
        }
        S::Motif(facts) => motif(facts),
        S::MatePattern { theme } => format!("Es ist {}.", pattern(*theme)),
        S::IgnoresThreat { threat: Some(threat) } => format!("Der Zug übersieht die Drohung {threat}."),
        S::IgnoresThreat { threat: None } => {
            "Der Zug übersieht diese Drohung, die es vorher schon gab.".to_owned()
        }
        S::ParriesThreat { threat, gain } => {
            format!("Der Zug pariert die Drohung {threat}{}.", gaining(gain, "die"))
        }
        S::Threatens { side, threat, gain } => {
            format!("{} droht {threat}{}.", name(*side), gaining(gain, "was"))
        }
        S::BestWas { best, score: value, standing: how, takes, is_only } => {
            let value = score(*value);
            let (keeps, that_keeps) = keeping(*how);
            let taken = takes.map(taking);
            match (taken, is_only) {
                (Some((takes, _)), false) => format!("{best} {takes} und {keeps} ({value})."),
                (Some((_, that_takes)), true) => {
                    format!("{best} ist der einzige Zug, der {that_takes} und {that_keeps} ({value}).")
                }
                (None, false) => format!("{best} {keeps} ({value})."),
                (None, true) => format!("{best} ist der einzige Zug, der {that_keeps} ({value})."),
            }
        }
        S::Unguards { piece, square } => {
            format!("{} deckt {square} nicht mehr.", capitalised(&the(*piece, Nominative)))
        }
        S::OpensLine { attacker, target } => {
            let to = match target.role {
                Role::Queen => "zur",
                _ => "zum",
            };
            let target = format!("{} auf {}", role(target.role, Dative), target.square);
            format!("Der Zug öffnet {} den Weg {to} {target}.", standing(*attacker, Dative))
        }
        S::FollowUpFails { check, reply } => format!("Auf {check} folgt {reply}."),
        S::ForcesMate { played, verdict, moves, line, proved } => {
            let how = if *proved { "erzwingt Matt" } else { "führt zum Matt" };
            match moves {
                0 | 1 => format!("{played}{} setzt matt.", praise(*verdict)),
                _ => format!("{played}{} {how} in {moves}: {line}.", praise(*verdict)),
            }
        }
        S::Wins { played, verdict, balance, line } => {
            format!("{played}{} {}{}.", praise(*verdict), winning(balance), shown(line.as_deref()))
        }
        S::Draws { played, verdict, end, line } => {
            format!("{played}{} hält remis: {line} {}.", praise(*verdict), ended(end))
        }
        S::DrawsWrongBishop { played, verdict, corner, line } => {
            format!("{played}{} hält remis: {}.", praise(*verdict), wrong_bishop(line, *corner))
        }
        S::IsGood { played, verdict, score: value, better } => match (verdict, better) {
            (Verdict::OnlyMove | Verdict::Brilliant, _) => {
                format!("{played}{} ist der einzige gute Zug ({}).", praise(*verdict), score(*value))
            }
            (Verdict::Good, Some(best)) => {
                format!("{played} ist gut ({}); {best} ist etwas besser.", score(*value))
            }
            (Verdict::Good, None) => format!("{played} ist gut ({}).", score(*value)),
            _ => format!("{played} ist der beste Zug ({}).", score(*value)),
        },
        S::Sacrifices { role, square } => format!("Auf {square} wird {} geopfert.", a(*role, Nominative)),
        S::Zugzwang { side } => {
            format!("{} ist im Zugzwang: Jeder Zug verschlechtert die Stellung.", name(*side))
        }
    }
}

fn wrong_bishop(line: &str, corner: shakmaty::Square) -> String {
    format!(
        "Nach {line} beherrscht der Läufer das Feld {corner} nicht, und der König lässt sich nicht aus der Ecke \
         vertreiben"
    )
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "Weiß",
        Color::Black => "Schwarz",
    }
}

/// In pawns: `+0.35`, `−1.20`; `#3` for White's mate in three, `#−2` for Black's.
fn score(score: WhiteScore) -> String {
    let text = match score.mate {
        Some(moves) => format!("#{moves}"),
        None if score.white.is_decisive() => {
            format!("{} gewinnt", name(if score.white > Score::DRAW { Color::White } else { Color::Black }))
        }
        None => score.white.to_string(),
    };
    text.replace('-', "−")
}

fn proof(evidence: &Evidence, mate: Option<u32>) -> String {
    let name = check_name(evidence.check);
    match (evidence.check, mate) {
        (Check::FullWidthMate | Check::LinePlayed, Some(moves)) => format!("{name} (Matt in {moves})"),
        (Check::Tablebase, _) => {
            format!(
                "{name} ({}, sonst {})",
                table_worth(evidence.actual_cp),
                table_worth(evidence.counterfactual_cp)
            )
        }
        _ => format!("{name} ({}, sonst {})", amount(evidence.actual_cp), amount(evidence.counterfactual_cp)),
    }
}

const fn check_name(check: Check) -> &'static str {
    match check {
        Check::LinePlayed => "Variante ausgespielt",
        Check::FullWidthMate => "vollständige Mattsuche",
        Check::WonInLine => "in der Variante gewonnen",
        Check::EveryReply => "jede Antwort versucht",
        Check::DefenderBack => "Abtausch mit dem Verteidiger auf seinem Feld",
        Check::PieceBack => "Abtausch mit der Figur auf ihrem Feld",
        Check::BlockerRemoved => "Abtausch ohne die Figur dazwischen",
        Check::PinReleased => "Abtausch ohne die Fesselung",
        Check::LineClosed => "Angriff vor der Öffnung der Linie",
        Check::MoveTakenBack => "Abtausch vor dem Zug",
        Check::PawnRemoved => "Stellung ohne den Bauern durchsucht",
        Check::ShelterBack => "Stellung mit Bauern vor dem König durchsucht",
        Check::NoSafeSquare => "jedes Feld der Figur versucht",
        Check::Undefended => "kein Zurückschlagen",
        Check::Searched => "anderer Zug durchsucht",
        Check::MovePassed => "Stellung mit Zugrecht des Gegners durchsucht",
        Check::StaticTerms => "Bewertung an beiden Enden zerlegt",
        Check::Theory => "theoretisches Endspiel",
        Check::PerpetualCheck => "auf jede Antwort ein weiteres Schach",
        Check::Tablebase => "Endspieltabellen",
    }
}

/// A figure of a proof: pawns with a sign, or the mate that it stands for.
fn amount(cp: i32) -> String {
    match Score::from_raw(cp).moves_to_mate() {
        Some(moves) if moves > 0 => format!("Matt in {moves}"),
        Some(moves) => format!("matt in {}", moves.unsigned_abs()),
        None if Score::from_raw(cp).is_decisive() => table_worth(cp).to_owned(),
        None => format!("{:+.2}", f64::from(cp) / 100.0).replace('-', "−"),
    }
}

const fn table_worth(cp: i32) -> &'static str {
    match cp {
        1.. => "gewonnen",
        0 => "remis",
        _ => "verloren",
    }
}

const fn throwing_away(result: TablebaseResult, instead: TablebaseResult) -> &'static str {
    match (result, instead) {
        (TablebaseResult::Draw, _) => "vergibt den Gewinn: Das Endspiel ist laut Endspieltabellen remis",
        (_, TablebaseResult::Win) => "vergibt den Gewinn und verliert laut Endspieltabellen sogar",
        _ => "verliert laut Endspieltabellen ein remises Endspiel",
    }
}

/// A long line is not forced move by move.
const fn in_the_long_run(is_long: bool) -> &'static str {
    if is_long { "auf lange Sicht " } else { "" }
}

fn glyph(mark: Option<Mark>) -> &'static str {
    mark.map_or("", Mark::symbol)
}

const fn mark_name(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "Ungenauigkeit",
        Mark::Mistake => "Fehler",
        Mark::Blunder => "Grober Fehler",
    }
}

const fn praise(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Brilliant => "!!",
        Verdict::OnlyMove => "!",
        _ => "",
    }
}

const fn named(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Inaccuracy => "eine Ungenauigkeit",
        Verdict::Mistake => "ein Fehler",
        Verdict::Blunder => "ein grober Fehler",
        Verdict::MissedWin => "ein verpasster Gewinn",
        Verdict::MissedMate => "ein verpasstes Matt",
        Verdict::AllowedMate => "ein grober Fehler, der Matt zulässt",
        Verdict::Best | Verdict::Brilliant | Verdict::OnlyMove => "der beste Zug",
        Verdict::Good => "ein guter Zug",
    }
}

const fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Brilliant => "brillant",
        Verdict::OnlyMove => "einziger Zug",
        Verdict::Best => "bester Zug",
        Verdict::Good => "gut",
        Verdict::Inaccuracy => "Ungenauigkeit",
        Verdict::Mistake => "Fehler",
        Verdict::Blunder => "grober Fehler",
        Verdict::MissedWin => "verpasster Gewinn",
        Verdict::MissedMate => "verpasstes Matt",
        Verdict::AllowedMate => "zugelassenes Matt",
    }
}

const fn is_feminine(kind: Role) -> bool {
    matches!(kind, Role::Queen)
}

/// A kind of piece without an article: `Bauern` where the case changes it.
const fn role(kind: Role, case: Case) -> &'static str {
    match (kind, case) {
        (Role::Pawn, Nominative) => "Bauer",
        (Role::Pawn, Accusative | Dative) => "Bauern",
        (Role::Knight, _) => "Springer",
        (Role::Bishop, _) => "Läufer",
        (Role::Rook, _) => "Turm",
        (Role::Queen, _) => "Dame",
        (Role::King, _) => "König",
    }
}

const fn plural(kind: Role) -> &'static str {
    match kind {
        Role::Pawn => "Bauern",
        Role::Knight => "Springer",
        Role::Bishop => "Läufer",
        Role::Rook => "Türme",
        Role::Queen => "Damen",
        Role::King => "Könige",
    }
}

/// `der Springer`, `die Dame`.
fn the(kind: Role, case: Case) -> String {
    let article = match (is_feminine(kind), case) {
        (true, Nominative | Accusative) => "die",
        (true, Dative) | (false, Nominative) => "der",
        (false, Accusative) => "den",
        (false, Dative) => "dem",
    };
    format!("{article} {}", role(kind, case))
}

/// `ein Springer`; of the queen there is one: `die Dame`.
fn a(kind: Role, case: Case) -> String {
    let article = match (kind, case) {
        (Role::King | Role::Queen, _) => return the(kind, case),
        (_, Nominative) => "ein",
        (_, Accusative) => "einen",
        (_, Dative) => "einem",
    };
    format!("{article} {}", role(kind, case))
}

/// `der König`, `der Springer auf f6`.
fn standing(piece: PlacedPiece, case: Case) -> String {
    match piece.role {
        Role::King => the(Role::King, case),
        kind => format!("{} auf {}", the(kind, case), piece.square),
    }
}

/// `a`, `a und b`, `a, b und c`.
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} und {last}", first.join(", ")),
    }
}

/// `einen Springer und zwei Bauern`: what is won, lost or paid with.
fn pieces(roles: &[Role]) -> String {
    let mut kinds: Vec<(Role, usize)> = Vec::new();
    for kind in roles {
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((*kind, 1)),
        }
    }
    let counted = |(kind, count): &(Role, usize)| match count {
        1 => a(*kind, Accusative),
        2 => format!("zwei {}", plural(*kind)),
        3 => format!("drei {}", plural(*kind)),
        4 => format!("vier {}", plural(*kind)),
        count => format!("{count} {}", plural(*kind)),
    };
    list(&kinds.iter().map(counted).collect::<Vec<_>>())
}

/// What is given and what comes back: `die Qualität`, `einen Springer für zwei Bauern`.
fn traded(given: &[Role], back: &[Role]) -> String {
    match (given, back) {
        ([Role::Rook], [Role::Bishop | Role::Knight]) => "die Qualität".to_owned(),
        ([Role::Rook, Role::Pawn], [Role::Bishop | Role::Knight]) => {
            "die Qualität und einen Bauern".to_owned()
        }
        ([Role::Rook], [Role::Bishop | Role::Knight, Role::Pawn]) => {
            "die Qualität für einen Bauern".to_owned()
        }
        ([], _) => "Material".to_owned(),
        (given, []) => pieces(given),
        (given, back) => format!("{} für {}", pieces(given), pieces(back)),
    }
}

/// `gewinnt einen Turm und verwandelt einen Bauern in eine Dame`.
fn winning(balance: &Balance) -> String {
    let Balance { lost, won, promoted, conceded, .. } = balance;
    let against = against(conceded);
    match (won.is_empty() && lost.is_empty(), promoted.is_empty()) {
        (_, true) => format!("gewinnt {}{against}", traded(won, lost)),
        (true, false) => format!("verwandelt {}{against}", into(promoted)),
        (false, false) if won.is_empty() => {
            format!("verwandelt für {} {}{against}", pieces(lost), into(promoted))
        }
        (false, false) => format!("gewinnt {} und verwandelt {}{against}", traded(won, lost), into(promoted)),
    }
}

/// A piece that the other side's pawn became: ` gegen eine neue Dame`.
fn against(promoted: &[Role]) -> String {
    match promoted {
        [] => String::new(),
        [Role::Queen] => " gegen eine neue Dame".to_owned(),
        [one] => format!(" gegen einen neuen {}", role(*one, Accusative)),
        many => format!(" gegen {}", pieces(many)),
    }
}

/// The same in a subordinate clause: `einen Turm gewinnt und einen Bauern in eine Dame verwandelt`.
fn winning_after(balance: &Balance) -> String {
    let Balance { lost, won, promoted, conceded, .. } = balance;
    let against = against(conceded);
    match (won.is_empty() && lost.is_empty(), promoted.is_empty()) {
        (_, true) => format!("{}{against} gewinnt", traded(won, lost)),
        (true, false) => format!("{}{against} verwandelt", into(promoted)),
        (false, false) if won.is_empty() => {
            format!("für {} {}{against} verwandelt", pieces(lost), into(promoted))
        }
        (false, false) => format!("{} gewinnt und {}{against} verwandelt", traded(won, lost), into(promoted)),
    }
}

/// `verliert einen Springer für einen Bauern`, `verliert einen Turm und lässt einen Bauern zur Dame werden`.
fn losing(balance: &Balance, how: &str) -> String {
    let Balance { lost, won, promoted, conceded, .. } = balance;
    let against = against(promoted);
    let lets = || match conceded.as_slice() {
        [Role::Queen] => format!("lässt einen Bauern{against} zur Dame werden"),
        [one] => format!("lässt einen Bauern{against} zum {} werden", role(*one, Dative)),
        many => format!("lässt Bauern{against} zu mehreren Figuren werden: {}", pieces(many)),
    };
    match (lost.is_empty(), conceded.is_empty()) {
        (_, true) => format!("verliert {how}{}{against}", traded(lost, won)),
        (true, false) => lets(),
        (false, false) => format!("verliert {how}{} und {}", traded(lost, won), lets()),
    }
}

/// `einen Bauern in eine Dame`: what a pawn became.
fn into(promoted: &[Role]) -> String {
    match promoted {
        [Role::Queen] => "einen Bauern in eine Dame".to_owned(),
        [one] => format!("einen Bauern in {}", a(*one, Accusative)),
        many => format!("Bauern in {}", pieces(many)),
    }
}

/// What comes of a threat, after its move; nothing after one that mates at once.
fn gaining(gain: &Gain, which: &str) -> String {
    match gain {
        Gain::Mate(1) => String::new(),
        Gain::Mate(moves) => format!(" mit Matt in {moves}"),
        Gain::Material(balance) => format!(", {which} {}", winning_after(balance)),
    }
}

/// What follows a move that was just named, if something does.
fn shown(line: Option<&str>) -> String {
    line.map(|line| format!(": {line}")).unwrap_or_default()
}

/// `schlägt den Springer auf e5`, `tauscht die Damen`; and the same in a subordinate clause.
fn taking(taken: Taken) -> (String, String) {
    let (verb, what) = match taken {
        Taken::Won(piece) => ("schlägt", standing(piece, Accusative)),
        Taken::Exchanged { own, piece } if own == piece.role => ("tauscht", format!("die {}", plural(own))),
        Taken::Exchanged { piece, .. } => ("tauscht", format!("auf {}", piece.square)),
    };
    (format!("{verb} {what}"), format!("{what} {verb}"))
}

/// What the best move does; and the same in a subordinate clause.
const fn keeping(standing: BestStanding) -> (&'static str, &'static str) {
    match standing {
        BestStanding::Mates => ("führt zum Matt", "zum Matt führt"),
        BestStanding::Wins => ("behält eine Gewinnstellung", "eine Gewinnstellung behält"),
        BestStanding::Advantage => ("behält den Vorteil", "den Vorteil behält"),
        BestStanding::Balance => ("hält das Gleichgewicht", "das Gleichgewicht hält"),
        BestStanding::Damage => ("begrenzt den Schaden", "den Schaden begrenzt"),
        BestStanding::Resistance => ("leistet mehr Widerstand", "mehr Widerstand leistet"),
        BestStanding::LastsLonger => ("hält länger durch", "länger durchhält"),
    }
}

const fn ended(end: &End) -> &'static str {
    match end {
        End::Mate(_) => "ist matt",
        End::Stalemate => "ist patt",
        End::InsufficientMaterial => "lässt zu wenig Material zum Mattsetzen",
        End::Repetition => "wiederholt die Stellung",
        End::PerpetualCheck(_) => "gibt Dauerschach",
        End::Quiet => "ist ruhig",
    }
}

const fn heading_name(heading: Heading) -> &'static str {
    match heading {
        Heading::Material => "Material",
        Heading::KingSafety => "Königssicherheit",
        Heading::PawnStructure => "Bauernstruktur",
        Heading::PieceActivity => "Figurenaktivität",
        Heading::PassedPawns => "Freibauern",
        Heading::Space => "Raum",
        Heading::Initiative => "Initiative",
        Heading::Coordination => "Zusammenspiel der Figuren",
        Heading::Other => "Sonstiges",
    }
}

/// Where something changes: `bei der Königssicherheit`.
const fn in_which(heading: Heading) -> &'static str {
    match heading {
        Heading::Material => "beim Material",
        Heading::KingSafety => "bei der Königssicherheit",
        Heading::PawnStructure => "bei der Bauernstruktur",
        Heading::PieceActivity => "bei der Figurenaktivität",
        Heading::PassedPawns => "bei den Freibauern",
        Heading::Space => "beim Raum",
        Heading::Initiative => "bei der Initiative",
        Heading::Coordination => "beim Zusammenspiel der Figuren",
        Heading::Other => "beim Übrigen",
    }
}

/// What to think of: `an die Königssicherheit`.
const fn of_which(heading: Heading) -> &'static str {
    match heading {
        Heading::Material => "an das Material",
        Heading::KingSafety => "an die Königssicherheit",
        Heading::PawnStructure => "an die Bauernstruktur",
        Heading::PieceActivity => "an die Aktivität der Figuren",
        Heading::PassedPawns => "an die Freibauern",
        Heading::Space => "an den Raum",
        Heading::Initiative => "an die Initiative",
        Heading::Coordination => "an das Zusammenspiel der Figuren",
        Heading::Other => "an das Übrige",
    }
}

/// `0.45 bei der Königssicherheit (vor allem der Bauernschutz)`.
fn in_heading(change: &TermChange) -> String {
    let amount = f64::from(change.cp) / 100.0;
    let heading = in_which(change.heading);
    let shown = change.fact.filter(|_| change.leading.is_some()).map(fact);
    match shown.or_else(|| change.leading.as_deref().and_then(term).map(|term| format!("vor allem {term}"))) {
        Some(shown) => format!("{amount:.2} {heading} ({shown})"),
        None => format!("{amount:.2} {heading}"),
    }
}

/// `der Bauer auf d5 wird isoliert`.
fn fact(fact: Fact) -> String {
    let Fact { feature, side, square, is_gained } = fact;
    let (player, file) = (name(side), square.file());
    let kind = |role: Role| match role {
        Role::Bishop => "Läufervorposten",
        _ => "Springervorposten",
    };
    match (feature, is_gained) {
        (Feature::Isolated, _) => format!("der Bauer auf {square} wird isoliert"),
        (Feature::Doubled, _) => format!("{player} bekommt einen Doppelbauern auf der {file}-Linie"),
        (Feature::Backward, _) => format!("der Bauer auf {square} wird rückständig"),
        (Feature::Passed, true) => format!("{player} bekommt einen Freibauern auf {square}"),
        (Feature::Passed, false) => format!("ohne den Freibauern auf {square}"),
        (Feature::Outpost(role), true) => format!("{player} bekommt einen {} auf {square}", kind(role)),
        (Feature::Outpost(role), false) => format!("ohne den {} auf {square}", kind(role)),
        (Feature::OpenFile, true) => {
            format!("der {} Turm besetzt die offene {file}-Linie", side.fold_wb("weiße", "schwarze"))
        }
        (Feature::OpenFile, false) => format!("ohne den Turm auf der offenen {file}-Linie"),
    }
}

/// A term of the evaluation in a chess book's words; none where the heading already says it.
fn term(name: &str) -> Option<&'static str> {
    Some(match name {
        "king shelter" => "der Bauernschutz",
        "pawn storm" => "der Bauernsturm",
        "king danger" => "der Angriff auf den König",
        "castling rights" => "das Rochaderecht",
        "files at the king" => "offene Linien am König",
        "king mobility" => "die Beweglichkeit des Königs",
        "isolated pawns" => "isolierte Bauern",
        "doubled pawns" => "Doppelbauern",
        "backward pawns" => "rückständige Bauern",
        "supported pawns" => "gedeckte Bauern",
        "pawns side by side" => "Bauernduos",
        "blocked pawns" => "blockierte Bauern",
        "pawn islands" => "Bauerninseln",
        "pawn majorities" => "die Bauernmehrheit",
        "knight mobility" => "die Beweglichkeit der Springer",
        "bishop mobility" => "die Beweglichkeit der Läufer",
        "rook mobility" => "die Beweglichkeit der Türme",
        "queen mobility" => "die Beweglichkeit der Dame",
        "outposts" | "outposts in reach" => "Vorposten",
        "rook files" => "Türme auf offenen Linien",
        "rook on the seventh" => "ein Turm auf der siebten Reihe",
        "trapped rooks" => "ein vom König eingesperrter Turm",
        "threats" | "threats by safe pawns" | "pawn threats to come" => "Drohungen",
        "pinned" => "Fesselungen",
        "tempo" => "das Zugrecht",
        "linked passed pawns" => "verbundene Freibauern",
        "blocked passed pawns" => "ein blockierter Freibauer",
        "candidate passed pawns" => "mögliche Freibauern",
        "unstoppable pawns" => "ein unaufhaltsamer Bauer",
        "rooks behind passed pawns" => "ein Turm hinter dem Freibauern",
        "restriction" => "die Einschränkung der gegnerischen Figuren",
        _ => return None,
    })
}

fn pattern(theme: Theme) -> &'static str {
    match theme {
        Theme::SmotheredMate => "ein ersticktes Matt",
        Theme::BackRankMate => "ein Grundreihenmatt",
        Theme::AnastasiaMate => "ein Anastasia-Matt",
        Theme::HookMate => "ein Hakenmatt",
        Theme::ArabianMate => "ein arabisches Matt",
        Theme::BodenMate => "ein Boden-Matt",
        Theme::DoubleBishopMate => "ein Matt mit zwei Läufern",
        Theme::DovetailMate => "ein Cozio-Matt",
        _ => "matt",
    }
}

/// What makes a line work.
fn motif(facts: &MotifFacts) -> String {
    let MotifFacts { theme, shown_by, next, actor, targets, square, escape, is_played, instead } = facts;
    let shown_by = if *is_played { "Der Zug" } else { shown_by };
    let target = |case| targets.first().map(|piece| standing(*piece, case)).unwrap_or_default();
    let is_her = targets.first().is_some_and(|piece| is_feminine(piece.role));
    let actor = |case| actor.map(|piece| standing(piece, case)).unwrap_or_default();
    let next = next.clone().unwrap_or_default();
    let square = square.map(|square| square.to_string()).unwrap_or_default();
    match theme {
        Theme::Fork => {
            let forked: Vec<String> = targets.iter().map(|piece| standing(*piece, Accusative)).collect();
            format!("{shown_by} ist eine Gabel gegen {}.", list(&forked))
        }
        Theme::HangingPiece => format!("{} ist ungedeckt.", capitalised(&target(Nominative))),
        Theme::Pin if *escape => {
            format!("{} ist an den König gefesselt und kann nicht weg.", capitalised(&target(Nominative)))
        }
        Theme::Pin => {
            format!(
                "{} ist an den König gefesselt und darf nicht schlagen.",
                capitalised(&target(Nominative))
            )
        }
        Theme::RelativePin => match targets.as_slice() {
            [_, back] => format!(
                "{} ist an {} gefesselt und kann nicht weg.",
                capitalised(&target(Nominative)),
                standing(*back, Accusative)
            ),
            _ => format!("{} ist gefesselt.", capitalised(&target(Nominative))),
        },
        Theme::Overloading => match targets.as_slice() {
            [_, one, other] => format!(
                "{} ist überlastet: {} deckt sowohl {} als auch {}.",
                capitalised(&target(Nominative)),
                if is_her { "Sie" } else { "Er" },
                one.square,
                other.square
            ),
            _ => format!("{} ist überlastet.", capitalised(&target(Nominative))),
        },
        Theme::Skewer => match targets.as_slice() {
            [front, back] => format!(
                "{shown_by} ist ein Spieß: Hinter {} steht {}.",
                standing(*front, Dative),
                standing(*back, Nominative)
            ),
            _ => format!("{shown_by} ist ein Spieß."),
        },
        Theme::DiscoveredAttack if targets.first().is_some_and(|target| target.role == Role::King) => {
            format!("{shown_by} ist ein Abzugsschach durch {}.", actor(Accusative))
        }
        Theme::DiscoveredAttack => format!(
            "{shown_by} ist ein Abzugsangriff: {} greift {} an.",
            capitalised(&actor(Nominative)),
            target(Accusative)
        ),
        Theme::DoubleCheck => format!("{shown_by} ist ein Doppelschach: Nur ein Königszug hilft."),
        Theme::TrappedPiece => format!(
            "{} ist gefangen: Auf jedem erreichbaren Feld geht {} verloren.",
            capitalised(&target(Nominative)),
            if is_her { "sie" } else { "er" }
        ),
        Theme::XRayAttack => {
            format!("{shown_by} schlägt über das frei gewordene Feld zurück: ein Röntgenangriff.")
        }
        Theme::CapturingDefender => format!("{shown_by} beseitigt den Verteidiger von {square}."),
        Theme::Deflection => format!(
            "{shown_by} lenkt {} ab, {} {square} deckt.",
            target(Accusative),
            if is_her { "die" } else { "der" }
        ),
        Theme::Attraction => format!(
            "{shown_by} lockt {} nach {square}, wo {} {next} angreift.",
            target(Accusative),
            if is_her { "sie" } else { "ihn" }
        ),
        Theme::Interference => format!("{shown_by} schneidet {} von {square} ab.", target(Accusative)),
        Theme::Clearance => format!("{shown_by} macht den Weg für {next} frei."),
        Theme::Intermezzo => {
            format!("{shown_by} ist ein Zwischenzug: Das Schlagen auf {square} kann warten.")
        }
        Theme::UnderPromotion => {
            let worth = instead.map(|instead| format!(" ({})", score(instead))).unwrap_or_default();
            format!("{shown_by} ist eine Unterverwandlung: Eine Dame wäre schlechter{worth}.")
        }
        Theme::AdvancedPawn => format!("Alles dreht sich um {}.", actor(Accusative)),
        Theme::ExposedKing => format!(
            "Der König auf {} steht offen: Kein eigener Bauer steht neben oder vor ihm.",
            targets.first().map(|king| king.square.to_string()).unwrap_or_default()
        ),
        Theme::QuietMove if *is_played => {
            "Es ist ein stiller Zug, stärker als jedes Schach und jedes Schlagen.".to_owned()
        }
        Theme::QuietMove => format!("Das stille {shown_by} ist stärker als jedes Schach und jedes Schlagen."),
        Theme::DefensiveMove => format!("{shown_by} ist die einzige Verteidigung."),
        other => format!("{shown_by} zeigt das Motiv {other}."),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
