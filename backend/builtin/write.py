"""A reading becomes what the agent runs: a line of prose, and a cell of Python that ends in the answer."""

from dataclasses import dataclass

from backend.builtin.catalogue import Catalogue
from backend.builtin.cell import Cell, Value, fstring, literal
from backend.builtin.errand_words import deeds, no_tool
from backend.builtin.figures import conditions, say
from backend.builtin.intents import (
    ColourRooms,
    DataIntent,
    Draw,
    Errands,
    Help,
    Language,
    ListDatasets,
    MapIntent,
    Reading,
    Refusal,
)
from backend.builtin.phrases import help_text, refusal_text
from backend.builtin.sheet import Sheet, open_sheet
from backend.builtin.write_drawings import write_drawing
from backend.builtin.write_errands import missing_tools, write_errands
from backend.builtin.write_figures import write_figures
from backend.builtin.write_map import write_coloured_rooms, write_map
from backend.builtin.write_overviews import (
    write_columns,
    write_correlation,
    write_describe,
    write_distinct,
    write_head,
    write_missing,
    write_shape,
    write_top,
)
from backend.builtin.write_plots import write_histogram, write_scatter
from backend.builtin.write_points import write_random_points
from backend.builtin.write_special import write_outliers, write_quantiles

_WRITERS = {
    "aggregate": write_figures,
    "describe": write_describe,
    "head": write_head,
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
}


@dataclass(frozen=True)
class Reply:
    """What the model says: a thought for the person who watches, and code."""

    thought: str
    code: str


def write(reading: Reading, catalogue: Catalogue) -> Reply:
    """The thought and the code that answer a reading."""
    cell = _cell(reading, catalogue)
    return Reply(_thought(reading), cell.source())


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


def _thought(reading: Reading) -> str:
    language = reading.language
    lines = [_plan(reading)]
    for wrote, read_as in reading.mended:
        lines.append(
            say(language, f"I read '{wrote}' as '{read_as}'.", f"「{wrote}」は「{read_as}」と読みました。")
        )
    return " ".join(lines).replace("<", "‹")


def _plan(reading: Reading) -> str:
    intent, language = reading.intent, reading.language
    match intent:
        case DataIntent():
            return _data_plan(intent, language)
        case MapIntent():
            return say(language, "I draw this on the map.", "マップに描画します。")
        case ColourRooms():
            return say(
                language,
                f"I compute the figure for each room from {intent.data.table} and colour the rooms by it.",
                f"{intent.data.table}から部屋ごとの値を計算し、部屋を色分けします。",
            )
        case Draw():
            return say(language, "I draw the plot.", "グラフを描きます。")
        case Errands():
            return say(
                language,
                f"What is asked for: {deeds(intent, 'en')}.",
                f"ご依頼の内容は、{deeds(intent, 'ja')}です。",
            )
        case ListDatasets():
            return say(language, "I list the tables that can be used here.", "使える表の一覧を示します。")
        case Help():
            return say(language, "I say what I can do.", "できることを説明します。")
        case Refusal():
            return say(
                language,
                "I cannot answer this as it stands, so I say why.",
                "このままでは答えられないため、理由を伝えます。",
            )


def _data_plan(intent: DataIntent, language: Language) -> str:
    said = conditions(intent.filters)
    kept_en, kept_ja = (f", keep the rows with {said}", f"、{said} の行に絞り") if said else ("", "")
    names = {
        "describe": ("summarise it", "基本統計を計算します"),
        "head": ("show its rows", "行を表示します"),
        "shape": ("look at its size", "大きさを調べます"),
        "missing": ("count its blank cells", "空白を数えます"),
        "distinct": ("count the different values", "値の種類を数えます"),
        "columns": ("list its columns", "列を一覧にします"),
        "correlation": ("compute the correlation", "相関を計算します"),
        "hist": ("look at the distribution", "分布を調べます"),
        "scatter": ("plot the two columns against each other", "2つの列の散布図を描きます"),
        "top": ("rank the rows", "順位を付けます"),
        "outliers": ("look for outliers", "外れ値を探します"),
        "quantile": ("compute the quantiles", "分位点を計算します"),
        "aggregate": ("compute the figures", "集計します"),
    }
    english, japanese = names[intent.operation]
    cut = intent.groups or intent.date
    if intent.operation == "aggregate" and cut:
        english, japanese = "compute the figure for each group", "グループごとに集計します"
    saved = (" and save the result", "結果を保存します。") if intent.save else ("", "")
    return say(
        language,
        f"I load {intent.table}{kept_en} and {english}{saved[0]}.",
        f"{intent.table}を読み込み{kept_ja}、{japanese}。{saved[1]}",
    )
