#!/usr/bin/env python3
"""Says for whom `stop` to `bestmove` waited: records the scheduler (perf, as root) and names the slow stops' causes.

    scripts/latency_causes.py --rounds 250 target/release/hasami

On a busy machine the times themselves say little, but who held the processors while the client, the thread that reads
or the one that watches was ready to run does. One line for each slow stop: its time, then `waiting<running: ms`.
"""

import argparse
import bisect
import collections
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from latency import POSITIONS, Engine

SWITCH = re.compile(r"prev_comm=.* prev_pid=(\d+) prev_prio=\d+ prev_state=(\S+) ==> .* next_pid=(\d+) ")
WAKEUP = re.compile(r"comm=.* pid=(\d+) ")
# A thread that became ready earlier than this before the stop is not looked for.
LEAD = 0.05


def measure(engine, rounds):
    """When each `stop` was sent and its `bestmove` read, in seconds of the monotonic clock."""
    source, stops = random.Random(1), []
    for number in range(rounds):
        engine.tell(f"position {POSITIONS[number % len(POSITIONS)]}")
        engine.tell("isready")
        engine.expect(b"readyok")
        engine.tell("go infinite")
        time.sleep(source.uniform(0.02, 0.08))
        began = time.monotonic()
        engine.tell("stop")
        engine.expect(b"bestmove")
        stops.append((began, time.monotonic()))
    return stops


def names_of(process):
    """By thread: the engine's, and this program."""
    tasks = Path(f"/proc/{process.pid}/task").iterdir()
    return {int(task.name): (task / "comm").read_text().strip() for task in tasks} | {os.getpid(): "client"}


def events_of(file):
    """Time, processor, and who gives it up (ready or not) to whom, or who is woken."""
    command = ["perf", "script", "-i", file, "-F", "cpu,time,event,trace"]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    for line in text.splitlines():
        head = re.match(r"\s*\[(\d+)\]\s+([\d.]+):\s+sched:(\w+):\s+(.*)", line)
        if not head:
            continue
        if head[3] == "sched_switch" and (found := SWITCH.search(head[4])):
            yield float(head[2]), int(head[1]), int(found[1]), found[2].startswith("R"), int(found[3])
        elif head[3] == "sched_wakeup" and (found := WAKEUP.search(head[4])):
            yield float(head[2]), None, int(found[1]), True, None


def waits(events, times, names, began, ended):
    """Milliseconds by (who was ready, who ran meanwhile)."""
    answering = {task for task, name in names.items() if not name.startswith(("thread", "mate solver"))}
    running, ready, last, sums = {}, set(), began, collections.Counter()
    for at, cpu, task, is_ready, after in events[bisect.bisect_left(times, began - LEAD) : bisect.bisect(times, ended)]:
        for waiting in ready if at > began else ():
            for runner in running.values():
                sums[names[waiting], names.get(runner, "others" if runner else "idle")] += (at - max(last, began)) * 1e3
        last = at
        if is_ready and task in answering:
            ready.add(task)
        if cpu is not None:
            running[cpu] = after
            ready.discard(after)
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=250)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--slow", type=float, default=0.6, help="milliseconds (default 0.6)")
    parser.add_argument("engine")
    arguments = parser.parse_args()
    engine = Engine(arguments.engine, arguments.threads)
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/perf.data"
        kinds = ["-e", "sched:sched_switch", "-e", "sched:sched_wakeup"]
        perf = subprocess.Popen(["perf", "record", "-q", "-a", "-k", "CLOCK_MONOTONIC", *kinds, "-o", file])
        time.sleep(1)
        stops = measure(engine, arguments.rounds)
        perf.send_signal(2)
        perf.wait()
        names = names_of(engine.process)
        events = sorted(events_of(file), key=lambda event: event[0])
    engine.tell("quit")
    engine.process.wait(10)
    times, causes = [event[0] for event in events], collections.Counter()
    for began, ended in stops:
        if (ended - began) * 1e3 < arguments.slow:
            continue
        found = {f"{a}<{b}": round(ms, 2) for (a, b), ms in waits(events, times, names, began, ended).items() if ms > 0.1}
        causes.update({pair.split("<")[1] for pair in found})
        print(f"{(ended - began) * 1e3:.2f} ms: {found}")
    print(f"{len(stops)} stops; slow ones that waited for: {dict(causes)}")


if __name__ == "__main__":
    main()
