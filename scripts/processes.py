"""Helpers for the trials: programs, a NATS server, processor time and memory."""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def program(path):
    """The absolute path of a program."""
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        raise SystemExit(f"cannot find the program {path}")
    return os.path.abspath(path)


def end_when_told():
    """Makes signals end the script normally, so that functions registered with atexit are run."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit("ended by a signal"))


class Server:
    """nats-server, which accepts connections when the constructor returns."""

    def __init__(self, port, host="127.0.0.1", more=()):
        self.command = ["nats-server", "-a", host, "-p", str(port), *more]
        self.address = (host, port)
        self.process = None
        # Stops the NATS server even if the script fails.
        atexit.register(lambda: self.process and self.process.poll() is None and self.stop())
        self.go_on()

    def go_on(self):
        if not shutil.which("nats-server"):
            raise SystemExit("nats-server is not installed")
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while self.process.poll() is None:
            try:
                socket.create_connection(self.address, 1).close()
                return
            except OSError:
                time.sleep(0.01)
        raise SystemExit(f"the server on port {self.address[1]} has ended: {' '.join(self.command)}")

    def stop(self):
        self.process.kill()
        self.process.wait(10)


def processor_time(pid):
    """The processor time in seconds; 0 if the process has ended."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            user, system = stat.read().rpartition(")")[2].split()[11:13]
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def memory(pid, figure="VmRSS"):
    """The memory in MiB: the current size, or with the figure `VmHWM` the largest size so far; 0 if the process has
    ended."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return next((int(line.split()[1]) // 1024 for line in status if line.startswith(figure)), 0)
    except (FileNotFoundError, ProcessLookupError):
        return 0
