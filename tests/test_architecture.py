"""The rooms of the house, and that every import points down. Read from the syntax tree; nothing is imported.

The order is that of the design: a room may import rooms below it, never one above or beside it.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from scripts.import_graph import (
    JSDOC,
    ROOT,
    circles,
    import_targets,
    is_typing_only,
    js_graph,
    js_imports,
    js_modules,
    js_room,
    python_files,
    python_graph,
)

FLOORS: tuple[tuple[str, ...], ...] = (
    ("launch",),
    ("cli",),
    ("app",),
    ("wires",),
    ("desk",),
    ("conversations",),
    ("export",),
    ("suites",),
    ("watches",),
    ("exams",),
    ("reruns",),
    ("connections",),
    ("chats",),
    ("runs",),
    ("agents",),
    ("models", "tools"),
    ("analyst",),
    ("buildings",),
    ("tables",),
    ("charts",),
    ("nodes",),
    ("sandbox",),
    ("backup",),
    ("evidence",),
    ("store", "output_parser", "telemetry", "markdown"),
    ("events",),
    ("messages",),
    ("folders", "http_client", "plugins", "stopping"),
    ("errors",),
    ("assets", "logs"),
)
"""From the roof down; rooms of one floor stand beside each other."""

LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
SETTINGS_READERS = {"launch", "cli", "app", "desk"}
SHARED_BY_WIRES = {
    "audit_trail",
    "base",
    "attachments",
    "bodies",
    "disconnects",
    "client_work",
    "client_turns",
    "inline_images",
    "security",
    "event_stream",
    "serialization",
    "history",
    "http_errors",
    "late_routes",
    "page_files",
    "answers",
    "task_projection",
    "watch_notices",
}
"""Modules of wires/ that speak no protocol, so every wire may import them."""

HEAVY = {
    "altair",
    "vl_convert",
    "pandas",
    "matplotlib",
    "sklearn",
    "seaborn",
    "scipy",
    "torch",
    "transformers",
}
SCIENTIFIC = {"numpy", "pandas", "pyarrow", "matplotlib", "PIL", "cycler", "altair"}
"""Libraries that a cell may have brought; code of the child uses those that are there."""
SANDBOX_NEEDS = {"sandbox", "errors", "folders", "logs", "stopping"}
NOT_PYTHON = {"bitmaps", "data"}


def imported(file: Path, name: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ast.stmt]]:
    """Every module a file imports, anywhere in it, as parts. `from a import b` counts as a.b: b may be a module."""
    package = name if file.name == "__init__.py" else name[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for target in import_targets(node, package):
                yield target, node


def at_import_time(tree: ast.AST) -> Iterator[ast.stmt]:
    """The import statements that run when the module is imported: not those in functions or under TYPE_CHECKING."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and is_typing_only(node):
            yield from at_import_time(ast.Module(node.orelse, []))
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from at_import_time(node)


def is_child_side(name: tuple[str, ...]) -> bool:
    """Code that runs in the sandbox's child, where heavy libraries are at home."""
    return name[:2] == ("smoldesk", "sandbox") and name[-1].startswith("child")


def upward_imports(root: Path) -> list[str]:
    """Imports that do not point down, as `a -> b` in dotted names."""
    wrong: list[str] = []
    for file, name in python_files(root):
        for target, _ in imported(file, name):
            if (
                target[0] == "smoldesk"
                and len(target) > 1
                and len(name) > 1
                and not points_down(name, target)
            ):
                wrong.append(f"{'.'.join(name)} -> {'.'.join(target)}")
    return wrong


def points_down(name: tuple[str, ...], target: tuple[str, ...]) -> bool:
    here, existing = name[1], target[1]
    if existing.startswith("__"):  # the package itself: its version
        return True
    if existing == "settings":
        return here in SETTINGS_READERS
    if here == "settings":
        return False
    if here == existing:
        return here != "wires" or wires_may_meet(name, target)
    return here in LEVEL and existing in LEVEL and LEVEL[existing] > LEVEL[here]


def wires_may_meet(name: tuple[str, ...], target: tuple[str, ...]) -> bool:
    """A wire imports its own modules and the shared ones; the shared ones import only each other."""
    mine, other = name[2] if len(name) > 2 else "", target[2] if len(target) > 2 else ""
    return mine == other or other in SHARED_BY_WIRES


def past_the_services(root: Path) -> list[str]:
    """Imports of wires that reach past the services into the store or its database, or read a service's private part."""
    wrong: list[str] = []
    for file, name in python_files(root):
        if name[1:2] != ("wires",):
            continue
        for target, _ in imported(file, name):
            if target[:2] == ("smoldesk", "store") or target[0] in {"sqlalchemy", "alembic"}:
                wrong.append(f"{'.'.join(name)} -> {'.'.join(target)}")
        if re.search(r"\bstore\b\._?\w+\(|\._store\b|\bdesk\.store\b", file.read_text(encoding="utf-8")):
            wrong.append(f"{'.'.join(name)} uses a store")
    return wrong


def beside_the_sandbox(root: Path) -> list[str]:
    """Imports of the sandbox that it would not have in a wheel of its own: other rooms, and libraries but smolagents."""
    wrong: list[str] = []
    for file, name in python_files(root):
        if name[1:2] != ("sandbox",):
            continue
        typed = {
            node for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if is_typing_only(node)
        }
        lines = {inner.lineno for node in typed for inner in ast.walk(node) if isinstance(inner, ast.stmt)}
        for target, node in imported(file, name):
            ours = target[0] == "smoldesk" and target[1] in SANDBOX_NEEDS
            theirs = target[0] in {"smolagents", *sys.stdlib_module_names}
            in_child = "inside" in name and target[0] in SCIENTIFIC
            if not (ours or theirs or in_child or node.lineno in lines):
                wrong.append(f"{'.'.join(name)} -> {'.'.join(target)}")
    return wrong


def strangers(root: Path) -> list[str]:
    """Rooms of the package that the design does not know."""
    names = {parts[1] for _, parts in python_files(root) if len(parts) > 1}
    return sorted(names - set(LEVEL) - {"settings"})


def heavy_imports(root: Path) -> list[str]:
    """Heavy libraries imported as soon as a module of the server is."""
    wrong: list[str] = []
    for file, name in python_files(root):
        if is_child_side(name):
            continue
        early = set(map(ast.unparse, at_import_time(ast.parse(file.read_text(encoding="utf-8")))))
        for target, node in imported(file, name):
            if target[0] in HEAVY and ast.unparse(node) in early:
                wrong.append(f"{'.'.join(name)} -> {target[0]}")
    return sorted(set(wrong))


def called_utils(root: Path) -> list[str]:
    files = [
        *(root / "backend").rglob("*.py"),
        *(root / "frontend").rglob("*.js"),
        *(root / "tests").rglob("*.py"),
    ]
    return sorted(
        str(file.relative_to(root)) for file in files if re.search(r"\butils?\b", " ".join(file.parts[-2:]))
    )


FIRST_FILES = ("routes.py", "requests.py", "encoder.py", "models.py")
"""What every wire begins with: a second one is learnt from the first."""


def unlike_the_others(root: Path) -> list[str]:
    """First files that a wire lacks. A wire is a folder of wires/ whose routes.py has a class of Wire."""
    wires = [
        file.parent
        for file in (root / "backend" / "smoldesk" / "wires").glob("*/*.py")
        if re.search(r"^class \w+\(Wire\):", file.read_text(encoding="utf-8"), re.M)
    ]
    return sorted(
        f"{wire.name}/{name}" for wire in wires for name in FIRST_FILES if not (wire / name).exists()
    )


JS_FLOORS: tuple[tuple[str, ...], ...] = (
    ("app",),
    ("replay", "versions"),
    ("page",),
    ("help",),
    ("chat", "map", "images", "debug"),
    ("apps", "buildings", "chats", "conversations", "reports", "sources", "suites", "watches"),
    ("asks", "charts", "grid", "models"),
    ("core",),
)
"""Rooms of frontend/js/ from the roof down; `app` is the files beside them. Panes stand on one floor: they never meet."""

JS_LEVEL = {room: level for level, rooms in enumerate(JS_FLOORS) for room in rooms}
JSDOC_IMPORT = re.compile(r"""@import\s[^"']*?\bfrom\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']""")
UNREADABLE_IMPORT = re.compile(r"""\bimport\((?!\s*["']|PROGRAM\))""")
"""`PROGRAM` is what draws charts: the server makes it, so it is no module of the page."""


def js_type_imports(root: Path) -> Mapping[str, set[str]]:
    """Return the modules that each module of the page takes types from, in JSDoc. Files of declarations are left out."""
    return js_graph(root, JSDOC_IMPORT, lambda text: "".join(JSDOC.findall(text)))


def upward_js_imports(root: Path) -> list[str]:
    """Return the imports of the page that do not point down, code and types, as `a -> b`."""
    return sorted(
        f"{name} -> {target}"
        for graph in (js_imports(root), js_type_imports(root))
        for name, targets in graph.items()
        for target in targets
        if (here := js_room(name)) != (existing := js_room(target))
        and not JS_LEVEL.get(here, 0) < JS_LEVEL.get(existing, 0)
    )


def js_strangers(root: Path) -> list[str]:
    """Return the rooms of the page that the design does not know."""
    return sorted({js_room(name) for name in js_imports(root)} - set(JS_LEVEL))


def unreadable_js_imports(root: Path) -> list[str]:
    """Return the modules with an `import()` of something else than a plain string, which no rule here can follow."""
    return [name for name, text in js_modules(root) if UNREADABLE_IMPORT.search(JSDOC.sub("", text))]


def test_imports_point_down_the_list_of_rooms() -> None:
    assert upward_imports(ROOT) == []


def test_modules_form_no_circle_when_they_run() -> None:
    assert circles(python_graph(ROOT)) == []


def test_wires_reach_the_store_through_services_only() -> None:
    assert past_the_services(ROOT) == []


def test_every_wire_begins_with_the_same_files() -> None:
    assert unlike_the_others(ROOT) == []


def test_the_sandbox_needs_nothing_but_smolagents() -> None:
    assert beside_the_sandbox(ROOT) == []


def test_every_room_is_in_the_design() -> None:
    assert strangers(ROOT) == []


@pytest.mark.long
def test_heavy_libraries_are_imported_when_first_used() -> None:
    assert heavy_imports(ROOT) == []


def test_no_module_is_called_utils() -> None:
    assert called_utils(ROOT) == []


def test_imports_of_the_page_point_down_its_list_of_rooms() -> None:
    assert upward_js_imports(ROOT) == []


def test_modules_of_the_page_form_no_circle() -> None:
    assert circles(js_imports(ROOT)) == []


def test_every_room_of_the_page_is_in_the_design() -> None:
    assert js_strangers(ROOT) == []


def test_every_late_module_of_the_page_is_named_by_a_string() -> None:
    assert unreadable_js_imports(ROOT) == []


def test_what_is_served_holds_no_code() -> None:
    served = [file for folder in NOT_PYTHON for file in (ROOT / "backend" / folder).rglob("*.py")]
    assert served == []


# --- the rules bite ---


def house(root: Path, **files: str) -> Path:
    """A tree with these files; `__` in a name stands for a slash, smoldesk__ for the package."""
    for name, text in files.items():
        file = root / re.sub("^smoldesk__", "backend/smoldesk/", name).replace("__", "/")
        file = file if "." in file.name else file.with_suffix(".js" if name.startswith("frontend") else ".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("smoldesk__events", "from smoldesk.runs import Runs", "smoldesk.events -> smoldesk.runs.Runs"),
        (
            "smoldesk__store__writer",
            "import smoldesk.wires.rest",
            "smoldesk.store.writer -> smoldesk.wires.rest",
        ),
        ("smoldesk__store__writer", "from smoldesk import tools", "smoldesk.store.writer -> smoldesk.tools"),
        ("smoldesk__store__writer", "from ..runs import x", "smoldesk.store.writer -> smoldesk.runs.x"),
        (
            "smoldesk__buildings__draw",
            "def f():\n    from smoldesk.analyst import x",
            "smoldesk.buildings.draw -> smoldesk.analyst.x",
        ),
        (
            "smoldesk__wires__a2a",
            "from smoldesk.wires.rest import x",
            "smoldesk.wires.a2a -> smoldesk.wires.rest.x",
        ),
        (
            "smoldesk__wires__security",
            "from smoldesk.wires.rest import x",
            "smoldesk.wires.security -> smoldesk.wires.rest.x",
        ),
        (
            "smoldesk__wires__rest",
            "from . import four_pane",
            "smoldesk.wires.rest -> smoldesk.wires.four_pane",
        ),
        (
            "smoldesk__runs",
            "from smoldesk.settings import Settings",
            "smoldesk.runs -> smoldesk.settings.Settings",
        ),
        ("smoldesk__runs", "from smoldesk.helpers import x", "smoldesk.runs -> smoldesk.helpers.x"),
        ("smoldesk__settings", "from smoldesk.errors import x", "smoldesk.settings -> smoldesk.errors.x"),
    ],
)
def test_an_import_that_points_up_is_found(tmp_path: Path, file: str, text: str, wrong: str) -> None:
    assert upward_imports(house(tmp_path, **{file: text})) == [wrong]


def test_imports_that_point_down_are_left_alone(tmp_path: Path) -> None:
    fine = house(
        tmp_path,
        smoldesk__cli="from smoldesk.settings import Settings\nfrom smoldesk.app import create_app",
        smoldesk__runs__queue="import json\nfrom smoldesk.runs.lease import x\nfrom ..events import y\nfrom . import z",
        smoldesk__wires__rest="from smoldesk.wires.security import x\nfrom smoldesk import markdown",
        smoldesk__wires__four_pane__frames="from smoldesk.wires.four_pane.tasks import x\nfrom smoldesk.errors import y",
    )
    assert upward_imports(fine) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("from smoldesk.runs.b import x", "from smoldesk.runs.a import y"),
        ("from . import b", "def f():\n    from smoldesk.runs import a"),
        ("import smoldesk.runs.b", "try:\n    from .a import y\nexcept ImportError: ..."),
    ],
)
def test_a_circle_of_modules_is_found(tmp_path: Path, first: str, second: str) -> None:
    bad = house(tmp_path, smoldesk__runs__a=first, smoldesk__runs__b=second)
    assert circles(python_graph(bad)) == [["runs/a.py", "runs/b.py"]]


def test_a_type_of_another_module_makes_no_circle(tmp_path: Path) -> None:
    late = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from smoldesk.runs.a import y"
    fine = house(
        tmp_path,
        smoldesk__runs__a="from smoldesk.runs.b import x",
        smoldesk__runs__b=late,
    )
    assert circles(python_graph(fine)) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("from smoldesk.store import chats", "smoldesk.wires.rest -> smoldesk.store.chats"),
        ("def f():\n    import sqlalchemy.exc", "smoldesk.wires.rest -> sqlalchemy.exc"),
        ("async def f(runs):\n    return await runs._store.aread(x)", "smoldesk.wires.rest uses a store"),
        ("def f(desk):\n    return Files(desk.store)", "smoldesk.wires.rest uses a store"),
    ],
)
def test_a_wire_that_reaches_into_the_store_is_found(tmp_path: Path, text: str, wrong: str) -> None:
    assert past_the_services(house(tmp_path, smoldesk__wires__rest=text)) == [wrong]


def test_a_wire_without_a_first_file_is_found(tmp_path: Path) -> None:
    created = house(
        tmp_path,
        smoldesk__wires__rest__routes="class RestWire(Wire):\n    ...",
        smoldesk__wires__rest__models="",
    )
    assert unlike_the_others(created) == ["rest/encoder.py", "rest/requests.py"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("from smoldesk.tables import x", "smoldesk.sandbox.child -> smoldesk.tables.x"),
        ("import pydantic", "smoldesk.sandbox.child -> pydantic"),
        ("def f():\n    import pandas", "smoldesk.sandbox.child -> pandas"),
    ],
)
def test_a_sandbox_that_needs_more_is_found(tmp_path: Path, text: str, wrong: str) -> None:
    assert beside_the_sandbox(house(tmp_path, smoldesk__sandbox__child=text)) == [wrong]


def test_an_unknown_room_is_found(tmp_path: Path) -> None:
    assert strangers(house(tmp_path, smoldesk__helpers="", smoldesk__runs="")) == ["helpers"]


@pytest.mark.parametrize(
    "text",
    [
        "import pandas as pd",
        "try:\n    from sklearn.svm import SVC\nexcept ImportError: ...",
        "class A:\n    import seaborn",
    ],
)
def test_a_heavy_import_at_the_top_is_found(tmp_path: Path, text: str) -> None:
    assert len(heavy_imports(house(tmp_path, smoldesk__tools__data=text))) == 1


def test_a_heavy_import_where_it_is_used_is_left_alone(tmp_path: Path) -> None:
    late = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pandas\ndef f():\n    import pandas as pd\n"
    assert (
        heavy_imports(
            house(tmp_path, smoldesk__tools__data=late, smoldesk__sandbox__child_main="import pandas")
        )
        == []
    )


def test_a_module_called_utils_is_found(tmp_path: Path) -> None:
    bad = house(
        tmp_path,
        smoldesk__utils="",
        smoldesk__buildings__utils__draw="",
        frontend__js__util="",
        smoldesk__utilities="",
    )
    assert called_utils(bad) == [
        "backend/smoldesk/buildings/utils/draw.py",
        "backend/smoldesk/utils.py",
        "frontend/js/util.js",
    ]


@pytest.mark.parametrize(
    ("file", "text", "wrong"),
    [
        ("core__store", 'import { reduce } from "../chat/state.js";', "core/store.js -> chat/state.js"),
        ("core__store", 'import "../page/layout.js";', "core/store.js -> page/layout.js"),
        ("core__store", 'import{a as b}from"../asks/card.js";', "core/store.js -> asks/card.js"),
        ("core__store", 'export * from "../panes.js";', "core/store.js -> panes.js"),
        (
            "chat__shown",
            'import {\n  MapViewer,\n} from "../map/viewer.js";',
            "chat/shown.js -> map/viewer.js",
        ),
        (
            "chat__shown",
            'const load = () => import("../map/viewer.js");',
            "chat/shown.js -> map/viewer.js",
        ),
        ("chat__shown", 'import { Tabs } from "../page/tabs.js";', "chat/shown.js -> page/tabs.js"),
        ("asks__card", 'import { TurnView } from "../chat/turn.js";', "asks/card.js -> chat/turn.js"),
        (
            "asks__card",
            '/** @import { Needs } from "../chat/shown.js" */',
            "asks/card.js -> chat/shown.js",
        ),
        (
            "asks__card",
            '/** @param {import("../chat/shown.js").Needs} needs */',
            "asks/card.js -> chat/shown.js",
        ),
    ],
)
def test_an_import_of_the_page_that_points_up_is_found(
    tmp_path: Path, file: str, text: str, wrong: str
) -> None:
    assert upward_js_imports(house(tmp_path, **{f"frontend__js__{file}": text})) == [wrong]


def test_an_unknown_room_of_the_page_is_found(tmp_path: Path) -> None:
    bad = house(tmp_path, frontend__js__helpers__words="", frontend__js__chat__turn="", frontend__js__app="")
    assert js_strangers(bad) == ["helpers"]


def test_imports_of_the_page_that_point_down_are_left_alone(tmp_path: Path) -> None:
    fine = house(
        tmp_path,
        frontend__js__app='import { Layout } from "./page/layout.js";\nimport { PANES } from "./panes.js";',
        frontend__js__page__state='import { reduceMap } from "../map/state.js";',
        frontend__js__map__viewer='import { el } from "../core/dom.js";\nimport { Plan } from "./plan.js";',
        frontend__js__core__i18n='/** @import { T } from "../types.js" */\nimport("../../strings/en.js");',
        **{"frontend__js__types.d.ts": 'import type { Layout } from "./page/layout.js";'},
    )
    assert upward_js_imports(fine) == []


def test_a_circle_of_modules_of_the_page_is_found(tmp_path: Path) -> None:
    bad = house(
        tmp_path,
        frontend__js__chat__turn='import "./step.js";',
        frontend__js__chat__step='import "./call.js";',
        frontend__js__chat__call='const load = () => import("./step.js");',
    )
    assert circles(js_imports(bad)) == [["chat/call.js", "chat/step.js"]]


def test_types_that_two_modules_take_from_each_other_are_no_circle(tmp_path: Path) -> None:
    fine = house(
        tmp_path,
        frontend__js__chat__work='/** @import { StepView } from "./step.js" */\nexport class WorkView {}',
        frontend__js__chat__step='import { WorkView } from "./work.js";',
    )
    assert circles(js_imports(fine)) == []


def test_a_late_module_that_is_not_named_by_a_string_is_found(tmp_path: Path) -> None:
    bad = house(tmp_path, frontend__js__core__late="export const load = (name) => import(`../${name}.js`);")
    assert unreadable_js_imports(bad) == ["core/late.js"]
