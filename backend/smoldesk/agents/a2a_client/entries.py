"""An agent elsewhere, as agents.toml lists it, and what all calls of such agents share. Imports nothing of A2A."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from smoldesk.errors import BadInput, DeskError

TOOL = "ask_agent"
# In the metadata of a message, and of the run it starts: how many agents stand between a person and this work.
DEPTH_KEY = "smoldesk/depth"
# Agents that may stand between: so a circle of them ends.
DEEPEST = 4


@dataclass(frozen=True)
class Peer:
    """One agent elsewhere.

    `card` is the address of its agent card, `origins` other origins than the card's that its interfaces may have,
    `token_env` the name of the variable of the environment that holds its bearer token.
    """

    name: str
    card: str
    description: str = ""
    token_env: str | None = None
    origins: tuple[str, ...] = ()

    def allowed(self) -> set[str]:
        """The origins that it may be reached at."""
        return {origin_of(self.card), *map(origin_of, self.origins)}

    def token(self) -> str | None:
        """Its bearer token; raises BadInput when there ought to be one and is none."""
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
    """Those of a desk, and how they are asked.

    `silence` is the most seconds one may say nothing, `ask_seconds` what a person has to answer one, `file_limit` in bytes.
    `last_context(chat_id, name)` tells where the chat's talk with one goes on, `traceparent(call_id)` the header by which the
    trace of a call does.
    """

    entries: Mapping[str, Peer] = field(default_factory=dict[str, Peer])
    silence: float = 300
    ask_seconds: float = 300
    file_limit: int = 50_000_000
    last_context: Callable[[str, str], str | None] = lambda chat_id, name: None
    traceparent: Callable[[str], str | None] = lambda call_id: None


def origin_of(address: str) -> str:
    """`https://host:port` of a web address, the port always told. Raises ValueError for what is none."""
    parts = urlsplit(address)
    scheme, host = parts.scheme.lower(), parts.hostname
    if scheme not in ("http", "https") or not host or parts.username is not None:
        raise ValueError("expected http:// or https:// with a host, and no name or password in it")
    if ":" not in host:
        host = host.encode("idna").decode()  # as it goes over the wire; a UnicodeError is a ValueError
    port = parts.port or {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def depth_of(metadata: Mapping[str, object] | None) -> int:
    """How deep a run stands by its metadata; 0 for what a person asked."""
    depth = (metadata or {}).get(DEPTH_KEY, 0)
    return int(depth) if isinstance(depth, (int, float)) and not isinstance(depth, bool) else 0


class AgentFailed(DeskError):
    """The other agent cannot be reached, breaks the protocol, refuses, fails, says nothing, or says too much."""

    code = "agent_failed"
