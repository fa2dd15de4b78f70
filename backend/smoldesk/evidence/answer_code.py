"""Code of a run as evidence: figures that it computed for its answer, and numbers that it selects rows by. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from smoldesk import messages as m
from smoldesk.evidence.text_figure import Figure

# Words before a number that selects rows: a condition, or the length of a list.
_SELECTS = re.compile(
    r"(?i)(?:[=<>≥≤]|\b(?:top|bottom|first|last|older than|younger than|over|under|above|below|at least|at most|between|than)"
    r"|上位|下位|先頭|最初の)\s*$"
)


@dataclass(frozen=True)
class AnswerCode:
    """Code of a run by step; with `is_final` the last one gave the answer to `final_answer`."""

    steps: Mapping[int, str] = field(default_factory=dict[int, str])
    is_final: bool = False

    @cached_property
    def complete(self) -> str:
        return "\n".join(self.steps.values())

    @cached_property
    def numbers(self) -> Mapping[str, m.EvidencePlace]:
        """Lines of the numbers that the code holds, without separators."""
        return {
            re.sub(r"[,_]", "", match[0]): m.EvidencePlace(kind="code", step=step, line=number)
            for step, code in self.steps.items()
            for number, line in enumerate(code.split("\n"), 1)
            if "final_answer(" not in line
            for match in re.finditer(r"(?<![\w.])\d[\d,_]*(?:\.\d+)?", line)
        }

    def place(self, figure: Figure, text: str) -> m.EvidencePlace | None:
        """Return the line that computed a figure, or that selects rows by it; None for one that the code's text holds."""
        line = text[max(0, figure.start - 60) : figure.start].rpartition("\n")[2]
        digits = re.sub(r"[^\d.]", "", figure.text)
        if _SELECTS.search(line) and digits in self.numbers:
            return self.numbers[digits]
        if not self.is_final:
            return None
        before, after = line[-6:], text[figure.end : figure.end + 3].split("\n")[0]
        snippet = f"{before}{figure.text}" if before.strip() else f"{figure.text}{after}"
        is_written = len(digits) > 2 and re.search(rf"(?<![\d.]){re.escape(digits)}(?![\d.])", self._plain)
        if is_written or snippet in self.complete or (figure.kind == "word" and figure.text in self.complete):
            return None
        step = max(self.steps)
        return m.EvidencePlace(kind="code", step=step, line=self._line(self.steps[step].split("\n"), line))

    @cached_property
    def _plain(self) -> str:
        return re.sub(r"(?<=\d)[,_](?=\d)", "", self.complete)

    @staticmethod
    def _line(lines: list[str], before: str) -> int:
        """Return the line that holds the words before a figure, or the call of final_answer."""
        for length in (24, 12, 6):
            piece = before[-length:].rstrip("$€£¥([ ")
            for number, line in enumerate(lines, 1):
                if len(piece.strip()) > 2 and piece in line:
                    return number
        return max((number for number, line in enumerate(lines, 1) if "final_answer(" in line), default=1)
