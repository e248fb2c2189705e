//! The order of a UCI session, model-checked: every interleaving of commands and search ends up to a length, and a
//! million longer ones at random, against a reference that knows nothing of queues.

use std::ops::ControlFlow;

use shakmaty::Square;
use shakmaty::uci::UciMove;
use tabia_uci::session::{Engine, Event, Session, Started};
use tabia_uci::{BestMove, Command, Go, Start};

/// What can happen to a session. Search and job ends only happen while one runs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Step {
    GoDepth,
    GoInfinite,
    GoPonder,
    /// A `go` with nothing to search: a book move, a finished game.
    GoAnswered,
    Perft,
    Display,
    Position,
    IsReady,
    Stop,
    PonderHit,
    SearchEnds,
    JobEnds,
    EndOfInput,
    GraceOver,
    Quit,
}

const STEPS: [Step; 15] = [
    Step::GoDepth,
    Step::GoInfinite,
    Step::GoPonder,
    Step::GoAnswered,
    Step::Perft,
    Step::Display,
    Step::Position,
    Step::IsReady,
    Step::Stop,
    Step::PonderHit,
    Step::SearchEnds,
    Step::JobEnds,
    Step::EndOfInput,
    Step::GraceOver,
    Step::Quit,
];

/// A `go`'s number, as a move that can be recognised in the answer.
fn answer(number: usize) -> BestMove {
    let number = number as u32;
    let from = Square::new(number % 64);
    let to = Square::new((number / 64 + 32) % 64);
    BestMove { best: Some(UciMove::Normal { from, to, promotion: None }), ponder: None }
}

/// Obeys, and writes down what it was asked.
#[derive(Clone, Debug, Default)]
struct Recorder {
    /// How many `position` commands were obeyed.
    positions: usize,
    /// For each search that began, how many `position` commands were obeyed before it.
    searched: Vec<usize>,
    answered: Vec<BestMove>,
    ready: usize,
    displayed: Vec<usize>,
    search: Option<RunningSearch>,
    job: bool,
    graces: usize,
}

#[derive(Clone, Debug)]
struct RunningSearch {
    number: usize,
    has_limit: bool,
    pondering: bool,
    phase: Phase,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Phase {
    Searching,
    Stopped,
    /// The search itself has ended; its answer may be held back.
    Ended {
        stopped: bool,
    },
}

impl Engine for Recorder {
    fn execute(&mut self, command: Command) {
        match command {
            Command::Position { .. } => self.positions += 1,
            Command::Display => self.displayed.push(self.positions),
            other => panic!("{other:?} is not for execute"),
        }
    }

    fn ready(&mut self, idle: bool) {
        assert_eq!(idle, self.search.is_none() && !self.job, "idle means that nothing runs");
        self.ready += 1;
    }

    fn start_search(&mut self, go: &Go) -> Started {
        assert!(self.search.is_none() && !self.job, "a search began while something ran");
        let number = self.searched.len();
        self.searched.push(self.positions);
        if go.mate.is_some() {
            return Started::Answered(answer(number));
        }
        let has_limit = go.depth.is_some();
        self.search =
            Some(RunningSearch { number, has_limit, pondering: go.ponder, phase: Phase::Searching });
        Started::Searching { bounded: has_limit }
    }

    fn start_job(&mut self, command: Command) -> bool {
        assert!(matches!(command, Command::Perft(_)));
        assert!(self.search.is_none() && !self.job, "a job began while something ran");
        self.job = true;
        true
    }

    fn stop_search(&mut self) {
        let search = self.search.as_mut().expect("stop without a search");
        search.phase = match search.phase {
            Phase::Searching => Phase::Stopped,
            Phase::Ended { stopped: false } => Phase::Ended { stopped: true },
            Phase::Stopped | Phase::Ended { stopped: true } => panic!("stopped twice"),
        };
    }

    fn ponder_hit(&mut self) {
        let search = self.search.as_mut().expect("ponderhit without a search");
        assert!(search.pondering);
        search.pondering = false;
    }

    fn send_best_move(&mut self, best: BestMove) {
        if let Some(search) = self.search.take_if(|search| matches!(search.phase, Phase::Ended { .. })) {
            assert_eq!(best, answer(search.number));
        }
        self.answered.push(best);
    }

    fn begin_grace(&mut self) {
        self.graces += 1;
    }
}

/// What the reference knows of a `go`: the position it is for, and whether anything has allowed it to be answered.
#[derive(Clone, Debug)]
struct SearchCall {
    position: usize,
    /// Held back until `stop`, or until `ponderhit`.
    infinite: bool,
    pondering: bool,
    /// `stop`, the end of input, or a later command that needs the search.
    released: bool,
}

/// A session, what obeys it, and the reference.
#[derive(Clone, Debug, Default)]
struct World {
    session: Session,
    engine: Recorder,
    positions: usize,
    asked: Vec<SearchCall>,
    displays: Vec<usize>,
    ready: usize,
    input_ended: bool,
    over: bool,
}

impl World {
    fn can(&self, step: Step) -> bool {
        match step {
            _ if self.over => false,
            Step::SearchEnds => {
                self.engine.search.as_ref().is_some_and(|search| !matches!(search.phase, Phase::Ended { .. }))
            }
            Step::JobEnds => self.engine.job,
            Step::GraceOver => self.engine.graces > 0,
            _ => !self.input_ended,
        }
    }

    fn go(&mut self, go: Go) -> Event {
        self.release();
        self.asked.push(SearchCall {
            position: self.positions,
            infinite: go.infinite,
            pondering: go.ponder,
            released: false,
        });
        Event::Command(Command::Go(go))
    }

    fn release(&mut self) {
        for asked in &mut self.asked {
            asked.released = true;
        }
    }

    fn take(&mut self, step: Step) {
        let event = match step {
            Step::GoDepth => self.go(Go { depth: Some(5), ..Go::default() }),
            Step::GoInfinite => self.go(Go { infinite: true, ..Go::default() }),
            Step::GoPonder => self.go(Go { ponder: true, depth: Some(5), ..Go::default() }),
            Step::GoAnswered => self.go(Go { mate: Some(1), ..Go::default() }),
            Step::Perft => {
                self.release();
                Event::Command(Command::Perft(3))
            }
            Step::Display => {
                self.displays.push(self.positions);
                Event::Command(Command::Display)
            }
            Step::Position => {
                self.positions += 1;
                Event::Command(Command::Position { start: Start::StartPos, moves: Vec::new() })
            }
            Step::IsReady => {
                self.ready += 1;
                Event::Command(Command::IsReady)
            }
            Step::Stop | Step::GraceOver => {
                self.release();
                if step == Step::Stop { Event::Command(Command::Stop) } else { Event::GraceOver }
            }
            Step::PonderHit => {
                if let Some(last) = self.asked.last_mut() {
                    last.pondering = false;
                }
                Event::Command(Command::PonderHit)
            }
            Step::SearchEnds => {
                let search = self.engine.search.as_mut().expect("a search runs");
                search.phase = Phase::Ended { stopped: search.phase == Phase::Stopped };
                Event::SearchFinished(answer(search.number))
            }
            Step::JobEnds => {
                self.engine.job = false;
                Event::JobFinished
            }
            Step::EndOfInput => {
                self.release();
                self.input_ended = true;
                Event::EndOfInput
            }
            Step::Quit => Event::Command(Command::Quit),
        };
        let flow = self.session.handle(event, &mut self.engine);
        self.over = flow == ControlFlow::Break(());
        self.check(step);
    }

    /// What must hold after every step.
    fn check(&self, step: Step) {
        assert_eq!(self.engine.ready, self.ready, "every isready is answered at once");
        assert!(step != Step::Quit || self.over, "quit ends");
        for (search, asked) in self.engine.searched.iter().zip(&self.asked) {
            assert_eq!(*search, asked.position, "a go searches the position that was set before it");
        }
        assert!(self.displays.starts_with(&self.engine.displayed), "d shows the position set before it");
        assert!(self.engine.answered.len() <= self.asked.len());
        for (number, (best, asked)) in self.engine.answered.iter().zip(&self.asked).enumerate() {
            assert_eq!(*best, answer(number), "answers come in order");
            // A go with nothing to search is answered at once, whatever its kind.
            assert!(
                asked.released || !(asked.infinite || asked.pondering),
                "an endless search was answered before it was stopped"
            );
        }
        if self.over && step != Step::Quit {
            assert!(self.input_ended);
            assert_eq!(self.engine.answered.len(), self.asked.len(), "left with a go unanswered");
        }
    }

    /// Lets everything that has an end reach it; whatever is still open then must be waiting for the GUI.
    fn drain(mut self) {
        loop {
            if self.over {
                return;
            }
            let ends = |search: &RunningSearch| match search.phase {
                Phase::Searching => search.has_limit && !search.pondering,
                Phase::Stopped => true,
                Phase::Ended { .. } => false,
            };
            if self.engine.search.as_ref().is_some_and(ends) {
                self.take(Step::SearchEnds);
            } else if self.engine.job {
                self.take(Step::JobEnds);
            } else {
                break;
            }
        }
        assert!(
            !self.input_ended,
            "after the end of input, everything that waits is done and the session ends"
        );
        assert_eq!(self.engine.positions, self.positions, "every position is set");
        assert_eq!(self.engine.displayed, self.displays, "every d is shown");
        let open = self.asked.len() - self.engine.answered.len();
        match self.asked.last() {
            Some(last) if !last.released && (last.infinite || last.pondering) => {
                assert!(open <= 1, "only the last go may wait for stop");
            }
            _ => assert_eq!(open, 0, "every go is answered"),
        }
    }
}

/// Every interleaving of up to `length` steps from here, each drained.
fn explore(world: &World, length: usize, path: &mut Vec<Step>, count: &mut u64) {
    for step in STEPS {
        if !world.can(step) {
            continue;
        }
        path.push(step);
        let mut next = world.clone();
        next.take(step);
        *count += 1;
        next.clone().drain();
        if length > 1 && !next.over {
            explore(&next, length - 1, path, count);
        }
        path.pop();
    }
}

/// On failure the interleaving that failed is printed.
struct Path<'a>(&'a [Step]);

impl Drop for Path<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the steps were {:?}", self.0);
        }
    }
}

#[test]
fn every_interleaving_of_five_steps_keeps_the_rules() {
    let mut count = 0;
    explore(&World::default(), 5, &mut Vec::new(), &mut count);
    assert!(count > 100_000, "{count} interleavings are too few to mean anything");
}

#[test]
fn a_million_random_interleavings_keep_the_rules() {
    // A small generator of our own (xorshift64*): no two runs differ.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % below
    };
    let mut steps = Vec::new();
    for _ in 0..1_000_000 {
        let mut world = World::default();
        steps.clear();
        let length = 4 + random(24);
        while steps.len() < length && !world.over {
            let step = STEPS[random(STEPS.len())];
            // The ways out are rare, or most sequences would be short.
            let is_way_out = matches!(step, Step::Quit | Step::EndOfInput);
            if !world.can(step) || (is_way_out && random(8) != 0) {
                if world.input_ended && !world.can(Step::SearchEnds) && !world.can(Step::JobEnds) {
                    break;
                }
                continue;
            }
            steps.push(step);
            let _shown = Path(&steps);
            world.take(step);
        }
        let _shown = Path(&steps);
        world.drain();
    }
}

#[test]
fn two_searches_wait_behind_one() {
    let mut world = World::default();
    for step in
        [Step::GoDepth, Step::Position, Step::GoDepth, Step::Position, Step::GoDepth, Step::EndOfInput]
    {
        world.take(step);
    }
    for _ in 0..3 {
        world.take(Step::SearchEnds);
    }
    assert!(world.over);
    assert_eq!(world.engine.searched, [0, 1, 2]);
    assert_eq!(world.engine.answered.len(), 3);
}

#[test]
fn browsing_an_analysis_searches_each_position_and_stops_all_but_the_last() {
    let mut world = World::default();
    for step in [Step::Position, Step::GoInfinite, Step::Stop, Step::Position, Step::GoInfinite, Step::Stop]
        .into_iter()
        .chain([Step::Position, Step::GoInfinite])
    {
        world.take(step);
    }
    world.take(Step::SearchEnds);
    let second = world.engine.search.clone().expect("the second search has begun");
    assert!(second.phase == Phase::Stopped, "stop was for the second search too");
    world.take(Step::SearchEnds);
    let third = world.engine.search.clone().expect("the third search has begun");
    assert!(third.phase == Phase::Searching);
    assert_eq!(world.engine.searched, [1, 2, 3]);
    assert_eq!(world.engine.answered.len(), 2);
}
