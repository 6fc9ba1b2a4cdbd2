//! Measures the nanoseconds per move (accumulator update and output) in random games, and compares them with those of
//! nnue-rs (chess) and rshogi-core (shogi).
//!
//! Run with `cargo bench -p hasami-nnue`. The networks have random weights. The two programs alternate for several
//! rounds, and each row of the output shows the best round.
#![allow(clippy::unwrap_used)]

#[path = "../tests/it/generated.rs"]
mod generated;

use generated::Random;
use hasami_api::{Evaluator, Game, Moves, Start};
use hasami_chess::Chess;
use hasami_nnue::{Inputs, InstructionSet, NetworkEval};
use hasami_shogi::Shogi;
use nnue_rs::{Board, Color, Piece, PieceKind};
use rshogi_core::nnue::{LayerStackBucketMode, NNUEEvaluator, NNUENetwork, configure_layer_stack_routing};
use rshogi_core::position::Position;
use rshogi_core::types::Move as TheirMove;
use shakmaty::Position as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: usize = 7;
const REPEATS: usize = 40;

/// The positions of a game, each with the move that leads to the next position.
type Played<G> = Vec<(G, Option<<G as Game>::Move>)>;

fn random_games<G: Game>(count: usize) -> Vec<Played<G>> {
    let mut random = Random::new(71);
    let game = |_| {
        let mut game = G::new(&Start::default()).unwrap();
        let mut line = Vec::new();
        for _ in 0..100 {
            let mut moves = Moves::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            line.push((game.clone(), Some(m)));
            game.make(m);
        }
        line.push((game, None));
        line
    };
    (0..count).map(game).collect()
}

/// Returns the nanoseconds per move of `run`, which makes `count` moves per call.
fn time(count: usize, mut run: impl FnMut()) -> f64 {
    let begun = Instant::now();
    (0..REPEATS).for_each(|_| run());
    begun.elapsed().as_nanos() as f64 / (REPEATS * count) as f64
}

fn ours<G: Inputs>(eval: &mut NetworkEval, games: &[Played<G>]) {
    for line in games {
        eval.refresh(&line[0].0);
        for pair in line.windows(2) {
            eval.make(&pair[0].0, pair[0].1.unwrap());
            black_box(eval.output(&pair[1].0));
        }
    }
}

struct TheirBoard(Chess);

fn their_piece(piece: shakmaty::Piece) -> Piece {
    let color = if piece.color.is_white() { Color::White } else { Color::Black };
    let kinds =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King];
    Piece::new(color, kinds[piece.role as usize - 1])
}

impl Board for TheirBoard {
    fn side_to_move(&self) -> Color {
        if self.0.position().turn().is_white() { Color::White } else { Color::Black }
    }

    fn king_square(&self, color: Color) -> u8 {
        let color = if color == Color::White { shakmaty::Color::White } else { shakmaty::Color::Black };
        self.0.position().board().king_of(color).unwrap() as u8
    }

    fn for_each_piece(&self, f: &mut dyn FnMut(u8, Piece)) {
        self.0.position().board().iter().for_each(|(square, piece)| f(square as u8, their_piece(piece)));
    }
}

type Changes = (Vec<(u8, Piece)>, Vec<(u8, Piece)>);

fn changes(before: &Chess, after: &Chess) -> Changes {
    let (before, after) = (before.position().board(), after.position().board());
    let missing = |from: &shakmaty::Board, to: &shakmaty::Board| {
        let gone = from.clone().into_iter().filter(|&(square, piece)| to.piece_at(square) != Some(piece));
        gone.map(|(square, piece)| (square as u8, their_piece(piece))).collect()
    };
    (missing(before, after), missing(after, before))
}

fn chess(name: &str, file: &[u8]) {
    let games = random_games::<Chess>(20);
    let count: usize = games.iter().map(|line| line.len() - 1).sum();
    let mut evals = evals(file);
    let theirs = nnue_rs::Network::from_bytes(file).ok();
    let boards: Vec<Vec<TheirBoard>> =
        games.iter().map(|line| line.iter().map(|(game, _)| TheirBoard(game.clone())).collect()).collect();
    let changed: Vec<Vec<Changes>> =
        games.iter().map(|line| line.windows(2).map(|pair| changes(&pair[0].0, &pair[1].0)).collect()).collect();
    let mut best = vec![f64::MAX; evals.len() + 1];
    for _ in 0..ROUNDS {
        for (best, (_, eval)) in best.iter_mut().zip(&mut evals) {
            *best = best.min(time(count, || ours(eval, &games)));
        }
        if let Some(theirs) = &theirs {
            let mut two = [theirs.empty_accumulator(), theirs.empty_accumulator()];
            let last = best.last_mut().unwrap();
            *last = last.min(time(count, || {
                for (line, changed) in boards.iter().zip(&changed) {
                    theirs.refresh(&line[0], &mut two[0]);
                    for (i, (gone, come)) in changed.iter().enumerate() {
                        let (first, second) = two.split_at_mut(1);
                        let (from, to) =
                            if i % 2 == 0 { (&first[0], &mut second[0]) } else { (&second[0], &mut first[0]) };
                        theirs.update_changes(&line[i], &line[i + 1], gone, come, from, to);
                        black_box(theirs.evaluate_accumulator(to, line[i + 1].side_to_move()));
                    }
                }
            }));
        }
    }
    row(name, &evals, &best, theirs.as_ref().map(|_| "nnue-rs"));
}

fn shogi(name: &str, file: &[u8]) {
    let games = random_games::<Shogi>(20);
    let count: usize = games.iter().map(|line| line.len() - 1).sum();
    let mut evals = evals(file);
    let theirs = NNUENetwork::from_bytes(file).ok().map(Arc::new);
    if theirs.as_ref().is_some_and(|theirs| theirs.is_layer_stacks()) {
        configure_layer_stack_routing(LayerStackBucketMode::KingRank9, 9, None).unwrap();
    }
    let lines: Vec<_> = games
        .iter()
        .map(|line| {
            let mut position = Position::new();
            position.set_sfen(&line[0].0.to_text()).unwrap();
            let mut positions = vec![(position.clone(), None)];
            for (game, m) in line.iter().filter_map(|(game, m)| Some((game, (*m)?))) {
                let theirs = TheirMove::from_usi(&game.format_move(m)).unwrap();
                // A move in nnue-rs includes the moving piece, which UCI notation omits.
                let theirs = position.to_move(theirs).unwrap_or(theirs);
                let dirty = position.do_move(theirs, position.gives_check(theirs));
                positions.push((position.clone(), Some(dirty)));
            }
            positions
        })
        .collect();
    let mut best = vec![f64::MAX; evals.len() + 1];
    for _ in 0..ROUNDS {
        for (best, (_, eval)) in best.iter_mut().zip(&mut evals) {
            *best = best.min(time(count, || ours(eval, &games)));
        }
        if let Some(theirs) = &theirs {
            let mut eval = NNUEEvaluator::new_with_position(Arc::clone(theirs), &lines[0][0].0);
            let last = best.last_mut().unwrap();
            *last = last.min(time(count, || {
                for line in &lines {
                    eval.reset(&line[0].0);
                    for (position, dirty) in &line[1..] {
                        eval.push(dirty.unwrap());
                        black_box(eval.evaluate(position));
                    }
                }
            }));
        }
    }
    row(name, &evals, &best, theirs.as_ref().map(|_| "rshogi-core"));
}

fn evals(file: &[u8]) -> Vec<(InstructionSet, NetworkEval)> {
    let on = |set| {
        let mut network = hasami_nnue::read(file).unwrap();
        network.use_instruction_set(set).then(|| (set, NetworkEval::new(Arc::new(network))))
    };
    let sets = InstructionSet::ALL.into_iter().filter(|&set| set != InstructionSet::Plain);
    sets.filter_map(on).collect()
}

fn row(name: &str, evals: &[(InstructionSet, NetworkEval)], best: &[f64], other: Option<&str>) {
    print!("{name:<28}");
    for ((set, _), ns) in evals.iter().zip(best) {
        print!("{:>14} {ns:>6.0}", set.name());
    }
    match other {
        Some(other) => println!("{other:>14} {:>6.0}", best[evals.len()]),
        None => println!(),
    }
}

fn main() {
    println!("ns a move: update and output");
    chess("chess HalfKP 256x2-32-32", &generated::classic("HalfKP(Friend)", 0x5D69_D5B8, 41_024, [256, 32, 32], 1));
    for width in [128, 1024, 1536, 2560, 3072] {
        chess(&format!("chess HalfKAv2_hm {width}"), &generated::stockfish(width, true, 1));
    }
    chess("chess own format 128x2", &generated::own(1));
    let kp = 0x5D69_D5B8;
    for shape in [[256, 32, 32], [512, 16, 32], [768, 16, 64], [1024, 8, 32]] {
        let file = generated::classic("HalfKP(Friend)", kp, 125_388, shape, 1);
        shogi(&format!("shogi HalfKP {}x2-{}-{}", shape[0], shape[1], shape[2]), &file);
    }
    shogi("shogi HalfKA_hm2 256x2", &generated::classic("HalfKA_hm(Friend)", 0x7F23_4CB8, 73_305, [256, 32, 32], 1));
    shogi("shogi layer stacks 1536", &generated::layer_stacks(1536, 15, 32, 1));
}
