"""Payments in Japanese: one or more `who に how much`, and the verb they share at the end.

People and purposes are found as stretches of text first and checked afterwards: a pattern with names inside
names would take exponential time on hostile text.
"""

import re
from collections.abc import Callable

from smoldesk.analyst.intents import Errand, Payment, Refusal
from smoldesk.analyst.words.money import MONEY, NUMBER, read_money

Read = tuple[list[Errand], Refusal | None, int]
"""Errands, what is unclear instead, and where reading ended: where it began when nothing was read."""
IsData = Callable[[str], bool]

TAIL = (
    r"(?:ください|下さい|ちょうだい|頂戴|くれ(?:る|ます|ません|ない)?|もらえ(?:る|ます|ません)|いただけ(?:る|ます|ません)|いい"
    r"|ほしい|欲しい|おいて|みて|です|か|の|な|ね|よ|[!?。])*"
)
"""What makes a verb in て-form a request."""
LATER = "明日|明後日|昨日|来週|来月|来年|毎日|毎週|毎月|後で|あとで|今夜|今度|週末"
_LATER = re.compile(LATER)

_NAME = re.compile(
    r"(?:お|ご)?(?:[一-龠々]{1,6}の)?"
    r"(?:「[^」]+」|(?:株式会社|有限会社)?(?:[ァ-ヴー・]+|[A-Za-z][A-Za-z0-9@._'&-]*(?: [A-Za-z][A-Za-z0-9@._'&-]*){0,3}"
    r"|[一-龠々ヶ]{1,8}|[ぁ-ん]{2,8}))(?:さん|様|さま|君|くん|ちゃん|先生|氏)?"
)
_AND = re.compile(r"と|や|・|&|および")
_NOBODY_WORDS = "誰か 彼 彼女 みんな みなさん 全員 皆 皆さん それ これ 私 僕 どこ"
_NOBODY = frozenset(_NOBODY_WORDS.split())

_PEOPLE = r"[^、。!?\d]{1,60}?"
_TO = r"(?:に対して|宛てに|宛に|あてに|に|へ)"
_PURPOSE = (
    r"(?:[^、。に\d]{1,20}?(?:代金?|料金?|費用?|会費|分|謝礼|お礼|お祝い)(?:として|で|の|を)?"
    r"|[^、。に\d]{1,20}?として)、?"
)
_PAYS = (
    r"[のを]?(?:(?:支払う|払う|送る|送金する)|(?:支払い|払い|送り|振り込み|渡し|送金し)たい(?:です|のですが|んですが)?"
    r"|(?:支払|払|送)(?:って|い(?=[、。]))|送り(?=[、。])|渡し(?:て|(?=[、。]))|あげて|振り込んで|振込んで"
    r"|(?:お?支払い?|送金|振り?込み?|入金|決済)を?(?:して|し(?=[、。])|お願い(?:します|できますか|できる)?|頼む|頼みます)?)"
)
_PAYING = re.compile(_PAYS + TAIL)
_PAIR = re.compile(
    rf"(?P<for1>{_PURPOSE})?(?P<whom>{_PEOPLE})(?:{_TO}|への)、?(?P<every>それぞれ、?)?(?P<for2>{_PURPOSE})?(?P<sum>{MONEY})(?P<each>ずつ)?を?"
    rf"(?P<for3>{_PURPOSE}(?={_PAYS}))?"
)
_TURNED = re.compile(
    rf"(?P<for1>{_PURPOSE})?(?P<sum>{MONEY})(?P<each>ずつ)?[を、]?(?P<whom>{_PEOPLE}){_TO}(?P<for2>{_PURPOSE})?"
    rf"(?P<for3>(?={_PAYS}|、|と|そして))"
)
_BETWEEN = re.compile(r"(?:[、,]|と|そして|および|及び|それから|あと)+")
_LACKS = re.compile(
    rf"(?:(?P<whom>{_PEOPLE}){_TO}、?)?(?P<money>お金を?)?(?:(?P<sum>{MONEY})を?|(?P<number>{NUMBER})を?)?"
    rf"(?P<verb>{_PAYS}){TAIL}"
)


def read_payments(text: str, at: int, is_data: IsData) -> Read:
    """The payments that stand here, with their verb."""
    start, pairs = at, list[re.Match[str]]()
    while pair := _PAIR.match(text, at) or _TURNED.match(text, at):
        pairs.append(pair)
        at = pair.end()
        between = _BETWEEN.match(text, at)
        if between is None or _PAYING.match(text, at):
            break
        at = between.end()
    verb = _PAYING.match(text, at)
    if not pairs or verb is None:
        return _unclear(text, start, is_data)
    paid: list[Errand] = []
    for pair in pairs:
        read = _pair(pair)
        if read is None:
            return [], None, start
        if isinstance(read, Refusal):
            return [], read, verb.end()
        paid += read
    return paid, None, verb.end()


def _pair(pair: re.Match[str]) -> list[Payment] | Refusal | None:
    money, names = read_money(pair["sum"]), _names(pair["whom"])
    if money is None or names is None:
        return None
    known = (money.spelled(),)
    if wrong := [match[0] for name in names if (match := _LATER.match(name))]:
        return Refusal("errand_words", tuple(wrong), known)
    if any(name in _NOBODY for name in names):
        return Refusal("incomplete", ("recipient",), known)
    if len(names) > 1 and not (pair["each"] or pair.groupdict().get("every")):
        return Refusal("each_or_shared", tuple(names), known)
    what = re.sub(r"(?:として|で|の|を)?、?$", "", pair["for1"] or pair["for2"] or pair["for3"] or "")
    return [Payment(name, money.amount, money.currency, what) for name in names]


def _names(text: str) -> list[str] | None:
    """The people of a stretch of text; None when it is more than names."""
    for names in ([text], _AND.split(text)):
        if all(_NAME.fullmatch(name) for name in names):
            return [name.strip("「」") for name in names]
    return None


def _unclear(text: str, at: int, is_data: IsData) -> Read:
    """A payment that lacks something, and says so by a verb that asks: 払って, not 払った."""
    match = _LACKS.match(text, at)
    if match is None or not re.search(r"て|たい|願|頼|金", match["verb"]):
        return [], None, at
    names = _names(match["whom"]) if match["whom"] else []
    if names is None or any(is_data(name) or _LATER.match(name) for name in names):
        return [], None, at
    whom = "" if any(name in _NOBODY for name in names) else match["whom"] or ""
    lacks = [] if whom else ["recipient"]
    if not match["sum"]:
        lacks += ["currency"] if match["number"] else ["amount", "currency"]
    bare = match["money"] or match.start("verb") == at
    if not lacks or not (match["whom"] or match["sum"] or bare):
        return [], None, at
    known = tuple(part for part in (whom, match["sum"] or match["number"]) if part)
    return [], Refusal("incomplete", tuple(lacks), known), match.end()
