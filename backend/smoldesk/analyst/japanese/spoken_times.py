"""Hours and what is said in brackets behind them, in spoken Japanese: 朝9時, 夜8時, 午前中(12時前), 時間帯(1時間ごと).

A pattern rewrites how something is asked, never what it is asked about.
"""

_OPEN, _CLOSE = "[(（]", "[)）]"

SPOKEN_TIMES: tuple[tuple[str, str], ...] = (
    (
        rf"(午前中?|午後|平日|週末|土日){_OPEN}(?:\d{{1,2}}時[^)）]{{0,6}}|[月火水木金土日][^)）]{{0,6}}){_CLOSE}",
        r"\1",
    ),
    (
        rf"時間帯(?:別|ごと)(?:の|に)?{_OPEN}?(?:1|一)時間(?:ごと|単位|刻み|毎){_CLOSE}?(?:の|に)?",
        "時間帯別の",
    ),
    (rf"時間帯{_OPEN}(?:1|一)?時間(?:ごと|単位|刻み|毎){_CLOSE}(?:ごと|別)?(?:に|の)?", "時間帯別の"),
    (r"(?:朝|早朝|午前)(?=(?:0?[4-9]|1[01])(?:時|:\d\d))", ""),
    *((rf"(?:夜|夕方|晩)の?{hour}時", f"{hour + 12}時") for hour in (10, 11, 4, 5, 6, 7, 8, 9)),
)
"""Patterns and what is written in their place, in the order they are applied."""
