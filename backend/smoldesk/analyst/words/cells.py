"""What English cells are called in Japanese, by field of life, read once from the files in `cells/`.

    values = "red, 赤, 赤色; red wine, 赤ワイン"   the cell, its other spellings, then its Japanese words, usual ones first
    done = "delivered: 配達, 納品"                 nouns of deeds of which the cell is the end: 配達済み, 配達した, 配達された
    passed = "shipped: 発送"                       the same where more may follow, so that 発送した is true of more: 発送済み
    going = "in progress: 対応"                    deeds that are under way: 対応中, 対応している
    undone = "unpaid: 入金"                        deeds that are not done: 未入金, 入金していない
    parts = "branch, 店"                           words that stand beside another one in a cell, and name none alone

A cell that stands in several places is one list. Words of harmless speech (多い, 全部, 結果) have no place here.
"""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from smoldesk.analyst.words.glossary import VALUES
from smoldesk.analyst.words.japanese import words_of
from smoldesk.analyst.words.text import inflections, is_japanese, key

FOLDER = Path(__file__).with_name("cells")
_ENDINGS = {
    "done": ("済み", "済", "ずみ", "完了", "した", "された", "しました", "されました"),
    "passed": ("済み", "済", "ずみ", "完了"),
    "going": ("中", "している", "してる", "されている"),
    "undone": ("していない", "してない", "されていない", "されてない", "待ち", "前"),
}
_SAID_APART = frozenset(
    ("us", "it", "la", "on", "go", "may", "off", "for", "set", "no", "sub", "post", "mar", "sat", "sun")
)
"""Names of cells that English sentences hold as words of their own: cells are known by them, none is asked for by them."""
_MOST_PARTS = 4
_CELLS_KEPT = 8192
_SPANS = (
    (
        "曜日, weekday, day of the week, day of week",
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
    ),
    (
        "月, month",
        "january, february, march, april, may, june, july, august, september, october, november, december",
    ),
    ("季節, season", "spring, summer, autumn, fall, winter"),
)
"""What a column of such cells alone is called."""


def _lists(text: str) -> Iterator[str]:
    return (one for one in text.replace("\n", ";").split(";") if one.strip())


def _read() -> tuple[tuple[str, ...], ...]:
    found: dict[str, dict[str, None]] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        data: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))
        for one in _lists(data.get("values", "")):
            words = words_of(one)
            found.setdefault(words[0], {}).update(dict.fromkeys(words))
        for kind, endings in _ENDINGS.items():
            for one in _lists(data.get(kind, "")):
                cell, _, nouns = one.partition(":")
                forms = [f"{noun}{ending}" for noun in words_of(nouns) for ending in endings]
                if kind == "undone":
                    forms = [*(f"未{noun}" for noun in words_of(nouns)), *forms]
                found.setdefault(cell.strip(), {cell.strip(): None}).update(dict.fromkeys(forms))
    return tuple(tuple(words) for words in found.values())


CELLS: tuple[tuple[str, ...], ...] = _read()
"""Each cell with its other spellings and its Japanese words."""


@cache
def _by_word() -> dict[str, list[tuple[str, ...]]]:
    known: dict[str, list[tuple[str, ...]]] = {}
    for words in CELLS:
        for word in words:
            lists = known.setdefault(key(word), [])
            if words not in lists:
                lists.append(words)
    return known


def cells_called(term: str) -> list[tuple[str, ...]]:
    """The lists that hold a cell's key, in its singular or plural too."""
    known = _by_word()
    form = next((form for form in inflections(term) if form in known), "")
    return known.get(form, [])


def names_by_cells(cells: Iterable[str]) -> tuple[str, ...]:
    """What a column is called that holds days of the week, months or seasons alone, whatever its header says."""
    firsts = {next((words[0] for words in cells_called(key(cell))), "") for cell in cells}
    return next((words_of(names) for names, all_ in _SPANS if firsts and firsts <= set(words_of(all_))), ())


@lru_cache(maxsize=_CELLS_KEPT)  # the same cells come again in each chat
def said_of(term: str) -> dict[str, float]:
    """What else a cell of this key is called, and how surely: 3.5 at most, less for a word that is not its usual one.

    A Japanese cell is called by the English words of its lists, and by the other Japanese ones of the list in which it
    is the usual word.
    """
    said: dict[str, float] = {}
    for words in cells_called(term):
        keys = [key(word) for word in words]
        japanese = [word for word in keys if is_japanese(word)]
        if is_japanese(term):
            place = japanese.index(term) if term in japanese else 9
            named = keys if place == 0 else [word for word in keys if not is_japanese(word)]
        else:
            place = 0 if term not in keys else keys.index(term)
            named = keys
        for order, word in enumerate(named):
            if word != term and word not in _SAID_APART and (len(word) > 1 or is_japanese(word)):
                sure = 3.5 - 0.1 * min(place, 4) - 0.01 * min(order, 9)
                said[word] = max(sure, said.get(word, 0.0))
    return said


@lru_cache(maxsize=_CELLS_KEPT)
def cells_meant(term: str) -> tuple[str, ...]:
    """The cells of the other language that a key asks for: `delivered` of 配達済み, 配達済み and its like of `delivered`."""
    japanese = is_japanese(term)
    if not japanese and (len(term) <= 2 or term in _SAID_APART):
        return ()
    lists = (*_common().get(term, ()), *_by_word().get(term, ()))
    cells = (key(word) for words in lists for word in words if is_japanese(word) != japanese)
    return tuple(dict.fromkeys(cells))


@lru_cache(maxsize=_CELLS_KEPT)
def put_together(term: str) -> tuple[str, ...]:
    """What a cell of two or three words is called after its parts, both known: 札幌支店 and 札幌の支店 for `sapporo branch`."""
    parts = term.split(" ")
    if is_japanese(term) or not 2 <= len(parts) <= 3 or cells_called(term):
        return ()
    made: dict[str, None] = {}
    for cut in range(1, len(parts)):
        firsts, lasts = (_japanese(" ".join(half)) for half in (parts[:cut], parts[cut:]))
        made.update(dict.fromkeys(f"{a}{joint}{b}" for joint in ("", "の") for a in firsts for b in lasts))
    return tuple(made)


@cache
def _common() -> dict[str, list[tuple[str, ...]]]:
    """The lists of the glossary, by their words."""
    known: dict[str, list[tuple[str, ...]]] = {}
    for words in VALUES:
        for word in words:
            known.setdefault(key(word), []).append(words)
    return known


@cache
def _parts() -> dict[str, tuple[str, ...]]:
    data = tomllib.loads((FOLDER / "parts.toml").read_text(encoding="utf-8"))
    return {words[0]: words[1:] for words in map(words_of, _lists(data["parts"]))}


def _japanese(term: str) -> list[str]:
    lists = (_parts().get(term, ()), *_common().get(term, ()), *cells_called(term))
    words = (word for one in lists for word in one if is_japanese(word))
    return list(dict.fromkeys(words))[:_MOST_PARTS]
