"""Several answers of one cell: a block that fails, or takes too long, hides no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk import SandboxExecutor
from smoldesk.sandbox.cell import CellFailed, CellResult, CellTable
from smoldesk.sandbox.inside import alternatives


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxExecutor]:
    folder: Path = tmp_path_factory.mktemp("cells")
    executor = SandboxExecutor(folder=folder, cell_seconds=60, preload=("pandas",))
    yield executor
    executor.cleanup()


def run(sandbox: SandboxExecutor, code: str) -> CellResult:
    sandbox(code)
    assert sandbox.last is not None
    return sandbox.last


def test_each_block_has_its_answer_and_what_it_shows(sandbox: SandboxExecutor) -> None:
    code = """
import pandas as pd
with alternative("one"):
    final_answer("1")
with alternative("a table"):
    display(pd.DataFrame({"a": [1, 2]}))
    final_answer("2")
    print("never")
"""
    result = run(sandbox, code)
    assert result.is_final_answer and result.output == "1" and not result.printed
    first, second = result.alternatives
    assert (first.sentence, first.output_items, second.parts[0].text) == ("one", [], "2")
    assert isinstance(second.output_items[0], CellTable) and result.answer_items == []


def test_a_failing_block_hides_no_other(sandbox: SandboxExecutor) -> None:
    result = run(
        sandbox, 'with alternative("bad"):\n    1 / 0\nwith alternative("good"):\n    final_answer("2")'
    )
    bad, good = result.alternatives
    assert "ZeroDivisionError" in bad.error and bad.parts == [] and good.error == ""
    assert result.error is None and result.is_final_answer and result.output == "2"


def test_a_cell_whose_blocks_all_fail_has_the_first_error(sandbox: SandboxExecutor) -> None:
    with pytest.raises(CellFailed, match="ZeroDivisionError"):
        sandbox('with alternative("a"):\n    1 / 0\nwith alternative("b"):\n    {}["x"]')


def test_a_slow_block_ends_alone(sandbox: SandboxExecutor) -> None:
    slow = f"""
import signal
with alternative("slow"):
    signal.setitimer(signal.ITIMER_REAL, 0.3)  # as if {alternatives.SECONDS:g} s were over
    while True:
        pass
with alternative("quick"):
    final_answer("2")
"""
    result = run(sandbox, slow)
    assert "TimeoutError" in result.alternatives[0].error
    assert result.output == "2" and result.variables_intact


def test_an_answer_counts_although_the_cell_is_ended_after_it(tmp_path: Path) -> None:
    with_limit = SandboxExecutor(folder=tmp_path, cell_seconds=1, grace_seconds=1, preload=())
    try:
        result = run(
            with_limit,
            'with alternative("a"):\n    final_answer("1")\nwith alternative("b"):\n    while True: pass',
        )
        assert result.is_final_answer and result.output == "1" and result.error is None
    finally:
        with_limit.cleanup()


@pytest.mark.parametrize(
    "code",
    [
        'with alternative("a"):\n    with alternative("b"):\n        pass',
        "for n in range(9):\n    with alternative(str(n)):\n        pass",
    ],
)
def test_blocks_are_neither_nested_nor_many(sandbox: SandboxExecutor, code: str) -> None:
    with pytest.raises(CellFailed, match="cannot be nested, and a cell has at most 5"):
        sandbox(code)
