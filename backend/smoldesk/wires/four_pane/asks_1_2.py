"""Asks as a client of protocol 1.2 can take part in them: a question in words, and the answer read out of a plain message.

Such a client knows no `ask` and sends nothing but messages. So its chat's asks are put to it one after the other, each as
a text; while one is put and not answered, the next message of this client is its answer. Pure.
"""

import json
import re
import unicodedata

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.runs import Answer

YES = frozenset(
    ["yes", "y", "ok", "okay", "allow", "approve", "true", "はい", "ええ", "うん", "承認", "許可"]
)
NO = frozenset(["no", "n", "deny", "reject", "cancel", "false", "いいえ", "いや", "だめ", "拒否", "却下"])
SAYS_NO = 'To refuse, answer "no" (いいえ); a reason may follow: "no: too much".'


class Questions:
    """The open asks of a chat as one client of 1.2 meets them; `put` is the one it was asked and has not answered."""

    def __init__(self) -> None:
        self._waiting: dict[str, Ask] = {}
        self.put: Ask | None = None

    def opened(self, ask: Ask) -> Ask | None:
        """Take in an ask; it is returned when it is to be put now, and comes later when another one is open."""
        if ask.kind == "client_tool":
            return None  # work for a client that knows what it is
        self._waiting[ask.id] = ask
        return self._next() if len(self._waiting) == 1 else None

    def closed(self, ask_id: str) -> Ask | None:
        """An ask ended, by any answer; returns the one to put next."""
        was_first = next(iter(self._waiting), None) == ask_id
        self._waiting.pop(ask_id, None)
        return self._next() if was_first else None

    def answered(self, ask_id: str) -> None:
        """The client's answer counted: what it says from now on is no answer to this ask."""
        if self.put is not None and self.put.id == ask_id:
            self.put = None

    def _next(self) -> Ask | None:
        self.put = next(iter(self._waiting.values()), None)
        return self.put


def in_words(ask: Ask) -> str:
    """The question as Markdown, and how to answer it."""
    lines = [f"**{_plain(ask.prompt) or 'An answer is needed.'}**"]
    if ask.code_line:
        lines.append(_fenced(ask.code_line, "python"))
    if ask.arguments:  # the line of code may show names where these are the values
        lines.append(_fenced(json.dumps(ask.arguments, ensure_ascii=False, indent=1), "json"))
    if ask.input_type == "selection":
        lines += [f"{number}. {_plain(option)}" for number, option in enumerate(ask.options, 1)]
    lines.append(_how(ask))
    return "\n\n".join(lines)


def read_reply(ask: Ask, message: str) -> Answer:
    """The answer a plain message gives to an ask. Raises BadInput, which says what is expected, when it gives none."""
    match ask.input_type:
        case "text" | "password":
            return Answer(True, message)
        case "selection":
            return _selected(ask, message)
        case "confirmation":
            return _confirmed(ask, message)


def _confirmed(ask: Ask, message: str) -> Answer:
    if _word(message) in YES:
        return Answer(True)
    return _refused(message) or _unclear(ask)


def _selected(ask: Ask, message: str) -> Answer:
    said = _word(message)
    for option in ask.options:
        if _word(option) == said:
            return Answer(True, option)
    number = re.fullmatch(r"#?([0-9]{1,4})", said)
    if number is not None and 1 <= int(number[1]) <= len(ask.options):
        return Answer(True, ask.options[int(number[1]) - 1])
    return _refused(message) or _unclear(ask)


def _refused(message: str) -> Answer | None:
    """A no, with the reason that follows it; never a yes that has conditions."""
    first, _, reason = re.sub(r"[,:;、。，：]", "\0", message, count=1).partition("\0")
    return Answer(False, reason=reason.strip()[:500]) if _word(first) in NO else None


def _unclear(ask: Ask) -> Answer:
    raise BadInput("That is no answer to the open question.", _how(ask), code="bad_answer")


def _how(ask: Ask) -> str:
    match ask.input_type:
        case "confirmation":
            return f'Answer "yes" (はい) to go on. {SAYS_NO}'
        case "selection":
            return f"Answer with one of the options or its number, 1 to {len(ask.options)}. {SAYS_NO}"
        case "text":
            return "Answer with the text: your next message is taken as it is."
        case "password":
            return "Answer with the secret: your next message is taken as it is, and not shown."


def _word(text: str) -> str:
    """A short answer without what does not matter: case, width, spaces and the mark at its end."""
    return unicodedata.normalize("NFKC", text).strip().rstrip(".!。").strip().casefold()


def _plain(text: str) -> str:
    """One line of text that Markdown leaves alone."""
    return re.sub(r"([\\`*_\[\]<>#&])", r"\\\1", " ".join(text.split()))


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
