"""MCP tools and resources of the analyst: two tools, tables and maps of chats as resources, and the map as an app."""

import asyncio
from importlib import resources

from mcp.server.apps import Apps
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp_types import ToolAnnotations

from smoldesk.desk import Desk
from smoldesk.errors import DeskError
from smoldesk.stopping import StopFlag
from smoldesk.tables.open_table import Question
from smoldesk.wires.mcp.analyst import Analyst
from smoldesk.wires.mcp.answer_content import SVG
from smoldesk.wires.mcp.encoder import format_error
from smoldesk.wires.serialization import json_text, table_url

APP = "ui://smoldesk/map"
TABLE = "smoldesk://chats/{chat_id}/tables/{table_id}{?offset}"
MAP = "smoldesk://chats/{chat_id}/map"
# Rows of a table in one resource.
ROWS = 500


def analyst_tools(desk: Desk) -> Apps:
    """Return the tools with the map app that a host can show next to an answer."""
    analyst = Analyst(desk)
    apps = Apps()
    # Hints with which clients decide what to confirm with a person: asking changes nothing outside the desk,
    # an answer can approve a tool that does.
    asks = ToolAnnotations(title="Ask the analyst", destructive_hint=False, open_world_hint=False)
    apps.tool(resource_uri=APP, name="ask_analyst", annotations=asks)(analyst.ask_analyst)
    answers = ToolAnnotations(title="Answer what a run asks", destructive_hint=True, open_world_hint=False)
    apps.tool(resource_uri=APP, name="answer_ask", annotations=answers)(analyst.answer_ask)
    html = resources.files("smoldesk.wires.mcp").joinpath("map_app.html").read_text("utf-8")
    about = "The floor map of an answer, as a page without requests to anywhere."
    apps.add_html_resource(APP, html, name="map", title="Map", description=about)
    return apps


def add_resources(server: MCPServer, desk: Desk) -> None:
    """Add resources: the tables that a chat has shown, in pages, and the image of its map."""

    @server.resource(TABLE, name="table", title="A table of a chat", mime_type="application/json")
    async def table(chat_id: str, table_id: str, offset: int = 0) -> str:  # pyright: ignore[reportUnusedFunction]
        """Return up to 500 rows of a table of an answer, from `offset`, with its columns and row_count."""
        stop = StopFlag()
        try:
            stored_table = await desk.chats.table(chat_id, table_id)
            view: Question = {
                "sort": [],
                "filters": [],
                "search": "",
                "offset": max(offset, 0),
                "limit": ROWS,
            }
            page = await asyncio.wrap_future(await desk.result_tables.page(chat_id, table_id, view, stop))
        except DeskError as fault:
            raise ResourceError(format_error(fault)) from None
        finally:
            stop.close()
        facts = {
            "name": stored_table.name,
            "columns": [column.name for column in stored_table.columns],
            "offset": offset,
        }
        more = {"rows": page.rows, "row_count": page.row_count, "url": table_url(chat_id, table_id)}
        return json_text(facts | more)

    @server.resource(MAP, name="drawn_map", title="The map of a chat", mime_type=SVG)
    async def drawn_map(chat_id: str) -> str:  # pyright: ignore[reportUnusedFunction]
        """Return a chat's map with all drawings, as a self-contained SVG."""
        try:
            return await asyncio.to_thread(lambda: desk.exports.map_now(chat_id).svg())
        except DeskError as fault:
            raise ResourceError(format_error(fault)) from None
