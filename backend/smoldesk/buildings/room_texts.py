"""Answers about rooms in English and Japanese: where they are, how many, how large. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence

from smoldesk.buildings.kinds import CIRCULATION, kind_name, kind_of
from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex, Spot, room_names
from smoldesk.buildings.room_facts import (
    Size,
    links_in,
    room_at,
    rooms_by_door,
    rooms_by_wall,
    size_of,
)
from smoldesk.buildings.routing.graph import RouteGraph
from smoldesk.buildings.routing.japanese import called_in_japanese, link_in_japanese
from smoldesk.buildings.routing.routes import EXIT, Goal
from smoldesk.buildings.routing.steps import called
from smoldesk.messages import Floor, Rectangle

# Maximum names in one sentence.
MAX_NAMES = 60
# Kinds that are one thing on all of its floors.
SHAFTS = ("lift", "stairs", "escalator")
# Stands for a kind where rooms were listed by name.
NAMED = "named"
# Limits of the area in sentences.
_LIMITS = {
    "over": ("more than", "より広い"),
    "under": ("less than", "より狭い"),
    "at least": ("at least", "以上の"),
    "at most": ("at most", "以下の"),
}
# Runners-up of the largest and smallest room.
MAX_NEXT = 2


class RoomTexts:
    """Writer of the sentences about a building's rooms in one language."""

    def __init__(
        self, graph: RouteGraph, places: PlaceIndex, language: str, limit: str = "", without: str = ""
    ) -> None:
        self.graph = graph
        self.places = places
        self.is_japanese = language == "ja"
        self.language = "ja" if self.is_japanese else "en"
        self.definition = places.definition
        self.are_named = False
        # Limit of the area, as `over 50`, and the kinds that are left out.
        self.limit = limit
        self.without = without

    def places_of(self, goals: Sequence[Goal]) -> list[str]:
        """Return a line for each room, and one for a lift or stairs that stop on several floors."""
        lines = Counter(
            self._stops(stops) if len(stops) > 1 else self.place(stops[0]) for stops in self._shafts(goals)
        )
        times = "（{}か所）" if self.is_japanese else " ({} of these)"
        return [line + (times.format(count) if count > 1 else "") for line, count in lines.items()]

    def _shafts(self, goals: Sequence[Goal]) -> list[list[Goal]]:
        """Return the goals, those of one lift or of one flight of stairs together."""
        shafts: list[list[Goal]] = []
        last: dict[object, list[Goal]] = {}
        for goal in goals:
            kind = kind_of(room_at(self.definition, goal.spot)[1])
            passes = (goal.label and goal.label != EXIT) or (
                kind in SHAFTS and links_in(self.graph, goal.spot)
            )
            key = self._link_of(goal, kind) if passes else goal.spot
            stops = last.get(key, [])
            if not stops or goal.spot[0] in (stop.spot[0] for stop in stops):  # another one of the same name
                stops = last[key] = []
                shafts.append(stops)
            stops.append(goal)
        return shafts

    def _link_of(self, goal: Goal, kind: str | None) -> str:
        """Return what a stop belongs to: its lift or stairs, whose rooms may be called otherwise on each floor."""
        links = [
            link
            for link in links_in(self.graph, goal.spot)
            if (called(link) == goal.label if goal.label else link.kind == kind)
        ]
        several = len(links) == 1 and len({stop.room for stop in links[0].stops}) > 1
        return links[0].link_id if several else goal.label or goal.spot[1]

    def shafts(self, kind: str, goals: Sequence[Goal], floors: Sequence[str]) -> str:
        """Return how many lifts, stairs or escalators there are on some floors, each once, with all its floors."""
        shafts = [stops for stops in self._shafts(goals) if {stop.spot[0] for stop in stops} & {*floors}]
        if not shafts:
            return self._none(kind, floors)
        names = Counter(
            (stops[0].label and self._link_name(stops[0].label)) or stops[0].spot[1] for stops in shafts
        )
        listing = self.join([name + (f" ×{count}" if count > 1 else "") for name, count in names.items()])
        if self.is_japanese:
            return f"{self._where(floors)}{kind_name(kind, 'ja')}は{len(shafts)}か所です：{listing}。"
        verb = "is" if len(shafts) == 1 else "are"
        return f"There {verb} {len(shafts)} {kind_name(kind, 'en', len(shafts))}{self._where(floors)}: {listing}."

    def exits(self, names: Sequence[str], floors: Sequence[str]) -> str:
        """Return how many exits some floors have, with their names."""
        if self.is_japanese:
            return f"{self._where(floors)}出口は{len(names)}か所です：{self.join(names)}。"
        verb = "is" if len(names) == 1 else "are"
        return f"There {verb} {len(names)} {kind_name('exit', 'en', len(names))}{self._where(floors)}: {self.join(names)}."

    def doors(self, spot: Spot) -> str:
        """Return how many doors a room has, and where they lead."""
        floor, room = room_at(self.definition, spot)
        others = [
            [name for name in door.rooms if name != room.name]
            for door in floor.doors or []
            if room.name in door.rooms
        ]
        outside = "外" if self.is_japanese else "outside"
        ends = Counter(names[0] if names else outside for names in others)
        listing = self.join([name + (f" ×{count}" if count > 1 else "") for name, count in ends.items()])
        if self.is_japanese:
            return f"{spot[1]}（{self.floor(spot[0])}）のドアは{len(others)}か所です：{listing or 'なし'}。"
        noun = "door" if len(others) == 1 else "doors"
        return f"{spot[1]} ({self.floor(spot[0])}) has {len(others)} {noun}: {listing or 'none'}."

    def _stops(self, goals: Sequence[Goal]) -> str:
        """Describe on which floors a lift or stairs stop: in which room, else beside which ones."""
        places: list[str] = []
        for goal in goals:
            label, name = self.floor(goal.spot[0]), goal.spot[1]
            beside = name if goal.label else self.join(rooms_by_door(self.graph, goal.spot))
            places.append(
                label + ((f"（{beside}）" if self.is_japanese else f" ({beside})") if beside else "")
            )
        label = next((goal.label for goal in goals if goal.label), "")
        name = self._link_name(label) if label else goals[0].spot[1]
        if self.is_japanese:
            return f"{name}は{len(goals)}フロアに止まります：{'、'.join(places)}。"
        return f"{name[0].upper()}{name[1:]} stops on {len(goals)} floors: {', '.join(places)}."

    def _link_name(self, label: str) -> str:
        """Return what a lift, stairs or an exit is called."""
        return called_in_japanese(label) if self.is_japanese else label

    def place(self, goal: Goal) -> str:
        """Describe where a room is: floor, kind, doors, neighbours, area; or where a lift, stairs or exit is."""
        floor_id, name = goal.spot
        label = self.floor(floor_id)
        if goal.label:
            if self.is_japanese:
                return f"{self._link_name(goal.label)}は{label}の{name}にあります。"
            return f"{goal.label[0].upper()}{goal.label[1:]} is on floor {label}, in {name}."
        floor, room = room_at(self.definition, goal.spot)
        doors, links = rooms_by_door(self.graph, goal.spot), links_in(self.graph, goal.spot)
        is_assumed = floor_id in self.graph.assumed
        walls = [other for other in rooms_by_wall(floor, room) if other not in doors]
        kind = (kind_of(room) or "") if room.kind else ""  # a kind of its name is told by it
        shown_kind = kind_name(kind, self.language) if kind else ""
        size = size_of(floor, room)
        alternatives = [other for other in dict.fromkeys(room_names(room)) if fold(other) != fold(name)]
        if self.is_japanese:
            text = f"{name}" + (f"（{shown_kind}）" if shown_kind and shown_kind not in name else "")
            text += f"は{label}にあります。"
            text += f"別名は{self.join(alternatives)}です。" if alternatives else ""
            text += f"広さは{size.in_japanese()}です。"
            if doors and is_assumed:
                text += f"{self.join(doors)}と接しています（図面にドアの情報はありません）。"
            elif doors:
                text += f"ドアで{self.join(doors)}とつながっています。"
            text += f"壁を挟んで{self.join(walls)}と隣り合っています。" if walls else ""
            return text + (
                f"{self.join([link_in_japanese(link.kind, link.name) for link in links])}があります。"
                if links
                else ""
            )
        text = f"{name} is on floor {label}"
        text += f", next to {self.join(doors)}" if doors else ""
        text += f", with {self.join([called(link) for link in links])}" if links else ""
        text += f". Its area is {size}."
        text += f" It is also called {self.join(alternatives)}." if alternatives else ""
        text += f" It shares walls with {self.join(walls)}." if walls else ""
        is_told = not shown_kind or shown_kind in name.casefold()
        text += "" if is_told else f" Its kind is {shown_kind}."
        return text + (" The plan has no doors of this floor." if doors and is_assumed else "")

    @property
    def area(self) -> str:
        """The word for the legend of areas."""
        return "広さ" if self.is_japanese else "Area"

    def unknown(self, name: str) -> str:
        """Return that no room has a name."""
        return f"「{name}」という部屋はありません。" if self.is_japanese else f"There is no room {name!r}."

    def sizes(self, sizes: Mapping[Spot, Size]) -> str:
        """Return which rooms are coloured by their areas, the largest first."""
        listing = self._listing(list(sizes), list(sizes.values())).strip()
        if self.is_japanese:
            return f"{len(sizes)}室を広さで色分けしました：{listing}"
        return f"{len(sizes)} rooms coloured by area: {listing}"

    def floor(self, floor_id: str) -> str:
        """Return the name of a floor."""
        return self.places.label(floor_id, self.language)

    def floors(self) -> str:
        """Return the number of floors with their names, from the lowest one."""
        floors = self.definition.floors
        if all(floor.ordinal is not None for floor in floors):
            floors = sorted(floors, key=lambda floor: floor.ordinal or 0)
        names = self.join([self.floor(floor.floor_id) for floor in floors])
        if self.is_japanese:
            return f"この建物は{len(floors)}フロアです：{names}。"
        return f"The building has {len(floors)} floor{'s' if len(floors) > 1 else ''}: {names}."

    def names(self, floors: Sequence[Floor]) -> str:
        """Return a line with the rooms of each floor, in Japanese."""
        return "\n".join(
            f"{self.floor(floor.floor_id)}の部屋は{len(floor.rectangles)}室です："
            + "、".join(room.name for room in floor.rectangles)
            for floor in floors
        )

    def answer(
        self, show: str, kind: str, spots: Sequence[Spot], floors: Sequence[str]
    ) -> tuple[str, list[Spot]]:
        """Return a sentence about rooms, and the rooms to show on the map. `kind` is empty for rooms of any kind."""
        self.are_named = kind == NAMED
        if not spots:
            return self._none(kind, floors), []
        if show in ("largest", "smallest"):
            return self._extreme(show == "largest", kind, spots, floors)
        count = len(spots)
        rooms = [room_at(self.definition, spot)[1] for spot in spots]
        sizes = [size_of(*room_at(self.definition, spot)) for spot in spots]
        if show == "area":
            total = Size(sum(size.value for size in sizes), all(size.in_metres for size in sizes))
            if self.is_japanese:
                text = f"{self._where(floors)}{self._noun(kind, count)}{count}室の広さは合計{total.in_japanese()}です。"
            else:
                text = f"The total area of the {count} {self._noun(kind, count)}{self._where(floors)} is {total}."
            return text + self._listing(spots, sizes), list(spots) if kind else []
        among = "" if kind else self._among(rooms)
        if self.is_japanese:
            counter = "か所" if kind in (*CIRCULATION, "toilet") else "室"
            text = f"{self._where(floors)}{self._noun(kind, count)}は{count}{counter}です{among}："
        else:
            verb = "is" if count == 1 else "are"
            text = f"There {verb} {count} {self._noun(kind, count)}{self._where(floors)}{among}:"
        is_chosen = kind or self.limit or self.without
        return text + self._listing(spots, sizes if self.limit else ()), list(spots) if is_chosen else []

    def _extreme(
        self, largest: bool, kind: str, spots: Sequence[Spot], floors: Sequence[str]
    ) -> tuple[str, list[Spot]]:
        """Return the sentence about the largest or smallest room; corridors and stairs count only if they are asked for."""
        sized = [
            (size_of(*place).value, spot, place)
            for spot in spots
            for place in [room_at(self.definition, spot)]
        ]
        ranked = sorted(sized, key=lambda item: -item[0] if largest else item[0])
        inner = [item for item in ranked if kind or kind_of(item[2][1]) not in CIRCULATION] or ranked
        (_, first, at), following = inner[0], inner[1 : 1 + MAX_NEXT]
        size = size_of(*at)
        alternatives = [f"{spot[1]} ({self.floor(spot[0])}, {size_of(*at)})" for _, spot, at in following]
        larger = ranked[0] if ranked[0][1] != first else None
        apart = abs(round(inner[0][0], 1) - round(inner[1][0], 1)) if len(spots) == len(inner) == 2 else None
        if apart is not None and round(apart, 1) == 0:
            names = [f"{spot[1]} ({self.floor(spot[0])})" for _, spot, _ in inner]
            text = f"{names[0]} and {names[1]} are equally large: {size}."
            return (
                f"{names[0]}と{names[1]}は同じ広さで、{size.in_japanese()}です。"
                if self.is_japanese
                else text
            ), [*spots]
        difference = "" if apart is None or not size.in_metres else f"{apart:.1f}"
        if self.is_japanese:
            word = "最も広い" if largest else "最も狭い"
            place = f"{first[1]}（{self.floor(first[0])}）"
            text = f"{self._where(floors)}{word}{self._noun(kind, 1)}は{place}で、{size.in_japanese()}です。"
            alternatives = [
                f"{spot[1]}（{self.floor(spot[0])}、{size_of(*at).in_japanese()}）"
                for _, spot, at in following
            ]
            text += f"次は{'、'.join(alternatives)}です。" if alternatives else ""
            text += f"差は{difference}m²です。" if difference else ""
            if larger:
                text += f"廊下なども含めると{larger[1][1]}（{size_of(*larger[2]).in_japanese()}）です。"
            return text, [first]
        word = "largest" if largest else "smallest"
        text = f"The {word} {self._noun(kind, 1)}{self._where(floors)} is {first[1]} ({self.floor(first[0])}) with {size}."
        text += f" Next: {', '.join(alternatives)}." if alternatives else ""
        text += f" The difference is {difference} m²." if difference else ""
        if larger:
            text += f" Corridors and stairs included, it is {larger[1][1]} with {size_of(*larger[2])}."
        return text, [first]

    def _none(self, kind: str, floors: Sequence[str]) -> str:
        """Return that there is none, and the floors that have one."""
        elsewhere = list(dict.fromkeys(self.floor(floor) for floor, _ in self.places.by_kind.get(kind, ())))
        if self.is_japanese:
            text = f"{self._where(floors).replace('の', 'に')}{self._noun(kind, 1)}はありません。"
            return text + (f"{self.join(elsewhere)}にあります。" if elsewhere else "")
        text = f"There is no {self._noun(kind, 1)}{self._where(floors)}."
        return text + (f" Floors with one: {', '.join(elsewhere)}." if elsewhere else "")

    def _where(self, floors: Sequence[str]) -> str:
        """Return the floor for a sentence; empty for all floors."""
        if len(floors) != 1 or len(self.definition.floors) == 1:
            return "" if self.is_japanese or len(floors) == 1 or self.are_named else " in the building"
        return f"{self.floor(floors[0])}の" if self.is_japanese else f" on {self.floor(floors[0])}"

    def _noun(self, kind: str, count: int) -> str:
        """Return the word for the rooms, with what narrows them: offices of more than 50 m²."""
        side, _, area = self.limit.rpartition(" ")
        without = self.places.kind(self.without) or self.without
        if self.is_japanese:
            limits = f"{area}m²{_LIMITS[side][1]}" if side else ""
            others = f"{kind_name(without, 'ja')}以外の" if without else ""
            return others + limits + self._plain_noun(kind, count)
        limits = f" of {_LIMITS[side][0]} {area} m²" if side else ""
        others = f" other than {kind_name(without, 'en', 2)}" if without else ""
        return self._plain_noun(kind, count) + limits + others

    def _plain_noun(self, kind: str, count: int) -> str:
        if kind == NAMED and count == 1:
            return "ところ" if self.is_japanese else "of these rooms"
        if kind not in ("", NAMED):
            return kind_name(kind, self.language, count)
        return "部屋" if self.is_japanese else "room" if count == 1 else "rooms"

    def _among(self, rooms: Sequence[Rectangle]) -> str:
        """Return how many of the rooms are corridors, stairs and lifts."""
        kinds = Counter(kind for room in rooms if (kind := kind_of(room)) in CIRCULATION)
        if self.is_japanese:
            parts = [f"{kind_name(kind, 'ja')}{count}" for kind, count in kinds.items()]
            return f"（うち{'、'.join(parts)}）" if parts else ""
        parts = [f"{count} {kind_name(kind, 'en', count)}" for kind, count in kinds.items()]
        return f" ({self.join(parts)} among them)" if parts else ""

    def _listing(self, spots: Sequence[Spot], sizes: Sequence[Size] = ()) -> str:
        """Return the names, the largest first if they have sizes, at most `MAX_NAMES`."""
        many_floors = len({floor for floor, _ in spots}) > 1
        labels: list[str] = []
        order = (
            sorted(range(len(spots)), key=lambda number: -sizes[number].value) if sizes else range(len(spots))
        )
        for number in list(order)[:MAX_NAMES]:
            floor, name = spots[number]
            size = (sizes[number].in_japanese() if self.is_japanese else str(sizes[number])) if sizes else ""
            details = [*([self.floor(floor)] if many_floors else []), *([size] if size else [])]
            within = "、".join(details) if self.is_japanese else ", ".join(details)
            labels.append(name + (f"（{within}）" if self.is_japanese else f" ({within})") * bool(details))
        more = len(spots) - len(labels)
        if self.is_japanese:
            return f"{'、'.join(labels)}" + (f"、ほか{more}室。" if more else "。")
        return f" {', '.join(labels)}" + (f" and {more} more." if more else ".")

    def join(self, names: Sequence[str]) -> str:
        """Join names for a sentence, at most `MAX_NAMES` of them; empty without any."""
        entries = list(names[:MAX_NAMES])
        more = len(names) - len(entries)
        if self.is_japanese:
            return "、".join(entries) + (f"ほか{more}室" if more else "")
        entries += [f"{more} more"] if more else []
        return " and ".join(filter(None, (", ".join(entries[:-1]), *entries[-1:])))
