//! The descendants of a process, as `/proc` lists them: how many there are, what they use, and how to end them all.
//!
//! A process group or session does not hold its members: `setsid` leaves both. Parenthood does, where the ancestor is a
//! *child subreaper* (`PR_SET_CHILD_SUBREAPER`): a process whose parent dies becomes the subreaper's child, whatever
//! session it is in, so that nothing it starts can leave its tree.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpid, pidfd_open, pidfd_send_signal, wait,
};

/// How often processes are stopped again before they are killed, if new ones keep appearing.
const STOP_ROUNDS: usize = 64;
/// Between two attempts to kill what is left.
const AGAIN: Duration = Duration::from_millis(1);

/// What a tree of processes uses.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processes and their threads.
    pub tasks: u64,
    /// Memory in use, in bytes; pages that several processes share are counted in each.
    pub resident_bytes: u64,
}

/// All descendants of a process, without itself. One that is started or ends meanwhile may be missing.
pub fn descendants(root: Pid) -> Vec<Pid> {
    let children: Box<dyn Fn(Pid) -> Vec<Pid>> = if Path::new("/proc/thread-self/children").exists() {
        Box::new(listed_children)
    } else {
        // A kernel without CONFIG_PROC_CHILDREN: every process names its parent.
        let parents = all_parents();
        Box::new(move |pid| parents.get(&pid).cloned().unwrap_or_default())
    };
    let mut known = HashSet::from([root]);
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(pid) = open.pop() {
        for child in children(pid) {
            if known.insert(child) {
                found.push(child);
                open.push(child);
            }
        }
    }
    found
}

fn listed_children(pid: Pid) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(read_pid).collect::<Vec<_>>()).collect()
}

fn all_parents() -> HashMap<Pid, Vec<Pid>> {
    let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
    let names = fs::read_dir("/proc").into_iter().flatten().flatten();
    for pid in names.filter_map(|entry| read_pid(entry.file_name().to_str()?)) {
        if let Some(parent) = parent(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    children
}

fn read_pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

/// The parent of a process: the second field after its name, which may itself hold parentheses and spaces.
fn parent(pid: Pid) -> Option<Pid> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    read_pid(stat.rsplit_once(')')?.1.split_whitespace().nth(1)?)
}

/// What the descendants of a process use together.
pub fn usage(root: Pid) -> Usage {
    let mut usage = Usage::default();
    for pid in descendants(root) {
        let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
        let status = String::from_utf8_lossy(&status);
        let field = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        usage.tasks += field("Threads:").max(1);
        usage.resident_bytes += field("VmRSS:") * 1024;
    }
    usage
}

/// Collects children of this process that have ended; what became of `wanted`, if it is one of them.
pub fn reap(wanted: Pid) -> Option<WaitStatus> {
    let mut status = None;
    while let Ok(Some((pid, ended))) = wait(WaitOptions::NOHANG) {
        if pid == wanted {
            status = Some(ended);
        }
    }
    status
}

/// Ends every descendant of this process, which must be a child subreaper, and returns when none is left.
///
/// They are stopped before they are killed, so that one that forks faster than it is found does not run away.
pub fn end_descendants() {
    let mut stopped = HashSet::new();
    for _ in 0..STOP_ROUNDS {
        let new: Vec<Pid> = descendants(getpid()).into_iter().filter(|pid| stopped.insert(*pid)).collect();
        if new.is_empty() {
            break;
        }
        for pid in new {
            signal(pid, Signal::STOP);
        }
    }
    loop {
        for pid in descendants(getpid()) {
            signal(pid, Signal::KILL);
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => break,
                // No children are left: orphans would have become children of this subreaper.
                Err(_) => return,
            }
        }
        thread::sleep(AGAIN);
    }
}

/// Signals a descendant. Its number may have been given to another process meanwhile, so it is held before it is
/// looked at again.
fn signal(pid: Pid, signal: Signal) {
    let Ok(held) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    let mut ancestor = parent(pid);
    while let Some(next) = ancestor {
        if next == getpid() {
            // One that has just ended is what is wanted.
            let _ = pidfd_send_signal(&held, signal);
            return;
        }
        ancestor = parent(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn children_and_their_children_are_found_and_measured() {
        let mut child = Command::new("/bin/sh")
            .args(["-c", "sleep 600 & one=$!; sleep 600 & echo ready; read line; kill $one $!; wait"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let shell = Pid::from_child(&child);
        assert_eq!(descendants(shell).len(), 2);
        assert!(descendants(getpid()).contains(&shell));
        assert_eq!(usage(shell).tasks, 2);
        assert!(usage(shell).resident_bytes > 0);
        let parents = all_parents();
        assert_eq!(parents[&shell].len(), 2, "the slow way finds the same");
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
