"""The body of a response. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from smoldesk.wires.bodies import check_text
from smoldesk.wires.history import past_turns
from smoldesk.wires.openai_api.models import METADATA_PREFIX, BadParameter, Object, Output, Question
from smoldesk.wires.openai_api.requests import (
    MessageContent,
    about_of,
    ask_id_in,
    content_of,
    flag_of,
    form_of,
    name_of,
    object_of,
    objects_of,
    output_of,
    refuse_fields,
    text_of,
    tool_fields,
)

REFUSED: Mapping[str, Sequence[object]] = {"prompt": (), "top_logprobs": (0,)}
# Output items that clients send back; the desk has them already.
SKIPPED = ("reasoning", "function_call", "item_reference")


@dataclass(frozen=True)
class ResponseRequest:
    """A question, and how its answer is wanted."""

    question: Question
    stream: bool
    background: bool


def read_response(body: Object, headers: Mapping[str, str], message_limit: int) -> ResponseRequest:
    """Read a request for a response; an earlier message has `message_limit` characters at most. Raises BadInput."""
    about = about_of(body, headers)
    refuse_fields(body, REFUSED)
    form = form_of(object_of(body.get("text")).get("format"), "text.format", nested=False)
    previous = name_of(body.get("previous_response_id"), "previous_response_id")
    chat = _conversation(body.get("conversation"))
    if chat is not None and previous is not None:
        hint = "Expected one of `conversation` and `previous_response_id`."
        raise BadParameter("conversation", "Two conversations are named.", hint)
    background, store = flag_of(body, "background"), flag_of(body, "store", True)
    if background and not store:
        raise BadParameter("store", "A response in the background has to be stored.", "Leave `store` out.")
    question = _question(body.get("input"), message_limit)
    instructions = [text_of(body, "instructions") or "", question.pop("instructions")]
    tools: Object = {"form": form} | tool_fields(body, nested=False)
    fields: dict[str, JsonValue] = {"background": background, "store": store, "previous": previous}
    fields |= {"instructions": instructions[0] or None, "model": about["model"], "conversation": chat}
    about["metadata"] = about["metadata"] | {
        f"{METADATA_PREFIX}{name}": value for name, value in fields.items()
    }
    about["chat"] = chat or about["chat"]
    instructions_text = "\n\n".join(filter(None, instructions))
    question_ = Question(**about, **question, **tools, instructions=instructions_text, previous=previous)
    return ResponseRequest(question_, flag_of(body, "stream"), background)


def _conversation(value: object) -> str | None:
    named = object_of(value).get("id")
    return name_of(value if named is None else named, "conversation")


def _question(value: object, limit: int) -> Object:
    """Return the fields of a Question from the input: a text, or items."""
    if isinstance(value, str):
        value = [{"role": "user", "content": value}]
    messages: list[tuple[str, MessageContent]] = []
    outputs: list[Output] = []
    for index, item in enumerate(objects_of(value, "input")):
        where = f"input[{index}]"
        match item.get("type", "message"):
            case "message":
                role = text_of(item, "role", must=True) or ""
                messages.append((role, content_of(item.get("content"), f"{where}.content")))
            case "function_call_output":
                outputs.append(output_of(item.get("call_id"), item.get("output"), f"{where}.call_id"))
            case str(kind) if kind in SKIPPED:
                outputs = []  # those before it were answered
            case kind:
                raise BadParameter(where, f"An item of type {str(kind)[:40]!r} cannot be taken.")
        if messages and messages[-1][0] == "user" and item.get("type", "message") == "message":
            outputs = []
    instructions = "\n\n".join(content.text for role, content in messages if role in ("system", "developer"))
    talk = [(role, content) for role, content in messages if role not in ("system", "developer")]
    users = [content.text for role, content in talk if role == "user"]
    if outputs:
        return {"outputs": outputs, "said": users, "instructions": instructions}
    if not talk or talk[-1][0] != "user":
        raise BadParameter("input", "The last item is not a user's message.", "Expected text, or items.")
    last = talk[-1][1]
    if not last.text.strip() and not last.files:
        raise BadParameter("input", "The input is empty.", "Expected text or a file.")
    answered = talk[-2][1].text if len(talk) > 1 and talk[-2][0] == "assistant" else ""
    check_text(last.text, limit)
    return {
        "text": last.text,
        "files": last.files,
        "said": users,
        "told": past_turns(((role, content.text) for role, content in talk[:-1]), limit),
        "instructions": instructions,
        "asked": ask_id_in(answered),
    }
