//! Monte Carlo tree search, guided by a policy and a value, over any [`Game`](tabia_core::Game).
//!
//! It is AlphaZero's search (seed 004 §5) with three things added. Chance is exact: a chance node chooses among its outcomes
//! so that visits follow the probabilities as evenly as whole numbers can, and its value is the average of its outcomes'
//! values weighted with the probabilities themselves, not with the visits. What is proven stays proven: every node has
//! bounds on its true value, wins and losses narrow them, and through chance nodes they are averaged ([`tree`]). And
//! leaves are evaluated in batches ([`PolicyValue`]), by as many threads as are wanted ([`search`]).
//!
//! | module | what |
//! | --- | --- |
//! | [`policy_value`] | who values leaves and ranks their actions |
//! | [`settings`] | every number the search is steered by |
//! | [`tree`] | nodes, edges, bounds; choosing a way down and bringing a value up |
//! | [`leaf`] | the way down as a state of the game |
//! | [`search`] | simulations until a limit is reached |
//! | [`choice`] | from visits to an action: temperature, noise |
//! | [`gumbel`] | a root with few simulations: which actions get them, and what policy follows from them |
//! | [`agent`] | a player, who keeps what it has thought between moves |
//!
//! **What is deterministic.** With one thread and a limit in simulations, the same seed, settings and game give the same tree, bit
//! for bit, whatever the batch size was chosen to be; other batch sizes give other trees. With several threads the tree depends
//! on who comes first, and only the number of simulations is certain; so it is with any limit in time.
//!
//! **What is bounded.** A tree has room for a set number of bytes. When it is full the search ends as if its limit had been
//! reached, and the move is chosen from what is there.

pub mod agent;
pub mod choice;
pub mod gumbel;
pub mod leaf;
pub mod policy_value;
pub mod search;
pub mod settings;
pub mod tree;

pub use agent::Mcts;
pub use gumbel::Gumbel;
pub use leaf::Leaf;
pub use policy_value::{PolicyValue, Verdict};
pub use search::{Ended, search};
pub use settings::Settings;
pub use tree::{Pick, Tree};
