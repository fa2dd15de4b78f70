"""Members of a desk: tokens that let machines join, and the certificates they got. Files in the desk's data directory.

Commands change these files beside a running desk, which reads them again when they have changed.
"""

import fcntl
import hashlib
import json
import re
import secrets
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from smoldesk.errors import BadInput, DeskError, NotFound, Refused
from smoldesk.nodes.authority import NODE_DAYS, Authority, write_private

FOLDER = "nodes"
STATE, LOCK = "members.json", "lock"
TOKEN = re.compile(r"nt_([A-Za-z0-9_-]{43})_([0-9a-f]{64})")
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
MAX_TOKENS, MAX_MEMBERS = 1_000, 10_000


@dataclass(frozen=True)
class JoinToken:
    """A join token; of its secret only the hash is stored. `expires` is in seconds since 1970."""

    hash: str
    uses: int
    expires: float


@dataclass(frozen=True)
class NodeMember:
    """A certificate: `serial` in hexadecimal, the node's name, when it was issued and until when it is valid."""

    serial: str
    name: str
    issued: float
    expires: float
    revoked: bool = False


@dataclass(frozen=True)
class State:
    """What the file holds."""

    tokens: list[JoinToken] = field(default_factory=list[JoinToken])
    members: list[NodeMember] = field(default_factory=list[NodeMember])


class Membership:
    """Tokens and members of one desk. Methods raise DeskError if the files cannot be used."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        # Time of change and inode of the file with its content, together: other threads read and write it meanwhile.
        self._cached = ((0, 0), State())
        with self._locked():
            self.authority = Authority(self._folder)

    def new_token(self, uses: int, hours: float) -> str:
        """Return a new token, which is not stored and cannot be shown again."""
        secret = secrets.token_urlsafe(32)
        token = JoinToken(_hash(secret), uses, time.time() + hours * 3600)
        with self._locked():
            state = self._load()
            now = time.time()
            tokens = [other for other in state.tokens if other.uses and other.expires > now]
            self._save(replace(state, tokens=[*tokens, token][-MAX_TOKENS:]))
        return f"nt_{secret}_{self.authority.fingerprint}"

    def join(self, token: str, name: str, request: str) -> str:
        """Use a token once and return a certificate. An earlier one of this name is revoked. Raises Refused, BadInput."""
        check_name(name)
        match = TOKEN.fullmatch(token)
        with self._locked():
            state = self._load()
            stored = next((one for one in state.tokens if match and one.hash == _hash(match[1])), None)
            if stored is None or match is None or match[2] != self.authority.fingerprint:
                raise _bad_token("was not made by this desk, or has been used")
            if stored.expires <= time.time():
                raise _bad_token("has expired")
            certificate, serial = self.authority.sign(request, name)
            used = replace(stored, uses=stored.uses - 1)
            tokens = [one for one in state.tokens if one is not stored] + ([used] if used.uses else [])
            self._save(State(tokens, _with_member(state.members, serial, name)))
        return certificate

    def renew(self, serial: str, request: str) -> str:
        """Return a new certificate for a node. Its present one is valid on, others of it are forgotten, so that they
        cannot become many. Raises Refused, BadInput.
        """
        with self._locked():
            state = self._load()
            member = self.member(serial)
            certificate, new = self.authority.sign(request, member.name)
            now = time.time()
            members = [
                entry
                for entry in state.members
                if entry.serial == serial or entry.revoked or entry.name != member.name
            ]
            members.append(NodeMember(new, member.name, now, now + NODE_DAYS * 86_400))
            self._save(replace(state, members=members))
        return certificate

    def member(self, serial: str) -> NodeMember:
        """Return the member with a certificate. Raises Refused if it is revoked or not of this desk."""
        for member in self.members():
            if member.serial == serial:
                if member.revoked:
                    raise Refused(
                        f"The certificate of the node {member.name!r} was revoked.",
                        "Join again with a new token: `smoldesk node token` at the desk makes one.",
                        code="node_revoked",
                    )
                return member
        raise Refused(
            "This desk does not know the node's certificate.", "Join again with a new token.", "node_unknown"
        )

    def members(self) -> list[NodeMember]:
        """Return all members, also revoked ones."""
        return self._load().members

    def revoke(self, name: str) -> None:
        """Revoke all certificates of a node. Raises NotFound."""
        with self._locked():
            state = self._load()
            if not any(member.name == name and not member.revoked for member in state.members):
                raise NotFound(f"No valid node is called {name[:80]!r}.")
            self._save(replace(state, members=[_revoked(member, name) for member in state.members]))

    # --- files -----------------------------------------------------------------------------------------------------

    @contextmanager
    def _locked(self) -> Generator[None]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = (self._folder / LOCK).open("w")
        except OSError as fault:
            raise DeskError(f"The folder of nodes cannot be written: {fault.strerror}.") from None
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _load(self) -> State:
        path = self._folder / STATE
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_ino)
            at, state = self._cached
            if stamp != at:
                content: dict[str, Any] = json.loads(path.read_text())
                tokens = [JoinToken(**token) for token in content["tokens"]]
                state = State(tokens, [NodeMember(**member) for member in content["members"]])
                self._cached = stamp, state
        except FileNotFoundError:
            return State()
        except (OSError, ValueError, KeyError, TypeError):
            raise DeskError(
                f"The file {STATE!r} of nodes cannot be read.", "Restore it from a backup.", "bad_node_state"
            ) from None
        return state

    def _save(self, state: State) -> None:
        write_private(self._folder / STATE, json.dumps(asdict(state), indent=1))


def check_name(name: str) -> None:
    """Raise BadInput for a name that no node can have."""
    if not NAME.fullmatch(name):
        raise BadInput(
            f"{name[:80]!r} is not a name of a node.",
            "Expected 1 to 40 characters of a-z, 0-9 and -, the first and last of them no hyphen.",
        )


def parse_token(text: str) -> str:
    """Return the fingerprint of the authority that a token names. Raises BadInput."""
    match = TOKEN.fullmatch(text.strip())
    if match is None:
        raise BadInput("This is not a join token.", "Expected the line that `smoldesk node token` printed.")
    return match[2]


def _with_member(members: list[NodeMember], serial: str, name: str) -> list[NodeMember]:
    now = time.time()
    earlier = [_revoked(member, name) for member in members if member.expires > now]
    return [*earlier, NodeMember(serial, name, now, now + NODE_DAYS * 86_400)][-MAX_MEMBERS:]


def _revoked(member: NodeMember, name: str) -> NodeMember:
    return replace(member, revoked=True) if member.name == name else member


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _bad_token(problem: str) -> Refused:
    return Refused(
        f"The join token {problem}.", "`smoldesk node token` at the desk makes a new one.", code="bad_token"
    )
