"""HTTP routes of charts: their controls, and a chart as an image with its title as file name, drawn on request."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from smoldesk.charts import Control, checked_spec, picture_of, svg_of
from smoldesk.charts.inside.charts import described
from smoldesk.charts.theme import Theme
from smoldesk.chats import ChartChanges, Files
from smoldesk.errors import NotFound
from smoldesk.stopping import StopFlag
from smoldesk.wires.disconnects import while_connected
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import served_file_headers

Form = Literal["png", "svg"]
MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


class ChartControl(BaseModel):
    """One control: its value, and the values to choose from. The first value of `sort`, `color` and `top` may be empty."""

    name: str
    value: str
    choices: list[str]


class ChartControls(BaseModel):
    """All controls of a chart."""

    controls: list[ChartControl]


class ChartChangesBody(BaseModel):
    """New values of controls, by their names."""

    changes: dict[Annotated[str, Field(max_length=10)], Annotated[str, Field(max_length=1_000)]] = Field(
        max_length=10
    )


def add_chart_routes(routes: APIRouter, files: Files, changes: ChartChanges) -> None:
    """Add the routes of this module to the router of /api."""
    drawings = ThreadPoolExecutor(1, "chart-files")  # one of the two drawing slots stays free for runs

    @routes.get("/chats/{chat_id}/charts/{spec_id}", responses=refusals(404))
    async def controls(chat_id: str, spec_id: str) -> ChartControls:
        """Return the controls of a chart, by the id of the spec that was first shown."""
        return _controls(await changes.controls(chat_id, spec_id))

    @routes.patch("/chats/{chat_id}/charts/{spec_id}", responses=refusals(404, 422))
    async def change(chat_id: str, spec_id: str, body: ChartChangesBody) -> ChartControls:
        """Set controls of a chart: it is drawn again, and all clients of the chat get `chart_changed`."""
        return _controls(await changes.change(chat_id, spec_id, body.changes))

    @routes.get(
        "/chats/{chat_id}/charts/{spec_id}/{form}",
        response_class=Response,
        responses=refusals(404)
        | {200: {"content": {kind: {} for kind in MEDIA_TYPES.values()}, "description": "The image"}},
    )
    async def chart(
        chat_id: str, spec_id: str, form: Form, request: Request, theme: Theme = "light"
    ) -> Response:
        """Return a chart as a file named by its title, in a theme of the page. Drawing stops if the client disconnects."""
        file, path = await files.find(chat_id, "", spec_id)
        if file.kind != "chart":
            raise NotFound(f"There is no chart {spec_id[:80]!r} in this chat.")
        stop = StopFlag()
        title, picture = await while_connected(
            request, stop, drawings.submit(_drawn, path, form, stop, theme)
        )
        return Response(picture, headers=served_file_headers(f"{title}.{form}", MEDIA_TYPES[form]))


def _controls(controls: list[Control]) -> ChartControls:
    return ChartControls(controls=[ChartControl(**asdict(control)) for control in controls])


def _drawn(path: Path, form: Form, stop: StopFlag, theme: Theme) -> tuple[str, bytes]:
    """Return the title of a stored spec and its image."""
    stop.check()
    spec = checked_spec(path.read_bytes())
    picture = (
        svg_of(spec, stop, theme=theme).encode() if form == "svg" else picture_of(spec, stop, theme=theme).png
    )
    # A slash in a title would end the file name.
    return described(json.loads(spec)).replace("/", "-"), picture
