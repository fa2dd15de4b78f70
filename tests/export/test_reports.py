"""Reports: pinned, kept in an order with captions, and had as the documents of a chat; what is wrong is refused in words."""

import base64
import json
import zipfile
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from smoldesk.errors import BadInput
from smoldesk.export.pins import MAX_PINS
from tests.export import jupyter
from tests.export.conftest import Sample
from tests.export.logs import Json, changed, desk_at, lines_of, read
from tests.support.aio import run_async

ATTACK = '"><script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3)) ![p](https://example.com/p)'


def shown(sample: Sample) -> dict[str, int]:
    """The seq of the first message of each kind, and of the first answer."""
    events = [json.loads(line) for line in sample.log.read_text("utf-8").splitlines() if '"event":' in line]
    by_name: dict[str, int] = {}
    for line in events:
        message = line.get("event", {}).get("message", {})
        if line.get("event", {}).get("type") == "shown":
            kind = "answer" if message.get("tone") == "answer" else message["type"]
            by_name.setdefault(kind, line["seq"])
    return by_name | {"last": events[-1]["seq"]}


def report(sample: Sample) -> str:
    return f"{sample.live.url}/api/chats/{sample.chat_id}/report"


def put(sample: Sample, pins: list[Json]) -> httpx.Response:
    version = httpx.get(report(sample)).json()["version"]
    return httpx.put(report(sample), json={"version": version, "pins": pins})


def pins_of(sample: Sample, caption: str = "") -> list[Json]:
    """One of each kind, not in the order of the chat."""
    seqs = shown(sample)
    kinds = {"map": "last", "table": "table", "chart": "chart", "image": "image", "answer": "answer"}
    return [{"kind": kind, "seq": seqs[name], "caption": caption} for kind, name in kinds.items()]


def exported(sample: Sample, expected: str) -> bytes:
    answer = httpx.get(f"{report(sample)}/export", params={"format": expected}, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.content


def test_a_report_is_changed_as_a_whole_by_who_read_it_last(sample: Sample) -> None:
    pins = pins_of(sample, "売上")
    assert put(sample, pins).status_code == 200
    first = httpx.get(report(sample)).json()
    assert [(pin["kind"], pin["caption"]) for pin in first["pins"]] == [(pin["kind"], "売上") for pin in pins]
    map_pin, table, chart, image, answer = (pin["preview"] for pin in first["pins"])
    svg = base64.b64decode(map_pin["picture"].partition(",")[2]).decode()
    assert "Kitchen" in svg
    assert "<path" in svg, "the arrow is in the map, too"
    assert table["rows"]
    assert answer["text"]
    for picture in (chart, image):
        assert httpx.get(sample.live.url + picture["picture"]).content.startswith(b"\x89PNG")

    turned = {"version": first["version"], "pins": pins[::-1]}
    assert httpx.put(report(sample), json=turned).json() == {"version": first["version"] + 1}
    late = httpx.put(report(sample), json=turned)
    assert (late.status_code, late.json()["error"]["code"]) == (409, "report_changed")
    assert [pin["kind"] for pin in httpx.get(report(sample)).json()["pins"]] == [
        pin["kind"] for pin in pins[::-1]
    ]


def test_a_map_is_shown_as_it_was_seen(sample: Sample) -> None:
    complete = {"kind": "map", "seq": shown(sample)["last"], "floorId": "1F"}
    views = ([40, 40, 500, 200], [1900, 700, 4000, 4000], [-900, -900, 10, 10])
    assert put(sample, [complete, *({**complete, "view": view} for view in views)]).status_code == 200
    pins = httpx.get(report(sample)).json()["pins"]
    assert [pin.get("view") for pin in pins] == [None, *views]
    svgs = [base64.b64decode(pin["preview"]["picture"].partition(",")[2]).decode() for pin in pins]
    received = [svg.partition('viewBox="')[2].partition('"')[0] for svg in svgs]
    assert received[:3] == ["0 0 860 364", "0 0 860 344", "0 0 860 860"]
    assert received[3] == received[0], "of what shows nothing of the floor, all is shown"
    assert (
        'viewBox="0 0 860 344"'
        in base64.b64decode(exported(sample, "html").split(b"base64,")[2].split(b'"')[0]).decode()
    )
    name = httpx.get(f"{report(sample)}/export").headers["content-disposition"]
    assert "%20report.html" in name or " report.html" in name


def test_what_is_no_part_of_the_chat_is_refused_and_nothing_changes(sample: Sample) -> None:
    assert put(sample, pins_of(sample)).status_code == 200
    before = httpx.get(report(sample)).json()
    seqs, other = shown(sample), run_async(sample.live.desk.chats.create("other")).id
    table = {"kind": "table", "seq": seqs["table"]}
    for pins, code in (
        ([{"kind": "chart", "seq": seqs["table"]}], "bad_pin"),
        ([{"kind": "map", "seq": seqs["last"] + 1}], "bad_pin"),
        ([table, {**table, "caption": "again"}], "bad_pin"),
        ([{"kind": "map", "seq": 1, "floorId": str(n)} for n in range(MAX_PINS + 1)], "bad_input"),
        ([{**table, "caption": "x" * 1001}], "bad_input"),
        ([{**table, "run": "r_1"}], "bad_input"),
        ([{**table, "view": [0, 0, -1, 5]}], "bad_input"),
        ([{**table, "view": [0, 0, 5]}], "bad_input"),
    ):
        refused = put(sample, pins)
        assert refused.status_code in (400, 422), refused.text
        assert refused.json()["error"]["code"] == code
    assert httpx.get(report(sample)).json() == before
    foreign = httpx.put(f"{sample.live.url}/api/chats/{other}/report", json={"version": 0, "pins": [table]})
    assert foreign.json()["error"]["code"] == "bad_pin", "an event of another chat is none of this one"
    assert httpx.get(f"{sample.live.url}/api/chats/c_none/report").status_code == 404


def test_captions_are_words_in_every_document_and_parts_keep_their_order(sample: Sample) -> None:
    pins = pins_of(sample, ATTACK)
    assert put(sample, pins).status_code == 200

    page = exported(sample, "html").decode()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= len(pins)
    assert "<img src=x" not in page
    places = [page.index(item) for item in ('alt="Map of', "<table>", 'class="answer"')]
    assert places == sorted(places)

    with zipfile.ZipFile(BytesIO(exported(sample, "markdown"))) as pages:
        text = pages.read("chat.md").decode()
        assert len([name for name in pages.namelist() if name.startswith("pictures/")]) == 3
    assert "<script" not in text
    assert "(javascript:" not in text
    assert "(https:" not in text
    assert text.count("&lt;script&gt;") >= len(pins)


def test_a_title_and_texts_stand_in_every_document_and_run_nothing(sample: Sample, tmp_path: Path) -> None:
    seqs = shown(sample)
    texts = [f"## Sales\n\n**Osaka** {ATTACK}", "Second " * 1000]
    pins = [
        {"kind": "text", "seq": 1, "text": texts[0]},
        {"kind": "table", "seq": seqs["table"]},
        {"kind": "text", "seq": 2, "text": texts[1]},
    ]
    version = httpx.get(report(sample)).json()["version"]
    body = {"version": version, "pins": pins, "title": f"Shops {ATTACK}"}
    assert httpx.put(report(sample), json=body).status_code == 200
    stored = httpx.get(report(sample)).json()
    assert stored["title"] == body["title"]
    assert [pin["text"] for pin in stored["pins"] if pin["kind"] == "text"] == texts

    page = exported(sample, "html").decode()
    assert "<title>Shops &quot;&gt;&lt;script&gt;" in page and "<strong>Osaka</strong>" in page
    assert "<script" not in page and "<img src=x" not in page and 'href="javascript' not in page
    assert page.index("<strong>Osaka") < page.index("<table>") < page.index("Second Second")
    with zipfile.ZipFile(BytesIO(exported(sample, "markdown"))) as pages:
        text = pages.read("chat.md").decode()
    assert text.startswith("# Shops ") and "<script" not in text and "(javascript:" not in text
    cells = json.loads(exported(sample, "notebook"))["cells"]
    assert any("Osaka" in "".join(cell["source"]) for cell in cells)

    for wrong in (
        {**body, "title": "x" * 201},
        {**body, "pins": [{"kind": "text", "seq": 1, "text": "x" * 20_001}]},
        {**body, "pins": [pins[0], {**pins[0], "text": "again"}]},
    ):
        assert httpx.put(report(sample), json={**wrong, "version": version + 1}).status_code in (400, 422)

    log = tmp_path / "log.jsonl"
    sample.live.desk.exports.write(sample.chat_id, "jsonl", log)
    assert lines_of(log)[0]["smoldesk_log"] == 4, "an older desk says that the log is newer"
    other = desk_at(tmp_path / "other")
    try:
        chat_id = read(other, log).chat_id
        assert other.reports.title(chat_id) == body["title"]
        assert [part.pin.text for part in other.reports.read(chat_id)[1]] == [texts[0], "", texts[1]]
    finally:
        other.close()
    assert put(sample, pins_of(sample)).status_code == 200
    assert httpx.get(report(sample)).json()["title"] == body["title"], (
        "a client that knows no titles keeps it"
    )
    emptied = {"version": version + 2, "pins": [], "title": ""}
    assert httpx.put(report(sample), json=emptied).json() == {"version": version + 3}


@pytest.mark.browser
def test_a_report_on_paper_cuts_no_table_and_no_chart(
    sample: Sample, browser: Browser, tmp_path: Path
) -> None:
    assert put(sample, pins_of(sample)).status_code == 200
    page_file = tmp_path / "report.html"
    rows = "<tr>" + f"<td>{'x' * 1000}</td>" * 12 + "</tr>"
    wide = f'<figure class="of-table wide"><div class="table"><table>{rows}</table></div></figure></main>'
    page_file.write_text(exported(sample, "html").decode().replace("</main>", wide), "utf-8")
    page = browser.new_page(viewport={"width": 680, "height": 900}, color_scheme="dark")
    page.emulate_media(media="print")
    page.goto(page_file.as_uri())
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = page.evaluate(
        """[...document.querySelectorAll("body *")].filter((one) => one.scrollWidth > one.clientWidth + 1
        && getComputedStyle(one).display !== "inline").map((one) => one.outerHTML.slice(0, 60))"""
    )
    assert cut == []
    kept = page.evaluate(
        "[...document.querySelectorAll('tr, figure, img')].map((one) => getComputedStyle(one).breakInside)"
    )
    assert set(kept) == {"avoid"}
    captions = page.locator("figcaption").all_text_contents()
    assert len(set(captions)) == len(captions)
    page.close()


def test_a_reports_notebook_has_what_it_was_computed_with_and_runs(sample: Sample, tmp_path: Path) -> None:
    seqs = shown(sample)
    chart = {"kind": "chart", "seq": seqs["chart"], "caption": ATTACK}
    assert put(sample, [chart]).status_code == 200
    path = tmp_path / "report.ipynb"
    path.write_bytes(exported(sample, "notebook"))
    cells = json.loads(path.read_bytes())["cells"]
    part = cells[1]
    assert "<script" not in part["source"]
    assert base64.b64decode(part["attachments"]["001.png"]["image/png"]).startswith(b"\x89PNG")
    code = "\n".join(cell["source"] for cell in cells if cell["cell_type"] == "code")
    assert "chart(sales" in code
    assert "draw_arrow" not in code, "what came after it is not needed"
    jupyter.run(path, tmp_path)


def test_a_report_goes_with_the_log_of_its_chat_and_what_a_log_makes_up_is_left_out(
    sample: Sample, tmp_path: Path
) -> None:
    assert put(sample, pins_of(sample, ATTACK)).status_code == 200
    log = tmp_path / "log.jsonl"
    sample.live.desk.exports.write(sample.chat_id, "jsonl", log)
    assert lines_of(log)[0]["smoldesk_log"] == 4, "its answers have evidence"

    def tampered(lines: list[Json]) -> None:
        [stored] = [line["report"]["pins"] for line in lines if "report" in line]
        made_up = [{"kind": "chart", "seq": stored[0]["seq"]}, {"kind": "table", "seq": 2**50}, stored[0]]
        stored.extend(made_up)

    def doubled(lines: list[Json]) -> None:
        lines.insert(-1, next(line for line in lines if "report" in line))

    other = desk_at(tmp_path / "other")
    try:
        chat_id = read(other, log).chat_id
        pinned = [(part.pin.kind, part.pin.caption) for part in other.reports.read(chat_id)[1]]
        assert pinned == [(pin["kind"], ATTACK) for pin in pins_of(sample)]
        other.exports.write(chat_id, "jsonl", tmp_path / "again.jsonl")
        reports = [
            [line for line in lines_of(one) if "report" in line] for one in (log, tmp_path / "again.jsonl")
        ]
        assert reports[0] == reports[1]

        chat_id = read(other, changed(log, tmp_path / "tampered.jsonl", tampered)).chat_id
        version, parts = other.reports.read(chat_id)
        assert [part.pin.kind for part in parts] == [kind for kind, _ in pinned]
        assert other.reports.put(chat_id, version, [part.pin for part in parts]) == version + 1
        with pytest.raises(BadInput, match="a second report"):
            read(other, changed(log, tmp_path / "doubled.jsonl", doubled))
    finally:
        other.close()


@pytest.mark.parametrize("undo", [False, True])
def test_a_report_goes_with_its_chat(sample: Sample, undo: bool) -> None:
    url = f"{sample.live.url}/api/chats"
    chat_id = httpx.post(url, json={"title": "short"}).json()["id"]
    assert httpx.put(f"{url}/{chat_id}/report", json={"version": 0, "pins": []}).status_code == 200
    assert httpx.delete(f"{url}/{chat_id}", params={"undo": undo}).status_code == 204
    for path in ("report", "report/export"):
        gone = httpx.get(f"{url}/{chat_id}/{path}")
        assert (gone.status_code, gone.json()["error"]["code"]) == (404, "not_found"), gone.text
