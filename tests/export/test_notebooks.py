"""Notebooks: run in plain Jupyter and verified in the jail, and harmless whatever is in the chat."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from smoldesk.desk import Desk
from smoldesk.export.cell_outputs import spec_of
from smoldesk.export.chat_source import ChatSource
from smoldesk.export.notebook import _inside
from smoldesk.export.safe_markdown import _is_harmless, fenced, quoted, safe_markdown
from tests.export import a_chat, jupyter
from tests.export.conftest import Sample
from tests.export.logs import Json, changed, desk_at, read
from tests.support.aio import run_async
from tests.support.desk_server import ANALYSIS

BEYOND = """\
shown = show_map("no such floor")
print(f"{shown.rectangles[0]:>8}")
shown - 1
"""
"""Code that asks for what the desk alone could say."""


def cells(path: Path) -> dict[str, Any]:
    return {cell["id"]: cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]}


def test_the_notebook_of_a_chat_runs_in_plain_jupyter_and_says_what_was_reproduced(
    sample: Sample, tmp_path: Path
) -> None:
    path = tmp_path / "chat.ipynb"
    sample.live.desk.exports.write(sample.chat_id, "notebook", path, verify=True)
    written = cells(path)

    assert "5 reproduced, 0 differs, 0 failed" in written["title"]["source"]
    assert "<script" not in written["title"]["source"]
    assert (
        "'売上.csv': 'f88edd764963ed498cba1c4f6d5ee871d11d639b36cdafd50816b2329a7a6d73'"
        in written["inputs"]["source"]
    )
    assert written["question-1"]["source"].endswith(f"> {a_chat.QUESTION}")
    assert "金額の合計が最も大きいのは" in written["answer-1"]["source"]
    assert "process\\_payment?: granted" in written["answer-4"]["source"]
    kinds = [[*output.get("data", ())] for output in written["cell-2"]["outputs"]]
    assert ["text/markdown", "text/plain"] in kinds
    assert ["application/vnd.dataresource+json", "text/html", "text/plain"] in kinds
    assert ["application/vnd.vegalite.v5+json", "image/png", "text/plain"] in kinds
    assert ["image/png", "text/plain"] in kinds
    (svg,) = [
        item["data"]["image/svg+xml"]
        for item in written["cell-3"]["outputs"]
        if "image/svg+xml" in item.get("data", {})
    ]
    assert "Kitchen" in "".join(ElementTree.fromstring(svg).itertext())
    assert written["cell-4"]["metadata"]["smoldesk"]["verified"] == {
        "state": "reproduced",
        "why": "not called again: process_payment",
    }

    ran = {cell["id"]: cell for cell in jupyter.run(path, tmp_path, f"{BEYOND}\nimport smoldesk").cells}
    for name in ("cell-1", "cell-2", "cell-3", "cell-4"):
        then = "".join(item.get("text", "") for item in written[name]["outputs"])
        assert jupyter.printed(ran[name]) == then, name
    (table,) = [
        output.data["text/html"] for output in ran["cell-2"].outputs if "text/html" in output.get("data", {})
    ]
    assert "大阪" in table and "175" in table
    all_outputs = {kind for output in ran["cell-2"].outputs for kind in output.get("data", ())}
    assert {"application/vnd.vegalite.v5+json", "image/png"} <= all_outputs
    assert ran["cell-5"].outputs[0].ename == "KeyError"
    beyond = jupyter.printed([*ran.values()][-1])
    assert beyond.startswith(
        "[show_map needs the desk: nothing is recorded of this call]\n<needs the desk: show_map>"
    )
    assert "[this cell needs the desk, for show_map: TypeError" in beyond


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = desk_at(tmp_path_factory.mktemp("verifying"), sandbox_preload=ANALYSIS)
    yield desk
    desk.close()


def test_a_cell_that_gives_something_else_says_so(sample: Sample, desk: Desk, tmp_path: Path) -> None:
    def other_values(lines: list[Json]) -> None:
        for line in lines:
            event = line.get("event", {})
            message = event.get("message", {})
            if event.get("type") == "printed":  # in one piece or two
                event["text"] = event["text"].replace("445", "446")
            if (
                event.get("type") == "shown"
                and message["type"] == "table"
                and message["content"]["name"] == "totals"
            ):
                message["content"]["rows"][0][1] = 175.5
            if event.get("type") == "step_finished" and event["memory"]["code_action"] == a_chat.PAY:
                event["memory"]["code_action"] = "process_payment('Bob', 1, 'EUR')"
            if event.get("type") == "step_finished" and event["memory"]["code_action"] == a_chat.MAP:
                event["memory"]["code_action"] = "1 / 0"

    done = read(desk, changed(sample.log, tmp_path / "log.jsonl", other_values))
    path = tmp_path / "chat.ipynb"
    desk.exports.write(done.chat_id, "notebook", path, verify=True)
    results = {
        name: cell["metadata"]["smoldesk"]["verified"]
        for name, cell in cells(path).items()
        if name.startswith("cell")
    }
    assert results["cell-1"]["state"] == "reproduced"
    assert results["cell-2"] == {
        "state": "differs",
        "why": "the printed text differs; the table totals has other values",
    }
    assert results["cell-3"] == {"state": "failed", "why": "ZeroDivisionError: division by zero"}
    assert (
        results["cell-4"]["state"] == "differs"
        and "process_payment needs the desk" in results["cell-4"]["why"]
    )
    assert "2 reproduced, 2 differs, 1 failed" in cells(path)["title"]["source"]
    assert not [*desk.data_dir.chats.glob("verify-*")], "nothing of the run stays"


def test_inputs_that_are_gone_or_others_are_named_with_their_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("b.csv").write_text("changed")
    exec(_inside("input_files"), {"INPUTS": {"売上.csv": "a" * 64, "b.csv": "b" * 64}, "CONTENTS": {}})
    exec(_inside("input_files"), {"INPUTS": {"gone.csv": ""}, "CONTENTS": {}})
    out = capsys.readouterr().out
    assert "gone.csv is missing: put it, which was not in the chat any more, beside this notebook." in out
    assert f"売上.csv is missing: put the file with SHA-256 {'a' * 64} beside this notebook." in out
    assert "b.csv is another file than then" in out


@pytest.mark.starts
def test_files_that_were_renamed_or_taken_out_are_inputs_under_each_name_they_had(
    desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n")
    chat_id = run_async(desk.chats.create("files")).id
    for name in ("a.csv", "c.csv"):
        run_async(desk.uploads.add(chat_id, path, name))
    run_async(desk.file_changes.rename(chat_id, "a.csv", "b.csv"))
    run_async(desk.file_changes.remove(chat_id, "c.csv"))
    results = {item.name: item.sha256 for item in ChatSource(desk.store, desk.buildings, chat_id).inputs}
    run_async(desk.chats.delete(chat_id))
    assert results["a.csv"] == results["b.csv"] != "" and results["c.csv"] == ""


def test_a_chart_of_a_log_whose_spec_reaches_beyond_itself_is_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    spec = {"mark": "bar", "data": {"values": []}}
    path.write_text(json.dumps(spec))
    assert spec_of(path) == spec
    path.write_text(json.dumps(spec | {"data": {"url": "https://example.com/who-reads.csv"}}))
    assert spec_of(path) is None


HOSTILE = [
    "<script>alert(1)</script>",
    "text <img src=x onerror=alert(1)> text",
    "[click](javascript:alert(1))",
    "[a][b]\n\n[b]: data:text/html,<script>alert(1)</script>",
    "![tracker](https://example.com/pixel.png)",
    "<javascript:alert(1)>",
    "`` ` <img src=x onerror=alert(1)>",
    "```\n<b>\n~~~\n</b> ```\n<iframe src=//example.com>",
    "`a\n\nb` <svg onload=alert(1)> `",
    "[x](vbscript:1) and [file](file:///etc/passwd)",
    "\\`<img src=x onerror=alert(1)>\\`",
    "| a |\n|---|\n| <style>*{}</style> |",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_of_a_model_is_harmless_in_any_program(text: str) -> None:
    for created in (safe_markdown(text), quoted(text), safe_markdown(f"before {text}\n\n{text}")):
        assert _is_harmless(created), created


@pytest.mark.parametrize(
    "text",
    [
        "**太字** and `a < b`",
        "- 東京: 270\n- 大阪: 175",
        "```python\nif a < b: print('<b>')\n```",
        "| 店舗 | 金額 |\n|---|---:|\n| 東京 | 270 |",
        "[link](https://example.com/a?b=1)",
    ],
)
def test_harmless_markdown_stays_as_it_is(text: str) -> None:
    assert safe_markdown(text) == text


def test_markup_beside_code_is_shown_and_the_code_is_left() -> None:
    assert safe_markdown("a List<int> and `b<c>`") == "a List&lt;int> and `b<c>`"
    assert fenced("```\nx") == "````\n```\nx\n````"
