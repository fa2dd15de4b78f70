"""What a client's messages ask for when they ask for something new: the message, its files and the talk before it."""

from dataclasses import dataclass, field

from smoldesk.chats import ToldTurn
from smoldesk.errors import BadInput
from smoldesk.wires.ai_sdk.requests import EXPECTED, ChatRequest
from smoldesk.wires.attachments import FilePart
from smoldesk.wires.bodies import check_text
from smoldesk.wires.history import turns_of


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
    told = turns_of(((one.role, one.text) for one in messages[:last]), message_limit)
    return Opening(said.text, [] if anew else said.files, told)
