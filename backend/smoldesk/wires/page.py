"""The page and what it shows: `/`, /static/* (frontend/), bitmaps and floor images. Nothing else of backend/."""

from collections.abc import Sequence

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from smoldesk.assets import BITMAPS, DATA, FRONTEND
from smoldesk.wires.base import Wire

NO_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>smoldesk</title><h1>The page is missing</h1>'
    "<p>The desk works, but its folder <code>frontend</code> was not installed. See <a href='/docs'>/docs</a>.</p></html>"
)
"""What `/` says without a page, as protocol 1.2 has it: with status 200."""


class Revalidated(StaticFiles):
    """Files a browser keeps, but asks about each time: an upgrade shows at once."""

    def file_response(self, *args: object, **kwargs: object) -> FileResponse:  # pyright: ignore
        response = super().file_response(*args, **kwargs)  # pyright: ignore
        response.headers["Cache-Control"] = "no-cache"
        return response  # pyright: ignore


class PageWire(Wire):
    """The page's files."""

    name = "page"

    def routes(self) -> Sequence[BaseRoute]:
        routes = APIRouter()

        @routes.get("/", include_in_schema=False, response_model=None)
        async def index() -> FileResponse | HTMLResponse:
            if not (FRONTEND / "index.html").is_file():
                return HTMLResponse(NO_PAGE)
            return FileResponse(FRONTEND / "index.html", headers={"Cache-Control": "no-cache"})

        return [
            *routes.routes,
            Mount("/static", Revalidated(directory=FRONTEND)),
            Mount("/backend/bitmaps", Revalidated(directory=BITMAPS)),
            Mount("/backend/data/floors", Revalidated(directory=DATA / "floors", check_dir=False)),
        ]
