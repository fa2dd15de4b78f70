"""scripts/import_graph.py: what it prints and draws of a small house. tests/test_architecture.py holds the real one."""

from pathlib import Path

from scripts.import_graph import as_drawing, as_text, python_graph, room_of

FILES = {
    "runs/a.py": "from smoldesk.runs.b import x\nfrom smoldesk import store\n",
    "runs/b.py": "def f():\n    from smoldesk.runs.a import y\n    import smoldesk.store.rows\n",
    "store/__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from smoldesk.runs import a\n",
    "store/rows.py": "from smoldesk.errors import DeskError\n",
    "errors.py": "",
}


def small_house(root: Path) -> Path:
    for name, text in FILES.items():
        file = root / "backend" / "smoldesk" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_rooms_are_printed_from_the_roof_down_with_their_arrows_and_circles(tmp_path: Path) -> None:
    assert list(as_text("backend", python_graph(small_house(tmp_path)), room_of)) == [
        "backend: 3 rooms, 5 modules, 2 arrows, 1 circles",
        "  runs (2) -> store 2",
        "  store (2) -> errors 1",
        "  errors (1) -> nothing",
        "  circle: runs/a.py - runs/b.py",
    ]


def test_the_drawing_has_every_arrow_once(tmp_path: Path) -> None:
    graph = python_graph(small_house(tmp_path))
    assert list(as_drawing(graph, room_of, "dot")) == [
        "digraph { rankdir=TB; node [shape=box];",
        "  { rank=same; runs; }",
        "  { rank=same; store; }",
        "  { rank=same; errors; }",
        '  runs -> store [label="2"];',
        '  store -> errors [label="1"];',
        "}",
    ]
    assert list(as_drawing(graph, room_of, "mermaid")) == [
        "flowchart TD",
        "  runs -->|2| store",
        "  store -->|1| errors",
    ]
