"""Redacts typed secrets wherever they come back in the output."""

import re

from smoldesk.agents.terminal.line import cells

BLANK = "•••"
# Shorter secrets are redacted as whole words only; "a" would otherwise blank out every word with an a.
_WORD_ONLY = 3


class SecretRedactor:
    """Secrets of one program, in memory only."""

    def __init__(self) -> None:
        self._secrets: list[str] = []
        self._pattern: re.Pattern[str] | None = None
        self._buffer = ""

    def add(self, secret: str) -> None:
        """Redact a secret from now on; surrounding blanks are not part of it."""
        secret = secret.strip()
        if not secret or secret in self._secrets:
            return
        # Longest first: a regular expression takes the first alternative, and a shorter secret may be a part of a longer one.
        self._secrets = sorted([*self._secrets, secret], key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_pattern, self._secrets)))

    @property
    def any(self) -> bool:
        return self._pattern is not None

    def text(self, text: str) -> str:
        """Return the text with every secret redacted."""
        return text if self._pattern is None else self._pattern.sub(BLANK, text)

    def stream(self, text: str) -> str:
        """Redact a text that comes in pieces; an end that may be the start of a secret waits for the next piece."""
        if self._pattern is None:
            return text
        text, self._buffer = self._buffer + text, ""
        if text and not text.endswith("\n"):
            keep = len(self._secrets[0]) - 1
            at = self._last_safe(text, max(0, len(text) - keep)) if keep else len(text)
            text, self._buffer = text[:at], text[at:]
        return self.text(text)

    def _last_safe(self, text: str, at: int) -> int:
        """Return the last position up to `at` that does not cut a secret in two."""
        assert self._pattern is not None
        for match in self._pattern.finditer(text):
            if match.start() < at < match.end():
                return match.start()
        return at

    def partial(self, text: str) -> str:
        """Redact an unfinished line; from two characters on, also the start of a secret at its end."""
        if self._pattern is None:
            return text
        text = self.text(self._buffer + text)
        for secret in self._secrets:
            for length in range(min(len(secret) - 1, len(text)), 1, -1):
                if text.endswith(secret[:length]):
                    return text[:-length] + BLANK
        return text

    def screen(self, lines: tuple[str, ...], columns: int) -> tuple[str, ...]:
        """Redact rows of a screen, also a secret that wraps over rows; every row keeps its length."""
        if self._pattern is None or not lines:
            return lines
        rows = [line + " " * (columns - cells(line)) for line in lines]
        joined = self._pattern.sub(_same_length, "".join(rows))
        blanked: list[str] = []
        for line, row in zip(lines, rows, strict=True):
            blanked.append(joined[: len(line)])
            joined = joined[len(row) :]
        return tuple(blanked)


def _same_length(match: re.Match[str]) -> str:
    return BLANK[: len(match[0])].ljust(len(match[0]))


def _pattern(secret: str) -> str:
    plain = re.escape(secret)
    return plain if len(secret) >= _WORD_ONLY else rf"(?<!\w){plain}(?!\w)"
