"""Conversion of an outcome into the agent's step: a line of prose, and a cell of Python that ends in the answer."""

from textwrap import indent

from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, Sketch
from smoldesk.analyst.building.map_code import write_map, write_sketch
from smoldesk.analyst.building.question_code import write_building_question
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import Cell, inside, literal
from smoldesk.analyst.conditions_code import describe_conditions
from smoldesk.analyst.errands.code import deeds, without_tools, write_errands
from smoldesk.analyst.errands.tokens import Errands
from smoldesk.analyst.language import Language, localize, quote, render
from smoldesk.analyst.offers import Candidate
from smoldesk.analyst.outcome import NEITHER, Offer, Outcome, Talk
from smoldesk.analyst.query import Query
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.replies import help_text, list_tables, refusal_text, text_cell
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import CHOSEN
from smoldesk.analyst.write import write as write_query


def write(outcome: Outcome, catalogue: Catalogue) -> str:
    """Return the cell that answers."""
    if outcome.best is None:
        return _cell(outcome, catalogue).source()
    if not outcome.uncertain:
        return _query_code(outcome.best, outcome.language, catalogue)
    blocks = (
        f"with alternative({literal(sentence_of(candidate.query, outcome.language))}):\n"
        + indent(_query_code(candidate, outcome.language, catalogue), "    ")
        for candidate in outcome.shown
    )
    return "\n\n".join(blocks)


def _query_code(candidate: Candidate, language: Language, catalogue: Catalogue) -> str:
    return write_query(candidate.query, candidate.schema, language, catalogue.tools, candidate.schema.rooms)


def _cell(outcome: Outcome, catalogue: Catalogue) -> Cell:
    intent, language = outcome.intent, outcome.language
    match intent:
        case MapUpdate():
            return write_map(intent, catalogue, language)
        case BuildingQuestion():
            return write_building_question(intent, language)
        case Sketch():
            return write_sketch(intent, language)
        case Errands():
            if refusal := without_tools(intent, catalogue.tools):
                return text_cell(refusal_text(refusal, catalogue, language))
            return write_errands(intent, language)
        case Talk("tables"):
            return list_tables(catalogue, language)
        case Talk(what):
            return text_cell(help_text(what == "greeting", catalogue, language))
        case Refusal():
            cell = Cell()
            if intent.is_of_plan and "clear_map" in catalogue.tools:
                cell.add("clear_map()")
            cell.answer(*map(literal, refusal_text(intent, catalogue, language).splitlines(keepends=True)))
            return cell
        case Offer():
            return _offer(intent, language)
        case Query():
            raise AssertionError("unreachable: an outcome with a query has a candidate")


def _offer(offer: Offer, language: Language) -> Cell:
    """Write the cell that asks for the intended interpretation; it prints the choice, which the next step computes."""
    cell = Cell()
    quoted_terms = localize(language, " and ", "").join(quote(language, offer.unused_terms))
    unknown = render("not_known", language, words=quoted_terms) if offer.unused_terms else ""
    sentences = (*offer.sentences, localize(language, *NEITHER))
    cell.add("options = [", *(f"    {literal(sentence)}," for sentence in sentences), "]")
    question = literal(unknown + render("which_reading", language))
    none = inside(unknown + render("nothing_chosen", language))
    cell.add("try:", f"    chosen = ask_person(question={question}, options=options)")
    cell.add("except Exception as fault:", f'    final_answer(f"{none}{{fault}}")')
    cell.add(f'print(f"{CHOSEN}{{chosen}}")')
    return cell


# Sentences that describe a step, by the kind of its intent.
_STEPS = {MapUpdate: "map_update", BuildingQuestion: "building_question", Offer: "offer", Sketch: "sketch",
    Refusal: "refusal"}  # fmt: skip


def plan_of(outcome: Outcome) -> str:
    """Describe the next step in one line, for the person who watches."""
    intent, language = outcome.intent, outcome.language
    match intent:
        case Query() if len(outcome.shown) > 1:
            line = render("several", language)
        case Query(map=""):
            conditions = describe_conditions(intent.where, language == "ja").strip()
            filter_text = render("query_kept", language, told=conditions) if conditions else ""
            step = render(f"step_{intent.kind}", language)
            line = render("query", language, table=intent.table, kept=filter_text, step=step)
        case Query():
            line = render("query_map", language, table=intent.table)
        case Errands():
            line = render("errands", language, deeds=deeds(intent, language))
        case Talk(what):
            line = render("tables" if what == "tables" else "help", language)
        case _:
            line = render(_STEPS[type(intent)], language)
    # A `<code>` in a table's name would start a cell in the prose.
    return " ".join(line.replace("<", "‹").split())
