"""A report on other files: shapes are looked at, cells run again apart from the chat, parts compared, the old one stays."""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.cli.main import main
from smoldesk.errors import Conflict
from smoldesk.export.other_files import check_shapes
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.table_profiles import Profiles
from tests.export import a_chat
from tests.support.aio import run_async
from tests.support.desk_server import ANALYSIS, LiveDesk, live_desk

CSV = "店舗,月,金額\n東京,1,120\n大阪,1,80\n東京,2,150\n大阪,2,95\n"
LATER = "店舗,月,金額\n東京,1,130\n大阪,1,80\n名古屋,2,60\n"
UNLIKE = "店舗,月\n東京,1\n"
LONG = "店舗,月,金額\n" + "東京,1,1\n" * 20
LARGE = "店舗,月,金額\n" + "東京,1,1\n" * 40
# Too long for a cell. The files of these tests must be read within it, on a busy machine too.
SECONDS = 20
CELLS = (
    a_chat.TABLES,
    'print(draw_arrow("Room1", "right"))\nyes = ask_user("Go on?", options=["yes", "no"])\ndisplay(totals.head(1))',
    "while len(sales) == 20: pass\nhuge = 'x' * (8 << 30) if len(sales) == 40 else ''\ndisplay(sales.tail(1))",
    "final_answer(f'Total {totals[\"金額\"].sum()}')",
)


@dataclass(frozen=True)
class Asked:
    """A desk, and a chat of it with a report of all that its cells show."""

    live: LiveDesk
    chat_id: str
    pins: list[dict[str, Any]]

    @property
    def url(self) -> str:
        return f"{self.live.url}/api/chats/{self.chat_id}"

    def again(self, text: str, confirm: bool = False, name: str = "売上.csv") -> httpx.Response:
        files = {name: ("新しい.csv", text.encode(), "text/csv")}
        return httpx.post(f"{self.url}/report/runs", files=files, params={"confirm": confirm}, timeout=120)

    def parts(self, text: str) -> list[dict[str, Any]]:
        answer = self.again(text)
        assert answer.status_code == 201, answer.text
        return httpx.get(f"{self.url}/report/runs/{answer.json()['number']}").json()["parts"]


@pytest.fixture(scope="module")
def requested(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    folder = tmp_path_factory.mktemp("again")
    with live_desk(folder / "data", sandbox_preload=ANALYSIS, cell_seconds=SECONDS) as live:
        chat_id = run_async(_chat(live, folder))
        pins: list[dict[str, Any]] = []
        last = 0
        for stored in live.desk.store.events(chat_id, 0):
            message = getattr(stored.event, "message", None)
            kind = getattr(message, "type", "")
            if stored.event.type == "shown":
                kind = "answer" if getattr(message, "tone", "") == "answer" else kind
                if kind in ("answer", "table", "chart", "image"):
                    pins.append({"kind": kind, "seq": stored.seq})
                last = stored.seq
        pins.append({"kind": "map", "seq": last})
        put = httpx.put(f"{live.url}/api/chats/{chat_id}/report", json={"version": 0, "pins": pins})
        assert put.status_code == 200, put.text
        yield Asked(live, chat_id, pins)


async def _chat(live: LiveDesk, folder: Path) -> str:
    desk = live.desk
    chat_id = (await desk.chats.create("Sales")).id
    path = folder / "売上.csv"
    path.write_text(CSV, encoding="utf-8")
    await desk.uploads.add(chat_id, path, path.name)
    for code in CELLS:
        await a_chat.finished(desk, chat_id, await desk.runs.run_code(chat_id, code))
    return chat_id


def state_of_chat(requested: Asked) -> tuple[Any, ...]:
    folder = requested.live.desk.data_dir.chats / requested.chat_id
    return (
        httpx.get(requested.url).json()["lastSeq"],
        httpx.get(f"{requested.url}/files").json(),
        {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()},
        sorted(path.name for path in folder.parent.iterdir()),
    )


def test_each_part_is_shown_as_it_was_and_as_it_is_with_the_new_file(requested: Asked) -> None:
    before = state_of_chat(requested)
    report = httpx.get(f"{requested.url}/report").json()
    assert report["inputs"] == ["売上.csv"]
    parts = requested.parts(LATER)

    totals = parts[0]
    assert totals["state"] == "changed"
    assert [row[1] for row in totals["preview"]["rows"]] == [175, 270]
    assert [row[1] for row in totals["after"]["rows"]] == [60, 80, 130]
    assert totals["cells"] == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]
    states = {(part["kind"], part["state"]) for part in parts}
    assert {("chart", "changed"), ("image", "changed"), ("answer", "changed"), ("map", "kept")} <= states
    answer = next(part for part in parts if part["kind"] == "answer")
    assert (answer["preview"]["text"], answer["after"]["text"]) == ("Total 445", "Total 270")
    for part in parts:
        if part["kind"] in ("chart", "image"):
            png = httpx.get(requested.live.url + part["after"]["picture"]).content
            assert png.startswith(b"\x89PNG")

    assert state_of_chat(requested) == before, "the chat, its files and folders are as they were"
    now = httpx.get(f"{requested.url}/report").json()
    assert now["pins"] == report["pins"]
    assert [item["source"] for item in now["runs"][0]["files"]] == ["新しい.csv"]


def test_a_version_on_other_files_is_had_as_a_file_and_the_old_one_too(requested: Asked) -> None:
    number = requested.again(LATER).json()["number"]

    def exported(expected: str, **which: int) -> bytes:
        params = {"format": expected, **which}
        answer = httpx.get(f"{requested.url}/report/export", params=params, timeout=60)
        assert answer.status_code == 200, answer.text
        return answer.content

    new, old = exported("html", run=number).decode(), exported("html").decode()
    assert "Total 270" in new
    assert "新しい.csv" in new
    assert (
        "Changed: 6 of 6 cells shown differ. 3 rows, 2 before." in new and "Changed. Before: Total 445" in new
    )
    assert "Total 445" in old
    with zipfile.ZipFile(BytesIO(exported("markdown", run=number))) as pages:
        assert "Total 270" in pages.read("chat.md").decode()
    cells = json.loads(exported("notebook", run=number))["cells"]
    source = next(cell["source"] for cell in cells if cell["id"] == "inputs")
    assert "CONTENTS = {}" in source
    assert "売上.csv" in source
    assert httpx.get(f"{requested.url}/report/export", params={"run": 999}).status_code == 404


def test_a_file_of_another_shape_is_refused_in_words_and_runs_when_a_person_says_so(requested: Asked) -> None:
    refused = requested.again(UNLIKE)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "other_shape")
    assert "the column '金額' is missing" in refused.json()["error"]["message"]
    files = {"売上.csv": ("x.csv", UNLIKE.replace("月", "month").encode())}
    refused = httpx.post(f"{requested.url}/report/runs", files=files, params={"language": "ja"}, timeout=120)
    assert "列「月」がありません、売上.csv: 列「金額」がありません" in refused.json()["error"]["message"]
    confirmed = requested.again(UNLIKE, confirm=True)
    assert confirmed.status_code == 201
    parts = httpx.get(f"{requested.url}/report/runs/{confirmed.json()['number']}").json()["parts"]
    assert parts[0]["state"] == "failed"
    assert "KeyError" in parts[0]["why"]

    nobody = requested.again(LATER, name="other.csv")
    assert nobody.json()["error"]["code"] == "bad_file"
    nothing = httpx.post(f"{requested.url}/report/runs", data={"売上.csv": "none.csv"})
    assert nothing.status_code in (400, 404)


def test_an_original_that_could_not_be_read_in_time_is_no_original_without_tables(tmp_path: Path) -> None:
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    # Never read within a thousandth of a second.
    old.write_text(CSV + "東京,1,1\n" * 1_000_000, encoding="utf-8")
    new.write_text(UNLIKE, encoding="utf-8")
    profiles = Profiles(Children(packages=CHILD_PACKAGES, max_children=1, cell_seconds=0.001, preload=()))
    try:
        with pytest.raises(Conflict, match=r"the original could not be read .*0\.001 s"):
            check_shapes(profiles, tmp_path / "chats", {"sales.csv": (old, new)}, StopFlag())
    finally:
        profiles.close()


@pytest.mark.parametrize(("text", "why"), [(LONG, f"longer than {SECONDS} s"), (LARGE, "emory")])
def test_a_cell_that_never_ends_or_takes_all_memory_ends_as_a_failed_part(
    requested: Asked, text: str, why: str
) -> None:
    before = state_of_chat(requested)
    parts = requested.parts(text)
    displayed = next(part for part in parts if part["preview"].get("name") == "店舗, 月, 金額")
    assert displayed["state"] == "failed"
    assert why in displayed["why"], displayed["why"]
    assert state_of_chat(requested) == before


@pytest.mark.usefixtures("logged_as_before")
def test_the_command_writes_a_report_on_another_file(
    requested: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new.csv"
    new.write_text(LATER, encoding="utf-8")
    where = ["--data-dir", str(requested.live.desk.data_dir.root), "-o", str(tmp_path / "report.html")]
    assert main(["report", requested.chat_id, "--with", f"売上.csv={new}", *where]) == 0
    assert "Total 270" in (tmp_path / "report.html").read_text("utf-8")
    new.write_text(UNLIKE, encoding="utf-8")
    assert main(["report", requested.chat_id, "--with", f"売上.csv={new}", *where]) == 2
    assert "is missing" in capsys.readouterr().err
