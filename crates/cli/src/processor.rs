//! Which build runs: one that this processor understands, and the fastest of those.
//!
//! The search lives on `popcnt`, `tzcnt` and `blsr`, and its layers on AVX2: compiled for x86-64-v3 it is much faster than for
//! every x86-64 (ADR 20 has the figures). So a release carries both builds. `tabia` is the one for every processor; where
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
    use std::process::ExitCode;

    /// What x86-64-v3 has and x86-64 has not, as far as compilers use it: leaf, register, bit, name.
    const FEATURES: [(u32, Register, u32, &str); 7] = [
        (1, Register::Ecx, 23, "POPCNT"),
        (1, Register::Ecx, 12, "FMA"),
        (1, Register::Ecx, 28, "AVX"),
        (7, Register::Ebx, 5, "AVX2"),
        (7, Register::Ebx, 3, "BMI1"),
        (7, Register::Ebx, 8, "BMI2"),
        (0x8000_0001, Register::Ecx, 5, "LZCNT"),
    ];

    #[derive(Copy, Clone)]
    enum Register {
        Ebx,
        Ecx,
    }

    /// Asks the processor itself. `is_x86_feature_detected!` would not: what a build is compiled for it takes for granted.
    fn missing() -> impl Iterator<Item = &'static str> {
        FEATURES.into_iter().filter_map(|(leaf, register, bit, name)| {
            let most = __cpuid(leaf & 0x8000_0000).eax;
            if most < leaf {
                return Some(name);
            }
            let found = __cpuid_count(leaf, 0);
            let bits = match register {
                Register::Ebx => found.ebx,
                Register::Ecx => found.ecx,
            };
            ((bits >> bit) & 1 == 0).then_some(name)
        })
    }

    pub fn refuse_older() -> Option<ExitCode> {
        let first = missing().next()?;
        eprintln!(
            "tabia: this build is for processors since 2013 (x86-64-v3), and this one lacks {first}; take the binary of a \
             release, which runs on every x86-64, or build one: RUSTFLAGS=\"-C target-cpu=x86-64\" make build"
        );
        Some(ExitCode::FAILURE)
    }

    /// Becomes the build for x86-64-v3 where there is one. Where there is not, or it cannot be started, this one goes on.
    #[cfg(unix)]
    pub fn become_faster() {
        use std::os::unix::process::CommandExt;

        if std::env::var_os(super::STAY).is_some() || missing().next().is_some() {
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
