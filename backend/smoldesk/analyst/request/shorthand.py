"""Short and spoken forms written out before anything is read: p90, 80+, 長かった, 使ってる, 千円未満."""

import re
from collections.abc import Callable

from smoldesk.analyst.english.paraphrases_english import ENGLISH
from smoldesk.analyst.english.said_measures import SAID_MEASURES
from smoldesk.analyst.english.sayings import SAYINGS
from smoldesk.analyst.japanese.colloquial_japanese import COLLOQUIAL
from smoldesk.analyst.japanese.paraphrases_japanese import JAPANESE
from smoldesk.analyst.japanese.said_measures import SAID_MEASURES_JA
from smoldesk.analyst.japanese.several_parts import parts_apart
from smoldesk.analyst.japanese.spoken_differences import SPOKEN_DIFFERENCES
from smoldesk.analyst.japanese.spoken_follow_ups import SPOKEN_FOLLOW_UPS
from smoldesk.analyst.japanese.spoken_periods import SPOKEN_PERIODS
from smoldesk.analyst.japanese.spoken_plots import SPOKEN_PLOTS
from smoldesk.analyst.japanese.spoken_ranks import SPOKEN_RANKS
from smoldesk.analyst.japanese.spoken_times import SPOKEN_TIMES
from smoldesk.analyst.japanese.spoken_wholes import SPOKEN_WHOLES
from smoldesk.analyst.japanese.step_before import step_before
from smoldesk.analyst.words.text import rewritten

_SPOKEN_JAPANESE = (
    *SPOKEN_FOLLOW_UPS,
    *SPOKEN_PERIODS,
    *SPOKEN_PLOTS,
    *SPOKEN_TIMES,
    *SPOKEN_DIFFERENCES,
    *SPOKEN_WHOLES,
    *SPOKEN_RANKS,
    *COLLOQUIAL,
    *JAPANESE,
)
_FORMS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(form, re.IGNORECASE), written)
    for form, written in (
        *SAID_MEASURES,
        *SAID_MEASURES_JA,
        *SAYINGS,
        *ENGLISH,
        *_SPOKEN_JAPANESE,
        (r"\bp(\d\d?)(?= (?:of|for)\b)", r"\1 percentile of the"),
        (r"(?<=\d)\+(?=\s|$|[^\x00-\x7f])", " or more"),
        (
            r"(多|少な|高|低|長|短|大き|小さ|早|遅|暑|寒|重|軽|安|若|古|新し|明る|暗|速|遠|近|広|狭)(?:かった|かっ)"
            r"(?=$|[^たっ])",
            r"\1い",
        ),
        (r"([^\s、。]+?)でも([^\s、。]+?)でもない", r"\1と\2以外の"),
        (r"(?<=[^\x00-\x7f])・(?=[^\x00-\x7f]{1,12}別)", "と"),
        (r"(?<=別)・", "と"),
        (r"\b(under|over)[ -](\d\d)s\b", r"\1 \2 years old"),
        *(
            (
                rf"\b(at least|at most|more than|fewer than|less than|over|under|exactly|up to) {word}\b",
                rf"\1 {number}",
            )
            for number, word in enumerate(
                ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
            )
        ),
        (
            r"\bhow (?:many|much) more (.+?) (?:did|do|does) (?:the )?(.+?) (?:get|have|receive|sell|make|use) than (?:the )?",
            r"difference in total \1 between \2 and ",
        ),
        (
            r"(?<=\w), ?(?:most|highest|biggest|largest|greatest|priciest|dearest|longest|oldest|heaviest|busiest"
            r"|tallest|most expensive) first\b",
            " sorted descending",
        ),
        (
            r"(?<=\w), ?(?:least|fewest|lowest|smallest|cheapest|shortest|youngest|lightest) first\b",
            " sorted ascending",
        ),
        (
            r"(sorted (?:de|a)scending),? (?:and |but )?(?:just|only|limit(?:ed)? to|stop at|max(?:imum)?)(?: the)?"
            r"(?: first| top)? (\d+)(?: of (?:them|those|these)| rows?| results?| entries)?(?=[?.! ]*$)",
            r"\1 \2",
        ),
        (r"(?<=っ)て(?=[るた])", "てい"),
        (r"(?<=し)て(?=る)", "てい"),
        (r"(?<=[っしいえけげせてねべめれき])て(?=な[いか])", "てい"),
        (r"(?<=[んい])で(?=な[いか])(?=ない人|ないの|なかった)", "でい"),
        (r"(?<![\d.])千(?=円|人|件|以|未|を)", "1000"),
        (r"(?<![\d.])百(?=円|人|件|以|未|を)", "100"),
        (r"(?<![\d.])一万(?=円|人|件|以|未|を)", "1万"),
        (
            r"^and (?=(?:older|younger|over|under|above|below|more|less|fewer|longer|shorter|higher|lower) )",
            "",
        ),
        (r"も(?=除|抜)", "を"),
        (r"(?<=合計|総計|平均|最大|最小|最高|最低|中央)(値?は?|で|して)(?:いくつ|何個)", r"\1"),
        (r"\b(?:zero|nought)(?= [a-z])", "0"),
        (r"ゼロ(?![ァ-ヶー])", "0"),
        (r"(?<![年齢の])若い順", "年齢の低い順"),
        (r"長い順", "大きい順"),
        (r"短い順", "小さい順"),
        (r"\ba (hundred|thousand|million)\b", r"1 \1"),
        (r"(\d) thousand\b", r"\g<1>000"),
        (r"(\d) hundred\b", r"\g<1>00"),
    )
)
_OF_JAPANESE = frozenset(form for form, _ in (*SAID_MEASURES_JA, *_SPOKEN_JAPANESE))
_FORMS_OF_ASCII = tuple(rule for rule in _FORMS if rule[0].pattern not in _OF_JAPANESE)
"""Without what only a text with a letter of Japanese can hold: half of them."""
_QUOTED = re.compile(r"((?<!\w)'[^']+'(?!\w)|\"[^\"]+\"|“[^”]+”|「[^」]+」|『[^』]+』)")


_YES_OR_NO = re.compile("[「『](あり|なし|有り|無し|はい|いいえ|有|無)[」』]")
"""Cells that are read beside their column only: 事前申込「なし」 is 事前申込なし."""
_THOUSANDS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)k\b(?! ?g|m)(?=( [a-z]+)?)", re.IGNORECASE)
_SPAN = re.compile(r"(?<![\w.,/:-])(\d{1,3})(?: ?[-–] ?)(\d{1,3})(?![\w.,/:-])")
_DECADES = re.compile(
    r"(?<!\d)([1-9]0)代?(?:と|、|,|や|か|または|および|・|から|〜|~|-)([1-9]0)代(?![^。?？]*(?:比較|比べ|差|違い))"
)
_DECADE = re.compile(r"(?<!\d)([1-9]0)代")
_GRADE = re.compile(r"(?<![\d第])([1-6])年生(?:の(?:生徒|児童|学生))?")


def _rises(said: re.Match[str]) -> bool:
    return float(said[1]) < float(said[2])


def _thousands(said: re.Match[str], known: Callable[[str], bool]) -> str:
    """5000 for 5k, unless a table knows a `5k`, or a `5k split`."""
    if known(said[0]) or (said[2] and known(said[0] + said[2])):
        return said[0]
    return f"{float(said[1]) * 1000:.12g}"


def _grade(year: str, known: Callable[[str], bool]) -> str:
    """2年生 is the cell 2年 where a table says so, else those of the year 2."""
    rows = "生徒" if known("生徒") else "人"
    return f"{year}年の{rows}" if known(f"{year}年") else f"学年{year}の{rows}"


def _decades(said: re.Match[str]) -> str:
    """20代と30代 are the ages from 20 to below 40, and 20代から40代 those up to 50; ages apart are either."""
    first, last = int(said[1]), int(said[2])
    if first < last and (last == first + 10 or re.search("から|[〜~-]", said[0])):
        return f"{first}歳以上{last + 10}歳未満"
    return f"{first}歳以上{first + 10}歳未満または{last}歳以上{last + 10}歳未満"


def written_out(text: str, known: Callable[[str], bool] = lambda word: False) -> str:
    """A tidied text with its short forms written out; quotations and what is `known` as a whole are left as they are."""
    pieces = _QUOTED.split(step_before(parts_apart(_YES_OR_NO.sub(r"\1", text))))
    for at in range(0, len(pieces), 2):
        pieces[at] = _THOUSANDS.sub(lambda said: _thousands(said, known), pieces[at])
        pieces[at] = rewritten(pieces[at], _FORMS_OF_ASCII if pieces[at].isascii() else _FORMS)
        pieces[at] = _SPAN.sub(
            lambda said: (
                f"between {said[1]} and {said[2]}" if not known(said[0]) and _rises(said) else said[0]
            ),
            pieces[at],
        )
        pieces[at] = _GRADE.sub(
            lambda said: said[0] if known(f"{said[1]}年生") else _grade(said[1], known), pieces[at]
        )
        pieces[at] = _DECADES.sub(_decades, pieces[at])
        pieces[at] = _DECADE.sub(
            lambda said: said[0] if known(said[0]) else f"{said[1]}歳以上{int(said[1]) + 10}歳未満",
            pieces[at],
        )
    return "".join(pieces)
