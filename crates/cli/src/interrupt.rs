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

/// Raises the flag, as Ctrl-C does, when standard input ends: whoever started this process and held the other end of the
/// pipe has ended, however it ended.
pub fn stop_with_input(stop: &Stop) {
    let stop = stop.clone();
    std::thread::spawn(move || {
        // What comes meanwhile means nothing.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        stop.stop();
    });
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
