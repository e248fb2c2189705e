//! Ctrl-C: once ends the work and keeps what was done, twice ends the program.
//!
//! A polite `kill` and a closed terminal count as Ctrl-C.

use tabia_core::Stop;

/// Exit status of a program that an interrupt ended, as shells have it.
const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C raises.
pub fn stop_flag() -> anyhow::Result<Stop> {
    watch(|| {})
}

/// A flag that the first Ctrl-C raises, after which it calls `then`.
pub fn watch(then: impl Fn() + Send + 'static) -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.is_stopped() {
            std::process::exit(INTERRUPTED);
        }
        raised.stop();
        then();
    })?;
    Ok(stop)
}
