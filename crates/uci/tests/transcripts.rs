//! Sessions recorded from real engines, replayed through the client.
//!
//! In `tests/transcripts`, `> ` is what was written to the engine and `< ` what it answered, byte for byte. Each
//! session searches a position after 1. e4, a mate in one, a side about to be mated, a promotion that
//! `searchmoves` asks for, a position that is mate already, and the initial position until `stop`.

use tabia_core::{ChessGame, Score};
use tabia_uci::{Client, Command, Event, Info, Phase, Reply};

const STOCKFISH: &str = include_str!("transcripts/stockfish-15.1.txt");
const GNU_CHESS: &str = include_str!("transcripts/gnuchess-6.2.7.txt");
const GLAURUNG: &str = include_str!("transcripts/glaurung-2.2.txt");
const TOGA: &str = include_str!("transcripts/toga2-3.0.txt");
const ETHEREAL: &str = include_str!("transcripts/ethereal-12.00.txt");
const ALL: [&str; 5] = [STOCKFISH, GNU_CHESS, GLAURUNG, TOGA, ETHEREAL];

/// What was left in the client at the end of a search.
struct Search {
    answer: String,
    lines: Vec<Info>,
    nodes: u64,
}

impl Search {
    fn score(&self) -> Option<String> {
        Some(self.lines.first()?.score?.to_string())
    }
}

/// Replays a session in which neither side may break the protocol.
fn replay(transcript: &str) -> (Client, Vec<Search>) {
    let mut client = Client::new();
    let mut searches = Vec::new();
    for line in transcript.lines() {
        if let Some(sent) = line.strip_prefix("> ") {
            let command: Command = sent.parse().expect(line);
            assert_eq!(client.send(&command).expect(line), sent);
            continue;
        }
        let received = line.strip_prefix("< ").expect(line);
        if let Event::BestMove(answer) = client.on_line(received).expect(line) {
            searches.push(Search {
                answer: answer.to_string(),
                lines: client.lines().cloned().collect(),
                nodes: client.nodes().unwrap_or(0),
            });
        }
    }
    assert_eq!(client.phase(), Phase::Over);
    (client, searches)
}

fn answers(searches: &[Search]) -> Vec<&str> {
    searches.iter().map(|search| search.answer.trim_start_matches("bestmove ")).collect()
}

fn scores(searches: &[Search]) -> Vec<String> {
    searches.iter().map(|search| search.score().unwrap_or_default()).collect()
}

#[test]
fn stockfish_is_understood() {
    let (client, searches) = replay(STOCKFISH);
    assert_eq!(client.name(), Some("Stockfish 15.1"));
    assert_eq!(client.author(), Some("the Stockfish developers (see AUTHORS file)"));
    assert_eq!(client.options().len(), 21);
    assert_eq!(
        answers(&searches),
        ["b8c6", "a1a8", "a8b8 ponder h1h8", "a7a8q", "(none)", "e2e4 ponder c7c5"]
    );
    assert_eq!(scores(&searches), ["cp -6", "mate 1", "mate -1", "cp 610", "mate 0", "cp 40"]);
    let ranks: Vec<_> = searches[0].lines.iter().map(|info| info.multipv).collect();
    assert_eq!(ranks, [Some(1), Some(2)]);
    assert_eq!(
        searches[5].lines[1].score.map(|score| score.to_string()).as_deref(),
        Some("cp 31 lowerbound")
    );
    assert!(searches[0].lines.iter().all(|info| info.wdl.is_some()));
}

#[test]
fn gnu_chess_is_understood() {
    let (client, searches) = replay(GNU_CHESS);
    assert_eq!(client.name(), Some("GNU Chess 6.2.7"));
    assert_eq!(client.options().len(), 20);
    let answers = answers(&searches);
    assert_eq!(answers[1..3], ["a1a8", "a8b8 ponder h1h8"]);
    assert_eq!(answers[4], "(none)", "its null move a1a1");
    assert_eq!(scores(&searches)[1..3], ["mate 1", "mate -1"]);
    let last = &searches[5];
    assert!(last.nodes >= last.lines[0].nodes.unwrap(), "the final count is in a line of its own");
}

#[test]
fn glaurung_is_understood_though_it_leaves_a_question_unanswered() {
    let (client, searches) = replay(GLAURUNG);
    assert_eq!(client.name(), Some("Glaurung 2.2"));
    assert_eq!(answers(&searches)[1..5], ["a1a8", "a8b8 ponder h1h8", "a7a8q ponder h7g7", "(none)"]);
    assert_eq!(searches[4].score(), None, "it says nothing of a position that is mate");
    assert!(client.is_awaiting_ready(), "it does not answer isready during a search");
}

#[test]
fn toga_is_understood() {
    let (client, searches) = replay(TOGA);
    assert_eq!(client.name(), Some("Toga II 3.0"));
    assert_eq!(answers(&searches)[1..3], ["a1a8", "a8b8 ponder h1h8"]);
    assert_eq!(answers(&searches)[4], "(none)", "its null move a1a1");
    assert_eq!(scores(&searches)[1..3], ["mate 1", "mate -1"]);
}

#[test]
fn ethereal_is_understood_though_it_repeats_itself_when_mated() {
    let (client, searches) = replay(ETHEREAL);
    assert_eq!(client.name(), Some("Ethereal 12.00"));
    assert_eq!(searches[0].lines.len(), 3);
    let answers = answers(&searches);
    assert_eq!(answers[3], answers[4], "only the rules of chess can tell that the second is no move");
}

#[test]
fn what_real_engines_write_survives_being_written_again() {
    for line in ALL.into_iter().flat_map(str::lines).filter_map(|line| line.strip_prefix("< ")) {
        let reply: Reply = line.parse().expect(line);
        assert_eq!(reply.to_string().parse::<Reply>().as_ref(), Ok(&reply), "{line}");
    }
}

#[test]
fn every_line_of_play_in_a_mate_in_one_is_legal_and_ends_in_the_score_it_claims() {
    let game = ChessGame::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1").unwrap();
    for transcript in [STOCKFISH, GNU_CHESS, GLAURUNG, TOGA] {
        let (_, searches) = replay(transcript);
        let info = &searches[1].lines[0];
        let search_info = info.to_search_info(game.position()).unwrap();
        assert_eq!(search_info.score, Score::mate_in_plies(1));
        assert_eq!(search_info.line.len(), info.pv.len());
        assert_eq!(search_info.line, [game.read_move("Ra8").unwrap()]);
    }
}
