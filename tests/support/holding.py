"""The text that an object holds on to, whatever its attributes are called: bounds of memory, counted in characters."""

from collections.abc import Iterable, Mapping
from typing import Any


def characters_of(thing: Any) -> int:
    """Return the number of characters of all texts that an object reaches through its attributes; each object counts once."""
    waiting, received, size = [thing], set[int](), 0
    while waiting:
        thing = waiting.pop()
        if id(thing) in received or isinstance(thing, type) or callable(thing):
            continue
        received.add(id(thing))
        if isinstance(thing, str):
            size += len(thing)
        elif isinstance(thing, Mapping):
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset):
            waiting += thing
        else:
            waiting += getattr(thing, "__dict__", {}).values()
            slots: Iterable[str] = getattr(thing, "__slots__", ())
            waiting += [getattr(thing, name) for name in slots if hasattr(thing, name)]
    return size
