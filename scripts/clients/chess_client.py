#!/usr/bin/env python3
"""Uses a UCI engine as python-chess programs do and checks its answers: play, analysis, MultiPV, pondering, repeated
stops.

Usage: pip install chess; scripts/clients/chess_client.py [ENGINE [NAME=VALUE ...]]     exit code 0: all checks passed
python-chess itself checks that every move is legal and that answers arrive in order.
"""

import random
import sys
import time

import chess
import chess.engine

LIMIT = chess.engine.Limit(time=0.05)


def play_games(engine, games=2, plies=40):
    """Plays short games of the engine against itself with pondering; python-chess raises an exception on any illegal
    move."""
    for game in range(games):
        board = chess.Board()
        for _ in range(plies):
            if board.is_game_over():
                break
            clock = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
            result = engine.play(board, clock, info=chess.engine.INFO_ALL, ponder=True, game=game)
            assert result.move in board.legal_moves, (board.fen(), result)
            assert result.info["pv"][0] == result.move, (board.fen(), result)
            board.push(result.move)


def analyse_multipv(engine):
    for fen in (chess.STARTING_FEN, "7k/5Q2/8/8/8/8/8/6K1 w - - 0 1", "k7/8/1K6/8/8/8/8/7R b - - 0 1"):
        board = chess.Board(fen)
        count = board.legal_moves.count()
        infos = engine.analyse(board, chess.engine.Limit(time=0.3), multipv=5)
        assert len(infos) == min(5, count), (fen, len(infos), count)
        first = [info["pv"][0] for info in infos]
        assert len(set(first)) == len(first), (fen, first)
        scores = [info["score"].relative for info in infos]
        assert all(a >= b for a, b in zip(scores, scores[1:])), (fen, scores)
        analyse_to_depth(engine, board)


def analyse_to_depth(engine, board):
    """Checks that the analysis ends with all lines, each exact and of the requested depth, even if this depth is
    reached at once."""
    for threads in (1, 2, 3, 4):
        for depth, lines in ((1, 5), (2, 3), (5, 5), (5, 30), (8, 5)):
            limit, wanted = chess.engine.Limit(depth=depth), min(lines, board.legal_moves.count())
            with engine.analysis(board, limit, multipv=lines, options={"Threads": threads}) as analysis:
                analysis.wait()
            last = [(info.get("depth"), "lowerbound" in info, "upperbound" in info) for info in analysis.multipv]
            # If a mate is proved and every other move has a reasonable line, the engine may end before `depth`.
            end = last[0][0] if analysis.multipv[0]["score"].is_mate() else depth
            assert last == [(end, False, False)] * wanted, (board.fen(), threads, depth, lines, last)


def stop_loop(engine, loops=50):
    """Runs infinite analyses that are stopped at random times, each followed immediately by the next."""
    rng = random.Random(1)
    board = chess.Board()
    for _ in range(loops):
        with engine.analysis(board) as analysis:
            end = time.monotonic() + rng.random() * 0.05
            for _info in analysis:
                if time.monotonic() > end:
                    break
        best = analysis.wait()
        assert best.move in board.legal_moves, (board.fen(), best)
        board.push(best.move)
        if board.is_game_over():
            board.reset()


def special_positions(engine):
    mate = engine.play(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), chess.engine.Limit(mate=1))
    assert mate.move == chess.Move.from_uci("d1d8"), mate
    only = chess.Board()
    root = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert engine.play(only, LIMIT, root_moves=root).move in root
    mated = engine.play(chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"), LIMIT)
    assert mated.move is None, mated
    for number in (0, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        for _ in range(20):
            board.push(engine.play(board, chess.engine.Limit(nodes=2000)).move)


def main():
    path, settings = (sys.argv[1:2] or ["target/release/hasami"])[0], sys.argv[2:]
    with chess.engine.SimpleEngine.popen_uci(path) as engine:
        engine.configure(dict(setting.split("=", 1) for setting in settings))
        for check in (play_games, analyse_multipv, stop_loop, special_positions):
            begun = time.monotonic()
            check(engine)
            print(f"{check.__name__}: held, {time.monotonic() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main()
