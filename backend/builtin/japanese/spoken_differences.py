"""How far apart two sides are, asked in spoken Japanese: いくら違う, どれくらい差がある, 有り無しで.

A pattern rewrites how something is asked, never what it is asked about.
"""

_SIDES = r"[^、。?？]+と[^、。?？]+?|[^、。?？]+?の有無|[^、。?？]*?男女(?:間)?"
_BETWEEN = "(?:を(?:比べ|比較し|くらべ)(?:て|ると|たら|た場合)|とでは|とで|では|で|の間で|の間に|によって|は)"
_APART = (
    "(?:違(?:う|い|って|った)|ちが(?:う|い|って|った)|差が(?:ある|あり|あった|つ|出)|開きが(?:ある|あり|あった)"
    "|変わ(?:る|り|って|った))"
)
_COUNTED = "円|点|分間?|時間|人|件|回|個|枚|冊|日|歳|年|kg|g|km|m|cm|%|度|割"
_FAR = f"(?:いくつ|いくら|どれ(?:くらい|だけ|ほど)|どの(?:くらい|程度)|どんだけ|何(?:{_COUNTED}))(?:くらい|ほど)?も?"
_FIGURE = "(?=[^いくら]*(?:平均|合計|総|最大|最小|最高|最低|中央|単価|[^一二三四五六]数)|(?!.*いくら))"
"""いくら without a figure asks for totals, of which others know (plain_words.py)."""
_CLOSE = "[^、。?？]*(?=[。?？]|$)"

SPOKEN_DIFFERENCES: tuple[tuple[str, str], ...] = (
    (r"と(?:そうで(?:は)?ない|そうじゃない|それ以外の)(?=[一-龥ァ-ヶーの])", "とそれ以外の"),
    (
        "(?<=[^\\s、。])(?:の)?(?:有り無し|有りなし|ありなし|あり無し|ありとなし|有りと無し|あるなし|有る無し|するしない)"
        f"(?={_BETWEEN}|別|の)",
        "の有無",
    ),
    (
        rf"^((?:\d{{4}}年)?\d{{1,2}}月)から((?:\d{{4}}年)?\d{{1,2}}月)(?:にかけて|まで|で|では|に|の間)*、?{_FIGURE}([^、。?？]+?)(?:は|が|って|も)?{_FAR}{_APART}{_CLOSE}",
        r"\2と\1の\3の差",
    ),
    (
        rf"^({_SIDES}){_BETWEEN}、?{_FIGURE}([^、。?？]+?)(?:は|が|に|って|も)?{_FAR}{_APART}{_CLOSE}",
        r"\1の\2の差",
    ),
    (
        rf"^({_SIDES}){_BETWEEN}、?([^、。?？]+?)(?:は|が|に|って|も)?(?:どう|どのように)(?:違(?:う|い)|ちが(?:う|い)|異な(?:る|り)){_CLOSE}",
        r"\1の\2を比較",
    ),
    (
        rf"^{_FIGURE}([^、。?？と]+?)(?:は|が|って)、?({_SIDES}){_BETWEEN}{_FAR}{_APART}{_CLOSE}",
        r"\2の\1の差",
    ),
)
"""Patterns and what is written in their place, in the order they are applied."""
