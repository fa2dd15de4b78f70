"""The part of a name by which people tell it from others: no form of company, and no ending that all names of a column have.

`Northwind Traders` of `Northwind Traders Inc.`, 山田商店 of 株式会社山田商店, 大阪 of 大阪センター beside 東京センター.
"""

import re
from collections.abc import Sequence

from smoldesk.analyst.words.text import is_japanese

_FORMS = frozenset(
    (
        "ltd", "limited", "inc", "incorporated", "corp", "corporation", "co", "company", "llc", "llp", "lp", "plc", "gmbh",
        "mbh", "ag", "kg", "kgaa", "ohg", "sa", "sas", "sarl", "srl", "spa", "bv", "nv", "oy", "oyj", "ab", "aps", "pty",
        "pte", "sdn", "bhd", "kk", "sl", "doo", "and", "the",
    )
)  # fmt: skip
_JAPANESE_FORMS = re.compile(
    r"(?:株式|有限|合同|合資|合名)会社|(?:一般|公益)?(?:社団|財団)法人|(?:医療|学校|社会福祉|npo)法人|\((?:株|有|同|資|名|社|財|医|学|福)\)"
)
_WORD = re.compile(r"\w+")
_FEWEST = 2


def distinctive(key: str, ending: str = "") -> str:
    """The part of a key without its form of company, and without `ending`, which every name beside it has."""
    bare = key.removesuffix(ending) if len(ending) < len(key) else key
    if is_japanese(bare):
        return _JAPANESE_FORMS.sub("", bare).strip() or bare
    words = _WORD.findall(bare.replace("&", " "))
    return " ".join(word for word in words if word not in _FORMS) or bare


def common_ending(keys: Sequence[str]) -> str:
    """What all of these names end in, in whole words: センター, ` depot`; nothing where they are few."""
    distinct = [key[::-1] for key in dict.fromkeys(keys) if key]
    if len(distinct) < _FEWEST:
        return ""
    first, last = min(distinct), max(distinct)
    same = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    ending = first[:same][::-1]
    if not is_japanese(ending):
        return ending[ending.find(" ") :] if " " in ending else ""
    return ending if len(ending) > 1 or ending in "店校館院市区町村県" else ""
