"""Plain HTTP keeps what /openapi.json says: schemathesis, its real command line, against a real server."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pandas as pd
import pytest

from smoldesk.events import Shown
from smoldesk.messages import Column, Table, TableContent
from smoldesk.models.hosted import HOSTED
from smoldesk.store.chats import new_chat
from smoldesk.store.files import StoredFile, add_file, new_file_id
from smoldesk.store.transaction import Tx
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.model_servers import listed
from tests.support.openai_server import OpenAIServer, Says
from tests.support.scripted_model import Calls, ScriptedModel

NEVER_ENDING = ["/api/projects/{project_id}/events", "/api/conversations/{conversation_id}/events"]


@pytest.fixture(scope="module")
def providers() -> Iterator[None]:
    """Every hosted provider is one server of this machine, which takes any key: no real one gets a request."""
    offers = {"/v1/models": listed("any", "big-1")}
    with OpenAIServer(lambda _: Says("Hi"), offers) as server, pytest.MonkeyPatch.context() as patch:
        for name, provider in HOSTED.items():
            local = replace(provider, model="openai:{model}", base_url=server.base_url)
            patch.setitem(HOSTED, name, local)
        yield


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, providers: None) -> Iterator[LiveDesk]:
    """Its runs end at once, and need no process for code."""
    model = ScriptedModel([Calls(("final_answer", {"answer": "ok"}))])
    # requests about an MCP server of any command or address wait until it runs or fails
    folder = tmp_path_factory.mktemp("desk")
    with live_desk(folder, lambda: model, agent="tools", log_level="ERROR", mcp_start_seconds=2) as live:
        yield live


def shown_table(desk: LiveDesk) -> tuple[str, str]:
    """(chat, table): what a run would have left."""
    file_id = new_file_id()
    store = desk.desk.store
    path = store.files.path(file_id)
    pd.DataFrame({"room": ["Kitchen", None], "degrees": [21.5, 3.0]}).to_parquet(path)
    columns = [Column(name="room", kind="text"), Column(name="degrees", kind="number")]
    content = TableContent(table_id=file_id, name="rooms", columns=columns, rows=[], row_count=2)

    def job(tx: Tx) -> str:
        chat = new_chat(tx, "with a table")
        add_file(
            tx,
            StoredFile(
                file_id, chat.id, "table", "rooms.parquet", path.stat().st_size, "application/octet-stream"
            ),
        )
        tx.append(chat.id, [Shown(message=Table(content=content))])
        return chat.id

    return store.submit(job).result(), file_id


def schemathesis(desk: LiveDesk, folder: Path, *options: str, config: str = "") -> None:
    """All its checks, its own way through the links between operations included; `config` goes before the operations."""
    chat, table = shown_table(desk)
    table_path = "/api/chats/{chat_id}/tables/{table_id}"
    places = [table_path, f"{table_path}/rows", f"{table_path}/groups", f"{table_path}/profile"]
    places += [f"{table_path}/{form}" for form in ("csv", "xlsx", "parquet")]
    parameters = f'parameters = {{ "path.chat_id" = "{chat}", "path.table_id" = "{table}" }}'
    # not in its scenarios, which would look for this table in the chats they make
    text = f"{parameters}\nphases.stateful.enabled = false"
    # any name is a column's and any text a view's, but few of them are one of this table
    text += "\nchecks.positive_data_acceptance.expected-statuses = [200, 400, 422]"
    tables = [f'[[operations]]\ninclude-path = "{place}"\n{text}' for place in places]
    # any bytes are a form's file, but few of them are a building; and each import starts a process
    plans = 'include-name = "POST /api/buildings"\nchecks.positive_data_acceptance.expected-statuses = [201, 400, 422]'
    # any bytes are a body, but few of them are a log
    log = 'include-name = "POST /api/imports"\nchecks.positive_data_acceptance.expected-statuses = [201, 400, 422]'
    # any text is an address, but few of them are a database's
    source = 'include-name = "POST /api/sources"\nchecks.positive_data_acceptance.expected-statuses = [201, 400, 422]'
    # any text is a command, but few of them are a program that speaks MCP, and a name is given once
    server = 'include-name = "POST /api/mcp-servers"\nchecks.positive_data_acceptance.expected-statuses = [201, 400, 409, 422]'
    # one that was added and does not run says so: 503, as the document has it
    requests = [
        f'include-name = "POST /api/mcp-servers/{{name}}/{word}"\n'
        'checks.not_a_server_error.expected-statuses = ["2xx", "4xx", 503]'
        for word in ("authorize", "prompts")
    ]
    # a key or a model that the provider does not take: 502, as the document has it
    upstream = 'checks.not_a_server_error.expected-statuses = ["2xx", "4xx", 502]'
    requests.append(f'include-name = "POST /api/model-providers/{{name}}/models"\n{upstream}')
    # any text is a model, but few of them have a provider
    model = f'include-name = "POST /api/models"\n{upstream}\n'
    model += "checks.positive_data_acceptance.expected-statuses = [201, 400, 422, 502]"
    # 404 also when its body names an agent, a model or a building that is not there: what the path names is
    message = "checks.ensure_resource_availability.enabled = false"
    # any name is one, but few of them are an agent's of this desk, which needs no kind
    member = f'include-name = "POST /api/projects/{{project_id}}/agents"\n{message}\n'
    member += "checks.positive_data_acceptance.expected-statuses = [201, 400, 404, 409, 422]"
    # any number is a seq, but few of them show a table; any name is a field's, but few stand for a file of the report
    accepted = "checks.positive_data_acceptance.expected-statuses"
    pins = f'include-name = "PUT /api/chats/{{chat_id}}/report"\n{accepted} = [200, 400, 404, 409, 422]'
    views = (
        f'include-name = "POST /api/chats/{{chat_id}}/shared-views"\n{accepted} = [201, 400, 404, 409, 422]'
    )
    files = f'include-name = "POST /api/chats/{{chat_id}}/report/runs"\n{accepted} = [201, 400, 404, 422]'
    # any name is an attachment's, but few of them are a file of the chat
    runs = f'include-name = "POST /api/chats/{{chat_id}}/runs"\n{accepted} = [202, 400, 404, 409, 422]'
    # any text is a tag, but none with control characters
    change = (
        f'include-name = "PATCH /api/chats/{{chat_id}}"\n{message}\n{accepted} = [200, 400, 403, 404, 422]'
    )
    tag = f'include-name = "PATCH /api/tags"\n{accepted} = [200, 400, 404, 422]'
    # any list is one of closures, but few of them are parts of the building
    scenarios = (
        f'include-name = "POST /api/chats/{{chat_id}}/scenarios"\n{accepted} = [204, 400, 404, 409, 422]'
    )
    # any text is CSV, but few of them have the columns of values; and a body may be too long
    values = f'include-name = "POST /api/chats/{{chat_id}}/layers/{{name}}"\n{accepted} = [200, 400, 404, 409, 422]\n'
    values += "checks.negative_data_rejection.expected-statuses = [400, 404, 409, 413, 422]"
    # any bytes are a file, but not none; any watch has a condition, but few of them the number that theirs needs
    content = (
        f'include-name = "PUT /api/chats/{{chat_id}}/files/{{name}}"\n{accepted} = [200, 400, 404, 409, 422]'
    )
    watches = [
        f'include-name = "POST /api/chats/{{chat_id}}/watches"\n{accepted} = [201, 400, 403, 404, 409, 422]',
        f'include-name = "PATCH /api/watches/{{watch_id}}"\n{accepted} = [200, 400, 403, 404, 422]',
    ]
    # streams that do not end by themselves; they have tests of their own
    streams = [f'[[operations]]\ninclude-path = "{place}"\nenabled = false' for place in NEVER_ENDING]
    (folder / "schemathesis.toml").write_text(
        "\n".join(
            [
                config,
                *tables,
                *streams,
                f"[[operations]]\n{change}",
                f"[[operations]]\n{tag}",
                f"[[operations]]\n{source}",
                f"[[operations]]\n{server}",
                *(f"[[operations]]\n{item}" for item in requests),
                f"[[operations]]\n{model}",
                f"[[operations]]\n{member}",
                f"[[operations]]\n{pins}",
                f"[[operations]]\n{views}",
                f"[[operations]]\n{files}",
                f"[[operations]]\n{runs}",
                f"[[operations]]\n{scenarios}",
                f"[[operations]]\n{values}",
                f"[[operations]]\n{content}",
                *(f"[[operations]]\n{item}" for item in watches),
                f"[[operations]]\n{log}",
                f"[[operations]]\n{plans}\nphases.stateful.enabled = false",
            ]
        )
    )
    httpx.get(f"{desk.url}/openapi.json")  # built once; schemathesis waits 10 s, also on a busy machine
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{desk.url}/openapi.json"),
            *(
                "--no-color",
                "--continue-on-failure",
                *options,
            ),  # all checks are on; named, they would be for all operations
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=800,
    )
    faults = done.stdout.partition(" FAILURES ")[2].partition(" WARNINGS ")[0]
    assert done.returncode == 0, (faults or done.stdout)[:20_000] + done.stderr[-5000:]
    assert "Tested: " in done.stdout, done.stdout


# Each import that it thinks of starts a child: a busy machine takes more than the usual 240 s.
@pytest.mark.timeout(400)
def test_no_request_that_schemathesis_thinks_of_breaks_the_document(desk: LiveDesk, tmp_path: Path) -> None:
    # a sixth of the cases are of methods that an operation does not have: here one of them, below all
    config = '[phases.coverage]\nunexpected-methods = ["TRACE"]'
    schemathesis(desk, tmp_path, "--max-examples", "2", "--generation-deterministic", config=config)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_nor_do_many_more(desk: LiveDesk, tmp_path: Path) -> None:
    schemathesis(desk, tmp_path, "--max-examples", "150", "--generation-database", "none")


def test_every_refusal_is_documented_in_the_one_form(inside_http: httpx.Client) -> None:
    document = inside_http.get("/openapi.json").json()
    operations = [
        (f"{method} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if path.startswith("/api/")
    ]
    assert len(operations) >= 13
    for name, operation in operations:
        refusals = {
            status: answer
            for status, answer in operation["responses"].items()
            if status >= "400" and status != "416"
        }
        assert {"401", "403", "421"} <= refusals.keys(), name
        for status, answer in refusals.items():
            schema = answer["content"]["application/json"]["schema"]
            with_report = (name, status) == ("post /api/buildings", "422")
            form = "BuildingRefused" if with_report else "Refusal"
            assert schema == {"$ref": f"#/components/schemas/{form}"}, name


def test_the_longest_parameters_that_the_document_allows_reach_their_route(inside_http: httpx.Client) -> None:
    document = inside_http.get("/openapi.json").json()
    requested = 0
    for path, methods in document["paths"].items():
        forms = {
            part["name"]: part["schema"].get("anyOf", [part["schema"]])[0]
            for part in methods.get("get", {}).get("parameters", [])
            if part["in"] == "query"
        }
        longest = {
            name: ("~" if "pattern" in form else "\U0001f600") * form["maxLength"]
            for name, form in forms.items()
            if "maxLength" in form
        }
        if longest:
            answer = inside_http.get(path, params=longest)
            assert answer.headers["content-type"] != "text/plain; charset=utf-8", f"{path}: {answer.text}"
            requested += 1
    assert requested > 5


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/chats", "GET, POST"),
        ("/api/chats/c_x", "DELETE, GET, PATCH"),
        ("/healthz", "GET"),
        ("/static/js/app.js", "GET, HEAD"),
    ],
)
def test_a_method_that_is_not_taken_hears_which_are(
    inside_http: httpx.Client, path: str, allowed: str
) -> None:
    answer = inside_http.put(path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize("value", ["NaN", "[1, Infinity]", '{"a": -Infinity}', "1e999"])
def test_a_number_that_json_does_not_have_is_refused(inside_http: httpx.Client, value: str) -> None:
    answer = inside_http.post(
        "/api/asks/a_x",
        content=f'{{"granted": true, "value": {value}}}',
        headers={"content-type": "application/json"},
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_input")
