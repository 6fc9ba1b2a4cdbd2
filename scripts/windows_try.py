#!/usr/bin/env python3
"""Tests hasami.exe under Wine on a Japanese system: dialogues, unusual paths, children as .exe files and their ends,
games.

Usage: scripts/windows_try.py FOLDER      FOLDER contains hasami.exe and mock-engine.exe; called by scripts/windows.sh
GAMES (default 20): number of games that `hasami match` plays.
"""

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CHILD = "子 mock engine.exe"
# Without openings, all games of Hasami against itself would be the same.
OPENINGS = (
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3",
    "rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
    "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
)
WINE = {**os.environ, "WINEDEBUG": "-all", "LC_ALL": "ja_JP.UTF-8"}


class Engine:
    """An engine under Wine, with lines that end with CR LF."""

    def __init__(self, exe):
        self.process = subprocess.Popen(["wine", str(exe)], env=WINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def say(self, *lines, encoding="utf-8"):
        self.process.stdin.write("".join(line + "\r\n" for line in lines).encode(encoding))
        self.process.stdin.flush()

    def hear(self, word, seconds=60):
        """The lines up to the first line that begins with `word`."""
        heard, end = [], time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"expected '{word}' within {seconds} s, found {heard[-3:]}") from None
            assert line is not None, f"expected '{word}', found the end of the output after {heard[-3:]}"
            heard.append(line.decode("ascii").rstrip("\r\n"))
            if heard[-1].startswith(word):
                return heard

    def quit(self):
        self.say("quit")
        assert self.process.wait(10) == 0, self.process.returncode


def dialogue(exe):
    for greeting, ok, position in (("uci", "uciok", "startpos moves e2e4  e7e5"), ("usi", "usiok", "startpos moves 7g7f")):
        engine = Engine(exe)
        engine.say(greeting)
        engine.hear(ok)
        engine.say("isready")
        engine.hear("readyok")
        engine.say(f"position {position}", "go movetime 300")
        engine.hear("bestmove")
        engine.say("go infinite")
        engine.hear("info depth")
        engine.say("stop")
        engine.hear("bestmove")
        engine.quit()


def end_of_input(exe):
    engine = Engine(exe)
    engine.say("uci", "go infinite")
    engine.hear("info depth")
    engine.process.stdin.close()
    assert engine.process.wait(10) == 0


def command_line(exe, *words, seconds=120, folder=None):
    """Runs a command as a console user would, in a path with Japanese characters."""
    result = subprocess.run(["wine", str(exe), *words], env=WINE, capture_output=True, timeout=seconds, cwd=folder,
                            check=False)
    assert result.returncode == 0, result
    return result.stdout.decode()


def windows_path(path):
    return "Z:" + str(path).replace("/", "\\")


def running(name):
    """The ids of our own Wine processes whose command lines contain `name`."""
    found, ours = [], f"WINEPREFIX={WINE['WINEPREFIX']}".encode()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and name.encode() in (folder / "cmdline").read_bytes():
                if ours in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        except OSError:
            continue
    return found


def with_children(folder, encoding="utf-8"):
    """Starts hasami.exe with two children that must be killed to end, and returns the process after a search has used
    them."""
    children = folder / "子 children.toml"
    command = [windows_path(folder / CHILD), "--deaf-to-eof"]
    children.write_text(f"[[engine]]\ncommand = ['{command[0]}', '{command[1]}']\ncount = 2\n", encoding="utf-8")
    engine = Engine(folder / "hasami.exe")
    engine.say("uci")
    engine.hear("uciok")
    engine.say(f"setoption name Children value {windows_path(children)}", encoding=encoding)
    engine.say("setoption name Threads value 0", "isready")
    heard = engine.hear("readyok")
    engine.say("position startpos", "go movetime 2000")
    heard += engine.hear("bestmove")
    assert not any("warning" in line or "error" in line for line in heard), heard
    assert len(running(CHILD)) == 2, (running(CHILD), heard)
    return engine


def children_end(folder, how, encoding="utf-8"):
    engine = with_children(folder, encoding)
    engine.say("go infinite")
    engine.hear("info depth")
    how(engine)
    end = time.monotonic() + 10
    while running(CHILD):
        assert time.monotonic() < end, f"expected no child after the end of the master, found {running(CHILD)}"
        time.sleep(0.1)
    engine.process.wait(10)


def kill(_):
    for process in running("hasami.exe"):
        os.kill(process, signal.SIGKILL)


def terminate(_):
    """Ends the process by TerminateProcess, as the task manager does."""
    subprocess.run(["wine", "taskkill", "/f", "/im", "hasami.exe"], env=WINE, check=True, capture_output=True)


def games(exe):
    """Plays Hasami against itself with its own match tool, all under Wine."""
    count = int(os.environ.get("GAMES", "20"))
    # `hasami match` splits a command line as a shell does; this one contains spaces and Japanese characters.
    command = ["match", "--each", f"cmd='{windows_path(exe)}'", "tc=1+0.05", "option.Threads=1", "option.Hash=16",
               "--engine", "name=one", "--engine", "name=two", "--games", str(count), "--concurrency", "1",
               "--openings", "openings.epd", "--pgn", "games.pgn"]
    (exe.parent / "openings.epd").write_text("".join(f"{opening}\n" for opening in OPENINGS), encoding="ascii")
    report = command_line(exe, *command, seconds=60 + 60 * count, folder=exe.parent)
    ends = re.findall(r"^Finished game \d+ .*\{(.*)\}", report, re.MULTILINE)
    assert len(ends) == count, report[-3000:]
    bad = [end for end in ends if re.search(r"time|disconnect|illegal|stall|crash|abandon|fault|protocol", end)]
    assert not bad, bad
    written = (exe.parent / "games.pgn").read_text(encoding="utf-8").count("[Result ")
    assert written == count, f"expected {count} games in games.pgn, found {written}"
    for end in sorted(set(ends)):
        print(f"    {ends.count(end)} x {end}")


def prepare(built, temporary):
    """Sets up a Japanese Windows with the program in a folder whose name contains a blank."""
    WINE["WINEPREFIX"] = str(temporary / "wine")
    WINE["LOCPATH"] = str(temporary)
    subprocess.run(["localedef", "-i", "ja_JP", "-f", "UTF-8", temporary / "ja_JP.UTF-8"], check=True)
    subprocess.run(["wine", "wineboot", "-i"], env=WINE, check=True, capture_output=True)
    folder = temporary / "将棋 エンジン"
    folder.mkdir()
    for name in ("hasami.exe", "bcryptprimitives.dll"):
        shutil.copy(built / name, folder)
    shutil.copy(built / "mock-engine.exe", folder / CHILD)
    return folder


def main():
    built = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = prepare(built, Path(temporary))
        exe = folder / "hasami.exe"
        checks = {
            "dialogues with CRLF, path with blanks and Japanese characters": lambda: dialogue(exe),
            "end of input ends the program": lambda: end_of_input(exe),
            "command line: bench": lambda: command_line(exe, "bench"),
            "children end after quit": lambda: children_end(folder, Engine.quit),
            "the same, path in code page 932": lambda: children_end(folder, Engine.quit, "cp932"),
            "children end after the master was killed": lambda: children_end(folder, kill),
            "children end after TerminateProcess of the master": lambda: children_end(folder, terminate),
            "games": lambda: games(exe),
        }
        failed = 0
        try:
            for name, check in checks.items():
                begun = time.monotonic()
                try:
                    check()
                except (AssertionError, subprocess.SubprocessError) as error:
                    failed += 1
                    print(f"{name}: FAILED: {error}", flush=True)
                else:
                    print(f"{name}: held, {time.monotonic() - begun:.1f} s", flush=True)
        finally:
            subprocess.run(["wineserver", "-k"], env=WINE, check=False)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
