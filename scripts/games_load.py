#!/usr/bin/env python3
"""Measures what a match on a thousand machines costs the caller. The machines are simulated and play no games.

Starts nats-server and `hasami match --machines`, and plays the role of all machines with the messages described in
docs/design/games.md: each announces itself every two seconds, takes tasks for its free slots, reports that it is
working, sends the answer, and acknowledges the task when the stream has stored it. The games are copies of a few real
games, because the caller does not count results that contradict the rules. Reports the caller's CPU time and memory.

    scripts/games_load.py --hasami target/release/hasami --machines 1000 --slots 16 --games 40000 --seconds 80
"""

import argparse, heapq, itertools, json, os, random, selectors, socket, subprocess, sys, tempfile, time

from processes import Server, end_when_told, free_port, memory, processor_time, program

PORT = free_port()
PERIOD = 2.0


class Nats:
    """One connection. Output is buffered and written when the socket accepts it."""

    def __init__(self, port, hear):
        self.hear, self.out, self.into = hear, bytearray(), bytearray()
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setblocking(False)
        self.send(b'CONNECT {"verbose":false,"user":"load","pass":"secret","headers":true,"no_responders":true}\r\n')

    def send(self, data):
        self.out += data

    def publish(self, subject, payload=b"", reply=""):
        head = f"PUB {subject} {reply + ' ' if reply else ''}{len(payload)}\r\n"
        self.send(head.encode() + payload + b"\r\n")

    def subscribe(self, subject, name):
        self.send(f"SUB {subject} {name}\r\n".encode())

    def pump(self, wait):
        """Writes and reads for at most this time."""
        with selectors.DefaultSelector() as selector:
            selector.register(self.socket, selectors.EVENT_READ | (selectors.EVENT_WRITE if self.out else 0))
            events = selector.select(wait)
        for _, mask in events:
            if mask & selectors.EVENT_WRITE:
                del self.out[:self.socket.send(self.out[:1 << 20])]
            if mask & selectors.EVENT_READ:
                data = self.socket.recv(1 << 20)
                if not data:
                    sys.exit("games_load: the server has closed the connection")
                self.into += data
                self.take()

    def take(self):
        at = 0
        while (end := self.into.find(b"\r\n", at)) >= 0:
            words = self.into[at:end].decode().split(" ")
            if words[0] in ("MSG", "HMSG"):
                size = int(words[-1])
                if len(self.into) < end + 4 + size:
                    break
                head = int(words[-2]) if words[0] == "HMSG" else 0
                reply = words[3] if len(words) == (5 if head == 0 else 6) else ""
                self.hear(words[2], words[1], reply, bytes(self.into[end + 2 + head:end + 2 + size]))
                at = end + 4 + size
                continue
            if words[0] == "PING":
                self.send(b"PONG\r\n")
            elif words[0] == "-ERR":
                sys.exit("games_load: " + " ".join(words))
            at = end + 2
        del self.into[:at]


class SimulatedMachines:
    def __init__(self, arguments, records):
        self.arguments, self.records = arguments, records
        self.random = random.Random(arguments.seed)
        self.net = Nats(PORT, self.hear)
        self.match = None
        self.events, self.order = [], itertools.count()
        self.free = [arguments.slots] * arguments.machines
        self.tasks = [set() for _ in range(arguments.machines)]
        self.waiting, self.answers = {}, itertools.count()
        self.sent = self.bytes = 0
        self.net.subscribe("_INBOX.names", "names")
        self.net.subscribe("_INBOX.ack.*", "ack")
        for machine in range(arguments.machines):
            self.net.subscribe(f"_INBOX.task.{machine}", machine)
            self.at(time.monotonic() + self.random.uniform(0, PERIOD), self.tick, machine)

    def at(self, when, what, *words):
        heapq.heappush(self.events, (when, next(self.order), what, words))

    def tick(self, machine):
        """Every two seconds: announces the machine and its work, and asks for tasks for its free slots."""
        a = self.arguments
        news = {"id": machine + 1, "name": f"pc{machine}", "processor": "none", "version": "0.1.0", "speed": 1000000,
                "engines": ["a", "b"], "fetches": False, "games": a.slots, "busy": a.slots - self.free[machine],
                "objections": {}, "seconds": 0, "finished": 0, "running": []}
        self.net.publish("hasami.1.lenders", json.dumps(news).encode())
        for task in self.tasks[machine]:
            self.net.publish(task, b"+WPI")
        if self.match is None:
            self.net.publish("$JS.API.CONSUMER.NAMES.hasami-1-tasks", b"", "_INBOX.names")
        self.pull(machine)
        self.at(time.monotonic() + PERIOD, self.tick, machine)

    def pull(self, machine):
        if self.match and self.free[machine]:
            wanted = json.dumps({"batch": self.free[machine], "no_wait": True}).encode()
            self.net.publish(f"$JS.API.CONSUMER.MSG.NEXT.hasami-1-tasks.{self.match}", wanted, f"_INBOX.task.{machine}")

    def hear(self, name, subject, reply, body):
        if name == "names":
            found = json.loads(body).get("consumers") or []
            self.match = found[0] if found else None
        elif name == "ack":
            machine, task = self.waiting.pop(subject.rsplit(".", 1)[1])
            if b'"seq"' not in body:
                sys.exit(f"games_load: an answer was refused: {body.decode()}")
            self.net.publish(task, b"+ACK")
            self.tasks[machine].discard(task)
            self.free[machine] += 1
            self.at(time.monotonic(), self.pull, machine)
        elif reply:
            # Only a message with a task has a reply subject; a message without one says that there is no task.
            machine = int(name)
            self.free[machine] -= 1
            self.tasks[machine].add(reply)
            seconds = self.arguments.seconds * self.random.uniform(0.7, 1.3)
            key = json.loads(body)["Games"]["games"]
            self.at(time.monotonic() + seconds, self.answer, machine, reply, key)

    def answer(self, machine, task, games):
        stored = []
        for order in games:
            record = dict(self.random.choice(self.records))
            record["players"] = [["A", "B"][engine] for engine in order["engines"]]
            stored.append([order["game"], record])
        stamp = {"name": f"pc{machine}", "processor": "none", "version": "0.1.0", "speed": 1000000, "scale": 1.0, "engines": ["A", "B"]}
        played = {"games": stored, "faults": [], "notes": [], "settings": [], "declared": []}
        payload = json.dumps({"machine": stamp, "content": {"Games": played}}).encode()
        name = str(next(self.answers))
        self.waiting[name] = (machine, task)
        self.net.publish(f"hasami.1.answers.{self.match}.{games[0]['group']}", payload, f"_INBOX.ack.{name}")
        self.sent += 1
        self.bytes += len(payload)

    def run(self, caller):
        begun = told = time.monotonic()
        before, most, last = processor_time(caller.pid), 0, (begun, processor_time(caller.pid), 0)
        while caller.poll() is None:
            now = time.monotonic()
            while self.events and self.events[0][0] <= now:
                _, _, what, words = heapq.heappop(self.events)
                what(*words)
            wait = max(0.0, self.events[0][0] - time.monotonic()) if self.events else PERIOD
            self.net.pump(min(wait, 0.05))
            if now - told >= 10:
                told = now
                most = max(most, memory(caller.pid, "VmHWM"))
                used = processor_time(caller.pid)
                pairs = (self.sent - last[2]) / (now - last[0])
                print(f"{now - begun:.0f} s: {self.sent} pairs, {pairs:.0f} per second, {sum(map(len, self.tasks))} under way, caller "
                      f"{100 * (used - last[1]) / (now - last[0]):.0f} % of a core, {most} MiB", flush=True)
                last = (now, used, self.sent)
                before = used
        return time.monotonic() - begun, before, most


def real_games(hasami, engine, folder):
    words = [hasami, "match", "--engine", f"name=A cmd=\"{engine}\"", "--engine", f"name=B cmd=\"{engine}\"", "--each", "nodes=1000", "--openings", "book.epd"]
    path = os.path.join(folder, "real.jsonl")
    subprocess.run(words + ["--games", "4", "--quiet", "--journal", path], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    lines = map(json.loads, open(path).readlines()[1:])
    return [line["record"] for line in lines if "record" in line]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hasami", default="target/debug/hasami")
    parser.add_argument("--engine", help="engine that plays the real games [default: hasami]")
    parser.add_argument("--machines", type=int, default=1000)
    parser.add_argument("--slots", type=int, default=16)
    parser.add_argument("--games", type=int, default=40000)
    parser.add_argument("--seconds", type=float, default=80, help="mean time of a pair, in seconds")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.hasami = program(arguments.hasami)
    end_when_told()
    with tempfile.TemporaryDirectory() as folder:
        # All games begin with the same opening, so that a copy of any game can serve as any other game of the match.
        with open(os.path.join(folder, "book.epd"), "w") as book:
            book.write("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
        records = real_games(arguments.hasami, arguments.engine or arguments.hasami, folder)
        server = Server(PORT, more=["-js", "-sd", os.path.join(folder, "js"), "--user", "load", "--pass", "secret"])
        words = [arguments.hasami, "match", "--engine", "name=A cmd=a", "--engine", "name=B cmd=b", "--each", "tc=10+0.1", "--openings", "book.epd",
                 "--games", str(arguments.games), "--quiet", "--ratinginterval", "1000", "--sprt", "elo0=-0.5", "elo1=0.5", "alpha=1e-9", "beta=1e-9",
                 "--journal", "match.jsonl", "--machines", f"nats://load:secret@127.0.0.1:{PORT}"]
        log = open(os.path.join(folder, "caller.log"), "w")
        caller = subprocess.Popen(words, cwd=folder, stdout=log, stderr=log)
        try:
            simulated = SimulatedMachines(arguments, records)
            seconds, used, most = simulated.run(caller)
        finally:
            caller.kill()
            caller.wait()
            server.stop()
        games = open(os.path.join(folder, "match.jsonl"), "rb").read().count(b'\n{"game":')
        size = simulated.bytes / max(simulated.sent, 1) / 1024
        print(f"{arguments.machines} machines, {arguments.slots} games each: {games} games in {seconds:.0f} s ({simulated.sent} answers of {size:.0f} KiB), "
              f"caller {used:.1f} s of CPU, {100 * used / seconds:.0f} % of a core, at most {most} MiB")
        if games != arguments.games:
            print(open(os.path.join(folder, "caller.log")).read()[-2000:])
            sys.exit(1)


main()
