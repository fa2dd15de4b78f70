"""Earlier messages that clients of some protocols send with a request, for chats that are new to the desk. Pure."""

from collections.abc import Iterable

from smoldesk.chats import PastTurn

# Turns of a history that are used: the last ones.
MAX_TURNS = 40


def past_turns(messages: Iterable[tuple[str, str]], most: int) -> list[PastTurn]:
    """Return the last turns (question and answer) of (role, text) pairs, each cut after `most` characters."""
    turns: list[tuple[str, str]] = []
    for role, content in messages:
        text = content.strip()[:most]
        if role == "user" and text:
            turns.append((text, ""))
        elif role == "assistant" and text and turns:
            question, answer = turns[-1]
            turns[-1] = (question, f"{answer}\n\n{text}".strip()[:most])
    return [PastTurn(*turn) for turn in turns[-MAX_TURNS:]]
