"""The page "Add a table format" is followed to the letter: a file of the new kind is uploaded and asked about."""

import shutil
from pathlib import Path

import httpx
import pytest

from smoldesk import tables
from smoldesk.desk import from_settings
from smoldesk.tables import folder_tables
from smoldesk.tables.inside.reading import ENDINGS
from tests.support.desk_server import live_desk
from tests.support.guide import Guide
from tests.support.ws_client import WsClient, of_type

MODULE = "backend/smoldesk/tables/inside/pipe_files.py"
REGISTRY = "backend/smoldesk/tables/inside/reading.py"


@pytest.fixture
def format_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the room with the two changes, where children find it."""
    guide = Guide("add_a_table_format")
    assert guide.files.keys() == {MODULE, REGISTRY}
    [here] = tables.__path__
    room = tmp_path / "tables"
    shutil.copytree(here, room, ignore=shutil.ignore_patterns("__pycache__"))
    (room / "inside" / Path(MODULE).name).write_text(guide.files[MODULE])
    registry = room / "inside" / Path(REGISTRY).name
    text = registry.read_text()
    first = "ENDINGS: dict[str, Reader] = {\n"
    assert first in text
    text = text.replace(first, f"from .pipe_files import read_pipes\n{first}{guide.files[REGISTRY]}")
    registry.write_text(text)
    for module in (from_settings, folder_tables):
        monkeypatch.setattr(module, "CHILD_PACKAGES", module.CHILD_PACKAGES | {"smoldesk.tables": str(room)})
    monkeypatch.setitem(ENDINGS, ".psv", ENDINGS[".csv"])  # the host looks at the ending alone


@pytest.mark.usefixtures("format_of_the_page")
def test_a_file_of_the_new_kind_is_profiled_and_asked_about(tmp_path: Path) -> None:
    with live_desk(tmp_path / "data") as live, WsClient(live.ws_url) as client:
        chat = client.hello()
        inputs = ("fruit.psv", b"fruit|price\napple|2\npear|4\n", "text/plain")
        upload = httpx.post(f"{live.url}/api/chats/{chat}/files", files={"file": inputs}, timeout=60)
        assert upload.status_code == 201, upload.text
        [table] = upload.json()["tables"]
        assert (table["rows"], table["columns"], table["load"]) == (2, 2, 'pd.read_csv("fruit.psv", sep="|")')
        client.say("What is the average price?")
        received = client.until_closed()
        queried = folder_tables.ChatTables(tmp_path / "data" / "chats" / chat, tmp_path / "data" / "cache")
        assert queried.query("SELECT SUM(price) FROM fruit").rows == [[6]]
    assert "3" in of_type(received, "run")[-1]["content"]["text"]
