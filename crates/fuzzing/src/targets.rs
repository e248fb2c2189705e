//! What is fuzzed, one module a target. Each is named for what must hold.

pub mod agent_spec_reads_or_says_why;
pub mod epd_line_reads_or_says_why;
pub mod fen_reads_or_says_why;
pub mod game_file_never_panics;
pub mod games_file_reads_or_says_why;
pub mod grid_message_reads_or_is_ignored;
pub mod grpc_message_reads_or_says_why;
pub mod http_request_never_breaks_the_server;
pub mod polyglot_book_never_panics;
pub mod puzzle_file_reads_or_says_why;
pub mod quantum_position_reads_or_says_why;
pub mod replay_reads_or_says_why;
pub mod run_directory_reads_or_says_why;
pub mod samples_file_reads_or_says_why;
pub mod training_text_reads_or_says_why;
pub mod uci_line_never_panics;
pub mod weights_read_or_say_why;

/// A target: its name, what it reads, and whether that must be text.
pub struct Target {
    pub name: &'static str,
    /// Panics where what must hold does not.
    pub check: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target {
        name: "agent_spec_reads_or_says_why",
        check: |bytes| text(bytes, agent_spec_reads_or_says_why::check),
    },
    Target {
        name: "epd_line_reads_or_says_why",
        check: |bytes| text(bytes, epd_line_reads_or_says_why::check),
    },
    Target { name: "fen_reads_or_says_why", check: |bytes| text(bytes, fen_reads_or_says_why::check) },
    Target { name: "game_file_never_panics", check: game_file_never_panics::check },
    Target { name: "games_file_reads_or_says_why", check: games_file_reads_or_says_why::check },
    Target { name: "grid_message_reads_or_is_ignored", check: grid_message_reads_or_is_ignored::check },
    Target { name: "grpc_message_reads_or_says_why", check: grpc_message_reads_or_says_why::check },
    Target {
        name: "http_request_never_breaks_the_server",
        check: http_request_never_breaks_the_server::check,
    },
    Target { name: "polyglot_book_never_panics", check: polyglot_book_never_panics::check },
    Target {
        name: "puzzle_file_reads_or_says_why",
        check: |bytes| text(bytes, puzzle_file_reads_or_says_why::check),
    },
    Target {
        name: "quantum_position_reads_or_says_why",
        check: |bytes| text(bytes, quantum_position_reads_or_says_why::check),
    },
    Target { name: "replay_reads_or_says_why", check: |bytes| text(bytes, replay_reads_or_says_why::check) },
    Target { name: "run_directory_reads_or_says_why", check: run_directory_reads_or_says_why::check },
    Target { name: "samples_file_reads_or_says_why", check: samples_file_reads_or_says_why::check },
    Target {
        name: "training_text_reads_or_says_why",
        check: |bytes| text(bytes, training_text_reads_or_says_why::check),
    },
    Target { name: "uci_line_never_panics", check: |bytes| text(bytes, uci_line_never_panics::check) },
    Target { name: "weights_read_or_say_why", check: weights_read_or_say_why::check },
];

/// Bytes that are no text are none for a target that reads text.
fn text(bytes: &[u8], check: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text);
    }
}
