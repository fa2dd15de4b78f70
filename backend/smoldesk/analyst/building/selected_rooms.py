"""Rooms that the person selected on the map: found in the desk's note, and spelled out where a request speaks of them.

Read as names, they go through everything that names of rooms go through: filters of tables, drawings, routes.
"""

import re
from collections.abc import Mapping, Sequence

from smoldesk.analyst.intents import Language
from smoldesk.analyst.tables.figures import say
from smoldesk.analyst.words.text import is_japanese

Spot = tuple[str, str]
NOTE = "the person selected these rooms: "
_ENGLISH = re.compile(
    r"\b(?:(?:all |in |of )?(?:the |these |those |my )?(?:selected|chosen|picked|marked) (?:rooms?|ones?|areas?)"
    r"|(?:these|those|this) rooms?|"
    r"(?:the|my) selection)\b",
    re.I,
)
_HERE = re.compile(r"(?<=\w )(?<!from )\bhere\b(?=\W*$| and | per | by )", re.I)
_JAPANESE = re.compile(
    r"(?:選択した|選択している|選択中の|選んだ|選択済みの|選択された)(?:部屋|ルーム|場所|エリア|ところ)?(?:たち)?|(?:この|これらの|その)部屋(?!番号)|ここ(?=[のでにはからを、]|$)"
)
_MEANT_JAPANESE = re.compile(r"(?:選択(?:した|中の|している|された|済みの)|選んだ)(?:部屋|ルーム|エリア)")
_PAINTS = re.compile(r"\b(?:colou?r|shade|play|animate)\b|色分け|塗|再生", re.I)


def selected_in(note: str, rooms: Mapping[str, Sequence[str]]) -> tuple[Spot, ...]:
    """The rooms that a note tells, floor and name; names may have commas and brackets of their own."""
    at = note.find(NOTE)
    if at < 0:
        return ()
    known = {f"{name} ({floor})": (floor, name) for floor, names in rooms.items() for name in names}
    longest = max(map(len, known), default=0)
    at += len(NOTE)
    found: list[Spot] = []
    while at < len(note):
        label = next(
            (
                note[at:end]
                for end in range(min(at + longest, len(note)), at, -1)
                if note[at:end] in known and note[end : end + 1] in ",)"
            ),
            None,
        )
        if label is None:
            break
        found.append(known[label])
        at += len(label)
        if not note.startswith(", ", at):
            break
        at += 2
    return tuple(found)


def spelled_out(text: str, selected: tuple[Spot, ...]) -> str:
    """The request with the names in place of `the selected rooms`; unchanged when nothing is selected."""
    if not selected:
        return text
    names = list(dict.fromkeys(name for _, name in selected))
    if is_japanese(text) and _JAPANESE.search(text):
        listed = "と".join(names) if len(names) < 3 else "、".join(names)
        return _JAPANESE.sub(lambda _: listed, text)
    listed = " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"
    lead = "rooms " if _PAINTS.search(text) else ""

    def said(match: re.Match[str]) -> str:
        before = next((word for word in ("in ", "of ") if match[0].lower().startswith(word)), "")
        return f"{before}{'the ' if lead else ''}{lead}{listed}"

    text = _ENGLISH.sub(said, text)
    return _HERE.sub(lambda _: f"in {listed}", text)


def speaks_of_selection(text: str) -> bool:
    """True for words that mean nothing without a selection."""
    return bool(
        re.search(r"\b(?:selected|chosen) rooms?\b|\b(?:the|my) selection\b", text, re.I)
        or _MEANT_JAPANESE.search(text)
    )


def no_selection(language: Language) -> str:
    """What to do when nothing is selected."""
    return say(
        language,
        "No room is selected. Click rooms on the map, or draw around them, and ask again.",
        "部屋が選択されていません。マップで部屋をクリックするか、囲んで選んでから、もう一度お願いします。",
    )
