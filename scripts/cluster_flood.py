"""Tests the limits of a cluster: while a game with a second per move is played, a client with a master's permissions
sends correct beats of itself and of many invented masters, and another client asks without pause which members exist.

    python3 scripts/cluster_flood.py --beats 164500 --questions 480000

Counts the late moves, and the losses of the honest master. Needs nats-server and python-chess (`pip install chess`).
"""

import argparse
import atexit
import os
import subprocess
import sys
import threading
import time

import cluster
from cluster import VERSION

# Seconds to wait for the answer to the ping after the last beat or question.
PING_LIMIT = 60


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


class Rogue:
    """A master (src/remote/cluster/wire.rs)."""

    def __init__(self):
        self.subject = f"hasami.2.master.{os.urandom(8).hex()}.beat"
        self.serial = 0

    def beat(self):
        self.serial += 1
        text = lambda words: varint(len(words)) + words
        return self.subject, b"".join([bytes([VERSION]), varint(self.serial), text(b"chess"), text(b"rogue"),
                                       varint(65_535), varint(0), varint(0), b"\0", b"\0"])


class Flood:
    """Sends a number of beats and questions, each kind by a separate client and thread."""

    def __init__(self, beats, questions):
        self.wanted = {"beats": beats, "questions": questions}
        self.sent = {"beats": 0, "questions": 0}
        # Messages that the server has forwarded: those sent before a ping that it has answered.
        self.passed_on = dict(self.sent)
        self.asker = cluster.Client("onlooker")
        self.asker.follow("hasami.2.*.*.to.onlooker.*")
        self.threads = [threading.Thread(target=one, daemon=True) for one in (self.send_beats, self.ask)]

    def send_beats(self):
        client, own = cluster.Client("master"), Rogue()
        client.follow("hasami.2.*.*.to.master.0000000000000000")
        while self.sent["beats"] < self.wanted["beats"]:
            count = min(100, self.wanted["beats"] - self.sent["beats"])
            client.publish([(own if n % 2 else Rogue()).beat() for n in range(count)])
            self.sent["beats"] += count
        self.end("beats", client)

    def ask(self):
        ask = bytes([VERSION])
        line = b"PUB hasami.2.onlooker.00000000000000aa.roll %d\r\n%s\r\n" % (len(ask), ask)
        while self.sent["questions"] < self.wanted["questions"]:
            count = min(1_000, self.wanted["questions"] - self.sent["questions"])
            self.asker.socket.sendall(line * count)
            self.sent["questions"] += count
        self.end("questions", self.asker)

    def end(self, kind, client):
        if client.ping(PING_LIMIT):
            self.passed_on[kind] = self.sent[kind]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--beats", type=int, default=164_500)
    parser.add_argument("--questions", type=int, default=480_000)
    parser.add_argument("--ms", type=int, default=1000)
    options = parser.parse_args()
    options.hasami, options.child = cluster.program(options.hasami), None
    cluster.end_when_told()
    os.environ.update(cluster.PASSWORDS)
    server = cluster.Server(more=["-c", str(cluster.RIGHTS)])
    at = f"127.0.0.1:{cluster.PORT}"
    command = [options.hasami, "worker", "--connect", f"nats://worker:w@{at}", "--name", "pc", "--threads", "2", "--hash", "8"]
    worker = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    atexit.register(worker.kill)
    time.sleep(2)
    engine = cluster.Engine(options.hasami, f"nats://master:m@{at}")
    games = cluster.Games(engine, options.ms)
    games.step()
    flood, begun = Flood(options.beats, options.questions), time.monotonic()
    for thread in flood.threads:
        thread.start()
    while any(thread.is_alive() for thread in flood.threads):
        games.step()
    took = time.monotonic() - begun
    for _ in range(5):
        games.step()
    # The threads end once the server has forwarded all messages, so this loop has played during the whole flood.
    print(f"{flood.passed_on['beats']} beats, {flood.passed_on['questions']} questions, forwarded by the server in {took:.0f} s; "
          f"answers to the questions: {flood.asker.count}")
    games.report()
    late = sum(took > options.ms / 1000 + 0.05 for took in games.times)
    lost = [note for note in engine.notes if "lost" in note or "takes over" in note]
    print(f"{late} later than {options.ms + 50} ms; the master reported {len(lost)} losses: {lost[:3]}")
    engine.quit()
    worker.kill()
    server.stop()
    if flood.passed_on != flood.sent:
        sys.exit(f"cluster_flood.py: the server forwarded only {flood.passed_on} of {flood.sent} within {PING_LIMIT} s")
    sys.exit(bool(games.illegal))


if __name__ == "__main__":
    main()
