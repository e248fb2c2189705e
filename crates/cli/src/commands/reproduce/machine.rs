//! The machine that measures, in words.

use std::fs;

use crate::{parallel, text};

/// `2 cores of Intel Xeon …, linux, with a load of 0.3 when it was started`: what else runs there tells on what is timed.
pub fn description() -> String {
    let cores = parallel::all_cores().get();
    let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|info| {
        let line = info.lines().find(|line| line.starts_with("model name"))?.to_owned();
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let of = model.map(|model| format!(" of {model}")).unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").ok().and_then(|info| {
        let first = info.split_whitespace().next()?.to_owned();
        Some(format!(", with a load of {first} when it was started"))
    });
    let cores = text::counted(cores as u64, "core");
    format!("{cores}{of}, {}{}", std::env::consts::OS, load.unwrap_or_default())
}
