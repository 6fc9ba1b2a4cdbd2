#!/usr/bin/env python3
"""Tries hasami.exe under Wine: dialogues, CRLF, odd paths, children as .exe, and that they end with their master.

Usage: scripts/windows_try.py FOLDER      the folder with hasami.exe and mock-engine.exe; called by scripts/windows.sh
"""

import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

WINE = {**os.environ, "WINEDEBUG": "-all", "LANG": "ja_JP.UTF-8", "LC_ALL": "C.UTF-8"}


class Engine:
    """An engine under Wine that is spoken to in lines ended by CR LF."""

    def __init__(self, exe):
        self.process = subprocess.Popen(["wine", str(exe)], env=WINE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\r\n" for line in lines).encode())
        self.process.stdin.flush()

    def hear(self, word, seconds=60):
        """Lines up to the one that begins with `word`."""
        heard, end = [], time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"expected '{word}' within {seconds} s, found {heard[-3:]}") from None
            assert line is not None, f"expected '{word}', found the end of the output"
            line.decode("ascii")
            heard.append(line.decode().rstrip("\r\n"))
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


def windows_path(path):
    return "Z:" + str(path).replace("/", "\\")


def running(name):
    """Process ids of Wine programs whose command line names `name`."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and name in (folder / "cmdline").read_text(errors="replace"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def with_children(folder):
    """Starts hasami.exe with two children; gives it once a search has used them."""
    child = folder / "child mock engine.exe"
    children = folder / "children file.toml"
    children.write_text(f"[[engine]]\ncommand = ['{windows_path(child)}']\ncount = 2\n", encoding="utf-8")
    engine = Engine(folder / "hasami.exe")
    engine.say("uci")
    engine.hear("uciok")
    engine.say(f"setoption name Children value {windows_path(children)}", "setoption name Threads value 0", "isready")
    engine.hear("readyok")
    engine.say("position startpos", "go movetime 1000")
    heard = engine.hear("bestmove")
    assert not any("warning" in line for line in heard), heard
    assert len(running("child mock engine.exe")) >= 2, heard
    return engine


def children_end(folder, how):
    engine = with_children(folder)
    engine.say("go infinite")
    engine.hear("info depth")
    how(engine)
    end = time.monotonic() + 10
    while running("child mock engine.exe"):
        assert time.monotonic() < end, "expected no child after the end of the master, found " + str(running("child mock"))
        time.sleep(0.1)


def kill(engine):
    for process in running("hasami.exe"):
        os.kill(process, signal.SIGKILL)
    engine.process.wait(10)


def main():
    built = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        WINE["WINEPREFIX"] = str(Path(temporary) / "wine")
        folder = Path(temporary) / "将棋 エンジン"
        folder.mkdir()
        for name in ("hasami.exe", "bcryptprimitives.dll"):
            shutil.copy(built / name, folder)
        shutil.copy(built / "mock-engine.exe", folder / "child mock engine.exe")
        checks = {
            "dialogues with CRLF, path with blanks and Japanese characters": lambda: dialogue(folder / "hasami.exe"),
            "end of input ends the program": lambda: end_of_input(folder / "hasami.exe"),
            "children end after quit": lambda: children_end(folder, Engine.quit),
            "children end after the master was killed": lambda: children_end(folder, kill),
        }
        for name, check in checks.items():
            begun = time.monotonic()
            check()
            print(f"{name}: held, {time.monotonic() - begun:.1f} s", flush=True)
        subprocess.run(["wineserver", "-k"], env=WINE, check=False)


if __name__ == "__main__":
    main()
