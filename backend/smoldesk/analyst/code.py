"""What a request asks for becomes what the agent runs: a line of prose, and a cell of Python that ends in the answer."""

from smoldesk.analyst.building.intents import Drawing, Sketch, Way
from smoldesk.analyst.building.map_code import write_map
from smoldesk.analyst.building.point_code import write_random_points
from smoldesk.analyst.building.sketch_code import write_sketch
from smoldesk.analyst.building.way_code import write_ways
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import Cell, literal
from smoldesk.analyst.conditions_code import in_words
from smoldesk.analyst.errands.code import missing_tools, write_errands
from smoldesk.analyst.errands.intents import Errands
from smoldesk.analyst.errands.words import deeds
from smoldesk.analyst.language import Language, say
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
        return write_query(best.query, best.schema, outcome.language == "ja", catalogue.tools, rooms)
    return _cell(outcome, catalogue).source()


def _cell(outcome: Outcome, catalogue: Catalogue) -> Cell:
    intent, language = outcome.intent, outcome.language
    match intent:
        case Drawing():
            return (
                write_random_points(intent, catalogue, language)
                if intent.random_points
                else write_map(intent, catalogue, language)
            )
        case Way():
            return write_ways(intent, catalogue, language)
        case Sketch():
            return write_sketch(intent, language)
        case Errands():
            if missing := missing_tools(intent, catalogue.tools):
                return say_only(
                    refusal_text(Refusal("no_tool", (), tuple(dict.fromkeys(missing))), catalogue, language)
                )
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
    options = [f"    {literal(one)}," for one in (*offer.sentences, say(language, *NEITHER))]
    english, japanese = (
        " and ".join(f"'{one}'" for one in offer.words),
        "".join(f"「{one}」" for one in offer.words),
    )
    unknown = (
        say(language, f"I do not know {english}. ", f"{japanese}が分かりません。") if offer.words else ""
    )
    question = unknown + say(language, "Which do you mean?", "どちらの意味ですか。")
    failed = unknown + say(
        language, "I computed nothing, as nothing was chosen. ", "何も選ばれなかったため、計算していません。"
    )
    cell.add(
        "options = [",
        *options,
        "]",
        "try:",
        f"    chosen = ask_person(question={literal(question)}, options=options)",
        "except Exception as fault:",
        f"    final_answer({literal(failed)} + str(fault))",
        f'print(f"{CHOSEN}{{chosen}}")',
    )
    return cell


_STEPS = {
    "describe": ("summarise it", "基本統計を計算します"),
    "head": ("show its rows", "行を表示します"),
    "tail": ("show its last rows", "最後の行を表示します"),
    "rows": ("show its rows", "行を表示します"),
    "shape": ("look at its size", "大きさを調べます"),
    "missing": ("count its blank cells", "空白を数えます"),
    "distinct": ("count the different values", "値の種類を数えます"),
    "columns": ("list its columns", "列を一覧にします"),
    "correlation": ("compute the correlation", "相関を計算します"),
    "outliers": ("look for outliers", "外れ値を探します"),
    "difference": ("compute both figures and their difference", "両方の値とその差を計算します"),
    "plot values": ("plot its values", "値をグラフにします"),
    "groups": ("compute the figure for each group", "グループごとに集計します"),
    "share": ("compute the share", "割合を計算します"),
    "figure": ("compute the figure", "集計します"),
}


def plan_of(outcome: Outcome) -> str:
    """What the analyst is about to do, in one line for the person who watches."""
    intent, language = outcome.intent, outcome.language
    match intent:
        case Query():
            english, japanese = _STEPS.get(intent.kind, _STEPS["figure"])
            told = in_words(intent.where, language == "ja").strip()
            line = say(
                language,
                f"I load {intent.table}{', keep the rows ' + told if told else ''} and {english}.",
                f"{intent.table}を読み込み、{told + ' に絞り、' if told else ''}{japanese}。",
            )
            if intent.map:
                line = say(
                    language,
                    f"I compute the figure for each room from {intent.table} and draw it on the map.",
                    f"{intent.table}から部屋ごとの値を計算し、マップに描きます。",
                )
        case Drawing():
            line = say(language, "I draw this on the map.", "マップに描画します。")
        case Way():
            line = say(language, "I ask the plan of the building.", "建物の図面を調べます。")
        case Offer():
            line = say(
                language,
                "This can be read in more than one way, so I ask.",
                "複数の読み方ができるため、確認します。",
            )
        case Sketch():
            line = say(language, "I draw the plot.", "グラフを描きます。")
        case Errands():
            line = say(
                language,
                f"What is asked for: {deeds(intent, 'en')}.",
                f"ご依頼の内容は、{deeds(intent, 'ja')}です。",
            )
        case Talk("tables"):
            line = say(language, "I list the tables that can be used here.", "使える表の一覧を示します。")
        case Talk():
            line = say(language, "I say what I can do.", "できることを説明します。")
        case Refusal():
            line = say(
                language,
                "I cannot answer this as it stands, so I say why.",
                "このままでは答えられないため、理由を伝えます。",
            )
    return " ".join(line.replace("<", "‹").split())
