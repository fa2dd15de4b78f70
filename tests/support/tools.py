"""Tools for tests: each remembers on the host what it really ran with."""

import threading
import time
from typing import ClassVar, Literal

from smoldesk.tools.policy import DeskTool


class Noting(DeskTool):
    """Says what it was given; `ran` is the truth about which calls ran, in order."""

    name = "note"
    description = "Notes a word."
    inputs: ClassVar = {"word": {"type": "string", "description": "the word"}}
    output_type = "string"

    def __init__(self, ran: list[str]) -> None:
        super().__init__()
        self._ran = ran

    def forward(self, word: str) -> str:
        self._ran.append(word)
        return f"noted {word}"


class Paying(Noting):
    """Asks a person before each call."""

    name = "pay"
    description = "Pays, after a person agreed."
    approval: ClassVar[Literal["never", "once", "always"]] = "always"

    def forward(self, word: str) -> str:
        self._ran.append(word)
        return f"paid {word}"


class Failing(Noting):
    """Runs, then raises."""

    name = "fail"
    description = "Always fails."

    def forward(self, word: str) -> str:
        self._ran.append(word)
        raise ValueError(f"no luck with {word}")


class Idle(DeskTool):
    """Takes no arguments."""

    name = "idle"
    description = "Does nothing."
    inputs: ClassVar = {}
    output_type = "string"

    def forward(self) -> str:
        return "rested"


class Huge(DeskTool):
    """Returns `size` characters."""

    name = "huge"
    description = "Returns a lot of text."
    inputs: ClassVar = {"size": {"type": "integer", "description": "how many characters"}}
    output_type = "string"

    def forward(self, size: int) -> str:
        return "x" * size


class Sleeping(DeskTool):
    """Will not be hurried: sleeps on the host, `began` says since when."""

    name = "sleep"
    description = "Sleeps."
    inputs: ClassVar = {"seconds": {"type": "number", "description": "how long"}}
    output_type = "string"

    def __init__(self, began: threading.Event) -> None:
        super().__init__()
        self._began = began

    def forward(self, seconds: float) -> str:
        self._began.set()
        time.sleep(seconds)
        return "slept"
