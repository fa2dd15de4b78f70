"""Chains: how deep conversations of desk agents lie in each other, so that agents who begin one in a turn of another stop."""

from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager

from smoldesk.conversations.models import AgentSession
from smoldesk.errors import Refused

MOST_KNOWN = 10_000


class Chains:
    """In memory: after a restart all conversations lie at depth 0. Any thread may call."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._depths: OrderedDict[str, int] = OrderedDict()
        self._turns: dict[tuple[str, str], str] = {}

    @contextmanager
    def turn(self, session: AgentSession, conversation_id: str) -> Generator[None]:
        """While a member takes its turn in a conversation; what it begins meanwhile lies one deeper."""
        key = (session.project_id, session.member_id)
        self._turns[key] = conversation_id
        try:
            yield
        finally:
            self._turns.pop(key, None)

    def check(self, session: AgentSession) -> None:
        """Raises Refused where nothing more may be begun."""
        if self._depth_here(session) > self._most:
            raise Refused(
                f"{self._most} conversations began one in a turn of the other, and no further one may.",
                "Answer in the conversation that there is, or wait for a person.",
            )

    def begun(self, session: AgentSession, conversation_id: str) -> None:
        """A member began this one."""
        self._depths[conversation_id] = self._depth_here(session)
        while len(self._depths) > MOST_KNOWN:
            self._depths.popitem(last=False)

    def _depth_here(self, session: AgentSession) -> int:
        turn = self._turns.get((session.project_id, session.member_id))
        return 0 if turn is None else self._depths.get(turn, 0) + 1
