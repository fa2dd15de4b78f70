"""Actor: who a request comes from, for the audit log; it goes with the request through tasks and `asyncio.to_thread`."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Actor:
    """Sender of a request: `who` names a credential, never contains it; `address` is the client's, `wire` a protocol."""

    who: str
    address: str = ""
    wire: str = ""


# Threads of runs and of the server have no request: what they do, the desk does.
DESK = Actor("desk")
current_actor: ContextVar[Actor] = ContextVar("current_actor", default=DESK)


@contextmanager
def acting(actor: Actor) -> Generator[None]:
    """Have what is done inside belong to an actor."""
    token = current_actor.set(actor)
    try:
        yield
    finally:
        current_actor.reset(token)
