"""`kill -9` between a grant and its payment: the money was taken once or not at all, and no restart takes it again.

A desk kills itself at a line that was counted beforehand, then another one is opened on its data.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import pytest

from tests.support.killed_desk import Desks, Report

pytestmark = pytest.mark.long

BETWEEN = 50
"""Points from the commit of the grant to the end of the payment's transaction, in `make test-slow`."""
BETWEEN_ON_POSTGRESQL = {False: 3, True: 7}
"""By whether it is `make test-slow`."""
AFTER = 6
"""Points from the payment to about the end of its step."""
ON_THE_WAY = {
    "runs/asks/waiting.py",
    "runs/asking.py",
    "runs/context.py",
    "tools/demo/payment.py",
    "store/wallet.py",
    "store/writer.py",
    "store/transaction.py",
    "store/transactions.py",
}
"""Where a payment passes between its grant and its commit; no point may be missed in any of them."""


@pytest.fixture(scope="module")
def helpers() -> Iterator[list[Desks]]:
    desks = [Desks(), Desks()]
    yield desks
    for desk in desks:
        desk.close()


def spread(first: int, last: int, count: int) -> list[int]:
    """`count` different numbers from first to last, both included."""
    return [first + (last - first) * index // (count - 1) for index in range(count)]


def killed_at(helpers: list[Desks], folder: Path, database_url: str, points: list[int]) -> list[Report]:
    """A desk killed at each point, and what the next one found."""
    free: SimpleQueue[Desks] = SimpleQueue()
    for desks in helpers:
        free.put(desks)

    def item(point: int) -> Report:
        desks = free.get()
        try:
            killed = desks.pay(folder / str(point), database_url, point)
            result = desks.look(folder / str(point), database_url, killed["chat_id"])
        finally:
            free.put(desks)
        return {"point": point, "killed": killed["ended"], **result}

    with ThreadPoolExecutor(len(helpers)) as pool:
        return list(pool.map(item, points))


def in_each_place(places: list[str], many: bool) -> list[int]:
    """The first, a middle and the last line that ran, a middle one of each place on the way, of `many` its first, too."""
    points = {1, len(places) // 2, len(places)}
    for place in ON_THE_WAY:
        lines = [number for number, existing in enumerate(places, 1) if existing == place]
        points |= {lines[len(lines) // 2], lines[0 if many else len(lines) // 2]}
    return sorted(points)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "many"])
def test_a_kill_leaves_the_balance_before_or_after_and_nothing_pays_again(
    helpers: list[Desks], tmp_path: Path, database_url: str, many: bool
) -> None:
    counted = helpers[0].pay(tmp_path / "counted", database_url)
    paid_at = counted["paid_at"]
    assert 100 < paid_at < counted["lines"]
    if database_url:
        between = spread(1, paid_at, BETWEEN_ON_POSTGRESQL[many])
    else:
        between = in_each_place(counted["places"][:paid_at], many)
        between = sorted({*between, *spread(1, paid_at, BETWEEN)}) if many else between
    after = spread(paid_at + 10, paid_at + 600, AFTER if many else 2)
    assert len(set(between)) == len(between)
    if not database_url:
        assert {counted["places"][point - 1] for point in between} >= ON_THE_WAY

    result = killed_at(helpers, tmp_path, database_url, [*between, *after])

    for report in result:
        assert report["killed"] == -9, report
        assert report["ended"] == 0, report
        assert (report["closing"], report["code"], report["state"]) == (
            "run_failed",
            "server_restarted",
            ["failed"],
        )
        assert report["paid"] in ([], [3_000]), report
        # the same call once more: told what was paid, or refused, since its run is closed
        assert report["again"] == (97_000 if report["paid"] else None), report
        # the next payment, of a dollar, sees exactly one of the two balances
        assert report["balance"] == (969 if report["paid"] else 999), report
        assert len(report["asks"]) == 1, report
    paid = [report["point"] for report in result if report["paid"]]
    unpaid = [report["point"] for report in result if not report["paid"]]
    # a lease that is renewed meanwhile adds about a hundred lines, to the count or to a killed desk
    assert between[0] in unpaid
    assert len(unpaid) >= len(between) / 2, "the points do not lie between the grant and the payment"
    assert paid, "no point lies after the payment"
