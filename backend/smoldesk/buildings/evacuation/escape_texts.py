"""Sentences about an evacuation, in English and Japanese: one method for each line of an answer. Pure."""

from collections.abc import Sequence

from smoldesk.buildings.building import Building
from smoldesk.buildings.evacuation.crowd_comparison import Comparison
from smoldesk.buildings.evacuation.escape_routes import EscapeRoutes
from smoldesk.buildings.evacuation.exits import Exit, exit_names
from smoldesk.buildings.evacuation.flow import DOOR_WIDTH, STAIR_WIDTH, Flow, Queue
from smoldesk.buildings.evacuation.occupancy import Occupancy
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing.japanese import link_in_japanese
from smoldesk.buildings.routing.steps import called
from smoldesk.buildings.travel_profiles import PROFILES, TravelProfile
from smoldesk.messages.building import join_names

# Most exits, queues and rooms of a sentence.
MAX_EXITS, MAX_QUEUES, MAX_ROOMS = 6, 3, 5
# Shortest wait in seconds that is told as a queue.
LEAST_WAIT = 2.0


class EscapeTexts:
    """Lines about the ways and the flow of one building."""

    def __init__(
        self, building: Building, routes: EscapeRoutes, flow: Flow, language: str | None, floor: str = ""
    ) -> None:
        """`floor` is the only one that is evacuated; empty for the whole building."""
        self.building, self.routes, self.flow, self.floor = building, routes, flow, floor
        self.is_japanese = language == "ja"
        self.spots = list(routes.graph.spots)
        self._exit_names = exit_names(building.places, "ja" if self.is_japanese else "en")

    def time(self, profile: TravelProfile) -> str:
        """Return how long it takes, and how much of that is walking and waiting."""
        flow, total = self.flow, sum(self.flow.people.values())
        name = next(name for name, other in PROFILES.items() if other == profile)
        label = self.building.places.label(self.floor, "ja") if self.floor and self.is_japanese else ""
        of, no = (f" of floor {self.floor}", f"{label}の") if self.floor else ("", "")
        if not flow.saved:
            if self.is_japanese:
                return f"{no}避難（{profile.japanese}）：{total}人のうち、外に出られる人はいません。"
            return f"Evacuation{of} (profile {name}): none of the {total:,} people get out."
        clearance, longest = self.duration(flow.clearance), self.duration(flow.longest)
        queues = self.duration(flow.clearance - flow.longest)
        guess = (
            ""
            if self.routes.graph.scaled
            else self._pick(" (The plan has no scale: times are a guess.)", "（縮尺がないため推定値）")
        )
        if self.is_japanese:
            who = f"{total}人全員" if flow.saved == total else f"{total}人中{flow.saved}人"
            return (
                f"{no}避難（{profile.japanese}）：{who}の避難完了まで{clearance}。"
                f"移動は最長{longest}、待ち時間などで{queues}加わります。{guess}"
            )
        who = f"all {total:,} people" if flow.saved == total else f"{flow.saved:,} of {total:,} people"
        return (
            f"Evacuation{of} (profile {name}): {who} are out after {clearance}. "
            f"The longest way takes {longest}; queues add {queues}.{guess}"
        )

    def without_closure(self, before: Flow, lost: Sequence[Spot]) -> str:
        """Return how it is without what is closed for the question: `before`, and the rooms that only this cuts off."""
        time, rooms = self.duration(before.clearance), self.named(lost)
        if self.is_japanese:
            open_time = (
                f"閉鎖がない場合は{time}です" if before.saved else "閉鎖がなくても外に出られる人はいません"
            )
            return f"{open_time}。閉鎖によって避難できなくなる部屋：{rooms}。"
        open_time = f"it takes {time}" if before.saved else "nobody gets out either"
        return f"Without this closure {open_time}. Cut off by it: {rooms}."

    def than_walking(self, walking: Flow) -> str:
        """Return how long walkers take, and how much longer it is now."""
        time, more = self.duration(walking.clearance), self.flow.clearance - walking.clearance
        is_same = walking.saved == self.flow.saved and more >= 0  # else other people are out
        longer = self.duration(max(more, 0))
        return self._pick(
            f"On foot, {walking.saved:,} people are out after {time}"
            + (f"; this takes {longer} longer." if is_same else "."),
            f"徒歩の場合は{walking.saved}人の避難完了まで{time}"
            + (f"で、それより{longer}長くかかります。" if is_same else "です。"),
        )

    def table(self, name: str) -> str:
        """Return the line about the table of all rooms."""
        rooms = len(self.spots)
        return self._pick(f"Table: {name} ({rooms:,} rooms).", f"表：{name}（{rooms}室）。")

    def exits(self) -> str:
        """Return the exits, most used first, with their people and rooms."""
        loads = sorted(self.loads(), key=lambda load: (-load[1], -load[2]))
        if self.floor and loads:
            loads = [load for load in loads if load[2]]
            if not loads:
                return self._pick(
                    f"No exit is reached from floor {self.floor}.", "この階から行ける出口はありません。"
                )
        if not loads:
            steps = ", or has steps" if self.routes.closures.stepless else ""
            return self._pick(f"Every exit is closed{steps}.", "使える出口はありません。")
        if self.is_japanese:
            parts = [
                f"{self.exit(exit_)}：{people}人・{rooms}室" for exit_, people, rooms in loads[:MAX_EXITS]
            ]
            return f"利用者の多い出口：{'、'.join(parts)}{self._more(len(loads) - MAX_EXITS)}。"
        parts = [
            f"{self.exit(exit_)}, {people:,} people from {rooms:,} rooms"
            for exit_, people, rooms in loads[:MAX_EXITS]
        ]
        return f"Exits, most used first: {'; '.join(parts)}{self._more(len(loads) - MAX_EXITS)}."

    def queues(self) -> str:
        """Return the longest queues."""
        queues = self.longest_queues()
        if not queues:
            return self._pick("Queues: none.", "待ち行列：なし。")
        if self.is_japanese:
            parts = [
                f"{self.place(queue.place)}（{queue.people:.0f}人、毎秒{queue.capacity:.2f}人、待ち最長{self.duration(queue.wait)}）"
                for queue in queues
            ]
            return f"混雑する場所：{'、'.join(parts)}。"
        parts = [
            f"{self.place(queue.place)} ({queue.people:,.0f} people at {queue.capacity:.2f} a second, "
            f"the last waits {self.duration(queue.wait)})"
            for queue in queues
        ]
        return f"Bottlenecks: {'; '.join(parts)}."

    def furthest(self) -> str:
        """Return the rooms with the longest ways out."""
        routes = self.routes
        rooms = [
            number
            for number, exit_ in enumerate(routes.exit_of)
            if exit_ >= 0 and self.is_of_floor(self.spots[number])
        ]
        rooms = sorted(rooms, key=lambda number: -routes.seconds[number])[:MAX_ROOMS]
        parts = [f"{self.room(self.spots[room])}{self._far(room)}" for room in rooms]
        return self._pick(
            f"Furthest from an exit: {'; '.join(parts) or 'none'}.",
            f"出口から遠い部屋：{'、'.join(parts) or 'なし'}。",
        )

    def cut_off(self, with_lifts: EscapeRoutes) -> str:
        """Return the rooms without a way out, and what lifts would change; `with_lifts` are the ways with lifts."""
        rooms = self.without_way()
        line = f"{self._pick('Without a way out: ', '避難できない部屋：')}{self.named(rooms)}{self._pick('.', '。')}"
        out = [spot for spot in rooms if with_lifts.exit_of[with_lifts.graph.spots[spot]] >= 0]
        times = [with_lifts.seconds[with_lifts.graph.spots[spot]] for spot in out]
        if rooms and times:
            furthest, remaining = self.duration(max(times)), [spot for spot in rooms if spot not in out]
            line += self._pick(
                f" They wait in a refuge; by lift, {len(times):,} of them would be out, the furthest after {furthest}.",
                f"救助を待つ必要があります。エレベーターが使えれば、このうち{len(times)}室から避難できます（最長{furthest}）。",
            )
            if remaining:
                names = self.named(remaining)
                line += self._pick(
                    f" Not even by lift: {names}.", f"エレベーターでも避難できない部屋：{names}。"
                )
        return line

    def assumptions(self, occupancy: Occupancy) -> str:
        """Return what the figures assume, and their source."""
        # Without ordinals the file does not say which floor is the ground floor.
        above = {floor.floor_id for floor in self.building.floors if (floor.ordinal or 0) > 0}
        upper = [exit_ for exit_ in self.routes.exits if exit_.goal.spot[0] in above]
        names = join_names([self.exit(exit_) for exit_ in upper])
        if self.is_japanese:
            check = f"{names}は1階より上にあります。実際に外へ出られるか確認してください。" if upper else ""
            return (
                f"前提：{self._people(occupancy)}全員が同時に最短経路で避難を始めます。エレベーターは使いません。"
                f"幅が図面にないドアは{DOOR_WIDTH}m、階段は{STAIR_WIDTH}mとします。流動はSFPEハンドブック第5版59章の水力学モデルによります。{check}"
            )
        check = f" Above the ground floor: {names}. Check that they lead out." if upper else ""
        return (
            f"Assumed: {self._people(occupancy)} all start at once on their shortest ways; lifts stand still; doors of "
            f"unknown width have {DOOR_WIDTH} m, stairs {STAIR_WIDTH} m. Flow: hydraulic model, SFPE Handbook, "
            f"5th edition, chapter 59.{check}"
        )

    def comparison(self, comparison: Comparison) -> str:
        """Return the times of one floor by both models."""
        times = (self.duration(comparison.hydraulic), self.duration(comparison.simulated))
        floor, people = comparison.floor_id, comparison.people
        if self.is_japanese:
            floor = self.building.places.label(floor, "ja")
            remaining = f"（{comparison.remaining}人は出られず）" if comparison.remaining else ""
            return (
                f"{floor}の{people}人だけの比較：水力学モデル{times[0]}、"
                f"JuPedSim {comparison.version} {times[1]}{remaining}。"
            )
        remaining = f", {comparison.remaining} of them remain" if comparison.remaining else ""
        return (
            f"Floor {floor} alone, {people} people: {times[0]} by the hydraulic model, {times[1]} by JuPedSim "
            f"{comparison.version}{remaining}."
        )

    def is_of_floor(self, spot: Spot) -> bool:
        """Return whether a room is evacuated."""
        return not self.floor or spot[0] == self.floor

    def without_way(self) -> list[Spot]:
        """Return the rooms without a way out."""
        return [spot for spot in self.routes.cut_off() if self.is_of_floor(spot)]

    def loads(self) -> list[tuple[Exit, int, int]]:
        """Return the exits with the people and the rooms that use them."""
        people, rooms = [0] * len(self.routes.exits), [0] * len(self.routes.exits)
        for room, exit_ in enumerate(self.routes.exit_of):
            if exit_ >= 0 and self.is_of_floor(self.spots[room]):
                people[exit_] += self.flow.people.get(room, 0)
                rooms[exit_] += 1
        return list(zip(self.routes.exits, people, rooms, strict=True))

    def longest_queues(self) -> list[Queue]:
        """Return the longest queues, one for each stairs or lift."""
        nodes, links = self.routes.graph.places, set[int | None]()
        queues: list[Queue] = []
        for queue in sorted(self.flow.queues, key=lambda queue: -queue.wait):
            link = nodes[queue.place].link if queue.place < len(nodes) else None
            if queue.wait >= LEAST_WAIT and (link is None or link not in links):
                links.add(link)
                queues.append(queue)
        return queues[:MAX_QUEUES]

    def exit(self, exit_: Exit) -> str:
        """Return the name of an exit."""
        return self._exit_names[exit_]

    def place(self, number: int) -> str:
        """Return the name of a place where people pass."""
        nodes = self.routes.graph.places
        if number >= len(nodes):
            return self.exit(self.routes.exits[number - len(nodes)])
        node = nodes[number]
        floor = self.building.places.label(node.floor_id, "ja") if self.is_japanese else node.floor_id
        if node.link is not None:
            link = self.routes.graph.links[node.link]
            return self._pick(
                f"{called(link)} ({floor})", f"{floor}の{link_in_japanese(link.kind, link.name)}"
            )
        first, other = node.passage.rooms if node.passage else (node.room, node.room)
        return self._pick(
            f"the door between {first} and {other} ({floor})", f"{floor}の{first}と{other}の間のドア"
        )

    def room(self, spot: Spot) -> str:
        """Return the name of a room with its floor."""
        return self._pick(f"{spot[1]} ({spot[0]})", f"{self.building.places.label(spot[0], 'ja')}の{spot[1]}")

    def named(self, rooms: Sequence[Spot]) -> str:
        """Return the names of rooms: the first of them, and how many more there are."""
        names = [self.room(spot) for spot in rooms]
        if not self.is_japanese:
            return join_names(names)
        return f"{'、'.join(names[:12])}{self._more(len(names) - 12)}" or "なし"

    def duration(self, seconds: float) -> str:
        """Return seconds as text: "1 min 5 s", 1分5秒, from two hours on without seconds."""
        return duration_text(seconds, self.is_japanese)

    def _far(self, room: int) -> str:
        time, length = self.duration(self.routes.seconds[room]), f"{self.routes.metres[room]:.0f}"
        if not self.routes.graph.scaled:
            return self._pick(f" {time}", f"（{time}）")
        return self._pick(f" {time}, {length} m", f"（{time}、{length}m）")

    def _people(self, occupancy: Occupancy) -> str:
        if occupancy.per_m2:
            area = f"{1 / occupancy.per_m2:.3g}"
            return self._pick(
                f"a person for each {area} m² outside corridors, at least one in each room;",
                f"廊下などを除き{area}m²に1人（各部屋に少なくとも1人）とします。",
            )
        if occupancy.per_room:
            each = f"{occupancy.per_room:g}"
            people = "a person" if occupancy.per_room == 1 else f"{each} people"
            return self._pick(
                f"{people} in each room outside corridors;", f"廊下などを除き1部屋に{each}人とします。"
            )
        return self._pick("people as given;", "人数は指定どおりです。")

    def _more(self, count: int) -> str:
        return self._pick(f" and {count:,} more", f"、ほか{count}件") if count > 0 else ""

    def _pick(self, english: str, japanese: str) -> str:
        return japanese if self.is_japanese else english


def evacuation_changes(before: Flow, after: Flow, lost: str, is_japanese: bool) -> list[str]:
    """Return what closures change for an evacuation; `lost` are the rooms that they leave without a way out."""
    was, time = (duration_text(movement.clearance, is_japanese) for movement in (before, after))
    if is_japanese:
        text = f"避難完了まで{time}（閉鎖前は{was}）"
        if not after.saved:
            text = f"外に出られる人はいません（閉鎖前は{was}）" if before.saved else ""
        elif lost:
            text = f"その他の{text}"
        return [part for part in (f"避難できなくなる部屋：{lost}" if lost else "", text) if part]
    text = f"evacuation {'of the others ' if lost else ''}{time} instead of {was}"
    if not after.saved:
        text = f"nobody gets out ({was} without the closures)" if before.saved else ""
    return [part for part in (f"without a way out: {lost}" if lost else "", text) if part]


def duration_text(seconds: float, is_japanese: bool) -> str:
    """Return seconds as text."""
    minutes, remainder = divmod(round(seconds), 60)
    hours, minutes_of_hour = divmod(minutes, 60)
    if hours >= 2:
        return f"{hours}時間{minutes_of_hour}分" if is_japanese else f"{hours} h {minutes_of_hour} min"
    if not minutes:
        return f"{remainder}秒" if is_japanese else f"{remainder} s"
    return f"{minutes}分{remainder}秒" if is_japanese else f"{minutes} min {remainder} s"
