"""The import graph of the backend and of the page: arrows between rooms, and circles of modules.

`python scripts/import_graph.py` prints it; `--dot` draws it for Graphviz, `--mermaid` for Markdown:
`python scripts/import_graph.py --dot | dot -Tsvg > graph.svg`. Everything is read from the text; nothing is imported.
An arrow is an import that happens when the program runs, also a late one in a function; imports for types alone are none.
`tests/test_architecture.py` holds both graphs to the list of rooms, with the functions of this module.
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from posixpath import normpath

ROOT = Path(__file__).resolve().parent.parent
Graph = Mapping[str, set[str]]
"""What each module imports, by names."""

JS_IMPORT = re.compile(
    r"""^\s*(?:import|export)\s*(?:[\w$*{},\s]+?\bfrom\s*)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']""",
    re.M,
)
JSDOC = re.compile(r"/\*\*.*?\*/", re.S)


# --- Python ---


def python_files(root: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield every module of the package, with its dotted name in parts: ("smoldesk", "wires", "rest")."""
    for file in sorted((root / "backend" / "smoldesk").rglob("*.py")):
        parts = file.relative_to(root / "backend").with_suffix("").parts
        yield file, parts[:-1] if parts[-1] == "__init__" else parts


def import_targets(
    statement: ast.Import | ast.ImportFrom, package: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """Yield the modules of an import as parts. `from a import b` counts as a.b: b may be a module."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield tuple(alias.name.split("."))
    else:
        base = package[: len(package) - statement.level + 1] if statement.level else ()
        module = (*base, *(statement.module.split(".") if statement.module else ()))
        for alias in statement.names:
            yield (*module, alias.name)


def is_typing_only(node: ast.AST) -> bool:
    """Tell whether a node is an `if TYPE_CHECKING`."""
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def run_time_imports(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports in a tree that happen when it runs, also late ones; not those under TYPE_CHECKING."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif is_typing_only(child):
            assert isinstance(child, ast.If)
            yield from run_time_imports(ast.Module(child.orelse, []))
        else:
            yield from run_time_imports(child)


def python_graph(root: Path) -> Graph:
    """Return what each module of the package imports of it when it runs, as paths: `wires/rest/routes.py`."""
    files = dict(python_files(root))
    paths = {name: file.relative_to(root / "backend" / "smoldesk").as_posix() for file, name in files.items()}
    graph: dict[str, set[str]] = {}
    for file, name in files.items():
        package = name if file.name == "__init__.py" else name[:-1]
        targets = {
            target if target in paths else target[:-1]
            for statement in run_time_imports(ast.parse(file.read_text(encoding="utf-8")))
            for target in import_targets(statement, package)
        }
        graph[paths[name]] = {paths[target] for target in targets if target in paths} - {paths[name]}
    graph.pop("__init__.py", None)  # the package's face: it imports by name what is asked of it
    return {name: targets - {"__init__.py"} for name, targets in graph.items()}


# --- JavaScript ---


def js_modules(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each module of the page: its path below frontend/js/ and its text."""
    scripts = root / "frontend" / "js"
    for file in sorted(scripts.rglob("*.js")):
        yield file.relative_to(scripts).as_posix(), file.read_text(encoding="utf-8")


def js_imports(root: Path) -> Graph:
    """Return what each module of the page imports when it runs, also by `import()`, as paths below frontend/js/."""
    return js_graph(root, JS_IMPORT, lambda text: JSDOC.sub("", text))


def js_graph(root: Path, pattern: re.Pattern[str], part: Callable[[str], str]) -> Graph:
    """Return what the modules of the page name by a pattern in a part of their text; files of declarations are left out."""
    declared = {f"{file.name.removesuffix('.d.ts')}.js" for file in (root / "frontend/js").glob("*.d.ts")}
    return {
        name: {
            target
            for match in pattern.finditer(part(text))
            if not (target := normpath(f"{name}/../{match[1] or match[2]}")).startswith("../")
        }
        - declared
        for name, text in js_modules(root)
    }


# --- both ---


def circles(graph: Graph) -> list[list[str]]:
    """Return the circles of modules, each as its members in order of their names."""
    reached: dict[str, set[str]] = {}
    for name in graph:
        received: set[str] = set()
        ahead = [name]
        while ahead:
            fresh = graph.get(ahead.pop(), set()) - received
            received |= fresh
            ahead += fresh
        reached[name] = received
    return sorted(
        map(
            list,
            {
                tuple(sorted(other for other in reached[name] if name in reached.get(other, set())))
                for name in graph
                if name in reached[name]
            },
        )
    )


def room_of(module: str) -> str:
    """Return the room of a module: its first folder, or its own name where it lies in none."""
    return module.split("/")[0].removesuffix(".py")


def js_room(module: str) -> str:
    """Return the room of a module of the page; those in no folder are `app`."""
    return module.split("/")[0] if "/" in module else "app"


def arrows_between(graph: Graph, room: Callable[[str], str]) -> Counter[tuple[str, str]]:
    """Count the imports from each room to each other."""
    return Counter(
        (room(name), room(target))
        for name, targets in graph.items()
        for target in targets
        if room(name) != room(target)
    )


def floors_of(rooms: set[str], arrows: Mapping[tuple[str, str], int]) -> list[list[str]]:
    """Return the rooms from the roof down, each above all that it imports. Raises CycleError for a circle of rooms."""
    below = {room: {target for source, target in arrows if source == room} for room in rooms}
    height: dict[str, int] = {}
    for room in TopologicalSorter(below).static_order():
        height[room] = 1 + max((height[target] for target in below[room]), default=0)
    return [
        sorted(room for room in rooms if height[room] == level)
        for level in range(max(height.values()), 0, -1)
    ]


def as_text(title: str, graph: Graph, room: Callable[[str], str]) -> Iterator[str]:
    """Yield the graph in lines: each room with those that it imports and how often, then the circles of modules."""
    arrows, sizes = arrows_between(graph, room), Counter(map(room, graph))
    yield f"{title}: {len(sizes)} rooms, {len(graph)} modules, {len(arrows)} arrows, {len(circles(graph))} circles"
    for floor in floors_of(set(sizes), arrows):
        for name in floor:
            targets = ", ".join(
                f"{to} {count}" for (source, to), count in sorted(arrows.items()) if source == name
            )
            yield f"  {name} ({sizes[name]}) -> {targets or 'nothing'}"
    for circle in circles(graph):
        yield f"  circle: {' - '.join(circle)}"


def as_drawing(graph: Graph, room: Callable[[str], str], form: str) -> Iterator[str]:
    """Yield the rooms, floor by floor, and their arrows as a drawing of Graphviz (`dot`) or Mermaid."""
    arrows = arrows_between(graph, room)
    floors = floors_of(set(map(room, graph)), arrows)
    if form == "dot":
        yield "digraph { rankdir=TB; node [shape=box];"
        for floor in floors:
            yield f"  {{ rank=same; {'; '.join(floor)}; }}"
        yield from (
            f'  {source} -> {to} [label="{count}"];' for (source, to), count in sorted(arrows.items())
        )
        yield "}"
    else:
        yield "flowchart TD"
        yield from (f"  {source} -->|{count}| {to}" for (source, to), count in sorted(arrows.items()))


def main(arguments: list[str]) -> int:
    """Print both graphs, or draw one."""
    parser = argparse.ArgumentParser(description="The import graph of the backend and of the page.")
    parser.add_argument("--dot", action="store_const", const="dot", dest="form", help="draw it for Graphviz")
    parser.add_argument(
        "--mermaid", action="store_const", const="mermaid", dest="form", help="draw it for Markdown"
    )
    parser.add_argument("--page", action="store_true", help="draw the page's graph instead of the backend's")
    chosen = parser.parse_args(arguments)
    graphs = [("backend", python_graph(ROOT), room_of), ("page", js_imports(ROOT), js_room)]
    if chosen.form:
        _, graph, room = graphs[chosen.page]
        print("\n".join(as_drawing(graph, room, chosen.form)))
    else:
        print("\n".join(line for title, graph, room in graphs for line in as_text(title, graph, room)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
