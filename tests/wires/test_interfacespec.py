"""spec/reference/interfacespec.md is the promise, and the code keeps it: fields, examples, frames, refusals, routes, limits."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.app import create_app
from smoldesk.cli.server import FRAME_LIMIT
from smoldesk.desk import build_desk
from smoldesk.errors import BadInput
from smoldesk.messages import MAX_POINTS
from smoldesk.runs.runs import QUEUE_LIMIT
from smoldesk.settings import Settings
from smoldesk.wires.four_pane import requests
from tests.support import promise
from tests.support.desk_server import ROOT, live_desk, settings_for
from tests.support.promise import Field
from tests.support.scripted_model import ScriptedModel, code
from tests.support.tools import Paying
from tests.support.ws_client import Message, WsClient

TEXT = promise.PAGE.read_text()
FROM_THE_LOG = {"type", "seq", "timestamp", "runId"}


# --- messages ----------------------------------------------------------------------------------------------------


def test_every_message_and_shape_is_documented_with_exactly_its_fields() -> None:
    message, done = promise.documented(TEXT), promise.promised()
    assert message.keys() == done.keys()
    for name, fields in done.items():
        assert message[name] == fields, f"`{name}` in {promise.PAGE.name}"


def server_examples() -> Iterator[Message]:
    for example in promise.examples(TEXT, "server"):
        yield json.loads(example)


def test_every_example_of_a_message_is_one() -> None:
    displayed: set[str] = set()
    for example in server_examples():
        displayed.add(example["type"])
        undocumented(example)
        read = promise.message_adapter.validate_json(json.dumps(as_stored(example)), strict=True)
        assert read.type == example["type"]
    assert displayed == {name for name in promise.promised() if name.islower() and "." not in name}, (
        "each has an example"
    )


def as_stored(message: Message) -> Message:
    """Without what the wire adds, and with null for what is left out."""
    shapes = promise.promised()
    kind = message["type"]
    expected = FROM_THE_LOG - {"type"} | promise.ADDED.get(kind, {}).keys()
    stored = {key: value for key, value in message.items() if key not in expected}
    shape = shapes.get(f"{kind}.content") or shapes.get(shapes[kind]["content"].type, {})
    absent = {name: None for name, field in shape.items() if field.when == "if any"}
    return stored | ({"content": absent | stored["content"]} if shape else {})


def undocumented(message: Message) -> None:
    """Fails when a message has a field that its table lacks, or lacks one that is always there."""
    kind = message["type"]
    reply = promise.documented(TEXT)
    _check_fields(message, reply[kind], FROM_THE_LOG | {"content"}, kind)
    if of_content := reply.get(f"{kind}.content"):
        _check_fields(message["content"], of_content, set(), kind)


def _check_fields(results: Message, fields: dict[str, Field], expected: set[str], kind: str) -> None:
    assert results.keys() - expected <= fields.keys(), kind
    assert {name for name, field in fields.items() if field.when == "always"} <= results.keys(), kind


def test_what_a_desk_really_sends_is_documented(tmp_path: Path) -> None:
    ran: list[str] = []
    cell = (
        "import matplotlib.pyplot as plt\nimport pandas as pd\nplt.plot([1, 2])\nprint(pay(word='30'))\n"
        "open('a.txt', 'w').write('a')\ntable = pd.DataFrame({'a': [1]})\ntable"
    )
    model = ScriptedModel([code(cell), code("1 / 0"), code("final_answer('done')"), RuntimeError("gone")])
    with (
        live_desk(tmp_path, lambda: model, lambda _: [Paying(ran)]) as live,
        WsClient(live.ws_url).greeted() as client,
    ):
        client.say("go")
        ask = client.until("ask")
        client.send(type="answer", askId=ask["content"]["askId"], granted=True)
        client.until_closed()
        client.say("again")
        client.send(type="clear_arrows")
        client.until_closed()
        client.send(type="dance")
        client.until("error", timeout=30)
    types = {message["type"] for message in client.seen}
    assert types >= {
        *("map_definition", "chat", "user_message", "run", "delta", "printed", "tool", "ask", "ask_closed"),
        *("debug", "code", "image", "table", "file", "text", "error", "clear_arrows"),
    }
    for message in client.seen:
        undocumented(message)
    logged = [message for message in client.seen if "seq" in message]
    assert all("timestamp" in message for message in logged)
    assert [message["seq"] for message in logged] == sorted({message["seq"] for message in logged})


# --- frames of clients -------------------------------------------------------------------------------------------


def frame_tables() -> dict[str, dict[str, Field]]:
    by_name: dict[str, dict[str, Field]] = {}
    for kind in re.findall(r"^### Frame `(\w+)`$", TEXT, re.M):
        table = promise.section(TEXT, f"### Frame `{kind}`")
        rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| (yes|no) \|", table, re.M)
        by_name[kind] = {name: Field(row.strip(), needed) for name, row, needed in rows}
    return by_name


def read(frame: dict[str, Any]) -> requests.ClientFrame:
    return requests.read_frame(json.dumps(frame), None, 10_000)


def client_examples() -> list[dict[str, Any]]:
    return [json.loads(example) for example in promise.examples(TEXT, "client")]


def test_every_frame_is_documented_and_every_example_of_one_is_taken() -> None:
    assert frame_tables().keys() == set(requests.FRAME_TYPES)
    for example in client_examples():
        assert read(example)
        assert example.keys() <= frame_tables()[example.get("type", "message")].keys()
    assert {example.get("type", "message") for example in client_examples()} == set(requests.FRAME_TYPES)


@pytest.mark.parametrize("kind", requests.FRAME_TYPES)
def test_what_is_required_of_a_frame_is_and_what_is_not_is_not(kind: str) -> None:
    [frame, *_] = [example for example in client_examples() if example.get("type") == kind]
    for name, (_, needed) in frame_tables()[kind].items():
        without = {key: value for key, value in frame.items() if key != name}
        if needed == "yes" and name != "type":
            with pytest.raises(BadInput):
                read(without)
        elif needed == "no":
            assert read(without)


# --- refusals ----------------------------------------------------------------------------------------------------

REACHED = (
    "wires/four_pane/*.py",
    "wires/answers.py",
    "wires/bodies.py",
    "chats/*.py",
    "store/*.py",
    "runs/runs.py",
    "runs/asks/*.py",
    "agents/*.py",
)
"""Where a frame on /ws can lead, up to what it starts."""
ELSEWHERE = {
    "prompt_too_long": "the doctor's; a run reports it when it closes",
    "agent_exists": "adding one is the command line's",
    "bad_agents": "at start-up",
    "building_used": "deleting a building is HTTP's",
    "bad_settings": "at start-up",
    "not_kept": "files inside messages are other wires'",
    "report_changed": "reports are HTTP's",
    "too_many_views": "shared views are HTTP's",
    "too_many_watches": "watches are HTTP's",
    "chat_busy": "deleting a chat is HTTP's",
    "unknown_tag": "tags are HTTP's",
    "data_dir_busy": "at start-up",
    "restore_unfinished": "at start-up",
    "clock_skewed": "/readyz has it",
    "data_dir_unusable": "at start-up",
    "bad_key_file": "at start-up",
    "wrong_key_file": "at start-up",
    "chat_not_erased": "this wire's chats have no ids of clients",
    "object_store_away": "files are HTTP's; a run reports it when it closes",
    "database_encoding": "at start-up",
    "database_too_old": "at start-up",
    "database_unavailable": "at start-up",
    "database_unknown_kind": "at start-up",
    "database_unknown_version": "at start-up",
    "empty_file": "uploads are HTTP's",
    "chat_full": "uploads are HTTP's",
    "disk_full": "uploads are HTTP's",
    "offset_mismatch": "uploads are HTTP's",
    "bad_mcp_server": "MCP servers are HTTP's",
    "imported_view": "views are HTTP's",
    "not_for_views": "views are HTTP's",
    "not_its_server": "views are HTTP's",
    "unknown_view": "views are HTTP's",
    "mcp_server_off": "MCP servers are HTTP's",
    "too_many_mcp_servers": "MCP servers are HTTP's",
    "not_isolated": "MCP servers are HTTP's",
    "own_database": "sources are HTTP's",
    "refused": "sources are HTTP's",
    "source_unreachable": "sources are HTTP's",
    "source_unreadable": "sources are HTTP's",
    "too_many_sources": "sources are HTTP's",
    "too_many_uploads": "uploads are HTTP's",
    "upload_busy": "uploads are HTTP's",
    "upload_silent": "uploads are HTTP's",
    "wrong_checksum": "uploads are HTTP's",
    "bad_name": "renaming a file is HTTP's",
    "name_taken": "renaming a file is HTTP's",
    "not_told": "how a file is read is HTTP's",
    "unreadable_so": "how a file is read is HTTP's",
    "bad_chart_change": "controls of charts are HTTP's",
    "old_table": "pages of tables are HTTP's",
    "bad_view": "pages of tables are HTTP's",
    "file_elsewhere": "files are served by HTTP",
    "not_replayable": "ends a run that is played again",
    "fenced": "meets a run's own thread only",
    "unknown_model": "ends a run; choosing one is HTTP's",
    "too_many_models": "models are HTTP's",
    "conflict": "models are HTTP's",
    "unknown_agent": "ends a run; choosing one is HTTP's",
    "answer_misfits": "answers by a schema are the OpenAI API's",
    "tool_not_called": "required calls are the OpenAI API's",
    "too_many_layers": "values are posted by HTTP",
    "too_many_values": "values are posted by HTTP",
    "layer_deleted": "values are posted by HTTP",
    "not_stored": "values are posted by HTTP",
    "too_many": "push configurations are A2A's",
    "too_many_buildings": "importing one is HTTP's",
    "too_many_addresses": "notifications are A2A's",
}


def test_every_code_of_a_refusal_is_documented_and_no_other() -> None:
    files = [path for pattern in REACHED for path in (ROOT / "backend" / "smoldesk").glob(pattern)]
    assert len(files) > 20
    all_files = {name for path in files for name in promise.codes_made(path)}
    assert all_files - ELSEWHERE.keys() == set(promise.first_cells(promise.section(TEXT, "### Refusals")))


# --- plain HTTP and limits ---------------------------------------------------------------------------------------


def test_every_route_is_documented_and_every_documented_route_is_there(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    desk = build_desk(settings)
    try:
        paths = create_app(settings, desk).openapi()["paths"]
    finally:
        desk.close()
    routes = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    message = {cell.partition("?")[0] for cell in promise.first_cells(promise.section(TEXT, "## Plain HTTP"))}
    mounted = {
        "GET /",
        "GET /livez",
        "GET /readyz",
        "GET /static/*",
        "GET /backend/bitmaps/*",
        "GET /backend/data/floors/*",
    }
    assert message - mounted == routes
    assert mounted <= message


def test_every_example_of_plain_http_is_of_a_documented_form() -> None:
    from smoldesk.wires.rest.chat_models import ChatInfo
    from smoldesk.wires.rest.models import Refusal

    for example in promise.examples(TEXT, "http"):
        data = json.loads(example)
        (Refusal if "error" in data else ChatInfo).model_validate_json(example, strict=True)


def test_the_limits_are_those_of_the_code() -> None:
    limits = promise.section(TEXT, "## Limits")
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    assert f"`SMOLDESK_MESSAGE_LIMIT_KB`: {defaults['message_limit_kb']:g} kB" in limits
    assert f"`SMOLDESK_UPLOAD_LIMIT_MB`: {defaults['upload_limit_mb']:g} MB" in limits
    assert f"`SMOLDESK_ASK_TIMEOUT_SECONDS`: {defaults['ask_timeout_seconds']:g} s" in limits
    assert f"| {FRAME_LIMIT // 2**20} MiB |" in limits
    assert f"| open runs of a chat | {QUEUE_LIMIT} |" in limits
    assert f"| {MAX_POINTS:,} |" in limits
