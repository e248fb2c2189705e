//! Ctrl-C: the first one stops the work and keeps what was done, the second ends the program.
//!
//! SIGTERM and a closed terminal (SIGHUP) count as Ctrl-C.

use tabia_core::Stop;

/// Exit status after an interrupt, by shell convention.
const INTERRUPTED: i32 = 130;

/// A flag that the first Ctrl-C raises.
pub fn stop_flag() -> anyhow::Result<Stop> {
    watch(|| {})
}

/// Raises the flag, as Ctrl-C does, when standard input ends: the process that held the other end of the pipe has
/// ended.
pub fn stop_with_input(stop: &Stop) {
    let stop = stop.clone();
    std::thread::spawn(move || {
        // Input before the end is ignored.
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
