"""Tests of the scripts that run a cluster with faults: the scripts reject invalid arguments, report progress, and leave
nothing behind."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

# Scripts that replace programs in these tests. Servers and machines record that they run; `ip` records its arguments,
# and runs commands that it would run in a namespace.
STAND_INS = {
    "nats-server": 'echo "$$" >>"$RUNS"\nexec sleep 600\n',
    "hasami": 'echo "$$" >>"$RUNS"\nexec sleep 600\n',
    "engine": "cat >/dev/null\necho uciok\n",
    "silent": "cat >/dev/null\n",
    "ip": 'echo "$*" >>"$TOLD"\n[ "$1 $2" != "netns exec" ] || { shift 3; exec "$@"; }\n',
}


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class GamesFaults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in STAND_INS.items():
            (self.folder / name).write_text("#!/bin/sh\n" + text)
            (self.folder / name).chmod(0o755)
        self.runs, self.told = self.folder / "runs", self.folder / "told"
        # Faults are random, so the tests run trials without faults, in which all four machines, the server and the
        # caller are up.
        self.words = [sys.executable, HERE / "games_faults.py", "--hasami", self.folder / "hasami", "--faults", "0", "--pause", "0.1"]
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "RUNS": str(self.runs), "TOLD": str(self.told)}

    def start(self, *words):
        return subprocess.Popen([*self.words, *words], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def refused(self, *words):
        process = self.start(*words)
        _, told = process.communicate()
        self.assertEqual((process.returncode, len(told.splitlines())), (1, 1), told)
        return told

    def lines(self, file):
        return file.read_text().splitlines() if file.exists() else []

    def ended(self, *numbers):
        """Ends a trial while all of its processes are running, and returns the trial and these processes."""
        process = self.start("--engine", "engine")
        while len(self.lines(self.runs)) < 6:
            self.assertIsNone(process.poll(), "it has ended by itself")
            # Polls the file, because the output of the trial does not show how far it is.
            threading.Event().wait(0.01)
        for number in numbers:
            process.send_signal(number)
        _, told = process.communicate()
        self.assertEqual((process.returncode, told), (1, "games_faults.py: ended by a signal\n"))
        return [int(line) for line in self.lines(self.runs)]

    def test_no_process_or_namespace_is_left_after_any_end(self):
        for numbers in [(signal.SIGINT,), (signal.SIGTERM,), (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)]:
            with self.subTest(numbers):
                self.runs.unlink(missing_ok=True)
                self.told.unlink(missing_ok=True)
                self.assertEqual([pid for pid in self.ended(*numbers) if is_there(pid)], [])
                told = self.lines(self.told)
                for name in ("hasami-a", "hasami-b"):
                    self.assertGreater(told[::-1].index(f"netns add {name}"), told[::-1].index(f"netns del {name}"), told)

    def test_engine_that_does_not_exist_is_refused(self):
        silent = self.refused("--engine", "silent")
        self.assertEqual(silent, f"games_faults.py: the engine does not answer uci: {self.folder / 'silent'}\n")
        self.assertEqual(self.refused("--engine", "nobody"), "games_faults.py: cannot find the program nobody\n")
        self.assertEqual(self.lines(self.runs) + self.lines(self.told), [])

    def test_failure_to_create_namespaces_is_reported(self):
        (self.folder / "ip").write_text("#!/bin/sh\necho 'mount failed' >&2\nexit 1\n")
        self.assertIn("--no-namespaces", self.refused("--engine", "engine"))

    def test_trial_ends_if_machines_never_play(self):
        (self.folder / "hasami").write_text("#!/bin/sh\necho no engine here\nexit 2\n")
        process = self.start("--engine", "engine", "--pause", "0", "--no-namespaces")
        _, told = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertRegex(told, r"^games_faults.py: no game was finished in 60 starts; the last line of \w+.log: no engine here\n$")


class FakeServer:
    """Behaves like nats-server, but answers each question twice, and not before it receives a ping."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, client):
        lines, answers, greeted = client.makefile("rb"), b"", False
        client.sendall(b"INFO {}\r\n")
        for line in lines:
            if line.startswith(b"PUB"):
                lines.read(int(line.split()[-1]) + 2)
                answers += b"MSG hasami.2.pc.01.to.onlooker.00 1 2\r\nhi\r\n" * 2 * (b"roll" in line)
            elif line == b"PING\r\n":
                client.sendall(answers + b"PONG\r\n")
                answers = b""


@unittest.skipUnless(importlib.util.find_spec("chess"), "needs python-chess")
class Floods(unittest.TestCase):
    def setUp(self):
        import cluster
        self.cluster, port = cluster, cluster.PORT
        cluster.PORT = FakeServer().port
        self.addCleanup(setattr, cluster, "PORT", port)

    def test_ping_is_answered_after_all_earlier_messages(self):
        client = self.cluster.Client()
        client.follow("hasami.2.*.*.to.onlooker.*")
        client.publish([("hasami.2.onlooker.00.roll", b"?")] * 4_000)
        self.assertTrue(client.ping(60))
        self.assertEqual((client.count, len(client.heard)), (8_000, 5_000))

    def test_flood_ends_when_the_server_has_delivered_it(self):
        import cluster_flood
        flood = cluster_flood.Flood(beats=105, questions=1_001)
        for thread in flood.threads:
            thread.start()
        for thread in flood.threads:
            thread.join()
        self.assertEqual(flood.passed_on, {"beats": 105, "questions": 1_001})
        self.assertEqual(flood.asker.count, 2_002)


@unittest.skipUnless(importlib.util.find_spec("chess"), "needs python-chess")
class Networks(unittest.TestCase):
    def setUp(self):
        import cluster
        self.cluster = cluster
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.addCleanup(os.environ.__setitem__, "PATH", os.environ["PATH"])
        os.environ["PATH"] = f"{folder.name}:{os.environ['PATH']}"
        self.stand_in("ip", 'case "$*" in *nft*) echo "Error: no numgen" >&2; exit 1;; *iptables*) exit 0;; esac\nexit 3\n')

    def stand_in(self, name, text):
        (self.folder / name).write_text("#!/bin/sh\n" + text)
        (self.folder / name).chmod(0o755)

    def test_next_method_of_packet_loss_is_tried(self):
        self.assertEqual(self.cluster.lose(0), "iptables")

    def test_kernel_without_packet_loss_is_reported_in_one_line(self):
        self.stand_in("ip", 'echo "Error: no $4" >&2\nexit 1\n')
        self.stand_in("tc", 'echo "Error: no netem" >&2\necho usage >&2\nexit 2\n')
        with self.assertRaises(SystemExit) as end:
            self.cluster.lose(1)
        told = "nft: Error: no nft; iptables: Error: no iptables; tc: Error: no netem"
        self.assertEqual(str(end.exception), f"this kernel cannot drop packets (nft numgen, iptables statistic, tc netem): {told}")

    def test_failure_to_create_a_network_is_reported_in_one_line(self):
        with self.assertRaises(SystemExit) as end:
            self.cluster.shell("ip netns add x")
        self.assertEqual(str(end.exception), "cannot create networks (root and ip are required): exit code 3")

    def test_delay_of_a_report_is_read_from_the_log_of_the_master(self):
        heads = "[2026-11-26T14:00:00Z TRACE hasami::driver] "
        words = ["worker 3: task 7 begins", "worker 4: task 8 begins", "worker 4: task 8 reports", "worker 4: task 8 reports", "pc3 is lost: silence"]
        log = self.cluster.Log.__new__(self.cluster.Log)
        log.heard = []
        log.read(heads + line + "\n" for line in words)
        times = [at for at, *_ in log.heard]
        self.assertEqual(log.take(), ({"7": times[0], "8": times[1]}, {"worker 4": (times[2], "8")}))
        self.assertEqual(log.take(), ({}, {}))


if __name__ == "__main__":
    unittest.main()
