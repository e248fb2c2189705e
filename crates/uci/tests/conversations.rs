//! Conversations with an engine of our own invention: what may be said when, and what is made of the answers.

use tabia_uci::{Client, ClientError, Command, Event, Phase, ProtocolError, UciScore};

fn say(client: &mut Client, line: &str) -> Result<String, String> {
    client.send(&line.parse().expect(line)).map_err(|error| error.to_string())
}

/// A client whose engine has introduced itself and waits.
fn idle() -> Client {
    let mut client = Client::new();
    assert_eq!(say(&mut client, "uci").unwrap(), "uci");
    for line in [
        "Engine 1.0 by A. U. Thor",
        "id name Engine 1.0",
        "id author A. U. Thor",
        "",
        "option name Hash type spin default 16 min 1 max 1024",
        "option name Style type combo default Solid var Solid var Wild Attack",
        "option name Clear Hash type button",
    ] {
        assert!(!matches!(client.on_line(line), Ok(Event::Introduced) | Err(_)), "{line}");
    }
    assert_eq!(client.on_line("uciok"), Ok(Event::Introduced));
    client
}

#[test]
fn an_engine_introduces_itself_and_is_remembered() {
    let client = idle();
    assert_eq!((client.name(), client.author()), (Some("Engine 1.0"), Some("A. U. Thor")));
    assert_eq!(client.options().len(), 3);
    assert_eq!(client.phase(), Phase::Idle);
}

#[test]
fn options_are_checked_and_spelled_as_declared() {
    let mut client = idle();
    assert_eq!(client.set_option("hash", Some("64")).unwrap(), "setoption name Hash value 64");
    assert_eq!(
        client.set_option("Style", Some("wild attack")).unwrap(),
        "setoption name Style value Wild Attack"
    );
    assert_eq!(client.set_option("clear hash", None).unwrap(), "setoption name Clear Hash");
    let error = |client: &mut Client, line: &str| say(client, line).unwrap_err();
    assert!(error(&mut client, "setoption name Hash value abc").contains("from 1 to 1024, not \"abc\""));
    assert!(error(&mut client, "setoption name Hsah value 1").contains("did you mean \"Hash\"?"));
    assert_eq!(client.phase(), Phase::Idle);
}

#[test]
fn a_search_keeps_the_last_word_on_each_line() {
    let mut client = idle();
    say(&mut client, "position startpos").unwrap();
    assert_eq!(say(&mut client, "go depth 3").unwrap(), "go depth 3");
    for line in [
        "info depth 1 multipv 1 score cp 20 nodes 10 pv e2e4",
        "info depth 1 multipv 2 score cp 15 nodes 20 pv d2d4",
        "info depth 2 multipv 1 score cp 30 nodes 40 pv d2d4",
        "info depth 1 multipv 2 score cp 15 nodes 20 pv d2d4",
        "info currmove a2a3 currmovenumber 7",
        "info nodes 99 nps 0 time 1",
    ] {
        assert!(matches!(client.on_line(line), Ok(Event::Info(_))));
    }
    assert_eq!(client.nodes(), Some(99));
    assert_eq!(client.lines().map(|info| info.depth).collect::<Vec<_>>(), [Some(2), Some(1)]);
    let best = client.best_line().unwrap();
    assert_eq!(best.score.unwrap().value, UciScore::Cp(30));
    assert!(client.is_searching());
    assert!(matches!(client.on_line("bestmove d2d4"), Ok(Event::BestMove(_))));
    assert_eq!(client.phase(), Phase::Idle);
    assert!(client.best_line().is_some());
    say(&mut client, "go depth 1").unwrap();
    assert_eq!((client.best_line(), client.nodes()), (None, None));
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let mut client = idle();
    say(&mut client, "go ponder wtime 1000 btime 1000").unwrap();
    assert_eq!(client.phase(), Phase::Pondering);
    say(&mut client, "ponderhit").unwrap();
    assert_eq!(client.phase(), Phase::Searching);
    assert!(say(&mut client, "ponderhit").unwrap_err().contains("on the opponent's time"));
    say(&mut client, "stop").unwrap();
    assert_eq!(client.phase(), Phase::Stopping);
    assert!(say(&mut client, "stop").unwrap_err().contains("it is for a running search"));
    assert!(client.on_line("bestmove e2e4").is_ok());
}

#[test]
fn each_command_has_its_time() {
    let mut client = Client::new();
    assert_eq!(
        say(&mut client, "isready").unwrap_err(),
        "`isready` cannot be sent before `uci`; it is for an engine that has introduced itself"
    );
    say(&mut client, "uci").unwrap();
    assert!(say(&mut client, "uci").is_err());
    assert!(say(&mut client, "go depth 1").unwrap_err().contains("before `uciok`"));
    client.on_line("uciok").unwrap();
    assert!(say(&mut client, "stop").unwrap_err().contains("while the engine is idle"));
    say(&mut client, "go infinite").unwrap();
    for line in ["position startpos", "go depth 1", "ucinewgame", "setoption name Hash value 1"] {
        assert!(say(&mut client, line).unwrap_err().contains("while the engine is searching"));
    }
    for line in ["d", "perft 2", "bench"] {
        assert!(say(&mut client, line).unwrap_err().contains("is not UCI"));
    }
    say(&mut client, "isready").unwrap();
    assert!(client.is_awaiting_ready());
    assert_eq!(client.on_line("readyok"), Ok(Event::Ready));
    say(&mut client, "quit").unwrap();
    assert!(say(&mut client, "quit").is_err());
}

#[test]
fn a_line_break_cannot_smuggle_in_a_second_command() {
    let mut client = idle();
    let smuggled = Command::SetOption { name: "Hash".into(), value: Some("1\nquit".into()) };
    assert!(matches!(client.send(&smuggled), Err(ClientError::LineBreak(_))));
}

#[test]
fn what_the_engine_should_not_have_said_is_an_error_and_not_the_end() {
    let mut client = idle();
    assert!(matches!(
        client.on_line("bestmove e2e4"),
        Err(ProtocolError::BestMoveOutsideSearch { phase: Phase::Idle, .. })
    ));
    assert_eq!(client.on_line("uciok"), Err(ProtocolError::UnaskedUciOk(Phase::Idle)));
    assert_eq!(client.on_line("readyok"), Err(ProtocolError::UnaskedReadyOk(Phase::Idle)));
    assert!(matches!(client.on_line("option name X type"), Err(ProtocolError::BadOption(_))));
    assert!(matches!(client.on_line("bestmove Nf3"), Err(ProtocolError::BestMoveOutsideSearch { .. })));
    say(&mut client, "go depth 1").unwrap();
    let error = client.on_line("bestmove Nf3").unwrap_err();
    assert!(matches!(error, ProtocolError::UnreadableBestMove { .. }));
    assert!(error.to_string().contains("not \"Nf3\""), "{error}");
    assert_eq!(client.phase(), Phase::Idle);
}
