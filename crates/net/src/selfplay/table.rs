//! One game of self-play: searched, played, measured, written down.

use rand::Rng;
use tabia_core::seed::Random;
use tabia_core::{Game, Outcome, Turn};
use tabia_mcts::{Gumbel, Leaf, Pick, Settings, Tree, Verdict, choice, gumbel};
use tabia_quantum::{Action, QuantumGame};

use super::Hall;
use super::story::Story;
use crate::sample::Sample;
use crate::shard::Played;

/// Room for one tree in mebibytes: there are many, and all are small.
const TREE_MB: usize = 64;
/// States that one tree keeps.
const KEPT_STATES: usize = 128;

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
    story: Story,
    random: Random,
    game: QuantumGame,
    tree: Tree<QuantumGame>,
    root: Root,
    /// Whether this move is learned from.
    full: bool,
    leaf: Option<Leaf<QuantumGame>>,
    outcome: Option<Outcome>,
    thought_share: f32,
}

impl Table {
    pub(super) fn new(number: u32, hall: &Hall<'_>) -> Table {
        let (story, game, random) = Story::begin(number, hall.seed, hall.knobs);
        let mut table = Table {
            story,
            thought_share: hall.knobs.thought_share,
            tree: tree(&game, hall),
            game,
            root: Root::New,
            full: false,
            leaf: None,
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
        let Some(Action::Move(chosen)) = chosen else {
            unreachable!("where a player is to move, there is a move")
        };
        let shares = actions.iter().zip(&policy).map(|(a, share)| (a.action, Sample::share(*share)));
        // A search that was too short to be learned from says nothing of moves.
        let shares = shares.take(if self.full { usize::MAX } else { 0 });
        let resigned = self.story.choose(&self.game, chosen, shares, self.tree.value(), knobs.resign_below);
        self.outcome = self.outcome.or(resigned);
        let played = self.game.play(chosen, &mut self.random).expect("the search knows the legal moves");
        self.story.write(played.text);
        self.tree = tree(&self.game, hall);
        self.root = Root::New;
        self.full = self.random.random_bool(f64::from(knobs.full_share));
    }

    /// The game as it is learned from, once it is over.
    pub(super) fn record(&mut self) -> Played {
        self.story.end(&self.game, self.outcome, self.thought_share)
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
