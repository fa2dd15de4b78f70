"""Tools about reach: reachable_from paints rooms by the minutes to them, compare_scenarios sets closures side by side."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from smoldesk.buildings.closures import describe_closures, route_closures
from smoldesk.buildings.evacuation.escape_routes import escape_routes
from smoldesk.buildings.evacuation.escape_texts import evacuation_changes
from smoldesk.buildings.evacuation.flow import flow
from smoldesk.buildings.evacuation.occupancy import read_occupancy
from smoldesk.buildings.painted_rooms import main_floor, painted_rectangles
from smoldesk.buildings.palettes import scale_for
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing import Closures
from smoldesk.buildings.routing.graph import DOOR_SECONDS
from smoldesk.buildings.routing.routes import Goal
from smoldesk.buildings.scenario_effects import reached_without, scenario_effect, way_before_and_after
from smoldesk.buildings.travel_profiles import PROFILES, TravelProfile, find_profile, seconds_from
from smoldesk.errors import BadInput, DeskError
from smoldesk.messages import Closure, LegendOverlay
from smoldesk.messages.building import join_names
from smoldesk.tools.navigation import LANGUAGE, RouteTool, checked_text, failed

_MAX_PARTS = 50
# Rooms that an answer names: what is asked is which.
MAX_NAMES = 60
PROFILE: dict[str, Any] = {"type": "string", "description": ", ".join(PROFILES), "nullable": True}


class ReachTool(RouteTool):
    """Base of the tools that ask for all rooms at once."""

    def start(self, text: Any) -> Spot:
        """Return the room where to start; without a text that of the first exit, or one of the plan's largest part.

        Raises BadInput for a plan without rooms."""
        if text and str(text).strip():
            return super().start(text)
        closed = route_closures(self.graph, self.closed_now()).rooms
        first = self.entrance()
        if first is None or first in closed:
            first = self._main_room()
        if first:
            return first
        raise BadInput(
            "The plan has no exit to start at.",
            "Name the room to start in.",
            japanese="この図面には出発点にできる出入口がありません。出発する部屋を指定してください。",
        )

    def _main_room(self) -> Spot | None:
        """Return a room of the largest connected part of a plan without exits, under the present closures.

        The parts of the first rooms are compared, at most _MAX_PARTS.
        """
        closures = route_closures(self.graph, self.closed_now())
        remaining = [spot for spot in self.graph.spots if spot not in closures.rooms]
        largest: tuple[int, Spot | None] = (0, None)
        for _ in range(_MAX_PARTS):
            if len(remaining) <= largest[0]:
                break
            part = seconds_from(self.building, remaining[0], find_profile("walk"), self.closed_now())
            largest = max(largest, (len(part), remaining[0]), key=lambda item: item[0])
            remaining = [spot for spot in remaining if spot not in part]
        return largest[1]

    def open_start(self, text: Any, closures: Closures) -> Spot:
        """Return the room where to start. Raises BadInput if it is closed."""
        start = self.start(text)
        if start in closures.rooms:
            raise BadInput(
                f"{start[1]} ({start[0]}) is closed itself.",
                "Reopen it, or start elsewhere.",
                japanese=f"{start[1]}（{start[0]}）は通行止めです。解除するか、別の部屋から出発してください。",
            )
        return start

    def named(self, spots: Sequence[Spot], language: str | None) -> str:
        """Return rooms for a sentence: the first of them, and how many more there are."""
        if language != "ja":
            return join_names([f"{name} ({floor})" for floor, name in spots], MAX_NAMES)
        more = f"、ほか{len(spots) - MAX_NAMES}室" if len(spots) > MAX_NAMES else ""
        label = self.building.places.label
        names = "、".join(f"{label(floor, 'ja')}の{name}" for floor, name in spots[:MAX_NAMES])
        return f"{names}{more}" or "なし"


class ReachableFrom(ReachTool):
    """`reachable_from`: the rooms within some minutes of a room, painted, and those that are cut off."""

    name = "reachable_from"
    about = "Rooms within minutes of start, painted. Example: reachable_from()"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "start": {"type": "string", "description": "", "nullable": True},
        "minutes": {"type": "number", "description": "", "nullable": True},
        "profile": PROFILE,
        "avoid": {"type": "string", "description": "", "nullable": True},
        "language": LANGUAGE,
    }

    def forward(
        self,
        start: str | None = "",
        minutes: float | None = None,
        profile: str | None = "walk",
        avoid: str | None = "",
        language: str | None = "en",
    ) -> str:
        """Return the rooms as text and `MAP_COMMAND: {json}`, or "Error: ..."."""
        try:
            traveller, limit = find_profile(profile), checked_minutes(minutes)
            closed = self.closed_with(avoid)
            closures = route_closures(self.graph, closed, traveller.stepless)
            begin = self.open_start(start, closures)
        except DeskError as fault:
            return failed(fault, language)
        seconds = seconds_from(self.building, begin, traveller, closed)
        reached = {spot: round(time / 60, 1) for spot, time in seconds.items() if time <= limit * 60}
        cut_off = [spot for spot in self.graph.spots if spot not in seconds and spot not in closures.rooms]
        # Rooms that no way leads to anyway are not cut off by what is closed.
        with_way = seconds_from(self.building, begin, traveller, ()) if closed and cut_off else None
        isolated = [] if with_way is None else [spot for spot in cut_off if spot not in with_way]
        cut_off = cut_off if with_way is None else [spot for spot in cut_off if spot in with_way]
        text = self._text(begin, reached, cut_off, limit, traveller, language)
        text += _isolated_line(len(isolated), language)
        closures_line = self.closed_line(closed, language)
        drawn = self._painted(reached, cut_off if math.isinf(limit) else (), language)
        if not (start or minutes or avoid):  # what is closed may be the question
            unclosed = "通行止めはありません。" if language == "ja" else "Nothing is closed."
            return f"{closures_line.strip() or unclosed}\n\n{text}\n{drawn}"
        return f"{text}{closures_line}\n{drawn}"

    def _text(
        self,
        start: Spot,
        reached: dict[Spot, float],
        cut_off: Sequence[Spot],
        limit: float,
        traveller: TravelProfile,
        language: str | None,
    ) -> str:
        count, total = len(reached), len(self.graph.spots)
        nearest = sorted(reached, key=reached.__getitem__)
        rooms, isolated = self.named(nearest, language), self.named(cut_off, language)
        # A route says the time at walking speed, so a slower one must say why its times are longer.
        if language == "ja":
            pace = f"秒速{traveller.speed:g} m" + (
                "" if math.isinf(limit) else f"、ドア1か所{DOOR_SECONDS:g}秒"
            )
            within = "" if math.isinf(limit) else f"{_time(limit, '分', '秒')}以内に"
            text = f"{self.named([start], 'ja')}から{within}行ける部屋（{traveller.japanese}、{pace}）：{total}室中{count}室。"
            text += "" if math.isinf(limit) else f"近い順：{rooms}。"
            return f"{text}\n経路がない部屋：{isolated}。"
        units = (" minute" if limit == 1 else " minutes", " seconds")
        within = "" if math.isinf(limit) else f" within {_time(limit, *units)}"
        who = next(name for name, profile in PROFILES.items() if profile == traveller)
        text = (
            f"From {self.named([start], 'en')}, {count} of {total} rooms are reached{within} "
            f"(profile {who}, {traveller.speed:g} m/s{'' if math.isinf(limit) else f', {DOOR_SECONDS:g} s a door'})."
        )
        text += "" if math.isinf(limit) else f" Nearest first: {rooms}."
        guess = "" if self.graph.scaled else "\n(The plan has no scale: the times are a guess.)"
        return f"{text}\nCut off: {isolated}.{guess}"

    def _painted(self, reached: dict[Spot, float], cut_off: Sequence[Spot], language: str | None) -> str:
        """Return the rooms in the colours of their times, on the floor of those that are cut off if there are some."""
        scale, floor = (
            scale_for(reached.values(), "viridis"),
            main_floor(self.building, [*cut_off] or reached),
        )
        title = "所要時間" if language == "ja" else "Time to get there"
        legend = LegendOverlay(title=title, unit="分" if language == "ja" else "min", stops=scale.stops())
        return self.command(floor, painted_rectangles(reached, scale, floor), [legend])


def _isolated_line(count: int, language: str | None) -> str:
    """Return a line about rooms that are not reached even with everything open; empty for none."""
    if not count:
        return ""
    if language == "ja":
        return f"\nすべて通れても経路がない部屋：{count}室。"
    return f"\nRooms without a way even with everything open: {count}."


class CompareScenarios(ReachTool):
    """`compare_scenarios`: what each scenario changes against the open building."""

    name = "compare_scenarios"
    about = "What closures change. Example: compare_scenarios()"
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "start": {"type": "string", "description": "", "nullable": True},
        "goal": {"type": "string", "description": "", "nullable": True},
        "profile": {**PROFILE, "description": ""},
        "language": LANGUAGE,
    }

    def forward(
        self,
        start: str | None = "",
        goal: str | None = "",
        profile: str | None = "walk",
        language: str | None = "en",
    ) -> str:
        """Return a line for each scenario and for the present closures, or "Error: ..."."""
        try:
            traveller, begin = find_profile(profile), self.start(start)
            is_blank = goal is None or not str(goal).strip()
            ends = [] if is_blank else self.find_goals(checked_text(goal, "goal"))
            sets = self._sets("現在" if language == "ja" else "now")
        except DeskError as fault:
            return failed(fault, language)
        reached = reached_without(self.building, begin, traveller)
        lines = [self._line(name, parts, begin, ends, traveller, reached, language) for name, parts in sets]
        return "\n".join(lines)

    def _sets(self, now: str) -> list[tuple[str, Sequence[Closure]]]:
        """Return the closures of each scenario by its name, and the present ones, under `now`. Raises BadInput without any."""
        sets: list[tuple[str, Sequence[Closure]]] = [
            (scenario.name, scenario.closures) for scenario in self.closures.read().scenarios
        ]
        if closed := self.closed_now():
            sets.append((now, closed))
        if not sets:
            raise BadInput(
                "Nothing is closed, and there is no scenario.",
                "Use close_passage first.",
                japanese="通行止めもシナリオもありません。先に通行止めにする場所を指定してください。",
            )
        return sets

    def _line(
        self,
        name: str,
        parts: Sequence[Closure],
        start: Spot,
        goals: Sequence[Goal],
        traveller: TravelProfile,
        reached: Sequence[Mapping[Spot, float]],
        language: str | None,
    ) -> str:
        """Describe what a scenario changes; `reached` are the rooms without closures, by the profile and without steps."""
        effect = scenario_effect(self.building, parts, start, traveller, reached)
        if effect.missing:
            gone = describe_closures(self.building, effect.missing, language)
            if language == "ja":
                return f"{name}：別の建物のシナリオです。この建物にない場所：{gone}。"
            return (
                f"{name}: of another building: {gone} is not in this one. "
                "Reopen all of it with reopen_passage(scenario=...), and close the parts again."
            )
        closures = route_closures(self.graph, parts, traveller.stepless)
        closed = describe_closures(self.building, parts, language)
        is_japanese = language == "ja"
        if effect.is_start_closed:
            return (
                f"{name}：出発地が通行止めです。"
                if is_japanese
                else f"{name}: the start is closed ({closed})."
            )
        lost, steps = effect.cut_off, effect.with_steps
        facts = [self._detour(start, goals, closures, is_japanese)] if goals else []
        evacuation = self._evacuation(parts, traveller, is_japanese)
        if is_japanese:
            facts += [f"孤立する部屋：{self.named(lost, 'ja')}"]
            facts += [f"段差なしで行けなくなる部屋：{self.named(steps, 'ja')}"] if steps else []
            facts += evacuation
            return f"{name}（{closed}）：{'、'.join(facts)}。"
        facts += [f"cut off: {self.named(lost, 'en')}"]
        facts += [f"no step-free way: {self.named(steps, 'en')}"] if steps else []
        facts += evacuation
        return f"{name} ({closed}): {'; '.join(facts)}."

    def _evacuation(self, parts: Sequence[Closure], profile: TravelProfile, is_japanese: bool) -> list[str]:
        """Return how an evacuation changes; nothing if it does not, or if the plan has no exit or sizes that cannot be."""
        try:
            people = read_occupancy(self.building, None).people
        except BadInput:
            return []
        before, after = (escape_routes(self.building, profile, closed) for closed in ((), parts))
        cut_off_before = {*before.cut_off()}
        lost = [spot for spot in after.cut_off() if spot not in cut_off_before]
        if not before.exits or (before.seconds == after.seconds and not lost):
            return []
        names = self.named(lost, "ja" if is_japanese else "en") if lost else ""
        return evacuation_changes(flow(before, people), flow(after, people), names, is_japanese)

    def _detour(
        self,
        start: Spot,
        goals: Sequence[Goal],
        closures: Closures,
        is_japanese: bool,
    ) -> str:
        """Return how much longer the way to the nearest of the goals becomes."""
        open_route, route = way_before_and_after(self.graph, start, goals, closures)
        if open_route is None or route is None:
            name = goals[0].spot[1]
            return f"{name}への経路なし" if is_japanese else f"no way to {goals[0].label or name}"
        before, after = open_route.length, route.length
        name = route.goal[1]
        unit = "m" if self.graph.scaled else ("" if is_japanese else " units")
        if is_japanese:
            return f"{name}まで{after:.0f}{unit}（{after - before:+.0f}{unit}）"
        place = f"{route.label} in {name}" if route.label else name
        return f"{after:.0f} {unit.strip()} to {place} ({after - before:+.0f} {unit.strip()})"


def _time(minutes: float, in_minutes: str, in_seconds: str) -> str:
    """Return minutes with their unit; those of less than one, and parts of one, as seconds."""
    in_tenths = minutes == round(minutes, 1) and minutes >= 1
    return f"{minutes:g}{in_minutes}" if in_tenths else f"{minutes * 60:.0f}{in_seconds}"


def checked_minutes(minutes: Any) -> float:
    """Return the minutes, endless for None. Raises BadInput for anything but a number above 0."""
    if minutes is None:
        return math.inf
    if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not minutes > 0:
        raise BadInput(f"minutes is {minutes!r}."[:80], "Expected a number above 0.")
    return float(minutes)
