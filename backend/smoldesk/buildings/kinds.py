"""Kinds of rooms in English and Japanese words: "toilet", "restroom", お手洗い. Pure."""

import re
from collections.abc import Iterator

from smoldesk.buildings.names import fold, spelled
from smoldesk.messages import MapDefinitionContent, Rectangle

# Kind -> its words; a kind from a file also is its own word.
_TOILETS = (
    "toilet",
    "restroom",
    "bathroom",
    "washroom",
    "wc",
    "loo",
    "トイレ",
    "お手洗い",
    "手洗い",
    "化粧室",
)


def _toilets(words: str, *others: str) -> tuple[str, ...]:
    """Return the names of toilets for some: each word before each word for a toilet of its language."""
    pairs = [
        f"{word} {toilet}" if word.isascii() else word + toilet
        for toilet in _TOILETS
        for word in words.split(", ")
        if word.isascii() == toilet.isascii()
    ]
    return (*pairs, *others)


KINDS: dict[str, tuple[str, ...]] = {
    "toilet": (
        "toilet",
        "restroom",
        "wc",
        "lavatory",
        "washroom",
        "loo",
        "トイレ",
        "お手洗い",
        "手洗い",
        "化粧室",
        "便所",
    ),
    "women's toilet": _toilets(
        "women's, womens, women, ladies', ladies, female, 女子, 女性, 女性用, 婦人",
        "ladies room",
        "ladies' room",
        "女性用",
    ),
    "men's toilet": _toilets(
        "men's, mens, men, gents, male, 男子, 男性, 男性用, 紳士",
        "gents",
        "mens room",
        "men's room",
        "男性用",
    ),
    "accessible toilet": _toilets(
        "accessible, disabled, wheelchair, wheelchair accessible, unisex accessible, 多目的, 多機能, "
        "バリアフリー, 車椅子, 車いす, 車椅子用, 車いす用, 車椅子対応, 身障者用, 障害者用",
        "車椅子で使える",
        "車いすで使える",
    ),
    "unisex toilet": _toilets("unisex, gender neutral, all gender, 男女共用"),
    "bathroom": ("bathroom", "bath", "shower", "浴室", "風呂", "お風呂", "シャワー室", "バスルーム"),
    "kitchen": ("kitchen", "kitchenette", "pantry", "キッチン", "台所", "給湯室"),
    "meeting": (
        "meeting room",
        "meeting",
        "conference room",
        "conference",
        "boardroom",
        "board room",
        "会議室",
        "ミーティングルーム",
        "打ち合わせ室",
    ),
    "office": ("office", "workplace", "workspace", "オフィス", "事務室", "執務室"),
    "library": ("library", "reading room", "図書室", "図書館", "ライブラリ"),
    "break": ("break room", "breakroom", "休憩室", "休憩所"),
    "lounge": ("lounge", "ラウンジ"),
    "storage": ("storage", "storage room", "store room", "storeroom", "stockroom", "倉庫", "物置", "保管室"),
    "workshop": ("workshop", "工房", "作業場", "作業室", "ワークショップ"),
    "server": ("server room", "data centre", "サーバー室", "サーバールーム", "サーバ室"),
    "garage": ("garage", "car park", "parking", "ガレージ", "車庫", "駐車場"),
    "restaurant": ("restaurant", "diner", "bistro", "レストラン"),
    "canteen": ("canteen", "cafeteria", "dining hall", "食堂", "学食", "社員食堂"),
    "cafe": ("cafe", "café", "coffee shop", "coffee", "tea room", "カフェ", "喫茶店", "コーヒーショップ"),
    "fast food": ("fast food", "fast food restaurant", "ファストフード", "ファーストフード"),
    "bar": ("bar", "pub", "バー", "居酒屋"),
    "food": ("food place", "food", "food service", "place to eat", "飲食店"),
    "food court": ("food court", "フードコート"),
    "shop": ("shop", "store", "retail", "売店", "店", "お店", "店舗", "ショップ"),
    "bakery": ("bakery", "パン屋", "パン屋さん", "ベーカリー"),
    "supermarket": ("supermarket", "grocery", "grocery store", "スーパー", "スーパーマーケット"),
    "convenience": ("convenience store", "convenience", "コンビニ", "コンビニエンスストア"),
    "clothes": (
        "clothes shop",
        "clothing store",
        "clothes",
        "clothing",
        "fashion",
        "洋服店",
        "服屋",
        "アパレル",
    ),
    "shoes": ("shoe shop", "shoe store", "shoes", "靴屋", "靴店"),
    "books": ("bookshop", "book shop", "bookstore", "books", "本屋", "書店"),
    "florist": ("florist", "flower shop", "花屋"),
    "hairdresser": ("hairdresser", "hair salon", "barber", "美容室", "美容院", "理髪店"),
    "pharmacy": ("pharmacy", "薬局"),
    "chemist": ("chemist", "drugstore", "ドラッグストア"),
    "bank": ("bank", "銀行"),
    "car rental": ("car rental", "car hire", "rental car", "レンタカー"),
    "ticket": ("ticket office", "ticket shop", "ticket", "切符売り場", "チケット売り場"),
    "post": ("post office", "郵便局"),
    "police": ("police", "police station", "警察", "交番"),
    "waiting": ("waiting room", "waiting area", "待合室", "待合スペース"),
    "chapel": ("chapel", "prayer room", "礼拝堂", "礼拝室", "祈祷室"),
    "nursing": ("nursing room", "mothers room", "baby room", "授乳室"),
    "gym": ("gym", "fitness room", "fitness", "gymnasium", "ジム", "体育館"),
    "smoking": ("smoking room", "smoking area", "喫煙所", "喫煙室"),
    "first aid": ("first aid room", "first aid", "救護室", "医務室", "保健室"),
    "seminar": ("seminar room", "セミナー室", "ゼミ室"),
    "computer": ("computer room", "computer lab", "pc room", "コンピュータ室", "パソコン室"),
    "classroom": ("classroom", "class room", "教室"),
    "lecture": (
        "lecture hall",
        "lecture theatre",
        "lecture room",
        "auditorium",
        "講堂",
        "講義室",
        "ホール教室",
    ),
    "laboratory": ("laboratory", "lab", "research lab", "実験室", "研究室", "ラボ"),
    "reception": ("reception", "front desk", "information desk", "受付", "フロント", "インフォメーション"),
    "lobby": ("lobby", "foyer", "entrance hall", "ロビー", "エントランスホール"),
    "bedroom": ("bedroom", "guest room", "寝室", "客室"),
    "changing": ("changing room", "locker room", "更衣室", "ロッカー室"),
    "electrical": ("electrical room", "electrical", "switch room", "電気室", "配電室"),
    "mechanical": ("mechanical room", "mechanical", "boiler room", "機械室", "ボイラー室"),
    "janitor": (
        "janitor",
        "janitor's room",
        "janitor closet",
        "cleaner's room",
        "cleaning room",
        "清掃用具室",
        "掃除用具室",
    ),
    "technical": ("technical room", "plant room", "utility room", "設備室"),
    "copy": ("copy room", "print room", "printing room", "コピー室", "印刷室"),
    "music": ("music room", "音楽室"),
    "staff": ("staff room", "staffroom", "teachers room", "職員室", "教員室"),
    "terrace": ("terrace", "balcony", "テラス", "バルコニー", "ベランダ"),
    "vestibule": ("vestibule", "windbreak room", "風除室"),
    "corridor": ("corridor", "hallway", "hall", "passage", "廊下", "通路", "ホール"),
    "stairs": ("stairs", "stair", "stairwell", "staircase", "stairway", "階段"),
    "lift": ("lift", "elevator", "エレベーター", "エレベータ", "昇降機"),
    "escalator": ("escalator", "エスカレーター", "エスカレータ"),
    "ramp": ("ramp", "スロープ"),
    "exit": (
        "exit",
        "way out",
        "entrance",
        "main entrance",
        "front entrance",
        "front door",
        "main door",
        "正面玄関",
        "正面入口",
        "メインエントランス",
        "emergency exit",
        "出口",
        "入口",
        "非常口",
        "玄関",
        "出入口",
    ),
}

# Kind -> the wider kind that its rooms have, too.
WIDER = {
    **dict.fromkeys(("women's toilet", "men's toilet", "accessible toilet", "unisex toilet"), "toilet"),
    **dict.fromkeys(("electrical", "mechanical"), "technical"),
    "break": "lounge",
    **dict.fromkeys(("restaurant", "canteen", "cafe", "fast food", "food court", "bar"), "food"),
}

# Number or remark at the end of a name. Each text has one division only, so that matching ends.
_AT_END = re.compile(r"(?:\s+(?=[-\w]*\d)[^\s(]+|\s*\([^)]*\))+$")
_WIDE_ENDS = (" room", " rooms", " closet", " equipment")
# Last letter of Latin: café has one beyond ASCII.
_LATIN_END = 0x24F
# Kinds that people pass through and do not count as rooms to be in.
CIRCULATION = ("corridor", "stairs", "lift", "escalator", "ramp", "exit")

_KIND_OF = {fold(word): kind for kind, names in KINDS.items() for word in names}
# By the first two letters: a large building has 100,000 names, and hundreds of words each are too many to look for.
_BY_START: dict[str, list[str]] = {}
for _word in _KIND_OF:
    _BY_START.setdefault(_word[:2], []).append(_word)
# As some files write them: conveniencestore.
_JOINED = {word.replace(" ", ""): kind for word, kind in _KIND_OF.items()}


def kind_name(kind: str, language: str = "en", count: int = 1) -> str:
    """Return the word for a kind, in English in the plural for another count than 1: "meeting rooms", 会議室."""
    names = KINDS.get(kind, (kind,))
    if language == "ja":
        return next((word for word in names if ord(word[0]) > _LATIN_END), names[0])
    name = names[0]
    if count == 1 or name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def find_kind(text: str) -> str | None:
    """Return the kind that a word means ("restrooms", "お手洗い"), or None."""
    word = spelled(text)
    for start in ("nearest ", "closest ", "the ", "a ", "an ", "最寄りの", "一番近い", "近くの"):
        word = word.removeprefix(start)
    forms = (word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y")
    return next((kind for form in forms if (kind := _KIND_OF.get(form) or _JOINED.get(form))), None)


def kind_of(room: Rectangle) -> str | None:
    """Return a room's kind from its file, else from its name."""
    return find_kind(room.kind) or fold(room.kind) if room.kind else kind_of_name(room.name)


def kinds_of(room: Rectangle) -> list[str]:
    """Return all kinds of a room: its own, those of its file's words, that of its name, and the wider ones."""
    kinds = [kind_of(room), *(find_kind(word) or fold(word) for word in room.kinds or ())]
    by_name = [kind for name in (room.name, *(room.names or {}).values()) if (kind := kind_of_name(name))]
    kinds += [kind for kind in by_name if kind not in CIRCULATION]
    found = [kind for kind in kinds if kind]
    return list(dict.fromkeys((*found, *(WIDER[kind] for kind in found if kind in WIDER))))


def kind_of_name(text: str) -> str | None:
    """Return the kind in a room's name ("Staff kitchen 2"), or None."""
    if kind := find_kind(text):
        return kind
    name = _AT_END.sub("", spelled(text))
    # The last word of "elevator equipment room" says that it is no lift.
    ends = name.endswith(_WIDE_ENDS)
    matches = [(len(word), _KIND_OF[word]) for word in _words_in(name) if not ends or name.endswith(word)]
    return max(matches)[1] if matches else None


def kinds_in(building: MapDefinitionContent) -> list[str]:
    """Return the kinds in a building, links and exits included, in the order of `KINDS`."""
    kinds = {kind for floor in building.floors for room in floor.rectangles if (kind := kind_of(room))}
    kinds |= {link.kind for link in building.links or []}
    kinds |= {"exit" for floor in building.floors for door in floor.doors or [] if len(door.rooms) == 1}
    order = list(KINDS)
    return sorted(kinds, key=lambda kind: (order.index(kind) if kind in order else len(order), kind))


def _words_in(name: str) -> Iterator[str]:
    """Yield `kitchen` of "staff kitchen 2", トイレ of 男子トイレ; never a word inside a word of letters."""
    for at in range(len(name)):
        for word in (*_BY_START.get(name[at], ()), *_BY_START.get(name[at : at + 2], ())):
            before, after = name[at - 1 : at], name[at + len(word) : at + len(word) + 1]
            alone = not word.isascii() or not (
                (before.isalpha() and before.isascii()) or (after.isalpha() and after.isascii())
            )
            if alone and name.startswith(word, at):
                yield word
