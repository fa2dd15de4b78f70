"""Formats of a building's export, by the name that requests use."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never

from smoldesk.buildings.exporters.smoldesk_form import definition_json, zip_with_images
from smoldesk.messages import MapDefinitionContent

ExportFormat = Literal["imdf", "geojson", "smoldesk"]


@dataclass(frozen=True)
class ExportedBuilding:
    """Bytes of an export, with the end of its file name and its media type."""

    data: bytes
    suffix: str
    media_type: str


def export_building(
    format_: ExportFormat, definition: MapDefinitionContent, name: str, images: Mapping[str, bytes]
) -> ExportedBuilding:
    """Return a building in a format; only the desk's own has its images. Takes seconds for a large one."""
    # The exporters of maps use shapely and NumPy, which the server starts without.
    match format_:
        case "imdf":
            from smoldesk.buildings.exporters.imdf import export_imdf

            return ExportedBuilding(export_imdf(definition, name), ".imdf.zip", "application/zip")
        case "geojson":
            from smoldesk.buildings.exporters.geojson import export_geojson

            return ExportedBuilding(export_geojson(definition, name), ".geojson", "application/geo+json")
        case "smoldesk":
            content = definition_json(definition, name)
            if not images:
                return ExportedBuilding(content, ".json", "application/json")
            return ExportedBuilding(zip_with_images(content, images), ".zip", "application/zip")
        case _:
            assert_never(format_)
