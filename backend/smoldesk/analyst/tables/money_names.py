"""Money said with another ending: 電気代 for 電気料金, 参加費 for 参加料, 支払額 for 支払金額."""

import re
from collections.abc import Iterator

_ENDINGS = ("料金", "代金", "費用", "金額", "価格", "値段", "代", "費", "料", "額")
_MONEY = re.compile(rf"(?P<what>.{{2,}}?)(?P<ending>{'|'.join(_ENDINGS)})")
_NO_MONEY = (
    "資料",
    "材料",
    "給料",
    "衣料",
    "飲料",
    "食料",
    "原料",
    "肥料",
    "燃料",
    "塗料",
    "史料",
    "年代",
    "世代",
    "時代",
    "交代",
)
_STRENGTH = 2.2


def money_names(core: str) -> Iterator[tuple[str, float]]:
    """What a header that ends in a word of money is also called; nothing for others."""
    said = _MONEY.fullmatch(core)
    if said is None or core.isascii() or core.endswith(_NO_MONEY):
        return
    for ending in _ENDINGS:
        if ending != said["ending"]:
            yield said["what"] + ending, _STRENGTH
    for ending in ("料金", "代金", "費用", "金額", "値段"):
        yield f"{said['what']}の{ending}", _STRENGTH
