"""How many rows each thing has, asked in Japanese: 2回以上購入した顧客, 担当者ごとの平均件数, リピーター."""

import re
from collections.abc import Iterator
from typing import Literal

from smoldesk.analyst.intents import Aggregate, Comparison, PerThing
from smoldesk.analyst.words.numbered import Numbered

_KANJI = "一二三四五六七八九十"
_SIGNS: dict[str, Comparison] = {
    "以上": ">=", "以下": "<=", "未満": "<", "より多く": ">", "より多い": ">", "を超える": ">", "を超えて": ">",
    "超": ">", "超の": ">",
    "より少ない": "<", "より少なく": "<", "までしか": "<=", "しか": "==",
    "だけ": "==", "のみ": "==", "ちょうど": "==", "ぴったり": "==", "": "==",
}  # fmt: skip
_COUNTER = "(?:回|件|個|度|点|つ|本|冊|枚|台|匹|羽|杯|コマ|食|着|便|泊|人|名|社|種類|科目|品目?|行)"
_SIGN = "|".join(sorted(filter(None, _SIGNS), key=len, reverse=True))
_COND = (
    rf"(?:(?P<n>\d{{1,6}}|[{_KANJI}])(?P<counter>{_COUNTER})(?P<sign>{_SIGN}|)(?:も|は|、)?"
    r"|(?P<many>複数(?:回|件|個|の)?|何(?:度|回|件|個)も)(?:以上)?、?)"
)
_THING = (
    r"(?P<thing>お客(?:さん|さま|様)?|[一-龥々ァ-ヶーA-Za-z][一-龥々ァ-ヶーA-Za-z・/]*|人|方|もの|やつ|の)"
)
_ASKS = (
    r"(?P<asked>(?:の|は|が|を|って|、|だけ|全員|すべて|全て|全部|名前|氏名|名|数|人数|件数|割合|比率|一覧|リスト|何人|何名|何社|何種類|何店舗|何品目?|何つ|何件"
    r"|いくつ|どれくらい|どのくらい|誰|だれ|どれ|どこ|どの人|何|全体|中|いる|います|いました|いた|ある|あります|でした|です|でしょう|ですか|か|なの|の"
    r"|教えて|見せて|出して|表示して|表示|抽出して|抽出|挙げて|あげて|リストアップして|並べて|知りたい|調べて|数えて|絞って|ください|下さい|ほしい|欲しい|お願い(?:します)?|して)*)"
)
_VERB = (
    r"(?P<verb>(?!を超|以[上下]|未満|より|超|だけ|のみ|しか)[一-龥々ァ-ヶーぁ-ん]{1,12}?"
    r"(?:た|だ|てい?る|てい?ない|てない|でい?る|なかった|ない|る|ます|れた))"
)
_DONE = re.compile(
    rf"(?P<of>.*?(?:のうち|の中で|のなかで|の中から)、?)?(?P<pre>.*?)、?{_COND}{_VERB}{_THING}{_ASKS}"
)
_HAVE = re.compile(
    rf"(?P<of>.*?(?:のうち|の中で|のなかで|の中から)、?)?(?P<pre>[^がはを]*?)(?:が|は|の|を|も)?{_COND}"
    rf"(?P<have>(?:の|ある|いる|あった|いた|だった|である|もある|ない|なかった|持つ|持っている|な|あり(?:の)?)*){_THING}{_ASKS}"
)
_REPEAT = re.compile(
    rf"(?P<pre>.*?の)?(?:(?P<word>リピーター|リピート(?:の)?(?:客|顧客|ユーザー|会員|患者|利用者)|再来(?:客|患者)|常連客?)"
    rf"|(?:リピート|再)(?P<again>購入|注文|来店|来院|利用|予約|受診|訪問|申込)(?:した|している|してる|の){_THING}){_ASKS}"
)
_FIGURES: dict[str, Aggregate] = {"平均": "mean", "中央値": "median", "最大": "max", "最小": "min"}
_EACH = r"(?:1|一|ひと)?(?:人|名|社|店舗|店|つ|件|本|台|教室|日|か月|ヶ月|月)?(?:ごと|毎|別|あたり|当たり|につき|当り)"
_NOUN = "(?:[一-龥々ァ-ヶー]|問い合わせ|申し込み|貸し出し|お)*?"
_FIGURE = re.compile(
    rf"(?P<pre>.+?(?:における|での|の))??(?P<thing>お?[一-龥々ァ-ヶーA-Za-z]+?){_EACH}(?:の|に|、|で)*"
    rf"(?:(?P<figure>{'|'.join(_FIGURES)})(?:の|で|して)?(?P<noun>{_NOUN})(?:件数|回数|行数|数|何[件回])"
    rf"|(?P<noun2>{_NOUN})(?:件数|回数|行数|数)(?:の|は)(?P<figure2>{'|'.join(_FIGURES)})){_ASKS}"
)
_HOW_MANY = re.compile(
    r"(?:平均(?:で|して|的に)?、?)?(?:(?:1|一)(?:人|名|社|つ)の)?(?P<thing>[一-龥々ァ-ヶーA-Za-z]+?)(?:1人|一人)?(?:あたり)?(?:は|って|で)?、?"
    r"(?P<avg>平均(?:で|して|すると|的に)?)(?P<noun>[一-龥々ァ-ヶー]*?)(?:を|が)?何(?:件|回|つ|個)(?:くらい|ぐらい|ほど)?(?:の)?(?P<noun2>[一-龥々ァ-ヶー]*?)(?:を|が)?"
    r"(?P<verb>[一-龥ぁ-ん]*?)(?:ます|ました|いる|る|た)?(?:の|か|ですか|でしょうか)*"
)
_WHICH = re.compile("のは(?:どの|何という)([一-龥々ァ-ヶー]+)(?:です|でしょう)?か?$")
"""5件以上担当したのはどの講師か: the same as 5件以上担当した講師."""
_PEOPLE = ("顧客", "お客様", "会員", "利用者", "患者", "客", "ユーザー", "申込者", "購入者", "氏名", "名前")
_OCCURS = re.compile("出て|登場|現れ|出現|登録|入って|載って|記録")
_TIMES = ("回", "件", "度", "行")
"""Counters of rows."""
_KINDS = ("つ", "人", "名", "社", "種類", "科目", "品目", "品")
"""Counters of different things: 会員が3人以上いる教室."""
_LONGEST = 80
"""A longer request asks for more than this."""
_ANYONE = ("人", "方", "もの", "やつ", "の")
_USUAL = re.compile(
    r"^(?:購入|注文|申し?込|予約|利用|買|使|借り|受講|参加|担当|売れ|出|対応|問い?合わ?せ|受診|診察|通|来|来店|来院|来場|来館|発注|受注|依頼"
    r"|登録|登場|出現|現れ|行|取引|処理|配達|納品|出荷|釣|捕|記録|発生|受け|あ|い|され|開催|実施|宿泊|泊|訪|乗|頼|観測|対応|応募|寄付|訪問|支払|払|貸|契約|提出|作|見|相談|起票|販売|測定|検査)"
)


def numbers_in_japanese(text: str) -> Iterator[Numbered]:
    """Those things that have so many rows, or the average number of rows that one has."""
    if len(text) > _LONGEST:
        return
    text = _WHICH.sub(r"\1", text)
    if again := _REPEAT.fullmatch(text):
        word, thing = again["word"] or "", again["thing"] or ""
        things = (
            _of(thing) if thing else tuple(f"{one}{name}は何種類" for one in _PEOPLE for name in ("", "名"))
        )
        rows = f"{again['pre'] or ''}件数"
        yield Numbered(things, (rows,), PerThing(">=", 2, asked=_asked(again)), word=word)
        return
    for form in (_DONE, _HAVE):
        if said := form.fullmatch(text):
            yield from _those(said)
    for form in (_FIGURE, _HOW_MANY):
        if said := form.fullmatch(text):
            yield from _figure(said)


def _those(said: re.Match[str]) -> Iterator[Numbered]:
    """Things with so many rows: 4月に緑茶を2回以上購入した顧客, カード払いが3回以上の顧客."""
    parts = said.groupdict()
    if said["n"] and (said["counter"] not in _TIMES and (parts.get("verb") or said["counter"] not in _KINDS)):
        return
    verb, have, thing = parts.get("verb") or "", parts.get("have") or "", said["thing"]
    denied = "ない" in verb + have or "なかった" in verb + have
    sign = said["sign"] or ""
    if denied != sign.endswith("しか"):
        return
    if said["many"]:
        per = PerThing(">=", 2, asked=_asked(said))
    else:
        number = int(said["n"]) if said["n"].isdigit() else _KANJI.index(said["n"]) + 1
        per = PerThing(_SIGNS[sign], number, asked=_asked(said))
    of = re.sub("(?:のうち|の中で|のなかで|の中から)、?$", "", said["of"] or "")
    if of and thing not in _ANYONE:
        return
    thing = "人" if thing == "の" and re.search("誰|だれ|何人|何名", said["asked"]) else thing
    things = _of(of or thing)
    pre = said["pre"]
    if not verb:
        if not pre and not have:
            return
        rows = (f"{_noun(pre)}は何件",) if pre else ("件数",)
        kinds = said["n"] is not None and said["counter"] in _KINDS
        yield Numbered(things, rows, per, measure=pre, kinds=kinds)
        return
    if not pre and per.comparison == ">=" and per.number == 2 and _OCCURS.match(verb):
        return  # what comes again in a column
    rows = f"{_tied(pre)}の件数" if pre else "件数"
    done = re.sub("(?:てい?ない|てない|てい?なかった)$", "た", verb) if denied else verb
    usual = bool(_USUAL.match(verb))
    yield Numbered(
        things, (rows,), per, (f"{pre}{done}のは何件",), verb, usual, measure=pre.rstrip("がはをも")
    )


def _figure(said: re.Match[str]) -> Iterator[Numbered]:
    """The average number of rows: 担当者1人あたりの平均注文件数, 顧客は平均何回注文しているか."""
    parts = said.groupdict()
    noun, figure = (
        parts.get("noun") or parts.get("noun2") or "",
        parts.get("figure") or parts.get("figure2") or "平均",
    )
    rows = f"{parts.get('pre') or ''}{noun}は何件" if noun else f"{parts.get('pre') or ''}件数"
    verb = parts.get("verb") or ""
    usual = not verb or bool(_USUAL.match(verb)) or verb in ("し", "して", "され", "されて")
    thing = re.sub("(?:1|一)人の?$", "", said["thing"])
    things = _of(thing)
    yield Numbered(
        things,
        (rows,),
        PerThing(figure=_FIGURES[figure]),
        verb=verb,
        usual=usual,
        late="件" not in said[0] and "回" not in said[0],
    )


def _of(thing: str) -> tuple[str, ...]:
    """Requests for the different things; 人 are those who do it."""
    if thing in ("人", "方"):
        return tuple(f"{one}{name}は何種類" for one in _PEOPLE for name in ("", "名"))
    return (f"{thing}は何種類", f"{thing}名は何種類", f"{thing}ごとの件数", f"{thing}別の件数")


def _noun(said: str) -> str:
    """What is counted without its own word for counting: 注文件数, 購入回数."""
    return said if said in ("件数", "回数") else re.sub("(?:件数|回数)$", "", said)


def _tied(said: str) -> str:
    """4月に緑茶を as conditions of rows: 4月の緑茶."""
    return (
        re.sub("(?:に|で|を|から|が|は)、?(?=$|[一-龥ァ-ヶーA-Za-z0-9])", "の", said)
        .strip("の、")
        .replace("のの", "の")
    )


def _asked(said: re.Match[str]) -> Literal["names", "share"]:
    return "share" if re.search("割合|比率|何%|何パーセント", said["asked"] or "") else "names"
