//! Engines that misbehave, as real processes under the real supervisor: what they may not do fails, and nothing is left
//! of them. The roles below are the attacks; each succeeds when it is started by `Launcher::plain`.

#![cfg_attr(not(target_os = "linux"), allow(unused))]

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getppid, kill_process, setsid, test_kill_process};
use tabia_arena::driver::process::Process;
use tabia_arena::driver::{CommandLine, Fault, Launcher, SandboxLimits, launch};

/// Longer than anything takes here unless it hangs.
const GUARD: Duration = Duration::from_mins(1);
/// The word before a role.
const ROLE: &str = "__role";
const MIB: usize = 1 << 20;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some(launch::ENGINE_ARGUMENT) => {
            let done = launch::run(std::env::args_os().skip(2));
            return done.unwrap_or_else(|error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            });
        }
        Some(ROLE) => {
            play(&args[1], &args[2..]);
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    harness(&args)
}

/// As much of the usual test program as `cargo test` and `cargo nextest` ask for.
fn harness(args: &[String]) -> ExitCode {
    let is = |flag: &str| args.iter().any(|word| word == flag);
    let tests: &[(&str, fn())] = if cfg!(target_os = "linux") { TESTS } else { &[] };
    let filters: Vec<&String> = args.iter().filter(|word| !word.starts_with('-')).collect();
    let fits = |name: &str| {
        filters.is_empty()
            || filters.iter().any(|f| if is("--exact") { name == *f } else { name.contains(*f) })
    };
    for (name, test) in tests.iter().filter(|(name, _)| fits(name) && !is("--ignored")) {
        if is("--list") {
            println!("{name}: test");
        } else {
            println!("test {name}");
            test();
        }
    }
    ExitCode::SUCCESS
}

const TESTS: &[(&str, fn())] = &[
    ("lines_go_through", lines_go_through),
    ("the_end_of_an_engine_is_told_as_it_was", the_end_of_an_engine_is_told_as_it_was),
    ("a_session_of_its_own_does_not_save_a_process", a_session_of_its_own_does_not_save_a_process),
    ("nothing_outlives_a_parent_that_is_killed", nothing_outlives_a_parent_that_is_killed),
    ("an_engine_that_nobody_talks_to_is_ended", an_engine_that_nobody_talks_to_is_ended),
    ("a_fork_bomb_is_ended", a_fork_bomb_is_ended),
    ("files_are_written_in_the_scratch_directory_alone", files_are_written_in_the_scratch_directory_alone),
    ("a_huge_file_ends_the_engine", a_huge_file_ends_the_engine),
    ("many_files_end_the_engine", many_files_end_the_engine),
    ("memory_is_bounded_in_a_process", memory_is_bounded_in_a_process),
    ("memory_is_bounded_over_all_processes", memory_is_bounded_over_all_processes),
    ("the_environment_holds_no_secrets", the_environment_holds_no_secrets),
    ("a_confined_engine_kills_nobody_else", a_confined_engine_kills_nobody_else),
    ("a_confined_engine_opens_no_connection", a_confined_engine_opens_no_connection),
    ("what_cannot_be_started_is_told", what_cannot_be_started_is_told),
];

// The engines.

fn play(role: &str, args: &[String]) {
    match role {
        "echo" => {
            for line in io::stdin().lock().lines() {
                say(&format!("<{}>", line.unwrap()));
            }
        }
        "exit" => std::process::exit(args[0].parse().unwrap()),
        "die" => {
            let signal = Signal::from_named_raw(args[0].parse().unwrap()).unwrap();
            // The first of SIGSEGV goes to Rust's handler of stack overflows, which steps aside.
            kill_process(rustix::process::getpid(), signal).unwrap();
            kill_process(rustix::process::getpid(), signal).unwrap();
        }
        // Our place: starts an engine, and says what it says.
        "parent" => {
            let limits: Option<SandboxLimits> = serde_json::from_str(&args[0]).unwrap();
            let args: Vec<&str> = args[1..].iter().map(String::as_str).collect();
            let mut engine = confined(&args, limits.unwrap());
            loop {
                say(&next(&mut engine).unwrap());
            }
        }
        // A daemon, as they are made: in a session of its own, with a parent that is gone.
        "daemon" => {
            start(&["orphan-maker"]);
            stay();
        }
        "orphan-maker" => {
            setsid().unwrap();
            start(&["stay"]);
            start(&["in-session", "stay"]);
        }
        "in-session" => {
            setsid().unwrap();
            play(&args[0], &args[1..]);
        }
        "stay" => stay(),
        "fork-bomb" => {
            // Twice as many each time, up to a number that the machine bears.
            let left: u32 = args[0].parse().unwrap();
            for _ in 0..if left == 0 { 0 } else { 2 } {
                start(&["in-session", "fork-bomb", &(left - 1).to_string()]);
            }
            stay();
        }
        "write" => say(&told(fs::write(&args[0], "overwritten"))),
        "read" => say(&told(fs::read(&args[0]).map(|_| ()))),
        "work" => {
            fs::write("log.txt", "notes").unwrap();
            say(&format!(
                "{} {}",
                std::env::current_dir().unwrap().display(),
                fs::read_dir(".").unwrap().count()
            ));
            say(&told(Command::new("/bin/true").status().map(|_| ())));
            fs::copy("/bin/true", "program").unwrap();
            say(&told(Command::new("./program").status().map(|_| ())));
            stay();
        }
        "huge-file" => {
            let mut file = fs::File::create("huge").unwrap();
            let block = vec![1; MIB];
            loop {
                file.write_all(&block).unwrap();
            }
        }
        "many-files" => {
            for number in 0.. {
                fs::write(format!("part{number}"), vec![1; MIB]).unwrap();
            }
        }
        "memory" => {
            let mut blocks: Vec<Vec<u8>> = Vec::new();
            loop {
                let mut block = Vec::new();
                if block.try_reserve_exact(16 * MIB).is_err() {
                    say(&format!("refused after {}", 16 * blocks.len()));
                    stay();
                }
                block.resize(16 * MIB, 1);
                blocks.push(block);
            }
        }
        "memory-of-many" => {
            for _ in 0..4 {
                start(&["in-session", "hold", &args[0]]);
            }
            stay();
        }
        "hold" => {
            let block = vec![1u8; args[0].parse::<usize>().unwrap() * MIB];
            stay_with(&block);
        }
        "environment" => {
            for (name, value) in std::env::vars() {
                say(&format!("{name}={value}"));
            }
            let above = fs::read(format!("/proc/{}/environ", getppid().unwrap()));
            say(&format!(
                "above: {}",
                above.map_or(String::new(), |text| String::from_utf8_lossy(&text).into_owned())
            ));
            say(".");
            stay();
        }
        "kill" => {
            let victim = match args[0].as_str() {
                "parent" => getppid().unwrap(),
                number => Pid::from_raw(number.parse().unwrap()).unwrap(),
            };
            say(&told(kill_process(victim, Signal::KILL).map_err(Into::into)));
            stay();
        }
        "connect" => {
            say(&told(std::net::TcpStream::connect(args[0].as_str()).map(|_| ())));
            say(&told(std::net::TcpListener::bind("127.0.0.1:0").map(|_| ())));
            stay();
        }
        _ => panic!("there is no role {role}"),
    }
}

fn say(line: &str) {
    println!("{line}");
}

fn told(result: io::Result<()>) -> String {
    result.map_or_else(|error| format!("refused: {error}"), |()| "done".to_owned())
}

fn stay() -> ! {
    say(&format!("pid {}", std::process::id()));
    loop {
        std::thread::park();
    }
}

fn stay_with(block: &[u8]) -> ! {
    std::hint::black_box(block);
    stay()
}

#[expect(clippy::zombie_processes, reason = "an engine that misbehaves waits for nobody")]
fn start(args: &[&str]) {
    Command::new(std::env::current_exe().unwrap()).arg(ROLE).args(args).spawn().unwrap();
}

// The tests.

fn limits() -> SandboxLimits {
    // The test program lies in the build's folder.
    let readable = std::env::current_exe().unwrap().parent().map(Path::to_owned).into_iter().collect();
    SandboxLimits { readable, ..SandboxLimits::default() }
}

fn line(args: &[&str]) -> CommandLine {
    CommandLine {
        program: std::env::current_exe().unwrap(),
        arguments: [ROLE].iter().chain(args).map(ToString::to_string).collect(),
        directory: None,
    }
}

fn supervised(args: &[&str]) -> Process {
    Process::start(&line(args), &Launcher::supervised_by_this_program()).unwrap()
}

fn confined(args: &[&str], limits: SandboxLimits) -> Process {
    Process::start(&line(args), &Launcher::sandboxed(limits)).unwrap()
}

fn next(process: &mut Process) -> Result<String, Fault> {
    let line = process.read(Instant::now() + GUARD)?;
    Ok(line.expect("it says something").text)
}

/// What is said until it has ended, and its end.
fn end(process: &mut Process) -> (Vec<String>, Fault) {
    let mut said = Vec::new();
    loop {
        match next(process) {
            Ok(line) => said.push(line),
            Err(fault) => return (said, fault),
        }
    }
}

/// The numbers of so many processes that stay.
fn pids(process: &mut Process, count: usize) -> Vec<Pid> {
    let mut pids = Vec::new();
    while pids.len() < count {
        if let Some(number) = next(process).unwrap().strip_prefix("pid ") {
            pids.push(Pid::from_raw(number.parse().unwrap()).unwrap());
        }
    }
    pids
}

fn is_gone(pid: Pid) -> bool {
    test_kill_process(pid).is_err()
        || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| stat.contains(") Z "))
}

fn wait_until_gone(pids: &[Pid]) {
    let deadline = Instant::now() + GUARD;
    while !pids.iter().all(|pid| is_gone(*pid)) {
        assert!(
            Instant::now() < deadline,
            "still there: {:?}",
            pids.iter().filter(|pid| !is_gone(**pid)).collect::<Vec<_>>()
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("tabia-supervisor-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn limits(&self) -> SandboxLimits {
        SandboxLimits { scratch_root: self.0.clone(), ..limits() }
    }

    fn is_empty(&self) -> bool {
        fs::read_dir(&self.0).unwrap().count() == 0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn lines_go_through() {
    for mut process in [supervised(&["echo"]), confined(&["echo"], limits())] {
        process.write("one\ntwo\n").unwrap();
        assert_eq!(next(&mut process).unwrap(), "<one>");
        assert_eq!(next(&mut process).unwrap(), "<two>");
        process.leave("three\n");
    }
}

/// How a process ended, however long its supervisor takes to tell.
fn ending(mut process: Process) -> Fault {
    let (_, mut fault) = end(&mut process);
    let deadline = Instant::now() + GUARD;
    while fault.detail.contains("still runs") && Instant::now() < deadline {
        fault = process.exit_fault();
    }
    fault
}

fn the_end_of_an_engine_is_told_as_it_was() {
    let fault = ending(supervised(&["exit", "7"]));
    assert!(fault.detail.contains("exit status: 7"), "{fault}");
    let fault = ending(confined(&["die", "9"], limits()));
    assert!(fault.detail.contains("signal: 9"), "{fault}");
    let fault = ending(supervised(&["die", "11"]));
    assert!(fault.detail.contains("signal: 11"), "{fault}");
}

fn a_session_of_its_own_does_not_save_a_process() {
    for mut process in [supervised(&["daemon"]), confined(&["daemon"], limits())] {
        let pids = pids(&mut process, 3);
        assert!(pids.iter().all(|pid| !is_gone(*pid)));
        drop(process);
        // Not even for a moment: the supervisor ends last, and is waited for.
        assert!(pids.iter().all(|pid| is_gone(*pid)));
    }
    // The attack works where only the process group is killed.
    let mut process = Process::start(&line(&["daemon"]), &Launcher::plain()).unwrap();
    let pids = pids(&mut process, 3);
    drop(process);
    let left: Vec<Pid> = pids.into_iter().filter(|pid| !is_gone(*pid)).collect();
    for pid in &left {
        kill_process(*pid, Signal::KILL).unwrap();
    }
    assert_eq!(left.len(), 2);
}

fn nothing_outlives_a_parent_that_is_killed() {
    // Our place is taken by a process that starts an engine as we do, and is then killed.
    let folder = Folder::new("killed");
    let limits = serde_json::to_string(&Some(folder.limits())).unwrap();
    let program = std::env::current_exe().unwrap();
    let mut parent = Command::new(&program)
        .args([ROLE, "parent", &limits, "daemon"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = io::BufReader::new(parent.stdout.take().unwrap()).lines();
    let mut pids = Vec::new();
    while pids.len() < 3 {
        if let Some(number) = said.next().unwrap().unwrap().strip_prefix("pid ") {
            pids.push(Pid::from_raw(number.parse().unwrap()).unwrap());
        }
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_until_gone(&pids);
    let deadline = Instant::now() + GUARD;
    while !folder.is_empty() {
        assert!(Instant::now() < deadline, "the scratch directory is removed");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn an_engine_that_nobody_talks_to_is_ended() {
    let mut process = supervised(&["daemon"]);
    let pids = pids(&mut process, 3);
    // It does not read, and does not leave.
    process.leave("quit\n");
    drop(process);
    assert!(pids.iter().all(|pid| is_gone(*pid)));
}

fn a_fork_bomb_is_ended() {
    let limits = SandboxLimits { tasks: 40, ..limits() };
    // 2^8 processes at the end, if nobody ends it before.
    let mut process = confined(&["fork-bomb", "7"], limits);
    let (said, fault) = end(&mut process);
    assert!(fault.detail.contains("processes and threads, and may have 40"), "{fault}");
    let told = said.iter().filter_map(|line| Pid::from_raw(line.strip_prefix("pid ")?.parse().ok()?));
    assert!(told.into_iter().all(is_gone));
    // One that is ended while it grows.
    let mut process = supervised(&["fork-bomb", "6"]);
    let first = pids(&mut process, 20);
    drop(process);
    assert!(first.into_iter().all(is_gone));
}

fn files_are_written_in_the_scratch_directory_alone() {
    let folder = Folder::new("files");
    let victim = Folder::new("victim");
    let path = victim.0.join("victim.txt");
    fs::write(&path, "precious").unwrap();
    let name = path.to_str().unwrap();
    // The attack works without a confinement.
    let other = victim.0.join("other.txt");
    assert_eq!(end(&mut supervised(&["write", other.to_str().unwrap()])).0, ["done"]);
    assert!(other.exists());

    let mut process = confined(&["work"], folder.limits());
    let said = next(&mut process).unwrap();
    let (directory, entries) = said.rsplit_once(' ').unwrap();
    assert!(Path::new(directory).starts_with(&folder.0), "{directory}");
    assert_eq!(entries, "1", "it is empty but for what the engine wrote");
    assert_eq!(next(&mut process).unwrap(), "done", "programs of the system can be started");
    if launch::landlock_version() >= 1 {
        assert!(next(&mut process).unwrap().starts_with("refused"), "its own cannot");
    }
    drop(process);
    assert!(folder.is_empty(), "nothing is left of the scratch directory");

    if launch::landlock_version() >= 1 {
        let refused = |args: &[&str]| {
            let (said, _) = end(&mut confined(args, folder.limits()));
            assert!(said[0].starts_with("refused"), "{args:?}: {said:?}");
        };
        refused(&["write", name]);
        refused(&["write", victim.0.join("new.txt").to_str().unwrap()]);
        refused(&["write", victim.0.join(".profile").to_str().unwrap()]);
        refused(&["write", "../outside.txt"]);
        refused(&["read", name]);
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
        assert_eq!(fs::read_dir(&victim.0).unwrap().count(), 2);
        let with = SandboxLimits { readable: vec![victim.0.clone()], ..folder.limits() };
        let with = SandboxLimits { readable: [with.readable, limits().readable].concat(), ..folder.limits() };
        assert_eq!(end(&mut confined(&["read", name], with)).0, ["done"], "what the operator lets it read");
    }
    assert!(folder.is_empty());
}

fn a_huge_file_ends_the_engine() {
    let folder = Folder::new("huge");
    let limits = SandboxLimits { file_bytes: 4 << 20, ..folder.limits() };
    let (_, fault) = end(&mut confined(&["huge-file"], limits));
    // By the kernel, or by the supervisor that was quicker.
    let by_kernel = fault.detail.contains("signal: 25");
    assert!(by_kernel || fault.detail.contains("its files take"), "{fault}");
    assert!(folder.is_empty());
}

fn many_files_end_the_engine() {
    let folder = Folder::new("many");
    let limits = SandboxLimits { file_bytes: 8 << 20, ..folder.limits() };
    let (_, fault) = end(&mut confined(&["many-files"], limits));
    assert!(fault.detail.contains("its files take") && fault.detail.contains("may take 8"), "{fault}");
    assert!(folder.is_empty());
}

fn memory_is_bounded_in_a_process() {
    let mut process = confined(&["memory"], SandboxLimits { memory_bytes: 256 << 20, ..limits() });
    let said = next(&mut process).unwrap();
    let mib: usize = said.strip_prefix("refused after ").unwrap_or_else(|| panic!("{said}")).parse().unwrap();
    assert!(mib < 256, "{said}");
}

fn memory_is_bounded_over_all_processes() {
    let (_, fault) =
        end(&mut confined(&["memory-of-many", "90"], SandboxLimits { memory_bytes: 256 << 20, ..limits() }));
    assert!(fault.detail.contains("MiB of memory, and may use 256"), "{fault}");
}

fn the_environment_holds_no_secrets() {
    let program = std::env::current_exe().unwrap();
    let limits = serde_json::to_string(&Some(limits())).unwrap();
    let mut parent = Command::new(program)
        .args([ROLE, "parent", &limits, "environment"])
        .env("TABIA_TOKEN", "top-secret")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let lines = io::BufReader::new(parent.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<String> = lines.take_while(|line| line != ".").collect();
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(said.iter().any(|line| line.starts_with("TMPDIR=")), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("PATH=")), "{said:?}");
    assert!(!said.concat().contains("top-secret"), "{said:?}");
}

fn a_confined_engine_kills_nobody_else() {
    if launch::landlock_version() < 6 {
        return;
    }
    let mut victim = Command::new("/bin/sleep").arg("600").spawn().unwrap();
    let mut process = confined(&["kill", &victim.id().to_string()], limits());
    assert!(next(&mut process).unwrap().starts_with("refused"));
    let mut process = confined(&["kill", "parent"], limits());
    assert!(next(&mut process).unwrap().starts_with("refused"), "its supervisor neither");
    assert!(victim.try_wait().unwrap().is_none());
    victim.kill().unwrap();
    victim.wait().unwrap();
}

fn a_confined_engine_opens_no_connection() {
    if launch::landlock_version() < 4 {
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut process = supervised(&["connect", &address]);
    assert_eq!([next(&mut process).unwrap(), next(&mut process).unwrap()], ["done", "done"]);
    let mut process = confined(&["connect", &address], limits());
    assert!(next(&mut process).unwrap().starts_with("refused"));
    assert!(next(&mut process).unwrap().starts_with("refused"));
}

fn what_cannot_be_started_is_told() {
    let missing = CommandLine { program: "/no/such/engine".into(), arguments: Vec::new(), directory: None };
    let mut process = Process::start(&missing, &Launcher::sandboxed(limits())).unwrap();
    let (_, fault) = end(&mut process);
    assert!(fault.detail.contains("cannot start /no/such/engine"), "{fault}");
    let nowhere = SandboxLimits { scratch_root: "/no/such/place".into(), ..limits() };
    let (_, fault) = end(&mut confined(&["echo"], nowhere));
    assert!(fault.detail.contains("/no/such/place"), "{fault}");
}
