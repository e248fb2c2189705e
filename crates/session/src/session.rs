//! The game, its players, and what they decide.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};
use tabia_core::{AgentError, Outcome, Reason, Score};

use crate::clock::{ClockSetting, GameClock};
use crate::game::SessionGame;
use crate::refusal::Refusal;

/// The move before which an agent accepts no draw: in the opening its score says little.
const FIRST_DRAW_MOVE: u32 = 20;

/// Whom a game waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Awaits {
    /// A person's move.
    Human,
    /// An agent's move.
    Agent,
    /// Nothing: the game is over.
    Nobody,
}

/// An answer to a draw offer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DrawAnswer {
    /// The game is drawn.
    Accepted,
    /// The game continues.
    Declined,
}

/// What playing a ply did to the clocks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlayedPly {
    /// Who played it.
    pub mover: Color,
    /// How long that took.
    pub took: Duration,
    /// What the mover has left.
    pub clock: Option<Duration>,
}

#[derive(Copy, Clone, Debug)]
struct PlyEntry {
    mover: Color,
    /// The index of its first action.
    start: usize,
    clock: Option<Duration>,
}

/// A game between people and agents.
#[derive(Clone, Debug)]
pub struct Session<G: SessionGame> {
    start: G,
    game: G,
    /// Moves and chance events since the start.
    actions: Vec<G::Action>,
    plies: Vec<PlyEntry>,
    humans: ByColor<bool>,
    takebacks: bool,
    outcome: Option<Outcome>,
    draw_offer: Option<Color>,
    /// What each agent thought of its last position, in its own view.
    scores: ByColor<Option<Score>>,
    clock: Option<GameClock>,
    turn_began: Instant,
}

impl<G: SessionGame> Session<G> {
    /// A game that begins, without a clock, in which moves can be taken back.
    pub fn new(game: G, humans: ByColor<bool>, now: Instant) -> Session<G> {
        Session {
            start: game.clone(),
            outcome: game.outcome(),
            game,
            actions: Vec::new(),
            plies: Vec::new(),
            humans,
            takebacks: true,
            draw_offer: None,
            scores: ByColor { white: None, black: None },
            clock: None,
            turn_began: now,
        }
    }

    /// The same game with a clock.
    #[must_use]
    pub fn with_clock(mut self, setting: Option<ClockSetting>) -> Session<G> {
        self.clock = setting.map(GameClock::new);
        self
    }

    /// The same game, in which moves can be taken back or not.
    #[must_use]
    pub fn with_takebacks(mut self, takebacks: bool) -> Session<G> {
        self.takebacks = takebacks;
        self
    }

    /// The game as it stands.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Plies played since the start.
    pub fn ply(&self) -> usize {
        self.plies.len()
    }

    /// The game as it stood after some plies.
    pub fn at(&self, ply: usize) -> Option<G> {
        if ply == self.ply() {
            return Some(self.game.clone());
        }
        let end = self.plies.get(ply)?.start;
        let mut game = self.start.clone();
        for action in &self.actions[..end] {
            game.apply(*action);
        }
        Some(game)
    }

    /// How the game ended: by its rules, by a player's decision or otherwise.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Who offers a draw.
    pub fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    pub fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// Which sides people play.
    pub fn humans(&self) -> ByColor<bool> {
        self.humans
    }

    /// Whom the game waits for.
    pub fn awaits(&self) -> Awaits {
        if self.outcome.is_some() {
            Awaits::Nobody
        } else if self.humans[self.game.side_to_move()] {
            Awaits::Human
        } else {
            Awaits::Agent
        }
    }

    /// Adds a ply that was played before the session began, with what it left on the mover's clock.
    pub fn repeat(&mut self, actions: &[G::Action], clock: Option<Duration>) {
        self.append(actions, clock);
        self.outcome = self.game.outcome();
    }

    /// Takes up a game whose plies were repeated: what was decided in it, and what its agents last thought.
    pub fn resume(
        &mut self,
        outcome: Option<Outcome>,
        draw_offer: Option<Color>,
        scores: ByColor<Option<Score>>,
        now: Instant,
    ) {
        (self.outcome, self.draw_offer, self.scores) = (outcome, draw_offer, scores);
        self.restore_clock();
        self.start_turn(now);
    }

    /// Whether a person may move now. `expected` is the ply at which the move is meant to be played.
    pub fn check_human_turn(&self, expected: Option<usize>) -> Result<(), Refusal> {
        self.check_ongoing()?;
        let actual = self.ply();
        if let Some(expected) = expected.filter(|expected| *expected != actual) {
            return Err(Refusal::PlyMismatch { expected, actual });
        }
        match self.awaits() {
            Awaits::Agent => Err(Refusal::AgentsTurn(self.game.side_to_move())),
            Awaits::Human | Awaits::Nobody => Ok(()),
        }
    }

    /// Plays a ply: a legal move and the chance events after it. `score` is what an agent thinks of its position. Moving on
    /// declines a draw offer of the other side.
    pub fn play(&mut self, actions: &[G::Action], score: Option<Score>, now: Instant) -> PlayedPly {
        let mover = self.game.side_to_move();
        let took = now.saturating_duration_since(self.turn_began);
        // The first move of a game is free.
        let first = self.plies.is_empty();
        let press =
            |clock: &mut GameClock| if first { clock.left(mover, now) } else { clock.press(mover, now) };
        let clock = self.clock.as_mut().map(press);
        self.append(actions, clock);
        self.scores[mover] = score;
        self.draw_offer = self.draw_offer.filter(|by| *by == mover);
        self.outcome = self.game.outcome();
        self.start_turn(now);
        PlayedPly { mover, took, clock }
    }

    fn append(&mut self, actions: &[G::Action], clock: Option<Duration>) {
        self.plies.push(PlyEntry { mover: self.game.side_to_move(), start: self.actions.len(), clock });
        self.actions.extend_from_slice(actions);
        for action in actions {
            self.game.apply(*action);
        }
    }

    /// Takes back a person's last move, and the agent's reply to it if there was one. Returns how many plies. A decision that
    /// ended the game stands.
    pub fn take_back(&mut self, now: Instant) -> Result<usize, Refusal> {
        if !self.takebacks {
            return Err(Refusal::NoTakebacks);
        }
        if let Some(Outcome { reason, .. }) = self.outcome
            && matches!(reason, Reason::Resignation | Reason::Agreement | Reason::TimeForfeit | Reason::Fault)
        {
            return Err(Refusal::Final(reason));
        }
        let last = self.plies.iter().rposition(|ply| self.humans[ply.mover]);
        let plies = self.ply() - last.ok_or(Refusal::NothingToTakeBack)?;
        self.step_back(plies, now);
        Ok(plies)
    }

    /// Goes back by some plies, whoever played them, and forgets what was decided after them. Returns whether there were as many.
    pub fn step_back(&mut self, plies: usize, now: Instant) -> bool {
        let Some(ply) = self.ply().checked_sub(plies) else { return false };
        let Some(game) = self.at(ply) else { return false };
        self.game = game;
        if let Some(entry) = self.plies.get(ply) {
            self.actions.truncate(entry.start);
        }
        self.plies.truncate(ply);
        (self.outcome, self.draw_offer) = (None, None);
        self.scores = ByColor { white: None, black: None };
        self.restore_clock();
        self.start_turn(now);
        true
    }

    /// A person resigns. Without a side: the only person, or, at a board that two people share, an error. Returns who.
    pub fn resign(&mut self, side: Option<Color>, now: Instant) -> Result<Color, Refusal> {
        self.check_ongoing()?;
        let loser = self.person(side)?;
        self.end(Outcome::win(loser.other(), Reason::Resignation), now);
        Ok(loser)
    }

    /// A person offers a draw. It stands until it is answered: by an agent with [`Session::agent_answer`], by a person with
    /// [`Session::answer_draw`], by a move. To offer what the other side offers is to accept. Returns who offered, and
    /// whether that was accepting.
    pub fn offer_draw(
        &mut self,
        side: Option<Color>,
        now: Instant,
    ) -> Result<(Color, Option<DrawAnswer>), Refusal> {
        self.check_ongoing()?;
        let by = self.person(side)?;
        if self.draw_offer == Some(by) {
            return Err(Refusal::OfferedAlready);
        }
        let answer = self.draw_offer.map(|_| self.settle_draw(true, now));
        if answer.is_none() {
            self.draw_offer = Some(by);
        }
        Ok((by, answer))
    }

    /// The answer of an agent that is offered a draw, by its score: never when it is winning, and not in the opening.
    pub fn agent_answer(&mut self, now: Instant) -> Option<DrawAnswer> {
        let agent = self.draw_offer?.other();
        (!self.humans[agent]).then(|| self.settle_draw(self.accepts_draw(agent), now))
    }

    /// A person answers a draw offer. Returns who answered, and how.
    pub fn answer_draw(
        &mut self,
        side: Option<Color>,
        accepted: bool,
        now: Instant,
    ) -> Result<(Color, DrawAnswer), Refusal> {
        self.check_ongoing()?;
        let by = self.draw_offer.ok_or(Refusal::NoOffer)?.other();
        if side.is_some_and(|side| side != by) {
            return Err(Refusal::NoOffer);
        }
        Ok((by, self.settle_draw(accepted, now)))
    }

    fn settle_draw(&mut self, accepted: bool, now: Instant) -> DrawAnswer {
        self.draw_offer = None;
        if accepted {
            self.end(Outcome::draw(Reason::Agreement), now);
            DrawAnswer::Accepted
        } else {
            DrawAnswer::Declined
        }
    }

    /// An agent accepts a draw when it does not think itself better; one without a score counts material.
    fn accepts_draw(&self, agent: Color) -> bool {
        let score = self.scores[agent].unwrap_or_else(|| self.game.material(agent));
        self.game.move_number() >= FIRST_DRAW_MOVE && score <= Score::DRAW
    }

    /// The agent to move gave no legal move: it resigned, or it failed. Either way it has lost. Returns who.
    pub fn lose_by(&mut self, error: &AgentError, now: Instant) -> Color {
        let loser = self.game.side_to_move();
        self.end(Outcome::win(loser.other(), error.reason()), now);
        loser
    }

    /// Ends the game if the time of the side to move has run out. Returns who lost it.
    pub fn flag(&mut self, now: Instant) -> Option<Color> {
        let loser = self.clock.as_ref().filter(|_| self.outcome.is_none())?.flag_fallen(now)?;
        let winner = Some(loser.other()).filter(|winner| self.game.can_win(*winner));
        self.end(Outcome { winner, reason: Reason::TimeForfeit }, now);
        Some(loser)
    }

    /// Ends the game otherwise than by a player: a limit on its length, a result that a file tells.
    pub fn end(&mut self, outcome: Outcome, now: Instant) {
        (self.outcome, self.draw_offer) = (Some(outcome), None);
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    fn check_ongoing(&self) -> Result<(), Refusal> {
        self.outcome.map_or(Ok(()), |outcome| Err(Refusal::Over(outcome)))
    }

    /// Which person is meant.
    fn person(&self, side: Option<Color>) -> Result<Color, Refusal> {
        match (side, self.humans.white, self.humans.black) {
            (Some(side), ..) if self.humans[side] => Ok(side),
            (Some(side), ..) => Err(Refusal::AgentSide(side)),
            (None, true, false) => Ok(Color::White),
            (None, false, true) => Ok(Color::Black),
            (None, true, true) => Err(Refusal::AmbiguousSide),
            (None, false, false) => Err(Refusal::NoHuman),
        }
    }

    /// Sets what is left to the side to move, and lets its clock run from `now` on.
    pub fn set_time_left(&mut self, left: Duration, now: Instant) {
        let turn = self.game.side_to_move();
        if let Some(clock) = self.clock.as_mut().filter(|_| self.outcome.is_none()) {
            clock.stop(now);
            clock.set(turn, left);
            clock.start(turn, now);
        }
    }

    /// The side to move begins to think; its clock runs unless nothing was played yet or the game is over.
    fn start_turn(&mut self, now: Instant) {
        self.turn_began = now;
        let runs = self.outcome.is_none() && !self.plies.is_empty();
        let turn = self.game.side_to_move();
        if let Some(clock) = &mut self.clock {
            if runs { clock.start(turn, now) } else { clock.stop(now) }
        }
    }

    /// Sets the clock to what the plies left on it.
    fn restore_clock(&mut self) {
        let Some(setting) = self.clock.as_ref().map(GameClock::setting) else { return };
        let mut clock = GameClock::new(setting);
        for ply in &self.plies {
            if let Some(left) = ply.clock {
                clock.set(ply.mover, left);
            }
        }
        self.clock = Some(clock);
    }
}

#[cfg(test)]
mod tests {
    use tabia_core::ChessGame;

    use super::*;

    const LATE: &str = "4k3/p7/8/8/8/8/P7/4K3 w - - 0 30";

    fn session(fen: &str, white: bool, black: bool) -> Session<ChessGame> {
        Session::new(ChessGame::from_fen(fen).unwrap(), ByColor { white, black }, Instant::now())
    }

    fn play(session: &mut Session<ChessGame>, text: &str, score: Option<i32>) {
        let m = session.game().read_move(text).unwrap();
        session.play(&[m], score.map(Score::cp), Instant::now());
    }

    #[test]
    fn an_agent_accepts_a_draw_unless_it_is_winning_or_the_game_is_young() {
        let offered = |fen: &str, score: Option<i32>| {
            let mut session = session(fen, true, false);
            play(&mut session, "a3", None);
            play(&mut session, "a6", score);
            let now = Instant::now();
            assert_eq!(session.offer_draw(None, now), Ok((Color::White, None)));
            session.agent_answer(now).unwrap()
        };
        let early = &LATE.replace("30", "3");
        for (fen, score, answer) in [
            (LATE, Some(-200), DrawAnswer::Accepted),
            (LATE, Some(0), DrawAnswer::Accepted),
            (LATE, Some(1), DrawAnswer::Declined),
            (LATE, None, DrawAnswer::Accepted),
            ("3qk3/p7/8/8/8/8/P7/4K3 w - - 0 30", None, DrawAnswer::Declined),
            (early, Some(-200), DrawAnswer::Declined),
        ] {
            assert_eq!(offered(fen, score), answer, "{fen} {score:?}");
        }
    }

    #[test]
    fn people_answer_by_word_or_by_moving_on() {
        let now = Instant::now();
        let mut session = session(LATE, true, true);
        assert_eq!(session.offer_draw(None, now), Err(Refusal::AmbiguousSide));
        assert_eq!(session.offer_draw(Some(Color::White), now), Ok((Color::White, None)));
        assert_eq!(session.agent_answer(now), None);
        assert_eq!(session.offer_draw(Some(Color::White), now), Err(Refusal::OfferedAlready));
        play(&mut session, "a3", None);
        assert_eq!(session.draw_offer(), Some(Color::White), "an offer outlives the move of who made it");
        play(&mut session, "a6", None);
        assert_eq!(session.answer_draw(None, true, now), Err(Refusal::NoOffer));
        session.offer_draw(Some(Color::White), now).unwrap();
        assert_eq!(session.answer_draw(Some(Color::White), true, now), Err(Refusal::NoOffer));
        assert_eq!(session.answer_draw(None, false, now), Ok((Color::Black, DrawAnswer::Declined)));
        session.offer_draw(Some(Color::Black), now).unwrap();
        let agreed = session.offer_draw(Some(Color::White), now);
        assert_eq!(agreed, Ok((Color::White, Some(DrawAnswer::Accepted))));
        assert_eq!(session.outcome(), Some(Outcome::draw(Reason::Agreement)));
        assert_eq!(session.take_back(now), Err(Refusal::Final(Reason::Agreement)));
    }

    #[test]
    fn who_resigns_or_fails_has_lost() {
        let now = Instant::now();
        let mut people = session(LATE, true, true);
        assert_eq!(people.resign(None, now), Err(Refusal::AmbiguousSide));
        assert_eq!(people.resign(Some(Color::Black), now), Ok(Color::Black));
        let over = Outcome::win(Color::White, Reason::Resignation);
        assert_eq!(people.outcome(), Some(over));
        assert_eq!(people.resign(Some(Color::White), now), Err(Refusal::Over(over)));
        assert_eq!(session(LATE, false, false).resign(None, now), Err(Refusal::NoHuman));
        let refused = session(LATE, true, false).resign(Some(Color::Black), now);
        assert_eq!(refused, Err(Refusal::AgentSide(Color::Black)));
        for (error, reason) in [
            (AgentError::Resigned, Reason::Resignation),
            (AgentError::Failed("no answer".to_owned()), Reason::Fault),
        ] {
            let mut agents = session(LATE, false, true);
            agents.lose_by(&error, now);
            assert_eq!(agents.outcome(), Some(Outcome::win(Color::Black, reason)));
        }
    }

    #[test]
    fn taking_back_leads_to_the_persons_last_decision() {
        let after = |half_moves: usize, white: bool, black: bool| {
            let mut session = Session::new(ChessGame::default(), ByColor { white, black }, Instant::now());
            for text in ["e4", "e5", "Nf3", "Nc6"].into_iter().take(half_moves) {
                play(&mut session, text, None);
            }
            session.take_back(Instant::now()).ok().map(|_| (session.ply(), session.game().moves().len()))
        };
        let [at_2, at_0] = [Some((2, 2)), Some((0, 0))];
        assert_eq!([4, 3, 1].map(|plies| after(plies, true, false)), [at_2, at_2, at_0]);
        assert_eq!([3, 1, 0].map(|plies| after(plies, false, true)), [Some((1, 1)), None, None]);
        assert_eq!([after(3, true, true), after(3, false, false)], [at_2, None]);
    }

    #[test]
    fn the_clock_runs_from_the_first_move_and_decides() {
        let start = Instant::now();
        let seconds = Duration::from_secs;
        let setting = ClockSetting { initial: seconds(60), increment: seconds(2) };
        let mut session = session("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", true, true).with_clock(Some(setting));
        let move_at = |session: &mut Session<ChessGame>, text: &str, now| {
            let m = session.game().read_move(text).unwrap();
            session.play(&[m], None, now).clock.unwrap()
        };
        assert_eq!(move_at(&mut session, "Qab2", start + seconds(30)), seconds(60), "the first move is free");
        assert_eq!(move_at(&mut session, "Kd7", start + seconds(40)), seconds(52));
        assert_eq!(move_at(&mut session, "Qb3", start + seconds(45)), seconds(57));
        let clock = session.clock().unwrap();
        assert_eq!(
            (clock.running(), clock.left(Color::Black, start + seconds(50))),
            (Some(Color::Black), seconds(47))
        );
        let mut taken_back = session.clone();
        taken_back.take_back(start + seconds(50)).unwrap();
        let clock = taken_back.clock().unwrap();
        assert_eq!(
            (clock.running(), clock.left(Color::White, start + seconds(51))),
            (Some(Color::White), seconds(59))
        );
        assert_eq!(session.flag(start + seconds(60)), None);
        assert_eq!(session.flag(start + seconds(97)), Some(Color::Black));
        assert_eq!(session.outcome(), Some(Outcome::win(Color::White, Reason::TimeForfeit)));
        // White's time runs out, and Black has nothing to mate with.
        taken_back.flag(start + seconds(200));
        assert_eq!(taken_back.outcome(), Some(Outcome::draw(Reason::TimeForfeit)));
    }
}
