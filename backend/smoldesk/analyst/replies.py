"""Replies without a computation: help, and reasons for declining with examples to try."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest
from weakref import WeakKeyDictionary, ref

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import Cell, literal
from smoldesk.analyst.chat_schemas import build_schemas
from smoldesk.analyst.complete import quoted_name
from smoldesk.analyst.language import Language, join_names, localize, quote, render
from smoldesk.analyst.outcome import Talk
from smoldesk.analyst.query import Query, explains
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.suggested import suggested
from smoldesk.analyst.talk import UserTurn

_MAX_NAMES = 20
# Tables that examples are made for; each try reads a question.
_MAX_TRIED = 8
_WITH_EXAMPLES = ("unknown", "beyond", "no_room", "no_place", "no_floor", "no_icon", "which_way", "which_rooms", "no_tables",
    "broken_file", "no_look", "too_much", "nothing", "none_fits")  # fmt: skip
_ERRAND_TOOLS = ("process_payment", "get_location", "change_bgm", "get_weather", "ask_agent")
_TOOL_OF_PART = {"city": "get_weather", "track": "change_bgm"}


def text_cell(text: str) -> Cell:
    """Return a cell that only answers."""
    cell = Cell()
    cell.answer(*(literal(line) for line in text.splitlines(keepends=True) or [""]))
    return cell


_MAX_NEAR = 5
# Last examples of each first table: finding them reads every suggested question. Weak keys as in `mentions._LAST`.
_EXAMPLES: WeakKeyDictionary[TableSchema, tuple[tuple[object, ...], list[str]]] = WeakKeyDictionary()


def examples(catalogue: Catalogue, language: Language) -> list[str]:
    """Return three requests that this catalogue can answer at once: about the chat's own tables, if it has any.

    Without own tables they are about the building that somebody imported, else the last one draws something.
    """
    schemas = build_schemas(catalogue).chat_tables
    if not schemas:
        return _examples(schemas, catalogue, language)
    tables = [ref(schema) for schema in schemas]
    key = (language, tables, catalogue.tools, catalogue.current_floor, catalogue.room_names)
    stored = _EXAMPLES.get(schemas[0])
    if stored is None or stored[0] != key:
        stored = _EXAMPLES[schemas[0]] = (key, _examples(schemas, catalogue, language))
    return [*stored[1]]


def _examples(schemas: Sequence[TableSchema], catalogue: Catalogue, language: Language) -> list[str]:
    is_own = any(schema.info.place == 0 for schema in schemas)
    is_imported = catalogue.places is not None and catalogue.places.definition.building_id is not None
    if not is_own and is_imported and (of_building := _of_building(catalogue, language)):
        return of_building
    by_table = [_of_table(schema, schemas, catalogue, language) for schema in schemas[:_MAX_TRIED]]
    texts = filter(None, chain.from_iterable(zip_longest(*by_table)))  # one of each table, then a second one
    points = localize(language, "Show random coordinates on the map", "マップにランダムな座標を表示して")
    wave = localize(language, "Plot a sine wave", "サイン波を描いて")
    more = [] if is_own else [points, wave] if catalogue.room_names else [wave]
    more += [localize(language, "What datasets are there?", "データセットの一覧を見せて")]
    return [*islice(dict.fromkeys(texts), 3 - (len(more) > 2)), *more][:3]


def _of_building(catalogue: Catalogue, language: Language) -> list[str]:
    """Return three questions about the building; an empty list without one."""
    places = catalogue.places
    if places is None:
        return []
    of_floors = [places.destinations(floor) for floor in catalogue.rooms]
    rooms = max(of_floors, key=len) if of_floors else []
    start, goal = (rooms[0], rooms[-1]) if len(rooms) > 1 else ("", "")
    ways = [
        localize(language, f"Where is {goal}?", f"{goal}はどこですか？"),
        localize(language, f"How do I get from {start} to {goal}?", f"{start}から{goal}までの行き方は？"),
    ]
    return [*(ways if goal else []), localize(language, "Which room is the largest?", "一番広い部屋は？")]


def _of_table(
    schema: TableSchema, schemas: Sequence[TableSchema], catalogue: Catalogue, language: Language
) -> Iterator[str]:
    """Yield questions about a table that have one answer, by the roles of its columns; then the general ones."""
    name = schema.info.name
    quoted = quoted_name(name)
    general = [
        localize(language, f"Show basic statistics of {quoted}", f"{quoted}の基本統計を見せて"),
        localize(language, f"Number of rows in {quoted}", f"{quoted}の行数"),
        localize(language, f"Show the first 5 rows of {quoted}", f"{quoted}の先頭の5行を見せて"),
    ]
    asked: list[Query] = []
    for text in chain(suggested(schema, schemas, language), general):
        outcome = read_talk([UserTurn(text)], catalogue)
        query = outcome.intent
        is_new = isinstance(query, Query) and query.table == name and query not in asked
        if is_new and len(outcome.shown) == 1:
            asked.append(outcome.shown[0].query)
            yield text


def help_text(greeting: bool, catalogue: Catalogue, language: Language) -> str:
    """Return a short answer to a greeting or to "what can you do?"."""
    hello = render("hello", language) if greeting else ""
    samples = [render(f"sample_{tool}", language) for tool in _ERRAND_TOOLS if tool in catalogue.tools]
    quoted = join_names(language, [localize(language, f'"{sample}"', f"「{sample}」") for sample in samples])
    errands = render("errands_too", language, samples=quoted) if samples else ""
    return f"{hello}{render('what_i_do', language)}\n{_bullets(examples(catalogue, language))}{errands}"


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def refusal_text(refusal: Refusal, catalogue: Catalogue, language: Language) -> str:
    """Return the reason for declining, with the words concerned and three examples."""
    sentence = _sentence(refusal, language)
    questions = suggestions(refusal, catalogue, language)
    if refusal.reason == "rephrase":
        return f"{sentence}\n{_bullets(questions)}"
    return f"{sentence}\n\n{render('try', language)}\n{_bullets(questions)}" if questions else sentence


def suggestions(intent: object, catalogue: Catalogue, language: Language) -> list[str]:
    """Return the questions that a reply offers: things to try, or why two sides differ; an empty list for one without."""
    if isinstance(intent, Query) and intent.kind == "difference" and not intent.change and explains(intent):
        return [sentence_of(replace(intent, change="why"), language)]
    if isinstance(intent, Refusal) and intent.reason == "rephrase":
        return [*intent.choices]
    is_help = isinstance(intent, Talk) and intent.what != "tables"
    declined = isinstance(intent, Refusal) and intent.reason in _WITH_EXAMPLES
    if isinstance(intent, Refusal) and declined and intent.is_of_plan:
        return _near_questions(intent, catalogue, language) or examples(catalogue, language)
    return examples(catalogue, language) if is_help or declined else []


def _near_questions(refusal: Refusal, catalogue: Catalogue, language: Language) -> list[str]:
    """Return three questions about the building, first about rooms whose names resemble what a request names."""
    near = refusal.choices if len(refusal.choices) <= _MAX_NEAR and refusal.reason != "no_floor" else ()
    texts = [localize(language, f"Where is {name}?", f"{name}はどこですか？") for name in near]
    return [*dict.fromkeys((*texts, *_of_building(catalogue, language)))][:3]


def _sentence(refusal: Refusal, language: Language) -> str:
    reason = refusal.reason
    quoted = join_names(language, quote(language, refusal.terms[:8]))
    plain = join_names(language, refusal.terms)
    choices = join_names(language, refusal.choices[:_MAX_NAMES])
    parts: dict[str, str] = {}
    if reason == "incomplete":
        lacks = [render(f"part_{part}", language) for part in refusal.terms]
        tool = _TOOL_OF_PART.get(refusal.terms[0], "process_payment")
        parts = {
            "lacks": localize(language, " and ", "と").join(lacks),
            "heard": render("heard", language, choices=choices) if choices else "",
            "sample": render(f"sample_{tool}", language),
        }
    elif reason == "unknown":
        table = refusal.table
        has_choices = refusal.choices and table
        parts = {"known": render("known", language, table=table, choices=choices) if has_choices else ""}
    elif reason in ("no_room", "no_place"):
        parts = {"near": render("near", language, choices=choices) if choices else ""}
    elif reason == "where_from":
        parts = {"goal": refusal.terms[0].removeprefix("the ")}
    elif reason == "failed":
        quoted = "".join(refusal.terms)
    sentence = "errand_words_of" if reason == "errand_words" and choices else reason
    parts |= {"words": quoted, "plain": plain, "choices": choices, "table": refusal.table}
    return render(sentence, language, **parts)


def list_tables(catalogue: Catalogue, language: Language) -> Cell:
    """Return the cell that lists the bundled datasets and the chat's tables."""
    if not catalogue.tables:
        return text_cell(refusal_text(Refusal("no_tables"), catalogue, language))
    cell = Cell()
    cell.add("tables = pd.DataFrame(", "    [")
    for table in catalogue.tables:
        cell.add(f"        ({literal(table.name)}, {table.rows}, {len(table.columns)}),")
    heads = [localize(language, *names) for names in (("table", "表"), ("rows", "行数"), ("columns", "列数"))]
    cell.add("    ],", f"    columns=[{', '.join(map(literal, heads))}],", ")", "display(tables)")
    cell.add(f"names = {literal(localize(language, ', ', '、'))}.join(tables[{literal(heads[0])}])")
    many = ('f"There are {len(tables)} tables: {names}."', 'f"{len(tables)}個の表があります：{names}。"')
    cell.answer(localize(language, *many))
    return cell
