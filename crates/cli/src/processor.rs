//! Which build runs: one that this processor understands, and the fastest of those.
//!
//! The search lives on `popcnt`, `tzcnt` and `blsr`, and its layers on AVX2: compiled for every
//! x86-64 it has neither (ADR 20). So a release carries both builds. `tabia` is the one for every processor; where
//! the processor has x86-64-v3 and the other build lies beside it, it becomes that one. Alone it works, too, and slower. A
//! build for x86-64-v3 that is started on an older processor says so, instead of dying of an illegal instruction.

use std::process::ExitCode;

/// Set to anything: stay this build.
const STAY: &str = "TABIA_BASELINE";

/// Becomes the faster build if there is one for this processor. An exit code where this build cannot run here.
///
/// Called before anything else: in a build for newer processors nothing else may run.
pub fn choose() -> Option<ExitCode> {
    #[cfg(target_arch = "x86_64")]
    {
        if cfg!(target_feature = "avx2") {
            return x86::refuse_older();
        }
        #[cfg(unix)]
        x86::become_faster();
    }
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    use std::io::Write;
    use std::process::ExitCode;

    /// Bits of leaf 1, ECX.
    const POPCNT: u32 = 1 << 23;
    const FMA: u32 = 1 << 12;
    const AVX: u32 = 1 << 28;
    /// Bits of leaf 7, EBX.
    const AVX2: u32 = 1 << 5;
    const BMI1: u32 = 1 << 3;
    const BMI2: u32 = 1 << 8;
    /// Bit of leaf 0x80000001, ECX.
    const LZCNT: u32 = 1 << 5;
    const EXTENDED: u32 = 0x8000_0000;

    /// The first thing that x86-64-v3 has and this processor lacks.
    ///
    /// Asks the processor itself: `is_x86_feature_detected!` takes what a build is compiled for as given. It is written with whole
    /// numbers alone, without arrays, iterators and formatting: a compiler moves those by the very instructions that are asked
    /// about. `tests/peers/test_processor.py` runs it on an old processor.
    #[inline(never)]
    fn missing() -> Option<&'static str> {
        if __cpuid(0).eax < 7 {
            return Some("AVX2");
        }
        let (first, seventh) = (__cpuid(1).ecx, __cpuid_count(7, 0).ebx);
        if first & POPCNT == 0 {
            return Some("POPCNT");
        }
        if first & AVX == 0 {
            return Some("AVX");
        }
        if first & FMA == 0 {
            return Some("FMA");
        }
        if seventh & AVX2 == 0 {
            return Some("AVX2");
        }
        if seventh & BMI1 == 0 || seventh & BMI2 == 0 {
            return Some("BMI");
        }
        if __cpuid(EXTENDED).eax <= EXTENDED || __cpuid(EXTENDED + 1).ecx & LZCNT == 0 {
            return Some("LZCNT");
        }
        None
    }

    pub fn refuse_older() -> Option<ExitCode> {
        let first = missing()?;
        let mut out = std::io::stderr();
        // Where nobody listens there is nobody to tell.
        let _ =
            out.write_all(b"tabia: this build is for processors since 2013 (x86-64-v3), and this one lacks ");
        let _ = out.write_all(first.as_bytes());
        let _ = out.write_all(
            b"; take the binary of a release, which runs on every x86-64, or build one: \
              RUSTFLAGS=\"-C target-cpu=x86-64\" make build\n",
        );
        Some(ExitCode::FAILURE)
    }

    /// Becomes the build for x86-64-v3 where there is one. Where there is not, or it cannot be started, this one goes on.
    #[cfg(unix)]
    pub fn become_faster() {
        use std::os::unix::process::CommandExt;

        if std::env::var_os(super::STAY).is_some() || missing().is_some() {
            return;
        }
        // The versions must be the same: two builds of one program.
        let name = concat!("tabia-", env!("CARGO_PKG_VERSION"), "-x86-64-v3");
        let Ok(this) = std::env::current_exe() else { return };
        let Some(folder) = this.parent() else { return };
        for path in [folder.join(name), folder.join("../lib/tabia").join(name)] {
            if path.is_file() {
                let mut words = std::env::args_os();
                let own = words.next().unwrap_or_else(|| "tabia".into());
                // Returns only if it failed: then it is as if the file were not there.
                let _ = std::process::Command::new(&path).arg0(own).args(words).exec();
            }
        }
    }
}
