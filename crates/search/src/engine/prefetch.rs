//! A hint to the processor to load a cache line: the one place where the search leaves safe Rust.
//!
//! A table probe misses the cache almost always; asked for when a move is chosen and read when its node begins,
//! the entry is there in time. The hint changes no result: without it (other processors, or under Miri) the
//! search is the same, only slower. `transposition::tests` hold a search with and without it to the same nodes.

/// Asks for the cache line of `target`.
#[inline]
pub fn prefetch<T>(target: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the pointer comes from a reference, and prefetching reads nothing the program can see.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(target).cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = target;
}
