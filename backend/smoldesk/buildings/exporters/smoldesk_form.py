"""Export in the desk's own form: the JSON of a map definition, in a zip with its images if it has some."""

import io
import json
import zipfile
from collections.abc import Mapping

from smoldesk.messages import MapDefinitionContent, as_json

# Name of the JSON in the zip.
DEFINITION = "building.json"
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def definition_json(definition: MapDefinitionContent, name: str) -> bytes:
    """Return the JSON of a building; bitmaps are the desk's, and its id is the next desk's."""
    content = as_json(definition.model_copy(update={"building_id": None, "building_name": name}))
    del content["bitmaps"]
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def zip_with_images(definition: bytes, images: Mapping[str, bytes]) -> bytes:
    """Return the zip of a building's JSON and its floor images by name; the same building is the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in ((DEFINITION, definition), *images.items()):
            info = zipfile.ZipInfo(name, _ZIP_DATE)
            # Images are compressed already.
            info.compress_type = zipfile.ZIP_DEFLATED if name == DEFINITION else zipfile.ZIP_STORED
            archive.writestr(info, data)
    return buffer.getvalue()
