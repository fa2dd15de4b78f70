"""Report of a child about a building file and its images; the child is started for it and ends afterwards."""

import gc
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from smoldesk.tables.inside.report import take_limits

from .assemble import assemble
from .csv_rectangles import is_rectangles_csv, read_csv
from .draft import (
    ANSWER,
    MAX_ANSWER,
    PLAN,
    Draft,
    Json,
    SeveralBuildings,
    Unreadable,
    clipped,
    join_names,
    too_many,
)
from .findings import Findings
from .geojson import read_geojson
from .images import read_image
from .imdf import is_imdf, read_imdf
from .osm import is_osm, is_overpass, read_osm, read_overpass
from .plan_file import PlanFile
from .site import Site
from .smoldesk_json import read_rectangles, read_smoldesk

FORMS = (
    "Expected our own form ({floors: [...], links: [...]}), an image's rectangles ({coordinateSystem, rectangles}), "
    "GeoJSON ({type: FeatureCollection, features: [...]}), a zip of IMDF, OpenStreetMap's XML, PBF or JSON, IFC, "
    "IndoorGML, or CSV with columns name, floor, x, y, width, height."
)
# File in the child's folder for the single member of an archive.
UNPACKED = "unpacked"
# Files of an archive that are floor images by their names, and the most of them; what they are, their bytes say.
IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".gif")
MAX_ARCHIVE_IMAGES = 50
# First bytes of an IFC file.
STEP_START = b"ISO-10303-21"


def report(images: list[tuple[str, str]], building: str = "") -> str:
    """Read `plan` and the images (file here, name as it was sent); the answer is a file, for it may be long.

    Of several buildings the one with the id `building` is read; without it the answer has `choices`.
    """
    take_limits(MAX_ANSWER)
    findings, floors = Findings(), list[Json]()
    read_images = [image for path, name in images if (image := read_image(Path(path), name, findings))]
    answer: Json = {"format": "", "name": "", "definition": None, "origins": {}, "images": read_images,
                    "choices": []}  # fmt: skip
    try:
        draft = read_plan(Path(PLAN), findings, building)
        sent = [name for _, name in images]
        for name, path in draft.images.items():
            if name in sent:
                continue  # the image of the form comes first
            sent.append(name)
            if image := read_image(Path(path), name, findings):
                read_images.append({**image, "unpacked": path})
        _give_images(draft, read_images, sent, findings)
        answer |= {"format": draft.format, "name": draft.name, "origins": draft.origins}
        definition: Json = {
            "floors": [],
            "bitmaps": [],
            "links": draft.links or None,
            "georeference": draft.georeference,
            "groundFloor": draft.ground_floor,
        }
        if not findings.has_errors:
            answer["definition"], floors = definition, draft.floors
    except SeveralBuildings as fault:
        answer["choices"] = fault.choices
        findings.error("", fault.message)
    except Unreadable as fault:
        findings.error(fault.where, fault.message)
    except RecursionError:
        findings.error("", "The file is nested too deeply.")
    answer["findings"] = findings.entries()
    # The host reads the floors one by one.
    lines = (json.dumps(line, ensure_ascii=True, allow_nan=False) for line in (answer, *floors))
    Path(ANSWER).write_text("\n".join(lines), encoding="ascii")
    return "read"


@dataclass(frozen=True)
class Reader:
    """Reader of one form of building files, and the test of a file's content for it."""

    matches: Callable[[PlanFile], bool]
    read: Callable[[PlanFile], Site | Draft]


def _read_ifc(file: PlanFile) -> Site:
    from .ifc import read_ifc  # shapely and numpy only where they are needed

    return read_ifc(file.read(), file.findings)


def _read_indoorgml(file: PlanFile) -> Site:
    from .indoorgml_site import read_indoorgml

    return read_indoorgml(file.path, file.findings)


# Each importer adds a line. The first that matches reads the file, so special forms stand before general ones.
READERS = (
    Reader(lambda file: file.is_json and "floors" in file.top, lambda file: read_smoldesk(file.top)),
    Reader(is_imdf, read_imdf),
    Reader(lambda file: file.is_json and file.top.raw("type") == "FeatureCollection", read_geojson),
    Reader(
        lambda file: file.is_json and is_overpass(file.top.raw_all()),
        lambda file: read_overpass(file.top.raw_all(), file.findings),
    ),
    Reader(lambda file: is_osm(file.head), lambda file: read_osm(file.read(), file.findings)),
    Reader(lambda file: file.is_json and "rectangles" in file.top, lambda file: read_rectangles(file.top)),
    Reader(lambda file: file.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(STEP_START), _read_ifc),
    Reader(lambda file: file.xml_root == "IndoorFeatures", _read_indoorgml),
    Reader(lambda file: is_rectangles_csv(file.head), lambda file: read_csv(file.read(), file.findings)),
)


def read_plan(path: Path, findings: Findings, building: str = "") -> Draft:
    """Read the building in a file; of several the one with the id `building`. Raises Unreadable if there is none."""
    # All that is read stays until the end; the collector would visit it again and again, for half of the time.
    gc.disable()
    try:
        return _read(path, findings, building)
    finally:
        gc.enable()


def _read(path: Path, findings: Findings, building: str) -> Draft:
    file = PlanFile(path, findings)
    reader = next((reader for reader in READERS if reader.matches(file)), None)
    images: dict[str, str] = {}
    if reader is None and file.is_zip:
        file, images = _unpacked(file)
        reader = next((reader for reader in READERS if reader.matches(file)), None)
    if reader is None:
        raise Unreadable(f"This is not a building: {_contents(file)}. {FORMS}")
    result = reader.read(file)
    draft = assemble(result, findings, building) if isinstance(result, Site) else result
    draft.images = images
    return draft


def _unpacked(file: PlanFile) -> tuple[PlanFile, dict[str, str]]:
    """Return the only building file of an archive, and its images by name, unpacked beside it under names of ours.

    Raises Unreadable for several building files, or too many images.
    """
    names = file.archive.names
    images = [name for name in names if name.lower().endswith(IMAGE_SUFFIXES)]
    documents = [name for name in names if name not in images]
    if len(documents) != 1:
        raise Unreadable(f"This is not a building: the archive has {join_names(names)}. {FORMS}")
    if len(images) > MAX_ARCHIVE_IMAGES:
        raise too_many("images in the archive", len(images), MAX_ARCHIVE_IMAGES, "")
    paths: dict[str, str] = {}
    for number, name in enumerate(images):
        path = file.archive.unpack(name, file.path.with_name(f"{UNPACKED}-{number}"))
        paths[name.rpartition("/")[2]] = path.name
    return PlanFile(file.archive.unpack(documents[0], file.path.with_name(UNPACKED)), file.findings), paths


def _contents(file: PlanFile) -> str:
    """Describe the beginning of a file for a sentence. Raises Unreadable for JSON with an error."""
    if file.is_json:
        return f"it has {join_names(file.top.keys())}"
    start = file.head[:200].decode("ascii", "replace").strip()
    return f"it begins with {clipped(start, 30)!r}" if start else "it is empty"


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
                findings.add("no_image", "floorImage", images=join_names(sent))
            continue
        used.add(name)
        if name not in sent:
            at = draft.origins.get(f"{place}.floorImage", f"{place}.floorImage")
            findings.add("image_missing", at, name=name, images=join_names(sent))
        elif name in by_name:
            _check_corners(floor, by_name[name], place, draft, findings)
    for name in sent:
        if name not in used:
            findings.add("image_unused", f"image {clipped(name)}", name=name)


def _check_corners(floor: Json, image: Json, place: str, draft: Draft, findings: Findings) -> None:
    system = floor["coordinateSystem"]
    corners = (system["topLeft"], system["bottomRight"])
    widest, highest = max(corner["px"] for corner in corners), max(corner["py"] for corner in corners)
    if widest > image["width"] or highest > image["height"]:
        findings.add(
            "image_corner",
            draft.origins.get(f"{place}.coordinateSystem", f"{place}.coordinateSystem"),
            pixel=f"{widest:g}, {highest:g}",
            size=f"{image['width']} x {image['height']}",
        )
