"""The page's files: `/`, /static/* (frontend/), bitmaps and floor images.

`/static/@HASH/` serves one version of the page (page_files.py), which browsers cache for good; an outdated version is 410.
Every file also has a plain address, which browsers revalidate each time.
"""

import gzip
import re
from collections.abc import Sequence

from anyio import to_thread
from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from smoldesk.assets import BITMAPS, CHECKOUT_BUNDLE, DATA, FRONTEND, PAGE
from smoldesk.charts.vega_program import NoProgram, installed
from smoldesk.wires.base import Wire
from smoldesk.wires.page_files import PageFile, PageFiles, PageVersion, media_type

# Body of `/` without an installed page; protocol 1.2 requires status 200.
NO_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>smoldesk</title><h1>The page is missing</h1>'
    "<p>The desk works, but its folder <code>frontend</code> was not installed. See <a href='/docs'>/docs</a>.</p></html>"
)

# Address of the chart program, built from an installed package on the first request (charts/vega_program.py).
CHARTS = "/static/charts.js"
IMMUTABLE = "max-age=31536000, immutable"
STALE_VERSION = "This file belongs to another version of the page. Reload the page."
_CODING = re.compile(r"\s*([\w*-]+)\s*(?:;\s*q=([\d.]+))?\s*")


class Revalidated(StaticFiles):
    """Static files that browsers cache but revalidate, so that an upgrade shows at once."""

    def file_response(self, *args: object, **kwargs: object) -> FileResponse:  # pyright: ignore
        response = super().file_response(*args, **kwargs)  # pyright: ignore
        response.headers["Cache-Control"] = "no-cache"
        return response  # pyright: ignore


class PageStatic(Revalidated):
    """The page's folder under plain addresses, and the current version under its hash."""

    def __init__(self, pages: PageFiles) -> None:
        super().__init__(directory=FRONTEND)
        self.pages = pages

    async def get_response(self, path: str, scope: Scope) -> Response:
        if not path.startswith("@") or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        version_hash, _, name = path[1:].partition("/")
        version = self.pages.cached_version(version_hash) or await _current(self.pages)
        if version is None or version.hash != version_hash:
            raise HTTPException(410, STALE_VERSION)
        if name not in version.files:
            raise HTTPException(404)
        return await page_file_response(version.files[name], Request(scope), IMMUTABLE)


class PageWire(Wire):
    """Wire of the page's files."""

    name = "page"

    def routes(self) -> Sequence[BaseRoute]:
        routes = APIRouter()
        pages = PageFiles(PAGE, CHECKOUT_BUNDLE if PAGE == FRONTEND else None)

        @routes.get("/", include_in_schema=False, response_model=None)
        async def index(request: Request) -> Response:
            version = await _current(pages)
            if version is None:
                return HTMLResponse(NO_PAGE)
            return await page_file_response(version.index, request, "no-cache", f'W/"{version.hash}"')

        @routes.get(CHARTS, include_in_schema=False, response_model=None)
        async def charts(request: Request) -> Response:
            program = self.desk.chart_program
            try:
                # Weak tags: the same program is sent with and without gzip.
                tag = f'W/"{installed()}"'
                headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding", "ETag": tag}
                if tag in request.headers.get("if-none-match", ""):
                    return Response(status_code=304, headers=headers)
                content = await to_thread.run_sync(program.content)
            except NoProgram as fault:
                raise HTTPException(404, str(fault)) from None
            if "gzip" in accepted_encodings(request.headers.get("accept-encoding", "")):
                headers["Content-Encoding"] = "gzip"
            else:
                content = await to_thread.run_sync(gzip.decompress, content)
            return Response(content, media_type=media_type(CHARTS), headers=headers)

        return [
            *routes.routes,
            Mount("/static", PageStatic(pages)),
            Mount("/backend/bitmaps", Revalidated(directory=BITMAPS)),
            Mount("/backend/data/floors", Revalidated(directory=DATA / "floors", check_dir=False)),
        ]


async def _current(pages: PageFiles) -> PageVersion | None:
    """Return the current version of the page, or None if it is not installed."""
    try:
        return await to_thread.run_sync(pages.current)
    except KeyError:
        return None


async def page_file_response(
    file: PageFile, request: Request, cache: str, tag: str | None = None
) -> Response:
    """Return a file in its smallest accepted encoding, or 304 if the browser has this version."""
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"} | ({"ETag": tag} if tag else {})
    if tag and tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    accepted = accepted_encodings(request.headers.get("accept-encoding", ""))
    content, coding = await to_thread.run_sync(file.encoded, accepted)
    if coding:
        headers["Content-Encoding"] = coding
    return Response(content, media_type=file.media_type, headers=headers)


def accepted_encodings(header: str) -> frozenset[str]:
    """Return the encodings that an Accept-Encoding header accepts; `q=0` excludes one."""
    matches = (_CODING.fullmatch(part) for part in header.lower().split(","))
    return frozenset(match[1] for match in matches if match and float(match[2] or 1) > 0)
