"""Closed parts of a building, and named sets of them: state of a chat, shown on the plan and honoured by routes."""

from typing import Annotated, Literal

from pydantic import Field

from smoldesk.messages.building import XY
from smoldesk.messages.shape import Shape

# Maximum closures of a chat or a scenario, maximum scenarios, and the most characters of their names.
MAX_CLOSURES = 500
MAX_SCENARIOS = 20
MAX_SCENARIO_NAME = 80


class Closure(Shape):
    """One closed part: a door by the rooms it joins and its place, a room, a link by its id, or a floor."""

    kind: Literal["door", "room", "link", "floor"]
    floor_id: str | None = None
    rooms: Annotated[tuple[str, ...], Field(max_length=2)] = ()
    at: XY | None = None
    link_id: str | None = None


class Scenario(Shape):
    """A named set of closures, kept for comparisons; it closes nothing by itself."""

    name: str = Field(min_length=1, max_length=MAX_SCENARIO_NAME)
    closures: Annotated[tuple[Closure, ...], Field(max_length=MAX_CLOSURES)] = ()


class ClosureState(Shape):
    """Present closures, and the scenarios."""

    closures: Annotated[tuple[Closure, ...], Field(max_length=MAX_CLOSURES)] = ()
    scenarios: Annotated[tuple[Scenario, ...], Field(max_length=MAX_SCENARIOS)] = ()


class ClosuresMessage(Shape):
    """The closures of the chat's building from here on, in place of those before."""

    type: Literal["closures"] = "closures"
    content: ClosureState
