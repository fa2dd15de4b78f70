"""The bracket at the end of a prompt: choices, a range, or the default value. Pure."""

import re
from dataclasses import dataclass

from smoldesk.agents.terminal.prompt_patterns import NO, YES

PAIRS = {"]": "[", ")": "(", ">": "<", "}": "{"}
SEPARATORS = re.compile(r"\s*(?:[/,|、]|\bor\b|または)\s*")
DEFAULT = re.compile(
    r"(?:\bdefault(?:s to| is)?|デフォルト|既定(?:値)?)[\s:=は]*['\"]?([^\s'\",;)\]]+)['\"]?", re.I
)
RANGE = re.compile(r"(\d{1,4})\s*(?:-|–|\.\.|~|〜|to|から)\s*(\d{1,4})", re.I)
LETTERS = re.compile(r"[A-Za-z?]{3,12}")
# An answer with its letter in brackets: [y]es, (A)bort.
ATTACHED = re.compile(r"[\[(]([A-Za-z0-9])[\])][a-z]{1,20}")
BLANK_KEEPS = re.compile(
    r"\b(?:blank|empty|enter)\b.{0,30}?(?:use|for|keep)\s+['\"]([^'\"]{1,80})['\"]", re.I
)
# Choices of a range: more are no list to choose from.
MAX_CHOICES = 30


@dataclass(frozen=True)
class Bracket:
    """A bracket: `head` is the text before it, `inside` its content, `end` the signs after it, `sign` its opening character."""

    head: str
    inside: str
    end: str
    sign: str


def bracket_of(line: str) -> Bracket | None:
    """Find the bracket that ends a line, apart from signs such as ":" and "?"."""
    end = len(line)
    while end and line[end - 1] in " \t:?>.":
        end -= 1
    if not end or line[end - 1] not in "])}":
        # "<y/n>" ends in a sign of asking itself
        end = len(line.rstrip(" \t:?"))
        if not end or line[end - 1] not in PAIRS:
            return None
    closing, opening = line[end - 1], PAIRS[line[end - 1]]
    depth = 0
    for at in range(end - 1, -1, -1):
        if line[at] == closing:
            depth += 1
        elif line[at] == opening:
            depth -= 1
            if depth == 0:
                return Bracket(
                    line[:at].rstrip(), line[at + 1 : end - 1].strip(), line[end:].strip(), opening
                )
    return None


@dataclass(frozen=True)
class Choices:
    """Choices in a bracket; `yes_no` when they are yes and no."""

    options: tuple[str, ...]
    default: str | None
    yes_no: bool


def choices_of(inside: str) -> Choices | None:
    """Read choices: "y/N", "[y]/n", "yes/no/[fingerprint]", "1/2/3", "1-4, default 1", "Ynaq"."""
    default, remaining = _named_default(inside)
    if remaining.startswith(("/", "~", ".", "\\")):
        return None  # a path
    between = RANGE.fullmatch(remaining)
    if between:
        return _range(int(between[1]), int(between[2]), default)
    tokens = [token for token in SEPARATORS.split(remaining) if token]
    if len(tokens) < 2 or any(len(token) > 24 or token.count(" ") > 2 for token in tokens):
        return _letters(remaining, default)
    marked = [token[1:-1] for token in tokens if token[0] in "[(" and token[-1] in "])"]
    plain = [token.strip("[]()'\"") for token in tokens]
    lower = [token.lower() for token in plain]
    # ssh: "yes/no/[fingerprint]", where the third choice is something to type and not the default
    if len(plain) in (2, 3) and lower[0] in YES and lower[1] in NO and (len(plain) == 2 or len(plain[2]) > 3):
        return _yes_no(plain[:2], default or next((token for token in marked if token in plain[:2]), None))
    if len(plain) == 2 and lower[0] in NO and lower[1] in YES:
        return _yes_no(plain, default or (marked[0] if marked else None))
    if not all(plain):
        return None
    if default is None:
        default = marked[0] if len(marked) == 1 and len(marked[0]) <= 3 else _capitalized(plain)
    return Choices(tuple(dict.fromkeys(plain)), default if default in plain else None, False)


def attached_of(line: str) -> Choices | None:
    """Read choices by their letters: "[y]es, [n]o, [A]ll"."""
    letters = ATTACHED.findall(line)
    return Choices(tuple(dict.fromkeys(letters)), None, False) if len(letters) >= 2 else None


def default_of(inside: str) -> str:
    """Return the value that an empty answer means, from a bracket without choices."""
    match = BLANK_KEEPS.search(inside)
    if match:
        return match[1]
    default, remaining = _named_default(inside)
    return default if default is not None else remaining


def has_default(inside: str) -> bool:
    """Return whether the bracket names its value as the default."""
    return BLANK_KEEPS.search(inside) is not None or DEFAULT.search(inside) is not None


def _named_default(inside: str) -> tuple[str | None, str]:
    named = DEFAULT.search(inside)
    if named is None:
        return None, inside
    remaining = (inside[: named.start()] + inside[named.end() :]).strip(" ,;:")
    return named[1], remaining


def _yes_no(tokens: list[str], default: str | None) -> Choices:
    """Return the two answers, in lower case if a capital marks the default: some programs accept capitals only."""
    default = default or _capitalized(tokens)
    if default is not None:
        tokens, default = [token.lower() for token in tokens], default.lower()
    options = tuple(tokens)
    if default is not None and default not in options:
        default = next((option for option in options if option[0] == default[0]), None)
    return Choices(options, default, True)


def _capitalized(tokens: list[str]) -> str | None:
    """Return the token that begins with a capital among lower-case ones."""
    capital = [token for token in tokens if token[:1].isupper()]
    small = [token for token in tokens if token[:1].islower()]
    return capital[0] if len(capital) == 1 and small else None


def _range(first: int, last: int, default: str | None) -> Choices | None:
    if not first < last < first + MAX_CHOICES:
        return None
    options = tuple(str(number) for number in range(first, last + 1))
    return Choices(options, default if default in options else None, False)


def _letters(inside: str, default: str | None) -> Choices | None:
    """Read one-letter answers in a row, the default as the only capital: "Ynaqdh"."""
    capital = [letter for letter in inside if letter.isupper()]
    if not LETTERS.fullmatch(inside) or len(capital) != 1 or len(set(inside)) < len(inside):
        return None
    if {"y", "n"} - set(inside.lower()):
        return None
    return Choices(tuple(inside), default or capital[0], False)
