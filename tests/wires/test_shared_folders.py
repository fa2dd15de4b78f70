"""Folders of the operator: tables of every chat without an upload, read and never written, from real chats of a real desk."""

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pandas as pd
import pytest

from smoldesk.cli.main import main
from smoldesk.desk import build_desk
from smoldesk.errors import BadInput
from smoldesk.tables import shared_folders
from tests.support.desk_server import LiveDesk, live_desk, settings_for
from tests.support.scripted_model import Scripts, code
from tests.support.ws_client import WsClient

SALES = "region,units\nnorth,3\nsouth,5\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an operator may have: tables, a file that is none, a link that leads out, a pipe."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.csv").write_text("a\n1\n")
    folder = tmp_path_factory.mktemp("shared")
    folder.chmod(0o755)
    (folder / "sales.csv").write_text(SALES)
    (folder / "notes.txt").write_text("no table")
    (folder / "secret.csv").symlink_to(outside / "secret.csv")
    os.mkfifo(folder / "pipe.csv")
    pd.DataFrame({"room": ["Kitchen", "Toilet"], "degrees": [21.5, 19.0]}).to_parquet(
        folder / "degrees.parquet"
    )
    return folder


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, folder: Path, scripts: Scripts) -> Iterator[LiveDesk]:
    data = tmp_path_factory.mktemp("desk")
    with live_desk(data, lambda: scripts.model, max_steps=4, data_folders=[folder]) as live:
        yield live


def answer(desk: LiveDesk, scripts: Scripts, *cells: str, chat: str = "") -> str:
    scripts.set(*map(code, cells))
    with WsClient(desk.ws_url, f"?chat={chat}&after=0" if chat else "").greeted() as client:
        return client.ask("go")[-1]["content"]["text"]


def test_sql_code_and_prompts_of_every_chat_have_the_tables(
    desk: LiveDesk, folder: Path, scripts: Scripts
) -> None:
    joined = "SELECT sum(units) AS n, max(degrees) AS d FROM sales, degrees"
    read = f"len(pd.read_csv({str(folder / 'sales.csv')!r}))"
    values = f"[*sql_engine({joined!r}).iloc[0], *sql({joined!r}).iloc[0], {read}]"
    read = f"final_answer(str([*map(float, {values})]))"
    assert answer(desk, scripts, f"import pandas as pd\n{read}") == "[16.0, 21.5, 16.0, 21.5, 2.0]"
    prompt = str(scripts.model.seen[0])
    assert str(folder / "sales.csv") in prompt
    assert "secret.csv" not in prompt


def test_a_new_file_is_there_at_once_and_what_leads_elsewhere_never(
    desk: LiveDesk, folder: Path, scripts: Scripts
) -> None:
    (folder / "later.csv").write_text("a,b\n1,2\n")
    tables = "final_answer(str(sorted(sql_engine('SHOW TABLES')['name'])))"
    report = answer(desk, scripts, tables)
    assert "'later'" in report
    assert "'degrees'" in report
    assert "secret" not in report
    (folder / "later.csv").unlink()
    assert "'later'" not in answer(desk, scripts, tables)


ATTACKS = {
    "write": "open('{0}/sales.csv', 'w').write('x')",
    "new file": "open('{0}/mine.csv', 'w').write('x')",
    "remove": "import os; os.remove('{0}/sales.csv')",
    "rename": "import os; os.rename('{0}/sales.csv', '{0}/other.csv')",
    "rights": "import os; os.chmod('{0}/sales.csv', 0o777); assert os.stat('{0}/sales.csv').st_mode & 0o2",
    "link out": "print(open('{0}/secret.csv').read())",
    "beside": "import os; print(os.listdir('{0}/..') and open('{0}/../outside0/secret.csv').read())",
    "duckdb copy": "import duckdb; duckdb.connect().execute(\"COPY (SELECT 1) TO '{0}/copy.csv'\")",
    "duckdb text": "print(sql_engine(\"SELECT * FROM read_text('{0}/notes.txt')\"))",
    "duckdb link": "print(sql_engine(\"SELECT * FROM '{0}/secret.csv'\"))",
}


def test_no_chat_writes_there_or_gets_out_by_it(desk: LiveDesk, folder: Path, scripts: Scripts) -> None:
    if not desk.desk.agents.isolation().isolated:
        pytest.skip("this machine has no jail to give")
    before = {path.name: path.lstat().st_mtime_ns for path in folder.iterdir()}
    cell = ["won = []", "import duckdb; duckdb.connect().execute(\"COPY (SELECT 1) TO 'copy.csv'\")"]
    for name, attack in ATTACKS.items():
        cell.append(
            f"try:\n    {attack.format(folder)}\n    won.append({name!r})\nexcept Exception:\n    pass"
        )
    assert answer(desk, scripts, "\n".join([*cell, "final_answer(str(won))"])) == "[]"
    assert {path.name: path.lstat().st_mtime_ns for path in folder.iterdir()} == before
    assert (folder / "sales.csv").read_text() == SALES


def test_a_chats_own_file_stands_before_one_of_the_same_name_and_that_is_said(
    desk: LiveDesk, folder: Path, scripts: Scripts
) -> None:
    with httpx.Client(base_url=desk.url, timeout=60) as http:
        chat = http.post("/api/chats").json()["id"]
        http.post(f"/api/chats/{chat}/files", files={"file": ("SALES.csv", b"region,units\nwest,1\n")})
        (event,) = [
            item for item in http.get(f"/api/chats/{chat}/events").text.splitlines() if "file_added" in item
        ]
        assert f"The desk's folder has {folder / 'sales.csv'}, too" in event
        mentions = http.get(f"/api/chats/{chat}/mentions?text=degrees").json()["mentions"]
        assert ("table", "degrees") in [(mention["kind"], mention["name"]) for mention in mentions]
    assert (
        answer(
            desk,
            scripts,
            "final_answer(int(sql_engine('SELECT sum(units) AS n FROM sales')['n'][0]))",
            chat=chat,
        )
        == "1"
    )
    prompt = str(scripts.model.seen[0])
    assert 'SALES = pd.read_csv("SALES.csv") (1 row' in prompt
    assert str(folder / "sales.csv") not in prompt
    assert str(folder / "degrees.parquet") in prompt


def test_the_analyst_reads_them_and_a_profile_outlives_a_restart(
    desk: LiveDesk, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "data" / "cache" / "shared-profiles" / "old.json"
    old.parent.mkdir(parents=True)
    old.write_text("{}")
    os.utime(old, (0, 0))
    monkeypatch.setattr(shared_folders, "MAX_CACHED_PROFILES", 2)
    with (
        live_desk(tmp_path / "data", data_folders=[folder]) as analyst,
        WsClient(analyst.ws_url).greeted() as client,
    ):
        assert "8" in client.ask("Total units in sales")[-1]["content"]["text"]
    assert not old.exists()
    sales, before = folder / "sales.csv", (folder / "sales.csv").stat()
    sales.write_text(SALES.replace("units", "UNITS"))  # as good as unchanged, for who does not read it
    os.utime(sales, ns=(before.st_atime_ns, before.st_mtime_ns))
    with live_desk(tmp_path / "data", data_folders=[folder]) as again:
        tables = {table.name: table for table in again.desk.agents.catalogue("c_x").tables}
        assert {"sales", "degrees"} <= tables.keys()
        assert [column.name for column in tables["sales"].columns] == ["region", "units"], (
            "it was not read again"
        )


def test_a_folder_that_is_not_there_or_would_show_the_desks_own_data_stops_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    assert main(["serve", "--data-dir", str(tmp_path / "data"), "--data", str(gone)]) == 2
    assert f"There is no folder {gone}" in capsys.readouterr().err
    for folder in (tmp_path, tmp_path / "data" / "chats"):
        with pytest.raises(BadInput, match="overlaps the desk's own data"):
            build_desk(settings_for(tmp_path / "data", data_folders=[folder]))
