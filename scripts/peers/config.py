"""The list of engines to test: a TOML file of [[peer]] tables."""

import os
import shlex
import shutil
import tomllib
from dataclasses import dataclass, field

WORDS = {"name", "command", "protocol", "mate", "go", "match", "think_ms", "positions", "startup", "options"}
# Debian's folder for engines, which is rarely in PATH.
GAMES = "/usr/games"


class BadList(Exception):
    """The list cannot be used; the message is one line."""


@dataclass(frozen=True)
class Peer:
    """One engine."""

    name: str
    command: list
    protocol: str
    mate: bool = False
    # The arguments of `go` for a short search when the engine is driven directly.
    go: str = "movetime 30"
    # The engine's time limit in a match, as words of `hasami match`.
    match: dict = field(default_factory=lambda: {"movetime": 200})
    # Milliseconds that the engine, as a child, needs until its first report in a search.
    think_ms: int = 60
    # Largest number of positions that the engine searches in a test.
    positions: int = 100
    # Seconds to wait for the first `readyok`.
    startup: float = 30
    options: dict = field(default_factory=dict)

    @property
    def game(self):
        return "shogi" if self.protocol == "usi" else "chess"

    @property
    def program(self):
        return os.path.basename(self.command[0])


def read(path):
    with open(path, "rb") as file:
        try:
            return parse(tomllib.load(file))
        except tomllib.TOMLDecodeError as error:
            raise BadList(f"{path}: expected TOML, found: {error}") from error


def parse(document):
    peers = [peer(table) for table in document.get("peer", [])]
    names = [one.name for one in peers]
    if not peers:
        raise BadList("expected [[peer]] tables, found none")
    if len(set(names)) < len(names):
        raise BadList(f"expected a unique name for every peer, found {names}")
    return peers


def peer(table):
    if unknown := sorted(table.keys() - WORDS):
        raise BadList(f"expected {', '.join(sorted(WORDS))}, found {unknown[0]}")
    command = table.get("command")
    command = shlex.split(command) if isinstance(command, str) else command
    if not command:
        raise BadList(f"expected a command, found {command!r}")
    if table.get("protocol") not in ("uci", "usi"):
        raise BadList(f"expected protocol uci or usi, found {table.get('protocol')!r}")
    rest = {word: value for word, value in table.items() if word not in ("name", "command", "options")}
    options = {name: value_text(value) for name, value in table.get("options", {}).items()}
    return Peer(name=table.get("name", os.path.basename(command[0])), command=list(command), options=options, **rest)


def value_text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def installed(peer):
    """The engine with the full path of its program; None if it is not installed."""
    path = shutil.which(peer.command[0], path=os.pathsep.join([os.environ.get("PATH", ""), GAMES]))
    if path is None:
        return None
    return Peer(**{**vars(peer), "command": [os.path.abspath(path), *peer.command[1:]]})


def quoted(text):
    """A basic string of TOML."""
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def engine_table(peer, words):
    """An [[engine]] table for Hasami's children file or match file."""
    lines = ["[[engine]]", f"name = {quoted(peer.name)}", f"command = [{', '.join(map(quoted, peer.command))}]"]
    lines += [f"protocol = {quoted(peer.protocol)}"]
    lines += [f"{word} = {value_text(value) if isinstance(value, bool | int | float) else quoted(value)}" for word, value in words.items()]
    options = ", ".join(f"{quoted(name)} = {quoted(value)}" for name, value in peer.options.items())
    return "\n".join([*lines, f"options = {{ {options} }}"]) + "\n"
