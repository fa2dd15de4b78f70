"""Rows of costs that are kept for a while: those of large bent rooms, whose number grows as the square of the doors."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any


class RecentRows:
    """The rows used last, by state. Not safe for threads: its user holds a lock."""

    def __init__(self, most: int) -> None:
        """Keep rows with at most so many costs in all."""
        self.most = most
        self.size = 0
        self._rows: OrderedDict[int, Any] = OrderedDict()

    def find(self, states: Sequence[int], compute: Callable[[list[int]], Iterable[Any]]) -> list[Any]:
        """Return the rows of states; `compute` returns those that are not kept."""
        rows = {state: self._rows[state] for state in states if state in self._rows}
        missing = [state for state in dict.fromkeys(states) if state not in rows]
        if missing:
            rows.update(zip(missing, compute(missing), strict=True))
        for state, row in rows.items():
            self._keep(state, row)
        return [rows[state] for state in states]

    def _keep(self, state: int, row: Any) -> None:
        if state not in self._rows:
            self._rows[state] = row.copy()  # the row may be part of a large array, which would stay with it
            self.size += len(row)
        self._rows.move_to_end(state)
        while self.size > self.most:
            self.size -= len(self._rows.popitem(last=False)[1])
