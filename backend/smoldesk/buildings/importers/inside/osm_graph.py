"""Nodes, ways and relations of an OpenStreetMap file, in any order, and the elements with shapes that they make.

The file's reader adds each of them once it is parsed; `elements` then joins them. Of what is not part of an indoor map
only a count and the coordinates stay.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import shapely

from .draft import Unreadable
from .osm_roles import is_relevant
from .osm_tags import Element
from .site import Geometry

MAX_OBJECTS = 2_000_000
# Tags of multipolygons that only say that they are one.
_ADMINISTRATIVE = frozenset({"type", "source", "note", "created_by"})
Position = tuple[float, float]
Tags = Mapping[str, str]


@dataclass(frozen=True)
class RelationMember:
    """A member of a relation; `line` are its coordinates if the file repeats them there."""

    type: str
    ref: int
    role: str
    line: Sequence[Position] = ()


@dataclass(frozen=True)
class Relation:
    """A relation with the members that its shape or its level concerns."""

    tags: Tags
    members: Sequence[RelationMember]


class Graph:
    """Collects the objects of a file. Raises Unreadable beyond the limit."""

    def __init__(self) -> None:
        self._positions: dict[int, Position] = {}
        self._lines: dict[int, Sequence[int] | Sequence[Position]] = {}
        self._points: dict[int, Tags] = {}
        self._ways: dict[int, Tags] = {}
        self._relations: dict[int, Relation] = {}
        self._objects = 0
        self.others = 0
        """Objects with tags that are not part of an indoor map."""
        self.incomplete: list[str] = []
        """Relevant ways and relations without coordinates, as places in the file."""

    def add_node(self, ref: int, position: Position | None, tags: Tags) -> None:
        self._count()
        if position is not None and abs(position[0]) <= 180 and abs(position[1]) <= 90:
            self._positions[ref] = position
        self._keep(self._points, ref, tags)

    def add_way(self, ref: int, nodes: Sequence[int] | Sequence[Position], tags: Tags) -> None:
        """Add a way by its nodes' ids or their positions."""
        self._count()
        if nodes or ref not in self._lines:
            self._lines[ref] = nodes
        self._keep(self._ways, ref, tags)

    def add_relation(self, ref: int, members: Sequence[RelationMember], tags: Tags) -> None:
        self._count()
        is_area = tags.get("type") in ("multipolygon", "boundary", "building")
        if tags.get("type") == "level" or (
            is_area and (is_relevant(tags) or not tags.keys() - _ADMINISTRATIVE)
        ):
            self._relations[ref] = Relation(tags, members)
        elif tags.keys() - {"type"}:
            self.others += 1

    def elements(self) -> Iterator[Element]:
        """Yield each relevant object with its shape: a point, a line, or the area of a relation."""
        self._apply_level_relations()
        merged = set[int]()
        for ref, relation in self._relations.items():
            if relation.tags.get("type") == "multipolygon":
                yield from self._areas(ref, relation, merged)
        for ref, tags in self._points.items():
            if position := self._positions.get(ref):
                yield Element(f"node/{ref}", tags, shapely.Point(position), f"node {ref}")
        for ref, tags in self._ways.items():
            line = self._line(ref)
            if ref in merged:
                continue
            if len(line) > 1:
                yield Element(f"way/{ref}", tags, shapely.LineString(line), f"way {ref}")
            elif line:
                yield Element(f"way/{ref}", tags, shapely.Point(line[0]), f"way {ref}")
            else:
                self.incomplete.append(f"way {ref}")

    def _areas(self, ref: int, relation: Relation, merged: set[int]) -> Iterator[Element]:
        """Yield the area of a multipolygon. Without tags of its own it has those of its outer way, as before 2013."""
        tags = relation.tags
        outers = [
            member.ref for member in relation.members if member.type == "way" and member.role != "inner"
        ]
        if not tags.keys() - _ADMINISTRATIVE:
            if len(outers) != 1 or outers[0] not in self._ways:
                return
            tags = self._ways[outers[0]]
            merged.add(outers[0])
        shape = self._multipolygon(relation)
        if shape is None or shape.is_empty:
            self.incomplete.append(f"relation {ref}")
        else:
            yield Element(f"relation/{ref}", tags, shape, f"relation {ref}")

    def _multipolygon(self, relation: Relation) -> Geometry | None:
        lines = {"outer": list[list[Position]](), "inner": list[list[Position]]()}
        for member in relation.members:
            if member.type == "way":
                line = list(member.line) or self._line(member.ref)
                lines["inner" if member.role == "inner" else "outer"].append(line)
        outer, inner = _surface(lines["outer"]), _surface(lines["inner"])
        return outer if outer is None or inner is None else outer.difference(inner)

    def _apply_level_relations(self) -> None:
        """Give the members of a relation type=level its level, as in IndoorOSM."""
        for relation in self._relations.values():
            if relation.tags.get("type") != "level" or "level" not in relation.tags:
                continue
            level = {"level": relation.tags["level"]}
            for member in relation.members:
                stored = {"way": self._ways, "node": self._points}.get(member.type, {})
                if member.ref in stored:
                    stored[member.ref] = level | dict(stored[member.ref])

    def _line(self, ref: int) -> list[Position]:
        nodes = self._lines.get(ref, ())
        positions = (self._positions.get(node) if isinstance(node, int) else node for node in nodes)
        return [position for position in positions if position]

    def _keep(self, stored: dict[int, Tags], ref: int, tags: Tags) -> None:
        if is_relevant(tags):
            stored[ref] = tags
        elif tags:
            self.others += 1

    def _count(self) -> None:
        self._objects += 1
        if self._objects > MAX_OBJECTS:
            raise Unreadable(
                f"The file has more than {MAX_OBJECTS:,} nodes, ways and relations. Cut out the building."
            )


def _surface(lines: list[list[Position]]) -> Geometry | None:
    """Return the area that lines enclose together, or None. Lines that do not close are ignored."""
    closed = [line for line in lines if len(line) > 3 and line[0] == line[-1]]
    open_lines = [shapely.LineString(line) for line in lines if len(line) > 1 and line[0] != line[-1]]
    rings = [shapely.make_valid(shapely.Polygon(line)) for line in closed]
    joined = shapely.polygonize(open_lines) if open_lines else None
    parts = [*rings, *(joined.geoms if joined is not None else ())]
    return shapely.union_all(parts) if parts else None
