"""spec/reference/agui.md keeps its word: events, refusals, limits, and the class a reader may copy."""

import re
import typing
from collections.abc import Iterator
from typing import Any

from smoldesk import events
from smoldesk.chats import MAX_SHARED
from smoldesk.tools.declared_client_tools import DeclaredClientTool
from smoldesk.wires import bodies, history, inline_images
from smoldesk.wires.agui import requests, shared_state, thread
from tests.node_support import PACKAGES, versions
from tests.support import promise
from tests.support.desk_server import ROOT
from tests.support.promise import first_cells, section

TEXT = (ROOT / "spec" / "reference" / "agui.md").read_text()


def test_every_event_has_its_row() -> None:
    union: Any = events.AnyEvent
    kinds = {kind.__name__ for kind in typing.get_args(typing.get_args(union)[0])}
    assert set(first_cells(section(TEXT, "## What each event becomes"))) == kinds


def codes_made() -> Iterator[str]:
    backend = ROOT / "backend" / "smoldesk"
    shared = [
        "chats/uploads.py",
        "agents/entries.py",
        "wires/bodies.py",
        "wires/attachments.py",
        "tools/declared_client_tools.py",
    ]
    for file in [*(backend / "wires" / "agui").glob("*.py"), *(backend / name for name in shared)]:
        yield from promise.codes_made(file)


def test_every_refusal_is_documented_and_no_other() -> None:
    broken_off = {"store_fault", "stream_closed"}
    chosen = {"not_isolated", "unknown_model", "unknown_room"}
    services = [ROOT / "backend" / "smoldesk" / name for name in ("chats/choices.py", "models/choices.py")]
    assert chosen <= {code for file in services for code in promise.codes_made(file)}
    assert set(codes_made()) | broken_off | chosen == set(first_cells(section(TEXT, "## Errors")))


def test_the_limits_are_those_of_the_code() -> None:
    assert f"{requests.BODY_LIMIT // 2**20} MiB" in TEXT and bodies.MAX_MARKS == 500_000
    assert f"at most {requests.MAX_ID} characters" in TEXT
    assert f"{requests.MAX_TOOLS} tools, {requests.MAX_TOOL_TEXT:,} characters of one" in TEXT
    assert f"{requests.MAX_CONTEXT:,} of context, as many of" in TEXT and requests.MAX_CONTEXT == MAX_SHARED
    assert f"more than {requests.MAX_REPEATED_BYTES // 2**20} MiB" in TEXT
    assert f"the last {history.MAX_TURNS} turns" in TEXT and f"{bodies.MAX_FILES} files" in TEXT
    assert f"the last {thread.MAX_RUNS} runs" in TEXT
    assert (shared_state.MAX_STATE_ENTRIES, DeclaredClientTool.client_seconds) == (100, 600)
    assert f"`data:` URL up to {inline_images.INLINE_BYTES // 1_000_000} MB" in TEXT


def test_the_driven_client_is_the_one_that_is_named_and_has_the_class_of_the_page() -> None:
    assert f"`@ag-ui/client` {versions(PACKAGES)['@ag-ui/client']}" in TEXT
    [displayed] = re.findall(r"^```js\n(.*?)^```", TEXT, re.M | re.S)
    assert displayed in (PACKAGES / "agui.mjs").read_text()
