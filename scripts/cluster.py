"""Tests how the cluster withstands faults and measures its costs, for the pages of scripts/experiments.

    python3 scripts/cluster.py chaos --events 1000      a game in which machines are killed, added, suspended, and the server restarted
    python3 scripts/cluster.py beginnings --moves 12    isready and go in one write: how often no machine searches
    python3 scripts/cluster.py network --seconds 300    two network namespaces (root; nft, iptables or tc): 100 ms, 1 % loss, partitions
    python3 scripts/cluster.py latency --workers 64     time from go to the first report of all, bytes per worker and move
    python3 scripts/cluster.py stops --workers 2 --moves 500   time from stop to bestmove, compared with threads
    python3 scripts/cluster.py rogue --messages 1000000 malformed, huge and replayed messages of a worker node, and a stranger
    python3 scripts/cluster.py soak --workers 1000 --seconds 3600 --ms 20000   a game of an hour with worker nodes that only report:
                                                        processor time and memory of master and server, minute by minute

Needs nats-server and python-chess (`pip install chess`). The engine is target/release/hasami or --hasami.
"""

import argparse
import atexit
import os
import pathlib
import queue
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

import chess

from processes import end_when_told, free_port, memory, processor_time, program
import processes

PORT = int(os.environ.get("HASAMI_PORT") or free_port())


WIRE = pathlib.Path(__file__).resolve().parent.parent / "src/remote/cluster/wire.rs"
# The message version that wire.rs declares; programs ignore messages of other versions.
VERSION = int(re.search(r"^pub const VERSION: u8 = (\d+);", WIRE.read_text(), re.MULTILINE).group(1))


class Server(processes.Server):
    """The NATS server of this trial."""

    def __init__(self, host="127.0.0.1", more=()):
        super().__init__(PORT, host, more)


class Engine:
    """A UCI engine whose answers are timed and must be legal."""

    def __init__(self, hasami, url, threads=0, log=None):
        """`log`: level of the log on stderr (RUST_LOG), which the caller must then read."""
        self.process = subprocess.Popen(
            [hasami], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE if log else subprocess.DEVNULL,
            env={**os.environ, "RUST_LOG": log} if log else None, text=True, bufsize=1)
        self.notes = []
        self.tell("uci")
        self.wait("uciok")
        options = [("Threads", threads), ("Hash", 16)] + ([("Cluster", url)] if url else [])
        for name, value in options:
            self.tell(f"setoption name {name} value {value}")
        self.tell("isready")
        self.wait("readyok")

    def tell(self, line):
        self.process.stdin.write(line + "\n")

    def wait(self, start):
        for line in self.process.stdout:
            if line.startswith("info string"):
                self.notes.append(line.strip())
            if line.startswith(start):
                return line.split()
        raise SystemExit(f"the engine ended before it printed '{start}'")

    def move(self, board, ms):
        moves = " ".join(move.uci() for move in board.move_stack)
        self.tell("position startpos" + (f" moves {moves}" if moves else ""))
        begun = time.monotonic()
        self.tell(f"go movetime {ms}")
        words = self.wait("bestmove")
        return words[1], time.monotonic() - begun

    def quit(self):
        self.tell("quit")
        self.process.wait(10)


class Worker:
    def __init__(self, options, url, name, prefix=()):
        engine = ["--child", options.child, "--game", "chess"] if options.child else ["--threads", "1", "--hash", "4"]
        command = [*prefix, options.hasami, "worker", "--connect", url, "--name", name, *engine]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stopped = False
        atexit.register(self.kill)

    def kill(self):
        self.process.kill()
        # Waits for at most 10 s, because the lock inside `wait` stays held if a signal interrupted an earlier call.
        self.process.wait(10)

    def stop(self):
        self.process.send_signal(signal.SIGSTOP)
        self.stopped = True

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)
        self.stopped = False


class Games:
    """Plays moves one after another and counts what goes wrong."""

    def __init__(self, engine, ms):
        self.engine, self.ms = engine, ms
        self.board, self.seed = chess.Board(), random.Random(7)
        self.moves = self.illegal = self.late = 0
        self.times = []

    def step(self):
        if self.board.is_game_over(claim_draw=True) or self.board.ply() > 200:
            self.board = chess.Board()
            self.engine.tell("ucinewgame")
        text, took = self.engine.move(self.board, self.ms)
        self.moves += 1
        self.times.append(took)
        # A move may be late by 150 ms more than the 30 ms that the engine reserves, because the machine has other load.
        if took > self.ms / 1000 + 0.15:
            self.late += 1
            print(f"late: {took:.3f} s", file=sys.stderr)
        move = chess.Move.from_uci(text) if text != "(none)" else None
        if move not in self.board.legal_moves:
            self.illegal += 1
            print(f"illegal: {text} in {self.board.fen()}", file=sys.stderr)
            self.board = chess.Board()
            return
        self.board.push(move)
        if not self.board.is_game_over():
            self.board.push(self.seed.choice(list(self.board.legal_moves)))

    def report(self):
        times = sorted(self.times)
        print(f"{self.moves} moves of {self.ms} ms, {self.illegal} illegal, {self.late} late; "
              f"median {times[len(times) // 2]:.3f} s, longest {times[-1]:.3f} s")


def left_behind(hasami):
    found = subprocess.run(["pgrep", "-f", f"^{hasami}"], capture_output=True, text=True).stdout.split()
    return len(found)


def chaos(options):
    """Plays a game in which a machine has a fault at every move."""
    dice = random.Random(options.seed)
    print(f"seed {options.seed}")
    server = Server()
    url = f"nats://127.0.0.1:{PORT}"
    workers = [Worker(options, url, f"pc{n}") for n in range(3)]
    engine = Engine(options.hasami, url)
    games = Games(engine, options.ms)
    done = {"added": 0, "killed": 0, "stopped": 0, "server": 0}
    over = threading.Event()

    def trouble():
        for n in range(options.events):
            time.sleep(dice.expovariate(1 / options.pause))
            awake = [worker for worker in workers if not worker.stopped]
            what = dice.random()
            if what < 0.02:
                server.stop()
                time.sleep(dice.uniform(0, 2))
                server.go_on()
                done["server"] += 1
            elif what < 0.45 and len(workers) < 6 or not workers:
                workers.append(Worker(options, url, f"pc{n}"))
                done["added"] += 1
            elif what < 0.85 and workers:
                workers.pop(dice.randrange(len(workers))).kill()
                done["killed"] += 1
            elif awake:
                worker = dice.choice(awake)
                worker.stop()
                threading.Timer(dice.uniform(1, 5), worker.go_on).start()
                done["stopped"] += 1
        over.set()

    threading.Thread(target=trouble, daemon=True).start()
    while not over.is_set():
        games.step()
    print("events: " + ", ".join(f"{count} {name}" for name, count in done.items()))
    games.report()
    time.sleep(5.5)
    engine.quit()
    for worker in workers:
        worker.kill()
    server.stop()
    time.sleep(0.5)
    print(f"processes left: {left_behind(options.hasami)}")


def beginnings(options):
    """Simulates a GUI that waits for nothing: options, isready and go in a single write, to a new engine each time."""
    server = Server()
    url = f"nats://127.0.0.1:{PORT}"
    workers = [Worker(options, url, f"pc{n}") for n in range(2)]
    time.sleep(3)
    alone, firsts = 0, []
    for _ in range(options.moves):
        process = subprocess.Popen([options.hasami], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        words = ["uci", "setoption name Threads value 0", "setoption name Hash value 16", f"setoption name Cluster value {url}",
                 "isready", "position startpos", f"go movetime {options.ms}"]
        process.stdin.write("\n".join(words) + "\n")
        process.stdin.flush()
        begun = first = None
        for line in process.stdout:
            if line.startswith("readyok"):
                begun = time.monotonic()
            if "takes over" in line:
                alone += 1
                print(line.strip())
            if line.startswith("info depth") and first is None:
                first = time.monotonic() - begun
                firsts.append(first)
            if line.startswith("bestmove"):
                break
        process.stdin.write("quit\n")
        process.stdin.flush()
        process.wait(10)
    for worker in workers:
        worker.kill()
    server.stop()
    firsts.sort()
    print(f"{options.moves} beginnings, {alone} with a worker of the master; first report after "
          f"{firsts[len(firsts) // 2]:.3f} s at the median, {firsts[-1]:.3f} s at most")


def shell(line, check=True):
    """Runs a shell line. If `check`, a failure ends the script with a one-line message."""
    done = subprocess.run(line, shell=True, stderr=subprocess.PIPE, text=True)
    if check and done.returncode:
        raise SystemExit(f"cannot create networks (root and ip are required): {said_by(done)}")


def said_by(done):
    """The first line of a program's error message."""
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return lines[0] if lines else f"exit code {done.returncode}"


# Commands that drop one per cent of the packets that reach a machine; which of them work depends on the kernel.
LOSSES = {
    "nft": "ip netns exec hasami{n} nft 'add table inet t; add chain inet t c {{ type filter hook input priority 0; }}; "
           "add rule inet t c iifname eth0 numgen random mod 100 < 1 drop'",
    "iptables": "ip netns exec hasami{n} iptables -A INPUT -i eth0 -m statistic --mode random --probability 0.01 -j DROP",
    "tc": "tc qdisc add dev hasami-v{n} root netem loss 1%",
}


def lose(n):
    """Makes a machine lose packets, so that TCP must retransmit. Returns the method used."""
    refused = []
    for name, line in LOSSES.items():
        done = subprocess.run(line.format(n=n), shell=True, stderr=subprocess.PIPE, text=True)
        if not done.returncode:
            return name
        refused.append(f"{name}: {said_by(done)}")
    ways = "nft numgen, iptables statistic, tc netem"
    raise SystemExit(f"this kernel cannot drop packets ({ways}): {'; '.join(refused)}")


def network(options):
    """Two machines in network namespaces behind a bridge; the master and the server are in a third one."""
    dice = random.Random(options.seed)
    print(f"seed {options.seed}")
    cleanup = "ip netns del hasami0; ip netns del hasami1; ip link del hasami-br"
    shell(cleanup, check=False)
    # `atexit` runs the cleanup last, because it is registered before the processes that run inside the namespaces.
    atexit.register(shell, cleanup, check=False)
    shell("ip link add hasami-br type bridge && ip addr add 10.77.0.1/24 dev hasami-br && ip link set hasami-br up")
    relays = []
    for n in range(2):
        shell(f"ip netns add hasami{n} && ip link add hasami-v{n} type veth peer name eth0 netns hasami{n} && "
              f"ip link set hasami-v{n} master hasami-br up && ip -n hasami{n} addr add 10.77.0.1{n}/24 dev eth0 && "
              f"ip -n hasami{n} link set eth0 up && ip -n hasami{n} link set lo up")
        print(f"machine {n}: 1 % of the received packets are lost, by {lose(n)}", flush=True)
        # On each machine, a second process of this script is a relay on the same port that delays both directions.
        relays.append(subprocess.Popen(["ip", "netns", "exec", f"hasami{n}", sys.executable, __file__, "relay"],
                                       env={**os.environ, "HASAMI_PORT": str(PORT)}))
        atexit.register(relays[-1].kill)
    server = Server("10.77.0.1", ["--user", "me", "--pass", "secret"])
    url = f"nats://me:secret@10.77.0.1:{PORT}"
    here = f"nats://me:secret@127.0.0.1:{PORT}"
    workers = [Worker(options, here, f"ns{n}", ["ip", "netns", "exec", f"hasami{n}"]) for n in range(2)]
    time.sleep(3)
    engine = Engine(options.hasami, url)
    games = Games(engine, options.ms)
    cuts, over = [0, 0.0], threading.Event()

    def trouble():
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            time.sleep(dice.uniform(2, 8))
            which = dice.choice([[0], [1], [0, 1]])
            length = dice.uniform(1, 30)
            for n in which:
                shell(f"ip link set hasami-v{n} down")
            time.sleep(length)
            for n in which:
                shell(f"ip link set hasami-v{n} up")
            cuts[0] += 1
            cuts[1] += length
        over.set()

    threading.Thread(target=trouble, daemon=True).start()
    while not over.is_set():
        games.step()
    print(f"{cuts[0]} partitions, {cuts[1]:.0f} s of them")
    games.report()
    joined = sum("is lost" in note for note in engine.notes)
    reserves = sum("in-process worker takes over" in note for note in engine.notes)
    print(f"machines lost {joined} times; a worker of the master took over {reserves} times")
    time.sleep(6)
    back = subprocess.run([options.hasami, "workers", "--connect", url], capture_output=True, text=True).stdout
    print(back, end="")
    engine.quit()
    for worker in workers:
        worker.kill()
    for relay_process in relays:
        relay_process.kill()
    server.stop()
    shell(cleanup)
    time.sleep(0.5)
    print(f"processes left: {left_behind(options.hasami)}")


def relay(options):
    """Forwards connections to the server with a delay of 50 ms in each direction."""
    def carry(source, target):
        late = queue.Queue()

        def deliver():
            while True:
                at, data = late.get()
                time.sleep(max(0.0, at - time.monotonic()))
                try:
                    if not data:
                        target.shutdown(socket.SHUT_RDWR)
                        return
                    target.sendall(data)
                except OSError:
                    return

        threading.Thread(target=deliver, daemon=True).start()
        while True:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            late.put((time.monotonic() + 0.05, data))
            if not data:
                return

    def serve(client):
        try:
            server = socket.create_connection(("10.77.0.1", PORT), 10)
            server.settimeout(None)
        except OSError:
            client.close()
            return
        for pair in ((client, server), (server, client)):
            threading.Thread(target=carry, args=pair, daemon=True).start()

    listener = socket.create_server(("127.0.0.1", PORT))
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


class Log:
    """A master's log of its workers' tasks (`RUST_LOG=hasami::driver=trace`), with the time when each line was read."""

    def __init__(self, lines):
        self.heard = []
        threading.Thread(target=self.read, args=(lines,), daemon=True).start()

    def read(self, lines):
        for line in lines:
            now = time.monotonic()
            if found := re.search(r"\] (worker \d+): task (\d+) (begins|reports)$", line):
                self.heard.append((now, *found.groups()))

    def take(self):
        """The time when each task began, and the task and time of each worker's first report."""
        began, first = {}, {}
        for at, worker, task, what in self.heard:
            if what == "begins":
                began[task] = at
            else:
                first.setdefault(worker, (at, task))
        self.heard.clear()
        return began, first


def latency(options):
    """Measures the time from go to the first report of every worker, both as logged by the master, and the bytes of all
    messages on the server."""
    server = Server()
    url = f"nats://127.0.0.1:{PORT}"
    workers = [Worker(options, url, f"pc{n}") for n in range(options.workers)]
    time.sleep(2 + options.workers / 16)
    engine = Engine(options.hasami, url, log="warn,hasami::driver=trace")
    log = Log(engine.process.stderr)
    time.sleep(2)
    tap = Client()
    tap.follow("hasami.>")
    board, firsts, amounts, delays = chess.Board(), [], [], []
    for _ in range(options.moves):
        log.take()
        size, begun = tap.size, time.monotonic()
        text, _ = engine.move(board, options.ms)
        time.sleep(0.2)
        size = (tap.size - size) / options.workers
        began, first = log.take()
        # A task that began while the opponent was thinking is not in `began`, so its delay counts from `go`.
        delays += [at - began.get(task, begun) for at, task in first.values()]
        after = [at - begun for at, _ in first.values()]
        firsts.append(max(after) if len(after) >= options.workers else float("inf"))
        amounts.append(size)
        print(f"{len(after)} workers, the last after {1e3 * max(after, default=0):.1f} ms, {size:.0f} bytes per worker", flush=True)
        board.push_uci(text)
        board.push(next(iter(board.legal_moves)))
    if not delays:
        raise SystemExit("latency: the master's log contains no reports")
    firsts.sort()
    print(f"first report of all {options.workers}: median {1e3 * statistics.median(firsts):.1f} ms, "
          f"longest of {len(firsts)}: {1e3 * firsts[-1]:.1f} ms; "
          f"median {statistics.median(amounts):.0f} bytes a worker and move of {options.ms} ms")
    delays.sort()
    print(f"from the order to a worker to its first report: median {1e3 * statistics.median(delays):.1f} ms, "
          f"99 % {1e3 * delays[int(0.99 * len(delays))]:.1f} ms of {len(delays)}")
    engine.quit()
    for worker in workers:
        worker.kill()
    server.stop()


def stops(options):
    """Measures the time from stop to bestmove, alternately with workers over the server and with as many threads."""
    server = Server()
    url = f"nats://127.0.0.1:{PORT}"
    workers = [Worker(options, url, f"pc{n}") for n in range(options.workers)]
    time.sleep(2 + options.workers / 16)
    engines = {"server": Engine(options.hasami, url), "threads": Engine(options.hasami, None, options.workers)}
    times = {name: [] for name in engines}
    dice = random.Random(options.seed)
    positions = ["startpos", "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                 "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]
    for turn in range(options.moves):
        think = dice.uniform(0.1, 0.3)
        for name, engine in engines.items():
            engine.tell(f"position {positions[turn % len(positions)]}")
            engine.tell("isready")
            engine.wait("readyok")
            engine.tell("go infinite")
            time.sleep(think)
            begun = time.monotonic()
            engine.tell("stop")
            engine.wait("bestmove")
            times[name].append(1e3 * (time.monotonic() - begun))
    for name, engine in engines.items():
        found = sorted(times[name])
        print(f"{name}: stop to bestmove median {statistics.median(found):.2f} ms, "
              f"99 % {found[min(len(found) - 1, int(0.99 * len(found)))]:.2f} ms, worst {found[-1]:.2f} ms of {len(found)}")
        engine.quit()
    for worker in workers:
        worker.kill()
    server.stop()


# Server configurations with the permissions of each role, and with those of a lab's machines and people, as in the
# guide. Each user's password is the first letter of the user's name.
RIGHTS = pathlib.Path(__file__).parent / "packaging/nats/roles.conf"
LAB = pathlib.Path(__file__).parent / "packaging/nats/lab-inside.conf"
USERS = ["master", "worker", "onlooker", "pc1", "pc2", "anna"]
PASSWORDS = {f"HASAMI_{user.upper()}_PASSWORD": user[0] for user in USERS} | {"HASAMI_LEAF_URL": "nats://127.0.0.1:1"}


class Client:
    """A client of the server's own protocol, which receives what it is allowed to."""

    def __init__(self, user=None):
        self.socket = socket.create_connection(("127.0.0.1", PORT))
        self.lines = self.socket.makefile("rb")
        self.lines.readline()
        known = f',"user":"{user}","pass":"{user[0]}"' if user else ""
        self.socket.sendall(b'CONNECT {"verbose":false%s}\r\nPING\r\n' % known.encode())
        self.answer = self.lines.readline().decode().strip()
        # `heard` keeps at most 5,000 messages; `count` and `size` include all messages.
        self.heard, self.count, self.size, self.errors = [], 0, 0, 0
        self.pong = threading.Event()

    def follow(self, *subjects):
        self.socket.sendall(b"".join(b"SUB %s %d\r\n" % (name.encode(), n + 1) for n, name in enumerate(subjects)))
        threading.Thread(target=self.read, daemon=True).start()

    def ping(self, seconds):
        """Whether the server answers within this time, after which it has read everything sent to it before.
        Call `follow` first."""
        self.pong.clear()
        self.socket.sendall(b"PING\r\n")
        return self.pong.wait(seconds)

    def line(self):
        try:
            return self.lines.readline()
        except OSError:
            return b""

    def read(self):
        for line in iter(self.line, b""):
            if line.startswith(b"MSG"):
                words = line.split()
                data = self.lines.read(int(words[-1]) + 2)[:-2]
                self.count += 1
                self.size += len(data)
                # Once 5,000 messages are kept, a new message replaces a random one.
                if len(self.heard) < 5000:
                    self.heard.append((words[1].decode(), data))
                else:
                    self.heard[random.randrange(5000)] = (words[1].decode(), data)
            elif line.startswith(b"-ERR"):
                self.errors += 1
            elif line == b"PING\r\n":
                self.socket.sendall(b"PONG\r\n")
            elif line == b"PONG\r\n":
                self.pong.set()

    def publish(self, parcels):
        self.socket.sendall(b"".join(b"PUB %s %d\r\n%s\r\n" % (to.encode(), len(data), data) for to, data in parcels))


def rogue(options):
    """While a game is played, a client without credentials tries to connect, and a client with the credentials of
    another machine sends garbage, huge messages, and every message that it receives, including beats of masters, to
    everybody."""
    dice = random.Random(options.seed)
    print(f"seed {options.seed}")
    os.environ.update(PASSWORDS)
    server = Server(more=["-c", str(LAB)])
    print(f"a stranger without credentials: {Client().answer}")
    machines, masters = f"nats://pc1:p@127.0.0.1:{PORT}", f"nats://anna:a@127.0.0.1:{PORT}"
    workers = [Worker(options, machines, f"pc{n}") for n in range(2)]
    engine = Engine(options.hasami, masters)
    games = Games(engine, options.ms)
    games.step()
    allowed = [f"hasami.2.*.*.{end}" for end in ("to.pc2.*", "beat", "news.>", "roll")]
    client = Client("pc2")
    client.follow(*allowed)
    games.step()
    # The client may write to every member that sent it a message: masters, and machines in the same search groups.
    members = {".".join(to.split(".")[2:4]) for to, _ in client.heard}
    if not any(to.endswith(".beat") for to, _ in client.heard):
        raise SystemExit("no master has sent a beat")
    me = f"hasami.2.pc2.{dice.randrange(1 << 64):016x}"
    inboxes = [f"{me}.to.{member}" for member in members] + [f"{me}.news.{member}.1" for member in members]
    heard, refused, cut_off = client.heard, [0], [0]
    sent, over = [0], threading.Event()

    def nonsense(client):
        while sent[0] < options.messages:
            batch = []
            for _ in range(500):
                to, data = dice.choice(heard)
                # Sends the message under the client's own name or, rarely, to the subject on which it was received,
                # where only its sender may publish.
                to = to if dice.random() < 0.02 else dice.choice(inboxes)
                what = dice.random()
                if what < 0.2:
                    data = data[:dice.randrange(len(data) + 1)]
                elif what < 0.4:
                    data = bytes([VERSION]) + dice.randbytes(dice.randrange(200))
                elif what < 0.41:
                    data = data + bytes(100_000)
                elif what < 0.6 and data:
                    at = dice.randrange(len(data))
                    data = data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1:]
                elif what < 0.7:
                    # Builds a message of the current version with random content.
                    data = bytes([VERSION, dice.randrange(128), dice.randrange(6)]) + dice.randbytes(8)
                batch.append((to, data))
            try:
                client.publish(batch)
                sent[0] += len(batch)
            except OSError:
                # `OSError` means that the server has closed the connection.
                refused[0] += client.errors
                cut_off[0] += 1
                client = Client("pc2")
                client.follow(*allowed)
                client.heard = heard
        # When the ping is answered, the server has processed all messages, including those that it rejected.
        client.ping(60)
        refused[0] += client.errors
        over.set()

    pids = {"master": engine.process.pid, "pc0": workers[0].process.pid, "pc1": workers[1].process.pid}
    peak = {name: memory(pid) for name, pid in pids.items()}
    print("memory before: " + ", ".join(f"{name} {mb} MiB" for name, mb in peak.items()))
    begun, told = time.monotonic(), 0
    threading.Thread(target=nonsense, args=(client,), daemon=True).start()
    while not over.is_set():
        games.step()
        now = {name: memory(pid) for name, pid in pids.items()}
        peak = {name: max(peak[name], mb) for name, mb in now.items()}
        if sent[0] >= told + options.messages // 10:
            told = sent[0]
            print(f"{sent[0]} messages: " + ", ".join(f"{name} {mb} MiB" for name, mb in now.items()), flush=True)
    took = time.monotonic() - begun
    for _ in range(5):
        games.step()
    print(f"{sent[0]} messages in {took:.0f} s, {refused[0]} refused by the server, "
          f"which closed the connection of the rogue {cut_off[0]} times")
    print("memory, most and at the end: " + ", ".join(f"{name} {peak[name]} and {memory(pid)} MiB" for name, pid in pids.items()))
    games.report()
    lost = [note for note in engine.notes if "lost" in note or "takes over" in note]
    print(f"the master reported {len(lost)} losses: {lost[:3]}")
    engine.quit()
    for worker in workers:
        worker.kill()
    server.stop()


def soak(options):
    """Needs the example `cluster_load` next to the engine."""
    crowd_program = program(os.path.join(os.path.dirname(options.hasami), "examples", "cluster_load"))
    server = Server()
    url = f"nats://127.0.0.1:{PORT}"
    crowd = subprocess.Popen([crowd_program, "--connect", url, "--workers", str(options.workers), "--reports", "10",
                              "--seconds", str(int(options.seconds) + 60)])
    atexit.register(crowd.kill)
    time.sleep(2)
    engine = Engine(options.hasami, url)
    games = Games(engine, options.ms)
    over = threading.Event()

    def play():
        while not over.is_set():
            games.step()

    player = threading.Thread(target=play)
    player.start()
    pids = {"master": engine.process.pid, "server": server.process.pid}
    begun = minute = time.monotonic()
    before = {name: processor_time(pid) for name, pid in pids.items()}
    while time.monotonic() - begun < options.seconds:
        time.sleep(min(60, begun + options.seconds - minute))
        now = time.monotonic()
        words = []
        for name, pid in pids.items():
            used = processor_time(pid)
            words.append(f"{name} {100 * (used - before[name]) / (now - minute):.1f} % of a core, {memory(pid)} MiB")
            before[name] = used
        minute = now
        print(f"{now - begun:.0f} s: " + "; ".join(words), flush=True)
    over.set()
    player.join()
    games.report()
    engine.quit()
    crowd.kill()
    server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["chaos", "beginnings", "network", "latency", "stops", "rogue", "relay", "soak"])
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--child", help="engine of the workers, such as one that needs no processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ms", type=int, default=1000)
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--pause", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--messages", type=int, default=1_000_000)
    options = parser.parse_args()
    if not shutil.which("nats-server"):
        raise SystemExit("nats-server is not installed")
    end_when_told()
    options.hasami = options.hasami if options.what == "relay" else program(options.hasami)
    globals()[options.what](options)


if __name__ == "__main__":
    main()
