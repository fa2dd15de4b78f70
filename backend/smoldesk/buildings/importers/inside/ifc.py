"""IFC 2x3 and 4: the library makes meshes of rooms, doors and stairs; the records of the file give names and relations."""

import importlib
from typing import Any

import numpy as np

from .draft import Unreadable
from .findings import Findings
from .ifc_site import Mesh, SiteBuilder, meshed_ids
from .site import Site
from .step_file import StepFile

# Bytes, as of a form with a building; reading takes about eight times as much memory.
MAX_FILE = 60_000_000
INSTALL = "pip install ifclite-geom"


def read_ifc(data: bytes, findings: Findings) -> Site:
    """Read the building in an IFC file. Raises Unreadable."""
    if len(data) > MAX_FILE:
        raise Unreadable(
            f"The file has {len(data) / 1e6:,.0f} MB; at most {MAX_FILE / 1e6:g} are read. Export only the "
            "architecture: rooms, doors and stairs, without furniture and installations."
        )
    file = StepFile(data)
    if not file.schema.startswith("IFC"):
        raise Unreadable(f"The schema of this STEP file is not IFC but {file.schema[:40] or 'not stated'}.")
    return SiteBuilder(file, _meshes(data, meshed_ids(file)), findings).build()


def _meshes(data: bytes, ids: set[int]) -> dict[int, Mesh]:
    try:
        library: Any = importlib.import_module("ifclite_geom")
    except ImportError:
        raise Unreadable(f"Reading IFC requires a library beside the desk: {INSTALL}") from None
    # IFC 2x3 allows the supertype, with the same attributes; the library knows the subtype only.
    data = data.replace(b"IFCPRODUCTREPRESENTATION(", b"IFCPRODUCTDEFINITIONSHAPE(")
    try:
        elements: dict[int, Any] = library.geometry_data_buffers(data, ids=ids)["elements"]
    except Exception as fault:
        raise Unreadable(f"The shapes of the file cannot be read: {str(fault)[:300]}") from None
    return {number: mesh for number, element in elements.items() if (mesh := _mesh(element)) is not None}


def _mesh(element: Any) -> Mesh | None:
    vertices = np.frombuffer(element["vertices"], dtype="<f8").reshape(-1, 3)
    faces = np.frombuffer(element["faces"], dtype="<u4").reshape(-1, 3).astype(np.int64)
    usable = len(faces) and np.isfinite(vertices).all() and faces.max() < len(vertices)
    return Mesh(vertices, faces) if usable else None
