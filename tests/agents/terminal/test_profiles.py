"""Profiles: what is shipped, what a file may say, and that the page about them is right."""

import re
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

from smoldesk.agents.terminal.terminal_profiles import (
    LARGEST_FILE,
    Profile,
    load_profile,
    read_profile,
    shipped,
)
from smoldesk.errors import BadInput, NotFound

ROOT = Path(__file__).resolve().parents[3]


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.yaml"
    file.write_text(text)
    return file


def test_the_shipped_ones_are_read() -> None:
    assert shipped() == ["claude", "codex", "demo", "gemini", "python", "shell"]
    for name in shipped():
        loaded = load_profile(name)
        assert (loaded.name, bool(loaded.description)) == (name, True)
        assert loaded.idle.pattern or loaded.idle.strategy == "timeout"


def test_a_program_that_reads_commands_gets_the_message_alone_and_an_agent_the_names_of_its_files() -> None:
    for name in shipped():
        typed = load_profile(name).typed("look", ["a b.csv", "c.png"])
        is_agent = name in ("claude", "codex", "gemini")
        assert ("a b.csv, c.png" in typed) is is_agent and typed.startswith("look"), name
        assert load_profile(name).typed("look", []) == "look"
    assert load_profile("claude").typed(" ", ["a.csv"]).startswith("These files came with")


def test_an_unknown_name_is_told_the_known_ones() -> None:
    for name in ("nope", "../profiles/shell", ""):
        with pytest.raises(NotFound, match="claude, codex, demo"):
            load_profile(name)


def test_a_file_needs_a_command_and_no_more(tmp_path: Path) -> None:
    loaded = read_profile(written(tmp_path, "command: 'cat -n \"a b\"'"))
    assert (loaded.name, loaded.argv()) == ("mine", ["cat", "-n", "a b"])


def test_the_desks_own_python_can_be_named(tmp_path: Path) -> None:
    loaded = read_profile(written(tmp_path, 'command: "{python} -c"\nargs: ["{terminal}/demo.py", "{x}"]'))
    assert loaded.argv()[0] == sys.executable
    assert Path(loaded.argv()[2]).is_file()
    assert loaded.argv()[3] == "{x}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("command: cat\nidel: {}", r"idel: Extra inputs"),
        ("command: cat\nidle: {second: 1}", r"idle\.second: Extra inputs"),
        ("command: cat\nidle: {pattern: '('}", r"idle\.pattern: .*regular expression"),
        ("command: cat\nidle: {strategy: pattern}", r"idle: .*pattern"),
        ("command: ''", r"command: .*program"),
        ("command: 'a \"b'", r"command: .*words"),
        ("args: [x]", r"command: Field required"),
        (
            "command: cat\ninput_detection: {additional_patterns: [{pattern: x, type: number}]}",
            r"additional_patterns\.0\.type",
        ),
        ("command: cat\nlong_messages: {type: no place}", r"long_messages\.type"),
        ("command: cat\nlong_messages: {over: 5000}", r"long_messages\.over"),
        ("command: cat\nrows: 100000", r"rows"),
        ("- a list", "keys and values"),
        ("command: [unclosed", "not valid YAML"),
        ("command: !!python/object/apply:os.system ['true']", "not valid YAML"),
        ("#" * (LARGEST_FILE + 1), "too large"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(tmp_path: Path, text: str, place: str) -> None:
    with pytest.raises(BadInput, match=place) as refused:
        read_profile(written(tmp_path, text))
    assert "mine.yaml" in str(refused.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"none\.yaml"):
        read_profile(tmp_path / "none.yaml")


def test_patterns_of_every_type_are_taken(tmp_path: Path) -> None:
    text = "command: cat\ninput_detection:\n  additional_patterns:\n" + "".join(
        f"    - {{pattern: 'x{kind}', type: {kind}, options: [a, b], default: a}}\n"
        for kind in ("confirmation", "selection", "text", "password")
    )
    patterns = read_profile(written(tmp_path, text)).input_detection.additional_patterns
    assert [pattern.type for pattern in patterns] == ["confirmation", "selection", "text", "password"]
    assert patterns[0].options == ("a", "b")


def keys(model: type[BaseModel], prefix: str = "") -> set[str]:
    """Every key of a profile, nested ones with dots; a list of parts has `[]`."""
    names: set[str] = set()
    for name, field in model.model_fields.items():
        kinds = [field.annotation, *getattr(field.annotation, "__args__", ())]
        parts = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        if parts:
            brackets = "" if parts[0] is field.annotation else "[]"
            names |= keys(parts[0], f"{prefix}{name}{brackets}.")
        else:
            names.add(prefix + name)
    return names


def test_the_page_about_profiles_names_every_key_and_no_other() -> None:
    page = (ROOT / "spec" / "reference" / "terminals.md").read_text(encoding="utf-8")
    table = page.split("## Keys")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z_.\[\]]+)` \|", table, re.M)) == keys(Profile)
