"""How much something rose between two stretches of time, and rows in the order of their days, in spoken Japanese.

11月の支出は10月から何%増えた is the growth from the one to the other, 9月と比べていくら増えた the difference of the totals.
A pattern rewrites how something is asked, never what it is asked about.
"""

from collections.abc import Iterator

_TIME = (
    "(?:(?:(?:19|20)\\d\\d年度?(?:の)?)?(?:\\d{1,2}月|第[1-4]四半期|上半期|下半期|前半|後半)"
    "(?:上旬|中旬|下旬)?|(?:19|20)\\d\\d年度?)"
)
_THAN = (
    "(?:と(?:比べ(?:て|ると|たら)|比較して|比較すると|くらべて)|に(?:比べ(?:て|ると|たら)|対して)"
    "|(?:の(?:とき|時))?より(?:も)?|から)(?:は|、)?"
)
_MUCH = (
    "((?:いくら|いくつ|どれくらい|どれぐらい|どのくらい|どれだけ|どれほど"
    "|何[^\\s、。?？%一-龥]?[一-龥ァ-ヶーa-zA-Z]{0,3})(?:くらい|ぐらい|ほど)?)"
)
_PERCENT = "何(?:%|パーセント|割)(?:くらい|ほど)?"
_MOVED = "(?:増え|ふえ|増加し|減っ|へっ|減少し|変わっ|変化し|伸び|のび|上がっ|下がっ|上昇し|低下し|落ち|違っ|増減し)"
_HIGHER = "(?:高|低|多|少な|長|短|大き|小さ|暑|寒|重|軽|遅|早|安)(?:い|かった|く)"
_ENDED = "(?:た|ている|てる|ました|ています|たの|たか|たんですか|たのか)?[^、。?？]{0,6}(?=[。?？]*$)"
_OF_ONE = (
    "(?:平均|合計|総|最大|最小|最高|最低|中央|単価|価格|値段|家賃|月給|時給|給料|給与|年収|数の差|率の差)"
)
"""What is not added up by itself where いくら asks for it."""
_WHAT = "([^、。?？]+?)"
_COMPARED = "(?:を(?:比べ(?:て|ると|たら)|比較して|比較すると)|では?|とでは?|で見ると)(?:は|、)?"

_STEPS = (
    ("月", "月次|月々", "先月"),
    ("週", "週次", "先週"),
    ("年", "年次", "昨年|去年"),
    ("日", "日次|日々", "昨日"),
)


def _from_step_to_step() -> Iterator[tuple[str, str]]:
    """月別の売上合計は前月からいくら増減した: the change of each month from the one before it, never that from another span."""
    for step, called, before in _STEPS:
        each = f"(?:毎{step}|(?<!曜){step}(?:ごと|別|毎)|{called})"
        rise = (
            rf"^((?=[^、。?？]*{each})[^。?？]+?)(?:は|が|って)?、?(?:前の?{step}|{before}){_THAN}(?:は|、)?"
        )
        yield rf"{rise}{_PERCENT}{_MOVED}{_ENDED}", r"\1の増減率を%で"
        yield rf"{rise}{_MUCH}{_MOVED}{_ENDED}", r"\1の増減"


SPOKEN_PERIODS: tuple[tuple[str, str], ...] = (
    *_from_step_to_step(),
    (
        rf"^({_TIME})(?:の|は|、){_WHAT}(?:は|が|って)、?({_TIME})(?:の\2)?{_THAN}{_PERCENT}{_HIGHER}{_ENDED}",
        r"\3から\1で\2は何%増えた",
    ),
    (
        rf"^({_TIME})(?:の|は|、){_WHAT}(?:は|が|って)、?({_TIME})(?:の\2)?{_THAN}{_MUCH}{_HIGHER}{_ENDED}",
        r"\1と\3の\2の差は\4?",
    ),
    (
        rf"^({_TIME})(?:の|は|、){_WHAT}(?:は|が|って)、?({_TIME})(?:の\2)?{_THAN}{_PERCENT}{_MOVED}{_ENDED}",
        r"\3から\1で\2は何%増えた",
    ),
    (
        rf"^({_TIME})(?:は|の方が|のほうが|には)、?({_TIME}){_THAN}{_WHAT}(?:は|が|って)、?{_PERCENT}{_MOVED}{_ENDED}",
        r"\2から\1で\3は何%増えた",
    ),
    (
        rf"^({_TIME})(?:の|は|、){_WHAT}(?:は|が|って)、?({_TIME})(?:の\2)?{_THAN}{_MUCH}{_MOVED}{_ENDED}",
        r"\1と\3の\2の差は\4?",
    ),
    (
        rf"^({_TIME})(?:は|の方が|のほうが|には)、?({_TIME}){_THAN}{_WHAT}(?:は|が|って)、?{_MUCH}{_MOVED}{_ENDED}",
        r"\1と\2の\3の差は\4?",
    ),
    (
        rf"^{_WHAT}(?:は|が|って)、?({_TIME})から({_TIME})(?:まで|にかけて|で|に|へ)(?:は|、)?{_MUCH}{_MOVED}{_ENDED}",
        r"\3と\2の\1の差は\4?",
    ),
    (
        rf"^({_TIME})から({_TIME})(?:まで|にかけて|で|に|へ)(?:は|、)?{_WHAT}(?:は|が|って)、?{_MUCH}{_MOVED}{_ENDED}",
        r"\2と\1の\3の差は\4?",
    ),
    (
        rf"^({_TIME})と({_TIME}){_COMPARED}{_WHAT}(?:は|が|って)、?{_MUCH}{_MOVED}{_ENDED}",
        r"\2と\1の\3の差は\4?",
    ),
    (
        rf"^({_TIME})と({_TIME}){_COMPARED}{_WHAT}(?:は|が|って)、?{_PERCENT}{_MOVED}{_ENDED}",
        r"\1から\2で\3は何%増えた",
    ),
    (rf"^(?!.*{_OF_ONE})({_TIME}と{_TIME}の.+?)の差はいくら(?:くらい|ぐらい|ほど)?\?", r"\1の合計の差は?"),
    (rf"^({_TIME}と{_TIME}の.+?の差は){_MUCH}\?", r"\1?"),
    (
        r"^(?=.*(?:移動平均|累計|累積|推移|折れ線))(.*?)(?:を|で|は)?(?:日付|年月日|日にち|月日|時系列|月|年|時間|時刻)(?:の)?順(?:番)?(?:に|で)(?:並べて)?(?:、)?",
        r"\1",
    ),
)
"""Patterns and what is written in their place, in the order they are applied."""
