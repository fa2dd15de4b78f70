"""Looks at a table in Japanese: all of its rows, some at random, the last ones, a file, and the types of its columns.

Each is put into words of the grammar (現金の最初の5行), which says the conditions and the table.
"""

import re
from collections.abc import Iterator

from smoldesk.analyst.intents import ColumnSort
from smoldesk.analyst.words.look import Look

_COUNTER = r"(?:件|行|個|つ|人|名|本|冊|台|枚|匹|頭|羽|点|社|店|回|品|レコード|データ)"
_TABLE = r"(?:表|テーブル|データ(?:セット|フレーム)?|シート|ファイル)"
_ALL = r"(?:全部|全て|すべて|全体|丸ごと|まるごと|残らず|全件|全行|一通り|ぜんぶ)"
_SHOW = (
    r"(?:見せて|みせて|見たい|見る|表示(?:して|する)?|出して|教えて|一覧(?:で|に|を)?(?:して|見せて"
    r"|表示(?:して)?|出して)?|出力(?:して)?|並べて|確認(?:したい|して)?|ちょうだい|"
    r"お願い(?:します)?|列挙(?:して)?|プリント(?:して)?|開いて)(?:ください|下さい|ほしい|欲しい|もらえますか"
    r"|くれますか|くれる|くれませんか|もらえる|いただけますか)?(?:です)?"
)
_END = (
    r"(?:ください|下さい|ほしい|欲しい|もらえますか|くれますか|くれる|くれませんか|もらえる|いただけますか"
    r"|お願いします|おねがいします)?"
)
_ROWS = r"(?:行|件|レコード|データ|明細)"
_ALL_ROWS = re.compile(
    rf"(?:(?P<of>[^の、]+?)の)?(?:{_TABLE}(?:の(?:中身|内容))?(?:を|は)?、?{_ALL}(?:の)?(?:{_ROWS})?を?(?:{_SHOW})?"
    rf"|(?:全|{_ALL}の?){_ROWS}(?:を|は)?(?:{_ALL})?(?:{_SHOW})?|{_ALL}を?{_SHOW}|{_ALL}の{_TABLE}を?(?:{_SHOW})?"
    rf"|{_TABLE}(?:の(?:中身|内容|全体))?を?{_SHOW}"
    rf"|全件|全行|(?:中身|内容)を?{_ALL}?を?{_SHOW})"
)
KIND = r"(?P<kind>csv|excel|xlsx|エクセル|シーエスブイ)(?:ファイル|形式|シート)?"
KEEP = rf"(?:保存|出力|書き出し?|書き出|エクスポート|ダウンロード|変換|落とし|吐き出し)(?:して|したい|する|て|たい)?{_END}"
_SAVED = re.compile(
    rf"(?:(?P<of>[^の、]+?)の)?(?P<what>{_TABLE}(?:全体|{_ALL})?|全{_ROWS}|{_ALL}(?:の{_ROWS})?|全データ)(?:を"
    rf"|は)?(?:{_ALL})?(?:を)?、?(?:{KIND}(?:で|に|として|へ)?)?{KEEP}",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{KIND}(?:で|に|として|へ)?{KEEP}", re.IGNORECASE)
_CHANCE = r"(?:ランダム|無作為|適当|任意|でたらめ)(?:に|で|な|の)?(?:選んだ|抽出した|選ばれた|取り出した)?"
_PICK = (
    r"(?:を|だけ|ほど|くらい|ぐらい)*(?:抽出|選択|選んで|選び出して|選ぶ|えらんで|取り出して|抜き出して"
    r"|ピックアップ|サンプリング|取得|取って|表示|見せて|出して|ちょうだい|選出|抜いて)?"
    rf"(?:して|した)?{_END}"
)
_SAMPLE = re.compile(
    rf"(?P<before>.*?)(?:から|より|の中から|の中で|のうち|を|の|で|は)?、?(?:"
    rf"{_CHANCE}、?(?:サンプル|標本)?(?:を|として|抽出(?:で|して)?|サンプリング(?:で|して)?)?(?:、)?(?P<n>\d{{1,5}}){_COUNTER}(?:分)?(?:の(?:行"
    rf"|データ|サンプル))?"
    rf"|(?P<n2>\d{{1,5}}){_COUNTER}(?:の(?:行|データ))?(?:を|だけ|、)*{_CHANCE}|(?:{_CHANCE})?(?:サンプル"
    rf"|標本)(?:データ)?(?:を|で|として|、)*(?P<n3>\d{{1,5}}){_COUNTER}"
    rf"|(?P<n4>\d{{1,5}}){_COUNTER}(?:の|を|だけ)*(?:{_CHANCE})?(?:サンプル|サンプリング|標本)|{_CHANCE}(?:行"
    rf"|件|データ|サンプル|標本|いくつか|何件か|数件|少し|抽出|サンプリング)?"
    rf"|(?:サンプル|標本)(?:データ|抽出)?|サンプリング){_PICK}"
)
_SEED = re.compile(r"、?(?:乱数の)?(?:種|シード)(?:は|を|が|=)?(\d{1,9})(?:で|を使って|として)?、?")
_LAST = re.compile(
    rf"(?:最後|末尾|ラスト|最終|後ろ|うしろ|末|下|一番下|いちばん下|最下)(?:の|から)?(?P<n>\d{{1,5}})?(?P<c>{_COUNTER})(?!目)(?P<after>の(?:データ"
    rf"|行|レコード))?(?:分)?"
)
_FIRST_ONE = re.compile(r"(?:最初|先頭|一番上)の?(?:行|1行目)(?!数)")
_FIRST = re.compile(
    rf"(?:上から|頭から|はじめの|始めの|冒頭の?|頭の?)(?P<n>\d{{1,5}}){_COUNTER}(?!目)(?:分)?"
)
_ASKS_TYPE = (
    r"(?:は(?:何|なに|どう|どれ)?(?:ですか|でしょうか|になって(?:い)?(?:る|ます)か?)?|を?(?:教えて"
    r"|見せて|知りたい|表示(?:して)?|確認(?:したい|して)?|調べて|一覧(?:で|にして|表示)?|出して)?)"
)
_TYPES = re.compile(
    rf"(?:(?:(?:各|それぞれの|すべての|全ての|全部の|全)?(?:列|カラム|項目|変数|フィールド)(?:ごと"
    rf"|別)?(?:の(?:名前|一覧)?と?|名と|と|、)?)(?:の)?(?:データ|変数)?の?(?:型|タイプ|データ型|dtypes?)(?:情報"
    rf"|の一覧|一覧)?"
    rf"|(?P<of>[^は、]+?)の(?:データ)?(?:型|データタイプ|dtype)|データ(?:の)?型(?:の一覧|一覧)?|データタイプ"
    rf"|型(?:情報|の一覧|一覧)?|(?:テーブルの)?スキーマ|dtypes?)(?:の情報)?{_ASKS_TYPE}{_END}",
    re.IGNORECASE,
)
_TYPE_ASKED = re.compile(
    rf"(?:各|それぞれの)?(?:列|カラム|項目)は(?:それぞれ)?(?:どんな|どの|何の|なんの|何)(?:データ)?(?:型"
    rf"|タイプ)(?:か|ですか|になって(?:い)?(?:る|ます)か?)?(?:を?教えて)?{_END}"
)
_SORTS: dict[str, ColumnSort] = {
    "数値": "number", "数字": "number", "数": "number", "整数": "number", "量的": "number", "文字列": "text", "文字": "text",
    "テキスト": "text", "カテゴリ": "text", "カテゴリカル": "text", "日付": "date", "日時": "date", "日にち": "date",
    "時刻": "date",
    "真偽値": "yes or no", "ブール": "yes or no", "はい/いいえ": "yes or no", "論理": "yes or no",
}  # fmt: skip
_SORT = "|".join(sorted(map(re.escape, _SORTS), key=len, reverse=True))
_COLUMN = r"(?:列|カラム|項目|変数)"
_OF_SORT = re.compile(
    rf"(?:(?P<sort>{_SORT})(?:型|データ|変数)?(?:の|が入(?:って(?:い)?る|った))?{_COLUMN}(?:は|って"
    rf"|を|が|だけ)?(?:どれ|何|なに|いくつ|どの列|何列|何個)?(?:ある|あります|ありますか)?(?:ですか"
    rf"|でしょうか|か)?(?:を)?(?:{_SHOW})?"
    rf"|(?:どの|どんな|何の){_COLUMN}が(?P<sort2>{_SORT})(?:型)?(?:ですか|か|なの)?)"
)
_MEMORY = re.compile(
    rf"(?:(?:{_TABLE})の)?メモリ(?:ー)?(?:の)?(?:使用量|サイズ|消費量?|使用)?(?:は|を|って)?(?:どれ(?:くらい"
    rf"|ぐらい)|どのくらい|いくつ|何バイト|いくら)?(?:ですか|でしょうか)?(?:使って(?:い)?(?:る|ます)か?)?(?:{_SHOW})?"
)


def looks_in_japanese(text: str) -> Iterator[Look]:
    """The looks that a request may be, the likeliest first; it is tidy, without marks at its end."""
    if one := _OF_SORT.fullmatch(text):
        yield Look("types", "最初の5行", sort=_SORTS[one["sort"] or one["sort2"]])
    elif _TYPE_ASKED.fullmatch(text):
        yield Look("types", "最初の5行", "型", sure=True)
    elif _MEMORY.fullmatch(text):
        yield Look("memory", "最初の5行", "メモリ")
    elif one := _TYPES.fullmatch(text):
        if named := re.sub(r"^(?:各|この|その)?(?:列|カラム|項目|表|テーブル|データ)$", "", one["of"] or ""):
            yield Look("types", "", "型", tuple(f"異なる{each}" for each in re.split("[と、]", named)))
            yield Look("types", f"{named}の最初の5行", "型")
        else:
            yield Look("types", "最初の5行", "データ型", sure=True)
    if one := _ALL_ROWS.fullmatch(text):
        yield Look("rows", f"{one['of']}の最初の5行" if one["of"] else "最初の5行")
    if one := _BARE.fullmatch(text):
        yield Look("rows", f"最初の5行を{kind_of(one['kind'])}で保存して", bare=True)
    elif one := _SAVED.fullmatch(text):
        of = f"{one['of']}の" if one["of"] else ""
        yield Look("rows", f"{of}最初の5行を{kind_of(one['kind'])}で保存して")
    yield from _samples(text)
    if one := _LAST.search(text):
        limit = int(one["n"] or 0) or (1 if one["c"] in ("行", "件", "レコード", "データ") else 0)
        if limit:
            yield Look(
                "tail", f"{text[: one.start()]}最後の{limit}行{text[one.end() :]}", limit=limit, ends="tail"
            )
    if one := _FIRST_ONE.search(text):
        yield Look("head", f"{text[: one.start()]}最初の1行{text[one.end() :]}", limit=1)
    if one := _FIRST.search(text):
        limit = int(one["n"])
        yield Look("head", f"{text[: one.start()]}最初の{limit}行{text[one.end() :]}", limit=limit)


def kind_of(said: str | None) -> str:
    """What a file is called in the words of the grammar."""
    return "エクセル" if (said or "").casefold() in ("excel", "xlsx", "エクセル") else "CSV"


def _samples(text: str) -> Iterator[Look]:
    """現金の注文からランダムに3件: without the words of chance they are the first ones."""
    kept = re.search(rf"(?:を|して)?、?(?:{KIND}(?:で|に|として)?)?{KEEP}$", text, re.IGNORECASE)
    seeded = _SEED.search(text)
    plain = text[: kept.start()] if kept else _SEED.sub("", text)
    one = _SAMPLE.fullmatch(plain)
    if not one or "%" in text or "割合" in text:
        return
    said = next((one[name] for name in ("n", "n2", "n3", "n4") if one[name]), "")
    before = re.sub(rf"^(?:この|その)?{_TABLE}(?:全体)?$|^(?:全体|{_ALL})$", "", one["before"]).removesuffix(
        "の"
    )
    word = next((each for each in ("ランダム", "無作為", "サンプル") if each in text), "")
    limit = int(said or 5)
    rows = f"{before}の最初の{limit}行" if before else f"最初の{limit}行"
    if kept:
        rows += f"を{kind_of(kept['kind'])}で保存して"
    yield Look("sample", rows, word, limit=limit, seed=int(seeded[1]) if seeded else 0, sure=bool(said))
