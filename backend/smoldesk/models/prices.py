"""Cost of a model call, from LiteLLM's table of prices if LiteLLM is installed. The table is read, not imported.

The price is unknown for a private server, a name that the table lacks, and a kind of token without a price.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

TABLE = "model_prices_and_context_window_backup.json"
_ABOVE = re.compile(r"input_cost_per_token_above_(\d+)k_tokens")


def cost_of(model: str | None, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float | None:
    """Return the cost in US dollars, or None if unknown. `model` is LiteLLM's name; `cached_tokens` are part of the
    input tokens.
    """
    prices = _prices_of(model) if model else None
    if prices is None:
        return None
    step = _step(prices, input_tokens)

    def price(name: str) -> Any:
        return prices.get(name + step, prices.get(name))

    fresh, written = price("input_cost_per_token"), price("output_cost_per_token")
    cached = price("cache_read_input_token_cost") if cached_tokens else 0.0
    if not all(isinstance(price, float | int) for price in (fresh, written, cached)):
        return None
    return (input_tokens - cached_tokens) * fresh + cached_tokens * cached + output_tokens * written


@dataclass(frozen=True)
class PricedModel:
    """Entry of the table for a model: US dollars per million tokens, the longest prompt in tokens, images or not.

    `structured`: whether it answers by a schema.
    """

    input_price: float | None = None
    output_price: float | None = None
    context: int | None = None
    images: bool | None = None
    structured: bool | None = None


UNPRICED = PricedModel()


def priced(model: str | None) -> PricedModel:
    """Return the entry for LiteLLM's name of a model; an empty one if the table lacks it. Reads a file on first use."""
    prices = (_prices_of(model) if model else None) or {}

    def number(name: str, factor: float) -> float | None:
        value = prices.get(name)
        return value * factor if isinstance(value, float | int) else None

    context, images = number("max_input_tokens", 1), prices.get("supports_vision")
    return PricedModel(
        number("input_cost_per_token", 1_000_000),
        number("output_cost_per_token", 1_000_000),
        int(context) if context else None,
        bool(images) if prices else None,
        bool(prices.get("supports_response_schema")) if prices else None,
    )


def _step(prices: Mapping[str, Any], input_tokens: int) -> str:
    """Return the suffix of the prices that apply to a prompt of this length; empty for the usual ones."""
    limits = [int(match[1]) for name in prices if (match := _ABOVE.fullmatch(name))]
    passed = [limit for limit in limits if input_tokens > limit * 1000]
    return f"_above_{max(passed)}k_tokens" if passed else ""


def _prices_of(model: str) -> Mapping[str, Any] | None:
    table = _table()
    provider, _, name = model.partition("/")
    entry = table.get(model)
    # the makers of most models are no part of their names, and another seller has other prices
    if entry is None and name:
        entry = table.get(name)
        seller = cast("Mapping[str, Any]", entry).get("litellm_provider") if isinstance(entry, dict) else ""
        if not str(seller).startswith(provider):
            return None
    return cast("Mapping[str, Any]", entry) if isinstance(entry, dict) else None


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    """Model to prices; empty without LiteLLM, and where its table is not what it was."""
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    try:
        table = json.loads((Path(spec.origin).parent / TABLE).read_bytes())
    except (OSError, ValueError):
        return {}
    return cast("Mapping[str, Any]", table) if isinstance(table, dict) else {}
