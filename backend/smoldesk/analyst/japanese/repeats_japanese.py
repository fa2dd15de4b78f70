"""What comes again in a table, asked in Japanese: 重複している商品名, 重複を除いた行."""

import re
from collections.abc import Iterator

from smoldesk.analyst.intents import Operation
from smoldesk.analyst.japanese.looks_japanese import KEEP, KIND, kind_of
from smoldesk.analyst.words.look import Look

_DROPPED = re.compile(
    r"(?:重複|ダブり|だぶり|被り|かぶり)(?:して(?:い)?る)?(?:行|分|データ|レコード|もの|値)?(?:を|は"
    r"|が)?(?:除(?:いた|いて|く|外(?:した|して)?|去(?:した|して)?)|取り除(?:いた|いて|く)|削除(?:した"
    r"|して|する)?|"
    r"消(?:した|して)|なく(?:した|して)|省(?:いた|いて)|排除(?:した|して)?|のぞ(?:いた|いて)|まとめ(?:た"
    r"|て)|なし(?:で|の|に)?|無し(?:で|の|に)?|ない|無い)"
)
_REPEATED = re.compile(
    r"重複|(?:まったく|全く)?同じ(?:内容の)?(?=行|データ|レコード)|ダブ(?:り|って|る)|だぶ(?:り|って"
    r"|る)|被(?:り|って)|かぶ(?:り|って)|二重(?:登録|に(?:登録|入って))?|"
    r"(?:2回|二回|2度|二度|複数回|何度も|何回も|複数)(?:以上)?(?:、)?(?:出て(?:くる|きた|いる|きている|きます|います)|登場"
    r"|現れ|出現|登録さ?れ?|入って|載って|記録さ?れ?)"
)
_ONCE_ONLY = re.compile(
    r"(?P<of>.+?)(?:は|に|が)(?:すべて|全て|全部)?(?:ユニーク|一意)(?:ですか|か|なの|になって(?:い)?(?:る|ます)か?)?"
)
_SAME = re.compile(
    r"(?:(?P<of>[^はがの]+?)が(?:まったく|全く)?(?:同じ|一緒|共通)(?:の)?|同じ(?P<of2>[^はがの]+?)の)(?:行"
    r"|人|もの|データ|レコード|[^はがの]{1,4}?)"
    r"(?:は|が|って)?(?:ある|あります|いる|います|何(?:件|人|行|組)(?:ある|いる)?)?(?:か|の|ですか"
    r"|でしょうか)?(?:を?(?:教えて|見せて|探して|表示(?:して)?|調べて|出して))?(?:ください)?"
)
"""氏名が同じ人: whose value another row has, too."""
_FIGURES = re.compile(
    r"合計|平均|中央値|最大|最小|割合|比率|率|パーセント|%|グラフ|一番|最も|もっとも|推移|比べ|ランキング|いくら"
)
"""Asks for a figure, which no look gives."""
_TAIL = (
    r"(?:して|され)?(?:い)?(?:る|た|ます|ました)?|も|の|を|が|は|に|で|って|、|(?:あり|い)ます(?:か"
    r"|でしょうか)?|ある(?:か|の)?|いる|ない|ないか|ですか|でしょうか|か|です|"
    r"何(?:件|行|個|人|組|つ|種類)|いくつ|(?:件|個|行|人)?数|件数|どれ(?:くらい|ぐらい)?|だれ|誰|もの"
    r"|値|行|データ|レコード|表|テーブル|列|教えて|見せて|表示|調べて|確認|チェック|"
    r"探して|検出|出して|一覧|リスト|して|したい|ください|お願いします|し(?:て(?:い)?る|た|ている)"
    r"|どの|どんな|何か|なにか|全部|全て|すべて|いますか|登録|さ?れて(?:い)?る|れ|さ|て"
)
_PRE = (
    r"(?:表|データ|テーブル|行|レコード|どの|何か|全|中|列|値|この|その)(?:に|で|の|が|は|を|から)*"
    r"|の|に|で|が|は|を|から|から、|中|、|内|同じ"
)


def repeats_in_japanese(text: str) -> Iterator[Look]:
    """What comes again, or the rows without that: whole rows, or the values of the columns that are named."""
    if unique := _ONCE_ONLY.fullmatch(text):
        yield Look(
            "duplicates", "", "ユニーク", tuple(f"異なる{one}" for one in re.split("[と、]", unique["of"]))
        )
        return
    if _FIGURES.search(text):
        return
    if same := _SAME.fullmatch(text):
        yield Look("duplicates", "", "", (f"異なる{same['of'] or same['of2']}",))
        return
    dropped = _DROPPED.search(text)
    found = dropped or _REPEATED.search(text)
    if not found:
        return
    operation: Operation = (
        "deduplicate" if dropped and "ないか" not in text[dropped.start() :] else "duplicates"
    )
    kept = re.search(
        rf"(?:を|して)?、?(?:{KIND}(?:で|に|として)?)?{KEEP}$", text[found.end() :], re.IGNORECASE
    )
    after = text[found.end() :]
    after = after[: kept.start()] if kept else after
    ending = f"を{kind_of(kept['kind'])}で保存して" if kept else ""
    befores, afters = list(_stripped(text[: found.start()])), list(_stripped(after))
    if befores[-1] and afters[-1]:
        return
    rest = befores[-1] or afters[-1]
    if not kept:
        for named in dict.fromkeys(one for one in (*befores, *afters) if one):
            columns = tuple(f"異なる{one}" for one in re.split("[と、]|および", named) if one)
            yield Look(operation, "", "重複", columns, sure=True)
    yield Look(operation, f"{rest}の最初の5行{ending}" if rest else f"最初の5行{ending}", "重複", sure=True)


def _stripped(said: str) -> Iterator[str]:
    """What is named on one side of what was found, with fewer and fewer of the words of asking: 個数 may be a column."""
    before = None
    while said != before:
        yield said
        before = said
        said = re.sub(rf"(?:{_TAIL}|{_PRE})$", "", said)
        if said == before:
            said = re.sub(rf"^(?:{_TAIL}|{_PRE})(?![ぁ-んァ-ヶー])", "", said)
