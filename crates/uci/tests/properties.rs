//! What holds of every line: it reads back as it was written, in whatever order its fields stand, and no text at
//! all makes a reader panic.

use std::time::Duration;

use proptest::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{Role, Square};
use tabia_core::{Bound, Score, Wdl};
use tabia_uci::{
    BestMove, Client, Command, Go, Id, Info, OptionDecl, OptionType, Reply, ReportedScore, Start, UciScore,
    Verdict,
};

/// Tokens that are no keyword where they are used.
fn phrase() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_()]{0,7}( [A-Z][A-Za-z0-9_()]{0,7}){0,2}"
}

/// Text as people write it: inner runs of spaces are kept, outer ones cannot be.
fn free_text() -> impl Strategy<Value = String> {
    "([!-~éß]([ -~]{0,20}[!-~])?)?"
}

fn written_move() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrbn]?"
}

fn some_move() -> impl Strategy<Value = UciMove> {
    let square = || (0u32..64).prop_map(Square::new);
    let promotion = prop::option::of(prop::sample::select(vec![Role::Queen, Role::Knight]));
    prop_oneof![
        9 => (square(), square(), promotion).prop_map(|(from, to, promotion)| {
            // A move from a square to itself is how some engines write none.
            let to = if from == to { from.flip_vertical() } else { to };
            UciMove::Normal { from, to, promotion }
        }),
        1 => square().prop_map(|to| UciMove::Put { role: Role::Knight, to }),
    ]
}

fn go() -> impl Strategy<Value = Go> {
    let ms = || prop::option::of(any::<i64>());
    let clock = (ms(), ms(), ms(), ms(), prop::option::of(any::<u32>()));
    let limits = (
        prop::option::of(any::<u32>()),
        prop::option::of(any::<u64>()),
        ms(),
        prop::option::of(any::<u32>()),
    );
    (clock, limits, any::<bool>(), any::<bool>(), prop::collection::vec(written_move(), 0..4)).prop_map(
        |(
            (wtime, btime, winc, binc, movestogo),
            (depth, nodes, movetime, mate),
            infinite,
            ponder,
            searchmoves,
        )| Go {
            depth,
            nodes,
            movetime,
            wtime,
            btime,
            winc,
            binc,
            movestogo,
            mate,
            infinite,
            ponder,
            searchmoves,
        },
    )
}

fn command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![
        Just(Start::StartPos),
        "[pnbrqkPNBRQK1-8/]{1,20} [wb] (-|[KQkq]{1,4}) (-|[a-h][36])( [0-9]{1,2} [0-9]{1,3})?"
            .prop_map(Start::Fen),
    ];
    prop_oneof![
        prop::sample::select(vec![
            Command::Uci,
            Command::IsReady,
            Command::Register,
            Command::UciNewGame,
            Command::Stop,
            Command::PonderHit,
            Command::Quit,
            Command::Display,
            Command::Eval,
            Command::Help,
        ]),
        any::<bool>().prop_map(Command::Debug),
        (phrase(), prop::option::of(free_text()))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        (start, prop::collection::vec(written_move(), 0..6))
            .prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(Command::Go),
        prop::collection::vec("[a-z0-9]{1,5}", 0..4).prop_map(|args| Command::Bench { args }),
        any::<u32>().prop_map(Command::Perft),
    ]
}

fn option_decl() -> impl Strategy<Value = OptionDecl> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionType::Check { default }),
        (any::<i64>(), any::<i64>(), any::<i64>()).prop_map(|(default, a, b)| OptionType::Spin {
            default,
            min: a.min(b),
            max: a.max(b)
        }),
        (phrase(), prop::collection::vec(phrase(), 0..4))
            .prop_map(|(default, vars)| OptionType::Combo { default, vars }),
        Just(OptionType::Button),
        free_text().prop_map(|default| OptionType::String { default }),
    ];
    (phrase(), kind).prop_map(|(name, kind)| OptionDecl { name, kind })
}

fn score() -> impl Strategy<Value = ReportedScore> {
    let value = prop_oneof![any::<i32>().prop_map(UciScore::Cp), any::<i32>().prop_map(UciScore::Mate)];
    let bound = prop::sample::select(vec![Bound::Exact, Bound::Lower, Bound::Upper]);
    (value, bound).prop_map(|(value, bound)| ReportedScore { value, bound })
}

fn info() -> impl Strategy<Value = Info> {
    let small = || prop::option::of(any::<u32>());
    let large = || prop::option::of(any::<u64>());
    let wdl = (0u16..=1000).prop_flat_map(|win| (Just(win), 0..=1000 - win)).prop_map(|(win, draw)| Wdl {
        win,
        draw,
        loss: 1000 - win - draw,
    });
    let place = (small(), small(), small(), small(), small(), small());
    let counts = (large(), large(), large(), large());
    let moves = (prop::option::of(some_move()), prop::collection::vec(some_move(), 0..5));
    (place, prop::option::of(score()), prop::option::of(wdl), counts, moves, prop::option::of(free_text()))
        .prop_map(|(place, score, wdl, counts, (currmove, pv), string)| Info {
            depth: place.0,
            seldepth: place.1,
            multipv: place.2,
            score,
            wdl,
            nodes: counts.0,
            nps: counts.1,
            hashfull: place.3,
            tbhits: counts.2,
            time: counts.3.map(Duration::from_millis),
            cpuload: place.4,
            currmove,
            currmovenumber: place.5,
            pv,
            string,
        })
}

fn reply() -> impl Strategy<Value = Reply> {
    let verdict = || prop::sample::select(vec![Verdict::Checking, Verdict::Ok, Verdict::Error]);
    prop_oneof![
        free_text().prop_map(|name| Reply::Id(Id::Name(name))),
        free_text().prop_map(|author| Reply::Id(Id::Author(author))),
        option_decl().prop_map(Reply::Option),
        Just(Reply::UciOk),
        Just(Reply::ReadyOk),
        Just(Reply::BestMove(BestMove::default())),
        (some_move(), prop::option::of(some_move()))
            .prop_map(|(best, ponder)| Reply::BestMove(BestMove { best: Some(best), ponder })),
        info().prop_map(Reply::Info),
        verdict().prop_map(Reply::CopyProtection),
        verdict().prop_map(Reply::Registration),
        "# [ -~]{0,20}[!-~]".prop_map(Reply::Other),
    ]
}

/// An info line cut into its fields, the text for people aside.
fn fields(info: &Info) -> Vec<String> {
    const KEYWORDS: [&str; 14] = [
        "depth",
        "seldepth",
        "multipv",
        "score",
        "lowerbound",
        "upperbound",
        "wdl",
        "nodes",
        "nps",
        "hashfull",
        "tbhits",
        "time",
        "cpuload",
        "pv",
    ];
    let mut fields: Vec<String> = Vec::new();
    for word in info.to_string().split_whitespace().skip(1) {
        match fields.last_mut() {
            Some(field) if !KEYWORDS.contains(&word) && !word.starts_with("currmove") => {
                field.push(' ');
                field.push_str(word);
            }
            _ => fields.push(word.to_owned()),
        }
    }
    fields
}

/// Text that is often almost a line of the protocol.
fn almost_a_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        prop::sample::select(
            "uci debug on isready setoption name value register position startpos fen moves go searchmoves ponder \
             wtime btime movestogo depth nodes mate movetime infinite stop perft bench d id author option type spin \
             check combo button string default min max var bestmove info score cp lowerbound wdl pv currline time \
             multipv uciok readyok copyprotection registration <empty> (none) e2e4 0000 -1 99999999999999999999 é"
                .split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        ),
        "\\PC{0,6}",
    ];
    prop::collection::vec((word, "[ \t\u{a0}\r]{0,2}"), 0..12)
        .prop_map(|words| words.into_iter().map(|(word, space)| word + &space).collect())
}

proptest! {
    #[test]
    fn a_command_reads_back_as_it_was_written(command in command()) {
        prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
    }

    #[test]
    fn white_space_between_the_words_of_a_command_does_not_matter(
        go in go(), before in "[ \t]{0,3}", between in "[ \t]{1,3}", after in "[ \t\r\n]{0,3}",
    ) {
        let line = format!("{before}{}{after}", go.to_string().replace(' ', &between));
        prop_assert_eq!(line.parse::<Command>(), Ok(Command::Go(go)));
    }

    #[test]
    fn a_reply_reads_back_as_it_was_written(reply in reply()) {
        prop_assert_eq!(reply.to_string().parse::<Reply>(), Ok(reply));
    }

    #[test]
    fn the_order_of_the_fields_of_an_info_does_not_matter(
        (info, shuffled) in info()
            .prop_map(|info| Info { string: None, ..info })
            .prop_flat_map(|info| (Just(info.clone()), Just(fields(&info)).prop_shuffle())),
        unknown in "[ \t]{0,3}brainload 3",
    ) {
        let line = format!("info {unknown} {}", shuffled.join("  "));
        prop_assert_eq!(Info::read(&line), info);
    }

    #[test]
    fn no_line_panics(line in prop_oneof![almost_a_line(), "\\PC{0,60}", any::<String>()]) {
        let _ = Command::read(&line);
        let _ = line.parse::<Reply>();
        let _ = line.parse::<OptionDecl>().map(|option| option.check(Some(&line)));
        let mut client = Client::new();
        client.send(&Command::Uci).unwrap();
        let _ = client.on_line(&line);
    }

    #[test]
    fn a_checked_value_passes_its_own_check_again(option in option_decl(), text in "\\PC{0,8}|[0-9]{1,3}") {
        if let Ok(value) = option.check(Some(&text)) {
            prop_assert_eq!(option.check(value.text().as_deref()), Ok(value));
        }
    }

    #[test]
    fn any_score_told_by_another_engine_is_told_on_unchanged(score in score()) {
        let ours = Score::from(score.value);
        prop_assert_eq!(Score::from(UciScore::from(ours)), ours);
        prop_assert_eq!(ours.is_mate(), matches!(score.value, UciScore::Mate(_)));
    }
}
