"""Rules for specs of charts, which untrusted authors write: no addresses, page elements or unbounded expressions.

Pure. The child applies them where code can correct its spec; the server applies them again, since it trusts no child.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

# Maximum rows in all tables of a chart.
MAX_ROWS = 5_000
# Maximum bytes of a chart's file: its spec and its rows.
MAX_BYTES = 2 * 1024 * 1024
# Maximum characters of a spec without its rows.
MAX_SPEC = 100_000
# Maximum pixels of a side, and maximum steps of bins, ticks or a density.
MAX_SIDE = 4_000
MAX_DEPTH = 40

Spec = dict[str, Any]

INNER = ("layer", "concat", "hconcat", "vconcat")
_ADDRESS = re.compile(r"^\s*(?:[a-z][a-z0-9+.-]*:|//|\\\\)", re.IGNORECASE)
# Functions of expressions with unbounded work, or with access beyond the current row.
_ENDLESS = re.compile(
    r"\b(?:sequence|timeSequence|utcSequence|pad|regexp|test|join|repeat|warn|info|debug|load|modify|data|"
    r"treePath|treeAncestors|geoArea|geoBounds|geoCentroid)\s*\("
)
# A regular expression literal.
_REGULAR = re.compile(r"(?:^|[(,=&|!?:{;])\s*/(?![/*])[^/\n]+/")
_EXPRESSIONS = frozenset(
    [
        "expr",
        "calculate",
        "filter",
        "test",
        "and",
        "or",
        "not",
        "labelExpr",
        "update",
        "signal",
        "events",
        "on",
        "clear",
        "zoom",
        "translate",
    ]
)
_BOUNDED = frozenset(
    [
        "width",
        "height",
        "step",
        "maxbins",
        "tickCount",
        "steps",
        "columns",
        "bins",
        "size",
        "spacing",
        "padding",
    ]
)
_FORBIDDEN = {
    "usermeta": "options of the program that draws",
    "href": "links",
    "url": "addresses: give the data with the chart",
    "sequence": "made-up rows",
    "graticule": "made-up rows",
    "sphere": "made-up rows",
    "element": "elements of the page",
    "$ref": "references",
}


def views(spec: Spec) -> Iterator[Spec]:
    """Yield the spec and each spec within it."""
    yield spec
    for key in INNER:
        inner = spec.get(key)
        for part in cast("list[Any]", inner) if isinstance(inner, list) else ():
            if isinstance(part, dict):
                yield from views(cast(Spec, part))
    inner = spec.get("spec")
    if isinstance(inner, dict):
        yield from views(cast(Spec, inner))


def fault_of(spec: Spec) -> str:
    """Return why a spec is refused; "" for a valid one. Rows are not checked: their keys may have any name."""
    schema = spec.get("$schema")
    if isinstance(schema, str) and "vega-lite" not in schema:
        return f"it is not a Vega-Lite spec: its $schema is {schema[:80]!r}"
    if not any(key in spec for key in ("mark", *INNER, "spec")):
        return 'it is not a Vega-Lite spec: there is no "mark", and no layers or views'
    return next(
        _faults({key: part for key, part in spec.items() if key not in ("$schema", "datasets")}, "", 0), ""
    )


def _faults(value: Any, key: str, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        yield f"it is nested deeper than {MAX_DEPTH} levels"
    elif isinstance(value, dict):
        for name, part in cast(Spec, value).items():
            yield from _faults_of_field(name, part, key, depth)
    elif isinstance(value, list):
        for part in cast("list[Any]", value):
            yield from _faults(part, key, depth + 1)
    elif isinstance(value, str):
        yield from _faults_of_text(value, key)
    elif isinstance(value, int | float) and key in _BOUNDED and not abs(value) <= MAX_SIDE:
        yield f"its {key} is {value:,}, at most {MAX_SIDE:,} is drawn"


def _faults_of_field(name: str, part: Any, key: str, depth: int) -> Iterator[str]:
    if name == "values" and key == "data":
        return  # rows
    if name in _FORBIDDEN:
        yield f'"{name}" is not allowed: a chart has no {_FORBIDDEN[name]}'
    elif (name == "mark" or (name == "type" and key == "mark")) and _mark(part) == "image":
        yield "image marks are not drawn"
    elif name == "step" and isinstance(part, int | float) and key in ("bin", "impute") and part <= 0:
        yield f"the step of a bin must be above 0, got {part}"
    else:
        yield from _faults(part, name, depth + 1)


def _faults_of_text(text: str, key: str) -> Iterator[str]:
    if key == "shape" or key == "image":
        if _ADDRESS.match(text):
            yield f"its {key} must not be an address"
        return
    if key in _EXPRESSIONS:
        if len(text) > 2_000:
            yield "one of its expressions has more than 2,000 characters"
        elif match := _ENDLESS.search(text):
            yield f"its expressions may not call {match[0].rstrip('( ')}()"
        elif _REGULAR.search(text):
            yield "its expressions may not have regular expressions"
    elif key in ("fill", "stroke", "color", "background") and "url(" in text.lower():
        yield f"its {key} must not be an address"


def _mark(part: Any) -> Any:
    return cast(Spec, part).get("type") if isinstance(part, dict) else part


def without_rows(spec: Spec) -> int:
    """Return the number of characters of a spec without its rows."""
    return len(json.dumps({**spec, "datasets": None}))
