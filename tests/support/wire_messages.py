"""Messages as the server sends them: a test writes what it is about, what the models have by default is filled in."""

from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from smoldesk.messages import Message

SHAPES: dict[str, type[BaseModel]] = {
    get_args(shape.model_fields["type"].annotation)[0]: shape for shape in get_args(get_args(Message)[0])
}


def whole(message: dict[str, Any]) -> dict[str, Any]:
    """The message with every field that the wire sends by default; nothing is checked, and unknown types are as they are."""
    shape = SHAPES.get(message.get("type", ""))
    return message if shape is None else _filled(shape, message)


def chat_message(chat_id: str) -> dict[str, Any]:
    """What the server says first of a chat without anything in it."""
    isolation = {"isolated": False, "label": "not isolated", "reasons": ["No jail on this system."]}
    content = {
        "chatId": chat_id,
        "protocol": "2.0",
        "title": "",
        "model": "builtin",
        "agent": "code",
        "agentName": "analyst",
        "isolation": isolation,
        "files": [],
        "tools": ["show_map"],
    }
    return {"type": "chat", "content": content}


def _filled(annotation: Any, value: Any) -> Any:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _filled(get_args(annotation)[0], value)
    if origin is list and isinstance(value, list):
        return [_filled(get_args(annotation)[0], item) for item in value]
    if origin in (Union, UnionType):
        return _filled(_fitting(get_args(annotation), value), value)
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel) and isinstance(value, dict)):
        return value
    done = dict(value)
    for name, field in annotation.model_fields.items():
        key = field.alias or name
        if key in done:
            done[key] = _filled(field.annotation, done[key])
        elif not field.is_required() and field.default is not None:
            done[key] = field.default
    return done


def _fitting(kinds: tuple[Any, ...], value: Any) -> Any:
    """The member of a union that a value is of: the one whose fields it names."""
    named: set[str] = set(value) if isinstance(value, dict) else set()
    shapes = [_plain(kind) for kind in kinds]
    models = [shape for shape in shapes if isinstance(shape, type) and issubclass(shape, BaseModel)]
    if isinstance(value, list):
        return next((shape for shape in shapes if get_origin(shape) is list), None)
    if "type" in named:
        models = [
            model for model in models if value["type"] in get_args(model.model_fields["type"].annotation)
        ]
    return max(
        models,
        key=lambda item: len(named & {field.alias or name for name, field in item.model_fields.items()}),
        default=None,
    )


def _plain(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind
