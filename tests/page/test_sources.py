"""What must hold for the page's files as they are written: one door for markup, two languages, one wire."""

import re
from typing import get_args

import pytest

from scripts import message_types
from smoldesk.agents.entries import BUILT_IN
from smoldesk.messages.chat_pane import NoticeCode
from smoldesk.sandbox.losses import LOSSES
from smoldesk.tables.inside import file_notes
from smoldesk.wires.page_files import PageFiles, module_imports
from tests.page.conftest import FRONTEND

SCRIPTS = sorted(FRONTEND.rglob("*.js"))
ASKING = [script for script in SCRIPTS if script.parent.name != "strings"]
SHEETS = sorted((FRONTEND / "css").glob("*.css"))
PARSERS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|setHTML|parseFromString|srcdoc|createPolicy"
)


def strings(language: str) -> dict[str, str]:
    first, more = (
        (FRONTEND / "strings" / f"{language}{late}.js").read_text("utf-8") for late in ("", "-late")
    )
    return words_of(first) | words_of(more)


def words_of(source: str) -> dict[str, str]:
    # prettier quotes a string that holds double quotes with single ones
    entries = re.findall(r"""^\s+"([^"]+)":\s*(["'])((?:(?!\2)[^\\]|\\.)*)\2,$""", source, re.MULTILINE)
    return {key: text for key, _, text in entries}


def test_markup_is_parsed_in_one_place_only() -> None:
    found = {
        script.name
        for script in SCRIPTS
        if PARSERS.search(re.sub(r"/\*.*?\*/", "", script.read_text("utf-8"), flags=re.S))
    }

    # the page of a shared view loads nothing of the desk's page, and shows HTML of the server only
    assert found == {"html.js", "view.js"}


def test_the_page_holds_no_inline_style_or_script() -> None:
    page = (FRONTEND / "index.html").read_text("utf-8")

    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)


def test_both_languages_have_the_same_keys_and_the_same_blanks() -> None:
    english, japanese = strings("en"), strings("ja")
    blanks = {key: sorted(re.findall(r"\{\w+\}", words)) for key, words in english.items()}

    assert len(english) > 100
    assert list(english) == list(japanese)
    assert blanks == {key: sorted(re.findall(r"\{\w+\}", words)) for key, words in japanese.items()}


def test_no_text_stands_under_two_keys() -> None:
    english, japanese = strings("en"), strings("ja")
    keys: dict[tuple[str, str], list[str]] = {}
    for key, text in english.items():
        keys.setdefault((text, japanese[key]), []).append(key)

    assert {pair: at for pair, at in keys.items() if len(at) > 1} == {}


def test_a_composed_key_with_the_text_of_another_one_is_named_by_no_script() -> None:
    same = words_of((FRONTEND / "strings" / "same.js").read_text("utf-8"))
    composed = {
        stem for script in ASKING for stem in re.findall(r"`(\w+\.\w*)\$\{", script.read_text("utf-8"))
    }

    assert set(same.values()) <= set(strings("en"))
    assert set(same) & (set(strings("en")) | named_keys()) == set()
    assert {key for key in same if not key.startswith(tuple(composed))} == set()


def test_every_sentence_a_script_asks_for_exists() -> None:
    named = named_keys()

    assert len(named) > 900
    assert named - set(strings("en")) == set()


def named_keys() -> set[str]:
    """The keys that scripts name: quoted, and with a beginning that keys have."""
    beginnings = {key.partition(".")[0] for key in strings("en")}
    quoted = {key for script in ASKING for key in re.findall(r'"(\w+\.\w+)"', script.read_text("utf-8"))}
    return {key for key in quoted if key.partition(".")[0] in beginnings}


def test_every_notice_with_a_code_has_words_and_so_has_every_reason_for_lost_variables() -> None:
    reasons = {f"variables_lost_reason_{reason}" for reason in LOSSES}

    assert {f"notice.{key}" for key in reasons.union(get_args(NoticeCode))} <= set(strings("ja"))


def test_the_page_has_the_text_of_each_note_of_a_file() -> None:
    texts = {"note": file_notes.TEXTS, "kind": file_notes.KINDS, "reason": file_notes.REASONS}
    texts["place"] = file_notes.PLACES
    known = {f"file_{part}.{code}": text for part, of_part in texts.items() for code, text in of_part.items()}

    assert {
        key: text for key, text in strings("en").items() if re.match("file_(note|kind|reason|place)", key)
    } == known


def test_the_page_has_words_for_each_agent_of_the_desk() -> None:
    menu = (FRONTEND / "js" / "page" / "agent-menu.js").read_text("utf-8")

    assert [agent.description for agent in BUILT_IN.values() if f'"{agent.description}": "' not in menu] == []


def test_the_first_screen_asks_for_no_sentence_of_the_late_parts() -> None:
    files = PageFiles(FRONTEND).current().files
    parts = [
        str((script.parent / name).resolve().relative_to(FRONTEND.resolve()))
        for script in SCRIPTS
        for name in re.findall(r'\bpart\(\(\) => import\("([^"]+)"', script.read_text("utf-8"))
    ]
    shown = ["js/app.js", "js/map/viewer.js", "js/debug/viewer.js", *parts]
    modules = {*shown, *(module for name in shown for module in module_imports(name, files))}
    late = words_of((FRONTEND / "strings" / "en-late.js").read_text("utf-8"))
    told = {
        key
        for module in modules - {"strings/same.js"}  # it names the texts of late parts and loads none
        for key in re.findall(r'"(\w+\.\w+)"', files[module].content.decode())
        if key in late
    }

    assert len(modules) > 100 and len(late) > 400
    assert told == set()


def test_every_colour_of_the_page_is_a_token() -> None:
    ours = [
        sheet
        for sheet in SHEETS
        if sheet.name in {"layout.css", "controls.css", "chat.css", "chat-blocks.css"}
    ]
    named = {token for sheet in ours for token in re.findall(r"var\((--[\w-]+)", sheet.read_text("utf-8"))}
    tokens = (FRONTEND / "css" / "tokens.css").read_text("utf-8")

    assert len(ours) == 4
    set_by_script = {"--share"}  # lengths of bars
    assert {
        token
        for token in named - set_by_script
        if not token.startswith("--split-") and f"{token}:" not in tokens
    } == set()


def test_the_dark_theme_has_a_value_for_every_colour_of_the_light_one() -> None:
    light, dark = (FRONTEND / "css" / "tokens.css").read_text("utf-8").split(':root[data-theme="dark"]')
    colour = r"(--[\w-]+):\s*(?:#|rgb)"

    assert set(re.findall(colour, light)) - {"--code-text", "--code-quiet"} == set(re.findall(colour, dark))


@pytest.mark.parametrize(
    ("theme", "text", "ground", "least"),
    [
        (theme, text, ground, least)
        for theme in ("light", "dark")
        for text, ground, least in [
            ("--text", "--surface", 7),
            ("--text", "--ground", 7),
            ("--text", "--raised", 7),
            ("--text-quiet", "--surface", 7),
            ("--text-quiet", "--ground", 4.5),
            ("--code-text", "--code-ground", 7),
            ("--code-quiet", "--code-ground", 4.5),
            ("--accent", "--surface", 4.5),
            ("--accent-text", "--accent", 4.5),
            ("--good", "--surface", 4.5),
            ("--warn", "--surface", 4.5),
            ("--bad", "--surface", 4.5),
        ]
    ],
)
def test_words_can_be_read_on_their_ground(theme: str, text: str, ground: str, least: float) -> None:
    light, dark = (FRONTEND / "css" / "tokens.css").read_text("utf-8").split(':root[data-theme="dark"]')
    colours = dict(re.findall(r"(--[\w-]+):\s*#([0-9a-f]{6})", light))
    if theme == "dark":
        colours |= dict(re.findall(r"(--[\w-]+):\s*#([0-9a-f]{6})", dark))

    bright, dim = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)

    assert (bright + 0.05) / (dim + 0.05) >= least


def luminance(colour: str) -> float:
    """Relative luminance of an RRGGBB colour, as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_types_of_messages_are_those_of_the_models() -> None:
    assert message_types.FILE.read_text("utf-8") == message_types.write(), "make format writes them anew"
