"""Requests of both kinds: texts, files, tools, and fields that are refused instead of ignored. Pure.

Read leniently: fields that only tune a model are skipped; those that would change the answer are refused by name.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any, cast

from pydantic import JsonValue

from smoldesk.agents.answer_schema import check_schema
from smoldesk.errors import BadInput
from smoldesk.messages.strict_json import read_strict_json
from smoldesk.runs import ClientToolSpec
from smoldesk.wires.attachments import FilePart
from smoldesk.wires.bodies import checked_metadata
from smoldesk.wires.openai_api.models import (
    CALL,
    METADATA_PREFIX,
    NAMED,
    BadParameter,
    Object,
    Output,
    client_name,
)

# Maximum bytes of a request: it contains the chat's history, images included.
BODY_LIMIT = 16 * 1024 * 1024
MAX_TOOLS = 128
# Maximum characters of a schema's name.
MAX_FORM_NAME = 64
# Maximum characters of a client's names for a chat, a person or a request.
MAX_NAME = 500
EXPECTED = 'Expected {"model": "...", "messages": [{"role": "user", "content": "..."}]}.'
_TOOL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_ASK_ADDRESS = re.compile(r"[#&]ask=(a_[0-9a-f]{24})\b")
_FILE_KINDS = {"pdf": "application/pdf", "csv": "text/csv"}

# Headers with the user of a conversation: of Open WebUI, and as LibreChat can be configured.
SCOPE_HEADERS = ("x-openwebui-user-id", "x-openwebui-chat-id", "x-conversation-id")


def text_of(body: Mapping[str, Any], name: str, must: bool = False) -> str | None:
    """Return a text field; None if it is missing. Raises BadParameter."""
    value = body.get(name)
    if value is None and not must:
        return None
    if not isinstance(value, str) or (must and not value):
        code = "missing_required_parameter" if value is None else "invalid_type"
        raise BadParameter(name, f"`{name}` is not a text.", "Expected a string.", code)
    return value


def name_of(value: object, where: str) -> str | None:
    """Return a client's name. Raises BadParameter for one that is too long."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > MAX_NAME or "\0" in value:  # which is between names
        raise BadParameter(where, f"`{where}` is not a name.", f"Expected at most {MAX_NAME} characters.")
    return value


def flag_of(body: Mapping[str, Any], name: str, default: bool = False) -> bool:
    """Return a boolean field. Raises BadParameter."""
    value = body.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise BadParameter(name, f"`{name}` is neither true nor false.", "", "invalid_type")
    return value


def object_of(value: object) -> Object:
    """Return an object; an empty one for other values."""
    return cast(Object, value) if isinstance(value, dict) else {}


def objects_of(value: object, where: str) -> list[Object]:
    """Return an array of objects. Raises BadParameter."""
    items = cast("list[Any]", value) if isinstance(value, list) else []
    if not isinstance(value, list) or any(not isinstance(item, dict) for item in items):
        raise BadParameter(where, f"`{where}` is not an array of objects.", EXPECTED, "invalid_type")
    return items


def refuse_fields(body: Mapping[str, Any], refused: Mapping[str, Sequence[object]]) -> None:
    """Raise BadParameter for a field with a request that no agent supports, except for its listed harmless values."""
    for name, harmless in refused.items():
        value = body.get(name)
        if value is not None and value not in harmless:
            advice = f" Leave it out{''.join(f', or send {value!r}' for value in harmless)}."
            raise BadParameter(name, f"`{name}` is not supported.{advice}", "", "unsupported_parameter")


def form_of(value: object, where: str, nested: bool) -> Object | None:
    """Return the requested form of an answer; None for text. `nested`: a schema is under `json_schema`, as in chat
    completions.

    Raises BadParameter.
    """
    if value is not None and not isinstance(value, dict):
        raise BadParameter(
            where, f"`{where}` is not a JSON object.", 'Expected {"type": ...}.', "invalid_type"
        )
    form = object_of(cast("Object | None", value))
    kind = form.get("type", "text")
    if kind in ("text", "json_object"):
        return {"type": kind} if kind != "text" else None
    if kind != "json_schema":
        raise BadParameter(
            where,
            f"Answers of the form {str(kind)[:40]!r} are not supported.",
            "Expected 'text', 'json_object' or 'json_schema'.",
            "unsupported_value",
        )
    about, where = (object_of(form.get(kind)), f"{where}.{kind}") if nested else (form, where)
    try:
        check_schema(about.get("schema"))
    except BadInput as fault:
        raise BadParameter(f"{where}.schema", fault.message, fault.hint, fault.code) from None
    name = text_of(about, "name", must=True) or ""
    if len(name) > MAX_FORM_NAME:
        raise BadParameter(
            f"{where}.name", "The name is too long.", f"Expected at most {MAX_FORM_NAME} characters."
        )
    kept: Object = {"type": kind, "name": name, "schema": about["schema"]}
    return kept | {"strict": about.get("strict") is True}


# --- tools ------------------------------------------------------------------------------------------------------------


def tool_fields(body: Mapping[str, Any], nested: bool) -> Object:
    """Return the fields of a Question about the client's tools: those on offer, the required call, the form of a forced one.

    `nested`: under `function`, as in chat completions. Raises BadParameter.
    """
    tools, choice = _tools_of(body, nested), body.get("tool_choice")
    if choice in (None, "auto"):
        return {"tools": tools}
    if choice == "none":
        return {}
    if choice == "required":
        if not tools:
            raise BadParameter("tool_choice", "A tool is required, but there are no `tools`.")
        return {"tools": tools, "must_call": True}
    if object_of(choice).get("type") != "function":
        hint = "Expected 'auto', 'none', 'required' or a function by its name."
        raise BadParameter(
            "tool_choice", f"`tool_choice` cannot be {json.dumps(choice)[:60]}.", hint, "unsupported_value"
        )
    name = object_of(choice.get("function", choice)).get("name")
    names = [client_name(tool) for tool in tools]
    if name not in names:
        hint = f"Expected one of: {', '.join(names) or 'none, as there are no tools'}."
        raise BadParameter("tool_choice", f"The tool {str(name)[:64]!r} is not among `tools`.", hint)
    return {"form": _call_form(tools[names.index(name)], f"tools[{names.index(name)}].parameters")}


def _call_form(tool: ClientToolSpec, where: str) -> Object:
    """Return the form of an answer that is the arguments of a tool. Raises BadParameter for an unsupported schema."""
    schema: Object = {name: value for name, value in tool.parameters.items() if name != NAMED}
    schema = {"type": "object"} | schema | ({"description": tool.description} if tool.description else {})
    try:
        check_schema(schema)
    except BadInput as fault:
        raise BadParameter(where, fault.message, fault.hint, fault.code) from None
    return {"type": CALL, "name": client_name(tool), "schema": schema}


def _tools_of(body: Mapping[str, Any], nested: bool) -> list[ClientToolSpec]:
    """Return the tools that the client runs. Code calls them, so a name has _ for each -. Raises BadParameter."""
    tools: dict[str, ClientToolSpec] = {}
    items = objects_of(body.get("tools") or [], "tools")
    if len(items) > MAX_TOOLS:
        raise BadParameter(
            "tools", f"{len(items)} tools came.", f"At most {MAX_TOOLS}.", "array_above_max_length"
        )
    for index, value in enumerate(items):
        where = f"tools[{index}]"
        if value.get("type") != "function":
            kind = str(value.get("type"))[:40]
            raise BadParameter(
                f"{where}.type",
                f"Tools of type {kind!r} are not run here.",
                "Expected 'function', a tool that the client runs.",
                "unsupported_value",
            )
        tool = _tool(value.get("function") if nested else value, where)
        if tool.name in tools:
            raise BadParameter(f"{where}.name", f"There are two tools {tool.name!r}.")
        tools[tool.name] = tool
    return list(tools.values())


def _tool(value: object, where: str) -> ClientToolSpec:
    about = object_of(value)
    name, description, schema = about.get("name"), about.get("description"), about.get("parameters")
    if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name) or iskeyword(name):
        hint = "Expected letters, digits, _ and -, at most 64, and no word of Python."
        raise BadParameter(f"{where}.name", "A tool has no name that it can be called by.", hint)
    if schema is not None and not isinstance(schema, dict):
        raise BadParameter(f"{where}.parameters", "The parameters are not a JSON schema.", "", "invalid_type")
    called = name.replace("-", "_")
    parameters = object_of(schema) | ({NAMED: name} if called != name else {})  # pyright: ignore[reportUnknownArgumentType]
    return ClientToolSpec(
        name=called, description=description if isinstance(description, str) else "", parameters=parameters
    )


def output_of(call_id: object, value: object, where: str) -> Output:
    """Return the result of a client's tool. An object or array written as text counts as data."""
    if not isinstance(call_id, str) or not call_id:
        raise BadParameter(where, "An output names no call.", "Expected the id of the call.")
    text = content_of(cast(object, value), where).text if isinstance(value, list) else value
    if isinstance(text, str) and text.lstrip().startswith(("{", "[")):
        try:
            return Output(call_id, read_strict_json(text))
        except (ValueError, RecursionError):
            pass
    return Output(call_id, cast(JsonValue, text))


# --- what is in a message ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MessageContent:
    """The text and the files of a message."""

    text: str = ""
    files: Sequence[FilePart] = ()


def content_of(value: object, where: str) -> MessageContent:
    """Return the content of a message: text, or parts of either kind of request. Raises BadParameter."""
    if value is None:
        return MessageContent()
    if isinstance(value, str):
        return MessageContent(value)
    texts: list[str] = []
    files: list[FilePart] = []
    for index, part in enumerate(objects_of(value, where)):
        place = f"{where}[{index}]"
        match part.get("type"):
            case "text" | "input_text" | "output_text":
                texts.append(text_of(part, "text", must=True) or "")
            case "refusal":
                texts.append(text_of(part, "refusal") or "")
            case "image_url" | "input_image":
                files.append(_image(part, place))
            case "file" | "input_file":
                files.append(_file(object_of(part.get("file", part)), place))
            case kind:
                hint = "Expected text, an image or a file."
                raise BadParameter(place, f"A part of type {str(kind)[:40]!r} cannot be taken.", hint)
    return MessageContent("\n".join(text for text in texts if text.strip()), files)


def _image(part: Object, where: str) -> FilePart:
    url = part.get("image_url")
    url = cast(Object, url).get("url") if isinstance(url, dict) else url
    if not isinstance(url, str):
        raise BadParameter(where, "An image has no `image_url`.", "Expected a data: URL.")
    return FilePart(url, _kind_of(url), None)


def _file(part: Object, where: str) -> FilePart:
    data, name = part.get("file_data"), name_of(part.get("filename"), where)
    if not isinstance(data, str):
        hint = "Expected `file_data`: the desk keeps no files of other requests, and fetches none."
        raise BadParameter(where, "A file came without its bytes.", hint)
    ending = (name or "").rpartition(".")[2].lower()
    kind = _FILE_KINDS.get(ending, "application/octet-stream")
    return FilePart(
        data if data.startswith("data:") else f"data:{kind};base64,{data}", _kind_of(data, kind), name
    )


def _kind_of(url: str, otherwise: str = "application/octet-stream") -> str:
    head = url[5:100].partition(",")[0] if url.startswith("data:") else ""
    return head.partition(";")[0] or otherwise


def ask_id_in(answer: str) -> str | None:
    """Return the ask at the end of an answer, from the address of the desk's page in it."""
    ask_ids = _ASK_ADDRESS.findall(answer)
    return ask_ids[-1] if ask_ids else None


# --- who says it ------------------------------------------------------------------------------------------------------


def about_of(body: Mapping[str, Any], headers: Mapping[str, str]) -> dict[str, Any]:
    """Return the user, chat and key: the fields of a Question that both kinds of requests have."""
    about = body.get("metadata")
    if not isinstance(about, dict | None):
        raise BadParameter("metadata", "`metadata` is not an object.", "", "invalid_type")
    fields = cast("dict[str, JsonValue]", about or {})
    metadata = checked_metadata(
        {name: fields[name] for name in fields if not name.startswith(METADATA_PREFIX)}
    )
    person = name_of(body.get("safety_identifier") or body.get("user"), "user")
    scope = [person or "", *(name_of(headers.get(name), name) or "" for name in SCOPE_HEADERS)]
    return {
        "model": text_of(body, "model", must=True),
        "metadata": metadata,
        "chat": name_of(metadata.get("chat_id"), "metadata.chat_id"),
        "scope": "\0".join(scope) if any(scope) else None,
        "key": name_of(headers.get("idempotency-key"), "Idempotency-Key"),
    }
