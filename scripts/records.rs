//! Writes game records for `scripts/read_records.py`: random games with all kinds of starts, endings, names and
//! comments that a match can have, each in its own file in the form that `hasami match` uses. With the argument `read`,
//! reads record files that other programs wrote.
//!
//!     cargo run --profile fast --example records -- write FOLDER 500    (files per format; lists their contents in games.jsonl)
//!     cargo run --profile fast --example records -- read FILE...        (a line per file: the games as JSON, or the error)
//!
//! Exit code 0: success; 2: invalid arguments, or a file that cannot be written.

use hasami_api::{Bound, Ending, Game, GameRecord, MoveText, Moves, Outcome, PlayedMove, Rules, Score, Side, Start};
use hasami_chess::{Chess, PGN};
use hasami_matches::openings::Openings;
use hasami_matches::record::{Files, RecordFile};
use hasami_shogi::{CSA, KIF, Shogi};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Shogi start positions: the initial position, handicaps, and problems with large hands.
const SHOGI: [Option<&str>; 14] = [
    None,
    Some("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Some("4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1"),
    Some("4k4/9/9/9/9/9/9/9/4K4 w RBGSNL11Prb3g3s3n3l7p 1"),
    Some("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"),
    Some("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"),
    Some("ln1gkg1nl/6+P2/2sppps1p/2p3p2/p8/P1P1P3P/2NP1PP2/3s1KSR1/L1+b2G1NL w R2Pbgp 42"),
];

const CHESS: [Option<&str>; 5] = [
    None,
    Some("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17"),
    Some("8/P6k/8/8/8/8/p6K/8 w - - 0 60"),
    Some("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"),
    Some("4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1"),
];

const CHESS960: [&str; 4] = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
    "r3k1r1/8/8/8/8/8/8/1R2K2R w HBga - 0 1",
    "1r1k1r2/8/8/8/8/8/8/1R1K1R2 b FBfb - 4 30",
];

const NAMES: [&str; 10] = [
    "alpha",
    "水匠 5",
    "やねうら王：V9.70",
    "engine \"quoted\" \\ back",
    "(a) {b} [c] ; d % e",
    "+7776FU",
    "*star",
    "1 ７六歩(77)",
    "Grün & Söhne",
    "まで8手で中断",
];

const REMARKS: [&str; 5] =
    ["", "White loses on time", "変化：3手 {a (b) 1. e4}", "まで9手で先手の勝ち", "50 % ' \" \\"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["write", folder, count] => match count.parse() {
            Ok(count) => write(Path::new(folder), count),
            Err(_) => Err(format!("expected a number of files, found '{count}'")),
        },
        ["read", ..] => read(&words[1..]),
        _ => Err("expected write FOLDER COUNT, or read FILE..., found neither".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn write(folder: &Path, count: u64) -> Result<(), String> {
    let unwritable = |error: std::io::Error| format!("cannot write to the folder '{}': {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(unwritable)?;
    let mut list = std::fs::File::create(folder.join("games.jsonl")).map_err(unwritable)?;
    for number in 0..count {
        let mut rng = StdRng::seed_from_u64(number);
        let (shogi, chess) = (shogi(number, &mut rng), chess(number, &mut rng));
        let kif = if number % 4 == 3 { "kifu" } else { "kif" };
        let formats = [(&shogi, kif, KIF), (&shogi, "csa", CSA), (&chess, "pgn", PGN)];
        for (record, ending, format) in formats {
            let path = folder.join(format!("{number:04}.{ending}"));
            writeln!(list, "{}", json_of(&path, record)).map_err(unwritable)?;
            let name = if ending == "pgn" { "chess" } else { "shogi" };
            let game = hasami_games::find(name).ok_or("expected a game, found none")?;
            Files::open(game, &[RecordFile { format, path }], &[0])?.add(0, record)?;
        }
    }
    Ok(())
}

fn json_of(path: &Path, record: &GameRecord) -> Value {
    let moves: Vec<String> = record.moves.iter().map(|played| played.text.to_string()).collect();
    let middle = record.moves.len() / 2;
    let variation: Vec<String> =
        record.moves.get(middle).iter().flat_map(|played| &played.pv).map(ToString::to_string).collect();
    json!({
        "file": path.file_name().map(|name| name.to_string_lossy()),
        "start": record.start.text.as_deref(),
        "chess960": record.start.rules.chess960,
        "moves": moves,
        "variation": { "ply": middle, "moves": variation },
        "result": record.outcome.text(),
        "ending": record.ending.word(),
        "players": record.players,
    })
}

fn shogi(number: u64, rng: &mut StdRng) -> GameRecord {
    let text = SHOGI[number as usize % SHOGI.len()].map(Into::into);
    played::<Shogi>(number, Start { text, ..Start::default() }, rng)
}

fn chess(number: u64, rng: &mut StdRng) -> GameRecord {
    let chess960 = number % 3 == 2;
    let text = if chess960 {
        Some(CHESS960[number as usize / 3 % CHESS960.len()])
    } else {
        CHESS[number as usize % CHESS.len()]
    };
    let rules = Rules { chess960, ..Rules::default() };
    played::<Chess>(number, Start { text: text.map(Into::into), rules }, rng)
}

/// Returns the record of a random game, which may have no moves.
fn played<G: Game>(number: u64, start: Start, rng: &mut StdRng) -> GameRecord {
    let mut game = G::new(&start).expect("the starts are legal");
    let length = if number % 25 == 24 { 0 } else { rng.random_range(1..200) };
    let mut moves = Vec::new();
    while moves.len() < length {
        let pv = walk(&mut game, rng.random_range(1..6), rng);
        let Some(&text) = pv.first() else { break };
        let m = game.parse_move(&text).expect("a legal move");
        game.make(m);
        moves.push(annotated(PlayedMove { pv, book: moves.len() < number as usize % 9, ..PlayedMove::new(text) }, rng));
    }
    let outcomes = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw, Outcome::Unfinished];
    let at = |name: &[&str], by: u64| name[(number / by) as usize % name.len()].to_owned();
    GameRecord {
        event: at(&NAMES, 3),
        site: at(&["", "ここ", "here"], 2),
        round: number.to_string(),
        began: "2026-11-21 14:05:09".into(),
        ended: "2026-11-21 15:05:09".into(),
        players: [at(&NAMES, 1), at(&NAMES, 7)],
        clocks: [at(&["10+0.1", "nodes=500", "40/60"], 1), at(&["10+0.1", "inf"], 1)],
        start,
        moves,
        outcome: outcomes[number as usize % 4],
        ending: Ending::COMMON[(number / 4) as usize % Ending::COMMON.len()],
        remark: at(&REMARKS, 1),
        overrun: None,
        side_lines: Vec::new(),
    }
}

/// Returns a random line of legal moves and leaves the game unchanged.
fn walk<G: Game>(game: &mut G, length: usize, rng: &mut StdRng) -> Vec<MoveText> {
    let mut line = Vec::new();
    for _ in 0..length {
        let mut moves = Moves::new();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let m = moves[rng.random_range(0..moves.len())];
        line.push(game.format_move(m));
        game.make(m);
    }
    line.iter().for_each(|_| game.unmake());
    line
}

fn annotated(played: PlayedMove, rng: &mut StdRng) -> PlayedMove {
    if rng.random_range(0..8) == 0 {
        return PlayedMove { pv: Vec::new(), ..played };
    }
    let scores = [Score::cp(rng.random_range(-3000..3000)), Score::win_in(7), Score::loss_in(12)];
    PlayedMove {
        time: Some(Duration::from_micros(rng.random_range(0..200_000_000))),
        left: Some(Duration::from_millis(rng.random_range(0..4_000_000))),
        score: Some(scores[rng.random_range(0..3)]),
        bound: [Bound::Exact, Bound::Lower, Bound::Upper][rng.random_range(0..3)],
        depth: Some(rng.random_range(1..60)),
        nodes: Some(rng.random_range(1..10_000_000_000)),
        ..played
    }
}

fn read(files: &[&str]) -> Result<(), String> {
    for file in files {
        let shogi = hasami_games::find("shogi").ok_or("expected a game, found none")?;
        let openings = Openings::of_file(file);
        let checked = openings.read(shogi, Rules::default()).map_err(|why| why.to_string()).and_then(|mut read| {
            // Moves are removed before `settle`, which would refuse openings in which the game is over.
            let moves: Vec<_> = read.lines.iter_mut().map(|line| std::mem::take(&mut line.moves)).collect();
            let all = 0..read.lines.len();
            openings.settle(shogi, &mut read.lines, all).map_err(|why| why.to_string())?;
            for (line, moves) in read.lines.iter_mut().zip(moves) {
                line.moves = moves;
                shogi.check_play(line).map_err(|why| why.to_string())?;
            }
            Ok(read.lines)
        });
        let row = match checked {
            Ok(lines) => {
                let line = |line: &hasami_api::Line| {
                    let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
                    json!({ "start": line.start.text.as_deref(), "moves": moves })
                };
                json!({ "file": file, "games": lines.iter().map(line).collect::<Vec<_>>() })
            }
            Err(why) => json!({ "file": file, "error": why }),
        };
        println!("{row}");
    }
    Ok(())
}
