"""spec/architecture.md keeps its word: rooms, states of a run; and every page can be reached from spec/index.md."""

import ast
import re
from pathlib import Path

import pytest

from smoldesk import events
from smoldesk.store.run_rows import OPEN_STATES
from tests.support import promise
from tests.test_architecture import FLOORS, JS_FLOORS, ROOT

PAGE = (ROOT / "spec" / "architecture.md").read_text(encoding="utf-8")
BACKEND = ROOT / "backend" / "smoldesk"
CLOSED = ("finished", "failed", "cancelled")


def transitions() -> list[list[str]]:
    rows = re.findall(r"^\| (.+) \|$", promise.section(PAGE, "## States of a run"), re.M)
    return [[cell.strip() for cell in row.split("|")] for row in rows[1:] if not row.startswith("from")]


@pytest.mark.parametrize(("section", "floors"), [("## Rooms", FLOORS), ("## The page", JS_FLOORS)])
def test_the_drawing_has_every_room_in_the_order_of_imports(
    section: str, floors: tuple[tuple[str, ...], ...]
) -> None:
    [drawing] = re.findall(r"^```\n(.*?)^```", promise.section(PAGE, section), re.M | re.S)
    drawn = [re.findall(r"[a-z_]+", re.split(r"  +", line)[0]) for line in drawing.splitlines()]
    assert [sorted(rooms) for rooms in drawn] == [sorted(rooms) for rooms in floors]


def test_the_states_of_the_table_are_those_of_runs() -> None:
    states = {row[0] for row in transitions()} | {row[1] for row in transitions()}
    assert states == {"-", *OPEN_STATES, *CLOSED}
    assert not {row[0] for row in transitions()} & set(CLOSED)


def test_every_state_that_code_sets_is_in_the_table_with_an_event_that_there_is() -> None:
    files = [*(BACKEND / "store").glob("*.py"), *(BACKEND / "runs").rglob("*.py")]
    calls = [
        call
        for file in files
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "set_state"
    ]
    # the state is the last argument of set_state(tx, run_id, state)
    values = {argument.value for call in calls if isinstance(argument := call.args[-1], ast.Constant)}
    assert len(calls) == len([call for call in calls if isinstance(call.args[-1], ast.Constant)]) >= 4
    report = {row[1] for row in transitions()}
    assert values == report - {"queued", "finished", "failed"}  # those are a new row's, and close_run's
    assert all(hasattr(events, row[3]) for row in transitions())


def test_what_the_table_names_is_there() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in (BACKEND / "store").glob("*.py"))
    names = {name for row in transitions() for name in re.findall(r"`(\w+)`", row[2])}
    assert names and all(f"def {name}(" in text for name in names)


def test_the_functions_to_look_at_are_in_their_files() -> None:
    rows = re.findall(
        r"^\| [^|]+ \| (`[^|]+) \| `([\w/.]+)` \|$", promise.section(PAGE, "## Where to look"), re.M
    )
    assert len(rows) >= 6
    for functions, file in rows:
        source = (BACKEND / file).read_text(encoding="utf-8")
        for name in re.findall(r"`([\w.]+)`", functions):
            owner, _, function = name.rpartition(".")
            assert f"def {function}(" in source and (not owner or f"class {owner}" in source), (
                f"{file}: {name}"
            )


def test_every_page_can_be_reached_from_the_index() -> None:
    spec = ROOT / "spec"
    received: set[Path] = set()
    ahead = [spec / "index.md"]
    while ahead:
        page = ahead.pop().resolve()
        if page not in received and page.suffix == ".md" and page.exists():
            received.add(page)
            text = page.read_text(encoding="utf-8")
            ahead += [page.parent / link for link in re.findall(r"\]\(([\w./-]+\.md)", text)]
    assert {page.resolve() for page in spec.rglob("*.md")} - received == set()
