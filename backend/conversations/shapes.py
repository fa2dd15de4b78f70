"""What the room hands out about projects and their members: plain, frozen data. Times in seconds since the epoch, UTC."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Kind = Literal["ai", "human"]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Project(_Shape):
    """A project; `agents` are its present members, `live` its conversations that are not over, of all `conversations`."""

    id: str
    name: str
    created_at: float
    agents: int
    live: int
    conversations: int


class Member(_Shape):
    """A party of projects. One that was removed from the project keeps its name in what it said: `removed_at`."""

    id: str
    name: str
    kind: Kind
    joined_at: float
    removed_at: float | None = None
