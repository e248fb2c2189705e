//! Monte Carlo tree search (PUCT) with a policy and value evaluator, for any [`Game`](tabia_core::Game).
//!
//! AlphaZero's search (seed 004 §5) with three additions. Chance is exact: a chance node chooses among its outcomes
//! so that visits follow the probabilities as evenly as whole numbers can, and its value is the average of its outcomes'
//! values weighted with the probabilities themselves, not with the visits. An MCTS solver: every node has
//! bounds on its true value, wins and losses narrow them, and through chance nodes they are averaged ([`tree`]). And
//! leaves are evaluated in batches ([`PolicyValue`]), by any number of threads ([`mod@search`]).
//!
//! | module | what |
//! | --- | --- |
//! | [`policy_value`] | evaluation of leaves: values and priors |
//! | [`estimate`] | win, draw and loss probabilities |
//! | [`settings`] | settings of the search |
//! | [`tree`] | nodes, edges, bounds; selection, expansion and backpropagation |
//! | [`leaf`] | a selected path as a game state |
//! | [`mod@search`] | simulations until a limit is reached |
//! | [`choice`] | from visits to an action: temperature, noise |
//! | [`gumbel`] | Gumbel AlphaZero at the root: sequential halving and policy improvement |
//! | [`agent`] | an agent that reuses its tree between moves |
//!
//! **Determinism.** With one thread and a limit in simulations, the same seed, settings and game give the same tree, bit
//! for bit, whatever the batch size was chosen to be; other batch sizes give other trees. With several threads the tree depends
//! on scheduling, and only the number of simulations is fixed; the same holds for any time limit.
//!
//! **Memory.** A tree has a fixed limit in bytes. When it is full the search ends as if its limit had been
//! reached.

pub mod agent;
pub mod choice;
pub mod estimate;
pub mod gumbel;
pub mod leaf;
pub mod policy_value;
pub mod search;
pub mod settings;
pub mod tree;

pub use agent::Mcts;
pub use estimate::Estimate;
pub use gumbel::Gumbel;
pub use leaf::Leaf;
pub use policy_value::{Evaluation, PolicyValue};
pub use search::{StopReason, search};
pub use settings::Settings;
pub use tree::{Selection, Tree};
