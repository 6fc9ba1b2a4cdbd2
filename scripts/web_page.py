#!/usr/bin/env python3
"""Tests the live page with a real browser: python3 scripts/web_page.py HASAMI [--shots FOLDER]

Needs Debian's chromium and chromium-driver. Stops at the first failed check. `--shots` saves screenshots."""

import argparse
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

from browser import Browser, free_port

WIDTHS = [360, 1280, 2560]


class Running:
    """A program that serves a page. The output is read, so that the program never blocks."""

    def __init__(self, command, lines=()):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in lines:
            self.write(line)
        self.url = None
        for line in self.process.stdout:
            found = re.search(r"web page: (http://\S+)", line)
            if found:
                self.url = found[1]
                break
        assert self.url, f"{command}: expected the address of a page"
        threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True).start()

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def check(condition, what):
    if not condition:
        raise SystemExit(f"web_page: {what}")


def fits(browser, name):
    wide, window = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
    check(wide <= window, f"{name}: expected a page no wider than {window}, found {wide}")
    check(not browser.complaints(), f"{name}: the browser reports errors")


def columns_fit(browser, width, part):
    """Checks that no column of a part is cut off."""
    sizes = "const part = document.querySelector(arguments[0]); return [part.scrollWidth, part.clientWidth]"
    wide, room = browser.run(sizes, f"section.{part}")
    check(wide <= room, f"{part} at {width} pixels: expected at most {room} of them, found {wide}")


def shown(browser, selector, name):
    found = browser.until(f"return document.querySelector({selector!r})?.textContent")
    check(found, f"{name}: {selector} does not appear")
    return found


def search(hasami, shots):
    """Tests a growing tree, a selected node, and the search of a game in a GUI."""
    for width in WIDTHS:
        with Running([hasami, "analyse", "--tree", "--workers", "4", "--time", "600", "--web", "0"]) as running:
            with Browser(width, 900, dark=width == 360) as browser:
                browser.open(running.url)
                shown(browser, "ul.nodes a.best", "tree")
                check(browser.until("return document.querySelectorAll('ul.nodes li').length > 5"), "the tree does not grow")
                check(browser.until("return document.querySelector('#board .arrow')"), "no arrow on the board")
                browser.run("document.querySelector('ul.nodes a.best').focus(); document.activeElement.click()")
                shown(browser, "#detail svg", "detail")
                # The selected node must stay selected and focused when the page is updated.
                before = browser.run("return document.getElementById('status').innerHTML")
                check(browser.until(f"return document.getElementById('status').innerHTML !== {before!r}"), "the page is not updated")
                focus = browser.run("return document.activeElement.id")
                check(focus.startswith("node-") or not browser.run("return document.querySelector('ul.nodes a.best')"),
                      f"the focus is lost: '{focus}'")
                fits(browser, f"search at {width}")
                browser.screenshot(shots / f"search-{width}.png", whole=True)
    lines = ["usi", "setoption name WebPage value 0", "isready", "usinewgame",
             "position startpos moves 7g7f 3c3d", "go infinite"]
    with Running([hasami], lines) as running, Browser(1280, 900, language="ja") as browser:
        browser.open(running.url)
        check(browser.until("return document.documentElement.lang") == "ja", "expected Japanese for a Japanese browser")
        text = shown(browser, "#lines li", "lines")
        check(re.search(r"[☗▲]\S*[一二三四五六七八九]", text), f"expected Japanese notation, found {text}")
        fits(browser, "shogi")
        browser.screenshot(shots / "shogi-ja.png", whole=True)
        running.write("stop")
        running.write("position startpos moves 7g7f 3c3d 2g2f 8c8d")
        running.write("go infinite")
        check(browser.until("return document.getElementById('title').textContent.includes('4')"), "the page does not show the next search")


def match(hasami, shots, folder):
    words = ["--each", "nodes=500", "option.Hash=1", "--games", "200", "--concurrency", "2", "--sprt", "elo0=0", "elo1=5"]
    command = [hasami, "match", "--engine", "name=A <1>", f"cmd={hasami}", "--engine", "name=B", f"cmd={hasami}", *words,
               "--journal", str(folder / "match.jsonl"), "--quiet", "--web", "0"]
    with Running(command) as running, Browser(1280, 900) as browser:
        browser.open(running.url)
        shown(browser, "#list a", "finished games")
        check("A <1>" in shown(browser, "#table", "table"), "the name of an engine is not escaped")
        browser.run("document.querySelector('#list a').click()")
        shown(browser, "#detail .replay", "replay")
        before = browser.run("return document.querySelector('.replay span').textContent")
        browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', bubbles: true}))")
        check(browser.until(f"return document.querySelector('.replay span').textContent !== {before!r}"), "the arrow key has no effect")
        # A step with the keyboard must keep the focus, mark the current move and the game, and announce them.
        browser.run("document.querySelector('#detail a[rel=first]').focus(); document.activeElement.click()")
        browser.until("return document.querySelector('.replay span').textContent.startsWith('0 ')")
        browser.run("document.querySelector('#detail a[rel=next]').focus()")
        for ply in (1, 2):
            browser.run("document.activeElement.click()")
            check(browser.until(f"return document.querySelector('.replay span').textContent.startsWith('{ply} ')"), "the link to the next move has no effect")
            check(browser.until("return document.activeElement.rel === 'next'"), "the link to the next move loses the focus")
            marked = browser.run("return Array.from(document.querySelectorAll('.moves [aria-current]'), (move) => move.textContent)")
            check(len(marked) == 1, f"expected one move that is marked, found {marked}")
            check(browser.until(f"return document.getElementById('said').textContent === {marked[0]!r}"), "the move is not announced")
        check(browser.run("return document.querySelectorAll('#list a[aria-current]').length") == 1, "the game is not marked")
        shown(browser, "#sprt svg", "SPRT")
        fits(browser, "match")
        browser.screenshot(shots / "match.png", whole=True)
        for width in WIDTHS:
            browser.resize(width, 900)
            columns_fit(browser, width, "table")


def rows_of(browser, selector, lines, name):
    """Checks that no row of a table takes more than `lines` lines of text."""
    script = """return Math.max(...Array.from(document.querySelectorAll(arguments[0]), (row) =>
        row.getBoundingClientRect().height / parseFloat(getComputedStyle(row.cells[0]).lineHeight)))"""
    most = browser.run(script, selector)
    check(most < lines + 0.9, f"{name}: expected at most {lines} lines a row, found {most:.1f}")


def several_engines(hasami, shots, folder):
    """Checks a match of four engines with long names, which must have a table and a crosstable, and no part for two
    engines only."""
    names = [f"an engine with a long name of version 2026-11-{day}" for day in (25, 26)] + ["C", "D"]
    engines = [word for name in names for word in ("--engine", f"name={name}", f"cmd={hasami}")]
    words = ["--each", "nodes=300", "option.Hash=1", "--games", "200", "--concurrency", "2"]
    command = [hasami, "match", *engines, *words, "--journal", str(folder / "several.jsonl"), "--quiet", "--web", "0"]
    with Running(command) as running, Browser(1280, 900, language="ja") as browser:
        browser.open(running.url)
        check(browser.until("return document.querySelectorAll('#list tbody tr').length > 4"), "no finished games")
        check(len(browser.run("return [...document.querySelectorAll('#crosstable tbody tr')]")) == 4, "expected four rows in the crosstable")
        check(not browser.run("return document.querySelector('#elo, #sprt')"), "a part for two engines is shown")
        titles = browser.run("return Array.from(document.querySelectorAll('#list abbr'), (name) => name.title)")
        check(set(titles) == set(names[:2]), f"expected the whole names as titles, found {set(titles)}")
        rows_of(browser, "#list tbody tr", 2, "finished games")
        for width in WIDTHS:
            browser.resize(width, 900)
            fits(browser, f"match of four at {width}")
            for part in ("table", "crosstable", "list"):
                columns_fit(browser, width, part)
            browser.screenshot(shots / f"several-{width}.png", whole=True)


def mates(hasami, shots, folder):
    problems = folder / "problems.tsv"
    easy = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
    # Solving the second problem takes longer than this test, so the page stays open.
    problems.write_text(f"{easy}\teasy\n9/9/3k5/9/6B2/9/9/9/9 b 4G2S9P2rb2s4n4l9p 1\thard\n")
    with Running([hasami, "solve", str(problems), "--web", "0"]) as running, Browser(1280, 900) as browser:
        browser.open(running.url)
        browser.until("return document.querySelector('#list a')")
        browser.run("document.querySelector('#list a').click()")
        shown(browser, "#detail .replay", "solution")
        check("５二" in shown(browser, "#detail .moves", "moves"), "expected Japanese notation")
        fits(browser, "mates")
        browser.screenshot(shots / "mates.png", whole=True)


def cluster(hasami, shots):
    """Tests the page of the cluster's members, with a server and a machine with two slots."""
    server = shutil.which("nats-server")
    if not server:
        print("nats-server is not installed: the page of a cluster is not tested")
        return
    port = free_port()
    place = f"nats://tester:secret@127.0.0.1:{port}"
    nats = subprocess.Popen([server, "-a", "127.0.0.1", "-p", str(port), "--user", "tester", "--pass", "secret"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    worker = subprocess.Popen([hasami, "worker", "--connect", place, "--name", "attic <1>", "--threads", "2", "--hash", "2"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for width, language in ((1280, "en"), (360, "ja")):
            with Running([hasami, "workers", "--connect", place, "--web", "0", "--wait", "0.3"]) as running:
                with Browser(width, 900, language=language) as browser:
                    browser.open(running.url)
                    check("attic <1>" in shown(browser, "#list a", "machines"), "the machine is missing, or its name is not escaped")
                    browser.run("document.querySelector('#list a').click()")
                    check(browser.until("return document.querySelectorAll('#detail tbody tr').length === 2"), "expected two slots")
                    check("secret" not in browser.run("return document.documentElement.outerHTML"), "the page shows a password")
                    fits(browser, f"cluster at {width}")
                    browser.screenshot(shots / f"cluster-{width}.png", whole=True)
    finally:
        for process in (worker, nats):
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hasami")
    parser.add_argument("--shots", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shots = arguments.shots or folder
        shots.mkdir(parents=True, exist_ok=True)
        hasami = str(pathlib.Path(arguments.hasami).resolve())
        search(hasami, shots)
        match(hasami, shots, folder)
        several_engines(hasami, shots, folder)
        mates(hasami, shots, folder)
        cluster(hasami, shots)
    print("all checks passed: searches at 360, 1280 and 2560 pixels, shogi in Japanese, matches, mates, a cluster")


if __name__ == "__main__":
    main()
