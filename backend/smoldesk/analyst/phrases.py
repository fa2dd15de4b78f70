"""What the analyst says when it does not compute: what it can do, or why it declines and what to try."""

from smoldesk.analyst.building.selected_rooms import no_selection
from smoldesk.analyst.building.write_ways import ask_start
from smoldesk.analyst.errands.errand_questions import SAMPLES, problem_text
from smoldesk.analyst.intents import Help, Language, Refusal
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.tables.figures import say

_MOST = 20
_WITHOUT_EXAMPLES = (
    "failed", "incomplete", "each_or_shared", "no_currency", "one_by_one", "errand_words", "later", "which_value",
    "where_from", "no_selection",
)  # fmt: skip


def examples(catalogue: Catalogue, language: Language) -> list[str]:
    """Three requests that work with this catalogue, the chat's own tables first."""
    tables = sorted(catalogue.tables, key=lambda table: table.bundled)
    found = [one for table in tables for one in _table_examples(table, language)]
    rooms = catalogue.rooms.get(catalogue.current_floor, []) or [
        room for rooms in catalogue.rooms.values() for room in rooms
    ]
    drawing = (
        [say(language, "Show 5 random coordinates on the map", "マップにランダムな座標を5つ表示して")]
        if rooms  # none is named: the desk highlights the rooms that an answer names
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
    number = next((c for c in table.columns if c.kind == "number" and not c.values), None)
    asked = [
        say(language, f"Show basic statistics of {table.name}", f"{table.name}の基本統計を見せて"),
    ]
    if text and number:
        cut = say(
            language,
            f"Average {number.name} by {text.name} in {table.name}",
            f"{table.name}の{text.name}ごとの{number.name}の平均",
        )
        asked.insert(0, cut)
    return asked


def help_text(intent: Help, catalogue: Catalogue, language: Language) -> str:
    """A short answer to a greeting or to "what can you do?"."""
    hello = say(language, "Hello! ", "こんにちは。") if intent.greeting else ""
    what = say(
        language,
        "I answer questions about your tables with Python code (statistics, groups, filters, correlations, "
        "plots, CSV files) and draw on the floor map. Try:",
        "表データの質問にPythonコードで答え（統計、集計、絞り込み、相関、グラフ、CSV保存）、フロアマップに描画します。例えば:",
    )
    return f"{hello}{what}\n{_bullets(examples(catalogue, language))}{_errands(catalogue, language)}"


def _errands(catalogue: Catalogue, language: Language) -> str:
    """What else can be asked for with the agent's tools, by example; empty without them."""
    samples = [say(language, *sample) for tool, sample in SAMPLES.items() if tool in catalogue.tools]
    if not samples:
        return ""
    if language == "ja":
        return f"\n\nこのような依頼もできます: {'、'.join(f'「{one}」' for one in samples)}。"
    quoted = ", ".join(f'"{one}"' for one in samples)
    return f"\n\nErrands work, too: {quoted}."


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def refusal_text(refusal: Refusal, catalogue: Catalogue, language: Language) -> str:
    """Why there is no answer, naming the words, and three things to try."""
    sentence = _reason(refusal, language)
    if refusal.reason in _WITHOUT_EXAMPLES:
        return sentence
    more = say(language, "Things to try:", "次のような質問を試してください:")
    return f"{sentence}\n\n{more}\n{_bullets(examples(catalogue, language))}"


def _reason(refusal: Refusal, language: Language) -> str:
    words = _quoted(refusal.words, language)
    choices = say(language, ", ", "、").join(refusal.choices[:_MOST])
    table = refusal.table
    match refusal.reason:
        case "unknown":
            known = ""
            if refusal.choices:
                known = say(
                    language, f" The columns of {table} are: {choices}.", f"{table}の列は {choices} です。"
                )
            return say(
                language,
                f"I do not know {_noun(refusal.words)} {words}, so I would rather not guess.{known}",
                f"{words} が分かりません。推測では答えません。{known}",
            )
        case "beyond":
            return say(
                language,
                f"I cannot answer that ({words}): I compute from the tables here and do not know reasons, "
                "the future or the world outside. To ask such things, connect a language model "
                "(setting SMOLDESK_MODEL).",
                f"その質問（{words}）には答えられません。ここにある表から計算するだけで、理由や将来、外の情報は分かりません。"
                "言語モデルを接続すると聞けます（設定 SMOLDESK_MODEL）。",
            )
        case "no_dataset":
            return say(
                language,
                f"There is no dataset {words}; there are: {choices}.",
                f"{words} というデータはありません。あるのは {choices} です。",
            )
        case "no_column":
            return say(
                language,
                f"There is no {words} in {table}; its columns are: {choices}.",
                f"{table}に {words} はありません。列は {choices} です。",
            )
        case "no_room":
            return say(
                language,
                f"There is no room {words}; there are: {choices}.",
                f"{words} という部屋はありません。部屋は {choices} です。",
            )
        case "no_floor":
            return say(
                language,
                f"There is no floor {words}; there are: {choices}.",
                f"{words} という階はありません。階は {choices} です。",
            )
        case "no_value":
            return say(
                language,
                f"There is no {words} in {table}; there are: {choices}.",
                f"{table}に {words} はありません。あるのは {choices} です。",
            )
        case "which_way":
            return say(
                language,
                "Which way should the arrow point: up, down, left or right?",
                "矢印の向きはどれですか: 上、下、左、右",
            )
        case "no_icon":
            return say(
                language,
                f"There is no icon {words}; there are: {choices}.",
                f"{words} というアイコンはありません。あるのは {choices} です。",
            )
        case "which_table":
            return say(language, f"Which table do you mean: {choices}?", f"どの表のことですか: {choices}")
        case "which_column":
            about = say(language, f" ({words})", f"（{words}）") if words else ""
            return say(
                language,
                f"Which column of {table} do you mean{about}? Possible: {choices}.",
                f"{table}のどの列ですか{about}。候補: {choices}",
            )
        case "which_value":
            return say(
                language,
                f"Which of {table} do you mean by {words}? Possible: {choices}.",
                f"{words} は{table}のどれですか。候補: {choices}",
            )
        case "which_rooms":
            return say(
                language,
                f"In which room? Floor {table} has: {choices}.",
                f"どの部屋ですか。{table}の部屋は {choices} です。",
            )
        case "not_a_number":
            return say(
                language,
                f"{words} of {table} is not a number, so there is no such figure. Number columns: {choices}.",
                f"{table}の {words} は数値ではないため計算できません。数値の列は {choices} です。",
            )
        case "two_numbers":
            return say(
                language,
                f"That needs two number columns of {table}: {choices}.",
                f"{table}の数値の列が2つ必要です: {choices}",
            )
        case "no_key":
            return say(
                language,
                f"I see no column by which {words} belong together. Which columns hold the same values? {choices}.",
                f"{words} を結び付ける列が見つかりません。同じ値を持つ列はどれですか。候補: {choices}",
            )
        case "two_groups":
            return say(
                language,
                f"A difference needs two groups of {table}, or two of its number columns. Which do you mean? "
                f"There are: {choices}.",
                f"差を計算するには{table}の2つのグループか2つの数値の列が必要です。どれですか。候補: {choices}",
            )
        case "no_date":
            return say(language, f"{table} has no date column.", f"{table}には日付の列がありません。")
        case "no_tables":
            return say(
                language,
                "There is no table here yet. Upload a CSV file first.",
                "まだ表がありません。CSVファイルをアップロードしてください。",
            )
        case "broken_file":
            return say(
                language,
                f"No table could be read from {words}. {choices}",
                f"{words} から表を読み取れませんでした。{choices}",
            )
        case "nothing_to_save":
            return say(language, "There is no result to save yet.", "保存する結果がまだありません。")
        case "not_saved":
            return say(
                language,
                "I can save rows, groups and averages as CSV, but not this kind of result.",
                "行や集計結果はCSVに保存できますが、この種類の結果は保存できません。",
            )
        case "too_much":
            return say(
                language,
                f"I did not see what to do with {words} in this question.",
                f"この質問の {words} をどう扱えばよいか分かりませんでした。",
            )
        case "failed":
            return say(
                language,
                f"My code failed and I have no answer: {words}",
                f"コードの実行に失敗したため、答えがありません: {words}",
            )
        case "where_from":
            return ask_start(refusal, language)
        case "no_selection":
            return no_selection(language)
        case "incomplete" | "each_or_shared" | "no_currency" | "one_by_one" | "errand_words" | "later":
            return problem_text(refusal, language)
        case "nothing":
            return say(
                language,
                "I did not understand what to compute or draw.",
                "何を計算・表示すればよいか分かりませんでした。",
            )


def _quoted(words: tuple[str, ...], language: Language) -> str:
    if language == "ja":
        return "、".join(f"「{word}」" for word in words[:8])
    return ", ".join(f"'{word}'" for word in words[:8])


def _noun(words: tuple[str, ...]) -> str:
    return "the word" if len(words) == 1 else "the words"
