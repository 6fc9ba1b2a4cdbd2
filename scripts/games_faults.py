#!/usr/bin/env python3
"""Plays a match on four machines while machines, server and caller are killed, suspended and cut off.

The machines are in two network namespaces. Reports how many games were lost, duplicated or split (the games of a pair
on two machines), and how many differ from those of the same match on one machine. Needs Linux, root (for namespaces;
not with --no-namespaces), and nats-server.

    scripts/games_faults.py --hasami target/debug/hasami --engine target/debug/mock-engine --games 1000 --faults 200
    scripts/games_faults.py --engine stockfish --games 100 --faults 20

The script leaves no process and no namespace behind, even after Ctrl-C or SIGTERM.
"""

import argparse, json, os, random, select, shutil, signal, subprocess, sys, tempfile, time

NAMES = ["hasami-a", "hasami-b"]
URL = "nats://faults:secret@{host}:4399"
# Maximum number of times that machines and the caller are started again without a finished game in between. They end
# while the server is away.
MOST_STARTS = 60
# Seconds between two progress lines.
PROGRESS_EVERY = 60
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A pipe that becomes readable when this script receives a signal to end.
HEARD = None


def refuse(text):
    sys.exit(f"games_faults.py: {text}")


def hear_of_the_end():
    """Signals are only recorded: an exception during a wait for a process would leave its lock held."""
    heard, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    for number in ENDS:
        signal.signal(number, lambda *_: None)
    return heard


def pause(seconds):
    """Waits, and ends the script if it has received a signal to end."""
    if select.select([HEARD], [], [], seconds)[0]:
        refuse("ended by a signal")


def run(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode:
        refuse(f"cannot create namespaces (as root; --no-namespaces needs none): {result.stderr.strip() or 'not permitted'}")


class Net:
    """Two namespaces, each with its own cable, which can be unplugged."""

    def __init__(self, wanted):
        self.wanted = wanted
        self.hosts = ["127.0.0.1"] * 2

    def __enter__(self):
        # Removes leftovers of an earlier run that was killed.
        self.__exit__()
        try:
            for index, name in enumerate(NAMES if self.wanted else []):
                run("ip", "netns", "add", name)
                run("ip", "link", "add", f"hsm{index}", "type", "veth", "peer", "name", "eth0", "netns", name)
                run("ip", "address", "add", f"10.77.{index}.1/24", "dev", f"hsm{index}")
                run("ip", "link", "set", f"hsm{index}", "up")
                run("ip", "-n", name, "address", "add", f"10.77.{index}.2/24", "dev", "eth0")
                run("ip", "-n", name, "link", "set", "eth0", "up")
                run("ip", "-n", name, "link", "set", "lo", "up")
                self.hosts[index] = f"10.77.{index}.1"
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for index, name in enumerate(NAMES if self.wanted else []):
            # Deleting one end of a veth pair deletes the pair, which the kernel otherwise keeps until the last process
            # in the namespace has ended.
            for words in (["link", "del", f"hsm{index}"], ["netns", "del", name]):
                subprocess.run(["ip", *words], stderr=subprocess.DEVNULL)

    def inside(self, index):
        return ["ip", "netns", "exec", NAMES[index]] if self.wanted else []

    def cable(self, index, state):
        if self.wanted:
            run("ip", "link", "set", f"hsm{index}", state)


class Trial:
    def __init__(self, arguments, net, folder):
        self.arguments, self.net, self.folder = arguments, net, folder
        self.random = random.Random(arguments.seed)
        self.journal = os.path.join(folder, "match.jsonl")
        self.server = self.caller = None
        self.workers = [None] * 4
        self.counts = {}
        self.ends, self.known = 0, 0

    def __enter__(self):
        return self

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
            pause(self.random.choice([0.2, 1, 12]))
            self.workers[index].send_signal(signal.SIGCONT)
        elif kind == "server":
            self.server.kill()
            self.server.wait()
            pause(self.random.choice([0, 0.5, 3]))
            self.start_server()
        elif kind == "cut":
            self.net.cable(index % 2, "down")
            pause(self.random.choice([0.2, 2, 12]))
            self.net.cable(index % 2, "up")
        elif self.caller.poll() is None:
            self.caller.kill()
            self.caller.wait()
            self.start_caller()

    def ended(self, log):
        """Handles the end of a machine or the caller, which end while the server is away and are restarted as by a
        supervisor."""
        self.ends += 1
        if self.count() > self.known:
            self.ends, self.known = 1, self.count()
        if self.ends > MOST_STARTS:
            lines = open(os.path.join(self.folder, log)).read().splitlines() or ["nothing"]
            refuse(f"no game was finished in {MOST_STARTS} starts; the last line of {log}: {lines[-1]}")

    def go_on(self):
        if self.caller.poll() not in (None, 0):
            self.ended("caller.log")
            self.start_caller()
        for index in range(4):
            if self.workers[index].poll() is not None:
                self.ended(f"pc{index}.log")
                self.start_worker(index)

    def play(self):
        self.start_server()
        pause(1)
        for index in range(4):
            self.start_worker(index)
        self.start_caller()
        begun, faults = time.monotonic(), 0
        printed = begun
        while self.caller.poll() != 0:
            pause(self.random.uniform(0.0, 2 * self.arguments.pause))
            self.go_on()
            if faults < self.arguments.faults:
                self.fault()
                faults += 1
            if time.monotonic() - printed > PROGRESS_EVERY:
                printed = time.monotonic()
                print(f"{printed - begun:.0f} s: {self.count()} games, {faults} faults", flush=True)
        return time.monotonic() - begun, faults

    def __exit__(self, *_):
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


def torn_pairs(played, count):
    """Number of pairs whose two games were played by different machines."""
    pairs = [(played.get(game), played.get(game + 1)) for game in range(0, count, 2)]
    return sum(one["machine"]["name"] != other["machine"]["name"] for one, other in pairs if one and other)


def local_games(arguments, trial, folder):
    """Plays the same match on one machine."""
    here = os.path.join(folder, "here")
    os.mkdir(here)
    engines = ["--engine", f"name=A cmd=\"{arguments.engine}\"", "--engine", f"name=B cmd=\"{arguments.engine}\""]
    words = [arguments.hasami, "match", *engines, *trial.words(), "--concurrency", "8"]
    match = subprocess.Popen(words, cwd=here, stdout=subprocess.DEVNULL)
    try:
        while match.poll() is None:
            pause(0.1)
    finally:
        match.kill()
    if match.wait():
        refuse(f"the same match on one machine failed with exit code {match.returncode}")
    return games(os.path.join(here, "match.jsonl"))[0]


def program(path):
    """The path of a program, given as a path or as a name in PATH."""
    found = path if os.path.isfile(path) and os.access(path, os.X_OK) else shutil.which(path)
    return os.path.abspath(found or refuse(f"cannot find the program {path}"))


def engine_command(path, flags):
    """The command of the engine, which must answer."""
    words = [program(path)]
    # `--talks 20` makes the mock engine think for 20 ms per move.
    words += (("--talks 20" if os.path.basename(words[0]) == "mock-engine" else "") if flags is None else flags).split()
    try:
        answer = subprocess.run(words, input="uci\nquit\n", capture_output=True, text=True, timeout=30).stdout
    except subprocess.TimeoutExpired:
        answer = ""
    if "uciok" not in answer.split():
        refuse(f"the engine does not answer uci: {' '.join(words)}")
    return " ".join(words)


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hasami", default="target/debug/hasami")
    parser.add_argument("--engine", default="target/debug/mock-engine", help="UCI engine: a file, or a name in PATH")
    parser.add_argument("--flags", help="arguments of the engine [default: --talks 20 for the mock engine]")
    parser.add_argument("--openings")
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--pause", type=float, default=1.0, help="mean time between two faults, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-namespaces", action="store_true")
    return parser.parse_args()


def main():
    global HEARD
    arguments = parsed()
    HEARD = hear_of_the_end()
    if not shutil.which("nats-server"):
        refuse("nats-server is not installed")
    arguments.hasami = program(arguments.hasami)
    arguments.engine = engine_command(arguments.engine, arguments.flags)
    print(f"seed {arguments.seed}, {arguments.games} games, {arguments.faults} faults, engine {arguments.engine}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        with Net(not arguments.no_namespaces) as net, Trial(arguments, net, folder) as trial:
            seconds, faults = trial.play()
        played, doubled = games(trial.journal)
        local = local_games(arguments, trial, folder)
        lost, torn = arguments.games - len(played), torn_pairs(played, arguments.games)
        others = [game for game in played if moves(played[game]) != moves(local[game])]
        for game in others:
            ends = [f"{len(moves(one[game])[0])} plies, {one[game]['record']['remark']}" for one in (played, local)]
            print(f"game {game + 1}: {ends[0]} on {played[game]['machine']['name']}, {ends[1]} on one machine")
        print(f"seed {arguments.seed}: {len(played)} games in {seconds:.0f} s, {faults} faults {trial.counts}: "
              f"{lost} lost, {doubled} doubled, {torn} torn pairs, {len(others)} other than on one machine")
        print("games by machine:", {f"pc{n}": sum(entry["machine"]["name"] == f"pc{n}" for entry in played.values()) for n in range(4)})
        sys.exit(bool(lost or doubled or torn or others))


if __name__ == "__main__":
    main()
