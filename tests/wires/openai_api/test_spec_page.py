"""spec/reference/openai_api.md keeps its word: addresses, events, refusals, limits."""

import ast
import typing
from collections.abc import Iterator
from typing import Any

from smoldesk import errors, events
from smoldesk.runs.runs import QUEUE_LIMIT
from smoldesk.wires import bodies, history, inline_images
from smoldesk.wires.openai_api import (
    chat_requests,
    requests,
    response_requests,
    stored_responses,
)
from tests.support.desk_server import ROOT
from tests.support.promise import first_cells, section

TEXT = (ROOT / "spec" / "reference" / "openai_api.md").read_text()
BACKEND = ROOT / "backend" / "smoldesk"
SHARED = [
    BACKEND / "chats" / "uploads.py",
    BACKEND / "wires" / "bodies.py",
    BACKEND / "wires" / "attachments.py",
]
FAULTS = {name for name, kind in vars(errors).items() if isinstance(kind, type)} | {
    "BadParameter",
    "AnswerEnd",
}
CODE_AT = 3
"""The place of the code among a BadParameter's arguments."""


def test_every_event_has_its_row() -> None:
    union: Any = events.AnyEvent
    kinds = {kind.__name__ for kind in typing.get_args(typing.get_args(union)[0])}
    assert set(first_cells(section(TEXT, "## What each event becomes"))) == kinds


def codes_made() -> Iterator[str]:
    for file in [*(BACKEND / "wires" / "openai_api").glob("*.py"), *SHARED]:
        for call in (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)):
            name = getattr(call.func, "id", "")
            if name not in FAULTS:
                continue
            values = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
            values += call.args[CODE_AT : CODE_AT + 1] if name == "BadParameter" else []
            for node in ast.walk(values[0]) if values else ():
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value
            if not values and name != "AnswerEnd":
                yield "invalid_value" if name == "BadParameter" else getattr(errors, name).code


def test_every_refusal_is_documented_and_no_other() -> None:
    assert {*codes_made(), "run_cancelled"} == set(first_cells(section(TEXT, "## Errors")))


def test_what_is_refused_is_named() -> None:
    message = section(TEXT, "## Requests")
    for name in [*chat_requests.REFUSED, *response_requests.REFUSED]:
        assert f"`{name}`" in message or name == "function_call", name


def test_the_limits_are_those_of_the_code() -> None:
    assert f"{requests.BODY_LIMIT // 2**20} MiB" in TEXT
    assert f"{bodies.MAX_FILES} files" in TEXT
    assert bodies.MAX_MARKS == 500_000
    assert f"at most {requests.MAX_TOOLS})" in TEXT
    assert f"at most {requests.MAX_NAME} characters" in TEXT
    assert f"the last {history.MAX_TURNS} turns" in TEXT
    assert f"`data:` URL up to {inline_images.INLINE_BYTES // 1_000_000} MB" in TEXT
    assert f"after {stored_responses.END_SECONDS:g} s at the latest" in TEXT
    assert f"({QUEUE_LIMIT} messages wait" in TEXT
    for header in requests.SCOPE_HEADERS:
        assert f"`{header}`" in TEXT.lower()
