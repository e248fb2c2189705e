//! The sandbox of an engine: a scratch directory of its own, and the limits of [`SandboxLimits`].
//!
//! The kernel enforces it: resource limits per process, [Landlock](https://landlock.io) for files, TCP and signals where the
//! kernel has it (5.13; TCP from 6.7, signals from 6.12). What limits per process cannot express, the sum over all
//! processes of an engine, the supervisor looks at ([`super::supervise`]).

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getuid, set_parent_process_death_signal, setrlimit, setsid,
};

use super::sandbox_limits::SandboxLimits;

/// The rules that are asked for; of these, the kernel enforces those it knows.
const RULES: ABI = ABI::V7;
/// What programs need to start and run, read only: libraries, interpreters, facts about the machine. Not all of `/etc`,
/// where passwords may be.
const SYSTEM: &[&str] = &[
    "/bin",
    "/dev",
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/gnu",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix",
    "/opt",
    "/proc",
    "/sbin",
    "/sys",
    "/usr",
];
/// Devices that may be written to.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero"];
/// What is kept of the environment: nothing that could hold a secret.
const ENVIRONMENT: &[&str] = &["LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TZ"];
/// Files and directories in a scratch directory.
const MAX_ENTRIES: usize = 10_000;

/// The environment variables of a sandboxed engine, except those of its directories.
pub fn environment() -> impl Iterator<Item = (&'static str, OsString)> {
    ENVIRONMENT.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)))
}

/// An empty directory, removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// A new directory that only this user may enter.
    pub fn new(root: &Path) -> io::Result<Scratch> {
        let failed = |path: &Path, error: io::Error| {
            let text = format!("cannot make the scratch directory {}: {error}", path.display());
            io::Error::new(error.kind(), text)
        };
        let root = std::path::absolute(root).map_err(|error| failed(root, error))?;
        let process = std::process::id();
        let mut number = 0u32;
        loop {
            let path = root.join(format!("tabia-engine-{process}-{number}"));
            match fs::DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Scratch(path)),
                // Left by a process of the same number that could not clean up.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX => {
                    number += 1;
                }
                Err(error) => return Err(failed(&path, error)),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Bytes of everything in it, as stored; `None` when there are more entries than are counted.
    pub fn bytes(&self) -> Option<u64> {
        let (mut bytes, mut entries) = (0, 0);
        let mut open = vec![self.0.clone()];
        while let Some(path) = open.pop() {
            for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
                entries += 1;
                if entries > MAX_ENTRIES {
                    return None;
                }
                // Links are not followed.
                let Ok(data) = entry.metadata() else { continue };
                bytes += data.blocks() * 512;
                if data.is_dir() {
                    open.push(entry.path());
                }
            }
        }
        Some(bytes)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if fs::remove_dir_all(&self.0).is_err() {
            // Directories may have been made unreadable.
            open_up(&self.0);
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

fn open_up(path: &Path) {
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        open.extend(
            entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path()),
        );
    }
}

/// Turns this process into an engine: in a session of its own, killed when its parent dies, and sandboxed if limits are
/// given; then its scratch directory is the current one. Returns only on an error.
pub fn become_engine(
    parent: Pid,
    sandbox: Option<&SandboxLimits>,
    program: &OsStr,
    arguments: impl Iterator<Item = OsString>,
) -> io::Error {
    let prepared =
        die_with(parent).and_then(|()| sandbox.map_or(Ok(()), |limits| enter_sandbox(limits, program)));
    if let Err(error) = prepared {
        return error;
    }
    let error = Command::new(program).args(arguments).exec();
    io::Error::new(error.kind(), format!("cannot start {}: {error}", program.display()))
}

fn die_with(parent: Pid) -> io::Result<()> {
    setsid()?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // It may have died before we asked.
    if getppid() == Some(parent) {
        Ok(())
    } else {
        Err(io::Error::other("whoever wanted this engine is gone"))
    }
}

fn enter_sandbox(limits: &SandboxLimits, program: &OsStr) -> io::Result<()> {
    rustix::thread::set_no_new_privs(true)?;
    let all = |max| Rlimit { current: Some(max), maximum: Some(max) };
    setrlimit(Resource::Core, all(0))?;
    setrlimit(Resource::As, all(limits.memory_bytes))?;
    setrlimit(Resource::Fsize, all(limits.file_bytes))?;
    lower(Resource::Nofile, limits.open_files)?;
    // The kernel counts all tasks of the user, not those of this process.
    lower(Resource::Nproc, tasks_of_user() + limits.tasks)?;
    let scratch = std::env::current_dir()?;
    restrict(limits, Path::new(program), &scratch).map_err(io::Error::other)?;
    Ok(())
}

/// Sets a limit that may already be lower.
fn lower(resource: Resource, max: u64) -> io::Result<()> {
    let max = rustix::process::getrlimit(resource).maximum.map_or(max, |maximum| maximum.min(max));
    Ok(setrlimit(resource, Rlimit { current: Some(max), maximum: Some(max) })?)
}

fn tasks_of_user() -> u64 {
    let user = getuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = processes.filter(|entry| {
        let is_process = entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
        is_process && entry.metadata().is_ok_and(|data| data.uid() == user)
    });
    own.map(|process| fs::read_dir(process.path().join("task")).map_or(1, |tasks| tasks.count() as u64)).sum()
}

/// The version of Landlock's interface that the kernel enforces: 0 without Landlock, from 1 files, from 4 TCP, from 6
/// signals.
pub fn landlock_version() -> u32 {
    // Rules bind the thread that asks for them, and this one ends at once.
    let requested = std::thread::Builder::new().spawn(|| {
        let status = Ruleset::default().handle_access(AccessFs::Execute).and_then(Ruleset::create);
        match status.and_then(landlock::RulesetCreated::restrict_self).map(|status| status.landlock) {
            Ok(LandlockStatus::Available { effective_abi, .. }) => effective_abi as u32,
            _ => 0,
        }
    });
    requested.ok().and_then(|thread| thread.join().ok()).unwrap_or(0)
}

/// Reads what it needs, writes to its scratch directory, opens no TCP connection and signals nobody but its own.
fn restrict(
    limits: &SandboxLimits,
    program: &Path,
    scratch: &Path,
) -> Result<RulesetStatus, landlock::RulesetError> {
    let read = AccessFs::from_read(RULES);
    // Beside the engine lie its network and its libraries. One that is a link is read where it lies, alone.
    let beside = program.parent().into_iter().map(Path::to_owned).chain(program.canonicalize());
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(RULES))?
        .handle_access(AccessNet::from_all(RULES))?
        .scope(Scope::from_all(RULES))?
        .create()?
        .add_rules(path_beneath_rules(SYSTEM, read))?
        .add_rules(path_beneath_rules(beside.chain(limits.readable.iter().cloned()), read))?
        .add_rules(path_beneath_rules(DEVICES, AccessFs::from_file(RULES)))?
        // What it writes there it cannot execute.
        .add_rules(path_beneath_rules([scratch], AccessFs::from_all(RULES) & !AccessFs::Execute))?
        .restrict_self()?;
    Ok(status.ruleset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_directory_is_private_measured_and_removed() {
        let root = std::env::temp_dir();
        let (first, second) = (Scratch::new(&root).unwrap(), Scratch::new(&root).unwrap());
        assert_ne!(first.path(), second.path());
        assert_eq!(fs::metadata(first.path()).unwrap().mode() & 0o777, 0o700);
        assert_eq!(first.bytes(), Some(0));
        let inner = first.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("file"), vec![1; 10_000]).unwrap();
        std::os::unix::fs::symlink("/usr", first.path().join("link")).unwrap();
        let bytes = first.bytes().unwrap();
        assert!((10_000..100_000).contains(&bytes), "{bytes}");
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o000)).unwrap();
        let path = first.path().to_owned();
        drop(first);
        assert!(!path.exists() && Path::new("/usr").exists());
        let error = Scratch::new(Path::new("/no/such/place")).unwrap_err().to_string();
        assert!(error.contains("/no/such/place"), "{error}");
    }

    #[test]
    fn no_secret_is_in_the_environment() {
        assert!(environment().all(|(name, _)| !name.contains("TOKEN")));
        assert!(environment().any(|(name, _)| name == "PATH"));
    }
}
