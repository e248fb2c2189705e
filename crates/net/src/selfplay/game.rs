//! One game of self-play in progress.

use rand::Rng;
use tabia_core::seed::Random;
use tabia_core::{Game, Outcome, Turn};
use tabia_mcts::{Evaluation, Gumbel, Leaf, Selection, Settings, Tree, choice, gumbel};
use tabia_quantum::{Action, QuantumGame};

use super::SelfPlay;
use super::recorder::GameRecorder;
use crate::sample::PackedSample;
use crate::shard::PlayedGame;

/// Memory limit of one tree in MiB.
const TREE_MB: usize = 64;
/// Game states cached by one tree.
const KEPT_STATES: usize = 128;

/// Exploration at the root.
enum Root {
    /// The root is not evaluated yet.
    New,
    /// Gumbel AlphaZero: sequential halving of a few candidates.
    Gumbel(Box<Gumbel>),
    /// The seed's: Dirichlet noise in the priors, choice by visits.
    Noisy,
}

/// What the next simulation does.
enum Next {
    /// Selects from the root.
    Anywhere,
    /// Selects from this action of the root.
    Through(usize),
    /// The budget of simulations is spent.
    Done,
}

pub(super) struct ActiveGame {
    recorder: GameRecorder,
    rng: Random,
    game: QuantumGame,
    tree: Tree<QuantumGame>,
    root: Root,
    /// Whether this move gets a full search.
    full: bool,
    leaf: Option<Leaf<QuantumGame>>,
    outcome: Option<Outcome>,
    thought_share: f32,
}

impl ActiveGame {
    pub(super) fn new(number: u32, settings: &SelfPlay<'_>) -> ActiveGame {
        let (recorder, game, rng) = GameRecorder::start(number, settings.seed, settings.hyper);
        let mut active = ActiveGame {
            recorder,
            thought_share: settings.hyper.thought_share,
            tree: tree(&game, settings),
            game,
            root: Root::New,
            full: false,
            leaf: None,
            outcome: None,
            rng,
        };
        active.full = active.rng.random_bool(f64::from(settings.hyper.full_share));
        active
    }

    /// Advances until a leaf needs an evaluation; `None` when the game is over.
    pub(super) fn advance(&mut self, settings: &SelfPlay<'_>) -> Option<&Leaf<QuantumGame>> {
        loop {
            if let Turn::Over(outcome) = self.game.turn() {
                self.outcome = Some(outcome);
            }
            if self.outcome.is_some() {
                return None;
            }
            let picked = match self.next(settings) {
                Next::Anywhere => self.tree.select(),
                Next::Through(first) => self.tree.select_through(Some(first)),
                Next::Done => {
                    self.play(settings);
                    continue;
                }
            };
            match picked {
                Selection::Leaf(path) => {
                    let leaf = path.follow(self.tree.game());
                    if leaf.needs_evaluation() {
                        self.leaf = Some(leaf);
                        return self.leaf.as_ref();
                    }
                    self.tree.expand(leaf, None);
                }
                Selection::Finished => {}
                Selection::Pending | Selection::Proven | Selection::Full => self.play(settings),
            }
        }
    }

    /// Expands the pending leaf with its evaluation.
    pub(super) fn expand(&mut self, evaluation: &Evaluation) {
        if let Some(leaf) = self.leaf.take() {
            self.tree.expand(leaf, Some(evaluation));
        }
    }

    fn next(&mut self, settings: &SelfPlay<'_>) -> Next {
        if self.tree.visits() == 0 {
            return Next::Anywhere;
        }
        let hyper = settings.hyper;
        let simulations = if self.full { settings.simulations } else { settings.quick_simulations };
        if matches!(self.root, Root::New) {
            self.root = if hyper.candidates == 0 {
                if self.full {
                    let settings = Settings::default().self_play();
                    choice::add_noise(
                        &mut self.tree,
                        settings.noise_alpha,
                        settings.noise_share,
                        &mut self.rng,
                    );
                }
                Root::Noisy
            } else {
                let settings = gumbel::Settings {
                    candidates: hyper.candidates as usize,
                    simulations,
                    scale: f64::from(hyper.value_scale),
                    noise: if self.game.ply() < hyper.noisy_plies { 1.0 } else { 0.0 },
                    ..gumbel::Settings::default()
                };
                let crowded = crowded(&self.game, hyper.most_branches);
                let allowed = |action: &Action| !(crowded && is_split(*action));
                Root::Gumbel(Box::new(Gumbel::new(&self.tree, settings, allowed, &mut self.rng)))
            };
        }
        match &mut self.root {
            Root::Gumbel(gumbel) => gumbel.next(&self.tree).map_or(Next::Done, Next::Through),
            Root::New | Root::Noisy if self.tree.visits() < simulations => Next::Anywhere,
            Root::New | Root::Noisy => Next::Done,
        }
    }

    /// Plays the chosen move and starts the next search.
    fn play(&mut self, settings: &SelfPlay<'_>) {
        let hyper = settings.hyper;
        let actions = self.tree.root_actions();
        let crowded = crowded(&self.game, hyper.most_branches);
        let (policy, chosen, estimate) = match &mut self.root {
            Root::Gumbel(gumbel) => {
                let chosen = gumbel.choice(&self.tree).map(|at| actions[at].action);
                (gumbel.policy(&self.tree), chosen, gumbel.estimate(&self.tree))
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
                let temperature = if self.game.ply() < hyper.noisy_plies { 1.0 } else { 0.0 };
                (shares, choice::choose(&playable, temperature, &mut self.rng), self.tree.estimate())
            }
        };
        let Some(Action::Move(chosen)) = chosen else {
            unreachable!("where a player is to move, there is a move")
        };
        let shares = actions.iter().zip(&policy).map(|(a, share)| (a.action, PackedSample::quantise(*share)));
        // A quick search is no policy target.
        let shares = shares.take(if self.full { usize::MAX } else { 0 });
        let resigned = self.recorder.choose(&self.game, chosen, shares, estimate, hyper.resign_below);
        self.outcome = self.outcome.or(resigned);
        let played = self.game.play(chosen, &mut self.rng).expect("the search knows the legal moves");
        self.recorder.write(played.text);
        self.tree = tree(&self.game, settings);
        self.root = Root::New;
        self.full = self.rng.random_bool(f64::from(hyper.full_share));
    }

    /// The finished game with its samples.
    pub(super) fn finish(&mut self) -> PlayedGame {
        self.recorder.finish(&self.game, self.outcome, self.thought_share)
    }
}

fn tree(game: &QuantumGame, settings: &SelfPlay<'_>) -> Tree<QuantumGame> {
    let settings = Settings {
        exploration: settings.hyper.exploration,
        memory_mb: TREE_MB,
        kept_states: KEPT_STATES,
        ..Settings::default()
    };
    Tree::new(game.clone(), settings)
}

/// Whether a split could exceed the limit of branches.
fn crowded(game: &QuantumGame, max: u32) -> bool {
    game.branches().len() * 2 > max as usize
}

fn is_split(action: Action) -> bool {
    matches!(action, Action::Move(m) if m.is_split())
}
