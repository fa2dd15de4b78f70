"""What FastAPI makes of the types of the desk's routes, kept from one app of a test process to the next.

A desk has 150 routes with 440 parameters, bodies and answers. To build a validator for each takes half of the time in which
an app is made, and many tests make one. A validator has no state, and whatever it is built from is part of its key.
"""

from typing import Any

from fastapi._compat import v2

ADDRESS = " at 0x"
"""In the text of what is told apart by its place in memory, such as a function of one app."""

_kept: dict[Any, Any] = {}
"""Validators by what they are built from."""


_build = v2.ModelField.__post_init__


def _kept_or_built(self: v2.ModelField) -> None:
    parts = v2.asdict(self.field_info)
    text = repr((parts, self.config))
    if ADDRESS in text:
        _build(self)
        return
    key = parts["annotation"], text
    if key not in _kept:
        _build(self)
        _kept[key] = self._type_adapter
    self._type_adapter = _kept[key]


def keep_adapters() -> None:
    """Have FastAPI build each validator once, from now on in this process."""
    v2.ModelField.__post_init__ = _kept_or_built
