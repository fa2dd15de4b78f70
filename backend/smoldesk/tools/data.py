"""Tools over data: a dataset as a file, and results saved as a file. SQL is in `sql_engine.py`.

They run in the server, so none of them loads a data frame library: file names go to the child,
which makes data frames of them. Files are written by `folders`, which follows no link.
"""

from pathlib import Path
from typing import Any, ClassVar

from smoldesk import folders
from smoldesk.tables.results import TableFile
from smoldesk.tools.csv_text import csv_text
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.policy import DeskTool


class LoadDataset(DeskTool):
    """`load_dataset`: puts a bundled dataset into the chat's folder."""

    name = "load_dataset"
    plays_live: ClassVar[bool] = True
    about = (
        "A bundled dataset as a pandas DataFrame. Datasets: {names}.\n"
        'Example: df = load_dataset(name="titanic")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {"name": {"type": "string", "description": ""}}
    output_type = "object"

    def __init__(self, datasets: Datasets, folder: Path) -> None:
        self.datasets = datasets
        self.folder = folder
        self.description = self.about.format(names=", ".join(datasets.names()))
        super().__init__()

    def forward(self, name: str) -> TableFile:
        """Copy a dataset into the chat's folder. Never replaces a file: see `folders.add`. Raises NotFound with the
        datasets' names.
        """
        dataset = self.datasets.find(str(name))
        source = self.datasets.path(dataset)
        written = folders.add(self.folder, source.name, source.read_bytes())
        return TableFile(written, self.datasets.row_count(dataset), self.datasets.columns(dataset))


class ListDatasets(DeskTool):
    """`list_datasets`: what can be loaded and queried."""

    name = "list_datasets"
    plays_live: ClassVar[bool] = True
    description = (
        "Bundled datasets, each a dict of name, about, rows and columns.\nExample: print(list_datasets())"
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "array"

    def __init__(self, datasets: Datasets) -> None:
        self.datasets = datasets
        super().__init__()

    def forward(self) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "about": self.datasets.about(name),
                "rows": self.datasets.row_count(name),
                "columns": dict(self.datasets.schema(name)),
            }
            for name in self.datasets.names()
        ]


class SaveData(DeskTool):
    """`save_data`: a dataset as a CSV file in the chat's folder."""

    name = "save_data"
    plays_live: ClassVar[bool] = True
    description = (
        "Saves columns as a CSV file that the person can download.\n"
        'Example: save_data(dataset=df.to_dict("list"), file_name="means")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "dataset": {"type": "object", "description": "column names, each with the list of its values"},
        "file_name": {"type": "string", "description": ""},
    }
    output_type = "string"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__()

    def forward(self, dataset: dict[str, Any], file_name: str) -> str:
        """Write a CSV file and return a sentence with its rows and name. Raises BadInput for a bad name or shape."""
        name = folders.file_name(file_name, ".csv")
        table = csv_text(dataset)
        folders.write(self.folder, name, table.content)
        rows = "1 row" if table.rows == 1 else f"{table.rows:,} rows"
        columns = "1 column" if len(table.columns) == 1 else f"{len(table.columns)} columns"
        return f"Saved {rows} and {columns} as {name}."
