"""Two figures of one part asked at once, and words about each time, in spoken Japanese: 何匹で、全体の何%, 1回で5000円以上.

A pattern rewrites how something is asked, never what it is asked about.
"""

from backend.builtin.words.japanese import COUNTERS

_COUNTED = rf"(?:何(?:{'|'.join(COUNTERS)})|いくつ)"
_AND = "(?:い|あ)?(?:て|って|で|ですか|る?か|ますか|りますか)?[、。?？]*(?:それは|それって|で、?)?"

SPOKEN_WHOLES: tuple[tuple[str, str], ...] = (
    (
        rf"(?:は|が|って)?(?:全部で)?{_COUNTED}{_AND}全体(?:の|に対して|に対する|のうち)?(?:何(?:%|パーセント|割)|どれ(?:くらい|ぐらい))",
        "は全体の何%",
    ),
    (
        r"(?<![一-龥\d])[1１一](?:回|度)(?:の(?:買い物|会計|支払い?|利用))?(?:で|に)(?=[^、。?？]*\d[^、。?？]*(?:以上|以下|未満|超|より))",
        "",
    ),
    (
        r"(?<=[^\s、。])(?:じゃ|では)なかった(?=の|もの|日|人|回|件|月|とき|行|[一-龥ァ-ヶ]{1,6}(?:は|って|が|を)?(?:何|いくつ|どれ|誰))",
        "ではない",
    ),
)
"""Patterns and what is written in their place, in the order they are applied."""
