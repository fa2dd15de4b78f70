"""`.env.example` names every setting, with its default, and nothing else."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from smoldesk.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = (ROOT / ".env.example").read_text()
PREFIX = "SMOLDESK_"


def assignments(text: str) -> dict[str, str]:
    """Every NAME=value of an env file, in order; twice the same name is a mistake."""
    pairs = [line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#")]
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), "a name comes twice"
    return dict(pairs)


def differences(text: str, folder: Path) -> list[str]:
    """What an env file has too much, too little, or other than Settings' defaults."""
    inputs, fields = assignments(text), {f"{PREFIX}{name.upper()}": name for name in Settings.model_fields}
    file = folder / "given.env"
    file.write_text(text)
    read, defaults = Settings(_env_file=file), Settings(_env_file=None)  # pyright: ignore[reportCallIssue]
    return [
        *(f"unknown: {name}" for name in inputs if name not in fields),
        *(f"missing: {name}" for name in fields if name not in inputs),
        *(
            f"other: {name}"
            for name, field in fields.items()
            if getattr(read, field) != getattr(defaults, field)
        ),
    ]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(f"{PREFIX}{field.upper()}", raising=False)


def test_the_example_names_every_setting_with_its_default(tmp_path: Path) -> None:
    assert differences(EXAMPLE, tmp_path) == []


def test_every_value_is_written_out_unless_the_default_is_empty() -> None:
    blank = {name for name, value in assignments(EXAMPLE).items() if not value}
    fields = Settings.model_fields
    assert blank == {
        f"{PREFIX}{name.upper()}" for name, field in fields.items() if field.default in (None, "")
    }


def test_every_setting_is_explained() -> None:
    for name in assignments(EXAMPLE):
        assert re.search(rf"^# .*\n{name}=", EXAMPLE, re.MULTILINE), f"{name} has no comment above it"


def test_a_wrong_example_would_be_found(tmp_path: Path) -> None:
    wrong = EXAMPLE.replace("SMOLDESK_PORT=8000", "SMOLDESK_PORT=8001").replace(
        "SMOLDESK_MODEL=", "SMOLDESK_MODLE="
    )
    assert differences(wrong, tmp_path) == [
        "unknown: SMOLDESK_MODLE",
        "missing: SMOLDESK_MODEL",
        "other: SMOLDESK_PORT",
    ]


@pytest.mark.parametrize(
    "inputs", [{"ask_timeout_seconds": 1e12}, {"tool_ask_timeout_seconds": {"pay": 1e12}}]
)
def test_nobody_is_given_longer_to_answer_than_the_calendar_reaches(inputs: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="less than or equal to"):
        Settings(_env_file=None, **inputs)  # pyright: ignore[reportCallIssue]
