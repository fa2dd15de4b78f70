"""Reader of a conversation: returns what its last request asks for.

Each table and the building are read, and the best scored interpretation wins. Interpretations that are too close or too
uncertain are all shown, with their answers; those that act (a file, a drawing) are asked about first. Requests with
unexplained words and no likely interpretation are declined, naming the words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from smoldesk.analyst.assemble import assemble
from smoldesk.analyst.building.changes import CHANGES, closed_after
from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Sketch
from smoldesk.analyst.building.plan_calls import COMPARE, EVACUATION, REACH
from smoldesk.analyst.building.plan_check import (
    is_of_plan,
    kinds_without_rooms,
    plan_terms,
    speaks_of_plan,
    unknown_words,
)
from smoldesk.analyst.building.read import BuildingInterpretation, read_building, read_sketch
from smoldesk.analyst.building.rephrased import rephrase
from smoldesk.analyst.building.terms import BuildingSchema, building_of
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.chat_schemas import ChatSchemas, build_schemas
from smoldesk.analyst.complete import as_sentence
from smoldesk.analyst.errands.read import continue_errand, read_errands
from smoldesk.analyst.errands.tokens import Errands
from smoldesk.analyst.follow import edits, starts_anew
from smoldesk.analyst.joins import is_of_joined
from smoldesk.analyst.language import Language
from smoldesk.analyst.lexicon import Meaning, lexicon
from smoldesk.analyst.mentions import Interpretation, Mention, readings
from smoldesk.analyst.offers import Candidate, guesses, is_clear, score
from smoldesk.analyst.outcome import (
    NEITHER,
    Intent,
    Offer,
    Outcome,
    Talk,
    declined_for,
    is_canonical_sentence,
    none_of,
    show_best,
)
from smoldesk.analyst.paint import spans_in
from smoldesk.analyst.query import Query, coarsened, columns_of
from smoldesk.analyst.query_json import BadQuery, from_json
from smoldesk.analyst.refusal import PLAN, Refusal
from smoldesk.analyst.requests import (
    BEYOND_PLAN,
    Request,
    beyond_tables,
    cut_penalty,
    has_phrase,
    phrases_in,
    request_of,
)
from smoldesk.analyst.schema import TableSchema
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
from smoldesk.analyst.units import key_of, normalized, speaks_japanese
from smoldesk.analyst.why import requested_difference

MAX_READINGS = 10
# Score that a query of codes loses, so that one of the names that they repeat comes before it.
_CODE = 0.03
MAX_CANDIDATES = 8
_SMALL_TALK = {"greet", "help", "follow", "and", "pad", "which", "errand", "way", "light", "with", "back"}
# Reasons to decline a request whose best interpretation is known.
_DECLINED = ("unknown", "too_much", "unsure")
# Reasons to decline a request of which a part may be understood as one about the plan, and its maximum characters.
_REPHRASED = ("unknown", "too_much", "beyond", "no_room", "no_place")
MAX_REPHRASED = 500
# Reasons to decline a request that may be about its files.
_NOT_UNDERSTOOD = (
    *_DECLINED,
    "beyond",
    "nothing",
    "no_tables",
    "no_room",
    "no_place",
    "no_icon",
    "broken_file",
)
# Maximum words of a request, or characters in Japanese; longer ones are declined, which bounds the reading time.
MAX_UNITS = 400


@dataclass
class _State:
    """State after the requests so far."""

    text: str = ""
    last_intent: Intent | None = None
    query: Candidate | None = None
    # Best candidate of a declined request; only a request that refers back to it uses it.
    declined: Candidate | None = None
    place: MapUpdate | BuildingQuestion | Refusal | None = None
    # What the chat closed, the last one last.
    closed: tuple[str, ...] = ()
    turn: int = 0


def read_talk(turns: Sequence[UserTurn], catalogue: Catalogue) -> Outcome:
    """Return what the last request of a conversation asks for, given those before it."""
    state = _State()
    outcome = Outcome(Talk("help"), "en")
    for turn in turns:
        state.turn += 1
        schemas = build_schemas(catalogue, turn.selected, turn.attachments)
        if turn.reading is not None:
            outcome = _as_corrected(turn, schemas)
        else:
            building = building_of(catalogue, turn.selected, state.closed)
            outcome = _read_request(turn.text, schemas, building, state)
            outcome = _with_rephrased(turn.text, outcome, schemas, building, state)
            outcome = _as_of_plan(turn.text, outcome, schemas, building)
            outcome = _with_files(turn.text, outcome, schemas)
        if turn.refused:
            outcome = Outcome(none_of(outcome), outcome.language)
        elif turn.chosen:
            outcome = _chosen(outcome, turn.chosen)
        _remember(state, turn.text, outcome)
    return outcome


def _as_corrected(turn: UserTurn, schemas: ChatSchemas) -> Outcome:
    """Return the query that came with a request, if the tables have its names."""
    language: Language = "ja" if speaks_japanese(turn.text) else "en"
    try:
        query, schema = from_json(turn.reading, [*schemas.tables, *schemas.joined])
    except BadQuery as fault:
        return Outcome(Refusal("bad_reading", (str(fault),)), language)
    return Outcome(query, language, (Candidate(0.0, query, schema),), corrected=True)


def _chosen(outcome: Outcome, sentence: str) -> Outcome:
    """Return the outcome of the person's choice among the offered candidates."""
    if sentence in NEITHER:
        return replace(outcome, intent=Refusal("none_fits"), candidates=(), uncertain=())
    for candidate in outcome.candidates:
        if sentence_of(candidate.query, outcome.language) == sentence:
            return replace(outcome, intent=candidate.query, candidates=(candidate,), uncertain=())
    return outcome


def _remember(state: _State, text: str, outcome: Outcome) -> None:
    state.text, state.last_intent = text, outcome.intent
    intent = outcome.intent
    if isinstance(intent, BuildingQuestion):
        state.closed = closed_after(state.closed, (*intent.first, intent))
    reason = intent.reason if isinstance(intent, Refusal) else ""
    state.declined = next(iter(outcome.candidates), None) if reason in _DECLINED else None
    if outcome.best is not None:
        state.query, state.place = outcome.best, None
    elif isinstance(intent, MapUpdate | BuildingQuestion | Refusal) and reason in ("", "where_from"):
        state.place = replace(intent, unread=()) if isinstance(intent, BuildingQuestion) else intent


def _read_request(text: str, schemas: ChatSchemas, building: BuildingSchema, state: _State) -> Outcome:
    language: Language = "ja" if speaks_japanese(text) else "en"
    request = request_of(text)
    tools = schemas.catalogue.tools
    if len(request.units) > MAX_UNITS:
        return Outcome(Refusal("too_long", (request.text[:40],), (str(MAX_UNITS),)), language)
    if (difference := requested_difference(text)) and (
        explained := _explained(difference, schemas, building, state)
    ):
        return explained
    if sentence := as_sentence(text, schemas.chat_tables) or as_sentence(text, schemas.joined):
        query, schema, spoken = sentence
        if not schema.info.joined or is_of_joined(query, schema.info):
            return Outcome(query, spoken, (Candidate(0.0, query, schema),))
    if not request.units and schemas.attachments:
        headers = " ".join(column.name for schema in schemas.attached for column in schema.columns)
        return _about_files(schemas, "ja" if speaks_japanese(headers) else "en")
    errands = _errands(request, text, state)
    phrases = _phrases(request)
    if errands is None and (talk := _talk(request, {kind for kind, _ in phrases})):
        return Outcome(talk, language)
    if sketch := read_sketch(phrases, state.turn):
        return Outcome(sketch, language)
    candidates = _candidates(request, schemas, state)
    clear = bool(candidates) and is_clear(candidates[0])
    place = read_building(request, building, tools, state.place, state.turn)
    if clear and place is not None and _is_of_table(request, place, candidates[0], building):
        place = None
    is_answered = place is not None and not place.uncovered and isinstance(place.intent, BuildingQuestion)
    if (
        isinstance(errands, Refusal) and is_answered
    ):  # 今どこが閉まっていますか is no question for the location
        errands = None
    if errands is not None and not (clear and _names_strongly(request, candidates[0])):
        return Outcome(errands, language)
    if place is not None and (_goes_on(place, state) or _is_better(request, place, candidates, clear)):
        return Outcome(_checked(place, building), language)
    if ("selection", "said") in phrases and not building.selected and not clear:
        return Outcome(Refusal("no_selection"), language)
    asks_for_tables = ("op", "datasets") in phrases or ("noun", "data") in phrases
    outcome = _from_tables(request, schemas, candidates, place, building, language, asks_for_tables)
    return _without_guess(request, outcome, place, building, state)


def _explained(
    difference: str, schemas: ChatSchemas, building: BuildingSchema, state: _State
) -> Outcome | None:
    """Return the outcome of a request for a difference, to be explained; None if it is read as anything else."""
    outcome = _read_request(difference, schemas, building, state)
    if outcome.best is None or outcome.best.query.kind != "difference":
        return None
    best = replace(outcome.best, query=replace(outcome.best.query, change="why"))
    return replace(outcome, intent=best.query, candidates=(best,), uncertain=())


def _without_guess(
    request: Request,
    outcome: Outcome,
    place: BuildingInterpretation | None,
    building: BuildingSchema,
    state: _State,
) -> Outcome:
    """Return the outcome, or a refusal if a bundled table would answer what is asked about the plan.

    That is a guess that leaves words out, or the rows of a room for a question such as who works there.
    """
    best = outcome.best
    if best is None or not best.schema.info.bundled:
        return outcome
    is_weak = bool(outcome.uncertain) or not _names_strongly(request, best)
    of_plan = () if best.schema.room_column else plan_terms(request.text, building.places, is_weak)
    if of_plan:
        refusal = Refusal("unknown", of_plan)
        return Outcome(refusal if place is None else _checked(place, building), outcome.language)
    left_out = outcome.unused_terms if outcome.uncertain else ()
    if place is not None and best.schema.room_column:
        if isinstance(place.intent, Refusal) and place.intent.reason == "no_room" and not place.uncovered:
            return Outcome(_checked(place, building), outcome.language)  # where is Room7: no count of rows
        beyond = {request.raw(*span) for *span, meaning in phrases_in(request) if meaning == BEYOND_PLAN}
        is_other = _is_bare(best.query) and any(
            word in phrase for word in place.uncovered for phrase in beyond
        )
        if is_other or (left_out and len(place.uncovered) <= len(left_out)):
            return Outcome(_checked(place, building), outcome.language)
    if left_out and state.place is not None:
        return Outcome(Refusal("unknown", left_out), outcome.language)
    return outcome


def _with_rephrased(
    text: str, outcome: Outcome, schemas: ChatSchemas, building: BuildingSchema, state: _State
) -> Outcome:
    """Return the outcome; for a request that is declined, what is understood of it about the plan, as a sentence to choose."""
    reason = outcome.intent.reason if isinstance(outcome.intent, Refusal) else ""
    if reason not in _REPHRASED or building.places is None or len(text) > MAX_REPHRASED:
        return outcome
    tools, language = schemas.catalogue.tools, outcome.language

    def read(sentence: str) -> BuildingInterpretation | None:
        return read_building(request_of(sentence), building, tools, state.place, state.turn)

    rephrased = rephrase(text, building, tools, language, read)
    if rephrased is None:
        return outcome
    sentence, unread = rephrased
    return replace(outcome, intent=Refusal("rephrase", unread, (sentence,)), candidates=(), uncertain=())


def _as_of_plan(text: str, outcome: Outcome, schemas: ChatSchemas, building: BuildingSchema) -> Outcome:
    """Return the outcome; of a refused request about rooms, only with the words that the plan does not know.

    Columns of the bundled tables do not answer it.
    """
    intent, places = outcome.intent, building.places
    if not isinstance(intent, Refusal) or places is None:
        return outcome
    if intent.reason not in ("unknown", "no_place", "no_tables"):
        return outcome
    if intent.reason != "no_place":
        bundled = {schema.info.name for schema in schemas.tables if schema.info.bundled}
        if (intent.table and intent.table not in bundled) or not speaks_of_plan(text, places):
            return outcome
    unknown = tuple(
        term for term in intent.terms or unknown_words(text, places) if not is_of_plan(term, places)
    )
    near = intent.choices if intent.reason == "no_place" else ()
    if unknown:
        refusal = Refusal("no_place", unknown, building.near(*unknown))
    elif lacking := kinds_without_rooms(text, places):
        refusal = Refusal("no_room", lacking)
    else:
        refusal = Refusal("too_much", intent.terms, near, PLAN) if intent.terms else intent
    return replace(outcome, intent=refusal, candidates=(), uncertain=())


def _with_files(text: str, outcome: Outcome, schemas: ChatSchemas) -> Outcome:
    """Return the outcome of a request with files: about them, if it names nothing else that can be answered.

    Without a table among them, so is "describe this", and a question about another table that it does not name, if their
    table cannot be read.
    """
    intent = outcome.intent
    if schemas.attached:
        asks_nothing = intent in (Refusal("unknown", (text.strip(),)), Talk("tables"))
        return _about_files(schemas, outcome.language) if asks_nothing else outcome
    if not schemas.unread:
        return outcome
    refusal = _unreadable(schemas)
    if isinstance(intent, Query) and not outcome.uncertain:
        is_named = normalized(intent.table).casefold() in normalized(text).casefold()
        describes = intent.kind == "describe" and not intent.columns
        is_about_them = not is_named and (describes or refusal.reason == "broken_file")
    else:
        reason = getattr(intent, "reason", "")
        is_about_them = reason in _NOT_UNDERSTOOD or isinstance(intent, Offer | Query)
    return replace(outcome, intent=refusal, candidates=(), uncertain=()) if is_about_them else outcome


def _about_files(schemas: ChatSchemas, language: Language) -> Outcome:
    """Return the statistics of the first attached table, or why no attached file is read."""
    if not schemas.attached:
        return Outcome(_unreadable(schemas), language)
    query = Query(schemas.attached[0].info.name, kind="describe")
    return Outcome(query, language, (Candidate(0.0, query, schemas.attached[0]),))


def _unreadable(schemas: ChatSchemas) -> Refusal:
    """Return why the files that came with a request are not read."""
    broken = schemas.catalogue.broken
    if name := next((name for name in schemas.unread if name in broken), ""):
        return Refusal("broken_file", (name,), (broken[name],))
    return Refusal("no_look", schemas.unread)


def _from_tables(
    request: Request,
    schemas: ChatSchemas,
    candidates: list[Candidate],
    place: BuildingInterpretation | None,
    building: BuildingSchema,
    language: Language,
    asks_for_tables: bool,
) -> Outcome:
    """Return the best candidates as a question about a table, or why it is declined."""
    if refusal := _without_answer(request, schemas, candidates):
        return Outcome(refusal, language)
    if not candidates:
        if asks_for_tables:
            return Outcome(Talk("tables"), language)
        unknown = Refusal("unknown", _unknown(request, schemas))
        return Outcome(unknown if place is None else _checked(place, building), language)
    best = candidates[0]
    if declined_for(best) is not None:
        if asks_for_tables and not best.uncovered:
            return Outcome(Talk("tables"), language)
        # Words that the building knows are not told as unknown.
        knows_more = place is not None and best.schema.info.bundled and {*best.uncovered} - {*place.uncovered}
        if place is not None and (knows_more or len(place.uncovered) <= len(best.uncovered)):
            return Outcome(_checked(place, building), language)
    elif is_canonical_sentence(request.text, best, language):
        return Outcome(best.query, language, tuple(candidates))
    return show_best(request, candidates, language, schemas.catalogue)


def _without_answer(
    request: Request, schemas: ChatSchemas, candidates: Sequence[Candidate]
) -> Refusal | None:
    """Return why no table can answer a request, whatever its interpretations: it goes beyond them, or there is none."""
    catalogue = schemas.catalogue
    beyond = beyond_tables(request)
    terms = (term for schema in schemas.tables for term in schema.terms.get(key_of(beyond), ()))
    if beyond and all(term.kind == "row" for term in terms):
        return Refusal("beyond", (beyond,))
    if (name := _is_broken(request, catalogue)) and not (candidates and is_clear(candidates[0])):
        return Refusal("broken_file", (name,), (catalogue.broken[name],))
    return None if catalogue.tables else Refusal("no_tables")


def _candidates(request: Request, schemas: ChatSchemas, state: _State) -> list[Candidate]:
    """Return the candidates for questions about tables, the best first."""
    best = _read_tables(request, schemas, state, guessing=False)
    if schemas.joined:
        best = sorted([*best, *_read_joined(request, schemas, state)], key=lambda candidate: -candidate.value)
    if not best or best[0].uncovered:
        guessed = _read_tables(request, schemas, state, guessing=True)
        best = sorted([*best, *guessed], key=lambda candidate: -candidate.value)
    # The request says that it continues.
    continues = has_phrase(request, "back")
    if any("edit said" in dict(candidate.query.features) for candidate in (best if continues else best[:1])):
        best = [c for c in best if "edit" in dict(c.query.features) or not _is_bare(c.query)]
    return best[:MAX_CANDIDATES]


def _read_joined(request: Request, schemas: ChatSchemas, state: _State) -> list[Candidate]:
    """Return the candidates that explain every word with the columns of several tables."""
    joined = replace(schemas, tables=schemas.joined)
    return [
        candidate
        for candidate in _read_tables(request, joined, state, guessing=False)
        if declined_for(candidate) is None and is_of_joined(candidate.query, candidate.schema.info)
    ]


def _read_tables(request: Request, schemas: ChatSchemas, state: _State, guessing: bool) -> list[Candidate]:
    """Return the candidates of each table; with `guessing`, only those with a column for an unexplained word."""
    best: dict[tuple[Query, str], Candidate] = {}
    places = schemas.catalogue.places
    is_imported = places is not None and places.definition.building_id is not None
    has_chat_tables = is_imported or any(schema.info.place == 0 for schema in schemas.tables)
    attached = {schema.info.load for schema in schemas.attached}
    # Words that an answer left out stay left out.
    answered = replace(state.query, uncovered=()) if state.query else None
    before, request_key = answered, " ".join(unit.key for unit in request.units if unit.counts)
    refers, draws = has_phrase(request, "back"), has_phrase(request, "map")
    if state.declined is not None and (refers or has_phrase(request, "follow")):
        before = state.declined
    for schema in schemas.tables:
        again = before is not None and _has_columns(schema, before)
        # The chat's own tables are meant, unless another is named or rooms are drawn.
        is_other = has_chat_tables and schema.info.place and not again and not (schema.room_column and draws)
        if is_other and not any(name in request_key for name in schema.called):
            continue
        if guessing and (schema not in schemas.chat_tables or (schema.room_column and draws)):
            continue  # guessed columns are not drawn on the map
        more = list(spans_in(request)) if schema.room_column else []
        if guessing:
            more += guesses(request, schema, readings(request, schema, more)[0])
        interpretations = readings(request, schema, more)[:MAX_READINGS]
        continues = before is not None and again and bool(interpretations)
        if before is not None and continues:
            continues = not starts_anew(request, schema, interpretations[0], before.query)
        # The table that a question names is meant, also where another interpretation takes the name for a column's.
        is_named = any(map(_names_table, interpretations))
        for reading in interpretations:
            if guessing and not any(mention.is_guess for mention in reading.mentions):
                continue
            if is_other and not _names_table(reading):
                continue
            # Its words that were not understood would be lost in a new query: how many of them are over 50?
            lost = before is not None and before is state.declined and refers
            queries = [] if lost else list(assemble(request, schema, reading))
            if before is not None and continues:
                queries += edits(request, schema, reading, before)
            bonus = 0.4 * (schema.info.place == 0) + 0.3 * again
            bonus += 2.0 * (is_named or schema.info.load in attached)
            for query in (coarsened(query, schema.steps) for query in queries):
                value = score(query) + bonus - _CODE * any(map(schema.has_codes, columns_of(query)))
                previous = best.get((query, schema.info.load))
                if previous is None or previous.value < value:
                    earlier = before.uncovered if before and "edit" in dict(query.features) else ()
                    uncovered = (*earlier, *reading.uncovered)
                    candidate = Candidate(value, query, schema, uncovered, reading.score)
                    best[query, schema.info.load] = candidate
    return sorted(best.values(), key=lambda item: -item.value)


def _names_table(reading: Interpretation) -> bool:
    """Return whether an interpretation contains the name of its table."""
    return any(mention.kind == "table" and mention.strength > 0.8 for mention in reading.mentions)


def _has_columns(schema: TableSchema, before: Candidate) -> bool:
    """Return whether the query before can be continued: it is of this table, without columns of joined ones."""
    is_same = schema.info.name == before.schema.info.name
    return is_same and columns_of(before.query) <= {column.name for column in schema.columns}


def _is_bare(query: Query) -> bool:
    """Return whether a query consists of conditions alone."""
    counted = query.kind == "figure" and query.measures[0].column is None
    return bool(query.where) and ((query.kind == "rows" and not query.measures) or counted)


def _names_strongly(request: Request, candidate: Candidate) -> bool:
    """Return whether an interpretation contains a header, cell or table by its exact name."""
    best = readings(request, candidate.schema)[0].mentions
    return any(mention.kind in ("column", "value", "table") and mention.strength >= 0.85 for mention in best)


def _is_of_table(
    request: Request, place: BuildingInterpretation, best: Candidate, building: BuildingSchema
) -> bool:
    """Return whether an own table has columns or cells for what the plan takes for closures, reach, an evacuation, or rooms.

    Names of places may be both; they decide nothing.
    """
    # The table that the answer before wrote is no table of the person.
    if best.schema.info.bundled or best.schema.info.name.startswith(EVACUATION):
        return False
    of_units = {
        n
        for first, end, meaning in phrases_in(request)
        if meaning == Meaning("map", "units")
        for n in range(first, end)
    }
    tool = getattr(place.intent, "tool", "")
    is_what_if = tool in (EVACUATION, REACH, COMPARE, *CHANGES, "list_rooms")
    places = building.places

    def is_own(mention: Mention) -> bool:
        if mention.kind not in ("column", "value") or mention.strength < 0.85:
            return False
        if mention.kind == "column" and mention.first in of_units:
            return True
        text = request.raw(mention.first, mention.end)
        if tool == "list_rooms" and mention.kind == "column" and key_of(text) == key_of("room"):
            return False
        return is_what_if and not (places and (places.named(text) or places.kind(text)))

    return any(map(is_own, readings(request, best.schema)[0].mentions))


def _goes_on(place: BuildingInterpretation, state: _State) -> bool:
    """Return whether a route answers the question for its start, or follows a route; or fewer values are painted."""
    if isinstance(place.intent, MapUpdate) and isinstance(state.place, MapUpdate):
        return 0 < len(place.intent.values) < len(state.place.values)
    is_route = isinstance(place.intent, BuildingQuestion) and not place.uncovered
    return is_route and isinstance(state.last_intent, BuildingQuestion | Refusal) and state.place is not None


def _is_better(
    request: Request, place: BuildingInterpretation, candidates: list[Candidate], clear: bool
) -> bool:
    """Return whether a request concerns the building rather than a table."""
    if place.uncovered:
        return not candidates or (not clear and len(place.uncovered) < len(candidates[0].uncovered))
    intent = place.intent
    is_change = isinstance(intent, BuildingQuestion) and bool(intent.first or intent.tool in CHANGES)
    if not clear or is_change or getattr(intent, "tool", "") == "find_route" or _is_way(request, intent):
        return True
    best = candidates[0]
    asks_back = isinstance(intent, Refusal) and intent.reason == "where_from"
    plain = not best.query.map and (asks_back or not isinstance(intent, Refusal))
    # A bundled table, unless it is named or continued, comes after the plan.
    is_meant = "edit" in dict(best.query.features) or best.query.table.casefold() in request.text.casefold()
    is_fact = asks_back or isinstance(intent, BuildingQuestion) or _is_bare(best.query)
    is_fact = is_fact and best.schema.info.bundled and not is_meant
    return plain and (place.score > best.covered or is_fact)


def _is_way(request: Request, intent: object) -> bool:
    """Return whether a request asks the way from or to a room that does not exist; tables have no ways."""
    if not isinstance(intent, Refusal) or intent.reason != "no_room":
        return False
    words = {meaning.value for _, _, meaning in phrases_in(request) if meaning.kind == "way"}
    return "go" in words and not words.isdisjoint(("from", "to"))


def _checked(
    place: BuildingInterpretation, building: BuildingSchema
) -> MapUpdate | BuildingQuestion | Sketch | Refusal:
    """Return the intent of an interpretation, or a refusal that names its unexplained words, such as unknown rooms."""
    if not place.uncovered or (isinstance(place.intent, Refusal) and place.intent.reason == "no_floor"):
        return place.intent
    if place.icon:
        icons = tuple(bitmap for bitmap in building.bitmaps if not bitmap.startswith("arrow_"))
        return Refusal("no_icon", place.uncovered, icons)
    places = building.places
    if places and all(places.named(word) or places.floor_ids(word) for word in place.uncovered):
        return Refusal("too_much", place.uncovered)
    is_name = all(word.istitle() and len(word) > 2 for word in place.uncovered)
    return Refusal("no_room" if is_name else "no_place", place.uncovered, building.near(*place.uncovered))


def _errands(request: Request, text: str, state: _State) -> Errands | Refusal | None:
    previous, continued = state.last_intent, None
    if isinstance(previous, Errands) or (isinstance(previous, Refusal) and previous.reason == "incomplete"):
        continued = continue_errand(text, state.text, previous)
    return continued or read_errands(request)


def _phrases(request: Request) -> list[tuple[str, str]]:
    """Return the meanings of the longest phrases of a request."""
    keys = [unit.key for unit in request.units]
    meanings: list[tuple[str, str]] = []
    at = 0
    while at < len(keys):
        for end in range(min(at + 8, len(keys)), at, -1):
            phrase_meanings = lexicon().meanings.get(tuple(keys[at:end]), [])
            if phrase_meanings and not cut_penalty(request, at, end):
                meanings += [(meaning.kind, meaning.value) for meaning in phrase_meanings]
                at = end - 1
                break
        at += 1
    return meanings


def _talk(request: Request, cues: set[str]) -> Talk | None:
    """Return a greeting or a question about the analyst itself, if the request contains nothing else."""
    if not request.units:
        return Talk("help")
    small = _SMALL_TALK - {"way"}
    talked = {
        n
        for first, end, meaning in phrases_in(request, 12)
        if meaning.kind in small
        for n in range(first, end)
    }
    is_all = all(n in talked or n in request.free for n in range(len(request.units)))
    if cues & {"greet", "help"} and cues <= _SMALL_TALK and is_all:
        return Talk("help" if "help" in cues else "greeting")
    return None


def _is_broken(request: Request, catalogue: Catalogue) -> str:
    """Return the unreadable file that a request names, or the first one if the chat has no readable table."""
    plain = request.text.casefold()
    for name in catalogue.broken:
        if name.casefold() in plain or name.rsplit(".", 1)[0].casefold() in plain:
            return name
    return "" if any(table.place == 0 for table in catalogue.tables) else next(iter(catalogue.broken), "")


def _unknown(request: Request, schemas: ChatSchemas) -> tuple[str, ...]:
    """Return the content words of a request that no table explains; the complete text if all words are known."""
    uncovered = (reading.uncovered for schema in schemas.tables for reading in readings(request, schema)[:1])
    return min(uncovered, key=len, default=()) or (request.text.strip(),)
