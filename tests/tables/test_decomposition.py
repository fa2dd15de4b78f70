"""Parts of a change: their sum is the change, on a thousand random tables; and the two effects of a rate."""

import math
import random

import pytest

from smoldesk.tables.inside.decomposition import Amount, decompose


def _random_sides(chance: random.Random) -> tuple[dict[object, Amount], dict[object, Amount]]:
    """Categories with totals of any sign and size; some are missing on a side, and some weights are zero."""
    size = 10.0 ** chance.randint(-6, 9)
    names = [f"c{number}" for number in range(chance.randint(1, 40))]

    def side() -> dict[object, Amount]:
        kept = [name for name in names if chance.random() < 0.8] or names[:1]
        amounts: dict[object, Amount] = {
            name: Amount(chance.uniform(-size, size), chance.choice([0.0, 1.0, chance.uniform(0, 1e6)]))
            for name in kept
        }
        amounts[kept[0]] = Amount(chance.uniform(-size, size), 5.0)
        return amounts

    return side(), side()


@pytest.mark.parametrize("is_rate", [False, True])
def test_the_parts_of_a_thousand_random_tables_sum_to_the_change(is_rate: bool) -> None:
    chance = random.Random(47)
    for _ in range(1_000):
        before, after = _random_sides(chance)
        found = decompose(before, after, is_rate=is_rate)
        largest = max(abs(part.effect) for part in found.parts) + abs(found.before) + abs(found.after)
        assert math.fsum(part.effect for part in found.parts) == pytest.approx(
            found.change, abs=1e-10 * largest
        )


def test_a_rate_that_moved_only_by_its_mix_has_no_rate_effect() -> None:
    before = {"cheap": Amount(100, 100), "dear": Amount(100, 10)}
    after = {"cheap": Amount(50, 50), "dear": Amount(600, 60)}
    found = decompose(before, after, is_rate=True)
    assert [part.rate_effect for part in found.parts] == [0, 0]
    assert found.change == pytest.approx(650 / 110 - 200 / 110)
    assert all(part.mix_effect > 0 for part in found.parts), "less of the low rate and more of the high one"


def test_a_new_category_acts_by_the_mix_alone() -> None:
    before = {"old": Amount(10, 10)}
    after = {"old": Amount(10, 10), "new": Amount(40, 10)}
    found = decompose(before, after, is_rate=True)
    new = next(part for part in found.parts if part.category == "new")
    assert (new.rate_effect, math.isnan(new.before), new.after) == (0, True, 4)
    assert found.change == pytest.approx(1.5)


def test_an_even_change_is_not_uneven() -> None:
    before = {"a": Amount(10), "b": Amount(30)}
    even = decompose(before, {"a": Amount(20), "b": Amount(60)}, is_rate=False)
    uneven = decompose(before, {"a": Amount(50), "b": Amount(30)}, is_rate=False)
    assert (even.unevenness(), uneven.unevenness()) == (0, 60)
