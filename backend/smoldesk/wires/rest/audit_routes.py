"""HTTP route of the audit log, its models, and the downloads of /api that are in it."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query

from smoldesk.chats import Audit, AuditEntry
from smoldesk.errors import Refused
from smoldesk.messages import Shape
from smoldesk.wires.audit_trail import Download

# Ids of entries are 64-bit columns; JavaScript represents integers up to here exactly.
MAX_ID = 2**53
DOWNLOADS = {
    "/api/chats/{chat_id}/export": Download("chat.exported", has_format=True),
    "/api/chats/{chat_id}/report/export": Download("report.exported", has_format=True),
    "/api/chats/{chat_id}/events": Download("log.exported", is_counted=True),
    "/api/chats/{chat_id}/tables/{table_id}/csv": Download("table.exported", "table_id"),
    "/api/chats/{chat_id}/tables/{table_id}/xlsx": Download("table.exported", "table_id"),
    "/api/chats/{chat_id}/tables/{table_id}/parquet": Download("table.exported", "table_id"),
    "/api/sources/{name}/csv": Download("source.exported", name="name"),
    "/api/sources/{name}/xlsx": Download("source.exported", name="name"),
    "/api/sources/{name}/parquet": Download("source.exported", name="name"),
    "/api/buildings/{building_id}/export": Download("building.exported", "building_id", has_format=True),
    "/api/test-suite": Download("suite.exported"),
}


class AuditInfo(Shape):
    """One entry of the audit log. `who` names a credential, `outcome` has details, `count` is of one hour.

    `objectId` is an id or empty; `name` is empty for what a person named.
    """

    id: int
    at: datetime
    action: str
    outcome: str
    who: str
    address: str
    wire: str
    server: str
    chat_id: str | None
    object_id: str
    name: str
    count: int


class AuditList(Shape):
    """Entries, newest first; `next` is the `before` of the next page."""

    entries: list[AuditInfo]
    next: int | None


def add_audit_routes(routes: APIRouter, audit: Audit, private: bool) -> None:
    """Add the route of this module to the router of /api."""

    @routes.get("/audit")
    async def entries(
        before: Annotated[int | None, Query(ge=1, le=MAX_ID)] = None,
        limit: Annotated[int, Query(ge=1, le=1000)] = 200,
        since: Annotated[float, Query(ge=0, le=1e12)] = 0,
        chat: Annotated[str | None, Query(max_length=200)] = None,
    ) -> AuditList:
        """List who allowed, added, deleted and exported what since a time in seconds, everywhere or in a chat."""
        if not private:
            raise Refused(
                "The audit log is not for everyone who reaches this desk.",
                "Set SMOLDESK_TOKEN, or run `smoldesk audit` on its machine.",
            )
        page = await audit.page(before, limit, since, chat)
        last = page[-1].id if len(page) == limit else None
        return AuditList(entries=[audit_info(entry) for entry in page], next=last)


def audit_info(entry: AuditEntry) -> AuditInfo:
    """Return the model of an entry."""
    return AuditInfo.model_validate(entry, from_attributes=True)
