"""What a call costs by LiteLLM's table, and that nobody's price is nobody's guess."""

import json
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from smoldesk.models import prices
from smoldesk.models.prices import cost_of

TABLE = {
    "sample_spec": "not a model",
    "house-1": {
        "litellm_provider": "house-language-models",
        "input_cost_per_token": 2e-6,
        "output_cost_per_token": 1e-5,
        "cache_read_input_token_cost": 1e-6,
        "input_cost_per_token_above_200k_tokens": 4e-6,
        "output_cost_per_token_above_200k_tokens": 2e-5,
    },
    "no-cache": {"input_cost_per_token": 2e-6, "output_cost_per_token": 0},
    "by-the-second": {"input_cost_per_second": 1},
}


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / prices.TABLE
    file.write_text(json.dumps(TABLE))
    spec = ModuleSpec("litellm", None, origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(prices, "find_spec", lambda _: spec)
    prices._table.cache_clear()
    return file


@pytest.mark.parametrize(
    ("model", "tokens", "cost"),
    [
        ("house-1", (1000, 100), 0.003),
        ("house/house-1", (1000, 100), 0.003),
        ("own_server/house-1", (1000, 100), None),
        ("house-1", (1000, 100, 600), 0.0024),
        ("house-1", (300_000, 100, 100_000), 0.902),
        ("no-cache", (1000, 100), 0.002),
        ("no-cache", (1000, 100, 600), None),
        ("by-the-second", (1000, 100), None),
        ("sample_spec", (1, 1), None),
        ("unknown", (1, 1), None),
        (None, (1, 1), None),
    ],
)
def test_a_price(model: str | None, tokens: tuple[int, ...], cost: float | None) -> None:
    assert cost_of(model, *tokens) == (None if cost is None else pytest.approx(cost))


@pytest.mark.parametrize("content", ["{", "[]", None], ids=["broken", "another shape", "gone"])
def test_without_a_table_there_are_no_prices(table: Path, content: str | None) -> None:
    table.unlink() if content is None else table.write_text(content)
    assert cost_of("house-1", 1, 1) is None


def test_without_litellm_there_are_no_prices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prices, "find_spec", lambda _: None)
    assert cost_of("house-1", 1, 1) is None
