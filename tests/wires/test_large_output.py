"""Code that prints and shows a great deal: people get it, the model, the log and the debug pane a bounded part."""

import json
from collections.abc import Iterator

import httpx
import pytest

from smoldesk.sandbox import cell_run
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.ws_client import WsClient, of_type

models: list[ScriptedModel] = []
WIDE = "import pandas as pd\nwide = pd.DataFrame({str(i): ['y' * 1000] * 60 for i in range(250)})\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with live_desk(tmp_path_factory.mktemp("desk"), lambda: models[-1]) as live:
        yield live


def test_a_flood_of_output_reaches_the_page_and_only_its_ends_the_model(desk: LiveDesk) -> None:
    models.append(
        ScriptedModel(
            [code("print('first')\nprint('x' * 900_000)\nprint('last')"), code("final_answer('ok')")]
        )
    )
    with WsClient(desk.ws_url) as client:
        client.hello()
        client.say("print")
        messages = client.until_closed()
    printed = "".join(m["content"] for m in of_type(messages, "printed"))
    assert printed == "first\n" + "x" * 900_000 + "\nlast\n"
    told = text_of(models[-1].seen[1])
    assert "first" in told
    assert "last" in told
    assert "truncated" in told
    assert len(told) < 100_000
    assert max(len(json.dumps(debug)) for debug in of_type(messages, "debug")) < 100_000


def test_the_rows_of_a_huge_table_are_shortened_and_the_whole_is_served(desk: LiveDesk) -> None:
    models.append(ScriptedModel([code(WIDE + "display(wide)\nfinal_answer('ok')")]))
    with WsClient(desk.ws_url) as client:
        client.hello()
        client.say("show")
        messages = client.until_closed()
    table = of_type(messages, "table")[0]
    assert len(table["content"]["rows"]) == 50
    assert len(json.dumps(table)) < 500_000
    debug = of_type(messages, "debug")[0]
    assert len(json.dumps(debug)) < 100_000
    assert debug["content"]["parsed_outputs"][1]["content"]["rows"][-1] == "… (50 in all)"
    page = httpx.get(desk.url + table["url"], params={"offset": 59, "limit": 5}, timeout=30).json()
    assert page["rows"] == [["y" * 1000] * 250]


def test_many_tables_come_without_first_rows_once_there_is_too_much(
    desk: LiveDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_run, "MAX_PREVIEWS", 500_000)
    models.append(ScriptedModel([code(WIDE + "for _ in range(4): display(wide)\nfinal_answer('ok')")]))
    with WsClient(desk.ws_url) as client:
        client.hello()
        client.say("show")
        messages = client.until_closed()
    tables = of_type(messages, "table")
    assert [len(table["content"]["rows"]) for table in tables] == [50, 0, 0, 0]
    assert all(table["content"]["rowCount"] == 60 for table in tables)
    last = httpx.get(desk.url + tables[-1]["url"], params={"limit": 1}, timeout=30).json()
    assert last["rows"] == [["y" * 1000] * 250]
