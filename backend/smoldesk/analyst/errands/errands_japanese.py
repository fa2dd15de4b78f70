"""Errands in Japanese: someone is paid, 現在地, the BGM, 天気. A request is read from left to right, clause by clause.

Japanese parts clauses by its verb forms (払って、…), so each clause is matched where the one before it ended.
"""

import re

from smoldesk.analyst.errands.payments_japanese import (
    LATER,
    TAIL,
    IsData,
    Read,
    read_payments,
)
from smoldesk.analyst.intents import (
    Errand,
    Music,
    Refusal,
    Weather,
    Whereabouts,
)
from smoldesk.analyst.words.money import read_number

_GAP = re.compile(r"(?<=[^\x00-\x7f]) | (?=[^\x00-\x7f])")
_HELLO = re.compile(r"^(?:(?:こんにちは|すみません|あの|ねえ|では|じゃあ|次に|まず)[、。! ]*)*")
_JOINT = re.compile(r"(?:[、。,!? ]|そして|それから|それと|あと|また|ついでに|次に|で|と|し)*")
_PLEASE = rf"(?:教えて|知りたい|調べて|取得して|確認して|見せて|表示して|特定して|お願い(?:します)?){TAIL}"

_ME = r"(?:私|僕|俺|わたし|ぼく|自分|我々|私たち)"
_WHERE = re.compile(
    rf"(?:(?:{_ME}(?:は|って)?、?)?(?:今|いま|現在)、?(?:{_ME}は?)?|{_ME}(?:は|って)|ここは?)"
    rf"どこ(?:に)?(?:いる|います|でしょう|だ|なの)*{TAIL}(?:{_PLEASE})?"
    rf"|(?:(?:今|現在|{_ME})の)*(?:現在地|現在位置|位置情報|居場所|(?:今|現在)(?:いる|居る|の)場所)(?:は|を|も|って)?(?:どこ)?"
    rf"(?:{_PLEASE}|{TAIL})"
)

_BGM = r"(?:BGM|音楽|ミュージック|バックミュージック|背景音楽)"
_SONG = rf"(?:{_BGM}|トラック|曲|ナンバー)"
_TRACK = r"(?:-?\d+|[一二三四五六七八九])"
_COUNTED = r"(?:番目|番|曲目|つ目)?"
_PLAYS = r"(?:変えて|変更して?|切り?替えて|きりかえて|して|セットして|設定して|再生して?|流して|ながして|かけて|鳴らして)"
_SETS = [
    re.compile(rf"(?:{_BGM}[をはの]?)?{form}(?:を|に|へ)?{_PLAYS}{TAIL}", re.I)
    for form in (
        rf"{_SONG}(?:番号)?の?(?:No\.? ?|#)?(?P<track>{_TRACK}){_COUNTED}",
        rf"(?P<track>{_TRACK}){_COUNTED}の?{_SONG}",
    )
] + [re.compile(rf"{_BGM}[をは](?P<track>{_TRACK}){_COUNTED}(?:に|へ){_PLAYS}{TAIL}", re.I)]
_STOP = re.compile(
    rf"{_SONG}[をは]?(?:一旦|いったん|もう)?(?:止めて|とめて|停止(?:して)?|消して|オフ(?:にして)?|OFF(?:にして)?|切って"
    rf"|ストップ(?:して)?|やめて|ミュート(?:して)?){TAIL}",
    re.I,
)
_SOME_MUSIC = re.compile(rf"{_BGM}[をに]?(?:何か)?{_PLAYS}{TAIL}", re.I)

_TODAY = r"(?:今|いま|現在|今日|本日)"
_WEATHER = re.compile(
    rf"(?:(?:{_TODAY}|(?P<later>{LATER}))の)?(?P<cities>.{{1,80}}?)??の?(?:{_TODAY}の)?(?:天気|天候|空模様)"
    rf"(?:は|を|も|って)?、?(?:今)?(?:どう|何|どんな感じ)?(?:でしょう|だ|なの|なって(?:る|いる|います))*(?:{_PLEASE}|{TAIL})"
)
_CITY = re.compile(
    r"[ァ-ヴー・]+|[A-Za-z][A-Za-z.'-]*(?: [A-Za-z][A-Za-z.'-]*)*|[一-龠々ヶ]{1,8}|[ぁ-ん]{2,8}|「[^」]+」"
)
_AND = re.compile(r"と|や|、|&")


def read_japanese(text: str, is_data: IsData) -> tuple[list[Errand], Refusal | None, str]:
    """The errands from the start of a text, what is unclear of the next one, and the rest that is none."""
    text = _HELLO.sub("", _GAP.sub("", text))
    errands: list[Errand] = []
    at = 0
    while at < len(text):
        for read in (read_payments, _where, _music, _weather):
            found, problem, end = read(text, at, is_data)
            if end > at:
                break
        else:
            return errands, None, text[at:]
        if problem:
            return errands, problem, text[end:].strip("。!? ")
        errands += found
        joint = _JOINT.match(text, end)
        at = joint.end() if joint else end
    return errands, None, ""


def _where(text: str, at: int, is_data: IsData) -> Read:
    match = _WHERE.match(text, at)
    return ([Whereabouts()], None, match.end()) if match else ([], None, at)


def _music(text: str, at: int, is_data: IsData) -> Read:
    if match := _STOP.match(text, at):
        return [Music(0)], None, match.end()
    if match := next((found for form in _SETS if (found := form.match(text, at))), None):
        track = read_number(match["track"])
        if track.is_integer():
            return [Music(int(track))], None, match.end()
        return [], Refusal("incomplete", ("track",), (match["track"],)), match.end()
    if match := _SOME_MUSIC.match(text, at):
        return [], Refusal("incomplete", ("track",)), match.end()
    return [], None, at


def _weather(text: str, at: int, is_data: IsData) -> Read:
    match = _WEATHER.match(text, at)
    if match is None or is_data("天気"):
        return [], None, at
    cities = _AND.split(said) if (said := match["cities"]) and not re.fullmatch(_TODAY, said) else []
    if later := match["later"] or next((city for city in cities if re.fullmatch(LATER, city)), None):
        return [], Refusal("later", (later,)), match.end()
    if not all(_CITY.fullmatch(city) and not is_data(_bare(city)) for city in cities):
        return [], None, at
    if not cities:
        return [], Refusal("incomplete", ("city",)), match.end()
    return [Weather(city.strip("「」")) for city in cities], None, match.end()


def _bare(city: str) -> str:
    """Without 市 or 県, which are also what columns are called."""
    return re.sub("[市県都府区町村]$", "", city)
