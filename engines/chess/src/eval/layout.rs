//! The weights of the evaluation: their groups in the data file, and where each feature's pair stands.

pub use hasami_api::tapered::{Pair, ending, opening};

hasami_api::features! {
    /// Material and place, by kind and by square as White sees it.
    PLACE = "place", 6 * 64;
    /// The side to move.
    TEMPO = "tempo", 1;
    BISHOP_PAIR = "bishop_pair", 1;
    /// By the number of squares attacked outside the enemy pawns' reach.
    KNIGHT_MOBILITY = "mobility.knight", 9;
    BISHOP_MOBILITY = "mobility.bishop", 14;
    ROOK_MOBILITY = "mobility.rook", 15;
    QUEEN_MOBILITY = "mobility.queen", 28;
    /// By relative rank.
    PAWN_PHALANX = "pawn.phalanx", 8;
    PAWN_DEFENDED = "pawn.defended", 8;
    /// By file, folded at the centre.
    PAWN_ISOLATED = "pawn.isolated", 4;
    PAWN_DOUBLED = "pawn.doubled", 4;
    /// On a file that the enemy has pawns on, and on one that he has not.
    PAWN_BACKWARD = "pawn.backward", 2;
    /// By relative rank.
    PASSED = "passed", 8;
    PASSED_BLOCKED = "passed.blocked", 8;
    PASSED_FREE = "passed.free", 8;
    PASSED_DEFENDED = "passed.defended", 8;
    /// By distance of a king to the square before the pawn (the far ranks only).
    PASSED_OWN_KING = "passed.own_king", 8;
    PASSED_ENEMY_KING = "passed.enemy_king", 8;
    CANDIDATE = "passed.candidate", 8;
    /// By relative rank of the own pawn before the king on a file (0: none): the king's file, then its neighbours.
    SHELTER = "king.shelter", 2 * 8;
    /// By relative rank of the enemy's foremost pawn on a file (0: none): blocked by ours, then free.
    STORM = "king.storm", 2 * 8;
    /// The king's file without own pawns, then without any.
    KING_OPEN_FILE = "king.open_file", 2;
    /// By danger units, see `king`.
    DANGER = "king.danger", 48;
    ROOK_HALF_OPEN = "rook.half_open", 1;
    ROOK_OPEN = "rook.open", 1;
    ROOK_SEVENTH = "rook.seventh", 1;
    /// Defended by a pawn and out of the enemy pawns' reach: knight, bishop.
    OUTPOST = "outpost", 2;
    /// A bishop, for each own pawn on its colour, then for each of them blocked.
    BAD_BISHOP = "bishop.pawns", 2;
    /// Both central squares or more on its empty-board diagonal.
    LONG_BISHOP = "bishop.long", 1;
    BEHIND_PAWN = "minor.behind_pawn", 1;
    /// By victim: pawn, knight, bishop, rook, queen.
    PAWN_THREAT = "threat.pawn", 5;
    MINOR_THREAT = "threat.minor", 5;
    ROOK_THREAT = "threat.rook", 5;
    KING_THREAT = "threat.king", 1;
    /// Enemy men attacked and not defended.
    HANGING = "threat.hanging", 1;
    /// Pawn pushes that would attack a piece, safely.
    PUSH_THREAT = "threat.push", 1;
    /// Squares for a safe knight (bishop, rook) attack on the queen.
    QUEEN_HARASSED = "threat.queen", 2;
    /// Safe squares behind and beside the own pawns in the centre.
    SPACE = "space", 1;
}
