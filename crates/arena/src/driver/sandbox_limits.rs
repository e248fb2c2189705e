//! Resource limits of a sandboxed engine.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

const MIB: u64 = 1 << 20;

/// Limits of one engine, for all its processes together unless noted otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxLimits {
    /// Where scratch directories are made.
    pub scratch_root: PathBuf,
    /// Memory: address space of each process, and what all use together.
    pub memory_bytes: u64,
    /// Processes and threads.
    pub tasks: u64,
    /// The size of a file, and of all files in the scratch directory.
    pub file_bytes: u64,
    /// Files that a process may have open.
    pub open_files: u64,
    /// Further readable paths: networks and tablebases that are not in the engine's directory.
    pub readable: Vec<PathBuf>,
}

impl Default for SandboxLimits {
    /// Enough for an engine that uses all cores and a hash table of 64 MiB. A thread takes some 140 MiB of address space,
    /// most of it never used: its stack, and the C library's memory pool.
    fn default() -> SandboxLimits {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get) as u64;
        SandboxLimits {
            scratch_root: std::env::temp_dir(),
            memory_bytes: (1024 + 160 * cores) * MIB,
            tasks: 32 + 2 * cores,
            file_bytes: 64 * MIB,
            open_files: 256,
            readable: Vec::new(),
        }
    }
}
