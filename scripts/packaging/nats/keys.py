#!/usr/bin/env python3
"""Makes the key pairs of a cluster: an operator, an account, and credentials for the roles of roles.conf.

Usage: keys.py FOLDER [--days N] [--user NAME=ROLE ...]
    Writes accounts.conf for the server (cloud.conf includes it), and NAME.creds for each user. Without --user, there is
    one user per role: master.creds, worker.creds, onlooker.creds. Give each machine its own user, as in --user
    attic=worker, which publishes only under its own name and reads only messages to itself and to all. An operator and
    an account that the folder already has are kept, so that users can be added without changing the server. With
    --days, the credentials expire after this number of days, from 1 to 36500; otherwise they never expire. Keep these
    files secret: operator.seed, account.seed (in a safe place, not on the server), and each creds file.

Needs openssl. The tool nsc of NATS can also create these files, and can revoke users.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# The first byte of a key in NATS format determines the first letter of its text: O, A or U, and S for a seed.
PREFIX = {"operator": 14 << 3, "account": 0, "user": 20 << 3}
SEED = 18 << 3
# The bytes that precede the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410).
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
UNLIMITED = -1
MOST_DAYS = 36_500


def base32(data):
    return base64.b32encode(data).decode().rstrip("=")


def checked(data):
    """Appends the CRC-16 of XMODEM as the checksum, low byte first."""
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return data + crc.to_bytes(2, "little")


def openssl(*words, given=b""):
    try:
        result = subprocess.run(["openssl", *words], input=given, capture_output=True, check=False)
    except OSError as error:
        sys.exit(f"keys.py: expected openssl, found: {error.strerror}")
    if result.returncode:
        sys.exit(f"keys.py: openssl cannot make a key: {result.stderr.decode().strip()}")
    return result.stdout


class Pair:
    """A key pair of this kind: the pair of the seed, or a new pair without a seed."""

    def __init__(self, kind, seed=None):
        self.kind, self.seed = kind, seed or os.urandom(32)
        self.public = openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", given=PKCS8 + self.seed)[-32:]

    def name(self):
        return base32(checked(bytes([PREFIX[self.kind]]) + self.public))

    def secret(self):
        prefix = PREFIX[self.kind]
        return base32(checked(bytes([SEED | prefix >> 5, (prefix & 31) << 3]) + self.seed))

    def sign(self, text):
        with tempfile.NamedTemporaryFile() as key, tempfile.NamedTemporaryFile() as message:
            key.write(PKCS8 + self.seed)
            message.write(text.encode())
            key.flush()
            message.flush()
            return openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key.name, "-in", message.name)


def read_pair(kind, file):
    """The pair in a file. If the file does not exist, a new pair is written to it."""
    if file.exists():
        padded = file.read_text().strip()
        data = base64.b32decode(padded + "=" * (-len(padded) % 8))
        if len(data) != 36 or checked(data[:-2]) != data:
            sys.exit(f"keys.py: {file}: expected the seed of a key, found something else")
        return Pair(kind, data[2:34])
    pair = Pair(kind)
    write_secret(file, pair.secret() + "\n")
    return pair


def write_secret(file, text):
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as out:
        out.write(text)


def url64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def token(issuer, subject, name, claims, ends=None):
    """A signed claim (JWT) of version 2."""
    body = {"iat": int(time.time()), "iss": issuer.name(), "name": name, "sub": subject.name(),
            "nats": {**claims, "type": subject.kind, "version": 2}}
    if ends:
        body["exp"] = ends
    body["jti"] = base32(hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest())
    head = url64(json.dumps({"typ": "JWT", "alg": "ed25519-nkey"}).encode())
    text = f"{head}.{url64(json.dumps(body).encode())}"
    return f"{text}.{url64(issuer.sign(text))}"


def roles():
    """The permissions of each role, from roles.conf, where the user has the name of the role."""
    path = Path(__file__).parent / "roles.conf"
    if not path.exists():
        sys.exit(f"keys.py: {path} is missing")
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"user: (\w+),.*?publish: (\[.*?\]),\s*subscribe: (\[.*?\])", text, re.DOTALL)
    return {role: (says, hears) for role, says, hears in found}


def rights(known, role, name):
    """The permissions of a user with this role and name."""
    says, hears = (json.loads(subjects.replace(f".{role}.", f".{name}.")) for subjects in known[role])
    return {"pub": {"allow": says}, "sub": {"allow": hears}}


def creds(user, jwt):
    return (f"-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n"
            f"-----BEGIN USER NKEY SEED-----\n{user.secret()}\n------END USER NKEY SEED------\n")


def end_of(days):
    """The expiry of credentials for this number of days, in seconds since the epoch; None if they never expire."""
    if days is None:
        return None
    if not re.fullmatch("[0-9]{1,5}", days) or not 1 <= int(days) <= MOST_DAYS:
        sys.exit(f"keys.py: --days: expected a whole number from 1 to {MOST_DAYS}, found '{days}'")
    return int(time.time()) + int(days) * 86400


def users_of(words, known):
    """Names and roles; one user of each role if none was requested."""
    users = [word.partition("=")[::2] for word in words] or [(role, role) for role in known]
    for name, role in users:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", name) or role not in known:
            sys.exit(f"keys.py: --user: expected NAME=ROLE with a name of letters, digits, - and _, and a role of {', '.join(known)}, found '{name}={role}'")
    names = [name for name, _ in users]
    for name in names:
        if names.count(name) > 1:
            sys.exit(f"keys.py: --user: expected each name once, found '{name}' {names.count(name)} times")
    return users


def main():
    known = roles()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--days", metavar="N")
    parser.add_argument("--user", action="append", default=[], metavar="NAME=ROLE")
    options = parser.parse_args()
    users, ends = users_of(options.user, known), end_of(options.days)
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"keys.py: {options.folder}: cannot write to the folder: {error.strerror}")
    operator = read_pair("operator", options.folder / "operator.seed")
    account = read_pair("account", options.folder / "account.seed")
    limits = dict.fromkeys(("subs", "data", "payload", "imports", "exports", "conn", "leaf"), UNLIMITED)
    of_account = token(operator, account, "hasami", {"limits": {**limits, "wildcards": True}})
    (options.folder / "accounts.conf").write_text(
        f"operator: {token(operator, operator, 'hasami', {})}\nresolver: MEMORY\n"
        f"resolver_preload: {{\n  {account.name()}: {of_account}\n}}\n", encoding="ascii")
    of_user = {"subs": UNLIMITED, "data": UNLIMITED, "payload": UNLIMITED}
    for name, role in users:
        user = Pair("user")
        write_secret(options.folder / f"{name}.creds",
                     creds(user, token(account, user, name, {**rights(known, role, name), **of_user}, ends)))
        print(options.folder / f"{name}.creds")


if __name__ == "__main__":
    main()
