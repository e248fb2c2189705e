//! Tests of drawing and key handling. Agents are replaced by their reports.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use shakmaty::{ByColor, Color, Square};
use tabia_core::{Bound, ChessGame, Game, Outcome, Reason, Score, SearchInfo};

use super::agent_thread::AgentReport;
use super::keys::{ENTRIES, Effect};
use super::prompt::Prompt;
use super::state::{Purpose, Screen};
use crate::tui::colors::Colors;

fn players(white: Option<&str>, black: Option<&str>) -> ByColor<Option<String>> {
    ByColor { white: white.map(str::to_owned), black: black.map(str::to_owned) }
}

/// A person with White against an agent.
fn against() -> Screen {
    Screen::new(ChessGame::default(), players(None, Some("axiomx")), Colors::All)
}

/// The same from a position.
fn against_in(fen: &str) -> Screen {
    Screen::new(ChessGame::from_fen(fen).unwrap(), players(None, Some("axiomx")), Colors::All)
}

/// Two people from a position.
fn people(fen: &str) -> Screen {
    Screen::new(ChessGame::from_fen(fen).unwrap(), players(None, None), Colors::All)
}

fn two_people() -> Screen {
    people("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
}

fn press(screen: &mut Screen, code: KeyCode) -> Option<Effect> {
    screen.press(KeyEvent::new(code, KeyModifiers::NONE))
}

/// Types text; `\n` is Enter.
fn types(screen: &mut Screen, text: &str) -> Option<Effect> {
    let key = |c| if c == '\n' { KeyCode::Enter } else { KeyCode::Char(c) };
    text.chars().fold(None, |_, c| press(screen, key(c)))
}

fn buffer(screen: &mut Screen, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn shown(screen: &mut Screen, width: u16, height: u16) -> String {
    let buffer = buffer(screen, width, height);
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

fn assert_shows(screen: &mut Screen, expected: &[&str]) {
    let all = shown(screen, 80, 24);
    for text in expected {
        assert!(all.contains(text), "{text}:\n{all}");
    }
}

fn search_info(game: &ChessGame, score: i32, line: &[&str]) -> SearchInfo<shakmaty::Move> {
    let mut game = game.clone();
    let play = |text: &&str| {
        let m = game.read_move(text).unwrap();
        game.apply(m);
        m
    };
    SearchInfo {
        depth: 7,
        selective_depth: 9,
        rank: 1,
        score: Score::cp(score),
        bound: Bound::Exact,
        wdl: None,
        nodes: 12_345,
        table_hits: 0,
        hash_full: 0,
        elapsed: Duration::ZERO,
        line: line.iter().map(play).collect(),
    }
}

/// Simulates the search and the move of the agent to move.
fn answer(screen: &mut Screen, score: i32, line: &[&str]) {
    answer_at(screen, Instant::now(), score, line);
}

fn answer_at(screen: &mut Screen, now: Instant, score: i32, line: &[&str]) {
    let (_, request) = screen.next_request(now).expect("an agent is to move");
    let search_info = search_info(&request.game, score, line);
    let best = search_info.line[0];
    screen.agent_reported(request.number, AgentReport::SearchInfo(search_info)).unwrap();
    screen.agent_reported(request.number, AgentReport::Chosen(Ok(best))).unwrap();
}

fn moves(screen: &Screen) -> String {
    screen.sans.join(" ")
}

#[test]
fn a_typed_move_is_made_and_answered() {
    let mut screen = against();
    types(&mut screen, "e4\n");
    let (purpose, request) = screen.next_request(Instant::now()).unwrap();
    assert_eq!(purpose, Purpose::Move(Color::Black));
    assert!(screen.next_request(Instant::now()).is_none(), "nothing is asked twice");
    assert_shows(&mut screen, &["> AI THINKING...  axiomx", "m or Esc move now", "q quit"]);
    let search_info = search_info(&request.game, -31, &["e5", "Nf3"]);
    let best = search_info.line[0];
    screen.agent_reported(request.number, AgentReport::SearchInfo(search_info)).unwrap();
    assert_shows(&mut screen, &["+0.31 for White", "axiomx, depth 7, 12.3k nodes", "1... e5 2. Nf3"]);
    screen.agent_reported(request.number, AgentReport::Chosen(Ok(best))).unwrap();
    assert_eq!(moves(&screen), "e4 e5");
    assert_shows(&mut screen, &["you – axiomx", "King's Pawn Game", "   1. e4        e5", "White to move."]);
}

#[test]
fn a_bad_move_is_refused_with_what_would_be_right() {
    let mut screen = against();
    types(&mut screen, "e2e5\n");
    assert_shows(&mut screen, &["the pawn on e2 cannot go to e5; it can play e3 e4"]);
    types(&mut screen, "Nd4\n");
    assert_shows(&mut screen, &["no knight can go to d4; your knights can play Na3 Nc3 Nf3 Nh3"]);
    assert_eq!((moves(&screen).as_str(), screen.line.as_str()), ("", ""));
    types(&mut screen, "Nf3\n");
    assert!(screen.status.is_none() && moves(&screen) == "Nf3");
    types(&mut screen, "e4\n");
    assert_shows(&mut screen, &["it is axiomx's move; m or Esc makes it move now"]);
}

#[test]
fn the_cursor_picks_pieces_up_and_puts_them_down() {
    let mut screen = against();
    press(&mut screen, KeyCode::Up);
    assert_eq!(screen.selection.cursor, Some(Square::E2));
    press(&mut screen, KeyCode::Enter);
    assert_eq!((screen.selection.chosen, screen.selection.targets.count()), (Some(Square::E2), 2));
    press(&mut screen, KeyCode::Esc);
    assert_eq!((screen.selection.chosen, screen.selection.targets.count()), (None, 0));
    types(&mut screen, "v");
    for key in [KeyCode::Enter, KeyCode::Up, KeyCode::Up, KeyCode::Up, KeyCode::Enter] {
        press(&mut screen, key);
    }
    assert_shows(&mut screen, &["the pawn on e2 cannot go to e5", "•", "Enter put down", "v off", "q quit"]);
    for key in [KeyCode::Down, KeyCode::Char(' ')] {
        press(&mut screen, key);
    }
    assert_eq!(moves(&screen), "e4");
    assert!(screen.selection.chosen.is_none() && screen.selection.targets.is_empty());
}

#[test]
fn the_cursor_goes_where_it_is_seen_to_go() {
    let mut screen = against();
    types(&mut screen, "t");
    for key in [KeyCode::Left, KeyCode::Left, KeyCode::Up] {
        press(&mut screen, key);
    }
    assert_eq!(screen.selection.cursor, Some(Square::F6), "from e7, with Black below");
    for _ in 0..9 {
        press(&mut screen, KeyCode::Up);
    }
    assert_eq!(screen.selection.cursor, Some(Square::F1), "the edge holds it");
}

#[test]
fn a_piece_that_is_not_yours_or_cannot_move_is_not_picked_up() {
    let mut screen = against();
    screen.selection.cursor = Some(Square::A1);
    press(&mut screen, KeyCode::Enter);
    assert_shows(&mut screen, &["the rook on a1 cannot move"]);
    screen.selection.cursor = Some(Square::E7);
    press(&mut screen, KeyCode::Enter);
    assert_shows(&mut screen, &["there is nothing of yours on e7"]);
    assert!(screen.selection.chosen.is_none());
}

#[test]
fn a_pawn_that_arrives_asks_what_it_becomes() {
    let mut screen = people("8/4P2k/8/8/8/8/8/4K3 w - - 0 1");
    screen.selection.cursor = Some(Square::E7);
    for key in [KeyCode::Enter, KeyCode::Up, KeyCode::Enter] {
        press(&mut screen, key);
    }
    assert_shows(&mut screen, &["The pawn on e8 becomes: q queen"]);
    types(&mut screen, "xn");
    assert_eq!(moves(&screen), "e8=N");
}

#[test]
fn the_king_castles_onto_its_new_square() {
    let mut screen = people("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    screen.selection.cursor = Some(Square::E1);
    for key in [KeyCode::Enter, KeyCode::Right, KeyCode::Right, KeyCode::Enter] {
        press(&mut screen, key);
    }
    assert_eq!(moves(&screen), "O-O");
}

#[test]
fn undo_takes_back_the_answer_too_and_stops_who_thinks() {
    let mut screen = against();
    types(&mut screen, "u");
    assert_shows(&mut screen, &["there is no move of yours to take back"]);
    types(&mut screen, "e4\n");
    answer(&mut screen, 0, &["e5"]);
    types(&mut screen, "d4\n");
    let (_, request) = screen.next_request(Instant::now()).unwrap();
    types(&mut screen, "u");
    assert!(request.stop.is_stopped());
    assert_eq!(moves(&screen), "e4 e5");
    // A report after the request was cancelled is ignored.
    let late = request.game.read_move("d5").unwrap();
    screen.agent_reported(request.number, AgentReport::Chosen(Ok(late))).unwrap();
    assert_eq!(moves(&screen), "e4 e5");
    types(&mut screen, "u");
    assert_eq!(moves(&screen), "");
}

#[test]
fn whoever_thinks_can_be_made_to_move_now() {
    for key in [KeyCode::Esc, KeyCode::Char('m')] {
        let mut screen = against();
        press(&mut screen, KeyCode::Char('m'));
        assert_shows(&mut screen, &["nobody is thinking"]);
        types(&mut screen, "e4\n");
        let (_, request) = screen.next_request(Instant::now()).unwrap();
        press(&mut screen, key);
        assert!(request.stop.is_stopped());
        let m = request.game.read_move("c5").unwrap();
        screen.agent_reported(request.number, AgentReport::Chosen(Ok(m))).unwrap();
        assert_eq!(moves(&screen), "e4 c5", "its move counts");
    }
}

#[test]
fn a_field_lies_under_the_pieces_with_its_legend() {
    let mut screen = against();
    let plain = buffer(&mut screen, 80, 24);
    types(&mut screen, "v");
    assert_shows(
        &mut screen,
        &["axiomx: control", "Black −", " White", "in influence, field 1 of ", "Tab next field", "q quit"],
    );
    let seen = buffer(&mut screen, 80, 24);
    assert_ne!(plain[(5, 9)].bg, seen[(5, 9)].bg);
    press(&mut screen, KeyCode::Tab);
    assert_shows(&mut screen, &["axiomx: white attack", "field 2 of ", "q quit"]);
    press(&mut screen, KeyCode::BackTab);
    assert_shows(&mut screen, &["axiomx: control"]);
    types(&mut screen, "w");
    let all = shown(&mut screen, 80, 24);
    assert!(!all.contains("axiomx: "), "another evaluation:\n{all}");
    types(&mut screen, "v");
    assert_eq!(buffer(&mut screen, 80, 24)[(5, 9)].bg, plain[(5, 9)].bg);
    types(&mut screen, ":field axon king zones\n");
    assert_shows(&mut screen, &["axon: king zones"]);
    types(&mut screen, "field nonsense\n");
    assert_shows(&mut screen, &["axon has no field \"nonsense\""]);
}

#[test]
fn the_same_field_is_seen_after_the_next_move() {
    let mut screen = against();
    types(&mut screen, ":field white-attack\n");
    let before = shown(&mut screen, 80, 24);
    types(&mut screen, "e4\n");
    let after = shown(&mut screen, 80, 24);
    assert!(before.contains("axiomx: white attack") && after.contains("axiomx: white attack"), "{after}");
    let numbers = |text: &str| text.lines().nth(10).unwrap()[..44].to_owned();
    assert_ne!(numbers(&before), numbers(&after));
}

#[test]
fn letters_that_ask_first_may_be_the_beginning_of_a_move() {
    let mut screen = two_people();
    types(&mut screen, "n");
    assert_eq!(screen.prompt.map(Prompt::text).as_deref(), Some("A new game? (y/n)"));
    types(&mut screen, "f3\n");
    assert_eq!(moves(&screen), "Nf3");
    types(&mut screen, "rn");
    assert!(screen.outcome().is_none() && screen.prompt.is_none() && screen.line.is_empty());
    assert_eq!(types(&mut screen, "n"), None);
    assert_eq!(types(&mut screen, "y"), Some(Effect::New));
}

#[test]
fn giving_up_and_agreeing_end_the_game() {
    let mut screen = against();
    types(&mut screen, "e4\n");
    let (_, request) = screen.next_request(Instant::now()).unwrap();
    types(&mut screen, "ry");
    assert_eq!(screen.outcome(), Some(Outcome::win(Color::Black, Reason::Resignation)));
    assert!(request.stop.is_stopped() && screen.next_request(Instant::now()).is_none());
    assert_shows(&mut screen, &["0-1: Black wins by resignation.", "n new game"]);
    let mut screen = two_people();
    types(&mut screen, "draw\n");
    assert_shows(&mut screen, &["Black, do you accept a draw? (y/n)"]);
    types(&mut screen, "n");
    assert_shows(&mut screen, &["Black declines."]);
    types(&mut screen, "draw\ny");
    assert_eq!(screen.outcome(), Some(Outcome::draw(Reason::Agreement)));
}

#[test]
fn an_agent_agrees_to_a_draw_when_it_is_not_winning() {
    for (score, agreed) in [(-200, true), (0, true), (150, false)] {
        let mut screen = against_in("4k3/p7/8/8/8/8/P7/4K3 w - - 0 20");
        types(&mut screen, "a3\n");
        answer(&mut screen, score, &["a6"]);
        types(&mut screen, ":draw\n");
        assert_eq!(screen.outcome().is_some(), agreed, "{score}");
        if agreed {
            types(&mut screen, "u");
            assert_shows(&mut screen, &["the game ended by agreement: that is not taken back"]);
        }
    }
}

#[test]
fn the_end_by_the_rules_is_told_and_can_be_taken_back() {
    let mut screen = two_people();
    types(&mut screen, "f3\ne5\ng4\nQh4\n");
    assert_shows(&mut screen, &["0-1: Black wins by checkmate.", "Qh4#"]);
    types(&mut screen, "Kf2\n");
    assert_shows(&mut screen, &["the game is over: n begins another, u takes the last move back"]);
    types(&mut screen, "u");
    assert_eq!((moves(&screen).as_str(), screen.outcome()), ("f3 e5 g4", None));
}

#[test]
fn leaving_asks_unless_nothing_is_lost() {
    let mut screen = two_people();
    assert_eq!(types(&mut screen, "q"), Some(Effect::Leave("Left")));
    types(&mut screen, "e4\n");
    assert_eq!(types(&mut screen, "q"), None);
    assert_shows(&mut screen, &["Leave the game? It is kept. (y/n)"]);
    assert_eq!(types(&mut screen, "y"), Some(Effect::Leave("Left")));
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(screen.press(interrupt), Some(Effect::Leave("Interrupted")));
    assert_eq!(types(&mut screen, "s"), Some(Effect::Save));
}

#[test]
fn a_move_of_an_agent_does_not_take_the_question_back() {
    let names = players(Some("random(seed=1)"), Some("random(seed=2)"));
    let mut screen = Screen::new(ChessGame::default(), names, Colors::All);
    answer(&mut screen, 0, &["e4"]);
    types(&mut screen, "q");
    let later = Instant::now() + screen.speed.interval();
    answer_at(&mut screen, later, 0, &["e5"]);
    assert_shows(&mut screen, &["e4", "e5", "Leave the game? It is kept. (y/n)"]);
    assert_eq!(types(&mut screen, "y"), Some(Effect::Leave("Left")));
}

#[test]
fn agents_play_by_themselves_until_paused() {
    let names = players(Some("random(seed=1)"), Some("random(seed=2)"));
    let mut screen = Screen::new(ChessGame::default(), names, Colors::All);
    answer(&mut screen, 0, &["e4"]);
    let now = Instant::now();
    assert!(screen.next_request(now).is_none(), "a move is looked at first");
    assert!(screen.wait(now).is_some_and(|wait| wait <= screen.speed.interval()));
    let later = now + screen.speed.interval();
    types(&mut screen, "p");
    assert!(screen.next_request(later).is_none() && screen.wait(later).is_none());
    assert_shows(&mut screen, &["Paused; Black is to move. p goes on.", "▶ Black  random(seed=2)"]);
    types(&mut screen, " ");
    assert!(matches!(screen.next_request(later), Some((Purpose::Move(Color::Black), _))));
    types(&mut screen, "r");
    assert_shows(&mut screen, &["two agents play this game"]);
}

#[test]
fn a_new_game_begins_at_the_same_start_and_agents_forget() {
    let mut screen = against();
    types(&mut screen, "e4\n");
    answer(&mut screen, 20, &["e5"]);
    screen.begin_again();
    assert_eq!((moves(&screen).as_str(), screen.assessment.is_none()), ("", true));
    types(&mut screen, "d4\n");
    let (_, request) = screen.next_request(Instant::now()).unwrap();
    assert!(request.forget);
    let m = request.game.read_move("d5").unwrap();
    screen.agent_reported(request.number, AgentReport::Chosen(Ok(m))).unwrap();
    types(&mut screen, "c4\n");
    assert!(!screen.next_request(Instant::now()).unwrap().1.forget);
}

#[test]
fn a_hint_is_asked_for_and_told() {
    let mut screen = against();
    types(&mut screen, "i");
    let (purpose, request) = screen.next_request(Instant::now()).unwrap();
    assert_eq!(purpose, Purpose::Hint);
    let search_info = search_info(&request.game, 30, &["e4", "e5"]);
    let best = search_info.line[0];
    screen.agent_reported(request.number, AgentReport::SearchInfo(search_info)).unwrap();
    screen.agent_reported(request.number, AgentReport::Chosen(Ok(best))).unwrap();
    assert_eq!(moves(&screen), "");
    assert_shows(&mut screen, &["The engine would play 1. e4 e5"]);
}

#[test]
fn an_agent_that_fails_is_named() {
    let mut screen = against();
    types(&mut screen, "e4\n");
    let (_, request) = screen.next_request(Instant::now()).unwrap();
    let failed = tabia_core::AgentError::Failed("the engine is gone".to_owned());
    let fault = screen.agent_reported(request.number, AgentReport::Chosen(Err(failed))).unwrap_err();
    assert_eq!(format!("{fault:#}"), "axiomx has no move for Black: the engine is gone");
}

#[test]
fn an_agent_that_gives_up_has_lost() {
    let mut screen = against();
    types(&mut screen, "e4\n");
    let (_, request) = screen.next_request(Instant::now()).unwrap();
    screen
        .agent_reported(request.number, AgentReport::Chosen(Err(tabia_core::AgentError::Resigned)))
        .unwrap();
    assert_eq!(screen.outcome(), Some(Outcome::win(Color::White, Reason::Resignation)));
    assert_shows(&mut screen, &["1-0: White wins by resignation."]);
}

#[test]
fn what_was_taken_stands_beside_who_took_it() {
    let mut screen = two_people();
    types(&mut screen, "e4\nd5\nexd5\nQxd5\n");
    let all = shown(&mut screen, 80, 24);
    assert!(all.contains("  ♟") && all.contains("  ♙"), "{all}");
    types(&mut screen, "Nc3\ne6\nNxd5\n");
    assert_shows(&mut screen, &["♟♛ +9"]);
}

#[test]
fn the_moves_scroll() {
    let mut screen = two_people();
    // A pawn move in each round, so that no position occurs three times.
    for pawn in ["a", "b", "c", "d", "e", "g", "h", "f"] {
        types(&mut screen, &format!("Nf3\nNf6\nNg1\nNg8\n{pawn}3\n{pawn}6\n"));
    }
    assert_shows(&mut screen, &["  24. f3        f6"]);
    press(&mut screen, KeyCode::Home);
    assert_shows(&mut screen, &["   1. Nf3       Nf6"]);
    press(&mut screen, KeyCode::End);
    assert_shows(&mut screen, &["  24. f3        f6"]);
    press(&mut screen, KeyCode::PageUp);
    assert!(!shown(&mut screen, 80, 24).contains("  24. "));
}

#[test]
fn help_lists_every_key_and_any_key_closes_it() {
    let mut screen = against();
    types(&mut screen, "?");
    let all = shown(&mut screen, 80, 24);
    for entry in &ENTRIES {
        assert!(
            all.contains(entry.help) && all.contains(&format!(":{}", entry.word)),
            "{}:\n{all}",
            entry.word
        );
    }
    types(&mut screen, "v");
    assert!(!screen.help && !screen.overlay.on);
}

#[test]
fn a_terminal_too_small_gets_a_sentence_and_any_other_a_board() {
    for (width, height) in [(79, 24), (80, 23), (20, 5), (1, 1)] {
        let all = shown(&mut against(), width, height);
        assert!(!all.contains('♚'), "{all}");
    }
    assert!(
        shown(&mut against(), 79, 23)
            .contains("The board needs 80 columns and 24 rows, and here are 79 and 23")
    );
    for (width, height) in [(80, 24), (100, 30), (120, 40), (300, 100)] {
        let all = shown(&mut against(), width, height);
        assert!(all.contains('♚') && all.contains("q quit"), "{all}");
    }
}

#[test]
fn without_colours_everything_is_still_told() {
    let mut screen = Screen::new(ChessGame::default(), players(None, Some("axiomx")), Colors::None);
    types(&mut screen, "v");
    press(&mut screen, KeyCode::Up);
    let all = shown(&mut screen, 80, 24);
    assert!(all.contains("axiomx: control") && all.contains('>') && all.contains('#'), "{all}");
    let buffer = buffer(&mut screen, 80, 24);
    let reset = ratatui::style::Color::Reset;
    assert!(buffer.content.iter().all(|cell| cell.fg == reset && cell.bg == reset));
}
