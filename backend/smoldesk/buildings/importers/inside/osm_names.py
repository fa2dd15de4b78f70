"""Names in OpenStreetMap's tags: the name or else the number, names by language, and other names."""

import re
from collections.abc import Mapping

_NAMES = (
    "name",
    "ref",
    "room:ref",
    "local_ref",
    "addr:unit",
    "loc_name",
    "short_name",
    "official_name",
    "brand",
)
_OTHER_NAMES = (
    "ref",
    "room:ref",
    "local_ref",
    "alt_name",
    "loc_name",
    "short_name",
    "official_name",
    "old_name",
)
_LANGUAGE = re.compile(r"name:([a-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,3})")


def name_of(tags: Mapping[str, str]) -> str:
    """Return the name of an element, or its number if it has no name, or ""."""
    return next((name for key in _NAMES if (name := _clean(tags.get(key, "")))), "")


def names_of(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the names by language tag, as in `name:ja`."""
    names = {key: match[1] for key in tags if (match := _LANGUAGE.fullmatch(key))}
    return {tag.replace("_", "-"): name for key, tag in names.items() if (name := _clean(tags[key]))}


def aliases_of(tags: Mapping[str, str]) -> list[str]:
    """Return numbers, short names and old names beside the name; a tag may list several."""
    name = name_of(tags)
    parts = [_clean(part) for key in _OTHER_NAMES for part in tags.get(key, "").split(";")]
    return [part for part in dict.fromkeys(parts) if part and part != name]


def _clean(text: str) -> str:
    return " ".join(text.split())[:200]
