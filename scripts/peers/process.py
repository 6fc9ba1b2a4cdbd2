"""Line-based child processes, which are ended with their descendants even after an error."""

import atexit
import ctypes
import os
import selectors
import signal
import subprocess
import time

ALIVE = set()
DIES_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Silent(Exception):
    """The expected output did not arrive in time."""


class Gone(Exception):
    """The process has ended."""


def die_with_us():
    ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL)


class Process:
    """A program in its own process group."""

    def __init__(self, command, errors=subprocess.DEVNULL, environment=None):
        self.name = os.path.basename(command[0])
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
            start_new_session=True,
            preexec_fn=die_with_us,
            env={**os.environ, **(environment or {})},
        )
        self.buffer = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        ALIVE.add(self)

    @property
    def pid(self):
        return self.process.pid

    def tell(self, *lines):
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        except OSError as error:
            raise Gone(f"{self.name} has ended: {self.rest()}") from error

    def read(self, timeout):
        """The next line, or None if none arrives in time."""
        deadline = time.monotonic() + timeout
        while b"\n" not in self.buffer:
            if not self.selector.select(max(0, deadline - time.monotonic())):
                return None
            if not (piece := os.read(self.process.stdout.fileno(), 1 << 16)):
                raise Gone(f"{self.name} has ended: {self.rest()}")
            self.buffer += piece
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line.decode(errors="replace").strip()

    def rest(self):
        try:
            code = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return "its output is closed"
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def expect(self, *words, timeout=10):
        """All lines up to the first that begins with one of the words."""
        deadline, lines = time.monotonic() + timeout, []
        while (line := self.read(max(0, deadline - time.monotonic()))) is not None:
            lines.append(line)
            if line.split()[:1] and line.split()[0] in words:
                return lines
            if time.monotonic() > deadline:
                break
        raise Silent(f"expected {' or '.join(words)} within {timeout:g} s, found {'nothing' if not lines else repr(lines[-1][:60])}")

    def listen(self, seconds):
        """The lines printed in this time."""
        deadline, lines = time.monotonic() + seconds, []
        while (left := deadline - time.monotonic()) > 0 and (line := self.read(left)) is not None:
            lines.append(line)
        return lines

    def kill(self):
        if self not in ALIVE:
            return
        ALIVE.discard(self)
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass  # it has ended
        self.process.wait()
        self.selector.close()
        self.process.stdin.close()
        self.process.stdout.close()

    def quit(self, grace=3):
        if self not in ALIVE:
            return
        try:
            self.process.stdin.write(b"stop\nquit\n")
            self.process.stdin.close()
            self.process.wait(grace)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.quit()


def run(command, timeout):
    """Runs a command, and returns its exit code and all of its output; the code is None if the command was killed."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=die_with_us,
    )
    try:
        said, _ = process.communicate(timeout=timeout)
        return process.returncode, said.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        try:
            os.killpg(process.pid, signal.SIGTERM if process.poll() is None else signal.SIGKILL)
            process.wait(3)
        except OSError:
            pass
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def stat(pid):
    """State and parent of a process; None if it does not exist."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            state, parent = file.read().rsplit(")", 1)[1].split()[:2]
    except OSError:
        return None
    return state, int(parent)


def is_alive(pid):
    found = stat(pid)
    return found is not None and found[0] not in "ZX"


def descendants(pid):
    """The ids of all descendants of a process."""
    parents = {int(entry): found[1] for entry in os.listdir("/proc") if entry.isdigit() and (found := stat(entry))}
    found, new = set(), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new} - found
        found |= new
    return found


def times(pid):
    """Processor time in seconds, and the start time on the clock `CLOCK_BOOTTIME`."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0, 0.0
    tick = os.sysconf("SC_CLK_TCK")
    return (int(fields[11]) + int(fields[12])) / tick, int(fields[19]) / tick


def program_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return os.path.basename(file.read().split(b"\0")[0].decode(errors="replace"))
    except OSError:
        return ""


@atexit.register
def end_all():
    for process in list(ALIVE):
        process.kill()
