"""A run's context that keeps what was said, and a program that is played from a list: for tests without a terminal."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.errors import NotFound
from smoldesk.events import (
    Ask,
    Delta,
    Printed,
    RunEvent,
    StoredEvent,
)
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.store.files import FileKind, StoredFile


@dataclass
class RecordingContext:
    """Implements terminal.context.RunContext; `answers` are given one after the other."""

    folder: Path
    answers: list[Answer] = field(default_factory=list[Answer])
    events: list[RunEvent] = field(default_factory=list[RunEvent])
    asks: list[Ask] = field(default_factory=list[Ask])
    batches: list[tuple[RunEvent, ...]] = field(default_factory=list[tuple[RunEvent, ...]])
    stored_files: list[str] = field(default_factory=list[str])
    past: list[StoredEvent] = field(default_factory=list[StoredEvent])
    stop: StopFlag = field(default_factory=StopFlag)
    chat_id: str = "c_1"
    attachments: list[str] = field(default_factory=list[str])

    def emit(self, *events: RunEvent) -> None:
        self.events += events
        self.batches.append(events)

    def emit_soon(self, event: Delta | Printed) -> None:
        self.events.append(event)

    def ask(self, ask: Ask) -> Answer:
        self.asks.append(ask)
        return self.answers.pop(0)

    def keep_file(self, relative: str, kind: FileKind, name: str | None = None) -> StoredFile:
        file = self.folder / relative
        if not file.is_file():
            raise NotFound(f"There is no {relative}.")
        self.stored_files.append(relative)
        return StoredFile(
            f"f_{len(self.stored_files)}", self.chat_id, kind, relative, file.stat().st_size, "text/plain"
        )

    def history(self) -> list[StoredEvent]:
        return self.past


class PlayedProgram:
    """A program whose looks are a list; after the last one it stands as that one did. Its clock is `now`."""

    def __init__(self, profile: Profile, *looks: Progress) -> None:
        self.profile = profile
        self.looks = list(looks)
        self.last = Progress()
        self.now = 0.0
        self.fresh = False
        self.rests_at = ""
        self.closed = False
        self.typed: list[str] = []
        self.on_key: Callable[[str], Progress | None] = lambda key: None

    @property
    def exit_code(self) -> int | None:
        return self.last.exit_code

    def _key(self, key: str) -> None:
        self.typed.append(key)
        if (progress := self.on_key(key)) is not None:
            self.looks.insert(0, progress)

    def send(self, text: str) -> None:
        self.fresh = False
        self._key(text)

    def answer(self, value: str, secret: bool = False) -> None:
        self._key(f"({value})" if secret else f"{value}⏎")

    def press(self, keys: str) -> None:
        self._key(keys)

    def interrupt(self) -> None:
        self._key("^C")

    def wait(self, seconds: float, stop: StopFlag | None = None) -> Progress:
        if self.looks:
            self.now += 0.01
            self.last = self.looks.pop(0)
        else:
            self.now += max(seconds, 0.01)
            self.last = replace(
                self.last, text="", changed=False, quiet_for=self.last.quiet_for + max(seconds, 0.01)
            )
        return self.last

    def close(self) -> None:
        self.closed = True
        self.last = replace(self.last, exit_code=-9)
