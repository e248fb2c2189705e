//! How much memory is left: what a large request is held against before it is tried.
//!
//! Linux promises memory that it does not have and kills whoever uses it, so a large allocation that succeeds says
//! nothing.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes of memory on this machine or, if less, in this process's control group.
pub fn total_bytes() -> u64 {
    let system = system();
    system
        .cgroup_limits()
        .map_or(system.total_memory(), |limits| limits.total_memory.min(system.total_memory()))
}

/// Bytes of memory that can be used now without taking it from others.
pub fn available_bytes() -> u64 {
    let system = system();
    system
        .cgroup_limits()
        .map_or(system.available_memory(), |limits| limits.free_memory.min(system.available_memory()))
}

fn system() -> System {
    System::new_with_specifics(RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_memory_is_there_and_no_more_than_all_is_available() {
        assert!(available_bytes() > 0);
        assert!(available_bytes() <= total_bytes());
    }
}
