"""What the quotas of a cluster are for: somebody with the rights of a master sends beats, well signed, of himself and of a crowd of
masters that he draws, and somebody who may ask who is there asks without a pause, while a game of a second a move is played.

    python3 scripts/cluster_flood.py --beats 164500 --questions 480000

Counts the moves that are late, and what the honest master lost. Needs nats-server, python-chess and `cryptography`
(`pip install chess cryptography`).
"""

import argparse
import hashlib
import os
import subprocess
import threading
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import cluster

VERSION = 5


def varint(value):
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


class Rogue:
    """A master with a key of its own (src/workers/cluster/seals.rs, wire.rs)."""

    def __init__(self):
        self.key = Ed25519PrivateKey.generate()
        self.public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.number = hashlib.sha256(b"hasami cluster number" + self.public).digest()[:8]
        self.serial = 0

    def beat(self):
        self.serial += 1
        text = lambda words: varint(len(words)) + words
        beat = b"".join([self.number, varint(1), varint(self.serial), text(b"chess"), text(b"rogue"), varint(65_535), varint(0),
                         varint(0), b"\0", varint(1_500), b"\0"])
        version = bytes([VERSION])
        return version + self.public + self.key.sign(b"hasami cluster beat" + version + beat) + beat


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--beats", type=int, default=164_500)
    parser.add_argument("--questions", type=int, default=480_000)
    parser.add_argument("--ms", type=int, default=1000)
    options = parser.parse_args()
    options.hasami, options.child = os.path.abspath(options.hasami), None
    os.environ.update(cluster.PASSWORDS)
    server = cluster.Server(more=["-c", str(cluster.RIGHTS)])
    at = f"127.0.0.1:{cluster.PORT}"
    # Another process reads what a machine serves of itself: how much of the flood it refused, and why.
    page = cluster.free_port()
    command = [options.hasami, "worker", "--connect", f"nats://station:s@{at}", "--name", "pc", "--threads", "2", "--hash", "8",
               "--metrics", f"127.0.0.1:{page}"]
    worker = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    engine = cluster.Engine(options.hasami, f"nats://master:m@{at}")
    games = cluster.Games(engine, options.ms)
    games.step()
    sent = {"beats": 0, "questions": 0}

    def beats():
        client, own = cluster.Client("master"), Rogue()
        client.follow("hasami.1.reply.0")
        while sent["beats"] < options.beats:
            batch = [(own if n % 2 else Rogue()).beat() for n in range(100)]
            client.publish([("hasami.1.masters", beat) for beat in batch])
            sent["beats"] += len(batch)

    def questions():
        client, ask = cluster.Client("onlooker"), bytes([VERSION])
        client.follow("hasami.1.reply.*")
        line = b"PUB hasami.1.roll hasami.1.reply.00000000000000aa %d\r\n%s\r\n" % (len(ask), ask)
        while sent["questions"] < options.questions:
            client.socket.sendall(line * 1_000)
            sent["questions"] += 1_000
        print(f"answers to the questions: {len(client.heard)} (at most 5,000 are counted)")

    floods = [threading.Thread(target=flood, daemon=True) for flood in (beats, questions)]
    begun = time.monotonic()
    for flood in floods:
        flood.start()
    while any(flood.is_alive() for flood in floods):
        games.step()
    print(f"{sent['beats']} beats, {sent['questions']} questions in {time.monotonic() - begun:.0f} s")
    for _ in range(5):
        games.step()
    games.report()
    late = sum(took > options.ms / 1000 + 0.05 for took in games.times)
    lost = [note for note in engine.notes if "lost" in note or "takes over" in note]
    print(f"{late} later than {options.ms + 50} ms; the master told of {len(lost)} losses: {lost[:3]}")
    figures = subprocess.run(["curl", "-s", f"http://127.0.0.1:{page}/metrics"], capture_output=True, text=True).stdout
    print("\n".join(line for line in figures.splitlines() if line.startswith("hasami_worker_refused")))
    engine.quit()
    worker.kill()
    server.stop()


if __name__ == "__main__":
    main()
