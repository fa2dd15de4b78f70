"""Pictures of charts by the real engine, in its jail: drawn, and neither read nor reached anything, nor went on for ever.

The specs here have passed no rule: what the rules miss, the jail has to hold.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from smoldesk.charts import NoPicture, picture_of, pictures, prepare_picture, svg_of
from smoldesk.errors import BadInput, Stopped
from smoldesk.sandbox.process import ChildProcess
from smoldesk.sandbox.programs import start_program
from smoldesk.sandbox.waiting_process import WaitingProcess
from smoldesk.stopping import StopFlag
from tests.support.servers import http_served
from tests.support.waiting import come_true

ROWS = {"values": [{"a": "東京", "b": 28}, {"a": "B", "b": 55}]}
pytestmark = pytest.mark.starts

BAR: dict[str, Any] = {
    "data": ROWS,
    "mark": "bar",
    "encoding": {"x": {"field": "a", "type": "nominal"}, "y": {"field": "b", "type": "quantitative"}},
}


def test_a_chart_becomes_a_png_of_twice_its_size() -> None:
    picture = picture_of(json.dumps(BAR | {"width": 200, "height": 100}, ensure_ascii=False))
    assert picture.png.startswith(b"\x89PNG")
    assert int.from_bytes(picture.png[16:20]) == 2 * picture.width
    assert picture.width > 200 and picture.height > 100


def test_a_process_is_loaded_ahead_and_draws_one_chart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prepare_picture()
    come_true(lambda: pictures._waiting.kind is not None)  # whoever drew before this test starts no other
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, new = tmp_path / "smoldesk-chart-old", tmp_path / "smoldesk-chart-new"
    for place in (old, new):
        place.mkdir()
    os.utime(old, (0, 0))
    started: list[tuple[int, Path]] = []
    waiting = WaitingProcess()
    monkeypatch.setattr(pictures, "_waiting", waiting)

    def noted(*inputs: Any) -> ChildProcess:
        process = start_program(*inputs)
        started.append((process.pid, inputs[1]))
        return process

    monkeypatch.setattr(pictures, "start_program", noted)
    prepare_picture()
    come_true(lambda: waiting.kind is not None)
    [(pid, folder)] = started
    assert not old.exists() and new.exists(), "what a killed server left goes, but nothing that may be in use"
    assert picture_of(json.dumps(BAR)).png
    come_true(lambda: len(started) == 2 and not folder.exists())
    assert not Path(f"/proc/{pid}").exists(), "one process for one chart"
    remaining = waiting.take(waiting.kind)
    assert remaining is not None and remaining.pid == started[1][0]
    remaining.kill()


@pytest.fixture
def requested() -> Iterator[tuple[str, list[str]]]:
    """A server's address, and the paths that it was asked for."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'[{"a": "reached", "b": 1}]')

    with http_served(Handler) as address:
        yield address, paths


def test_nothing_is_reached_over_the_network(requested: tuple[str, list[str]]) -> None:
    address, paths = requested
    image = {"type": "image", "width": 40, "height": 40}
    for spec in (
        BAR | {"data": {"url": f"{address}/data.json"}},
        BAR | {"mark": image, "encoding": BAR["encoding"] | {"url": {"value": f"{address}/image.png"}}},
        BAR
        | {
            "transform": [
                {
                    "lookup": "a",
                    "from": {"data": {"url": f"{address}/more.json"}, "key": "a", "fields": ["b"]},
                }
            ]
        },
    ):
        try:
            picture_of(json.dumps(spec))
        except NoPicture:
            continue
    assert paths == []


def test_no_file_of_the_machine_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('[{"a": "x", "b": 1}, {"a": "y", "b": 2}, {"a": "z", "b": 3}]')
    encoding = {"x": {"field": "a", "type": "nominal"}}
    empty = picture_of(json.dumps({"data": {"values": []}, "mark": "bar", "encoding": encoding}))
    for url in (secret.as_uri(), str(secret)):
        try:
            picture = picture_of(json.dumps({"data": {"url": url}, "mark": "bar", "encoding": encoding}))
        except NoPicture:
            continue
        assert picture.width <= empty.width, "three bars were drawn of a file"


@pytest.mark.parametrize(
    "change",
    [
        {"data": {"sequence": {"start": 0, "stop": 1e9}}},
        {"params": [{"name": "p", "expr": "sequence(1e9)"}]},
        {"width": 1_000_000, "height": 1_000_000},
    ],
)
def test_what_has_no_end_is_ended_and_says_so(change: dict[str, Any]) -> None:
    with pytest.raises(NoPicture, match=r"too long|too much memory|too large|failed|could not"):
        picture_of(json.dumps(BAR | change), seconds=6)


def test_what_the_engine_says_of_a_broken_spec_is_told_without_its_stack() -> None:
    with pytest.raises(NoPicture) as fault:
        picture_of(json.dumps(BAR | {"mark": "no such mark"}))
    assert "\n" not in str(fault.value)
    assert "backtrace" not in str(fault.value)
    assert len(str(fault.value)) < 600


def test_a_stopped_run_does_not_wait_for_its_picture() -> None:
    stop = StopFlag()
    stop.set("enough")
    with pytest.raises(Stopped):
        picture_of(json.dumps(BAR), stop)


EVIL = "<script>alert(1)</script><image href='http://nowhere.example/'/> ]]> & \x00\x0b javascript:1"


def test_an_svg_has_shapes_and_text_whatever_the_texts_of_a_chart_are() -> None:
    rows = {"values": [{"a": EVIL, "b": 1}, {"a": "東京", "b": 2}]}
    text = {"text": {"field": "a"}, "description": {"field": "a"}}
    layers = {"layer": [{"mark": "bar"}, {"mark": "text", "encoding": text}], "title": EVIL}
    encoding = {**BAR["encoding"], "y": {**BAR["encoding"]["y"], "title": EVIL}}
    drawn = svg_of(json.dumps({"data": rows, **layers, "encoding": encoding}))
    root = ElementTree.fromstring(drawn)
    assert {item.tag.partition("}")[2] for item in root.iter()} <= {
        "svg",
        "g",
        "path",
        "rect",
        "line",
        "text",
    }
    names = {name for item in root.iter() for name in item.attrib}
    assert not [name for name in names if name.startswith("on") or "href" in name or name == "style"]
    texts = [item.text for item in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "東京" in texts and any("<script>" in (word or "") for word in texts)


def test_a_colour_that_is_an_address_is_refused_in_an_svg() -> None:
    rows = {"values": [{"a": "x", "b": 1, "c": "url(http://nowhere.example/)"}]}
    colour = {"color": {"field": "c", "type": "nominal", "scale": None}}
    with pytest.raises(BadInput, match="address"):
        svg_of(json.dumps(BAR | {"data": rows, "encoding": BAR["encoding"] | colour}))
