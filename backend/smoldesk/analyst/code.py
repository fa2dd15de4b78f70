"""What a request asks for becomes what the agent runs: a line of prose, and a cell of Python that ends in the answer."""

from smoldesk.analyst.building.intents import Drawing, Sketch, Way
from smoldesk.analyst.building.map_code import write_map
from smoldesk.analyst.building.sketch_code import write_sketch
from smoldesk.analyst.building.way_code import write_ways
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import Cell, inside, literal
from smoldesk.analyst.conditions_code import in_words
from smoldesk.analyst.errands.code import deeds, without_tools, write_errands
from smoldesk.analyst.errands.intents import Errands
from smoldesk.analyst.language import Language, say, told
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import NEITHER, Offer, Outcome, Talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.replies import help_text, list_tables, refusal_text, say_only
from smoldesk.analyst.talk import CHOSEN
from smoldesk.analyst.write import write as write_query


def write(outcome: Outcome, catalogue: Catalogue) -> str:
    """The cell that answers."""
    if outcome.best is not None:
        best = outcome.best
        rooms = catalogue.rooms.get(best.schema.floor, ())
        return write_query(best.query, best.schema, outcome.language, catalogue.tools, rooms)
    return _cell(outcome, catalogue).source()


def _cell(outcome: Outcome, catalogue: Catalogue) -> Cell:
    intent, language = outcome.intent, outcome.language
    match intent:
        case Drawing():
            return write_map(intent, catalogue, language)
        case Way():
            return write_ways(intent, catalogue, language)
        case Sketch():
            return write_sketch(intent, language)
        case Errands():
            if refusal := without_tools(intent, catalogue.tools):
                return say_only(refusal_text(refusal, catalogue, language))
            return write_errands(intent, language)
        case Talk("tables"):
            return list_tables(catalogue, language)
        case Talk(what):
            return say_only(help_text(what == "greeting", catalogue, language))
        case Refusal():
            return say_only(refusal_text(intent, catalogue, language))
        case Offer():
            return _offer(intent, language)
        case Query():
            raise AssertionError("a query has a candidate")


def _offer(offer: Offer, language: Language) -> Cell:
    """The cell that asks which reading is meant; what is chosen is printed, and computed in the next step."""
    cell = Cell()
    words = say(language, " and ", "").join(say(language, f"'{word}'", f"「{word}」") for word in offer.words)
    unknown = told("not_known", language, words=words) if offer.words else ""
    sentences = (*offer.sentences, say(language, *NEITHER))
    cell.add("options = [", *(f"    {literal(sentence)}," for sentence in sentences), "]")
    question = literal(unknown + told("which_reading", language))
    none = inside(unknown + told("nothing_chosen", language))
    cell.add("try:", f"    chosen = ask_person(question={question}, options=options)")
    cell.add("except Exception as fault:", f'    final_answer(f"{none}{{fault}}")')
    cell.add(f'print(f"{CHOSEN}{{chosen}}")')
    return cell


def plan_of(outcome: Outcome) -> str:
    """What the analyst is about to do, in one line for the person who watches."""
    intent, language = outcome.intent, outcome.language
    match intent:
        case Query(map=""):
            conditions = in_words(intent.where, language == "ja").strip()
            kept = told("query_kept", language, told=conditions) if conditions else ""
            step = told(f"step_{intent.kind}", language)
            line = told("query", language, table=intent.table, kept=kept, step=step)
        case Query():
            line = told("query_map", language, table=intent.table)
        case Errands():
            line = told("errands", language, deeds=deeds(intent, language))
        case Talk(what):
            line = told("tables" if what == "tables" else "help", language)
        case Drawing() | Way() | Offer() | Sketch() | Refusal():
            line = told(type(intent).__name__.casefold(), language)
    return " ".join(line.replace("<", "‹").split())
