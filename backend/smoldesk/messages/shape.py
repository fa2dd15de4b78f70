"""The base of every wire shape, and the words that shapes of several panes share."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Direction = Literal["up", "down", "left", "right"]
RunState = Literal["queued", "running", "waiting", "stopping", "finished", "failed", "cancelled"]


class Shape(BaseModel):
    """Base of all wire shapes: frozen, closed, camelCase outside and snake_case inside."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True
    )


class Empty(Shape):
    """`{}`: what the content of a command is that carries nothing."""


def as_json(message: Shape) -> dict[str, Any]:
    """Return the message as plain JSON data; absent optional fields are left out, as protocol 1.2 clients expect."""
    return message.model_dump(mode="json", exclude_none=True)
