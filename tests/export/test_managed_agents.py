"""A chat with managed agents, handed over: its log plays alike elsewhere, documents show the work, notebooks do not run it."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.export.conftest import Sample
from tests.export.logs import lines_of, messages, read
from tests.support.aio import run_async
from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, code
from tests.support.team_desk import team_desk

INNER = """\
import pandas as pd
found = pd.DataFrame({'word': ['gold']})
display(found)
print(where_is('Kitchen'))
show_map('1F', highlight_rooms=['Kitchen'])"""
OUTER = """\
word = team_lead(task='Find the <b>word</b>.')
print('got', word)
shown = show_map('1F', highlight_rooms=['Toilet'])"""


@pytest.fixture(scope="module")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    folder = tmp_path_factory.mktemp("managed")
    with team_desk(folder, has_own_tools=True) as team:
        team.scripts(
            [
                code(OUTER, "I ask."),
                code("searcher(task='Fail.')"),
                code("final_answer(word.upper().ljust(30_000, '.'))"),
            ],
            [
                Calls(("searcher", {"task": "Look."}), ("searcher", {"task": ""})),
                Calls(("final_answer", {"answer": "gold"})),
            ],
            [code(INNER), code("final_answer('inner answer')")],
            [KeyError("no luck")],
        )
        with team.client() as client:
            assert client.ask("Which word?")[-1]["content"]["text"].startswith("GOLD...")
            log = folder / "log.jsonl"
            team.live.desk.exports.write(client.chat_id, "jsonl", log)
            yield Sample(team.live, client.chat_id, log)


def test_its_log_plays_alike_on_another_desk_and_is_written_alike(managed: Sample, tmp_path: Path) -> None:
    with live_desk(tmp_path / "other") as other:
        done = read(other.desk, managed.log)
        existing, here = messages(other.url, done.chat_id), messages(managed.live.url, managed.chat_id)
        other.desk.exports.write(done.chat_id, "jsonl", tmp_path / "again.jsonl")
        [inner] = [
            stored
            for stored in other.desk.store.events(done.chat_id)
            if stored.event.type == "nested" and stored.event.event.type == "step_finished"
            if stored.event.agent == "searcher" and stored.event.event.step == 1
        ]
        step = run_async(other.desk.traces.step(done.chat_id, inner.run_id or "", 1, inner.event.within))  # pyright: ignore
        local = run_async(other.desk.traces.step(done.chat_id, inner.run_id or "", 1))
    assert existing[:-1][2:] == here[2:]
    assert {one["content"]["agent"] for one in here if one["type"] == "nested"} == {"team-lead", "searcher"}
    again = [line for line in lines_of(tmp_path / "again.jsonl") if "chat_imported" not in json.dumps(line)]
    assert again[1:-1] == lines_of(managed.log)[1:-1]
    assert len(step.calls) == len(local.calls) == 1
    assert "display(found)" in (step.calls[0].response.text or "")  # pyright: ignore
    assert all(one.text for one in step.calls[0].prompt)
    assert "team_lead(task=" in (local.calls[0].response.text or "")  # pyright: ignore


def test_documents_show_the_work_and_the_notebook_runs_without_it(managed: Sample, tmp_path: Path) -> None:
    write = managed.live.desk.exports.write
    write(managed.chat_id, "html", tmp_path / "chat.html")
    page = (tmp_path / "chat.html").read_text(encoding="utf-8")
    assert '<details class="work"><summary>team_lead: Find the &lt;b&gt;word&lt;/b&gt;.</summary>' in page
    assert '<details class="work"><summary>searcher: Look.</summary>' in page
    assert "inner answer" in page and "<td>gold</td>" in page
    write(managed.chat_id, "markdown", tmp_path / "chat.zip")
    with zipfile.ZipFile(tmp_path / "chat.zip") as pages:
        text = pages.read("chat.md").decode()
        maps = [pages.read(name).decode() for name in pages.namelist() if name.endswith(".svg")]
    assert "**searcher**, a managed agent, worked on:\n\n> Look" in text, text
    assert "display(found)" in text and "| gold |" in text
    assert [[name for name in ("boss", "searcher") if f">{name}<" in drawn] for drawn in maps] == [
        [],
        ["boss", "searcher"],
    ]
    write(managed.chat_id, "notebook", tmp_path / "chat.ipynb", verify=True)
    cells = json.loads((tmp_path / "chat.ipynb").read_text(encoding="utf-8"))["cells"]
    assert "3 reproduced, 0 differs, 0 failed" in cells[0]["source"], (
        "also a call that failed, and an answer that is long"
    )
    codes = [cell["source"] for cell in cells if cell["cell_type"] == "code"][2:]
    assert [code.split("\n")[0] for code in codes] == [
        "word = team_lead(task='Find the <b>word</b>.')",
        "searcher(task='Fail.')",
        "final_answer(word.upper().ljust(30_000, '.'))",
    ]
    work, _ = [cell["source"] for cell in cells if cell["id"].endswith("-work")]
    assert "shown, not run" in work and "display(found)" in work


def test_a_table_that_one_showed_is_paged_and_pinned(managed: Sample) -> None:
    matching_messages = [
        message for message in messages(managed.live.url, managed.chat_id) if message["type"] == "nested"
    ]
    [table] = [item for item in matching_messages if item["content"]["message"]["type"] == "table"]
    chat = f"{managed.live.url}/api/chats/{managed.chat_id}"
    here = httpx.get(f"{chat}/events", timeout=60).text.splitlines()[table["seq"] - 1]
    content = json.loads(here)["event"]["event"]["message"]["content"]
    page = httpx.get(f"{chat}/tables/{content['tableId']}", timeout=60).raise_for_status().json()
    assert page["rows"] == [["gold"]]
    pins = [{"kind": "table", "seq": table["seq"]}]
    assert httpx.put(f"{chat}/report", json={"version": 0, "pins": pins}).status_code == 200
    page = httpx.get(f"{chat}/report/export", params={"format": "html"}, timeout=60).text
    assert "<td>gold</td>" in page
