"""A context that notes what is said, for calls without a run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from smoldesk.events import Ask, ProgressState
from smoldesk.folders import add
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer


@dataclass
class NotingContext:
    """Implements tools.context.RunContext; `answer` is what people say to an ask."""

    folder: Path
    answer: Callable[[Ask], Answer] = lambda ask: Answer(granted=True, value="Kyoto")
    chat_id: str = "c_1"
    call_id: str = "r_1.1"
    stop: StopFlag = field(default_factory=StopFlag)
    said: list[tuple[str, ProgressState, str]] = field(default_factory=list[tuple[str, ProgressState, str]])
    contexts: list[str] = field(default_factory=list[str])
    asks: list[Ask] = field(default_factory=list[Ask])
    heard: Callable[[str], None] = lambda text: None

    def say(self, agent: str, state: ProgressState, text: str = "", context_id: str | None = None) -> None:
        self.said.append((agent, state, text))
        if context_id is not None:
            self.contexts.append(context_id)
        self.heard(text)

    def settle(self) -> None: ...

    def ask(self, ask: Ask) -> Answer:
        self.asks.append(ask)
        return self.answer(ask)

    def add_file(self, name: str, content: bytes) -> str:
        return add(self.folder, name, content)

    def words(self) -> str:
        return "".join(text for _, _, text in self.said)

    def states(self) -> list[ProgressState]:
        """Each state once, in order."""
        found: list[ProgressState] = []
        for _, state, _ in self.said:
            if not found or found[-1] != state:
                found.append(state)
        return found
