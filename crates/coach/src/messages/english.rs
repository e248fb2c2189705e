//! The catalogue in English.

use shakmaty::{Color, Role};
use tabia_core::Score;
use tabia_core::chances::Mark;
use tabia_core::chess::role_name as role;
use tabia_search::engine::tablebases::TablebaseResult;

use super::{
    BestStanding, Gain, Hint, Label, Language, MotifFacts, PlacedPiece, Sentence, Taken, TermChange,
    WhiteScore,
};
use crate::motif::Theme;
use crate::outcome::{Balance, End};
use crate::proof::{Check, Evidence};
use crate::structure::{Fact, Feature};
use crate::verdict::Verdict;

/// English, as chess books write it.
#[derive(Copy, Clone, Debug, Default)]
pub struct English;

impl Language for English {
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
        mate.map_or_else(|| format!("{:.2}", f64::from(cp) / 100.0), |moves| format!("mate in {moves}"))
    }

    fn proof(&self, evidence: &Evidence, mate: Option<u32>) -> String {
        proof(evidence, mate)
    }

    fn label(&self, label: Label) -> &'static str {
        match label {
            Label::Verdict => "verdict",
            Label::Played => "played",
            Label::Best => "best",
            Label::Reason => "reason",
            Label::Motif => "motif",
            Label::Worth => "worth",
            Label::Proof => "proof",
            Label::AgainstBest => "change against the best line",
            Label::ByLine => "change by the line",
            Label::White => "White",
            Label::Further => "further calculation",
            Label::Heading(heading) => heading.name(),
            Label::VerdictName(verdict) => verdict.name(),
            Label::Kind(kind) => kind,
            Label::Exercise => "Exercise",
            Label::ToMove(Color::White) => "White to move",
            Label::ToMove(Color::Black) => "Black to move",
            Label::Game => "game",
            Label::MovePlayed => "Played",
            Label::Hint => "Hint",
            Label::Solutions => "Solutions",
            Label::Or => "or",
            Label::NoExercise => "No mistake of these games makes an exercise.",
        }
    }
}

fn hint(hint: &Hint) -> String {
    match hint {
        Hint::Mate(1) => "There is a mate in one.".to_owned(),
        Hint::Mate(moves) => format!("There is a forced mate in {moves}."),
        Hint::Motif(theme) => motif_hint(*theme).to_owned(),
        Hint::Draw(End::PerpetualCheck(_)) => "Checks can hold the draw.".to_owned(),
        Hint::Draw(End::Stalemate) => "Stalemate can hold the draw.".to_owned(),
        Hint::Draw(_) => "The draw can be held.".to_owned(),
        Hint::TakeBack => "Something was just taken. What is the best way to take back?".to_owned(),
        Hint::Win => "Material can be won.".to_owned(),
        Hint::Threat(side) => format!("What does {} threaten?", name(*side)),
        Hint::Reply { side, played } => {
            format!("{} has a strong reply to {played}. Find a move that does not allow it.", name(*side))
        }
        Hint::Heading(heading) => format!("Think of {heading}."),
        Hint::Nothing => "There is a better move.".to_owned(),
    }
}

const fn motif_hint(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => "Look for a fork.",
        Theme::Pin | Theme::RelativePin => "One of the pieces is pinned.",
        Theme::Overloading => "One piece has too much to guard.",
        Theme::Skewer => "Look for a skewer.",
        Theme::DiscoveredAttack => "Look for a discovered attack.",
        Theme::DoubleCheck => "Look for a double check.",
        Theme::HangingPiece => "Something is undefended.",
        Theme::TrappedPiece => "One of the pieces has no safe square.",
        Theme::CapturingDefender => "A defender can be removed.",
        Theme::Deflection => "A defender can be drawn away.",
        Theme::Attraction => "A piece can be drawn to a worse square.",
        Theme::Interference => "A defender can be cut off.",
        Theme::Clearance => "One of your own pieces is in the way.",
        Theme::Intermezzo => "There is something better than taking back at once.",
        Theme::XRayAttack => "Look through the pieces: an attack goes on behind them.",
        Theme::UnderPromotion => "A queen is not always the best piece.",
        Theme::Promotion => "A pawn can promote.",
        Theme::AdvancedPawn => "Look at the advanced pawn.",
        Theme::ExposedKing => "The enemy king is exposed.",
        Theme::QuietMove => "The solution is a quiet move.",
        Theme::DefensiveMove => "There is only one good move.",
        _ => "There is a tactical solution.",
    }
}

fn sentence(sentence: &Sentence) -> String {
    use Sentence as S;
    match sentence {
        S::Marked { mark, best, mates } => {
            let mark = capitalised(mark.name());
            match best {
                Some(best) if *mates => format!("{mark}. {best} mates."),
                Some(best) => format!("{mark}. {best} was best."),
                None => format!("{mark}."),
            }
        }
        S::Loses { played, mark, balance, line, is_long } => {
            format!("{played}{} {}{}: {line}.", glyph(*mark), losing(balance), in_the_long_run(*is_long))
        }
        S::AllowsMate { played, mark, moves, line, proved: true } => {
            format!("{played}{} allows mate in {moves}: {line}.", glyph(*mark))
        }
        S::AllowsMate { played, mark, moves, line, proved: false } => {
            format!(
                "{played}{} runs into a mating attack; the search sees mate in {moves}: {line}.",
                glyph(*mark)
            )
        }
        S::MissesMate { played, mark, best, moves, line } => match moves {
            0 | 1 => format!("{played}{} misses mate in one: {best}.", glyph(*mark)),
            _ => format!(
                "{played}{} misses {best}, which mates in {moves}{}.",
                glyph(*mark),
                shown(line.as_deref())
            ),
        },
        S::Misses { played, mark, best, balance, line, is_long } => {
            format!(
                "{played}{} misses {best}, which {}{}{}.",
                glyph(*mark),
                winning(balance, "wins", "makes"),
                in_the_long_run(*is_long),
                shown(line.as_deref())
            )
        }
        S::MissesDraw { played, mark, best, end, line } => {
            format!("{played}{} misses {best}, which draws: {line} {}.", glyph(*mark), ended(end))
        }
        S::Table { played, mark, result, instead: Some(instead), .. } => {
            format!("{played}{} {}, by the endgame tables.", glyph(*mark), throwing_away(*result, *instead))
        }
        S::Table { played, mark, result, instead: None, line } => {
            let ending = if *result == TablebaseResult::Draw { "drawn" } else { "lost" };
            format!(
                "{played}{} leads to an ending that is {ending} by the endgame tables: {line}.",
                glyph(*mark)
            )
        }
        S::TableKeeps { played, verdict, result, instead } => {
            let keeps = if *result == TablebaseResult::Win { "wins" } else { "holds the draw" };
            let others = match instead {
                Some(TablebaseResult::Draw) => "other moves only draw",
                _ => "other moves lose",
            };
            format!("{played}{} {keeps}, by the endgame tables; {others}.", praise(*verdict))
        }
        S::StillWins { played, mark, best, from, to } => {
            format!(
                "{played}{} still wins, but less easily ({} → {}). {best} is more precise.",
                glyph(*mark),
                score(*from),
                score(*to)
            )
        }
        S::MissesRecapture { played, mark, best, line } => {
            format!("{played}{} does not take back; {best} does{}.", glyph(*mark), shown(line.as_deref()))
        }
        S::LetsSlip { played, mark, end, line } => {
            format!("{played}{} lets the win slip: {line} {}.", glyph(*mark), ended(end))
        }
        S::WrongBishop { played, mark, corner, line } => format!(
            "{played}{} lets the win slip: after {line} the bishop does not control {corner}, and the king cannot be \
             driven from the corner.",
            glyph(*mark)
        ),
        S::Judged { played, mark, verdict, from, to } => {
            format!("{played}{} is {} ({} → {}).", glyph(*mark), named(*verdict), score(*from), score(*to))
        }
        S::Beyond { played, mark, verdict, from, to } => {
            format!(
                "{played}{} is {} ({} → {}); the reason is beyond this analysis.",
                glyph(*mark),
                named(*verdict),
                score(*from),
                score(*to)
            )
        }
        S::Costs { changes, is_all } => {
            let rest = if *is_all { "" } else { "; the rest lies in further calculation" };
            format!("It costs {}{rest}.", list(&changes.iter().map(in_heading).collect::<Vec<_>>()))
        }
        S::Improves { changes } => {
            format!("It gains {}.", list(&changes.iter().map(in_heading).collect::<Vec<_>>()))
        }
        S::Motif(facts) => motif(facts),
        S::MatePattern { theme } => format!("It is {}.", pattern(*theme)),
        S::IgnoresThreat { threat: Some(threat) } => format!("It overlooks the threat of {threat}."),
        S::IgnoresThreat { threat: None } => "It overlooks this threat, which was there already.".to_owned(),
        S::ParriesThreat { threat, gain } => format!("It parries the threat of {threat}{}.", gaining(gain)),
        S::Threatens { side, threat, gain } => {
            format!("{} threatens {threat}{}.", name(*side), gaining(gain))
        }
        S::BestWas { best, score: value, standing: how, takes, is_only } => {
            let takes = takes.map(|taken| format!("{} and ", taking(taken))).unwrap_or_default();
            let only = if *is_only { "is the only move that " } else { "" };
            format!("{best} {only}{takes}{} ({}).", keeping(*how), score(*value))
        }
        S::Unguards { piece, square } => {
            format!("{} no longer guards {square}.", capitalised(&format!("the {}", role(*piece))))
        }
        S::OpensLine { attacker, target } => {
            format!("It opens the line of {} to {}.", standing(*attacker), standing(*target))
        }
        S::FollowUpFails { check, reply } => format!("{check} is met by {reply}."),
        S::ForcesMate { played, verdict, moves, line, proved } => {
            let how = if *proved { "forces mate" } else { "leads to mate" };
            match moves {
                0 | 1 => format!("{played}{} mates.", praise(*verdict)),
                _ => format!("{played}{} {how} in {moves}: {line}.", praise(*verdict)),
            }
        }
        S::Wins { played, verdict, balance, line } => {
            let wins = winning(balance, "wins", "makes");
            format!("{played}{} {wins}{}.", praise(*verdict), shown(line.as_deref()))
        }
        S::Draws { played, verdict, end, line } => {
            format!("{played}{} holds the draw: {line} {}.", praise(*verdict), ended(end))
        }
        S::DrawsWrongBishop { played, verdict, corner, line } => format!(
            "{played}{} holds the draw: after {line} the bishop does not control {corner}, and the king cannot be \
             driven from the corner.",
            praise(*verdict)
        ),
        S::IsGood { played, verdict, score: value, better } => match (verdict, better) {
            (Verdict::OnlyMove | Verdict::Brilliant, _) => {
                format!("{played}{} is the only good move ({}).", praise(*verdict), score(*value))
            }
            (Verdict::Good, Some(best)) => {
                format!("{played} is good ({}); {best} is slightly better.", score(*value))
            }
            (Verdict::Good, None) => format!("{played} is good ({}).", score(*value)),
            _ => format!("{played} is best ({}).", score(*value)),
        },
        S::Sacrifices { role, square } => format!("It offers {} on {square}.", the(*role)),
        S::Zugzwang { side } => format!("{} is in zugzwang: any move makes things worse.", name(*side)),
    }
}

/// `White` or `Black`.
const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// In pawns: `+0.35`, `−1.20`; `#3` for White's mate in three, `#−2` for Black's.
fn score(score: WhiteScore) -> String {
    let text = match score.mate {
        Some(moves) => format!("#{moves}"),
        None if score.white.is_decisive() => {
            format!("{} wins", name(if score.white > Score::DRAW { Color::White } else { Color::Black }))
        }
        None => score.white.to_string(),
    };
    text.replace('-', "−")
}

fn proof(evidence: &Evidence, mate: Option<u32>) -> String {
    let name = evidence.check.name();
    match (evidence.check, mate) {
        (Check::FullWidthMate | Check::LinePlayed, Some(moves)) => format!("{name} (mate in {moves})"),
        (Check::Tablebase, _) => {
            format!(
                "{name} ({}, else {})",
                table_worth(evidence.actual_cp),
                table_worth(evidence.counterfactual_cp)
            )
        }
        _ => format!("{name} ({}, else {})", amount(evidence.actual_cp), amount(evidence.counterfactual_cp)),
    }
}

/// A figure of a proof: pawns with a sign, or the mate that it stands for.
fn amount(cp: i32) -> String {
    match Score::from_raw(cp).moves_to_mate() {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", moves.unsigned_abs()),
        None if Score::from_raw(cp).is_decisive() => table_worth(cp).to_owned(),
        None => format!("{:+.2}", f64::from(cp) / 100.0).replace('-', "−"),
    }
}

const fn table_worth(cp: i32) -> &'static str {
    match cp {
        1.. => "won",
        0 => "drawn",
        _ => "lost",
    }
}

const fn throwing_away(result: TablebaseResult, instead: TablebaseResult) -> &'static str {
    match (result, instead) {
        (TablebaseResult::Draw, _) => "throws the win away: the ending is drawn",
        (_, TablebaseResult::Win) => "throws the win away and loses",
        _ => "loses a drawn ending",
    }
}

/// A long line is not forced move by move.
const fn in_the_long_run(is_long: bool) -> &'static str {
    if is_long { " in the long run" } else { "" }
}

fn glyph(mark: Option<Mark>) -> &'static str {
    mark.map_or("", Mark::symbol)
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
        Verdict::Inaccuracy => "an inaccuracy",
        Verdict::Mistake => "a mistake",
        Verdict::Blunder => "a blunder",
        Verdict::MissedWin => "a missed win",
        Verdict::MissedMate => "a missed mate",
        Verdict::AllowedMate => "a blunder that allows mate",
        Verdict::Best | Verdict::Brilliant | Verdict::OnlyMove => "the best move",
        Verdict::Good => "a good move",
    }
}

fn the(kind: Role) -> String {
    match kind {
        Role::King | Role::Queen => format!("the {}", role(kind)),
        _ => format!("a {}", role(kind)),
    }
}

/// `the king`, `the knight on f6`.
fn standing(piece: PlacedPiece) -> String {
    match piece.role {
        Role::King => "the king".to_owned(),
        kind => format!("the {} on {}", role(kind), piece.square),
    }
}

/// `a`, `a and b`, `a, b and c`.
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `two pawns and a knight`.
fn pieces(roles: &[Role]) -> String {
    let mut kinds: Vec<(Role, usize)> = Vec::new();
    for kind in roles {
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((*kind, 1)),
        }
    }
    let counted = |(kind, count): &(Role, usize)| match count {
        1 => the(*kind),
        2 => format!("two {}s", role(*kind)),
        3 => format!("three {}s", role(*kind)),
        4 => format!("four {}s", role(*kind)),
        count => format!("{count} {}s", role(*kind)),
    };
    list(&kinds.iter().map(counted).collect::<Vec<_>>())
}

/// What is given and what comes back: `the exchange`, `a knight for two pawns`.
fn traded(given: &[Role], back: &[Role]) -> String {
    match (given, back) {
        ([Role::Rook], [Role::Bishop | Role::Knight]) => "the exchange".to_owned(),
        ([Role::Rook, Role::Pawn], [Role::Bishop | Role::Knight]) => "the exchange and a pawn".to_owned(),
        ([Role::Rook], [Role::Bishop | Role::Knight, Role::Pawn]) => "the exchange for a pawn".to_owned(),
        ([], _) => "material".to_owned(),
        (given, []) => pieces(given),
        (given, back) => format!("{} for {}", pieces(given), pieces(back)),
    }
}

/// `wins a knight for two pawns`, `wins a rook and makes a queen`.
fn winning(balance: &Balance, wins: &str, makes: &str) -> String {
    let Balance { lost, won, promoted, conceded, .. } = balance;
    let told = match (won.is_empty() && lost.is_empty(), promoted.is_empty()) {
        (_, true) => format!("{wins} {}", traded(won, lost)),
        (true, false) => format!("{makes} {}", new(promoted)),
        (false, false) if won.is_empty() => format!("{makes} {} for {}", new(promoted), pieces(lost)),
        (false, false) => format!("{wins} {} and {makes} {}", traded(won, lost), new(promoted)),
    };
    if conceded.is_empty() { told } else { format!("{told} against {}", new(conceded)) }
}

/// `loses a knight for a pawn`, `loses a rook and lets Black make a queen`.
fn losing(balance: &Balance) -> String {
    let Balance { lost, won, promoted, conceded, .. } = balance;
    let told = match (lost.is_empty(), conceded.is_empty()) {
        (_, true) => format!("loses {}", traded(lost, won)),
        (true, false) => format!("lets a pawn become {}", new(conceded)),
        (false, false) => format!("loses {} and lets a pawn become {}", traded(lost, won), new(conceded)),
    };
    if promoted.is_empty() { told } else { format!("{told} against {}", new(promoted)) }
}

/// `a queen`: what a pawn became.
fn new(promoted: &[Role]) -> String {
    match promoted {
        [one] => format!("a {}", role(*one)),
        many => pieces(many),
    }
}

/// What comes of a threat, after its move; nothing after one that mates at once.
fn gaining(gain: &Gain) -> String {
    match gain {
        Gain::Mate(1) => String::new(),
        Gain::Mate(moves) => format!(", with mate in {moves}"),
        Gain::Material(balance) => format!(", {}", winning(balance, "winning", "making")),
    }
}

/// What follows a move that was just named, if something does.
fn shown(line: Option<&str>) -> String {
    line.map(|line| format!(": {line}")).unwrap_or_default()
}

/// `takes the knight on e5`, `exchanges queens`.
fn taking(taken: Taken) -> String {
    match taken {
        Taken::Won(piece) => format!("takes {}", standing(piece)),
        Taken::Exchanged { own, piece } if own == piece.role => format!("exchanges {}s", role(own)),
        Taken::Exchanged { piece, .. } => format!("exchanges on {}", piece.square),
    }
}

/// What the best move does.
const fn keeping(standing: BestStanding) -> &'static str {
    match standing {
        BestStanding::Mates => "leads to mate",
        BestStanding::Wins => "keeps a winning advantage",
        BestStanding::Advantage => "keeps the advantage",
        BestStanding::Balance => "keeps the balance",
        BestStanding::Damage => "limits the damage",
        BestStanding::Resistance => "puts up more resistance",
        BestStanding::LastsLonger => "lasts longer",
    }
}

const fn ended(end: &End) -> &'static str {
    match end {
        End::Mate(_) => "is mate",
        End::Stalemate => "is stalemate",
        End::InsufficientMaterial => "leaves too little material to mate",
        End::Repetition => "repeats the position",
        End::PerpetualCheck(_) => "gives perpetual check",
        End::Quiet => "is quiet",
    }
}

/// `0.45 in king safety (mostly the king's shelter)`.
fn in_heading(change: &TermChange) -> String {
    let amount = f64::from(change.cp) / 100.0;
    let shown = change.fact.filter(|_| change.leading.is_some()).map(fact);
    match shown.or_else(|| change.leading.as_deref().and_then(term).map(|term| format!("mostly {term}"))) {
        Some(shown) => format!("{amount:.2} in {} ({shown})", change.heading),
        None => format!("{amount:.2} in {}", change.heading),
    }
}

/// `the pawn on d5 becomes isolated`.
fn fact(fact: Fact) -> String {
    let Fact { feature, side, square, is_gained } = fact;
    let (side, file) = (name(side), square.file());
    match (feature, is_gained) {
        (Feature::Isolated, _) => format!("the pawn on {square} becomes isolated"),
        (Feature::Doubled, _) => format!("{side} gets doubled pawns on the {file}-file"),
        (Feature::Backward, _) => format!("the pawn on {square} becomes backward"),
        (Feature::Passed, true) => format!("{side} gets a passed pawn on {square}"),
        (Feature::Passed, false) => format!("without the passed pawn on {square}"),
        (Feature::Outpost(kind), true) => format!("{side} gets a {} outpost on {square}", role(kind)),
        (Feature::Outpost(kind), false) => format!("without the {} outpost on {square}", role(kind)),
        (Feature::OpenFile, true) => format!("{side}'s rook takes the open {file}-file"),
        (Feature::OpenFile, false) => format!("without the rook on the open {file}-file"),
    }
}

/// A term of the evaluation in a chess book's words; none where the heading already says it.
fn term(name: &str) -> Option<&'static str> {
    Some(match name {
        "king shelter" => "the pawn shelter",
        "pawn storm" => "the pawn storm",
        "king danger" => "the attack on the king",
        "castling rights" => "castling rights",
        "files at the king" => "open files at the king",
        "king mobility" => "the king's mobility",
        "isolated pawns" => "isolated pawns",
        "doubled pawns" => "doubled pawns",
        "backward pawns" => "backward pawns",
        "supported pawns" => "supported pawns",
        "pawns side by side" => "pawn duos",
        "blocked pawns" => "blocked pawns",
        "pawn islands" => "pawn islands",
        "pawn majorities" => "the pawn majority",
        "knight mobility" => "the mobility of the knights",
        "bishop mobility" => "the mobility of the bishops",
        "rook mobility" => "the mobility of the rooks",
        "queen mobility" => "the mobility of the queen",
        "outposts" | "outposts in reach" => "outposts",
        "rook files" => "rooks on open files",
        "rook on the seventh" => "a rook on the seventh rank",
        "trapped rooks" => "a rook shut in by its king",
        "threats" | "threats by safe pawns" | "pawn threats to come" => "threats",
        "pinned" => "pins",
        "tempo" => "the right to move",
        "linked passed pawns" => "connected passed pawns",
        "blocked passed pawns" => "a blockaded passed pawn",
        "candidate passed pawns" => "candidate passed pawns",
        "unstoppable pawns" => "an unstoppable pawn",
        "rooks behind passed pawns" => "a rook behind the passed pawn",
        "restriction" => "restriction of the enemy pieces",
        _ => return None,
    })
}

fn pattern(theme: Theme) -> &'static str {
    match theme {
        Theme::SmotheredMate => "a smothered mate",
        Theme::BackRankMate => "a back-rank mate",
        Theme::AnastasiaMate => "Anastasia's mate",
        Theme::HookMate => "a hook mate",
        Theme::ArabianMate => "an Arabian mate",
        Theme::BodenMate => "Boden's mate",
        Theme::DoubleBishopMate => "a mate by two bishops",
        Theme::DovetailMate => "a dovetail mate",
        _ => "mate",
    }
}

/// What makes a line work.
fn motif(facts: &MotifFacts) -> String {
    let MotifFacts { theme, shown_by, next, actor, targets, square, escape, is_played, instead } = facts;
    let shown_by = if *is_played { "It" } else { shown_by };
    let target = targets.first().copied().map(standing).unwrap_or_default();
    let actor = actor.map(standing).unwrap_or_default();
    let next = next.clone().unwrap_or_default();
    let square = square.map(|square| square.to_string()).unwrap_or_default();
    match theme {
        Theme::Fork => {
            format!("{shown_by} forks {}.", list(&targets.iter().copied().map(standing).collect::<Vec<_>>()))
        }
        Theme::HangingPiece => format!("{} is undefended.", capitalised(&target)),
        Theme::Pin if *escape => {
            format!("{} is pinned to its king and cannot get away.", capitalised(&target))
        }
        Theme::Pin => format!("{} is pinned to its king and cannot take.", capitalised(&target)),
        Theme::RelativePin => match targets.as_slice() {
            [front, back] => format!(
                "{} is pinned to {} and cannot get away.",
                capitalised(&standing(*front)),
                standing(*back)
            ),
            _ => format!("{} is pinned.", capitalised(&target)),
        },
        Theme::Overloading => match targets.as_slice() {
            [defender, one, other] => format!(
                "{} is overloaded: it guards both {} and {}.",
                capitalised(&standing(*defender)),
                one.square,
                other.square
            ),
            _ => format!("{} is overloaded.", capitalised(&target)),
        },
        Theme::Skewer => match targets.as_slice() {
            [front, back] => {
                format!("{shown_by} skewers {} and {} behind it.", standing(*front), standing(*back))
            }
            _ => format!("{shown_by} is a skewer."),
        },
        Theme::DiscoveredAttack if targets.first().is_some_and(|target| target.role == Role::King) => {
            format!("{shown_by} uncovers a check by {actor}.")
        }
        Theme::DiscoveredAttack => format!("{shown_by} uncovers an attack by {actor} on {target}."),
        Theme::DoubleCheck => format!("{shown_by} is a double check: only a king move answers it."),
        Theme::TrappedPiece => {
            format!("{} is trapped: it is lost on every square it can go to.", capitalised(&target))
        }
        Theme::XRayAttack => {
            format!("{shown_by} takes back through the square that was left: an x-ray attack.")
        }
        Theme::CapturingDefender => format!("{shown_by} removes the defender of {square}."),
        Theme::Deflection => format!("{shown_by} deflects {target}, which guards {square}."),
        Theme::Attraction => format!("{shown_by} draws {target} to {square}, where {next} attacks it."),
        Theme::Interference => format!("{shown_by} cuts {target} off from {square}."),
        Theme::Clearance => format!("{shown_by} clears the way for {next}."),
        Theme::Intermezzo => format!("{shown_by} is an in-between move: taking on {square} can wait."),
        Theme::UnderPromotion => {
            let worth = instead.map(|instead| format!(" ({})", score(instead))).unwrap_or_default();
            format!("{shown_by} is an under-promotion: a queen would be worse{worth}.")
        }
        Theme::AdvancedPawn => format!("Everything turns on {actor}."),
        Theme::ExposedKing => format!(
            "The king on {} is exposed: no pawn of its own stands beside or before it.",
            targets.first().map(|king| king.square.to_string()).unwrap_or_default()
        ),
        Theme::QuietMove if *is_played => {
            "It is a quiet move, stronger than any check or capture.".to_owned()
        }
        Theme::QuietMove => format!("The quiet {shown_by} is stronger than any check or capture."),
        Theme::DefensiveMove => format!("{shown_by} is the only defence."),
        other => format!("{shown_by} shows the motif {other}."),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
