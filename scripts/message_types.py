"""Types of what the server tells the page, written from the pydantic models: `frontend/js/messages.d.ts`, in `make format`.

A field is optional where the model's default is None: the four-pane wire leaves out what is None (`as_json`), HTTP
answers say null. Any other default is sent. What the wire itself adds to a message is in ADDED.
tests/page/test_sources.py holds the file to this.
"""

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from smoldesk import messages
from smoldesk.wires.rest import chat_models, composer_models, conversation_models, file_models, trace_models

FILE = Path(__file__).resolve().parents[1] / "frontend" / "js" / "messages.d.ts"
WIDTH = 118
HEAD = """\
// Made by scripts/message_types.py from the models of backend/smoldesk (make format): not to be edited.

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** What the wire puts on a message that was made from an event; refusals, `chat` and `map_definition` have none. */
export interface Placed { seq?: number; runId?: string; timestamp?: string }
"""
ADDED = {
    "Text": {"html": "string"},
    "Code": {"html": "string"},
    "Image": {"url": "string"},
    "McpApp": {"url": "string", "resultUrl": "string"},
    "Chart": {"url": "string", "imageUrl": "string"},
    "ChartChanged": {"url": "string", "imageUrl": "string"},
    "Table": {"url": "string"},
    "FileContent": {"url": "string"},
    "File": {"url": "string"},
}
"""What the wire adds: sanitised markup of words, and the address of what is served."""
PRIMITIVE = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def write() -> str:
    """The whole file's text."""
    shapes: list[tuple[type[Any], Literal["serialization"]]] = [
        (shape, "serialization")
        for module in (messages, chat_models, conversation_models, composer_models, file_models, trace_models)
        for shape in _shapes(module)
    ]
    _, schema = models_json_schema(shapes)
    named: dict[str, Any] = schema["$defs"]
    blocks = [_interface(shape, named[shape.__name__]) for shape, _ in shapes]
    unions = [
        f"{_comment(message)}export type {name} =\n  | "
        + "\n  | ".join(kind.__name__ for kind in _parts(name))
        + ";"
        for name, message in (
            ("Message", "Everything the server sends."),
            ("StepOutput", "What a step of a run may show."),
        )
    ]
    return "\n".join([HEAD, *blocks, *unions, ""])


def _shapes(module: ModuleType) -> list[type[Any]]:
    """The models that a module offers, or defines, of what the server says."""
    matching_vars = [
        shape
        for shape in vars(module).values()
        if inspect.isclass(shape) and (issubclass(shape, BaseModel) or shape is messages.XY)
    ]
    base = (BaseModel, messages.Shape, messages.Empty)
    if module is messages:
        return [shape for shape in matching_vars if shape not in base]
    return [
        shape
        for shape in matching_vars
        if shape.__module__ == module.__name__ and issubclass(shape, messages.Shape)
    ]


def _parts(union: str) -> tuple[type[BaseModel], ...]:
    return getattr(messages, union).__args__[0].__args__


def _interface(shape: type[Any], schema: dict[str, Any]) -> str:
    placed = " extends Placed" if shape in _parts("Message") else ""
    null = "" if shape.__module__.startswith(messages.__name__) else " | null"
    fields = [
        f"{name}: {_type(part)}" if _always_sent(shape, name) else f"{name}?: {_type(part)}{null}"
        for name, part in schema["properties"].items()
    ]
    fields += [f"{name}?: {kind}" for name, kind in ADDED.get(shape.__name__, {}).items()]
    head = f"{_comment(inspect.cleandoc(shape.__doc__) if shape.__doc__ else '')}export interface {shape.__name__}{placed} {{"
    line = f"{head.splitlines()[-1]} {'; '.join(fields)} }}"
    if len(line) <= WIDTH:
        return head.removesuffix(head.splitlines()[-1]) + line
    return "\n".join([head, *(f"  {field};" for field in fields), "}"])


def _always_sent(shape: type[Any], name: str) -> bool:
    if not issubclass(shape, BaseModel):
        return True
    field = next(field for key, field in shape.model_fields.items() if name in (key, field.alias))
    return field.is_required() or field.default is not None


def _comment(message: str) -> str:
    lines = message.splitlines()
    if len(lines) < 2:
        return f"/** {message} */\n" if message else ""
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */", ""])


def _type(schema: dict[str, Any]) -> str:
    """TypeScript of a JSON Schema; null is left out of a choice, as such a field is not sent."""
    match schema:
        case {"$ref": str(where)}:
            name = where.rpartition("/")[2]
            return {"Empty": "Record<string, never>"}.get(name, name)
        case {"const": value}:
            return _literal(value)
        case {"enum": values}:
            return " | ".join(_literal(value) for value in values)
        case {"anyOf": choices} | {"oneOf": choices}:
            return " | ".join(_type(choice) for choice in choices if choice != {"type": "null"})
        case {"type": "array", "items": items}:
            inner = _type(items)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case {"type": "object", "additionalProperties": dict()}:
            return f"{{ [name: string]: {_type(schema['additionalProperties'])} }}"
        case {"type": str(kind)}:
            return PRIMITIVE[kind]
        case _:
            return "JsonValue"


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


if __name__ == "__main__":
    FILE.write_text(write(), encoding="utf-8")
