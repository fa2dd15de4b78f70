"""What a person sees of an answer, as the judge reads it: words, code, tables, files, messages for the panes."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Grid:
    """A table that was shown, or the rows of a file that was saved."""

    columns: list[str]
    rows: list[list[Any]]


@dataclass
class Answer:
    """The last answer of a talk. `fault` says how the run failed, if it did; `files` holds names and what is in them.

    If it `is_unsure`, this is the opened answer, and `others` are those folded beside it.
    """

    text: str = ""
    code: str = ""
    tables: list[Grid] = field(default_factory=list[Grid])
    files: list[tuple[str, Grid | None]] = field(default_factory=list[tuple[str, Grid | None]])
    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    fault: str = ""
    offered: list[str] = field(default_factory=list[str])
    is_unsure: bool = False
    others: list["Answer"] = field(default_factory=list["Answer"])

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        """The contents of the messages of a type; of those without content, empty ones."""
        return [message.get("content") or {} for message in self.messages if message["type"] == kind]

    @property
    def shows(self) -> bool:
        """Whether anything came beside words and code."""
        drawn = {"image", "chart", "map", "arrow", "clear_map", "clear_arrows"}
        return bool(self.tables or self.files or any(message["type"] in drawn for message in self.messages))
