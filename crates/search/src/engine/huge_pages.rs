//! Huge pages for tables that are read at random, where the system gives them to programs that ask.
//!
//! With pages of 4 KiB most probes of the transposition table miss the processor's cache of addresses (TLB) as well. The
//! request changes no result; a system that does not grant it is slower, nothing else.

use std::mem::MaybeUninit;

/// A huge page of most processors, and a whole number of pages of all: only whole huge pages can be granted.
#[cfg(all(target_os = "linux", not(miri)))]
const HUGE_PAGE: usize = 2 << 20;

/// Asks for huge pages under memory that is reserved and not yet written to: pages are chosen at the first write.
pub fn request<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        use rustix::mm::{Advice, madvise};
        let range = memory.as_mut_ptr_range();
        let start = (range.start as usize).next_multiple_of(HUGE_PAGE);
        let end = range.end as usize / HUGE_PAGE * HUGE_PAGE;
        if start < end {
            // SAFETY: the pages lie within memory that is borrowed here, and this advice does not change what they hold.
            // A refusal is no error.
            #[allow(unsafe_code)]
            let _ = unsafe { madvise(start as *mut _, end - start, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = memory;
}
