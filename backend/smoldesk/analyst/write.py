"""A reading becomes what the agent runs: a line of prose, and a cell of Python that ends in the answer."""

from dataclasses import dataclass

from smoldesk.analyst.building.write_map import write_coloured_rooms, write_map
from smoldesk.analyst.building.write_play import write_play
from smoldesk.analyst.building.write_points import write_random_points
from smoldesk.analyst.building.write_ways import write_ways
from smoldesk.analyst.cell import (
    Cell,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.errands.errand_words import no_tool
from smoldesk.analyst.errands.write_errands import missing_tools, write_errands
from smoldesk.analyst.intents import (
    ColourRooms,
    DataIntent,
    Draw,
    Errands,
    Help,
    Language,
    ListDatasets,
    MapIntent,
    PlayRooms,
    Reading,
    Refusal,
    Ways,
)
from smoldesk.analyst.phrases import help_text, refusal_text
from smoldesk.analyst.plans import thought
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.figures import say
from smoldesk.analyst.writing.absent_rows import tell_absent
from smoldesk.analyst.writing.sheet import Sheet, open_sheet
from smoldesk.analyst.writing.write_correlations import write_correlation, write_pairs
from smoldesk.analyst.writing.write_differences import write_difference
from smoldesk.analyst.writing.write_drawings import write_drawing
from smoldesk.analyst.writing.write_duplicates import write_deduplicated, write_duplicates
from smoldesk.analyst.writing.write_figures import write_figures
from smoldesk.analyst.writing.write_lists import (
    write_columns,
    write_distinct,
    write_head,
    write_missing,
    write_shape,
    write_tail,
)
from smoldesk.analyst.writing.write_modes import write_mode
from smoldesk.analyst.writing.write_overviews import write_describe
from smoldesk.analyst.writing.write_plots import write_histogram, write_scatter
from smoldesk.analyst.writing.write_rows import write_rows, write_sample
from smoldesk.analyst.writing.write_special import write_outliers, write_quantiles
from smoldesk.analyst.writing.write_statistics import write_normality, write_regression
from smoldesk.analyst.writing.write_top import write_top
from smoldesk.analyst.writing.write_types import write_memory, write_types

_WRITERS = {
    "aggregate": write_figures,
    "describe": write_describe,
    "head": write_head,
    "tail": write_tail,
    "rows": write_rows,
    "sample": write_sample,
    "duplicates": write_duplicates,
    "deduplicate": write_deduplicated,
    "types": write_types,
    "memory": write_memory,
    "shape": write_shape,
    "missing": write_missing,
    "distinct": write_distinct,
    "columns": write_columns,
    "correlation": write_correlation,
    "hist": write_histogram,
    "scatter": write_scatter,
    "top": write_top,
    "outliers": write_outliers,
    "quantile": write_quantiles,
    "mode": write_mode,
    "difference": write_difference,
    "normality": write_normality,
    "regression": write_regression,
    "pairs": write_pairs,
}


@dataclass(frozen=True)
class Reply:
    """What the model says: a thought for the person who watches, and code."""

    thought: str
    code: str


def write(reading: Reading, catalogue: Catalogue) -> Reply:
    """The thought and the code that answer a reading."""
    cell = _cell(reading, catalogue)
    return Reply(thought(reading), cell.source())


def _cell(reading: Reading, catalogue: Catalogue) -> Cell:
    intent, language = reading.intent, reading.language
    match intent:
        case DataIntent():
            return _data_cell(intent, catalogue, language)
        case MapIntent():
            if intent.random_points:
                return write_random_points(intent, catalogue, language, reading.turn)
            return write_map(intent, catalogue, language)
        case ColourRooms():
            return write_coloured_rooms(intent, catalogue, language)
        case PlayRooms():
            return write_play(intent, catalogue, language)
        case Ways():
            return write_ways(intent, catalogue, language)
        case Draw():
            return write_drawing(intent, language, reading.turn)
        case Errands():
            if missing := missing_tools(intent, catalogue.tools):
                return say_only(no_tool(missing, language))
            return write_errands(intent, language)
        case ListDatasets():
            return _datasets(catalogue, language)
        case Help():
            return say_only(help_text(intent, catalogue, language))
        case Refusal():
            return say_only(refusal_text(intent, catalogue, language))


def say_only(text: str) -> Cell:
    """A cell that only answers."""
    cell = Cell()
    cell.answer(*(literal(line) for line in text.splitlines(keepends=True) or [""]))
    return cell


def _data_cell(intent: DataIntent, catalogue: Catalogue, language: Language) -> Cell:
    sheet: Sheet = open_sheet(intent, catalogue, language)
    tell_absent(sheet)
    _WRITERS[intent.operation](sheet)
    return sheet.cell


def _datasets(catalogue: Catalogue, language: Language) -> Cell:
    """What can be loaded: bundled datasets and the chat's own tables."""
    if not catalogue.tables:
        return say_only(refusal_text(Refusal("no_tables"), catalogue, language))
    cell = Cell()
    cell.use("pd")
    cell.add("tables = pd.DataFrame(", "    [")
    for table in catalogue.tables:
        cell.add(f"        ({literal(table.name)}, {table.rows}, {len(table.columns)}),")
    heads = [say(language, *names) for names in (("table", "表"), ("rows", "行数"), ("columns", "列数"))]
    cell.add("    ],", f"    columns=[{', '.join(map(literal, heads))}],", ")", "display(tables)")
    cell.add(f"names = {literal(say(language, ', ', '、'))}.join(tables[{literal(heads[0])}])")
    number = Value("len(tables)")
    cell.answer(
        fstring(number, "個の表があります: ", Value("names"))
        if language == "ja"
        else fstring("There are ", number, " tables: ", Value("names"), ".")
    )
    return cell
