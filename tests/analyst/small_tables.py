"""Small tables with messy columns, and the analyst's answer about them by either kind of agent.

The code that is run is what the agent would run: of a CodeAgent the reply's own, of a ToolCallingAgent the argument of its
`python_interpreter` call. Files are described as a child of the desk would describe them.
"""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pandas as pd

from smoldesk.analyst.model import BuiltinModel
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.tables.inside.columns import Describer
from tests.analyst.desk import Answered, messages


@dataclass
class Said:
    """The answer, the code that gave it, the frames it showed, what it saved, and the axes it drew."""

    text: str
    code: str
    tables: list[Any] = field(default_factory=list[Any])
    saved: dict[str, Any] = field(default_factory=dict[str, Any])
    axes: list[Any] = field(default_factory=list[Any])

    @property
    def first(self) -> str:
        """The first paragraph, where the key figure stands."""
        return self.text.split("\n\n")[0]


class _Interpreter:
    name = "python_interpreter"


def described(name: str, frame: pd.DataFrame, produced: bool = False) -> TableInfo:
    """A table as the desk would tell the analyst of it."""
    columns = [
        ColumnInfo(one["name"], one["kind"], one["values"], one.get("form", ""), tuple(one.get("span", ())))
        for one in Describer().columns(frame)
    ]
    return TableInfo(
        name, columns, len(frame), f'pd.read_csv("{name}.csv")', file=f"{name}.csv", produced=produced
    )


class SmallDesk:
    """A folder with these CSV texts, and the analyst that answers about them; `saved` names those that code wrote."""

    def __init__(self, folder: Path, saved: tuple[str, ...] = (), **texts: str) -> None:
        self.folder = folder
        tables: list[TableInfo] = []
        for name, text in texts.items():
            (folder / f"{name}.csv").write_text(text, encoding="utf-8")
            tables.append(described(name, pd.read_csv(folder / f"{name}.csv"), name in saved))
        self.model = BuiltinModel(Catalogue(tables, {}, {}, [], "1F"))

    def ask(self, *requests: str, tools: bool = False) -> Said:
        """The answer to the last of these requests."""
        if tools:
            reply = self.model.generate(messages(*requests), tools_to_call_from=[_Interpreter()])
            (call,) = reply.tool_calls or []
            if call.function.name != "python_interpreter":
                return Said(str(call.function.arguments["answer"]), "")
            return self._run(str(call.function.arguments["code"]))
        found = re.search(
            r"<code>\n(.*)\n</code>", str(self.model.generate(messages(*requests)).content), re.DOTALL
        )
        assert found
        return self._run(found.group(1))

    def _run(self, code: str) -> Said:
        said = Said("", code)

        def final_answer(text: str) -> None:
            said.text = text
            raise Answered

        def save_data(dataset: dict[str, list[Any]], file_name: str) -> None:
            said.saved[file_name] = pd.DataFrame(dataset)

        plt.close("all")
        home = Path.cwd()
        os.chdir(self.folder)
        try:
            space = {"final_answer": final_answer, "display": said.tables.append, "save_data": save_data}
            exec(compile(code, "<cell>", "exec"), space)
        except Answered:
            pass
        else:
            raise AssertionError("the code ended without final_answer")
        finally:
            os.chdir(home)
        said.axes = [ax for number in plt.get_fignums() for ax in plt.figure(number).axes]
        return said
