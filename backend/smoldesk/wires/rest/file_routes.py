"""HTTP routes of a chat's files after upload: card, read options, name and removal."""

import asyncio

from fastapi import APIRouter, Request, Response

from smoldesk.agents import DeskAgents
from smoldesk.chats import FileChanges, StoredFile
from smoldesk.tables.models import FileProfile, TableProfile
from smoldesk.tables.table_profiles import is_table_file
from smoldesk.wires.rest.composer_routes import UiLanguage
from smoldesk.wires.rest.file_models import (
    MAX_TABLES,
    CardColumn,
    CardReading,
    CardTable,
    FileCard,
    FileChange,
)
from smoldesk.wires.rest.models import refusals


def add_file_routes(routes: APIRouter, changes: FileChanges, agents: DeskAgents) -> None:
    """Add the routes of this module to the router of /api."""

    async def card_of(file: StoredFile, profile: FileProfile | None, language: UiLanguage) -> FileCard:
        questions: dict[str, list[str]] = {}
        if profile and profile.tables:
            questions = await asyncio.to_thread(agents.questions, file.chat_id, file.name, language)
        return file_card(file, profile or FileProfile(), [*questions.values()])

    @routes.get("/chats/{chat_id}/cards/{name:path}", responses=refusals(404))
    async def card(chat_id: str, name: str, language: UiLanguage = "en") -> FileCard:
        """Return a file's columns, first rows and read options, with suggested questions."""
        return await card_of(*await changes.profile(chat_id, name), language)

    @routes.patch("/chats/{chat_id}/files/{name:path}", responses=refusals(404, 409))
    async def change(chat_id: str, name: str, body: FileChange, language: UiLanguage = "en") -> FileCard:
        """Change a file's name or read options. If it cannot be read with them, the old ones stay."""
        # Read options first: if they are refused, the name stays too.
        if body.read_as is not None:
            await changes.read_as(chat_id, name, body.read_as.model_dump(exclude_unset=True))
        if body.name is not None:
            name = (await changes.rename(chat_id, name, body.name)).name
        return await card_of(*await changes.profile(chat_id, name), language)

    @routes.put("/chats/{chat_id}/files/{name:path}", responses=refusals(400, 404, 409))
    async def replace(chat_id: str, name: str, request: Request, language: UiLanguage = "en") -> FileCard:
        """Replace a file of the chat by the body, at once. Watches of answers from it are checked."""
        length = request.headers.get("content-length", "")
        await changes.replace(chat_id, name, request.stream(), int(length) if length.isdecimal() else 0)
        return await card_of(*await changes.profile(chat_id, name), language)

    @routes.delete("/chats/{chat_id}/files/{name:path}", status_code=204, responses=refusals(404))
    async def remove(chat_id: str, name: str) -> Response:
        await changes.remove(chat_id, name)
        return Response(status_code=204)


def file_card(file: StoredFile, profile: FileProfile, questions: list[list[str]]) -> FileCard:
    """Return the card of a file; `questions` are lists for its tables, in order."""
    tables = profile.tables[:MAX_TABLES]
    # Only some tables have questions; zip would drop the others.
    table_questions = [*questions, *([[]] * len(tables))]
    return FileCard(
        file_id=file.id,
        name=file.name,
        size=file.size,
        is_table_file=is_table_file(file.name),
        table_count=len(profile.tables),
        tables=[_table(table, of_table) for table, of_table in zip(tables, table_questions, strict=False)],
        problems=profile.faults,
        problem_facts=profile.facts(),
        notes=profile.notes,
        note_facts=profile.facts(is_note=True),
        read_as=CardReading(**profile.read_as.model_dump()) if profile.read_as else None,
    )


def _table(table: TableProfile, questions: list[str]) -> CardTable:
    spread = table.preview.columns if table.preview else []
    return CardTable(
        name=table.name,
        row_count=table.rows,
        width=table.width,
        columns=[
            CardColumn(name=column.name, kind=column.kind, **preview.model_dump())
            for column, preview in zip(table.columns, spread, strict=False)
        ],
        rows=table.preview.rows if table.preview else [],
        sampled=table.preview.sampled if table.preview else False,
        questions=questions,
    )
