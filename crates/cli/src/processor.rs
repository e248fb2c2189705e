//! Selects the build for this processor.
//!
//! The search depends on `popcnt`, `tzcnt` and `blsr`, and the networks on AVX2, which a build for generic x86-64
//! does not use (ADR 20). A release therefore contains two builds. `tabia` is the generic one; if the processor
//! supports x86-64-v3 and the other build is next to it, it executes that one. Without it, it runs itself, slower. A
//! build for x86-64-v3 on an older processor prints an error instead of crashing with an illegal instruction.

use std::process::ExitCode;

/// If set to anything, the other build is not executed.
const STAY: &str = "TABIA_BASELINE";

/// Executes the faster build if there is one for this processor. Returns an exit code if this build cannot run here.
///
/// Called before anything else: in a build for newer processors nothing else may run.
pub fn choose() -> Option<ExitCode> {
    #[cfg(target_arch = "x86_64")]
    {
        if cfg!(target_feature = "avx2") {
            return x86::refuse_older();
        }
        #[cfg(unix)]
        x86::reexec_with_best_build();
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

    /// The first feature of x86-64-v3 that this processor lacks.
    ///
    /// Uses `cpuid` directly: `is_x86_feature_detected!` assumes the features that the build was compiled for. It
    /// uses only integers, without arrays, iterators and formatting, because the compiler would use the very
    /// instructions in question for those. `tests/peers/test_processor.py` runs it on an old processor.
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
        // Best effort: standard error may be closed.
        let _ =
            out.write_all(b"tabia: this build is for processors since 2013 (x86-64-v3), and this one lacks ");
        let _ = out.write_all(first.as_bytes());
        let _ = out.write_all(
            b"; take the binary of a release, which runs on every x86-64, or build one: \
              RUSTFLAGS=\"-C target-cpu=x86-64\" make build\n",
        );
        Some(ExitCode::FAILURE)
    }

    /// Executes the build for x86-64-v3 if there is one. Otherwise, or if that fails, this build continues.
    #[cfg(unix)]
    pub fn reexec_with_best_build() {
        use std::os::unix::process::CommandExt;

        if std::env::var_os(super::STAY).is_some() || missing().is_some() {
            return;
        }
        // Both must be the same version.
        let name = concat!("tabia-", env!("CARGO_PKG_VERSION"), "-x86-64-v3");
        let Ok(this) = std::env::current_exe() else { return };
        let Some(folder) = this.parent() else { return };
        for path in [folder.join(name), folder.join("../lib/tabia").join(name)] {
            if path.is_file() {
                let mut args = std::env::args_os();
                let own = args.next().unwrap_or_else(|| "tabia".into());
                // `exec` returns only on failure; this build then continues.
                let _ = std::process::Command::new(&path).arg0(own).args(args).exec();
            }
        }
    }
}
