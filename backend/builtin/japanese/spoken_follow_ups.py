"""How a Japanese request goes on from the one before it, written as the grammar reads it: 男女別にも分けて, 部署ごとだと?

A pattern rewrites how something is asked, never what it is asked about.
"""

_CUT = "(?:別|ごと|毎)"
_END = "(?:ください|下さい|くれ(?:る|ますか)?|もらえますか|ほしい|欲しい|お願い(?:します)?|みて|見て|集計して)*[。?？!！]*$"

SPOKEN_FOLLOW_UPS: tuple[tuple[str, str], ...] = (
    (
        rf"^(?!さらに)([^。、?？]{{1,16}}?{_CUT})に?も(?:分け|わけ|出し|見せ|集計し|して)て?{_END}",
        r"さらに\1",
    ),
    (
        rf"^(?!さらに)([^。、?？]{{1,16}}?[^とご毎])でも(?:分け|わけ|グループ分けし|区切っ|切っ)て{_END}",
        r"さらに\1で分けて",
    ),
)
"""Patterns and what is written in their place, in the order they are applied."""
