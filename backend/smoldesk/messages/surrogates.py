"""Lone surrogates: JSON can name them, UTF-8 and databases cannot hold them."""

from typing import Any


def without_surrogates(value: Any) -> Any:
    """The same JSON data with each lone surrogate replaced by '?'."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value
