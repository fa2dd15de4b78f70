"""Tools that close and reopen parts of the building for the chat: close_passage and reopen_passage.

A call changes all parts it names, or nothing. With a scenario's name it changes that set, which closes nothing by itself.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from smoldesk.buildings.closure_state import checked_scenario, closed_after, closures_in, with_closures
from smoldesk.buildings.closures import describe_closures, find_closures
from smoldesk.buildings.places import UnknownPlace
from smoldesk.errors import DeskError, NotFound
from smoldesk.messages import Closure, ClosureState
from smoldesk.tools.navigation import LANGUAGE, RouteTool, checked_text, failed

SCENARIO: dict[str, Any] = {"type": "string", "description": "", "nullable": True}


class ClosingTool(RouteTool):
    """Base of the tools that change closures."""

    def changed(
        self,
        change: Callable[[tuple[Closure, ...]], Sequence[Closure]],
        scenario: str | None,
        language: str | None,
    ) -> str:
        """Apply a change to the closures of a scenario, or to the present ones; return what is closed then."""
        name = checked_scenario(scenario)

        def changed_state(state: ClosureState) -> ClosureState:
            try:
                before = closures_in(state, name)
            except NotFound:
                before = ()
            return with_closures(state, name, change(before))

        state = self.closures.change(changed_state)
        try:
            closed = closures_in(state, name)
        except NotFound:  # emptied, and so removed
            closed = ()
        names = describe_closures(self.building, closed, language)
        if language == "ja":
            return f"{f'シナリオ「{name}」の' if name else ''}通行止め：{names}。"
        return f"Closed{f' in scenario {name!r}' if name else ' now'}: {names}."


class ClosePassage(ClosingTool):
    """`close_passage`: closes doors, rooms, lifts, stairs or floors for this chat, or in a scenario."""

    name = "close_passage"
    about = 'Closes a door, room, lift or floor. Example: close_passage("door of Room1")'
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "place": {"type": "string", "description": ""},
        "scenario": SCENARIO,
        "language": LANGUAGE,
    }

    def forward(self, place: str, scenario: str | None = "", language: str | None = "en") -> str:
        """Return what is closed then, or "Error: ..."."""
        try:
            parts = find_closures(self.building, checked_text(place, "place"))
            return self.changed(lambda before: closed_after(self.building, before, parts), scenario, language)
        except DeskError as fault:
            return failed(fault, language)


class ReopenPassage(ClosingTool):
    """`reopen_passage`: reopens what is closed, all of it or what a text names."""

    name = "reopen_passage"
    about = "Reopens it, or all. Example: reopen_passage()"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "place": {"type": "string", "description": "", "nullable": True},
        "scenario": SCENARIO,
        "language": LANGUAGE,
    }

    def forward(self, place: str | None = "", scenario: str | None = "", language: str | None = "en") -> str:
        """Return what is still closed, or "Error: ..."."""
        try:
            before = closures_in(self.closures.read(), scenario)
            name = "" if place is None or not str(place).strip() else checked_text(place, "place")
            parts = find_closures(self.building, name) if name else [*before]
            if name and not any(part in before for part in parts):
                closed = describe_closures(self.building, before, language)
                raise UnknownPlace(
                    f"{name} is not closed.",
                    f"Closed: {closed}.",
                    f"「{name}」は通行止めではありません。通行止め：{closed}。",
                )
            return self.changed(
                lambda closed: closed_after(self.building, closed, (), parts), scenario, language
            )
        except DeskError as fault:
            return failed(fault, language)
