"""Remote agents as agents.toml lists them, and the settings that all calls share. Imports nothing of A2A."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from smoldesk.errors import BadInput, DeskError

TOOL = "ask_agent"
# Key in the metadata of a message, and of the run it starts: the number of agents between a person and this task.
DEPTH_KEY = "smoldesk/depth"
# Maximum agents in between, so that agents which call each other in a circle come to an end.
DEEPEST = 4


@dataclass(frozen=True)
class Peer:
    """One remote agent.

    `card` is the address of its agent card, `origins` other origins than the card's that its interfaces may have,
    `token_env` the name of the environment variable that holds its bearer token.
    """

    name: str
    card: str
    description: str = ""
    token_env: str | None = None
    origins: tuple[str, ...] = ()

    def allowed(self) -> set[str]:
        """Return the origins that requests may go to."""
        return {origin_of(self.card), *map(origin_of, self.origins)}

    def token(self) -> str | None:
        """Return the bearer token, None when the agent needs none. Raises BadInput when it is missing."""
        if self.token_env is None:
            return None
        token = os.environ.get(self.token_env, "").strip()
        if not token:
            raise BadInput(
                f"The agent {self.name!r} cannot be asked: its token is missing.",
                f"Expected it in the environment variable {self.token_env} of the desk.",
                code="agent_token_missing",
            )
        return token


@dataclass(frozen=True)
class Peers:
    """Peers of a desk, and the limits of calls to them.

    `silence` is the most seconds without an update, `ask_seconds` a person's time to answer a question, `file_limit` is in
    bytes. `last_context(chat_id, name)` returns the A2A context in which the chat's talk with a peer goes on,
    `traceparent(call_id)` the header that continues the trace of a call.
    """

    entries: Mapping[str, Peer] = field(default_factory=dict[str, Peer])
    silence: float = 300
    ask_seconds: float = 300
    file_limit: int = 50_000_000
    last_context: Callable[[str, str], str | None] = lambda chat_id, name: None
    traceparent: Callable[[str], str | None] = lambda call_id: None


def origin_of(address: str) -> str:
    """Return the origin of a web address as `https://host:port`, always with the port. Raises ValueError for other texts."""
    parts = urlsplit(address)
    scheme, host = parts.scheme.lower(), parts.hostname
    if scheme not in ("http", "https") or not host or parts.username is not None:
        raise ValueError("expected http:// or https:// with a host, and no name or password in it")
    if ":" not in host:
        host = host.encode("idna").decode()  # the form on the wire; a UnicodeError is a ValueError
    port = parts.port or {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def depth_of(metadata: Mapping[str, object] | None) -> int:
    """Return the depth of a run from its metadata; 0 for a person's message."""
    # Metadata comes from clients, in JSON: a depth may be a float, and True is an int in Python.
    depth = (metadata or {}).get(DEPTH_KEY, 0)
    return int(depth) if isinstance(depth, (int, float)) and not isinstance(depth, bool) else 0


class AgentFailed(DeskError):
    """Failure of a remote agent: unreachable, in breach of the protocol, refusing, failing, silent, or over a limit."""

    code = "agent_failed"
