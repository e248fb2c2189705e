//! Test suites: positions with known answers, solved by an agent.
//!
//! | a line has | it is solved by |
//! | --- | --- |
//! | `bm Nf3 e4;` | playing one of these |
//! | `am g4;` | playing none of these |
//! | `bm #3;`, `dm 3;`, `ce +M3;` | announcing a mate in at most this number of moves (`#-3`: being mated), or a move of `bm` |
//! | `c0 "f5=10, Be5+=2";`, or `c8 "10 2"; c9 "f4f5 d4e5";` | the best move of `bm`; each move has its points |
//! | lichess's puzzle columns | the whole line, against the replies it gives |
//!
//! [`Problem`]s are read from files ([`read`]), solved one by one ([`Problem::solve`]) or many at once ([`run()`]). An
//! agent forgets before each problem, so that bounded by nodes or depth it gives the same answers however many
//! threads there are. A puzzle that ends in mate takes any mate on the board, or any announced mate that is no longer.

mod points;
mod problem;
mod puzzle;
mod rating;
mod read;
mod run;

pub use problem::{Problem, Solution, Task};
pub use rating::{Rating, rating};
pub use read::{of_epd, read};
pub use run::run;

#[cfg(test)]
mod tests;
