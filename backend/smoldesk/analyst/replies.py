"""What the analyst says when it does not compute: what it can do, or why it declines and what to try."""

from smoldesk.analyst.building.way_code import ask_start
from smoldesk.analyst.catalogue import Catalogue, TableInfo
from smoldesk.analyst.cell import Cell, Value, fstring, literal
from smoldesk.analyst.errands.problems import SAMPLES, problem_text
from smoldesk.analyst.language import Language, say
from smoldesk.analyst.refusal import Refusal

_MOST = 20
_PLAIN = (
    "failed",
    "incomplete",
    "each_or_shared",
    "no_currency",
    "one_by_one",
    "errand_words",
    "later",
    "where_from",
    "no_selection",
    "no_tool",
    "too_long",
    "unsure",
    "none_fits",
    "bad_reading",
    "no_before",
)
_SENTENCES: dict[str, tuple[str, str]] = {
    "unknown": (
        "I do not know {words}, so I would rather not guess.{known}",
        "{words} が分かりません。推測では答えません。{known}",
    ),
    "beyond": (
        "I cannot answer that ({words}): I compute from the tables here and do not know reasons, the future or the "
        "world outside. "
        "To ask such things, connect a language model (setting SMOLDESK_MODEL).",
        "その質問（{words}）には答えられません。ここにある表から計算するだけで、理由や将来、外の情報は分かりません。"
        "言語モデルを接続すると聞けます（設定 SMOLDESK_MODEL）。",
    ),
    "no_column": (
        "There is no {words} in {table}; its columns are: {choices}.",
        "{table}に {words} はありません。列は {choices} です。",
    ),
    "no_room": (
        "There is no room {words}; there are: {choices}.",
        "{words} という部屋はありません。部屋は {choices} です。",
    ),
    "no_floor": (
        "There is no floor {words}; there are: {choices}.",
        "{words} という階はありません。階は {choices} です。",
    ),
    "no_icon": (
        "There is no icon {words}; there are: {choices}.",
        "{words} というアイコンはありません。あるのは {choices} です。",
    ),
    "which_way": (
        "Which way should the arrow point: up, down, left or right?",
        "矢印の向きはどれですか: 上、下、左、右",
    ),
    "which_rooms": (
        "In which room? Floor {table} has: {choices}.",
        "どの部屋ですか。{table}の部屋は {choices} です。",
    ),
    "no_date": ("{table} has no date column.", "{table}には日付の列がありません。"),
    "no_tables": (
        "There is no table here yet. Upload a CSV file first.",
        "まだ表がありません。CSVファイルをアップロードしてください。",
    ),
    "broken_file": (
        "No table could be read from {words}. {choices}",
        "{words} から表を読み取れませんでした。{choices}",
    ),
    "nothing_to_save": ("There is no result to save yet.", "保存する結果がまだありません。"),
    "too_much": (
        "I did not see what to do with {words} in this question.",
        "この質問の {words} をどう扱えばよいか分かりませんでした。",
    ),
    "failed": (
        "My code failed and I have no answer: {words}",
        "コードの実行に失敗したため、答えがありません: {words}",
    ),
    "no_selection": (
        "No room is selected. Click rooms on the map, or draw around them, and ask again.",
        "部屋が選択されていません。マップで部屋をクリックするか、囲んで選んでから、もう一度お願いします。",
    ),
    "no_tool": (
        "I understood what you want, but I cannot do it: this desk has no tool for it ({choices}).",
        "ご依頼は理解しましたが、このデスクにはそのためのツール（{choices}）がないため、対応できません。",
    ),
    "too_long": (
        "That is too long for me: I read at most {choices} words at a time. Please ask in a sentence or two.",
        "長すぎて読めません。一度に読めるのは{choices}文字までです。短くしてお願いします。",
    ),
    "unsure": (
        "I am not sure what you mean. This I could compute: {choices}. Ask with these words, or name the column.",
        "意味をはっきり読み取れませんでした。計算できるのは「{choices}」です。この言葉で聞くか、列の名前を入れてください。",
    ),
    "no_before": (
        "This goes on from a question that I did not understand. Please ask the whole question.",
        "理解できなかった質問の続きのようです。質問全体を入力してください。",
    ),
    "bad_reading": (
        "I computed nothing, because the reading that came with this request does not fit the tables here: {words}.",
        "添えられた読み方が、ここの表に合わないため、計算していません: {words}",
    ),
    "none_fits": (
        "Then I have not understood the question. Please name the column and what to compute, or connect a language model.",
        "質問を読み取れていませんでした。列の名前と計算の内容を入れて聞き直すか、言語モデルを接続してください。",
    ),
    "nothing": (
        "I did not understand what to compute or draw.",
        "何を計算・表示すればよいか分かりませんでした。",
    ),
}


def say_only(text: str) -> Cell:
    """A cell that only answers."""
    cell = Cell()
    cell.answer(*(literal(line) for line in text.splitlines(keepends=True) or [""]))
    return cell


def examples(catalogue: Catalogue, language: Language) -> list[str]:
    """Three requests that work with this catalogue, the chat's own tables first."""
    tables = sorted(catalogue.tables, key=lambda table: table.bundled)
    found = [one for table in tables for one in _table_examples(table, language)]
    drawing = (
        [say(language, "Show 5 random coordinates on the map", "マップにランダムな座標を5つ表示して")]
        if catalogue.room_names
        else []
    )
    more = [
        say(language, "Plot a sine wave", "サイン波を描いて"),
        say(language, "What datasets are there?", "データセットの一覧を見せて"),
    ]
    return [*found[: 3 - len(drawing)], *drawing, *more][:3]


def _table_examples(table: TableInfo, language: Language) -> list[str]:
    """A question with a group, if the table has a measure and a short list of values, and its statistics."""
    text = next(
        (c for c in table.columns if c.kind == "text" and 1 < len(c.values) <= 12 and not c.yes_no), None
    )
    number = next((c for c in table.columns if c.kind == "number" and not c.values and not c.is_id), None)
    asked = [say(language, f"Show basic statistics of {table.name}", f"{table.name}の基本統計を見せて")]
    if text and number:
        english = f"Average {number.name} by {text.name} in {table.name}"
        asked.insert(0, say(language, english, f"{table.name}の{text.name}ごとの{number.name}の平均"))
    return asked


def help_text(greeting: bool, catalogue: Catalogue, language: Language) -> str:
    """A short answer to a greeting or to "what can you do?"."""
    hello = say(language, "Hello! ", "こんにちは。") if greeting else ""
    what = say(
        language,
        "I answer questions about your tables with Python code (statistics, groups, filters, correlations, "
        "plots, CSV files) and draw on the floor map. Try:",
        "表データの質問にPythonコードで答え（統計、集計、絞り込み、相関、グラフ、CSV保存）、フロアマップに描画します。例えば:",
    )
    samples = [say(language, *sample) for tool, sample in SAMPLES.items() if tool in catalogue.tools]
    quoted = say(language, ", ", "、").join(say(language, f'"{one}"', f"「{one}」") for one in samples)
    errands = (
        say(language, f"\n\nErrands work, too: {quoted}.", f"\n\nこのような依頼もできます: {quoted}。")
        if samples
        else ""
    )
    return f"{hello}{what}\n{_bullets(examples(catalogue, language))}{errands}"


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def refusal_text(refusal: Refusal, catalogue: Catalogue, language: Language) -> str:
    """Why there is no answer, naming the words, and three things to try."""
    sentence = _sentence(refusal, language)
    if refusal.reason in _PLAIN:
        return sentence
    more = say(language, "Things to try:", "次のような質問を試してください:")
    return f"{sentence}\n\n{more}\n{_bullets(examples(catalogue, language))}"


def _sentence(refusal: Refusal, language: Language) -> str:
    if refusal.reason == "where_from":
        return ask_start(refusal, language)
    if refusal.reason not in _SENTENCES:
        return problem_text(refusal, language)
    words = say(language, ", ", "、").join(
        say(language, f"'{word}'", f"「{word}」") for word in refusal.words[:8]
    )
    if refusal.reason == "failed":
        words = "".join(refusal.words)
    choices = say(language, ", ", "、").join(refusal.choices[:_MOST])
    known = ""
    if refusal.choices and refusal.table:
        known = say(
            language,
            f" The columns of {refusal.table} are: {choices}.",
            f"{refusal.table}の列は {choices} です。",
        )
    return say(language, *_SENTENCES[refusal.reason]).format(
        words=words, choices=choices, table=refusal.table, known=known
    )


def list_tables(catalogue: Catalogue, language: Language) -> Cell:
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
    japanese = fstring(number, "個の表があります: ", Value("names"))
    cell.answer(
        japanese if language == "ja" else fstring("There are ", number, " tables: ", Value("names"), ".")
    )
    return cell
