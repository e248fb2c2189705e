//! Problems given to both engines.

use std::num::NonZero;

use tabia_arena::suite::{self, Problem};
use tabia_core::Limits;

use crate::context::{Interruptible, StepContext};

/// How many of the problems an agent solves, of a hundred.
pub fn solved(spec: &str, problems: &[Problem], work: &mut StepContext<'_>) -> Interruptible<f64> {
    let threads = NonZero::new(work.threads).unwrap_or(NonZero::<usize>::MIN);
    let (players, stop, tell) = (work.players, work.stop, &mut *work.tell);
    let mut done = 0;
    let tried = suite::run(
        problems,
        threads,
        || players.agent(spec),
        &Limits::default(),
        stop,
        |_, _| {
            done += 1;
            tell(done, problems.len());
        },
    )?;
    let mut solved = 0;
    for result in tried {
        let Some(result) = result else { return Ok(None) };
        solved += u32::from(result?.solved);
    }
    Ok(Some(100.0 * f64::from(solved) / problems.len().max(1) as f64))
}
