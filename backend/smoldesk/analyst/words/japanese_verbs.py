"""Japanese verbs in their positive forms: 運ぶ is also 運んだ, 運んでいる, 運んできた, 運ばれた, 運びました.

The verbs are in japanese.toml in their plain form. Negative forms are not made here: they turn a condition round, and
what turns one round must be read, not skipped.
"""

from collections.abc import Iterator

_ROWS = {
    "う": ("い", "って", "った", "わ"), "く": ("き", "いて", "いた", "か"), "ぐ": ("ぎ", "いで", "いだ", "が"),
    "す": ("し", "して", "した", "さ"), "つ": ("ち", "って", "った", "た"), "ぬ": ("に", "んで", "んだ", "な"),
    "ぶ": ("び", "んで", "んだ", "ば"), "む": ("み", "んで", "んだ", "ま"), "る": ("り", "って", "った", "ら"),
}  # fmt: skip
"""The last sound of a verb of five rows: its stem before ます, its forms in て and た, its stem before れる."""
_ONE_ROW = frozenset("いきしちにひみりぎじびぴえけせてねへめれげぜでべぺ")
_ONE_ROW_KANJI = frozenset(
    (
        "見る",
        "出る",
        "得る",
        "着る",
        "経る",
        "寝る",
        "診る",
        "観る",
        "視る",
        "看る",
        "煮る",
        "似る",
        "射る",
        "居る",
    )
)
_AFTER_TE = (
    "", "いる", "いた", "います", "いました", "いて", "る", "た", "ます", "きた", "きました", "くる",
    "きている", "きています", "いった",
    "いく", "いきました", "おいた", "おく", "しまった", "しまいました", "もらった", "くれた", "ある", "あった", "あります",
)  # fmt: skip
_AFTER_RE = (
    "る",
    "た",
    "ます",
    "ました",
    "て",
    "ている",
    "ていた",
    "ています",
    "ていました",
    "てる",
    "てた",
    "てきた",
)
_DOING = ("し", "して", "した", "さ")


def positive_forms(verb: str) -> Iterator[str]:
    """A verb in its plain form, 配る or 届ける, and in what it becomes without being denied."""
    stem, last = verb[:-1], verb[-1]
    if verb.endswith("する"):
        stem = verb[:-2]
        masu, te, ta, passive = _DOING
    elif verb.endswith(("来る", "くる")):
        stem = verb[:-1] if verb[-2] == "来" else f"{verb[:-2]}き"
        masu, te, ta, passive = "", "て", "た", "ら" if verb[-2] == "来" else ""
    elif verb in ("行く", "いく"):
        masu, te, ta, passive = "き", "って", "った", "か"
    elif last == "る" and (verb in _ONE_ROW_KANJI or (len(verb) > 1 and verb[-2] in _ONE_ROW)):
        masu, te, ta, passive = "", "て", "た", "ら"
    else:
        masu, te, ta, passive = _ROWS[last]
    yield verb
    yield stem + ta
    for ending in ("ます", "ました", "まして"):
        yield stem + masu + ending
    for ending in _AFTER_TE:
        yield stem + te + ending
    if passive:
        for ending in _AFTER_RE:
            yield f"{stem}{passive}れ{ending}"


_NOT_YET = ("ていない", "てない", "ていなかった", "てなかった", "ていません", "てません")


def denied_forms(verb: str) -> Iterator[str]:
    """A verb in what says that it is not done: 売れていない, 返されてない, 返ってきていない."""
    for form in positive_forms(verb):
        if form.endswith(("て", "で")):
            yield from (form[:-1] + ending.replace("て", form[-1], 1) for ending in _NOT_YET)


def stem_of(verb: str) -> str:
    """The noun of a verb: 引き渡し of 引き渡す, 解決 of 解決する, 受け付け of 受け付ける."""
    if verb.endswith("する"):
        return verb[:-2]
    if verb[-1] == "る" and (verb in _ONE_ROW_KANJI or (len(verb) > 1 and verb[-2] in _ONE_ROW)):
        return verb[:-1]
    return verb[:-1] + _ROWS[verb[-1]][0]


def plain_denials(noun: str) -> Iterator[str]:
    """What denies the verb of a noun such as 持ち帰り or 予約: 持ち帰らない, 持ち帰っていない, 予約しなかった."""
    verb = next((noun[:-1] + last for last, forms in _ROWS.items() if forms[0] == noun[-1]), "")
    if verb:
        stem = noun[:-1] + _ROWS[verb[-1]][3]
        yield from (stem + ending for ending in ("ない", "なかった", "ず", "れない", "れなかった"))
        yield from denied_forms(verb)
        return
    yield from (
        noun + ending
        for ending in (
            "しない",
            "しなかった",
            "していない",
            "してない",
            "していなかった",
            "されていない",
            "されてない",
            "されなかった",
            "せず",
        )
    )
