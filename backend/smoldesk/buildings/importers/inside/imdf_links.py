"""Relationships of IMDF that lead from level to level: the units, openings and amenities of one link."""

from dataclasses import dataclass, field
from typing import Any, cast

from .draft import Json
from .findings import Findings
from .imdf_features import ImdfFeature
from .imdf_kinds import LINK_KINDS
from .imdf_names import FeaturesOf
from .site import ConnectorKind

_ENDS = ("origin", "intermediary", "destination")


@dataclass
class LinkGroup:
    """One link; relationships that share a feature are the same link."""

    id: str
    kind: ConnectorKind
    name: str = ""


@dataclass
class LinkedParts:
    """Groups by the ids of their features, and all features that relationships refer to."""

    groups: dict[str, LinkGroup] = field(default_factory=dict[str, LinkGroup])
    parts: list[ImdfFeature] = field(default_factory=list[ImdfFeature])


def linked_parts(features_of: FeaturesOf, findings: Findings) -> LinkedParts:
    """Return what the relationships of the categories elevator, escalator, stairs and ramp refer to."""
    by_id = {feature.id: feature for kind in ("unit", "opening", "amenity") for feature in features_of(kind)}
    result = LinkedParts()
    directed = 0
    for relationship in features_of("relationship"):
        kind = LINK_KINDS.get(relationship.text("category").lower())
        if kind is None:
            continue
        directed += relationship.text("direction") == "directed"
        ids = [id_ for id_ in referenced_ids(relationship) if id_ in by_id]
        known = next((result.groups[id_] for id_ in ids if id_ in result.groups), None)
        group = known or LinkGroup(relationship.id or relationship.where, kind)
        # An amenity is a point of the link in its unit, which says more than the unit itself: a hall with a lift.
        placed = {unit for id_ in ids if by_id[id_].type == "amenity" for unit in by_id[id_].ids("unit_ids")}
        for id_ in ids:
            if id_ not in result.groups and id_ not in placed:
                result.groups[id_] = group
                result.parts.append(by_id[id_])
    if directed:
        findings.add("one_direction", "", directed)
    return result


def referenced_ids(relationship: ImdfFeature) -> list[str]:
    """Return the ids of origin, intermediaries and destination, in this order."""
    ids: list[str] = []
    for end in _ENDS:
        value = relationship.properties.get(end)
        references = cast("list[Any]", value) if isinstance(value, list) else [value]
        for reference in references:
            id_ = cast(Json, reference).get("id") if isinstance(reference, dict) else None
            if isinstance(id_, str):
                ids.append(id_)
    return ids
