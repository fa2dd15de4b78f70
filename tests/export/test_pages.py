"""HTML and Markdown of a chat: whole without a server, and harmless whatever is in it."""

import json
import re
import zipfile
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.export.a_chat import finished
from tests.export.conftest import Sample
from tests.export.logs import Json, changed, desk_at, read
from tests.support.aio import run_async

ATTACK = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def attacked(sample: Sample, folder: Path) -> tuple[Path, Path]:
    """HTML and Markdown of a chat that has markup and links wherever there is room for words."""

    def attack(lines: list[Json]) -> None:
        lines[0]["head"]["title"] = ATTACK
        for line in lines:
            event = line.get("event", {})
            message = event["message"] if event.get("type") == "shown" else {}
            if event.get("type") in ("run_queued", "run_started"):
                event["message"] = f"{ATTACK} [x](javascript:document.title='owned')"
                event["attachments"] = [ATTACK]
            if event.get("type") == "printed":
                event["text"] = f"{ATTACK}\n"
            if message.get("type") == "text":
                message["content"] = (
                    f"{ATTACK}\n\n[click](javascript:document.title='owned') ![p](https://example.com/p.png)"
                )
            if message.get("type") == "table":
                message["content"] |= {"name": ATTACK, "rows": [[ATTACK, ATTACK]]}
                message["content"]["columns"][0]["name"] = ATTACK
            if message.get("type") == "chart":
                message["content"] |= {"name": ATTACK, "description": f'"{ATTACK}'}
            if message.get("type") == "map":
                message["content"]["rectangles"][0] |= {"name": ATTACK, "color": "#00ff00"}
            if event.get("type") == "ask_closed":
                event["value"] = ATTACK

    desk = desk_at(folder / "desk")
    try:
        done = read(desk, changed(sample.log, folder / "log.jsonl", attack))
        desk.exports.write(done.chat_id, "html", folder / "attacked.html")
        desk.exports.write(done.chat_id, "markdown", folder / "attacked.zip")
    finally:
        desk.close()
    return folder / "attacked.html", folder / "attacked.zip"


@pytest.mark.browser
def test_the_page_shows_the_chat_from_a_file_and_runs_nothing(
    sample: Sample, browser: Browser, tmp_path: Path
) -> None:
    answer = httpx.get(
        f"{sample.live.url}/api/chats/{sample.chat_id}/export", params={"format": "html"}, timeout=60
    )
    assert answer.headers["content-disposition"].startswith("attachment; filename=")
    complete = tmp_path / "chat.html"
    complete.write_bytes(answer.content)
    complaints: list[str] = []
    requests: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda sent: requests.append(sent.url))
    page.goto(complete.as_uri())
    expect(page.locator(".question")).to_have_text("売上を店舗ごとに合計して")
    expect(page.locator(".answer").first).to_contain_text("金額の合計が最も大きいのは")
    expect(page.locator("pre.hl").first).to_be_hidden()
    expect(page.locator("td", has_text="大阪").first).to_be_visible()
    pictures = page.locator("img").evaluate_all(
        "all => all.map((one) => one.complete && one.naturalWidth > 0)"
    )
    assert pictures == [True, True, True, True]
    assert page.locator("body").evaluate("one => getComputedStyle(one).maxWidth") == "860px", (
        "the policy knows the style"
    )
    heights = page.locator("tr", has=page.locator("td.number")).first.evaluate(
        """(row) => { const before = row.offsetHeight, cell = row.lastElementChild;
        for (let n = 0; n < 60; n += 1) row.append(cell.cloneNode(true)); return [before, row.offsetHeight]; }"""
    )
    assert heights[0] == heights[1], "numbers of a wide table stay whole: it scrolls"

    page.goto(attacked(sample, tmp_path)[0].as_uri())
    expect(page.locator("td", has_text="<img src=x").first).to_be_visible()
    expect(page.locator("h1")).to_contain_text("<script>")
    assert page.locator("script, [onerror], iframe").count() == 0
    assert not [
        item
        for item in page.locator("a").evaluate_all("all => all.map((a) => a.href)")
        if "javascript" in item
    ]
    assert page.title().startswith("<img"), "nothing ran"
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert complaints == []
    page.close()


def test_documents_of_a_chat_without_a_question_say_so(sample: Sample, tmp_path: Path) -> None:
    desk, target = sample.live.desk, tmp_path / "empty"
    chat_id = run_async(desk.chats.create("empty")).id
    for expected in ("html", "markdown", "notebook"):
        desk.exports.write(chat_id, expected, target)
        message = zipfile.ZipFile(target).read("chat.md") if expected == "markdown" else target.read_bytes()
        assert b"Nothing was asked in this chat." in message, expected
    run_async(desk.chats.delete(chat_id))


def test_a_table_that_a_turn_shows_again_stands_once(sample: Sample, tmp_path: Path) -> None:
    desk, target = sample.live.desk, tmp_path / "page.html"
    code = "import pandas as pd\nonce = pd.DataFrame({'once_x': [1]})\ndisplay(once)\ndisplay(once.copy())\ndisplay(once + 1)"

    async def shown() -> str:
        chat_id = (await desk.chats.create("twice")).id
        await finished(desk, chat_id, await desk.runs.run_code(chat_id, code))
        return chat_id

    chat_id = run_async(shown())
    desk.exports.write(chat_id, "html", target)
    page = target.read_text("utf-8")
    assert page.count("once_x</th>") == 2, "the other values are another table"
    names = re.findall("<figcaption>(?:<span data-table>)?([^<]*)", page)
    assert names == ["once", "Table"], "of its variable; without one a table is called after its columns"
    run_async(desk.chats.delete(chat_id))


REPEATING = """
import pandas as pd
display(pd.DataFrame({"shop": ["A", "B"], "total": [1234.5678, None]}))
final_answer("Sums:\\n\\n|   | shop | total |\\n|--|--|--|\\n| 0 | A | %s |\\n| 1 | **B** | nan |\\n\\nA leads.")
"""


@pytest.mark.parametrize(("number", "tables"), [("1,234.57", 1), ("1,234.58", 2)], ids=["repeats", "differs"])
def test_a_table_in_an_answer_that_repeats_a_shown_one_is_left_out_of_pages_and_reports(
    sample: Sample, tmp_path: Path, number: str, tables: int
) -> None:
    desk, target = sample.live.desk, tmp_path / "page"

    async def answered() -> str:
        chat_id = (await desk.chats.create("repeats")).id
        await finished(desk, chat_id, await desk.runs.run_code(chat_id, REPEATING % number))
        return chat_id

    chat_id = run_async(answered())
    url = f"{sample.live.url}/api/chats/{chat_id}"
    messages = [json.loads(line) for line in httpx.get(f"{url}/messages").text.splitlines()]
    seqs = {message["type"]: message["seq"] for message in messages if message["type"] in ("text", "table")}
    pins = [{"kind": "answer", "seq": seqs["text"]}, {"kind": "table", "seq": seqs["table"]}]
    for version, (pinned, expected) in enumerate([(pins, tables), (pins[:1], 1)]):
        body = {"version": version, "pins": pinned}
        httpx.put(f"{url}/report", json=body).raise_for_status()
        desk.reports.write(chat_id, "html", target)
        assert target.read_text("utf-8").count("shop</th>") == expected
    desk.exports.write(chat_id, "html", target)
    page = target.read_text("utf-8")
    desk.exports.write(chat_id, "markdown", target)
    text = zipfile.ZipFile(target).read("chat.md").decode()
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    assert [page.count("shop</th>"), text.count("| shop |")] == [tables, tables]
    for content in (page.rpartition("</details>")[2], text):
        assert ("Sums:" in content, "A leads." in content) == (tables == 2, True)
    run_async(desk.chats.delete(chat_id))


def test_the_policy_of_the_page_is_that_of_the_desk_and_stricter(sample: Sample, tmp_path: Path) -> None:
    target = tmp_path / "chat.html"
    sample.live.desk.exports.write(sample.chat_id, "html", target)
    match = re.search(r'Content-Security-Policy" content="([^"]+)"', target.read_text(encoding="utf-8"))
    assert match is not None
    parts = str(match[1]).replace("&#x27;", "'").split(";")
    local = {part.split()[0]: part.strip().partition(" ")[2] for part in parts}
    assert local["default-src"] == "'none'" and local["img-src"] == "data:" and "script-src" not in local
    assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", local["style-src"])
    assert local["require-trusted-types-for"] == "'script'" and local["trusted-types"] == "'none'"


def test_markdown_has_its_pictures_beside_it_and_no_markup_of_others(sample: Sample, tmp_path: Path) -> None:
    target = tmp_path / "chat.zip"
    sample.live.desk.exports.write(sample.chat_id, "markdown", target)
    with zipfile.ZipFile(target) as pages:
        text = pages.read("chat.md").decode()
        assert set(re.findall(r"\]\((pictures/[^)]+)\)", text)) == {*pages.namelist()} - {"chat.md"}
        assert pages.read("pictures/001.png").startswith(b"\x89PNG")
    assert "> 売上を店舗ごとに合計して" in text and "| 大阪 | 175 |" in text and "```python\n" in text

    with zipfile.ZipFile(attacked(sample, tmp_path)[1]) as pages:
        text = pages.read("chat.md").decode()
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    assert "<" not in outside
    assert "](javascript" not in outside and "](https" not in outside
