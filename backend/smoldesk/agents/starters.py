"""Suggestions for an empty chat: questions about its tables and its building. Pure.

Each is first parsed by the built-in analyst; a question that it would not answer is not suggested.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smoldesk.agents.composer_kinds import StarterKind
from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.chat_schemas import build_schemas
from smoldesk.analyst.language import Language, localize
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.suggested import MOST, suggested, suggested_of_joined
from smoldesk.analyst.talk import UserTurn

# Tables and rooms tried for one suggestion; each try parses a question.
MAX_TABLES, MAX_ROOMS = 8, 8


@dataclass(frozen=True)
class Starter:
    """One suggestion: `about` is the table or room that it names, `text` the message."""

    kind: StarterKind
    about: str
    text: str


def starters(catalogue: Catalogue, language: Language) -> list[Starter]:
    """Return two questions about a table, then two about the building; fewer when there is nothing to ask."""
    tables = build_schemas(catalogue).chat_tables[:MAX_TABLES]
    return [*_of_tables(tables, language), *_of_building(catalogue, language)]


def questions(catalogue: Catalogue, file: str, language: Language) -> dict[str, list[str]]:
    """Return three questions for each table of a file, by the table's name in the catalogue.

    The last one is about columns of several tables, if a table can be joined to another one.
    """
    chat_schemas = build_schemas(catalogue)
    schemas = chat_schemas.chat_tables
    texts = {
        schema.info.name: suggested(schema, schemas, language)
        for schema in schemas
        if schema.info.file == file
    }
    for joined in chat_schemas.joined:
        names = [joined.info.name, *(join.table for join in joined.info.joined)]
        if name := next((name for name in names if name in texts), ""):
            text = suggested_of_joined(joined, name, language)
            texts[name] = [*texts[name][: MOST - 1], text] if text else texts[name]
    return texts


def _of_tables(tables: Sequence[TableSchema], language: Language) -> Iterator[Starter]:
    """Yield two questions about the first table that has any."""
    for schema in tables:
        texts = suggested(schema, tables, language, most=2)
        if texts:
            kinds: tuple[StarterKind, ...] = ("table", "plot")
            for text in texts:
                kind = kinds[text.endswith(("chart", "グラフ"))]
                yield Starter(kind, schema.info.name, text)
            return


def _of_building(catalogue: Catalogue, language: Language) -> Iterator[Starter]:
    places = catalogue.places
    floors = [places.destinations(floor) for floor, rooms in catalogue.rooms.items() if rooms and places]
    if not floors:
        return
    rooms = floors[0][:MAX_ROOMS]
    for room in rooms:
        text = localize(language, f"Highlight {room} in blue", f"{room}を青色でハイライトして")
        if _is_answered(text, catalogue):
            yield Starter("map", room, text)
            break
    goals = [*reversed(rooms), *(room for other in floors[1:2] for room in other[:MAX_ROOMS])]
    for goal in goals:
        text = localize(
            language, f"How do I get from {rooms[0]} to {goal}?", f"{rooms[0]}から{goal}までの行き方は？"
        )
        if goal != rooms[0] and _is_answered(text, catalogue):
            yield Starter("way", goal, text)
            return


def _is_answered(text: str, catalogue: Catalogue) -> bool:
    outcome = read_talk([UserTurn(text)], catalogue)
    return isinstance(outcome.intent, MapUpdate | BuildingQuestion | Query)
