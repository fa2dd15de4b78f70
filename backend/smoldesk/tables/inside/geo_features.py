"""Features of a GeoJSON document as the rows of a table: their properties, kinds of shape, and places of points."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, cast

from .shapes import Problem, Unreadable, quoted

# Properties that give the floor of a room, in buildings.
_LEVELS = ("level", "level_id", "levels", "floor", "storey", "階")
_POSITIONS = ("longitude", "latitude")


def is_features(document: Mapping[str, Any]) -> bool:
    """Check for a collection of features, by its type."""
    return document.get("type") == "FeatureCollection" and isinstance(document.get("features"), list)


def features(document: Mapping[str, Any]) -> tuple[Any, str]:
    """Return a table with a row for each feature, and the expression that makes it of `{data}`. Raises Unreadable."""
    import pandas as pd

    rows = cast(list[Any], document["features"])
    if not rows:
        raise Unreadable("no_features")
    odd = next((at for at, row in enumerate(rows) if not _is_feature(row)), None)
    if odd is not None:
        raise Unreadable("not_a_feature", place={"item": odd + 1})
    names = {name for row in rows for name in _properties(row)}
    shapes = [_shape(row) for row in rows]
    added: dict[str, tuple[list[Any], str]] = {}
    if {*shapes} == {"Point"} and all(map(_is_position, rows)):
        for at, name in enumerate(_POSITIONS):
            values = [row["geometry"]["coordinates"][at] for row in rows]
            added[_free(name, names)] = values, f't["geometry"]["coordinates"][{at}]'
    elif len({*shapes}) > 1:
        added[_free("geometry", names)] = [*shapes], '(t.get("geometry") or {}).get("type")'
    if not names and not added:
        raise Unreadable("no_properties")
    records = [
        {**_properties(row), **{name: values[at] for name, (values, _) in added.items()}}
        for at, row in enumerate(rows)
    ]
    more = "".join(f", {quoted(name)}: {expression}" for name, (_, expression) in added.items())
    record = f'{{**(t.get("properties") or {{}}){more}}}'
    return pd.json_normalize(records), f'pd.json_normalize([{record} for t in {{data}}["features"]])'


def feature_problems(document: Any) -> list[Problem]:
    """Report shapes that are not in the table, and features that look like the rooms of a building."""
    if not isinstance(document, dict) or not is_features(cast(dict[str, Any], document)):
        return []
    rows = [row for row in cast(dict[str, Any], document)["features"] if _is_feature(row)]
    kinds = Counter(shape for row in rows if (shape := _shape(row)))
    problems: list[Problem] = []
    if kinds and [*kinds] != ["Point"]:
        shapes = [f"{count:,} {shape[:40]}" for shape, count in kinds.most_common(4)]
        problems.append(Problem("coordinates", {"shapes": shapes}, is_note=True))
    has_levels = any(level in _properties(row) for row in rows[:200] for level in _LEVELS)
    if has_levels and kinds.keys() & {"Polygon", "MultiPolygon"}:
        problems.append(Problem("features_level"))
    return problems


def _properties(row: Any) -> dict[str, Any]:
    return cast(dict[str, Any], row.get("properties") or {})


def _shape(row: Any) -> str | None:
    shape = cast(dict[str, Any], row.get("geometry") or {}).get("type")
    return shape if isinstance(shape, str) else None


def _is_feature(row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    parts = [cast(dict[str, Any], row).get(name) for name in ("properties", "geometry")]
    return all(part is None or isinstance(part, dict) for part in parts)


def _is_position(row: Any) -> bool:
    position = row["geometry"].get("coordinates")
    return isinstance(position, list) and len(cast(list[Any], position)) > 1


def _free(name: str, names: Collection[str]) -> str:
    while name in names:
        name += "_"
    return name
