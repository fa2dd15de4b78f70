"""Entry points of other packages: loaded by group and name, and refused by name, place and reason."""

import re
from pathlib import Path

import pytest

from smoldesk.errors import BadInput
from smoldesk.plugins import load_group, names_in
from tests.support.packages import install_package

GROUP = "smoldesk.tests"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_entry_points_are_loaded_in_the_order_of_their_names(path: Path) -> None:
    points = f"[{GROUP}]\ntwo = plugged:second\none = plugged:first\n"
    install_package(path, "plugged", {"plugged": "first = 1\nsecond = 2\n"}, points)
    assert names_in(GROUP) == ["one", "two"]
    results = [(plugin.name, plugin.loaded, plugin.where) for plugin in load_group(GROUP)]
    assert results == [
        ("one", 1, "plugged:first of plugged 1.0"),
        ("two", 2, "plugged:second of plugged 1.0"),
    ]


def test_only_those_that_are_named_are_imported(path: Path) -> None:
    points = f"[{GROUP}]\nfine = fine_plugin:one\nbroken = broken_plugin:one\n"
    modules = {"fine_plugin": "one = 1\n", "broken_plugin": "raise RuntimeError('no')\n"}
    install_package(path, "mixed", modules, points)
    assert [plugin.name for plugin in load_group(GROUP, ["fine"])] == ["fine"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise RuntimeError('no battery')", "RuntimeError: no battery"),
        (
            "import a_module_that_nobody_has",
            "ModuleNotFoundError: No module named 'a_module_that_nobody_has'",
        ),
        ("", "AttributeError: module 'raising_{}' has no attribute 'thing'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_one_that_cannot_be_loaded_says_which_where_and_why(
    path: Path, request: pytest.FixtureRequest, text: str, reason: str
) -> None:
    number = request.node.callspec.indices["text"]
    points = f"[{GROUP}]\nraiser = raising_{number}:thing\n"
    install_package(path, "raising", {f"raising_{number}": text}, points)
    message = (
        f"The entry point 'raiser' of {GROUP} cannot be loaded from raising_{number}:thing of raising 1.0: "
    )
    with pytest.raises(BadInput, match=re.escape(message + reason.format(number))) as caught:
        load_group(GROUP)
    assert caught.value.code == "bad_plugin"


def test_two_of_one_name_are_both_named(path: Path) -> None:
    for name in ("first_pack", "other_pack"):
        install_package(path, name, {name: "thing = 1\n"}, f"[{GROUP}]\nsame = {name}:thing\n")
    with pytest.raises(BadInput, match="called 'same'") as caught:
        load_group(GROUP)
    assert all(f"{name}:thing of {name} 1.0" in str(caught.value) for name in ("first_pack", "other_pack"))
