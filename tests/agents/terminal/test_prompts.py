"""What asks and what does not: a table of lines of real programs, and what must hold for every screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.agents.terminal.prompt_patterns import LONGEST
from smoldesk.agents.terminal.prompts import InputPrompt, PromptDetector, is_ready
from smoldesk.agents.terminal.terminal_profiles import InputDetection, profile_of
from tests.agents.terminal.prompt_lines import ASKING, NOT_READY, READY, SILENT

DETECTOR = PromptDetector()


def on_last_line(line: str, detector: PromptDetector = DETECTOR) -> InputPrompt | None:
    """As a terminal renders it: blanks at the end are no part of a row."""
    return detector.detect([line.rstrip()], line.rstrip(), cursor_at_end=True)


def under(*rows: str) -> InputPrompt | None:
    """The last of these rows has the cursor behind it."""
    return DETECTOR.detect(rows, rows[-1], cursor_at_end=True)


@pytest.mark.parametrize(("line", "kind", "options", "default"), ASKING)
def test_a_line_that_asks_is_found(
    line: str, kind: str, options: tuple[str, ...], default: str | None
) -> None:
    prompt = on_last_line(line)
    assert prompt is not None
    assert (prompt.input_type, prompt.options, prompt.default) == (kind, options, default)
    assert prompt.prompt == line.strip()


@pytest.mark.parametrize("line", SILENT)
def test_a_line_that_only_looks_like_it_is_not(line: str) -> None:
    assert on_last_line(line) is None


@pytest.mark.parametrize("line", READY)
def test_the_prompt_of_an_interpreter_is_ready_and_asks_nothing(line: str) -> None:
    assert is_ready(line)
    assert DETECTOR.detect([line], line, cursor_at_end=True, waits=True) is None


@pytest.mark.parametrize("line", NOT_READY)
def test_a_line_that_is_no_prompt_of_an_interpreter_is_not_ready(line: str) -> None:
    assert not is_ready(line)


@pytest.mark.parametrize("line", ["Elapsed (ms):", "お待ちください:", "Slug here:", "Wort [abc]"])
def test_a_line_with_the_end_of_a_prompt_asks_while_its_program_waits(line: str) -> None:
    prompt = DETECTOR.detect([line], line, cursor_at_end=True, waits=True)
    assert prompt is not None and (prompt.input_type, prompt.prompt) == ("text", line)
    assert DETECTOR.detect(["done"], "done", cursor_at_end=True, waits=True) is None


def test_the_tables_are_worth_their_name() -> None:
    assert len(ASKING) >= 80 and len(SILENT) >= 80
    assert len({row[0] for row in ASKING}) == len(ASKING) and len(set(SILENT)) == len(SILENT)


@pytest.mark.parametrize(
    ("line", "kind", "_", "__"),
    [row for row in ASKING if (row[1] == "password" or row[2]) and "›" not in row[0]],
)
def test_an_answered_prompt_asks_no_more(line: str, kind: str, _: object, __: object) -> None:
    assert on_last_line(line.rstrip() + " abc.") is None, kind


@pytest.mark.parametrize(("line", "kind", "_", "__"), ASKING)
def test_a_prompt_with_the_cursor_elsewhere_was_only_printed(
    line: str, kind: str, _: object, __: object
) -> None:
    if line.startswith("? ") and "›" in line:
        return  # there the cursor stands on the placeholder
    assert DETECTOR.detect([line, "more"], line, cursor_at_end=False) is None, kind


def test_a_program_that_hides_what_is_typed_asks_for_a_password_whatever_it_says() -> None:
    prompt = DETECTOR.detect(["Your answer"], "Your answer", cursor_at_end=True, hidden=True)
    assert prompt == InputPrompt("Your answer", "password")
    prompt = DETECTOR.detect(["Name:"], "Name:", cursor_at_end=True, hidden=True)
    assert prompt is not None and prompt.input_type == "password"


# --- the rows over the line -----------------------------------------------------------------------------------------


def test_a_numbered_list_over_the_question_are_its_choices() -> None:
    prompt = under("What now?", " 1) Provide a default", " 2) Quit", "Select an option:")
    assert prompt is not None
    assert (prompt.input_type, prompt.options) == ("selection", ("1", "2"))
    assert prompt.prompt.split("\n") == [
        "What now?",
        " 1) Provide a default",
        " 2) Quit",
        "Select an option:",
    ]


def test_the_columns_of_a_shells_select_are_read_together() -> None:
    prompt = under("1) alpha   3) gamma", "2) beta    4) delta", "#?")
    assert prompt is not None and prompt.options == ("1", "2", "3", "4")


def test_an_older_list_is_no_part_of_the_choices() -> None:
    prompt = under("1) red", "2) blue", "you chose 2", "1) small", "2) large", "3) huge", "Your choice [2]:")
    assert prompt is not None and (prompt.options, prompt.default) == (("1", "2", "3"), "2")
    assert "red" not in prompt.prompt


def test_a_list_in_japanese_is_shown_as_it_was_written() -> None:
    prompt = under("（環境）", "1. 開発", "2. 本番", "番号を選択してください：")
    assert prompt is not None and prompt.options == ("1", "2")
    assert prompt.prompt == "（環境）\n1. 開発\n2. 本番\n番号を選択してください："


def test_a_question_on_the_row_before_belongs_to_its_default() -> None:
    prompt = under("Is CN=bob correct?", "  [no]:")
    assert prompt == InputPrompt("Is CN=bob correct?\n[no]:", "confirmation", ("yes", "no"), "no")


def test_a_list_without_a_question_asks_nothing() -> None:
    assert under("Steps:", "1. Yes", "2. No") is None


# --- the profile's own patterns -------------------------------------------------------------------------------------


def detector(*patterns: dict[str, object]) -> PromptDetector:
    """As a profile's file has them."""
    values = {"name": "x", "command": "x", "input_detection": {"additional_patterns": list(patterns)}}
    return PromptDetector(profile_of(values, "x.yaml").input_detection)


@pytest.mark.parametrize("kind", ["confirmation", "selection", "text", "password"])
def test_a_profile_adds_prompts_of_every_type(kind: str) -> None:
    custom = detector(
        {"pattern": "ready, captain", "type": kind, "options": ["aye", "nay"], "default": "nay"}
    )
    prompt = on_last_line("Ready, captain", custom)
    assert prompt == InputPrompt("Ready, captain", kind, ("aye", "nay"), "nay", from_profile=True)  # pyright: ignore


def test_a_pattern_of_a_selection_takes_its_options_from_the_screen() -> None:
    custom = detector({"pattern": "Select option", "type": "selection"})
    prompt = custom.detect(["[1] dev", "[2] prod", "Select option: "], "Select option:", cursor_at_end=True)
    assert prompt is not None and (prompt.input_type, prompt.options) == ("selection", ("1", "2"))
    ranged = on_last_line("Select option (1-3):", custom)
    assert ranged is not None and ranged.options == ("1", "2", "3")
    open_ended = on_last_line("Select option:", custom)
    assert (
        open_ended is not None and open_ended.input_type == "text"
    )  # nothing to choose from: anything can be typed


def test_a_pattern_of_a_confirmation_knows_yes_and_no() -> None:
    prompt = on_last_line("Weiter? [J]", detector({"pattern": r"weiter\?", "type": "confirmation"}))
    assert prompt is not None and prompt.options == ("y", "n")


def test_a_pattern_is_no_more_found_once_it_is_answered() -> None:
    custom = detector({"pattern": "Select option", "type": "selection"})
    assert on_last_line("Select option: 2", custom) is None


def test_a_detector_that_is_off_finds_nothing() -> None:
    assert on_last_line("Password:", PromptDetector(InputDetection(enabled=False))) is None


# --- every screen ---------------------------------------------------------------------------------------------------

FRAGMENTS = st.sampled_from(
    ["(", ")", "[", "]", "<", ">", ":", "?", "/", ",", " or ", "y", "n", "1", "2-3", "❯ ", "› ", "1. ", "│", "password",
     "token", " for ", "press enter", "continue", "入力", "してください", "ますか", "：", "？", " ", "\x1b[0m", "\x00",
     "\ud800", "default ", "enter ", "what ", "--More--", "(END)", "#?", "name", "…"]
)  # fmt: skip
LINES = st.one_of(st.text(max_size=80), st.lists(FRAGMENTS, max_size=60).map("".join))


@given(rows=st.lists(LINES, max_size=12), last=LINES, at_end=st.booleans(), hidden=st.booleans())
def test_no_screen_makes_it_raise(rows: list[str], last: str, at_end: bool, hidden: bool) -> None:
    for screen in (rows, [*rows, last]):
        prompt = DETECTOR.detect(screen, last, at_end, hidden)
        if prompt is not None:
            assert (
                prompt.default is None
                or prompt.default in prompt.options
                or prompt.input_type in ("text", "confirmation")
            )
            assert set(prompt.moves) in (set(), set(prompt.options))
            assert prompt.input_type != "selection" or len(prompt.options) > 1
            assert len(prompt.prompt) <= 2_000


@given(rows=st.lists(LINES, max_size=4), last=LINES, more=LINES)
def test_the_work_is_bounded_whatever_stands_before(rows: list[str], last: str, more: str) -> None:
    """Only the end of a line and of a screen is read, so a flood before it costs nothing and changes nothing."""
    line = "x" * LONGEST + last
    screen = [row + "x" * LONGEST + last for row in rows]
    flood = ["y" * 10 + more] * 300 + [more * 2000 + row for row in screen]
    assert DETECTOR.detect(["z"] * 60 + screen, line, True) == DETECTOR.detect(
        [*flood[:300], *["z"] * 60, *flood[300:]], more * 2000 + line, True
    )


@pytest.mark.parametrize(
    "line",
    ["(" * 400, "[1/" * 200, "((" * 100 + "))" * 100, "password for " * 40, "is " * 150 + "?", "a b " * 100 + "[",
     "press enter" * 40, "どの" * 200, "[y]" * 130, "name " * 80 + ":", ", or " * 80 + "]", "--More--" * 50, "1. x  " * 70,
     "enter " * 70 + "x", "? " * 200, "› " * 200, ") (" * 130 + ":", " " * 400, "│" * 400, "token (" * 60 + ":"],
)  # fmt: skip
def test_a_hostile_line_comes_back_soon(line: str) -> None:
    """A rule that tries every way to split such a line would not be done before the test's time is over."""
    for end in ("", ":", "?", ")", "x"):
        DETECTOR.detect([line + end] * 40, line + end, True)
