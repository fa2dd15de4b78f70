"""The body of a chat completion. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smoldesk.wires.bodies import check_text
from smoldesk.wires.history import past_turns
from smoldesk.wires.openai_api.models import BadParameter, Object, Question
from smoldesk.wires.openai_api.requests import (
    MessageContent,
    about_of,
    ask_id_in,
    content_of,
    flag_of,
    form_of,
    object_of,
    objects_of,
    output_of,
    refuse_fields,
    tool_fields,
)

REFUSED: Mapping[str, Sequence[object]] = {
    "n": (1,),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "audio": (),
    "modalities": (["text"],),
    "functions": ([],),
    "function_call": ("auto", "none"),
    "web_search_options": (),
}
ROLES = ("system", "developer", "user", "assistant", "tool")


@dataclass(frozen=True)
class CompletionRequest:
    """A question, and how its answer is wanted."""

    question: Question
    stream: bool
    usage: bool
    """Whether the stream ends with the tokens that were counted."""
    is_chore: bool = False
    """Whether a front end asks it for itself: a title, tags, what might be asked next."""


def read_completion(body: Object, headers: Mapping[str, str], message_limit: int) -> CompletionRequest:
    """Read a request for a chat completion; an earlier message has `message_limit` characters at most. Raises BadInput."""
    about = about_of(body, headers)
    refuse_fields(body, REFUSED)
    form = form_of(body.get("response_format"), "response_format", nested=True)
    messages = objects_of(body.get("messages"), "messages")
    if not messages:
        raise BadParameter("messages", "There are no `messages`.", "", "missing_required_parameter")
    wants_usage = flag_of(object_of(body.get("stream_options")), "include_usage")
    question = _question(
        [_message(message, f"messages[{at}]") for at, message in enumerate(messages)], message_limit
    )
    tools: Object = {"form": form} | tool_fields(body, nested=True)
    streams = flag_of(body, "stream")
    if streams or any(tools.values()) or not _is_chore(question, len(messages)):
        return CompletionRequest(Question(**about, **question, **tools), streams, wants_usage)
    nowhere = {"chat": None, "scope": None, "key": None}
    return CompletionRequest(Question(**(about | nowhere), **question), streams, wants_usage, is_chore=True)


def _is_chore(question: Object, messages: int) -> bool:
    """Return whether it is what Open WebUI's templates make, with the talk that it is about inside."""
    text = question.get("text", "")
    is_one = messages == 1 and not question.get("files")
    return is_one and text.startswith("### Task:") and "<chat_history>" in text and "</chat_history>" in text


@dataclass(frozen=True)
class _ChatMessage:
    role: str
    content: MessageContent
    raw: Object
    where: str


def _message(message: Object, where: str) -> _ChatMessage:
    role = message.get("role")
    if role not in ROLES:
        expected = f"Expected one of: {', '.join(ROLES)}."
        raise BadParameter(f"{where}.role", f"The role {str(role)[:40]!r} is not known.", expected)
    return _ChatMessage(role, content_of(message.get("content"), f"{where}.content"), message, where)


def _question(messages: list[_ChatMessage], limit: int) -> Object:
    """Return the fields of a Question from the messages."""
    instructions = "\n\n".join(
        message.content.text for message in messages if message.role in ("system", "developer")
    )
    talk = [message for message in messages if message.role not in ("system", "developer")]
    users = [turn.content.text for turn in talk if turn.role == "user"]
    if talk and talk[-1].role == "tool":
        first = (
            next(at for at in range(len(talk), 0, -1) if talk[at - 1].role != "tool") if len(talk) > 1 else 0
        )
        talk_ = talk[first:]
        outputs = [
            output_of(turn.raw.get("tool_call_id"), turn.raw.get("content"), f"{turn.where}.tool_call_id")
            for turn in talk_
        ]
        return {"outputs": outputs, "said": users, "instructions": instructions}
    if not talk or talk[-1].role != "user":
        raise BadParameter("messages", "The last message is not a user's.", "Expected role user or tool.")
    last, before = talk[-1], talk[:-1]
    if not last.content.text.strip() and not last.content.files:
        raise BadParameter("messages", "The last message is empty.", "Expected text or a file.")
    answered = before[-1].content.text if before and before[-1].role == "assistant" else ""
    check_text(last.content.text, limit)
    return {
        "text": last.content.text,
        "files": last.content.files,
        "said": users,
        "told": past_turns(((turn.role, turn.content.text) for turn in before), limit),
        "instructions": instructions,
        "asked": ask_id_in(answered),
    }
