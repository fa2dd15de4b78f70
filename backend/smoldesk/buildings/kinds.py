"""Kinds of rooms in English and Japanese words: "toilet", "restroom", お手洗い. Pure."""

from smoldesk.buildings.names import fold
from smoldesk.messages import MapDefinitionContent, Rectangle

# Kind -> its words; a kind from a file also is its own word.
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
    "bathroom": ("bathroom", "bath", "shower", "浴室", "風呂", "お風呂", "シャワー室", "バスルーム"),
    "kitchen": ("kitchen", "kitchenette", "pantry", "キッチン", "台所", "給湯室"),
    "meeting": ("meeting room", "meeting", "conference room", "会議室", "ミーティングルーム", "打ち合わせ室"),
    "office": ("office", "workplace", "オフィス", "事務室", "執務室"),
    "library": ("library", "reading room", "図書室", "図書館", "ライブラリ"),
    "lounge": ("lounge", "break room", "ラウンジ", "休憩室", "休憩所"),
    "storage": ("storage", "store room", "storeroom", "倉庫", "物置", "保管室"),
    "workshop": ("workshop", "工房", "作業場", "作業室", "ワークショップ"),
    "server": ("server room", "data centre", "サーバー室", "サーバールーム", "サーバ室"),
    "garage": ("garage", "car park", "parking", "ガレージ", "車庫", "駐車場"),
    "cafe": ("cafe", "café", "canteen", "cafeteria", "restaurant", "カフェ", "食堂", "レストラン"),
    "shop": ("shop", "store", "kiosk", "売店", "店", "店舗"),
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
    "technical": ("technical room", "plant room", "mechanical room", "electrical room", "機械室", "電気室"),
    "corridor": ("corridor", "hallway", "hall", "passage", "廊下", "通路", "ホール"),
    "stairs": ("stairs", "staircase", "stairway", "階段"),
    "lift": ("lift", "elevator", "エレベーター", "エレベータ", "昇降機"),
    "escalator": ("escalator", "エスカレーター", "エスカレータ"),
    "ramp": ("ramp", "スロープ"),
    "exit": ("exit", "way out", "entrance", "emergency exit", "出口", "入口", "非常口", "玄関", "出入口"),
}

# Kinds that people pass through and do not count as rooms to be in.
CIRCULATION = ("corridor", "stairs", "lift", "escalator", "ramp", "exit")

_KIND_OF = {fold(word): kind for kind, names in KINDS.items() for word in names}


def kind_name(kind: str, language: str = "en", count: int = 1) -> str:
    """Return the word for a kind, in English in the plural for another count than 1: "meeting rooms", 会議室."""
    names = KINDS.get(kind, (kind,))
    if language == "ja":
        return next((word for word in names if not word.isascii()), names[0])
    name = names[0]
    if count == 1 or name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def find_kind(text: str) -> str | None:
    """Return the kind that a word means ("restrooms", "お手洗い"), or None."""
    word = fold(text)
    for start in ("nearest ", "closest ", "the ", "a ", "an ", "最寄りの", "一番近い", "近くの"):
        word = word.removeprefix(start)
    return _KIND_OF.get(word) or _KIND_OF.get(word.removesuffix("s")) or _KIND_OF.get(word.removesuffix("es"))


def kind_of(room: Rectangle) -> str | None:
    """Return a room's kind from its file, else from its name."""
    return find_kind(room.kind) or fold(room.kind) if room.kind else kind_of_name(room.name)


def kind_of_name(text: str) -> str | None:
    """Return the kind in a room's name ("Staff kitchen 2"), or None."""
    name = fold(text)
    if kind := find_kind(name):
        return kind
    matches = [(len(word), kind) for word, kind in _KIND_OF.items() if _in_name(word, name)]
    return max(matches)[1] if matches else None


def kinds_in(building: MapDefinitionContent) -> list[str]:
    """Return the kinds in a building, links and exits included, in the order of `KINDS`."""
    kinds = {kind for floor in building.floors for room in floor.rectangles if (kind := kind_of(room))}
    kinds |= {link.kind for link in building.links or []}
    kinds |= {"exit" for floor in building.floors for door in floor.doors or [] if len(door.rooms) == 1}
    order = list(KINDS)
    return sorted(kinds, key=lambda kind: (order.index(kind) if kind in order else len(order), kind))


def _in_name(word: str, name: str) -> bool:
    """`kitchen` in "staff kitchen 2", トイレ in 男子トイレ; never a word inside a word of letters."""
    at = name.find(word)
    if at < 0:
        return False
    before, after = name[at - 1 : at], name[at + len(word) : at + len(word) + 1]
    return not word.isascii() or not (
        (before.isalpha() and before.isascii()) or (after.isalpha() and after.isascii())
    )
