"""What was said before, which clients of some protocols send along: told to a chat that the desk does not know. Pure."""

from collections.abc import Iterable

from smoldesk.chats import PastTurn

# How many turns of such a history are told: the last ones.
MOST_TURNS = 40


def past_turns(messages: Iterable[tuple[str, str]], most: int) -> list[PastTurn]:
    """A history of (role, text) as turns, the last ones: question and answer, `most` characters of either."""
    turns: list[tuple[str, str]] = []
    for role, content in messages:
        text = content.strip()[:most]
        if role == "user" and text:
            turns.append((text, ""))
        elif role == "assistant" and text and turns:
            question, answer = turns[-1]
            turns[-1] = (question, f"{answer}\n\n{text}".strip()[:most])
    return [PastTurn(*turn) for turn in turns[-MOST_TURNS:]]
