"""HTTP routes of shown tables: pages of rows in any order, column profiles, and downloads."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response, StreamingResponse
from pydantic import ValidationError

from smoldesk.chats import CellRows, Chats, ResultTables, RowsBehind
from smoldesk.errors import BadInput
from smoldesk.messages import TableContent
from smoldesk.messages.selection import MAX_PLACE
from smoldesk.stopping import StopFlag
from smoldesk.tables.table_answers import TableRows
from smoldesk.wires.disconnects import while_connected
from smoldesk.wires.rest.models import TablePage, refusals
from smoldesk.wires.rest.table_models import (
    MAX_ROWS,
    CellRequest,
    ColumnFacts,
    GroupsPage,
    GroupsRequest,
    RowsRequest,
    TableProfile,
    TableView,
)
from smoldesk.wires.rest.table_pages import csv_lines, read_page
from smoldesk.wires.security import served_file_headers

MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
# Longest `view` in characters: percent-encoded, it still fits into a request line.
LONGEST_VIEW = 5_000


def add_table_routes(routes: APIRouter, chats: Chats, tables: ResultTables, rows_behind: RowsBehind) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.get("/chats/{chat_id}/tables/{table_id}", responses=refusals(404))
    async def table(
        chat_id: str,
        table_id: str,
        request: Request,
        offset: Annotated[int, Query(ge=0, le=MAX_PLACE)] = 0,
        limit: Annotated[int, Query(ge=1, le=MAX_ROWS)] = 200,
    ) -> TablePage:
        path, is_parquet = await tables.find(chat_id, table_id)
        if is_parquet:
            return await rows(chat_id, table_id, RowsRequest(offset=offset, limit=limit), request)
        read, count = await asyncio.to_thread(read_page, path, offset, limit)
        return TablePage(table_id=table_id, offset=offset, rows=read, row_count=count)

    @routes.post("/chats/{chat_id}/tables/{table_id}/rows", responses=refusals(404))
    async def rows(chat_id: str, table_id: str, body: RowsRequest, request: Request) -> TablePage:
        """Return rows of a view; `rowCount` counts all of them. The search stops if the client disconnects."""
        stop = StopFlag()
        future = await tables.page(chat_id, table_id, body.question(), stop)
        result: TableRows = await while_connected(request, stop, future)
        return TablePage(table_id=table_id, offset=body.offset, rows=result.rows, row_count=result.row_count)

    @routes.post("/chats/{chat_id}/tables/{table_id}/groups", responses=refusals(404))
    async def groups(chat_id: str, table_id: str, body: GroupsRequest, request: Request) -> GroupsPage:
        """Return groups of a view with their measures, and the totals."""
        stop = StopFlag()
        future = await tables.groups(chat_id, table_id, body.question(), stop)
        result = await while_connected(request, stop, future)
        return GroupsPage(table_id=table_id, **result.model_dump(exclude={"type", "id"}))

    @routes.post("/chats/{chat_id}/tables/{table_id}/behind", responses=refusals(404))
    async def behind(chat_id: str, table_id: str, body: CellRequest) -> CellRows:
        """Return the rows of a variable from which the value of a cell was computed."""
        return await rows_behind.find(chat_id, table_id, body.row, body.column)

    @routes.get("/chats/{chat_id}/tables/{table_id}/profile", responses=refusals(404))
    async def profile(chat_id: str, table_id: str, request: Request) -> TableProfile:
        stop = StopFlag()
        result = await while_connected(request, stop, await tables.profile(chat_id, table_id, stop))
        columns = [ColumnFacts(**column.model_dump()) for column in result.columns]
        return TableProfile(table_id=table_id, columns=columns)

    def add_download(form: str, media_type: str) -> None:
        @routes.get(
            f"/chats/{{chat_id}}/tables/{{table_id}}/{form}",
            name=f"table_as_{form}",
            response_class=StreamingResponse,
            responses=refusals(404) | download_responses(media_type),
        )
        async def download(  # pyright: ignore[reportUnusedFunction]
            chat_id: str, table_id: str, view: Annotated[str, Query(max_length=LONGEST_VIEW)] = ""
        ) -> Response:
            """Download the table, or a `view` of it: JSON with sort, filters, search and columns, as for POST .../rows."""
            table_view = _read_view(view)
            path, is_parquet = await tables.find(chat_id, table_id)
            content = await chats.table(chat_id, table_id)
            headers = served_file_headers(f"{content.name}.{form}", media_type)
            if not is_parquet and form == "csv":
                names = [column.name for column in content.columns]
                return StreamingResponse(csv_lines(path, names), media_type=media_type, headers=headers)
            # The stored file is the requested one.
            if is_parquet and form == "parquet" and table_view == TableView():
                return FileResponse(path, media_type=media_type, headers=headers)
            question = {**table_view.question(), "format": form, "titles": _titles(content, table_view)}
            pieces = await tables.export(chat_id, table_id, question)
            return StreamingResponse(pieces, media_type=media_type, headers=headers)

    for form, media_type in MEDIA_TYPES.items():
        add_download(form, media_type)


def download_responses(media_type: str) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of a download route."""
    kind = media_type.partition(";")[0]
    return {
        200: {
            "description": "The table, or a view of it, as a file under the table's own name",
            "content": {kind: {"schema": {"type": "string", "format": "binary"}}},
        }
    }


def _read_view(view: str) -> TableView:
    try:
        return TableView.model_validate_json(view) if view else TableView()
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInput(
            f"`view` is invalid: {where}: {first['msg']}"[:400],
            "Expected JSON as for POST .../rows, without offset and limit.",
            code="bad_view",
        ) from None


def _titles(table: TableContent, view: TableView) -> list[str]:
    """Return the column names as they were shown, or an empty list if the view selects columns by name."""
    names = [column.name for column in table.columns]
    if view.columns is None:
        return names
    places = [column for column in view.columns if isinstance(column, int) and column < len(names)]
    return [names[place] for place in places] if len(places) == len(view.columns) else []
