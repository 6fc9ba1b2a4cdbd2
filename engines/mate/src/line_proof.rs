//! Proves a mating line found by another engine: the attacker is tied to the moves of the line, and everything else is
//! searched.

use crate::core::dfpn::Dfpn;
use crate::core::notation::play_line;
use crate::core::replay::is_mate_line;
use crate::core::step_book::StepBook;
use crate::core::style::Style;
use crate::core::table::MateTable;
use crate::interface::request::MateRules;
use hasami_api::{Line, MateGame, MoveText, Stop};

/// Table size in bytes, sufficient for a few hundred thousand nodes.
const TABLE: usize = 16 << 20;

/// Returns true if it can be proved within `nodes` nodes that the moves of `mate` mate by checks in the position at the
/// end of `line`, whatever the defender answers. The line may be longer than the shortest mate, and its answers need
/// not be the longest defences.
pub fn is_proved_line<G: MateGame>(line: &Line, mate: &[MoveText], nodes: u64) -> bool {
    let Ok(root) = play_line::<G>(line) else { return false };
    let (mut game, mut moves, mut book) = (root.clone(), Vec::new(), StepBook::default());
    for (ply, text) in mate.iter().enumerate() {
        let Ok(m) = game.parse_move(text) else { return false };
        if ply % 2 == 0 {
            book.add(game.board_key(), game.hand(root.side()), *text);
        }
        moves.push(m);
        game.make(m);
    }
    let stop = Stop::new();
    if !is_mate_line(&root, &moves, MateRules::default(), true, &stop) {
        return false;
    }
    let table = MateTable::for_nodes(nodes, TABLE);
    let mut search: Dfpn<G> = Dfpn::new(Style::DFPN, root, &table, &stop, nodes, usize::MAX);
    search.steps = Some(&book);
    matches!(search.solve(), Ok((value, _)) if value.is_proved())
}
