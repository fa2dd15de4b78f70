"""The Japanese of ways: Room1から2階の会議室まで階段を使わずに行くには, 図書室から一番近いトイレは."""

import re

from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.place_words import floor_of, is_place

Asked = tuple[str, str, str, bool, tuple[str, ...], bool]
Limits = tuple[bool, tuple[str, ...], str]
"""Whether the way must be free of steps, what is closed, and the words that are left."""

_STEPLESS = re.compile(
    r"(?:階段|段差)(?:を|は|も)?(?:使わ|通ら|上ら|登ら|のぼら|避け|利用せ|利用し)(?:ずに|ず|ないで|なくて|ない|て)(?:で)?、?|階段(?:なし|無し|抜き|以外)で?、?"
    r"|(?:車椅子|車いす|ベビーカー)(?:で|でも|を使って|の人が)(?:も)?、?|バリアフリーで?(?:の)?、?|段差(?:なし|のない)(?:で)?、?"
)
_CLOSED = re.compile(
    r"(?P<what>[^、。がはを]+?)(?:が|は)(?:閉まって|閉鎖|故障|壊れて|使え|止まって|通れ|停止|工事)(?:いる|います|中|して|い|ない|ません|なく|され)*"
    r"(?:ている|います|ので|から|ため|とき|時|場合|なら|です|だ|で|んだけど|けど|の)*(?:は)?[、,]?"
)
_AVOIDED = re.compile(
    r"(?P<what>[^、。がはをら]+?)(?:を|は)(?:使わ|通ら|避け|経由せ)(?:ずに|ず|ないで|なくて|て)、?|(?P<what2>エレベーター|エレベータ)(?:なし|無し)で、?"
)
_GO = (
    r"(?:の|へ(?:の)?)?(?:行くには(?:どうすれば(?:いい|よい)(?:ですか)?|どう(?:すれば|行けば)(?:いい|よい)?(?:ですか)?)?|行きたい(?:です)?|行って|"
    r"行き方(?:を|は)?|道順(?:を|は)?|経路(?:を|は)?|ルート(?:を|は)?|道(?:を|は)?|案内して?|ナビして?|行く|歩いて行く|移動したい|移動するには|"
    r"行けば(?:いい|よい)(?:ですか|の)?|どうやって行(?:く|けばいい|けばよい|きます|くの)(?:ですか|か)?|どう行(?:く|けばいい|けばよい|きますか|けば)(?:ですか|の)?)"
    r"(?:方法|最短)?(?:を|は)?(?:教えて|見せて|示して|表示して|探して|調べて|描いて|出して|知りたい)?(?:ください|下さい|ほしい|欲しい|です|か|の)?"
)
_ROUTE = re.compile(
    rf"(?P<start>.+?)から、?(?P<goal>.+?)(?:まで|へ|に|への|までの)(?:の)?、?(?:最短で|一番早く)?(?:{_GO})?"
)
_TO = re.compile(rf"(?P<goal>.+?)(?:まで|へ|に|への|までの)(?:の)?、?(?:{_GO})")
_NEAR = r"(?:一番近い|最も近い|もっとも近い|最寄り?の|いちばん近い|近くの)"
_WANT = (
    r"(?:は|を|って|はどこ|はどこですか|はどこにありますか|はどれ|はどれですか|を教えて(?:ください)?|を探して(?:ください)?|を表示して(?:ください)?|"
    r"まで案内して(?:ください)?|への行き方(?:は|を教えて(?:ください)?)?|に行きたい(?:です)?)?(?:ですか)?"
)
_NEAREST = re.compile(rf"(?:(?P<start>.+?)(?:から|に|の)、?)?(?P<goal>{_NEAR}.+?){_WANT}")
_WHERE = re.compile(
    r"(?P<goal>.+?)(?:は|って)(?:どこ|どこですか|どこにありますか|どこにある|どこにあるの|何階|何階ですか|何階にありますか|どの階(?:ですか|にありますか)?)"
    r"|(?P<goal2>.+?)(?:の場所|の位置|がどこか)(?:は|を)?(?:教えて|示して)?(?:ください)?"
)
_LIST = re.compile(
    r"(?:(?P<floor>.+?)(?:の|には|に|にある))?(?:全(?:ての)?|すべての)?(?:部屋|ルーム)(?:の)?(?:一覧|リスト|名前|名)(?:を)?(?:は|見せて|教えて|表示して|出して)?"
    r"(?:ください|下さい)?"
    r"|(?P<floor2>.+?)(?:には|に|の)(?:どんな|何の|どの)部屋(?:が)?(?:ある|あります|ありますか|あるの|がある)?(?:か|の|ですか)?"
    r"|(?P<floor3>.+?)の部屋(?:は)?(?:を(?:教えて|挙げて|列挙して))?(?:何|何がありますか|何がある)?(?:ください)?"
)
_WHOLE = ("", "全体", "建物", "建物全体", "全フロア", "全階", "この建物")


def read_japanese(text: str, catalogue: Catalogue) -> Asked | None:
    """What a tidied request asks about the building, as the fields of read_ways.Asked."""
    if listed := _LIST.fullmatch(text):
        floor = (listed["floor"] or listed["floor2"] or listed["floor3"] or "").strip()
        if floor in _WHOLE:
            return ("list_rooms", "", "", False, (), True)
        found = floor_of(floor, catalogue)
        return ("list_rooms", "", found, False, (), True) if found else None
    accessible, avoid, rest = limits(text)
    if (near := _NEAREST.fullmatch(rest)) and is_place(near["goal"], catalogue):
        start = near["start"] or ""
        if not start or start in ("ここ", "現在地") or is_place(start, catalogue):
            return ("route", start, near["goal"], accessible, avoid, False)
    if (way := _ROUTE.fullmatch(rest)) and (
        is_place(way["start"], catalogue) or is_place(way["goal"], catalogue)
    ):
        return ("route", way["start"], way["goal"], accessible, avoid, True)
    if (way := _TO.fullmatch(rest)) and is_place(way["goal"], catalogue):
        return ("route", "", way["goal"], accessible, avoid, False)
    if where := _WHERE.fullmatch(text):
        return ("where_is", "", where["goal"] or where["goal2"], False, (), False)
    return None


def limits(text: str) -> Limits:
    """What a way must keep to, taken out of the words."""
    avoid: list[str] = []

    def closed(match: re.Match[str]) -> str:
        said = match["what"] or match.groupdict().get("what2") or ""
        before, mark, what = said.rpartition("まで") if "まで" in said else ("", "", said)
        avoid.extend(name for name in re.split(r"[と・や]", what.strip(" 、")) if name)
        return before + mark

    stepless = _STEPLESS.search(text) is not None
    text = _STEPLESS.sub("", text)
    text = _CLOSED.sub(closed, text)
    text = _AVOIDED.sub(closed, text)
    return stepless, tuple(avoid), text.strip(" 、。？?").removeprefix("どうやって")
