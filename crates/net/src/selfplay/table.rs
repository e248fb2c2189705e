//! One game of self-play: searched, played, measured, written down.

use rand::Rng;
use shakmaty::Color;
use tabia_core::seed::{self, Random};
use tabia_core::{Game, Outcome, Turn};
use tabia_mcts::{Gumbel, Leaf, Pick, Settings, Tree, Verdict, choice, gumbel};
use tabia_quantum::{Action, QuantumGame};

use super::Hall;
use crate::opening::after_random_plies;
use crate::sample::Sample;
use crate::shard::Played;
use crate::view::{self, Seen};

/// Room for one tree in mebibytes: there are many, and all are small.
const TREE_MB: usize = 64;
/// States that one tree keeps.
const KEPT_STATES: usize = 128;

/// A state of the game, before it is known how it ends.
struct Draft {
    seen: Seen,
    moves: Box<[(u16, u16)]>,
    turn: Color,
    thought: f64,
}

/// How the root of the search is looked after.
enum Root {
    /// It is not valued yet.
    New,
    /// Few candidates share the simulations.
    Gumbel(Box<Gumbel>),
    /// The seed's: noise in the priors, and visits decide.
    Noisy,
}

/// Where the next simulation goes.
enum Next {
    /// Where the search wants.
    Anywhere,
    /// Through this action of the root.
    Through(usize),
    /// Nowhere: there have been enough.
    Done,
}

/// A game being played.
pub(super) struct Table {
    number: u32,
    random: Random,
    game: QuantumGame,
    tree: Tree<QuantumGame>,
    root: Root,
    /// Whether this move is learned from.
    full: bool,
    leaf: Option<Leaf<QuantumGame>>,
    drafts: Vec<Draft>,
    moves: u32,
    splits: u32,
    /// Moves in a row after which each side thought itself lost.
    hopeless: [u32; 2],
    /// Who would have resigned first.
    resigned: Option<Color>,
    /// Whether it is played on.
    plays_on: bool,
    outcome: Option<Outcome>,
    first_ply: u32,
    thought_share: f32,
}

/// Moves in a row after which one who is lost resigns.
const HOPELESS_MOVES: u32 = 2;

impl Table {
    pub(super) fn new(number: u32, hall: &Hall<'_>) -> Table {
        let mut random = seed::random(seed::derive(hall.seed, u64::from(number)));
        let game = opening(hall.knobs.opening_plies, hall.knobs.ply_limit, &mut random);
        let plays_on = random.random_bool(f64::from(hall.knobs.no_resign_share));
        let mut table = Table {
            number,
            first_ply: game.ply(),
            thought_share: hall.knobs.thought_share,
            tree: tree(&game, hall),
            game,
            root: Root::New,
            full: false,
            leaf: None,
            drafts: Vec::new(),
            moves: 0,
            splits: 0,
            hopeless: [0; 2],
            resigned: None,
            plays_on,
            outcome: None,
            random,
        };
        table.full = table.random.random_bool(f64::from(hall.knobs.full_share));
        table
    }

    /// Goes on until a leaf must be valued; nothing when the game is over.
    pub(super) fn go_on(&mut self, hall: &Hall<'_>) -> Option<&Leaf<QuantumGame>> {
        loop {
            if let Turn::Over(outcome) = self.game.turn() {
                self.outcome = Some(outcome);
            }
            if self.outcome.is_some() {
                return None;
            }
            let picked = match self.next(hall) {
                Next::Anywhere => self.tree.pick(),
                Next::Through(first) => self.tree.pick_through(Some(first)),
                Next::Done => {
                    self.play(hall);
                    continue;
                }
            };
            match picked {
                Pick::Way(path) => {
                    let leaf = path.follow(self.tree.game());
                    if leaf.needs_verdict() {
                        self.leaf = Some(leaf);
                        return self.leaf.as_ref();
                    }
                    self.tree.put(leaf, None);
                }
                Pick::Counted => {}
                Pick::Busy | Pick::Proven | Pick::Full => self.play(hall),
            }
        }
    }

    /// Puts the leaf that was asked for into the tree.
    pub(super) fn answer(&mut self, verdict: &Verdict) {
        if let Some(leaf) = self.leaf.take() {
            self.tree.put(leaf, Some(verdict));
        }
    }

    fn next(&mut self, hall: &Hall<'_>) -> Next {
        if self.tree.visits() == 0 {
            return Next::Anywhere;
        }
        let knobs = hall.knobs;
        let simulations = if self.full { hall.simulations } else { hall.quick_simulations };
        if matches!(self.root, Root::New) {
            self.root = if knobs.candidates == 0 {
                if self.full {
                    let settings = Settings::default().self_play();
                    choice::add_noise(
                        &mut self.tree,
                        settings.noise_alpha,
                        settings.noise_share,
                        &mut self.random,
                    );
                }
                Root::Noisy
            } else {
                let settings = gumbel::Settings {
                    candidates: knobs.candidates as usize,
                    simulations,
                    scale: f64::from(knobs.value_scale),
                    noise: if self.game.ply() < knobs.noisy_plies { 1.0 } else { 0.0 },
                    ..gumbel::Settings::default()
                };
                let crowded = crowded(&self.game, knobs.most_branches);
                let allowed = |action: &Action| !(crowded && is_split(*action));
                Root::Gumbel(Box::new(Gumbel::new(&self.tree, settings, allowed, &mut self.random)))
            };
        }
        match &mut self.root {
            Root::Gumbel(gumbel) => gumbel.next(&self.tree).map_or(Next::Done, Next::Through),
            Root::New | Root::Noisy if self.tree.visits() < simulations => Next::Anywhere,
            Root::New | Root::Noisy => Next::Done,
        }
    }

    /// Plays what the search found, and begins the next search.
    fn play(&mut self, hall: &Hall<'_>) {
        let knobs = hall.knobs;
        let actions = self.tree.root_actions();
        let crowded = crowded(&self.game, knobs.most_branches);
        let (policy, chosen) = match &mut self.root {
            Root::Gumbel(gumbel) => {
                let chosen = gumbel.choice(&self.tree).map(|at| actions[at].action);
                (gumbel.policy(&self.tree), chosen)
            }
            Root::New | Root::Noisy => {
                let open = |action: &Action| !(crowded && is_split(*action));
                let mut shares: Vec<f32> =
                    actions.iter().map(|a| if open(&a.action) { a.visits as f32 } else { 0.0 }).collect();
                let sum: f32 = shares.iter().sum();
                for share in &mut shares {
                    *share /= sum.max(1.0);
                }
                let playable: Vec<_> = actions.iter().filter(|a| open(&a.action)).copied().collect();
                let playable = if playable.is_empty() { actions.clone() } else { playable };
                let temperature = if self.game.ply() < knobs.noisy_plies { 1.0 } else { 0.0 };
                (shares, choice::choose(&playable, temperature, &mut self.random))
            }
        };
        let turn = self.game.side_to_move();
        let Some(Action::Move(m)) = chosen else {
            unreachable!("where a player is to move, there is a move")
        };
        let number = |action: &Action| view::index(*action, turn) as u16;
        let moves = if self.full {
            actions.iter().zip(&policy).map(|(a, share)| (number(&a.action), Sample::share(*share))).collect()
        } else {
            Box::default()
        };
        let thought = self.tree.value();
        self.drafts.push(Draft { seen: Seen::new(&self.game), moves, turn, thought });
        self.moves += 1;
        self.splits += u32::from(m.is_split());
        self.consider_resigning(turn, thought, hall);
        self.game.apply(Action::Move(m));
        while let Some(answer) = self.game.measure(&mut self.random) {
            self.game.apply(answer);
        }
        self.tree = tree(&self.game, hall);
        self.root = Root::New;
        self.full = self.random.random_bool(f64::from(knobs.full_share));
    }

    fn consider_resigning(&mut self, turn: Color, thought: f64, hall: &Hall<'_>) {
        let hopeless = &mut self.hopeless[turn.fold_wb(0, 1)];
        *hopeless = if thought < f64::from(hall.knobs.resign_below) { *hopeless + 1 } else { 0 };
        if *hopeless >= HOPELESS_MOVES && self.resigned.is_none() {
            self.resigned = Some(turn);
            if !self.plays_on {
                self.outcome = Some(Outcome::win(turn.other(), tabia_core::Reason::Resignation));
            }
        }
    }

    /// The game as it is learned from, once it is over.
    pub(super) fn record(&mut self) -> Played {
        let points = self.outcome.map_or(0.5, |outcome| outcome.points(Color::White)) as f32;
        let own = |turn: Color| turn.fold_wb(points, 1.0 - points);
        let resignation = match self.resigned {
            Some(turn) if self.plays_on => {
                if own(turn) > 0.0 {
                    2
                } else {
                    1
                }
            }
            _ => 0,
        };
        let share = self.thought_share;
        let sample = |draft: Draft| {
            let result = own(draft.turn);
            let ended = if result > 0.75 {
                [1.0, 0.0, 0.0]
            } else if result > 0.25 {
                [0.0, 1.0, 0.0]
            } else {
                [0.0, 0.0, 1.0]
            };
            let win = f64::midpoint(draft.thought.clamp(-1.0, 1.0), 1.0) as f32;
            let thought = [win, 0.0, 1.0 - win];
            let chances = std::array::from_fn(|at| share * thought[at] + (1.0 - share) * ended[at]);
            Sample { seen: draft.seen, moves: draft.moves, chances }
        };
        Played {
            number: self.number,
            plies: self.game.ply() - self.first_ply,
            points,
            splits: 1000 * self.splits / self.moves.max(1),
            resignation,
            samples: std::mem::take(&mut self.drafts).into_iter().map(sample).collect(),
        }
    }
}

fn tree(game: &QuantumGame, hall: &Hall<'_>) -> Tree<QuantumGame> {
    let settings = Settings {
        exploration: hall.knobs.exploration,
        memory_mb: TREE_MB,
        kept_states: KEPT_STATES,
        ..Settings::default()
    };
    Tree::new(game.clone(), settings)
}

/// Whether a split might lead to too many branches.
fn crowded(game: &QuantumGame, most: u32) -> bool {
    game.branches().len() * 2 > most as usize
}

fn is_split(action: Action) -> bool {
    matches!(action, Action::Move(m) if m.is_split())
}

/// A few random classical plies.
fn opening(most: u32, ply_limit: u32, random: &mut Random) -> QuantumGame {
    let plies = random.random_range(0..=most);
    after_random_plies(QuantumGame::default().with_ply_limit(ply_limit), plies, random)
}
