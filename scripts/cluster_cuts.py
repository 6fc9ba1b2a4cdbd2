"""Cuts machines of a cluster off and reconnects them while several masters play with a second per move; counts late
moves.

    setsid bash -c 'echo -10 > /proc/self/autogroup; python3 scripts/cluster_cuts.py --cuts 100'

Each machine is a network namespace (needs root and ip) with a worker node that lends a slot to each master. Nodes that
search are in a separate scheduling group, which yields to all others. One machine or all of them are repeatedly cut off
for 1.7 to 4 s. A clock that sleeps for the time of a move measures the delays that the host itself causes, and each
late move is reported with the time for which a thread of its master waited for a processor. The number of losses is
that of the masters' metrics (`/metrics`). With --crowd, the workers are those of the example `cluster_load`, which only
send reports and leave the processors to the masters. Needs nats-server and python-chess (`pip install chess`).
"""

import argparse
import atexit
import contextlib
import os
import random
import subprocess
import threading
import time
import urllib.request

import cluster

BRIDGE, NET = "hasami-cuts", "10.91.0"


class Machines:
    """Network namespaces behind a bridge, which are removed at the end."""

    def __init__(self, count):
        self.count = count
        self.clear()
        atexit.register(self.clear)
        cluster.shell(f"ip link add {BRIDGE} type bridge && ip addr add {NET}.1/24 dev {BRIDGE} && ip link set {BRIDGE} up")
        for n in range(count):
            cluster.shell(f"ip netns add {BRIDGE}{n} && ip link add hasami-c{n} type veth peer name eth0 netns {BRIDGE}{n} && "
                          f"ip link set hasami-c{n} master {BRIDGE} up && ip -n {BRIDGE}{n} addr add {NET}.1{n}/24 dev eth0 && "
                          f"ip -n {BRIDGE}{n} link set eth0 up && ip -n {BRIDGE}{n} link set lo up")

    def clear(self):
        for n in range(self.count):
            cluster.shell(f"ip link del hasami-c{n}; ip netns del {BRIDGE}{n}", check=False)
        cluster.shell(f"ip link del {BRIDGE}", check=False)

    def link(self, n, state):
        cluster.shell(f"ip link set hasami-c{n} {state}")


def waited(pid):
    """For each thread, the time for which it was ready to run but had no processor, in ns."""
    times = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/schedstat") as stat:
            times[thread] = int(stat.read().split()[1])
    return times


class Player(threading.Thread):
    def __init__(self, name, engine, options, seed, trouble):
        super().__init__(daemon=True)
        self.name, self.engine, self.ms, self.late, self.trouble = name, engine, options.ms, options.late, trouble
        self.games = cluster.Games(engine, options.ms)
        self.games.seed = random.Random(seed)
        self.over, self.unexplained = threading.Event(), 0
        self.page = cluster.free_port()
        engine.tell(f"setoption name WebPage value 127.0.0.1:{self.page}")

    def run(self):
        while not self.over.is_set():
            notes, before = len(self.engine.notes), waited(self.engine.process.pid)
            self.games.step()
            over = self.games.times[-1] - self.ms / 1000 - self.late
            if over > 0:
                after, since = waited(self.engine.process.pid), time.monotonic() - self.trouble[0]
                kept = max((after[thread] - before.get(thread, 0) for thread in after), default=0) / 1e9
                self.unexplained += kept < over
                print(f"{self.name}: {self.games.times[-1]:.3f} s, {since:.1f} s after {self.trouble[1]}; a thread waited for a "
                      f"processor for {kept:.3f} s; {self.engine.notes[notes:]}", flush=True)

    def figure(self, name):
        """One of the master's metrics without labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.page}/metrics", timeout=10) as page:
            found = [line.split()[1] for line in page.read().decode().splitlines() if line.startswith(name + " ")]
        return int(float(found[0])) if found else 0

    def lost(self):
        """Number of machines that this master has lost so far."""
        return self.figure("hasami_master_machines_lost_total")

    def report(self):
        times, limit = sorted(self.games.times), self.ms / 1000 + self.late
        late = sum(took > limit for took in times)
        print(f"{self.name}: {len(times)} moves, {self.games.illegal} illegal, {late} later than {limit:.3f} s; "
              f"median {times[len(times) // 2]:.3f} s, longest {', '.join(f'{took:.3f}' for took in times[-3:])} s", flush=True)
        return len(times), late


class Clock(threading.Thread):
    """Sleeps as long as a move takes, to measure delays of the host."""

    def __init__(self, ms):
        super().__init__(daemon=True)
        self.ms, self.worst = ms, 0.0

    def run(self):
        while True:
            begun = time.monotonic()
            time.sleep(self.ms / 1000)
            self.worst = max(self.worst, time.monotonic() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hasami", default="target/release/hasami")
    parser.add_argument("--crowd", help="path of the example cluster_load, for machines whose workers only report")
    parser.add_argument("--masters", type=int, default=4)
    parser.add_argument("--machines", type=int, default=2)
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--pause", type=float, default=3.0, help="shortest time between two cuts, in seconds")
    parser.add_argument("--ms", type=int, default=1000)
    parser.add_argument("--late", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.hasami, options.child = cluster.program(options.hasami), None
    options.crowd = options.crowd and cluster.program(options.crowd)
    cluster.end_when_told()
    dice = random.Random(options.seed)
    print(f"seed {options.seed}, {options.masters} masters, {options.machines} machines", flush=True)
    machines = Machines(options.machines)
    server = cluster.Server(f"{NET}.1", ["--user", "me", "--pass", "secret"])
    url = f"nats://me:secret@{NET}.1:{cluster.PORT}"
    workers = []
    for n in range(options.machines):
        command = ["ip", "netns", "exec", f"{BRIDGE}{n}", options.hasami, "worker", "--connect", url, "--name", f"pc{n}",
                   "--threads", str(options.masters), "--hash", str(4 * options.masters)]
        if options.crowd:
            command = ["ip", "netns", "exec", f"{BRIDGE}{n}", options.crowd, "--connect", url,
                       "--workers", str(options.masters), "--reports", "5", "--seconds", "86400"]
        # A new session is a scheduling group, whose weight `autogroup` lowers; `nice` is for kernels without scheduling
        # groups. Workers of --crowd keep their priority: they need hardly any processor time, and must not starve while
        # masters that have lost them search alone.
        yielding = [] if options.crowd else ["sh", "-c", 'echo 5 > /proc/self/autogroup; exec nice -n 5 "$@"', "sh"]
        workers.append(subprocess.Popen([*yielding, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True))
        atexit.register(workers[-1].kill)
    time.sleep(3)
    engines = [cluster.Engine(options.hasami, url) for _ in range(options.masters)]
    # The time and name of the last fault; each late move is reported with them.
    trouble = [time.monotonic(), "the beginning"]
    players = [Player(f"master {n + 1}", engine, options, n, trouble) for n, engine in enumerate(engines)]
    clock = Clock(options.ms)
    time.sleep(3)
    for player in [*players, clock]:
        player.start()
    for cut in range(options.cuts):
        time.sleep(options.pause + dice.expovariate(1))
        which = range(options.machines) if dice.random() < 0.15 else [dice.randrange(options.machines)]
        for n in which:
            machines.link(n, "down")
        trouble[:] = time.monotonic(), f"{len(which)} cut off"
        time.sleep(dice.uniform(1.7, 4))
        for n in which:
            machines.link(n, "up")
        trouble[:] = time.monotonic(), f"{len(which)} came back"
        if (cut + 1) % 20 == 0:
            held = [player.figure("hasami_master_slots_held") for player in players]
            print(f"{cut + 1} cuts, {sum(player.lost() for player in players)} losses of machines; slots at this moment: {held}; "
                  f"the clock's longest sleep: {clock.worst:.3f} s", flush=True)
            for player in players:
                player.report()
    time.sleep(6)
    for player in players:
        player.over.set()
    for player in players:
        player.join()
    lost = sum(player.lost() for player in players)
    sums = [player.report() for player in players]
    print(f"{options.cuts} cuts, {lost} losses of machines: {sum(moves for moves, _ in sums)} moves of the masters, "
          f"{sum(late for _, late in sums)} late, {sum(player.unexplained for player in players)} of them although no thread "
          f"waited that long for a processor; longest sleep of a clock for the same time: {clock.worst:.3f} s")
    back = subprocess.run([options.hasami, "workers", "--connect", url], capture_output=True, text=True).stdout
    print(back, end="")
    for player in players:
        player.engine.quit()
    for worker in workers:
        worker.kill()
    server.stop()


if __name__ == "__main__":
    main()
