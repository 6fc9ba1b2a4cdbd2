//! The groups of weights in the data file, and the index of the first weight of each.

pub use hasami_api::tapered::{Pair, ending, opening};

hasami_api::features! {
    /// Weights of material and placement, by kind of piece and by square (mirrored for Black).
    PLACE = "place", 6 * 64;
    /// Bonus for the side to move.
    TEMPO = "tempo", 1;
    BISHOP_PAIR = "bishop_pair", 1;
    /// Weights of mobility, by the number of attacked squares. Squares with our pawns or king, and squares that enemy
    /// pawns attack, do not count.
    KNIGHT_MOBILITY = "mobility.knight", 9;
    BISHOP_MOBILITY = "mobility.bishop", 14;
    ROOK_MOBILITY = "mobility.rook", 15;
    QUEEN_MOBILITY = "mobility.queen", 28;
    /// Weights by relative rank.
    PAWN_PHALANX = "pawn.phalanx", 8;
    PAWN_DEFENDED = "pawn.defended", 8;
    /// Weights by distance of the file from the edge.
    PAWN_ISOLATED = "pawn.isolated", 4;
    PAWN_DOUBLED = "pawn.doubled", 4;
    /// Weights for a pawn with an enemy pawn in front on the same file, then without.
    PAWN_BACKWARD = "pawn.backward", 2;
    /// Weights by relative rank.
    PASSED = "passed", 8;
    PASSED_BLOCKED = "passed.blocked", 8;
    PASSED_FREE = "passed.free", 8;
    PASSED_DEFENDED = "passed.defended", 8;
    /// Weights by the distance of a king to the square in front of the pawn, from the fourth rank on.
    PASSED_OWN_KING = "passed.own_king", 8;
    PASSED_ENEMY_KING = "passed.enemy_king", 8;
    CANDIDATE = "passed.candidate", 8;
    /// Weights by relative rank of our rearmost pawn on a file in front of the king (0: none): first for the king's
    /// file, then for the neighbouring files.
    SHELTER = "king.shelter", 2 * 8;
    /// Weights by relative rank of the enemy's foremost pawn on a file in front of the king (0: none): first for a pawn
    /// blocked by a pawn of ours, then for a free pawn.
    STORM = "king.storm", 2 * 8;
    /// Weights for a king's file without pawns of ours, then without any pawns.
    KING_OPEN_FILE = "king.open_file", 2;
    /// Weights by units of danger; see `king`.
    DANGER = "king.danger", 48;
    ROOK_HALF_OPEN = "rook.half_open", 1;
    ROOK_OPEN = "rook.open", 1;
    ROOK_SEVENTH = "rook.seventh", 1;
    /// Weights for a knight, then a bishop, that a pawn defends and that no enemy pawn can attack.
    OUTPOST = "outpost", 2;
    /// Weights for each pawn of ours on a bishop's colour, then for each such pawn that is blocked.
    BAD_BISHOP = "bishop.pawns", 2;
    /// A bishop on a long diagonal that attacks or occupies both of its central squares, ignoring pieces.
    LONG_BISHOP = "bishop.long", 1;
    /// A minor piece right behind a pawn of either side.
    BEHIND_PAWN = "minor.behind_pawn", 1;
    /// Weights of threats by victim: pawn, knight, bishop, rook, queen.
    PAWN_THREAT = "threat.pawn", 5;
    MINOR_THREAT = "threat.minor", 5;
    ROOK_THREAT = "threat.rook", 5;
    KING_THREAT = "threat.king", 1;
    /// Enemy pieces and pawns that are attacked and not defended.
    HANGING = "threat.hanging", 1;
    /// Pieces that a safe pawn push would attack.
    PUSH_THREAT = "threat.push", 1;
    /// Squares from which a knight, then a bishop or rook, could safely attack the queen.
    QUEEN_HARASSED = "threat.queen", 2;
    /// Safe squares on our side of the central files; see `pieces::space`.
    SPACE = "space", 1;
}
