"""A way through the building: its line floor by floor, the changes between floors, and its steps."""

from typing import Literal

from pydantic import Field

from smoldesk.messages.building import XY, LinkKind
from smoldesk.messages.shape import Shape


class RouteLeg(Shape):
    """The part of a route that lies on one floor: a line through at least one place."""

    floor_id: str
    points: list[XY] = Field(min_length=1)


class FloorChange(Shape):
    """Between two legs: what one takes, from where to where."""

    kind: LinkKind
    name: str
    from_floor_id: str
    to_floor_id: str
    at: XY
    to: XY


class RouteStep(Shape):
    """One instruction; `leg` is the index of the leg that lights up with it, `text` says it in English."""

    action: Literal["start", "walk", "through", "change", "arrive"]
    text: str
    leg: int = Field(ge=0)
    room: str | None = None
    name: str | None = None
    kind: LinkKind | None = None
    to_floor_id: str | None = None
    length: float | None = None


class RouteOverlay(Shape):
    """A way from room to room over any floors: one leg more than there are changes. `length` is in metres where every
    floor has a scale, else in virtual units (`unit` is "m" or "")."""

    type: Literal["route"] = "route"
    start: str
    goal: str
    legs: list[RouteLeg] = Field(min_length=1)
    changes: list[FloorChange] = []
    steps: list[RouteStep] = []
    length: float = Field(ge=0)
    unit: Literal["m", ""] = "m"
    seconds: float | None = Field(None, ge=0)
    accessible: bool = False
