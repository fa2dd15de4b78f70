"""Open connections by client address: their number is bounded, and those that are unfinished make room first."""

from enum import IntEnum
from typing import Protocol

from smoldesk.logs import client_key
from smoldesk.wires.security.proxies import Proxies


class Stage(IntEnum):
    """Progress of a connection's request, in the order in which connections make room."""

    WAITING = 0
    """No request, or an unfinished head."""
    SENDING = 1
    """A complete head and an unfinished body."""
    WORKING = 2
    """A complete request without its complete answer, or a WebSocket."""


class Connection(Protocol):
    """A connection that can be ended."""

    @property
    def stage(self) -> Stage: ...
    def end(self) -> None: ...


class ClientConnections:
    """The connections of one server. Those of a listed proxy are its own matter: many clients come over each."""

    def __init__(self, most: int, proxies: Proxies) -> None:
        self._most = most
        self._proxies = proxies
        self._open: dict[str, dict[Connection, None]] = {}
        self.refusal = f"There are too many connections from this address: expected at most {most}."

    def enter(self, host: str, connection: Connection) -> bool:
        """Count a new connection; beyond the number, end the oldest unfinished one of this address.

        False when all others are at work, so that the new one has to go; it makes room for the next.
        """
        if not host or host in self._proxies:
            return True
        connections = self._open.setdefault(client_key(host), {})
        connections[connection] = None
        while len(connections) > self._most:
            unfinished = (
                other
                for stage in (Stage.WAITING, Stage.SENDING)
                for other in connections
                if other.stage is stage and other is not connection
            )
            oldest = next(unfinished, None)
            if oldest is None:
                return False
            del connections[oldest]
            oldest.end()
        return True

    def leave(self, host: str, connection: Connection) -> None:
        """Forget a connection, if it was counted."""
        if host and (connections := self._open.get(key := client_key(host))) is not None:
            connections.pop(connection, None)
            if not connections:
                del self._open[key]
