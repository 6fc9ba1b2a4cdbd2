"""A NATS server on a free port of the loopback interface."""

import os
import socket
import subprocess
import time

from .process import ALIVE, Process, Silent

SBIN = "/usr/sbin"


class Server(Process):
    """A server that is stopped at the end of the `with` block."""

    def __init__(self, folder):
        port = free_port()
        self.url = f"nats://peers:peers@127.0.0.1:{port}"
        settings = os.path.join(folder, "nats.conf")
        with open(settings, "w") as file:
            file.write(f'listen: "127.0.0.1:{port}"\nauthorization {{ user: peers, password: peers }}\n')
        path = os.pathsep.join([os.environ.get("PATH", ""), SBIN])
        super().__init__(["nats-server", "-c", settings], errors=subprocess.DEVNULL, environment={"PATH": path})
        wait_for_port(self, port)

    def __exit__(self, *_):
        self.kill()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for_port(server, port, seconds=10):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and server in ALIVE:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.02)
    server.kill()
    raise Silent(f"nats-server does not accept connections on port {port}")
