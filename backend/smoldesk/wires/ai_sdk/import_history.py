"""What a client's messages ask for when they ask for something new: the message, and the talk before it. Pure."""

from dataclasses import dataclass, field

from smoldesk.chats import ToldTurn
from smoldesk.errors import BadInput
from smoldesk.wires.ai_sdk.requests import (
    EXPECTED,
    ChatRequest,
    ClientMessage,
    FilePart,
)
from smoldesk.wires.bodies import check_text

MOST_TURNS = 40
"""How many turns of a history the desk does not know are told to it: the last ones."""


@dataclass(frozen=True)
class Opening:
    """`message` is empty when another answer is wanted to what was asked last. `told` counts for a new chat only."""

    message: str
    files: list[FilePart] = field(default_factory=list[FilePart])
    told: list[ToldTurn] = field(default_factory=list[ToldTurn])


def opening_of(request: ChatRequest, message_limit: int) -> Opening:
    """Raises BadInput for a last message without text and files, and for one of more than `message_limit` bytes."""
    messages = request.messages
    last = next((at for at in range(len(messages) - 1, -1, -1) if messages[at].role == "user"), None)
    anew = request.trigger == "regenerate-message"
    if last is None:
        if anew:
            return Opening("")
        raise BadInput("There is no message of a user.", EXPECTED, code="empty")
    said = messages[last]
    if not said.text.strip() and not said.files and not anew:
        raise BadInput("The last message is empty.", "Expected text or a file.", code="empty")
    check_text(said.text, message_limit)
    told = turns_of(messages[:last], message_limit)
    return Opening(said.text, [] if anew else said.files, told)


def turns_of(messages: list[ClientMessage], most: int) -> list[ToldTurn]:
    """A history as turns, the last ones: each what a user said and what was answered, `most` characters of either."""
    turns: list[tuple[str, str]] = []
    for message in messages:
        text = message.text.strip()[:most]
        if message.role == "user" and text:
            turns.append((text, ""))
        elif message.role == "assistant" and text and turns:
            question, answer = turns[-1]
            turns[-1] = (question, f"{answer}\n\n{text}".strip()[:most])
    return [ToldTurn(*turn) for turn in turns[-MOST_TURNS:]]
