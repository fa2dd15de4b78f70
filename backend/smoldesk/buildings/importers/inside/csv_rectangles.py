"""Rooms as rectangles in a CSV file: one line for each, with floor, name and corners under English or Japanese names.

The y of the file grows downwards, as on an image, unless it has `left` and `bottom` with a size, or its `bottom` is
below its `top`.
"""

import csv
import io
import re
import unicodedata
from dataclasses import dataclass

from smoldesk.tables.inside.encodings import detect
from smoldesk.tables.inside.separators import detect as detect_separator
from smoldesk.tables.inside.shapes import Unreadable as NoText

from .draft import LONGEST_NAME, MAX_ROOMS, Unreadable, clipped, too_many
from .findings import Findings
from .site import Area, Level, Site

SAMPLE_CHARACTERS = 65_536
# Field -> its names in files, folded.
NAMES: dict[str, tuple[str, ...]] = {
    "floor": ("floor", "level", "storey", "story", "階", "フロア", "階数", "階層"),
    "name": ("name", "room", "roomname", "名称", "名前", "部屋", "部屋名", "室名"),
    "kind": ("kind", "type", "category", "use", "usage", "種類", "種別", "用途", "区分"),
    "aliases": ("aliases", "alias", "別名", "略称", "通称"),
    "number": ("number", "no", "roomnumber", "roomno", "番号", "部屋番号", "室番号", "室番"),
    "x": ("x", "x座標", "posx"),
    "y": ("y", "y座標", "posy"),
    "width": ("width", "w", "幅", "横幅"),
    "height": ("height", "h", "depth", "高さ", "縦幅", "奥行", "奥行き"),
    "x1": ("x1", "startx", "始点x"),
    "y1": ("y1", "starty", "始点y"),
    "x2": ("x2", "endx", "終点x"),
    "y2": ("y2", "endy", "終点y"),
    "left": ("left", "xmin", "minx", "左", "左端"),
    "top": ("top", "上", "上端"),
    "right": ("right", "xmax", "maxx", "右", "右端"),
    "bottom": ("bottom", "下", "下端"),
    "ymin": ("ymin", "miny"),
    "ymax": ("ymax", "maxy"),
}
_FIELDS = {name: field for field, names in NAMES.items() for name in names}
# Columns of a rectangle: left or right first, then the y of both sides or a side and a size. True: y grows upwards.
FORMS: tuple[tuple[tuple[str, str, str, str], bool], ...] = (
    (("x1", "y1", "x2", "y2"), False),
    (("left", "top", "right", "bottom"), False),
    (("left", "ymin", "right", "ymax"), False),
    (("left", "bottom", "width", "height"), True),
    (("left", "top", "width", "height"), False),
    (("x", "y", "width", "height"), False),
)
EXPECTED = (
    "Expected columns name, floor and a rectangle: x, y, width, height, or x1, y1, x2, y2, or left, top, right, bottom "
    "(部屋名, 階, x, y, 幅, 高さ)."
)
_UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "ft": 0.3048}
_NUMBER = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,2})?)\s*(mm|cm|m|ft)?", re.IGNORECASE)


@dataclass(frozen=True)
class _Table:
    """Header and form of the file. `columns` has the place of each field, `scale` the metres of each field's unit."""

    columns: dict[str, int]
    scale: dict[str, float]
    form: tuple[str, str, str, str]
    y_grows_up: bool
    separator: str


def is_rectangles_csv(head: bytes) -> bool:
    """Check for a header line with a room's name or floor and at least two coordinates."""
    try:
        text = _text(head[: head.rfind(b"\n") + 1] or head)
    except Unreadable:
        return False
    header = _header(text)
    fields = {field for cell in header for field, _ in [_field(cell)] if field}
    coordinates = fields - {"floor", "name", "kind", "aliases", "number"}
    return len(header) > 1 and len(coordinates) > 1 and bool(fields & {"floor", "name"})


def read_csv(data: bytes, findings: Findings) -> Site:
    """Read the rooms of a file. Raises Unreadable without the columns of a rectangle; bad lines are findings."""
    text = _text(data)
    table = _table(text)
    site = Site("csv", unit="metres")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=table.separator)
    corners: list[tuple[float, float, float, float]] = []
    try:
        has_header = False
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if not has_header:
                has_header = True
                continue
            _add_row(row, f"line {rows.line_num}", table, site, corners, findings)
    except csv.Error as fault:
        raise Unreadable(f"The CSV is broken: {fault}.", f"line {rows.line_num}") from None
    if not site.areas:
        raise Unreadable(f"The file has no room. {EXPECTED}")
    _place(site, corners, table, findings)
    return site


def _add_row(
    row: list[str],
    where: str,
    table: _Table,
    site: Site,
    corners: list[tuple[float, float, float, float]],
    findings: Findings,
) -> None:
    if len(site.areas) >= MAX_ROOMS:
        raise too_many("rooms", len(site.areas) + 1, MAX_ROOMS, where)

    def cell(field: str) -> str:
        place = table.columns.get(field)
        return row[place].strip() if place is not None and place < len(row) else ""

    numbers: list[float] = []
    for field in table.form:
        number = _number(cell(field), table.separator)
        if number is None:
            findings.add("expected", f"{where}, {field}", expected="number", value=f"{cell(field)!r}")
            return
        numbers.append(number * table.scale[field])
    left, first, right, second = numbers
    if "width" in table.form:
        if right <= 0 or second <= 0:
            findings.add("expected", where, expected="width, height > 0", value=f"{right:g}, {second:g}")
            return
        right, second = left + right, first + second
    elif left == right or first == second:
        findings.add("expected", where, expected="width, height > 0", value=0)
        return
    floor = unicodedata.normalize("NFKC", cell("floor"))[:LONGEST_NAME]
    if "floor" in table.columns and not floor:
        findings.add("missing", f"{where}, floor", expected="1F / 2 / B1")
        return
    corners.append((left, first, right, second))
    if floor and all(level.id != floor for level in site.levels):
        site.levels.append(Level(floor, floor, where=where))
    aliases = [*re.split(r"[;,、，/|]", cell("aliases")), cell("number")]
    name = cell("name")
    site.areas.append(
        Area(
            where,
            None,
            [floor] if floor else [],
            name or cell("number"),
            cell("kind"),
            aliases=[alias.strip() for alias in aliases if alias.strip() and alias.strip() != name]
            if name
            else [],
        )
    )


def _place(
    site: Site, corners: list[tuple[float, float, float, float]], table: _Table, findings: Findings
) -> None:
    """Give the areas their shapes, with y upwards."""
    import shapely

    upwards = table.y_grows_up
    if table.form == ("left", "top", "right", "bottom"):
        upwards = sum(top > bottom for _, top, _, bottom in corners) * 2 > len(corners)
    sign = 1 if upwards else -1
    for area, (left, first, right, second) in zip(site.areas, corners, strict=True):
        area.shape = shapely.box(
            min(left, right),
            min(sign * first, sign * second),
            max(left, right),
            max(sign * first, sign * second),
        )
    findings.add("y_up" if upwards else "y_down", "line 1")


def _table(text: str) -> _Table:
    """Find the columns of the header. Raises Unreadable for a missing or doubled one."""
    separator = detect_separator(text[:SAMPLE_CHARACTERS]).separator
    columns: dict[str, int] = {}
    scale: dict[str, float] = {}
    header = _header(text)
    for place, cell in enumerate(header):
        field, factor = _field(cell)
        if field and field in columns:
            raise Unreadable(f"Two columns mean {field}: {header[columns[field]]!r} and {cell!r}.", "line 1")
        if field:
            columns[field], scale[field] = place, factor
    for form, y_grows_up in FORMS:
        if all(field in columns for field in form):
            return _Table(columns, scale, form, y_grows_up, separator)
    names = ", ".join(clipped(cell, 30) for cell in header[:20])
    raise Unreadable(f"The columns of a rectangle are missing: the file has {names}. {EXPECTED}", "line 1")


def _header(text: str) -> list[str]:
    rows = detect_separator(text[:SAMPLE_CHARACTERS]).rows
    return rows[0] if rows else []


def _field(cell: str) -> tuple[str, float]:
    """Return the field that a header means, "" for none, and the metres of its unit: "幅 (mm)" is width, 0.001."""
    folded = unicodedata.normalize("NFKC", cell).strip("\ufeff \t\"'").casefold()
    unit = re.search(r"[(\[_ ](mm|cm|m|ft)[)\]]?$", folded)
    plain = re.sub(r"[\s_.-]", "", folded[: unit.start()] if unit else re.sub(r"[(\[].*$", "", folded))
    return _FIELDS.get(plain, ""), _UNITS[unit[1]] if unit else 1.0


def _number(cell: str, separator: str) -> float | None:
    """Return a number: 1,234.5, with a unit, full-width, or 3,5 where commas do not separate columns."""
    text = unicodedata.normalize("NFKC", cell).replace(" ", "")
    if "," in text:
        decimal = separator != "," and "." not in text and not re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+", text)
        text = text.replace(",", "." if decimal else "")
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    value = float(match[1]) * _UNITS.get((match[2] or "m").lower(), 1.0)
    return value if abs(value) < 1e9 else None


def _text(data: bytes) -> str:
    """Decode a file. Raises Unreadable for bytes that are not text."""
    try:
        encoding = detect(io.BufferedReader(io.BytesIO(data)))
    except NoText as fault:
        raise Unreadable(f"The file is not text: {fault}.") from None
    return data.decode(encoding.name, "replace").removeprefix("\ufeff")
