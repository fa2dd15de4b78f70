"""Lines of an answer: headers of its Markdown tables, and the headings that its lists and paragraphs stand under."""

import re
from bisect import bisect_right
from dataclasses import dataclass

_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_LEAD = re.compile(r"^\s*#{1,6}\s|[:：]\s*(?:\*\*)?\s*$|^\s*\*\*[^*]+\*\*\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•・]|\(?\d{1,3}[.)])\s+")


@dataclass(frozen=True)
class AnswerLines:
    """Starts of an answer's lines; for each line its table's header, and the line that it stands under."""

    text: str
    starts: list[int]
    headers: list[list[str]]
    leads: list[str]

    @classmethod
    def of(cls, text: str) -> "AnswerLines":
        """Read the lines of a text."""
        lines = text.split("\n")
        starts, headers, leads = [0], list[list[str]](), list[str]()
        header: list[str] = []
        lead = ""
        for number, line in enumerate(lines):
            starts.append(starts[-1] + len(line) + 1)
            if "|" not in line:
                header = []
            elif number + 1 < len(lines) and _RULE.match(lines[number + 1]):
                header = _cells(line)
            headers.append(header)
            is_paragraph = bool(line.strip()) and not _ITEM.match(line) and "|" not in line
            if (
                is_paragraph
                and number
                and not lines[number - 1].strip()
                and not lead.lstrip().startswith("#")
            ):
                lead = ""
            leads.append(lead)
            if _LEAD.search(line):
                lead = line
        return cls(text, starts, headers, leads)

    def line_at(self, offset: int) -> int:
        """Return the number of the line of a character."""
        return bisect_right(self.starts, offset) - 1

    def is_item(self, offset: int) -> bool:
        """Return whether a character stands in an item of a list."""
        return bool(_ITEM.match(self.text, self.starts[self.line_at(offset)]))

    def header_at(self, offset: int) -> str:
        """Return the header of the table's column that a character stands in; empty outside of tables."""
        line = self.line_at(offset)
        header = self.headers[line]
        if not header:
            return ""
        column = len(_cells(self.text[self.starts[line] : offset] + "\0")) - 1
        return header[column] if column < len(header) else ""

    def is_key(self, start: int, end: int) -> bool:
        """Return whether a number names its line: as the first cell, before a colon at the start of an item, or quoted."""
        line = self.line_at(start)
        before, after = self.text[self.starts[line] : start], self.text[end : end + 8]
        if self.headers[line]:
            return not before.strip("| *`\t")
        if before.endswith("「") and after.startswith("」"):
            return True
        return not re.sub(rf"^{_ITEM.pattern}", "", before).strip(" *`\t") and bool(
            re.match(r"[年月日時年生]*\**\s*(?:[:：=–—]|-\s)", after)
        )


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
