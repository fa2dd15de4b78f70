"""HTTP routes of databases: list, add, test, remove, their schemas and tables, rows, and downloads."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from smoldesk.chats import SourceFiles
from smoldesk.connections import Sources
from smoldesk.connections.sources import SomeNames
from smoldesk.errors import Refused
from smoldesk.stopping import StopFlag
from smoldesk.wires.disconnects import while_connected
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.rest.source_models import (
    ColumnList,
    NameList,
    NewSource,
    SourceInfo,
    SourceList,
    SourceRows,
    SourceRowsRequest,
    SourceView,
)
from smoldesk.wires.rest.table_routes import MEDIA_TYPES, download_responses
from smoldesk.wires.security import served_file_headers

Name = Annotated[str, Query(max_length=300)]


def add_source_routes(routes: APIRouter, sources: Sources, files: SourceFiles, private: bool) -> None:
    """Add the routes of this module to the router of /api."""
    # Only on a private desk: adding one makes the desk connect to an address that the user chose.
    may_add = sources.from_page and private

    def check_permission() -> None:
        if not may_add:
            raise Refused(
                "Users of this desk cannot change its databases.",
                "Its operator defines them in SMOLDESK_SQL_URLS, or sets SMOLDESK_SOURCES=page and a token.",
            )

    @routes.get("/sources")
    async def index() -> SourceList:
        infos = [
            SourceInfo.model_validate(source, from_attributes=True) for source in await sources.list_sources()
        ]
        return SourceList(sources=infos, may_add=may_add)

    @routes.post("/sources", status_code=201, responses=refusals(409, 503))
    async def add(body: NewSource) -> SourceInfo:
        """Add a database after a test connection. If the test fails, the error has its text and nothing is stored."""
        check_permission()
        added = await sources.add(
            body.name, body.url.get_secret_value(), body.password, body.read_only_account
        )
        return SourceInfo.model_validate(added, from_attributes=True)

    @routes.delete("/sources/{name}", status_code=204, responses=refusals(404))
    async def remove(name: str) -> Response:
        check_permission()
        await sources.remove(name)
        return Response(status_code=204)

    @routes.post("/sources/{name}/test", status_code=204, responses=refusals(404, 503))
    async def test(name: str) -> Response:
        await sources.test(name)
        return Response(status_code=204)

    @routes.get("/sources/{name}/schemas", responses=refusals(404, 503))
    async def schemas(name: str) -> NameList:
        """List schemas, the default first; one empty name for a database without schemas."""
        return _names(await sources.schemas(name))

    @routes.get("/sources/{name}/tables", responses=refusals(404, 503))
    async def tables(name: str, schema: Name = "") -> NameList:
        return _names(await sources.tables(name, schema))

    @routes.get("/sources/{name}/columns", responses=refusals(404, 503))
    async def columns(name: str, table: Name, schema: Name = "") -> ColumnList:
        return ColumnList(columns=await sources.columns(name, schema, table))

    @routes.post("/sources/{name}/rows", responses=refusals(404, 503))
    async def rows(name: str, body: SourceRowsRequest, request: Request) -> SourceRows:
        """Return rows, filtered and sorted by the database. The query stops if the client disconnects."""
        page = body.page(body.offset, body.limit)
        stop = StopFlag()
        result, more = await while_connected(request, stop, sources.rows(name, page, stop))
        return SourceRows(columns=result.columns, rows=result.rows, offset=body.offset, more=more)

    def add_download(form: str, media_type: str) -> None:
        @routes.post(
            f"/sources/{{name}}/{form}",
            name=f"source_as_{form}",
            response_class=StreamingResponse,
            responses=refusals(404, 503) | download_responses(media_type),
        )
        async def download(  # pyright: ignore[reportUnusedFunction]
            name: str, body: SourceView, request: Request
        ) -> Response:
            """Download the first 100,000 rows or 32 MB, filtered and sorted by the database.

            The header `Smoldesk-Rows` has their number, `Smoldesk-Cut: true` means that the table has more. The file's name
            says so too.
            """
            stop = StopFlag()
            extract = await while_connected(request, stop, files.take(name, body.page(0, 1), stop))
            count = len(extract.rows.rows)
            cut = f" (first {count} rows)" if extract.is_cut else ""
            headers = served_file_headers(f"{body.table}{cut}.{form}", media_type)
            headers |= {"Smoldesk-Rows": str(count), **({"Smoldesk-Cut": "true"} if cut else {})}
            return StreamingResponse(await files.file(extract, form), media_type=media_type, headers=headers)

    for form, media_type in MEDIA_TYPES.items():
        add_download(form, media_type)


def _names(listing: SomeNames) -> NameList:
    return NameList(names=listing.names, count=listing.count)
