#!/usr/bin/env python3
"""Plays games on four machines, one of which is slow and one of which cheats, and checks that only these two are named.

Runs four `hasami worker`s with their own server. The engine is hasami on all four machines. The engines of `slow` are
slowed by a program between them and the worker, which lets them run only part of the time (--share). The first engine
of `cheat` gets ten times the nodes by an option of the machine's owner. Reports the number of games after which each of
the two was named, and whether an honest machine was named.

    scripts/games_planted.py --hasami target/release/hasami --games 200
"""

import argparse, os, re, signal, subprocess, sys, tempfile, time

PORT = 4398
URL = f"nats://planted:secret@127.0.0.1:{PORT}"


def slowed(share):
    """Runs the engine and suspends it for part of every 20 ms."""
    engine = subprocess.Popen(sys.argv[3:])
    for name in ("SIGTERM", "SIGINT"):
        signal.signal(getattr(signal, name), lambda *_: (engine.kill(), sys.exit(0)))
    while engine.poll() is None:
        time.sleep(0.02 * share)
        engine.send_signal(signal.SIGSTOP)
        time.sleep(0.02 * (1 - share))
        engine.send_signal(signal.SIGCONT)
    sys.exit(engine.returncode)


def cheating(factor):
    """Multiplies the nodes of every `go nodes N`, like a machine's owner who wants an engine to win."""
    engine = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, text=True, bufsize=1)
    for line in sys.stdin:
        engine.stdin.write(re.sub(r"\bnodes (\d+)", lambda found: f"nodes {int(found[1]) * factor}", line))
        engine.stdin.flush()
    engine.stdin.close()
    sys.exit(engine.wait())


def worker(arguments, folder, name, a, b):
    words = [arguments.hasami, "worker", "--connect", URL, "--name", name, "--games", "1", "--speed", "100000", "--engine", f"a={a}", "--engine", f"b={b}"]
    log = open(os.path.join(folder, f"{name}.log"), "w")
    return subprocess.Popen(words, stdout=log, stderr=log)


def named(hasami, journal, games):
    """The machines that the table names after the first games of the journal."""
    part = journal + ".part"
    with open(journal) as whole, open(part, "w") as cut:
        cut.writelines(line for _, line in zip(range(games + 1), whole))
    text = subprocess.run([hasami, "results", part], check=True, capture_output=True, text=True).stdout
    return {line.split(":")[0]: line.split(": ", 1)[1] for line in text.splitlines() if re.match(r"\w+: (its |it |[0-9]+ of its )", line)}, text


def main():
    if sys.argv[1:2] == ["slowed"]:
        slowed(float(sys.argv[2]))
    if sys.argv[1:2] == ["cheating"]:
        cheating(int(sys.argv[2]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hasami", default="target/debug/hasami")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--openings")
    parser.add_argument("--share", type=float, default=0.4, help="share of the time in which the slow machine's engines run")
    parser.add_argument("--factor", type=int, default=10, help="factor by which the first engine of the cheating machine gets more nodes")
    arguments = parser.parse_args()
    hasami = arguments.hasami = os.path.abspath(arguments.hasami)
    # On SIGTERM, `sys.exit` also ends the processes that are started below.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))
    between = f"{sys.executable} {os.path.abspath(__file__)}"
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(["nats-server", "-a", "127.0.0.1", "-p", str(PORT), "-js", "-sd", os.path.join(folder, "js"), "--user", "planted",
                                   "--pass", "secret"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        slow = f"{between} slowed {arguments.share} {hasami}"
        cheat = f"{between} cheating {arguments.factor} {hasami}"
        workers = [worker(arguments, folder, *words) for words in
                   [("attic", hasami, hasami), ("cellar", hasami, hasami), ("slow", slow, slow), ("cheat", cheat, hasami)]]
        journal = os.path.join(folder, "match.jsonl")
        words = [hasami, "match", "--engine", f"name=A cmd=a nodes={arguments.nodes}", "--engine", f"name=B cmd=b nodes={arguments.nodes * 4 // 3}",
                 "--games", str(arguments.games), "--quiet", "--ratinginterval", "50", "--journal", journal, "--machines", URL]
        words += ["--openings", os.path.abspath(arguments.openings)] if arguments.openings else []
        try:
            subprocess.run(words, check=True)
        finally:
            for process in [*workers, server]:
                process.terminate()
                process.wait()
        first, wrong = {}, {}
        for games in range(10, arguments.games + 1, 10):
            found, text = named(hasami, journal, games)
            for name, why in found.items():
                first.setdefault(name, games)
                if name not in ("slow", "cheat"):
                    wrong.setdefault(name, f"after {games} games {name}: {why}")
        print(text)
        ends = [f"{name} first named after {first.get(name, 'never')} games" for name in ("slow", "cheat")]
        print("; ".join(ends), "; honest ones named on the way:", ", ".join(wrong.values()) or "none", "; at the end:", ", ".join(sorted(found)))
        sys.exit(set(found) != {"slow", "cheat"})


main()
