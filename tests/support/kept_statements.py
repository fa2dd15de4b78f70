"""SQL of statements that is compiled once in a test process, whichever engine ran it first.

SQLAlchemy keeps it by engine. Each desk of a test has two of its own, and compiles two dozen statements to start; one
takes 2 ms, which is more than to run it.
"""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

_compiled: LRUCache[Any, Any] = LRUCache(5000)
"""Compiled statements by dialect, statement and the names of its values."""


def _is_same(self: DefaultDialect, other: object) -> bool:
    return type(self) is type(other)


def _hash(self: DefaultDialect) -> int:
    return hash(type(self))


def keep_statements() -> None:
    """Have all engines of this process share what they compile, by the kind of their database."""
    # not in the constructor, whose signature create_engine reads
    shared = property(lambda _: _compiled, lambda *_: None)
    Engine._compiled_cache = shared  # pyright: ignore[reportAttributeAccessIssue]  # noqa: SLF001
    DefaultDialect.__eq__ = _is_same
    DefaultDialect.__hash__ = _hash
