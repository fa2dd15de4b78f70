"""The files of real_world.toml, made, read and held against what is true of them; counted by kind.

Run from the repository's root: python -m tests.tables.real_world. A file is "right", or "asked" when the reading asks about
it and one click on an offered answer makes it right; else "wrong".
"""

import tempfile
import tomllib
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd

from smoldesk.analyst.catalogue import ColumnInfo
from smoldesk.analyst.clean import clean_lines
from smoldesk.tables.inside.columns import Describer
from smoldesk.tables.inside.read_options import parse_options
from smoldesk.tables.inside.reading import read_file
from smoldesk.tables.inside.shapes import FileContents

FILES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["file"]


def made(folder: Path, file: dict[str, Any]) -> Path:
    """The file on disk."""
    path = folder / file["name"]
    if "text" in file:
        path.write_bytes(file["text"].encode(file.get("encoding", "utf-8")))
    else:
        _workbook(file, path)
    return path


def _workbook(file: dict[str, Any], path: Path) -> None:
    import openpyxl

    book: Any = openpyxl.Workbook()
    book.remove(book.active)
    for name, text in file["sheets"].items():
        sheet = book.create_sheet(name)
        for line in text.rstrip("\n").split("\n"):
            sheet.append([_cell(cell) for cell in line.split("|")])
        for row in file.get("hidden", ()):
            sheet.row_dimensions[row].hidden = True
        for cells in file.get("merged", ()):
            sheet.merge_cells(cells)
    book.save(path)


def _cell(text: str) -> Any:
    if text.startswith("'"):
        return text[1:]
    for kind in (int, float, datetime.fromisoformat):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def fault_of(reading: FileContents, file: dict[str, Any]) -> str:
    """What is not as it should be; empty when all is."""
    tables: list[dict[str, Any]] = file["tables"]
    if len(reading.tables) != len(tables):
        text = "; ".join(f"{problem.where} {problem.message}" for problem in reading.problems)
        return f"{len(reading.tables)} tables for {len(tables)} {text}"
    messages = [f"{problem.where}: {problem.message}" for problem in reading.problems]
    if file.get("says", "") not in ["", *messages]:
        return f"it says {messages}"
    for table, true in zip(reading.tables, tables, strict=True):
        described = Describer().columns(table.frame, table.codes)
        kinds = [[item["name"], item["kind"]] for item in described]
        if kinds != true["columns"]:
            return f"{kinds} for {true['columns']}"
        if len(table.frame) != true["rows"]:
            return f"{len(table.frame)} rows for {true['rows']}"
        columns = _cleaned(table.frame, described)
        for name, total in true.get("sums", {}).items():
            if abs(float(columns[name].sum()) - total) > 1e-6 * abs(total):
                return f"{name} sums to {columns[name].sum()} for {total}"
        for name, first in true.get("first", {}).items():
            if str(columns[name].min().date()) != first:
                return f"{name} begins on {columns[name].min()} for {first}"
        for name, cells in true.get("cells", {}).items():
            if list(columns[name].dropna()) != cells:
                return f"{name} is {list(columns[name])} for {cells}"
    return ""


def _cleaned(data: pd.DataFrame, described: list[dict[str, Any]]) -> pd.DataFrame:
    """The table as the analyst's code has it: numbers and days of what stands there as text."""
    names: dict[str, Any] = {"pd": pd, "data": data.copy()}
    for item in described:
        info = ColumnInfo(item["name"], item["kind"], item["values"], item.get("form", ""), ())
        exec("\n".join(clean_lines(info)), names)
    return names["data"]


def judged(path: Path, file: dict[str, Any]) -> tuple[str, str]:
    """ "right", "asked" or "wrong", and what was wrong at first."""
    reading = read_file(path)
    fault = fault_of(reading, file)
    if not fault:
        return "right", ""
    for question in reading.read_as.get("questions", ()):
        for choice in question["choices"]:
            again = read_file(path, options=parse_options(choice["told"]))
            if not fault_of(again, file):
                return "asked", f"{fault} ({question['about']})"
    return "wrong", fault


def main() -> None:
    """A line for each file, and the count by kind."""
    counts: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for file in FILES:
            verdict, fault = judged(made(Path(folder), file), file)
            counts.setdefault(file["kind"], Counter())[verdict] += 1
            print(f"{verdict:6} {file['language']} {file['name']}: {fault}"[:230])  # noqa: T201
    for kind, results in [*counts.items(), ("all", sum(counts.values(), Counter[str]()))]:
        print(f"| {kind} | {results['right']} | {results['asked']} | {results['wrong']} |")  # noqa: T201


if __name__ == "__main__":
    main()
