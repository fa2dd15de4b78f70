"""Blanks of a column in spoken Japanese: 単価なしは除いて leaves them out, 評価つけ忘れてるの are the rows that have them.

A column is needed before the words; a cell that says なし is no blank and stays as it was.
"""

import re
from collections.abc import Iterator, Sequence

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import key

Rule = tuple[re.Pattern[str], str]
_TE = "(?:て(?:い)?(?:る|た)|てしまった|ちゃ(?:って(?:い)?る|った)|た)"
_FORGOTTEN = (
    f"(?:(?:つけ|付け|書き|入れ|測り|量り|計り|聞き|決め)(?:忘れ|わすれ|そびれ|漏れ|もれ){_TE}?"
    f"|(?:記入|入力|記録|登録|記載)(?:し)?(?:忘れ|わすれ|漏れ|もれ)(?:{_TE}|になって(?:い)?る|がある)?)"
)
_UNWRITTEN = (
    "(?:(?:書いて|付けて|つけて|入れて|入って|記入して|入力して|書かれて|記録して|登録して|測って|量って)"
    "(?:い)?(?:ない|なかった))"
)
_HOLES = "(?:空欄|空白|欠損|未入力|未記入|未回答|未登録|未定|不明|ブランク|空|記載なし|記入なし)"
_NONE = f"(?:な[いし]|無し|無い|{_HOLES}|{_FORGOTTEN}|{_UNWRITTEN})"
_ROWS = "(?:の|な)?(?:もの|行|やつ|ヤツ|人|件|分|データ|とこ|ところ|の)?"
_OUT = (
    "(?:除(?:いて|き|いた(?:ら|とき|場合)?|くと|けば)|除外(?:して|した(?:ら)?|すると)?|抜い(?:て|た(?:ら)?)|抜き(?:にして|で)|省い(?:て|た)|外し(?:て|た(?:ら)?)"
    "|はずし(?:て|た)|飛ばし(?:て|た)|無視(?:して|した)|(?:入れ|含め|数え|カウントし)(?:ないで|ずに|なくて(?:いい|よい)))"
)
_WRITTEN = (
    "(?:(?:書い|書かれ|(?:記入|入力|記録|記載|登録)(?:し|され))(?:た|て(?:い|あ)?(?:る|ります|ます))"
    "|入って(?:い)?る|埋まって(?:い)?る)"
)
_WRITTEN_ROWS = (
    "(?=行|もの|件|日|データ|レコード|やつ|人|方|の(?:は|って|を)"
    "|[一-龥ァ-ヶ]{1,6}(?:は|って|が)?(?:何|いくつ|どれ|どの))"
)
_ASKED = (
    "(?=(?:は|って|、)?(?:全部で)?(?:どれ|どこ|誰|だれ|いつ|何|いくつ|一覧|ある|いる|あ[るり]ま|い[るま]))"
)


def spoken_blanks(column: ColumnInfo, names: Sequence[str]) -> Iterator[Rule]:
    """The patterns for one column that is called by `names`."""
    said = [re.escape(name) for name in names if len(name) > 1]
    if not said:
        return
    named = f"({'|'.join(said)})(?:の(?:記入|入力|記載))?(?:が|は|の|を|って|も)?"
    cells = {key(value) for value in column.values} & {"なし", "無し", "無", "ない"}
    none = _NONE if not cells or column.yes_no else f"(?:{_HOLES}|{_FORGOTTEN}|{_UNWRITTEN})"
    yield re.compile(rf"{named}{none}{_ROWS}(?:は|を|も)?{_OUT}(?:(?=[。?？]*$)|ください)"), r"\1がある行だけ"
    yield re.compile(rf"{named}{none}{_ROWS}(?:は|を|も)?{_OUT}(?:の)?(?:、)?"), r"\1がある行の"
    if column.kind != "number" and not column.yes_no:
        noted = f"({'|'.join(said)})(?:に(?:何か|なにか))?(?:が|の|を)?(?:ちゃんと|きちんと)?"
        yield re.compile(rf"(?<![一-龥ァ-ヶー]){noted}{_WRITTEN}{_WRITTEN_ROWS}"), r"\1がある"
    lost = f"(?:{_FORGOTTEN}|{_UNWRITTEN})"
    yield re.compile(rf"{named}{lost}(?:の)?(?:もの|やつ|行)?{_ASKED}"), r"\1が空欄の行"
    gone = f"(?:{_FORGOTTEN}|{_UNWRITTEN}|(?:抜け|欠け)て(?:い)?る|(?:空欄|空白|未入力|未記入)(?:になって(?:い)?る|の))"
    yield (
        re.compile(
            rf"({'|'.join(said)})(?:の(?:点数?|値|データ|情報|欄))?(?:が|の){gone}"
            r"(?!列|項目|カラム|行|数|件|セル|割合)([一-龥ァ-ヶ]{1,6})(?:は|って)?(?=[。?？]*$)"
        ),
        r"\1が空欄の\2はどれ",
    )
    yield (
        re.compile(
            rf"{named}{lost}(?=[一-龥ァ-ヶ]{{1,6}}(?:は|って|が)?(?:どれ|どこ|誰|だれ|いつ|何|いくつ))"
        ),
        r"\1が空欄の",
    )
