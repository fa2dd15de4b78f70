"""Answers that compare: rooms of a kind by floor, kinds of rooms, ranks and averages of sizes. Pure."""

from collections import Counter
from collections.abc import Sequence

from smoldesk.buildings.kinds import kind_name, kind_of
from smoldesk.buildings.places import Spot
from smoldesk.buildings.room_facts import Size, room_at, rooms_by_door, rooms_by_wall, size_of
from smoldesk.buildings.room_texts import RoomTexts

MAX_RANKED = 50
# Colours that tell kinds of rooms apart, in English and Japanese, the first for the most frequent kind.
OF_KINDS = (
    ("blue", "青"),
    ("orange", "オレンジ"),
    ("green", "緑"),
    ("purple", "紫"),
    ("red", "赤"),
    ("yellow", "黄"),
    ("cyan", "水色"),
    ("brown", "茶"),
    ("pink", "ピンク"),
    ("teal", "青緑"),
    ("lime", "黄緑"),
    ("navy", "紺"),
    ("magenta", "赤紫"),
    ("gray", "グレー"),
)


def compare_areas(texts: RoomTexts, which: str, spots: Sequence[Spot]) -> str:
    """Return the area of each floor's rooms together, the largest or the smallest floor first."""
    areas: dict[str, list[Size]] = {}
    for spot in spots:
        areas.setdefault(spot[0], []).append(size_of(*room_at(texts.definition, spot)))
    sums = {
        floor: Size(sum(size.value for size in sizes), all(size.in_metres for size in sizes))
        for floor, sizes in areas.items()
    }
    order = sorted(sums, key=lambda floor: sums[floor].value, reverse=which == "largest")
    each = [
        f"{texts.floor(floor)} {sums[floor].in_japanese() if texts.is_japanese else sums[floor]}"
        for floor in order
    ]
    if texts.is_japanese:
        word = "最も広い" if which == "largest" else "最も狭い"
        return f"{word}階は{texts.floor(order[0])}です。部屋の広さの合計：{'、'.join(each)}。"
    return f"The {which} floor is {texts.floor(order[0])}. Area of its rooms together: {', '.join(each)}."


def compare_floors(
    texts: RoomTexts, which: str, kind: str, floor_ids: Sequence[str], spots: Sequence[Spot]
) -> str:
    """Return the number of rooms on each floor, and the floors with the most, the fewest or none of them."""
    counts = dict.fromkeys(floor_ids, 0) | Counter(floor for floor, _ in spots)
    most, fewest = max(counts.values()), min(counts.values())
    wanted = {"most": most, "fewest": fewest, "none": 0}.get(which)
    floors = [texts.floor(floor) for floor, count in counts.items() if count == wanted]
    each = [f"{texts.floor(floor)}: {count}" for floor, count in counts.items()]
    total = sum(counts.values())
    if texts.is_japanese:
        noun = kind_name(kind, "ja") if kind else "部屋"
        listing = f"階別：{'、'.join(each)}（合計{total}）。"
        names = texts.join(floors)
        if which == "none":
            first = f"{noun}がない階：{names}。" if floors else f"{noun}はすべての階にあります。"
        else:
            word = "最も多い" if which == "most" else "最も少ない"
            first = (
                f"{noun}が{word}のは{names}です（{'各' if len(floors) > 1 else ''}{wanted}）。"
                if floors
                else ""
            )
        return first + listing
    noun = kind_name(kind, "en", 2) if kind else "rooms"
    listing = f"{noun[0].upper()}{noun[1:]} by floor: {', '.join(each)} ({total} in total)."
    names = texts.join(floors)
    if which == "none":
        return (f"No {noun} on {names}. " if floors else f"Every floor has {noun}. ") + listing
    verb = "have" if len(floors) > 1 else "has"
    first = (
        f"{names} {verb} the {which} {noun}: {wanted}{' each' if len(floors) > 1 else ''}. " if floors else ""
    )
    return first + listing


def kinds_of_rooms(texts: RoomTexts, spots: Sequence[Spot]) -> tuple[str, dict[str, list[Spot]]]:
    """Return the kinds of some rooms with their numbers and colours, the most frequent first; and the rooms by colour.

    The least frequent kinds have no colour if there are more kinds than colours.
    """
    kinds: dict[str, list[Spot]] = {}
    for spot in spots:
        kinds.setdefault(kind_of(room_at(texts.definition, spot)[1]) or "", []).append(spot)
    without = len(kinds.pop("", []))
    ordered = sorted(kinds, key=lambda kind: -len(kinds[kind]))
    colours = dict(zip(ordered, OF_KINDS, strict=False))
    painted = {colours[kind][0]: kinds[kind] for kind in colours}
    if texts.is_japanese:
        listing = "、".join(
            f"{kind_name(kind, 'ja')}{len(kinds[kind])}"
            + (f"（{colours[kind][1]}）" if kind in colours else "")
            for kind in ordered
        )
        more = f"種類の記載がない部屋：{without}。" if without else ""
        return f"部屋の種類：{listing or 'なし'}。{more}", painted
    listing = ", ".join(
        f"{len(kinds[kind])} {kind_name(kind, 'en', len(kinds[kind]))}"
        + (f" ({colours[kind][0]})" if kind in colours else "")
        for kind in ordered
    )
    more = f" Without a kind: {without}." if without else ""
    return f"Kinds of rooms: {listing or 'none'}.{more}", painted


def ranked(
    texts: RoomTexts, largest: bool, first: int, count: int, spots: Sequence[Spot]
) -> tuple[str, list[Spot]]:
    """Return `count` rooms from rank `first` on by size, with the rank of each."""
    sizes = {spot: size_of(*room_at(texts.definition, spot)) for spot in spots}
    order = sorted(sizes, key=lambda spot: sizes[spot].value, reverse=largest)[first - 1 : first - 1 + count]
    lines: list[str] = []
    for rank, spot in enumerate(order, first):
        size = sizes[spot].in_japanese() if texts.is_japanese else str(sizes[spot])
        place = (
            f"（{texts.floor(spot[0])}、{size}）"
            if texts.is_japanese
            else f" ({texts.floor(spot[0])}, {size})"
        )
        lines.append(f"{rank}. {spot[1]}{place}")
    return "\n".join(lines), order


def passed_over(
    texts: RoomTexts, largest: bool, count: int, inner: Sequence[Spot], spots: Sequence[Spot]
) -> str:
    """Return the line about corridors, halls and stairs that would be among the first `count` rooms; empty for none."""
    sizes = {spot: size_of(*room_at(texts.definition, spot)) for spot in spots}
    order = sorted(sizes, key=lambda spot: sizes[spot].value, reverse=largest)[:count]
    names = [
        f"{spot[1]}（{texts.floor(spot[0])}、{sizes[spot].in_japanese()}）"
        if texts.is_japanese
        else f"{spot[1]} ({texts.floor(spot[0])}, {sizes[spot]})"
        for spot in order
        if spot not in inner
    ]
    if not names:
        return ""
    listing = texts.join(names)
    return (
        f"\n廊下・ホール・階段などは数えていません。含めると{listing}も入ります。"
        if texts.is_japanese
        else f"\nCorridors, halls and stairs are not counted; with them, {listing} would be among these."
    )


def average_size(texts: RoomTexts, noun: str, spots: Sequence[Spot]) -> str:
    """Return the mean area of some rooms."""
    sizes = [size_of(*room_at(texts.definition, spot)) for spot in spots]
    mean = Size(sum(size.value for size in sizes) / len(sizes), all(size.in_metres for size in sizes))
    if texts.is_japanese:
        return f"{noun}{len(spots)}室の平均の広さは{mean.in_japanese()}です。"
    return f"The average area of the {len(spots)} {noun} is {mean}."


def between(texts: RoomTexts, first: Spot, second: Spot) -> tuple[str, list[Spot]]:
    """Return the rooms that both of two rooms adjoin, by a door or a wall."""
    names = [_beside(texts, spot) for spot in (first, second)]
    common = [name for name in names[0] if name in names[1] and name not in (first[1], second[1])]
    adjoin = second[1] in names[0]
    listing = texts.join(common)
    if texts.is_japanese:
        text = f"{first[1]}と{second[1]}の両方に隣接する部屋：{listing or 'なし'}。"
        text += f"{first[1]}と{second[1]}は隣り合っています。" if adjoin else ""
    else:
        text = f"Rooms that adjoin both {first[1]} and {second[1]}: {listing or 'none'}."
        text += f" {first[1]} and {second[1]} adjoin each other." if adjoin else ""
    return text, [(first[0], name) for name in common if first[0] == second[0]]


def _beside(texts: RoomTexts, spot: Spot) -> list[str]:
    floor, room = room_at(texts.definition, spot)
    return list(dict.fromkeys((*rooms_by_door(texts.graph, spot), *rooms_by_wall(floor, room))))
