"""OpenStreetMap's files: XML (also JOSM's and Overpass's), PBF, both also compressed, and Overpass's JSON."""

import bz2
import gzip
import io
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, cast
from xml.parsers import expat

from .draft import Json, Unreadable, clipped
from .findings import Findings
from .osm_graph import Graph, Position, RelationMember
from .osm_tags import read_tagged
from .site import Site

MAX_EXPANDED = 128 * 1024**2
OBJECTS = ("node", "way", "relation")
_GZIP, _BZIP2 = b"\x1f\x8b", b"BZh"
_PBF = re.compile(rb"\x00\x00..\x0a\x09OSMHeader", re.DOTALL)
# The first element, after declarations and comments.
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<[?!].*?<osm[\s>]|\s*<osm[\s>]", re.DOTALL)


def is_osm(data: bytes) -> bool:
    """Check whether a file is OpenStreetMap's XML or PBF, compressed or not."""
    return bool(data[:2] == _GZIP or data[:3] == _BZIP2 or _PBF.match(data) or _XML.match(data[:4_000]))


def is_overpass(top: Mapping[str, Any]) -> bool:
    """Check whether JSON is Overpass's or that of OpenStreetMap's API."""
    return isinstance(top.get("elements"), list)


def read_osm(data: bytes, findings: Findings) -> Site:
    """Read XML or PBF. Raises Unreadable."""
    data = _expanded(data)
    graph = Graph()
    if _PBF.match(data):
        _read_pbf(data, graph)
    elif _XML.match(data[:4_000]):
        _XmlReader(graph).read(data)
    else:
        raise Unreadable("The compressed file contains neither OpenStreetMap's XML (<osm>) nor PBF.")
    return _site(graph, findings)


def read_overpass(top: Mapping[str, Any], findings: Findings) -> Site:
    """Read Overpass's JSON: `out geom`, or `out body; >;`. Raises Unreadable."""
    graph = Graph()
    for number, element in enumerate(cast("list[Any]", top["elements"])):
        try:
            _add_element(element, graph)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise Unreadable(
                "Expected a node, way or relation of Overpass's JSON: {type, id, lat, lon, nodes, members, tags}.",
                f"elements[{number}]",
            ) from None
    return _site(graph, findings)


def _site(graph: Graph, findings: Findings) -> Site:
    elements = list(graph.elements())
    if graph.incomplete and not elements:
        raise Unreadable(
            "No way has coordinates. Expected the nodes of each way; ask Overpass for `out geom;`.",
            graph.incomplete[0],
        )
    if graph.incomplete:
        findings.add("osm_incomplete", graph.incomplete[0], len(graph.incomplete))
    return read_tagged(elements, findings, graph.others)


def _expanded(data: bytes) -> bytes:
    """Return the contents of a compressed file, up to a limit."""
    if data[:2] == _GZIP:
        stream = gzip.GzipFile(fileobj=io.BytesIO(data))
    elif data[:3] == _BZIP2:
        stream = bz2.BZ2File(io.BytesIO(data))
    else:
        return data
    try:
        expanded = stream.read(MAX_EXPANDED + 1)
    except (zlib.error, OSError, EOFError, ValueError):
        raise Unreadable("The compressed file is broken, or ends too early.") from None
    if len(expanded) > MAX_EXPANDED:
        raise Unreadable(f"The file expands to more than {MAX_EXPANDED // 1024**2} MB. Cut out the building.")
    return expanded


class _XmlReader:
    """Reads XML as a stream. osmium would refuse what Overpass writes for `out geom` and `out center`."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._element: Json = {}
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._refuse_entity

    def read(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as fault:
            raise Unreadable(
                f"The XML is broken at line {fault.lineno}: {expat.errors.messages[fault.code]}."
            ) from None
        except (KeyError, ValueError, OverflowError) as fault:
            raise Unreadable(
                f"Expected OpenStreetMap's nodes, ways and relations; {fault} is missing or no number.",
                f"line {self._parser.CurrentLineNumber}",
            ) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Build the element that Overpass's JSON has for the same object."""
        if name in OBJECTS:
            self._element = {
                **attributes,
                "type": name,
                "tags": {},
                "nodes": [],
                "geometry": [],
                "members": [],
            }
        elif name == "tag":
            self._element["tags"][attributes["k"]] = attributes["v"]
        elif name == "member":
            self._element["members"].append({**attributes, "geometry": []})
        elif name == "center":
            self._element["center"] = attributes
        elif name == "nd":
            if "ref" in attributes:
                self._element["nodes"].append(attributes["ref"])
            if "lat" in attributes:  # `out geom` repeats them in ways and in members
                members = self._element["members"]
                (members[-1] if members else self._element)["geometry"].append(attributes)

    def _end(self, name: str) -> None:
        if name in OBJECTS and not _is_deleted(self._element):
            _add_element(self._element, self._graph)

    def _refuse_entity(self, *_arguments: object) -> None:
        raise Unreadable(
            "The XML declares entities, which are refused.", f"line {self._parser.CurrentLineNumber}"
        )


def _read_pbf(data: bytes, graph: Graph) -> None:
    # Only PBF needs it, and it takes a tenth of a second.
    from osmium import FileProcessor
    from osmium.io import FileBuffer
    from osmium.osm import Node, Relation, Way

    names = {"n": "node", "w": "way", "r": "relation"}
    try:
        for item in FileProcessor(FileBuffer(data, "pbf")):
            if not isinstance(item, Node | Way | Relation) or item.deleted:
                continue
            tags = {tag.k: tag.v for tag in item.tags}
            if isinstance(item, Node):
                graph.add_node(item.id, (item.lon, item.lat) if item.location.valid() else None, tags)
            elif isinstance(item, Way):
                graph.add_way(item.id, [node.ref for node in item.nodes], tags)
            else:
                members = [
                    RelationMember(names[member.type], member.ref, member.role) for member in item.members
                ]
                graph.add_relation(item.id, members, tags)
    except (RuntimeError, ValueError) as fault:
        raise Unreadable(f"The PBF file is broken: {clipped(fault, 200)}.") from None


def _add_element(element: Any, graph: Graph) -> None:
    """Add an object in the form of Overpass's JSON; numbers may be texts."""
    ref = int(element["id"])
    tags = {str(key): str(value) for key, value in element.get("tags", {}).items()}
    kind = element["type"]
    if kind == "node":
        graph.add_node(ref, _position(element), tags)
    elif kind == "way":
        line = _line(element.get("geometry") or ()) or [int(node) for node in element.get("nodes", ())]
        center = _position(element.get("center", {}))
        graph.add_way(ref, line or ([center] if center else []), tags)
    elif kind == "relation":
        members = [
            RelationMember(
                str(part["type"]),
                int(part["ref"]),
                str(part.get("role", "")),
                _line(part.get("geometry") or ()),
            )
            for part in element.get("members", ())
        ]
        graph.add_relation(ref, members, tags)
    elif kind not in ("area", "count", "timeline"):
        raise ValueError(kind)


def _line(points: Sequence[Any]) -> list[Position]:
    """Return a line of Overpass; null stands for a point outside the requested area."""
    return [position for point in points if point and (position := _position(point))]


def _position(attributes: Mapping[str, Any]) -> Position | None:
    if "lat" not in attributes or "lon" not in attributes:
        return None
    longitude, latitude = float(attributes["lon"]), float(attributes["lat"])
    # Also false for NaN.
    return (longitude, latitude) if abs(longitude) <= 180 and abs(latitude) <= 90 else None


def _is_deleted(attributes: Mapping[str, str]) -> bool:
    return attributes.get("action") == "delete" or attributes.get("visible") == "false"
