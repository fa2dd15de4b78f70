"""HTTP routes of the composer: completions, names after an `@`, and suggestions of an empty chat."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from smoldesk.agents import DeskAgents
from smoldesk.chats import Chats, Files
from smoldesk.wires.rest.composer_models import MentionInfo, Mentions, StarterInfo, Starters
from smoldesk.wires.rest.models import CompletionInfo, Completions, refusals

UiLanguage = Literal["en", "ja"]


def add_composer_routes(routes: APIRouter, agents: DeskAgents, chats: Chats, files: Files) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.get("/chats/{chat_id}/completions", responses=refusals(404))
    async def completions(
        chat_id: str, text: Annotated[str, Query(max_length=400)], language: UiLanguage = "en"
    ) -> Completions:
        await chats.get(chat_id)
        candidates = await asyncio.to_thread(agents.complete, chat_id, text, language)
        return Completions(
            completions=[CompletionInfo(text=candidate.text, part=candidate.part) for candidate in candidates]
        )

    @routes.get("/chats/{chat_id}/mentions", responses=refusals(404))
    async def mentions(
        chat_id: str, text: Annotated[str, Query(max_length=100)] = "", language: UiLanguage = "en"
    ) -> Mentions:
        """Find tables, columns, rooms, files and agents whose names start with `text`, have a word that does, or contain it."""
        names = [file.name for file in await files.of(chat_id)]
        matches = await asyncio.to_thread(agents.mentions, chat_id, text, names, language)
        infos = [MentionInfo.model_validate(mention, from_attributes=True) for mention in matches.mentions]
        return Mentions(mentions=infos, more=matches.more)

    @routes.get("/chats/{chat_id}/starters", responses=refusals(404))
    async def starters(chat_id: str, language: UiLanguage = "en") -> Starters:
        """Suggest questions about the tables and the building of the chat."""
        await chats.get(chat_id)
        suggestions = await asyncio.to_thread(agents.starters, chat_id, language)
        return Starters(
            starters=[
                StarterInfo.model_validate(suggestion, from_attributes=True) for suggestion in suggestions
            ]
        )
