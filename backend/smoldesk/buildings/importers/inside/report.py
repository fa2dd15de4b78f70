"""Report of a child about a building file and its images; the child is started for it and ends afterwards."""

import json
import re
from pathlib import Path
from typing import Any, NoReturn

from smoldesk.tables.inside.report import take_limits

from .draft import ANSWER, MAX_ANSWER, PLAN, Draft, Findings, Json, Unreadable, clipped, join_names
from .fields import Fields, expect_object
from .geojson import read_geojson
from .images import read_image
from .smoldesk_json import read_rectangles, read_smoldesk

FORMS = (
    "Expected our own form ({floors: [...], links: [...]}), an image's rectangles ({coordinateSystem, rectangles}), "
    "or GeoJSON ({type: FeatureCollection, features: [...]})."
)


def report(images: list[tuple[str, str]]) -> str:
    """Read `plan` and the images (file here, name as it was sent); the answer is a file, for it may be long."""
    take_limits(MAX_ANSWER)
    findings = Findings()
    read_images = [image for path, name in images if (image := read_image(Path(path), name, findings))]
    answer: Json = {"format": "", "name": "", "definition": None, "origins": {}, "images": read_images}
    try:
        draft = read_plan(Path(PLAN).read_bytes(), findings)
        _give_images(draft, read_images, [name for _, name in images], findings)
        answer |= {"format": draft.format, "name": draft.name, "origins": draft.origins}
        definition: Json = {"floors": draft.floors, "bitmaps": [], "links": draft.links or None}
        answer["definition"] = None if findings.has_errors else definition
    except Unreadable as fault:
        findings.error(fault.where, fault.message)
    answer["findings"] = findings.entries()
    Path(ANSWER).write_text(json.dumps(answer, ensure_ascii=True, allow_nan=False), encoding="ascii")
    return "read"


def read_plan(data: bytes, findings: Findings) -> Draft:
    """Read the building in a file. Raises Unreadable if there is none."""
    top = Fields(_parsed(data), "", findings)
    if "floors" in top:
        return read_smoldesk(top)
    if top.raw("type") == "FeatureCollection":
        return read_geojson(top)
    if "rectangles" in top:
        return read_rectangles(top)
    raise Unreadable(f"This is not a building: it has {join_names(top.keys())}. {FORMS}")


def _parsed(data: bytes) -> Any:
    """Return the JSON of the file; NaN and Infinity stay, so that a finding can name their place. Lone surrogates become
    '?'.
    """
    try:
        text = data.decode(json.detect_encoding(data))
        document = json.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise Unreadable("The JSON is nested too deeply.") from None
    except UnicodeDecodeError as fault:
        raise Unreadable(f"The file is not text: byte {fault.start} is not {fault.encoding}.") from None
    except json.JSONDecodeError as fault:
        _not_json(data, fault)
    except ValueError:
        raise Unreadable("The JSON contains a number that is too large.") from None
    expect_object(document)
    return _repaired(document) if re.search(r"\\u[dD][89a-fA-F]", text) else document


def _not_json(data: bytes, fault: json.JSONDecodeError) -> NoReturn:
    start = data[:200].decode("ascii", "replace").strip()
    beginning = f" It begins with {clipped(start, 30)!r}." if not start.startswith(("{", "[")) else ""
    raise Unreadable(
        f"The file is not JSON: line {fault.lineno}, column {fault.colno}: {fault.msg}.{beginning}"
    ) from None


def _repaired(value: Any) -> Any:
    """Return the same data with lone surrogates replaced; its depth is limited by the parser."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_repaired(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {_repaired(key): _repaired(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value


def _give_images(draft: Draft, images: list[Json], sent: list[str], findings: Findings) -> None:
    """Check that each floor has the image it names, and that its corners lie on it."""
    by_name = {image["name"]: image for image in images}
    used: set[str] = set()
    for number, floor in enumerate(draft.floors):
        if draft.takes_image and not floor["floorImage"] and len(sent) == 1:
            floor["floorImage"] = sent[0]
        name = floor["floorImage"]
        place = f"floors[{number}]"
        if not name:
            if draft.takes_image:
                findings.warning(
                    "floorImage", f"The floor has no image. Images that were sent: {join_names(sent)}."
                )
            continue
        used.add(name)
        if name not in sent:
            at = draft.origins.get(f"{place}.floorImage", f"{place}.floorImage")
            findings.error(
                at, f"The image {clipped(name)!r} is missing. Images that were sent: {join_names(sent)}."
            )
        elif name in by_name:
            _check_corners(floor, by_name[name], place, draft, findings)
    for name in sent:
        if name not in used:
            findings.warning(f"image {clipped(name)}", "No floor uses this image; it is not kept.")


def _check_corners(floor: Json, image: Json, place: str, draft: Draft, findings: Findings) -> None:
    system = floor["coordinateSystem"]
    corners = (system["topLeft"], system["bottomRight"])
    widest, highest = max(corner["px"] for corner in corners), max(corner["py"] for corner in corners)
    if widest > image["width"] or highest > image["height"]:
        at = draft.origins.get(f"{place}.coordinateSystem", f"{place}.coordinateSystem")
        findings.warning(
            at,
            f"A corner lies at pixel {widest:g}, {highest:g}, but the image has "
            f"{image['width']} x {image['height']} pixels.",
        )
