"""Painting from real code in a real child: pandas objects as they are, and drawings that know the line that drew them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.desk_server import live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code, text_of
from tests.support.ws_client import Message, WsClient, of_type

FRAME = """\
import pandas as pd
df = pd.DataFrame({
    "day": pd.to_datetime(["2024-05-01", "2024-05-01", "2024-05-02", "2024-05-02"]),
    "room": ["Kitchen", "Room1", "Kitchen", "Room1"],
    "t": [24.0, 20.0, 22.0, None],
})
"""


class Painter:
    """A desk with the real tools and a scripted model."""

    def __init__(self) -> None:
        self.model: Any = None

    def ask(self, client: WsClient, *replies: Any) -> list[Message]:
        self.model = ScriptedModel([*replies])
        client.say("paint")
        messages = client.until_closed()
        assert messages[-1]["content"]["state"] == "finished", messages[-1]
        assert not of_type(messages, "error"), messages
        return messages


@pytest.fixture(scope="module", params=["code", "tools"])
def desk(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Painter, WsClient]]:
    painter = Painter()
    folder = tmp_path_factory.mktemp(request.param)
    with (
        live_desk(folder, lambda: painter.model, agent=request.param, max_children=1) as live,
        WsClient(live.ws_url) as client,
    ):
        client.hello()
        yield request.param, painter, client


def ran(kind: str, text: str) -> list[Any]:
    """What the model says so that this code runs, and the run ends."""
    if kind == "code":
        return [code(text), code("final_answer('done')")]
    return [Calls(("python_interpreter", {"code": text})), Calls(("final_answer", {"answer": "done"}))]


def test_a_series_by_room_is_painted_and_knows_its_line(desk: tuple[str, Painter, WsClient]) -> None:
    kind, painter, client = desk
    cell = FRAME + 'means = df.groupby("room")["t"].mean()\nprint(color_rooms(means, title="t", unit="°C"))'
    [drawn] = of_type(painter.ask(client, *ran(kind, cell)), "map")
    content = drawn["content"]
    assert {item["name"]: item["value"] for item in content["rectangles"]} == {"Kitchen": 23, "Room1": 20}
    assert [item["type"] for item in content["overlays"]] == ["legend"]
    line = cell.count("\n") + 1
    assert content["source"] == {"step": 1, "line": line, "code": cell.split("\n")[-1]}


@pytest.mark.parametrize(
    "expression",
    [
        "df",
        'df.set_index(["day", "room"])["t"]',
        'df.pivot_table(index="day", columns="room", values="t")',
        'df[["day", "room", "t"]].values.tolist()',
        '{day: dict(zip(rows["room"], rows["t"])) for day, rows in df.groupby(df["day"].dt.date)}',
    ],
    ids=["frame", "levels", "pivot", "rows", "dict"],
)
def test_frames_play_in_whatever_shape_pandas_has_them(
    desk: tuple[str, Painter, WsClient], expression: str
) -> None:
    kind, painter, client = desk
    cell = f"{FRAME}said = play_rooms({expression}, unit='°C')\nprint(said.splitlines()[0])"
    [played] = of_type(painter.ask(client, *ran(kind, cell)), "map_frames")
    frames = played["content"]["frames"]
    assert [frame["time"] for frame in frames] == ["2024-05-01", "2024-05-02"]
    assert [{item["name"]: item["value"] for item in frame["rectangles"]} for frame in frames] == [
        {"Kitchen": 24, "Room1": 20},
        {"Kitchen": 22},
    ]
    source = played["content"]["source"]
    assert (source["step"], source["code"].startswith("said = play_rooms(")) == (1, True)


def test_a_tool_called_by_itself_knows_its_step(tmp_path: Path) -> None:
    painter = Painter()
    with live_desk(tmp_path, lambda: painter.model, agent="tools") as live, WsClient(live.ws_url) as client:
        client.hello()
        messages = painter.ask(
            client,
            Calls(("where_is", {"name": "Kitchen"})),
            Calls(("color_rooms", {"values": {"Kitchen": 1, "Room1": 2}})),
            Calls(("final_answer", {"answer": "done"})),
        )
    assert [item["content"]["source"] for item in of_type(messages, "map")] == [{"step": 1}, {"step": 2}]


def test_a_model_reads_that_a_long_playback_was_drawn_not_its_numbers(
    desk: tuple[str, Painter, WsClient],
) -> None:
    kind, painter, client = desk
    cell = 'print(play_rooms({str(n): {"Kitchen": n, "Room1": -n} for n in range(1, 301)}))'
    [played] = of_type(painter.ask(client, *ran(kind, cell)), "map_frames")
    assert len(played["content"]["frames"]) == 300
    read = text_of(painter.model.seen[-1])
    remark = read[read.rindex("300 frames of 2 rooms") :]
    assert "characters, drawn on the map}" in remark
    assert len(remark) < 1_000


def test_a_model_reads_a_short_drawing_whole(desk: tuple[str, Painter, WsClient]) -> None:
    kind, painter, client = desk
    painter.ask(client, *ran(kind, 'print(find_route("Room1", "Office"))'))
    read = text_of(painter.model.seen[-1])
    assert (
        json.loads(read[read.rindex("MAP_COMMAND: ") + 13 :].split("\n")[0])["overlays"][0]["goal"]
        == "Office"
    )
