"""What the analyst says it is about to do: one line for the person who watches."""

from smoldesk.analyst.errands.errand_words import deeds
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
from smoldesk.analyst.tables.figures import conditions, say


def thought(reading: Reading) -> str:
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
        case PlayRooms():
            return say(
                language,
                f"I compute the figure for each room and {intent.data.grain} from {intent.data.table} and play it on the map.",
                f"{intent.data.table}から部屋と時間ごとの値を計算し、マップで再生します。",
            )
        case Ways():
            return say(language, "I ask the plan of the building.", "建物の図面を調べます。")
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
        "tail": ("show its last rows", "最後の行を表示します"),
        "rows": ("show all of its rows", "すべての行を表示します"),
        "sample": ("show some of its rows at random", "無作為に選んだ行を表示します"),
        "duplicates": ("look for what comes again", "重複を調べます"),
        "deduplicate": ("leave out what comes again", "重複を除きます"),
        "types": ("look at the types of its columns", "列の型を調べます"),
        "memory": ("measure the memory it takes", "使うメモリを調べます"),
        "shape": ("look at its size", "大きさを調べます"),
        "missing": ("count its blank cells", "空白を数えます"),
        "distinct": ("count the different values", "値の種類を数えます"),
        "columns": ("list its columns", "列を一覧にします"),
        "correlation": ("compute the correlation", "相関を計算します"),
        "hist": ("look at the distribution", "分布を調べます"),
        "scatter": ("plot the two columns against each other", "2つの列の散布図を描きます"),
        "top": ("rank the rows", "順位を付けます"),
        "outliers": ("look for outliers", "外れ値を探します"),
        "mode": ("look for the most frequent value", "最頻値を調べます"),
        "difference": ("compute both figures and their difference", "両方の値とその差を計算します"),
        "normality": ("test for a normal distribution", "正規性を検定します"),
        "regression": ("fit a straight line", "回帰直線を求めます"),
        "pairs": ("plot the columns against each other", "列同士の散布図を描きます"),
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
