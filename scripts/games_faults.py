#!/usr/bin/env python3
"""A match on four machines in two network namespaces while machines, server and caller are killed, frozen and cut off.

Says how many games were lost, doubled, torn apart (the games of a pair on two machines), and how many differ from those of
the same match on one machine. Needs Linux, root (for namespaces; --no-namespaces does without), and nats-server.

    scripts/games_faults.py --hasami target/debug/hasami --engine target/debug/mock-engine --games 1000 --faults 200
"""

import argparse, json, os, random, signal, subprocess, sys, tempfile, time

NAMES = ["hasami-a", "hasami-b"]
URL = "nats://faults:secret@{host}:4399"


def run(*words):
    subprocess.run(words, check=True)


class Net:
    """Two namespaces, each behind a cable of its own that can be pulled."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.hosts = ["127.0.0.1"] * 2
        if not wanted:
            return
        self.close()
        for index, name in enumerate(NAMES):
            run("ip", "netns", "add", name)
            run("ip", "link", "add", f"hsm{index}", "type", "veth", "peer", "name", "eth0", "netns", name)
            run("ip", "address", "add", f"10.77.{index}.1/24", "dev", f"hsm{index}")
            run("ip", "link", "set", f"hsm{index}", "up")
            run("ip", "-n", name, "address", "add", f"10.77.{index}.2/24", "dev", "eth0")
            run("ip", "-n", name, "link", "set", "eth0", "up")
            run("ip", "-n", name, "link", "set", "lo", "up")
            self.hosts[index] = f"10.77.{index}.1"

    def inside(self, index):
        return ["ip", "netns", "exec", NAMES[index]] if self.wanted else []

    def cable(self, index, state):
        if self.wanted:
            run("ip", "link", "set", f"hsm{index}", state)

    def close(self):
        for name in NAMES if self.wanted else []:
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)


class Trial:
    def __init__(self, arguments, net, folder):
        self.arguments, self.net, self.folder = arguments, net, folder
        self.random = random.Random(arguments.seed)
        self.journal = os.path.join(folder, "match.jsonl")
        self.server = self.caller = None
        self.workers = [None] * 4
        self.counts = {}

    def start_server(self):
        words = ["nats-server", "-a", "0.0.0.0", "-p", "4399", "-js", "-sd", os.path.join(self.folder, "js")]
        words += ["--user", "faults", "--pass", "secret"]
        self.server = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_worker(self, index):
        place = index % 2
        words = self.net.inside(place) + [self.arguments.hasami, "worker", "--connect", URL.format(host=self.net.hosts[place])]
        words += ["--name", f"pc{index}", "--games", "2", "--speed", "1000"]
        words += ["--engine", f"a={self.arguments.engine}", "--engine", f"b={self.arguments.engine}"]
        out = open(os.path.join(self.folder, f"pc{index}.log"), "a")
        self.workers[index] = subprocess.Popen(words, stdout=out, stderr=out)

    def words(self):
        plain = ["--each", f"nodes={self.arguments.nodes}", "--games", str(self.arguments.games), "--maxmoves", "30", "--quiet", "--journal", "match.jsonl"]
        return plain + (["--openings", self.arguments.openings] if self.arguments.openings else [])

    def start_caller(self):
        words = [self.arguments.hasami, "match", "--engine", "name=A cmd=a", "--engine", "name=B cmd=b", *self.words()]
        words += ["--machines", URL.format(host="127.0.0.1")]
        if os.path.exists(self.journal):
            words.append("--resume")
        out = open(os.path.join(self.folder, "caller.log"), "a")
        self.caller = subprocess.Popen(words, cwd=self.folder, stdout=out, stderr=out)

    def count(self):
        try:
            return max(open(self.journal, "rb").read().count(b"\n") - 1, 0)
        except FileNotFoundError:
            return 0

    def fault(self):
        kind = self.random.choice(["kill", "freeze", "server", "caller"] + (["cut"] if self.net.wanted else []))
        index = self.random.randrange(4)
        self.counts[kind] = self.counts.get(kind, 0) + 1
        if kind == "kill":
            self.workers[index].kill()
            self.workers[index].wait()
            self.start_worker(index)
        elif kind == "freeze":
            self.workers[index].send_signal(signal.SIGSTOP)
            time.sleep(self.random.choice([0.2, 1, 12]))
            self.workers[index].send_signal(signal.SIGCONT)
        elif kind == "server":
            self.server.kill()
            self.server.wait()
            time.sleep(self.random.choice([0, 0.5, 3]))
            self.start_server()
        elif kind == "cut":
            self.net.cable(index % 2, "down")
            time.sleep(self.random.choice([0.2, 2, 12]))
            self.net.cable(index % 2, "up")
        elif self.caller.poll() is None:
            self.caller.kill()
            self.caller.wait()
            self.start_caller()

    def play(self):
        self.start_server()
        time.sleep(1)
        for index in range(4):
            self.start_worker(index)
        self.start_caller()
        begun, faults = time.monotonic(), 0
        while self.caller.poll() != 0:
            time.sleep(self.random.uniform(0.0, 2 * self.arguments.pause))
            # Who was started while the server was away says so and ends: whoever runs it starts it again.
            if self.caller.poll() not in (None, 0):
                self.start_caller()
            for index in range(4):
                if self.workers[index].poll() is not None:
                    self.start_worker(index)
            if faults < self.arguments.faults:
                self.fault()
                faults += 1
        return time.monotonic() - begun, faults

    def close(self):
        for process in [*self.workers, self.server, self.caller]:
            if process and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()


def games(path):
    found = {}
    doubled = 0
    for line in open(path).read().splitlines()[1:]:
        entry = json.loads(line)
        if "game" not in entry:
            continue
        doubled += entry["game"] in found
        found[entry["game"]] = entry
    return found, doubled


def moves(entry):
    return [played["m"] for played in entry["record"]["moves"]], entry["record"]["result"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hasami", default="target/debug/hasami")
    parser.add_argument("--engine", default="target/debug/mock-engine")
    parser.add_argument("--flags", default="--talks 20", help="of the engine: the mock engine thinks 20 ms a move")
    parser.add_argument("--openings")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--pause", type=float, default=1.0, help="mean seconds between two faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-namespaces", action="store_true")
    arguments = parser.parse_args()
    arguments.hasami = os.path.abspath(arguments.hasami)
    arguments.engine = f"{os.path.abspath(arguments.engine)} {arguments.flags}".strip()
    net = Net(not arguments.no_namespaces)
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(arguments, net, folder)
        try:
            seconds, faults = trial.play()
        finally:
            trial.close()
            net.close()
        played, doubled = games(trial.journal)
        pairs = range(0, arguments.games, 2)
        torn = sum(played[game]["machine"]["name"] != played[game + 1]["machine"]["name"] for game in pairs if game in played and game + 1 in played)
        lost = arguments.games - len(played)
        here = os.path.join(folder, "here")
        os.mkdir(here)
        engines = ["--engine", f"name=A cmd=\"{arguments.engine}\"", "--engine", f"name=B cmd=\"{arguments.engine}\""]
        subprocess.run([arguments.hasami, "match", *engines, *trial.words(), "--concurrency", "8"], cwd=here, check=True, stdout=subprocess.DEVNULL)
        local, _ = games(os.path.join(here, "match.jsonl"))
        others = [game for game in played if moves(played[game]) != moves(local[game])]
        for game in others:
            ends = [f"{len(moves(one[game])[0])} plies, {one[game]['record']['remark']}" for one in (played, local)]
            print(f"game {game + 1}: {ends[0]} on {played[game]['machine']['name']}, {ends[1]} on one machine")
        differ = len(others)
        print(f"seed {arguments.seed}: {len(played)} games in {seconds:.0f} s, {faults} faults {trial.counts}: "
              f"{lost} lost, {doubled} doubled, {torn} torn pairs, {differ} other than on one machine")
        print("games by machine:", {f"pc{n}": sum(entry["machine"]["name"] == f"pc{n}" for entry in played.values()) for n in range(4)})
        sys.exit(bool(lost or doubled or torn or differ))


main()
