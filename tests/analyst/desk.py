"""A desk in miniature: real pandas tables, fake map tools, and a plain exec namespace for the analyst's code.

`Desk.ask` sends requests through `BuiltinModel.generate` with the messages smolagents would send, runs
the code of the last reply and hands back what a person would see.
"""

import contextlib
import json
import re
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from smolagents.models import ChatMessage, MessageRole

from smoldesk.analyst.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.model import BuiltinModel
from smoldesk.buildings.places import PlaceIndex
from smoldesk.charts import checked_spec
from smoldesk.charts.inside.cell_charts import chart_in_cell
from smoldesk.charts.inside.charts import is_chart, write_chart
from smoldesk.messages import MapDefinitionContent

ROOMS = {
    "B1": ["Storage", "Garage"],
    "1F": ["Room1", "Room2", "Bathroom", "Kitchen", "Toilet", "Level1", "Level2"],
    "2F": ["Office1", "Office2", "Hall"],
}
FLOOR_NAMES = {"B1": "地下1階", "1F": "1階", "2F": "2階"}
BITMAPS = [f"arrow_{direction}" for direction in ("up", "down", "left", "right")]
BITMAPS += ["person", "exit", "warning", "stairs", "lift", "fire"]


class Answered(BaseException):
    """Raised by final_answer, which ends a cell at once."""


def titanic() -> pd.DataFrame:
    """891 made-up passengers with the columns of the well-known table, 342 of them survivors."""
    random = np.random.default_rng(7)
    sex = np.where(random.random(891) < 0.35, "female", "male")
    pclass = random.choice([1, 2, 3], 891, p=[0.24, 0.21, 0.55])
    chance = 0.2 + 0.5 * (sex == "female") - 0.08 * pclass + random.normal(0, 0.1, 891)
    survived = np.zeros(891, dtype=int)
    survived[np.argsort(-chance)[:342]] = 1
    age = np.round(np.clip(random.normal(30, 14, 891), 0.5, 80), 1)
    age[random.random(891) < 0.2] = np.nan
    frame = pd.DataFrame({"survived": survived, "pclass": pclass, "sex": sex, "age": age})
    frame["sibsp"] = random.choice([0, 1, 2, 3], 891, p=[0.7, 0.2, 0.07, 0.03])
    frame["parch"] = random.choice([0, 1, 2], 891, p=[0.8, 0.13, 0.07])
    frame["fare"] = np.round(random.gamma(2, 25 / pclass), 4)
    frame["embarked"] = random.choice(["S", "C", "Q"], 891, p=[0.7, 0.2, 0.1])
    frame["class"] = frame["pclass"].map({1: "First", 2: "Second", 3: "Third"})
    frame["who"] = np.where(frame["age"] < 16, "child", np.where(frame["sex"] == "female", "woman", "man"))
    frame["adult_male"] = frame["who"] == "man"
    frame["deck"] = random.choice(["A", "B", "C", None], 891, p=[0.1, 0.1, 0.1, 0.7])  # pyright: ignore[reportArgumentType, reportCallIssue]
    frame["embark_town"] = frame["embarked"].map({"S": "Southampton", "C": "Cherbourg", "Q": "Queenstown"})
    frame["alive"] = np.where(frame["survived"] == 1, "yes", "no")
    frame["alone"] = (frame["sibsp"] + frame["parch"]) == 0
    return frame


def measurement() -> pd.DataFrame:
    """Ten days of hourly sensor readings in four rooms."""
    random = np.random.default_rng(3)
    hours = pd.date_range("2024-05-01", periods=240, freq="h")
    parts: list[pd.DataFrame] = []
    for place, room in enumerate(("Room1", "Room2", "Kitchen", "Bathroom")):
        cycle = np.sin((hours.hour.to_numpy() - 8) / 24 * 2 * np.pi)
        parts.append(
            pd.DataFrame(
                {
                    "Brightness": np.round(np.clip(300 * cycle + random.normal(0, 20, 240), 0, None), 1),
                    "Humidity": np.round(45 + 5 * place - 3 * cycle + random.normal(0, 1, 240), 2),
                    "SetpointHistory": random.choice([20.0, 21.0, 22.0], 240),
                    "Temperature": np.round(20 + place + 2 * cycle + random.normal(0, 0.3, 240), 2),
                    "roomname": room,
                    "date": hours.astype(str),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def table_info(name: str, frame: pd.DataFrame, load: str) -> TableInfo:
    """What the desk would tell the analyst about a frame."""
    columns: list[ColumnInfo] = []
    for column in frame.columns:
        series = frame[column]
        distinct = sorted(series.dropna().unique().tolist())
        if pd.api.types.is_bool_dtype(series):
            kind, few = "bool", 0
        elif pd.api.types.is_numeric_dtype(series):
            kind, few = "number", 12
        elif series.dropna().astype(str).str.match(r"\d{4}-\d\d-\d\d").all():
            kind, few = "date", 0
        else:
            kind, few = "text", 40
        values = [f"{item:g}" if isinstance(item, float) else str(item) for item in distinct]
        columns.append(ColumnInfo(str(column), kind, values if len(values) <= few else []))
    return TableInfo(name, columns, len(frame), load)


@dataclass
class Result:
    """What came of a request: reply, code, answer, tables shown, tool calls, charts, files saved.

    `others` are the sentences and answers of other readings.
    """

    reply: str
    code: str
    answer: str = ""
    tables: list[pd.DataFrame] = field(default_factory=list[pd.DataFrame])
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    charts: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    saved: dict[str, pd.DataFrame] = field(default_factory=dict[str, pd.DataFrame])
    others: dict[str, str] = field(default_factory=dict[str, str])

    def tool(self, name: str) -> dict[str, Any]:
        """The arguments of the only call of that tool."""
        calls = [arguments for tool, arguments in self.calls if tool == name]
        assert len(calls) == 1, (name, self.calls)
        return calls[0]

    def numbers(self) -> list[float]:
        """All numbers of the answer, in order."""
        result = re.findall(r"-?\d[\d,]*(?:\.\d+)?", self.answer)
        return [float(item.replace(",", "")) for item in result]


@cache
def places() -> PlaceIndex:
    """The names of the rooms and floors."""
    corner = {"px": 0, "py": 0, "x": 0, "y": 0}
    floors = [
        {
            "floorId": floor,
            "floorName": FLOOR_NAMES[floor],
            "floorImage": "",
            "coordinateSystem": {"topLeft": corner, "bottomRight": corner},
            "rectangles": [
                {"name": room, "topLeft": {"x": 0, "y": 0}, "bottomRight": {"x": 1, "y": 1}} for room in rooms
            ],
        }
        for floor, rooms in ROOMS.items()
    ]
    return PlaceIndex(MapDefinitionContent.model_validate({"floors": floors, "bitmaps": []}))


@cache
def bundled() -> dict[str, tuple[pd.DataFrame, TableInfo]]:
    """The bundled tables and what is told of them: made once, for nothing changes them (answers get copies)."""
    frames = {"titanic": titanic(), "measurement": measurement()}
    return {
        name: (frame, table_info(name, frame, f'load_dataset("{name}")')) for name, frame in frames.items()
    }


class Desk:
    """One chat's tables and building, and the model that answers about them."""

    def __init__(self, folder: Path | None = None, **local: pd.DataFrame) -> None:
        self.frames = {name: frame for name, (frame, _) in bundled().items()}
        tables = [table for _, table in bundled().values()]
        self.folder = folder
        for name, frame in local.items():
            assert folder is not None
            frame.to_csv(folder / f"{name}.csv", index=False)
            tables.append(table_info(name, frame, f'pd.read_csv("{name}.csv")'))
        self.catalogue = Catalogue(tables, ROOMS, FLOOR_NAMES, BITMAPS, "1F", places=places())
        self.model = BuiltinModel(self.catalogue)

    def ask(self, *requests: str) -> Result:
        """The last of these requests, asked after the others, answered and run."""
        reply = str(self.model.generate(messages(*requests)).content)
        match = re.fullmatch(r"[^\n]+\n<code>\n(.*)\n</code>", reply, re.DOTALL)
        assert match, reply
        received = Result(reply, match.group(1))
        self._run(received)
        return received

    def _run(self, received: Result) -> None:
        def tool(name: str) -> Callable[..., str]:
            def call(**arguments: Any) -> str:
                received.calls.append((name, arguments))
                return "done"

            return call

        answers: dict[str, str] = {}
        sentence = [""]

        @contextlib.contextmanager
        def alternative(of: str) -> Generator[None]:
            sentence.append(of)
            with contextlib.suppress(Answered):
                yield
            sentence.pop()

        def final_answer(text: str) -> None:
            answers.setdefault(sentence[-1], text)
            raise Answered

        def save_data(dataset: dict[str, list[Any]], file_name: str) -> str:
            received.saved[file_name] = pd.DataFrame(dataset)
            return "saved"

        def display(displayed: object) -> None:
            if is_chart(displayed):
                with tempfile.NamedTemporaryFile() as file:
                    write_chart(displayed, Path(file.name))
                    received.charts.append(json.loads(checked_spec(Path(file.name).read_bytes())))
                return
            assert isinstance(displayed, pd.DataFrame), displayed
            received.tables.append(displayed)

        names = ("show_map", "clear_map", "draw_arrow", "clear_arrows")
        space: dict[str, Any] = {name: tool(name) for name in names}
        space |= {
            "alternative": alternative,
            "final_answer": final_answer,
            "save_data": save_data,
            "display": display,
            "chart": chart_in_cell,
        }
        space["load_dataset"] = lambda name: self.frames[name].copy()
        try:
            # results are saved as files: a desk without a folder of its own has one for as long as the code runs
            with tempfile.TemporaryDirectory() as passing, contextlib.chdir(self.folder or passing):
                exec(compile(received.code, "<cell>", "exec"), space)
        except Answered:
            pass
        assert answers, "the code ended without final_answer"
        (_, received.answer), *others = answers.items()
        received.others = dict(others)


def messages(*requests: str) -> list[ChatMessage]:
    """The messages smolagents sends for the last of these requests."""
    reports = [ChatMessage(MessageRole.SYSTEM, [{"type": "text", "text": "You are a helpful agent."}])]
    for place, request in enumerate(requests):
        reports.append(ChatMessage(MessageRole.USER, [{"type": "text", "text": f"New task:\n{request}"}]))
        if place < len(requests) - 1:
            reports.append(
                ChatMessage(MessageRole.ASSISTANT, [{"type": "text", "text": "...\n<code>\n...\n</code>"}])
            )
            observed = "Observation:\nExecution logs:\nLast output from code snippet:\nsomething"
            reports.append(ChatMessage(MessageRole.TOOL_RESPONSE, [{"type": "text", "text": observed}]))
    return reports
