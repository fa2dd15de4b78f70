"""HTTP routes of charts: a chart as an image with its title as file name, drawn on request."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Request, Response

from smoldesk.charts import checked_spec, picture_of, svg_of
from smoldesk.charts.inside.charts import described
from smoldesk.chats import Files
from smoldesk.errors import NotFound
from smoldesk.stopping import StopFlag
from smoldesk.wires.disconnects import while_connected
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import served_file_headers

Form = Literal["png", "svg"]
MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


def add_chart_routes(routes: APIRouter, files: Files) -> None:
    """Add the routes of this module to the router of /api."""
    drawings = ThreadPoolExecutor(1, "chart-files")  # one of the two drawing slots stays free for runs

    @routes.get(
        "/chats/{chat_id}/charts/{spec_id}/{form}",
        response_class=Response,
        responses=refusals(404)
        | {200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}, "description": "The image"}},
    )
    async def chart(chat_id: str, spec_id: str, form: Form, request: Request) -> Response:
        """Return a chart as a file named by its title. Drawing stops if the client disconnects."""
        file, path = await files.find(chat_id, "", spec_id)
        if file.kind != "chart":
            raise NotFound(f"There is no chart {spec_id[:80]!r} in this chat.")
        stop = StopFlag()
        title, picture = await while_connected(request, stop, drawings.submit(_drawn, path, form, stop))
        return Response(picture, headers=served_file_headers(f"{title}.{form}", MEDIA_TYPES[form]))


def _drawn(path: Path, form: Form, stop: StopFlag) -> tuple[str, bytes]:
    """Return the title of a stored spec and its image."""
    stop.check()
    spec = checked_spec(path.read_bytes())
    picture = svg_of(spec, stop).encode() if form == "svg" else picture_of(spec, stop).png
    # A slash in a title would end the file name.
    return described(json.loads(spec)).replace("/", "-"), picture
