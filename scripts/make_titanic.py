"""Make `titanic.csv`: 891 invented passengers who add up to the published counts.

Run `python scripts/make_titanic.py [FOLDER]`. Each group (class, sex, survived) gets exactly its published
number of people, ports, children, unknown ages and lone travellers, and its mean age and fare; within that
the people are drawn at random from a fixed seed, so the file comes out the same every time. The counts are
in `titanic_counts.py`.
"""

import csv
import io
import math
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import titanic_counts as counts

SEED = 1912
BUNDLED = Path(__file__).parents[1] / "backend" / "data" / "datasets"
CLASSES = {1: "First", 2: "Second", 3: "Third"}
TOWNS = {"C": "Cherbourg", "Q": "Queenstown", "S": "Southampton", "": ""}
COLUMNS = [
    "survived",
    "pclass",
    "sex",
    "age",
    "sibsp",
    "parch",
    "fare",
    "embarked",
    "class",
    "who",
    "adult_male",
    "deck",
    "embark_town",
    "alive",
    "alone",
]
USUAL_FARES = {
    1: (26.55, 30.5, 35.5, 52.0, 53.1),
    2: (10.5, 12.35, 13.0, 13.0, 26.0),
    3: (7.225, 7.25, 7.75, 7.775, 7.8958, 7.8958, 7.925, 8.05, 8.05, 8.6625),
}
FARE_RANGE = {1: (25.5875, 263.0), 2: (10.5, 73.5), 3: (6.2375, 69.55)}
DEAREST = 512.3292
OLDEST = ((1, "male", 1), 80.0)
_T = TypeVar("_T")


@dataclass(eq=False)
class Passenger:
    """One invented person; `age` is None when unknown, `family` counts everyone they travelled with."""

    group: counts.Group
    child: bool = False
    age: float | None = None
    port: str = ""
    siblings: int = 0
    parents: int = 0
    fare: float = 0.0
    deck: str = ""
    alone: bool = False

    @property
    def family(self) -> int:
        return self.siblings + self.parents


def make() -> list[Passenger]:
    """All passengers, in a random order."""
    luck = random.Random(SEED)
    people: list[Passenger] = []
    for group, size in counts.SIZES.items():
        members = [Passenger(group) for _ in range(size)]
        give_ages(members, luck)
        give_ports(members, luck)
        people += members
    give_families(people, luck)
    for group in counts.SIZES:
        give_fares([one for one in people if one.group == group], luck)
    give_decks(people, luck)
    luck.shuffle(people)
    return people


def spread(quota: Mapping[_T, int], luck: random.Random) -> list[_T]:
    """Every key as often as the quota says, shuffled."""
    values = [key for key, number in quota.items() for _ in range(number)]
    luck.shuffle(values)
    return values


def give_ages(members: list[Passenger], luck: random.Random) -> None:
    """Children, unknown ages and adults as counted; the adults are drawn to meet the group's mean age."""
    group = members[0].group
    young = counts.CHILDREN.get(group, 0)
    unknown = counts.AGE_UNKNOWN.get(group, 0)
    for child in members[:young]:
        child.child = True
        child.age = _child_age(luck)
    adults = members[young : len(members) - unknown]
    total = counts.MEAN_AGE[group] * (len(members) - unknown)
    rest = total - sum(child.age or 0 for child in members[:young])
    if group == OLDEST[0]:
        adults[0].age = OLDEST[1]
        rest -= OLDEST[1]
        adults = adults[1:]
    mean = rest / len(adults)
    for adult in adults:
        adult.age = float(min(71, max(16, round(16 + (mean - 16) * luck.gammavariate(2.6, 1 / 2.6)))))
        if luck.random() < 0.02 and adult.age < 60:
            adult.age += 0.5
    _meet(adults, rest, luck)


def _child_age(luck: random.Random) -> float:
    if luck.random() < 0.09:
        return round(luck.randint(5, 11) / 12, 2)
    return float(min(15, 1 + int(luck.random() ** 1.4 * 15)))


def _meet(adults: list[Passenger], total: float, luck: random.Random) -> None:
    """Make people a year older or younger until the ages sum to the total, as near as whole years allow."""
    for _ in range(100_000):
        gap = total - sum(adult.age or 0 for adult in adults)
        if abs(gap) <= 0.5:
            return
        adult = luck.choice(adults)
        moved = (adult.age or 0) + math.copysign(1, gap)
        if 16 <= moved <= 71:
            adult.age = moved
    raise RuntimeError(f"the ages of {adults[0].group} do not reach {total}")


def give_ports(members: list[Passenger], luck: random.Random) -> None:
    for one, port in zip(members, spread(counts.PORTS[members[0].group], luck), strict=True):
        one.port = port


def give_families(people: list[Passenger], luck: random.Random) -> None:
    """Lone travellers per group as counted (never children); the two family columns as counted over all."""
    for group, number in counts.ALONE.items():
        adults = [one for one in people if one.group == group and not one.child]
        for one in luck.sample(adults, number):
            one.alone = True
    together = [one for one in people if not one.alone]
    children = [one for one in together if one.child]
    adults = [one for one in together if not one.child]
    luck.shuffle(children)
    luck.shuffle(adults)
    with_parents = len(people) - counts.PARENTS[0]
    with_siblings = len(people) - counts.SIBLINGS[0]
    with_both = with_parents + with_siblings - len(together)
    both = children[:60] + adults[: with_both - 60]
    adults = adults[with_both - 60 :]
    only_parents = children[60:] + adults[: with_parents - with_both - (len(children) - 60)]
    only_siblings = adults[with_parents - with_both - (len(children) - 60) :]
    _rank(both + only_siblings, counts.SIBLINGS, _many_siblings, luck, "siblings")
    _rank(both + only_parents, counts.PARENTS, _many_children, luck, "parents")


def _rank(
    people: list[Passenger],
    quota: dict[int, int],
    score: Callable[[Passenger], float],
    luck: random.Random,
    field: str,
) -> None:
    """Hand the larger numbers to those with the higher score, with some luck."""
    numbers = sorted(number for number, often in quota.items() if number for _ in range(often))
    order = sorted(people, key=lambda one: score(one) + luck.random())
    for one, number in zip(order, numbers, strict=True):
        setattr(one, field, number)


def _many_siblings(one: Passenger) -> float:
    """Large sets of siblings were children in third class, most of whom died."""
    pclass, _, survived = one.group
    return 1.0 * one.child + 0.5 * (pclass == 3) + 0.75 * (not survived)


def _many_children(one: Passenger) -> float:
    """Children travelled with one or two parents; mothers in third class with the most children."""
    pclass, sex, _ = one.group
    return 0.5 * one.child + 0.9 * (sex == "female" and pclass == 3 and not one.child)


def give_fares(members: list[Passenger], luck: random.Random) -> None:
    """Usual fares for most lone travellers, more for families; the rest is scaled to the group's mean."""
    group = members[0].group
    low, high = FARE_RANGE[group[0]]
    free = luck.sample([one for one in members if one.alone], counts.FREE_FARES.get(group, 0))
    dearest = {(1, "female", 1): 1, (1, "male", 1): 2}.get(group, 0)
    rich = luck.sample([one for one in members if one.port == "C"], dearest)
    weights: dict[Passenger, float] = {}
    for one in members:
        usual = luck.choice(USUAL_FARES[group[0]])
        weight = luck.lognormvariate(0, 0.55 if group[0] == 1 else 0.3) * (1 + 0.5 * min(one.family, 6))
        if one in rich:
            one.fare = DEAREST
        elif one not in free:
            one.fare = usual
            if not (one.alone and luck.random() < (0.25, 0.6, 0.85)[group[0] - 1]):
                weights[one] = weight
    fixed = sum(one.fare for one in members if one not in weights)
    wanted = counts.MEAN_FARE[group] * len(members) - fixed
    scale = _solve(list(weights.values()), wanted, low, high)
    for one, weight in weights.items():
        one.fare = _pence(min(high, max(low, scale * weight)))


def _solve(weights: list[float], wanted: float, low: float, high: float) -> float:
    """The factor that makes the clipped fares sum to what is wanted, by halving."""
    under, over = 0.0, high / min(weights)
    for _ in range(100):
        middle = (under + over) / 2
        if sum(min(high, max(low, middle * weight)) for weight in weights) < wanted:
            under = middle
        else:
            over = middle
    return under


def _pence(fare: float) -> float:
    """Pounds as shillings and pence allow: whole 240ths, to four decimals."""
    return round(round(fare * 240) / 240, 4)


def give_decks(people: list[Passenger], luck: random.Random) -> None:
    for (pclass, survived), quota in counts.DECKS.items():
        group = [one for one in people if one.group[0] == pclass and one.group[2] == survived]
        decks = spread(quota, luck)
        for one, deck in zip(luck.sample(group, len(decks)), decks, strict=True):
            one.deck = deck


def row(one: Passenger) -> list[object]:
    """The passenger as seaborn's columns; None and "" are blanks."""
    pclass, sex, survived = one.group
    who = "child" if one.child else "man" if sex == "male" else "woman"
    return [
        survived,
        pclass,
        sex,
        one.age,
        one.siblings,
        one.parents,
        one.fare,
        one.port,
        CLASSES[pclass],
        who,
        who == "man",
        one.deck,
        TOWNS[one.port],
        "yes" if survived else "no",
        one.family == 0,
    ]


def text() -> str:
    """The whole file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row(one) for one in make())
    return out.getvalue()


def main(folder: Path) -> None:
    """Write `titanic.csv` into the folder."""
    (folder / "titanic.csv").write_text(text(), encoding="utf-8", newline="")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else BUNDLED)
