"""Menus that full-screen programs draw: a pointer among choices, in boxes, with rows of hints under them."""

import pytest

from smoldesk.agents.terminal.prompts import InputPrompt, PromptDetector

APPROVAL = """\
● I will run a command.

╭──────────────────────────────────────────────────────────────╮
│ Bash command                                                 │
│                                                              │
│   rm -rf build                                               │
│                                                              │
│ Do you want to proceed?                                      │
│ ❯ 1. Yes                                                     │
│   2. Yes, and don't ask again for rm commands in             │
│      /home/bob/src                                           │
│   3. No, and say what to do differently (esc)                │
╰──────────────────────────────────────────────────────────────╯"""
COMMAND = """\
  Would you like to run the following command?

  $ touch x

› 1. Yes, proceed (y)
  2. Yes, and don't ask again for this command (a)
  3. No, and say what to do differently (esc)

  Press enter to confirm or esc to cancel"""
RADIO = """\
│ Allow execution of: 'ls'?                     │
│                                               │
│ ● 1. Yes, allow once                          │
│   2. Yes, allow always                        │
│   3. No, suggest changes (esc)                │
╰───────────────────────────────────────────────╯"""
COLOURS = """\
? Pick a colour: (Use arrow keys)
❯ red
  green
  blue"""
SECOND = """\
? Pick a colour: › - Use arrow-keys. Return to submit.
    red
❯   green
    blue"""
CIRCLES = """\
◆  Select a framework:
│  ○ Plain
│  ● Fancy
└"""
FRUITS = """\
どれにしますか？
› りんご
  みかん

↑↓ で移動、Enter で決定"""


def detect(screen: str, last_line: str = "", cursor_at_end: bool = False) -> InputPrompt | None:
    """Such programs hide the cursor, or leave it anywhere."""
    return PromptDetector().detect(screen.split("\n"), last_line, cursor_at_end)


@pytest.mark.parametrize(
    ("screen", "options", "moves"),
    [
        (APPROVAL, ("1", "2", "3"), (0, 1, 2)),
        (COMMAND, ("1", "2", "3"), (0, 1, 2)),
        (RADIO, ("1", "2", "3"), (0, 1, 2)),
        (COLOURS, ("red", "green", "blue"), (0, 1, 2)),
        (SECOND, ("red", "green", "blue"), (-1, 0, 1)),
        (CIRCLES, ("Plain", "Fancy"), (-1, 0)),
        (FRUITS, ("りんご", "みかん"), (0, 1)),
    ],
)
def test_a_menu_is_a_selection_with_the_way_to_each_choice(
    screen: str, options: tuple[str, ...], moves: tuple[int, ...]
) -> None:
    prompt = detect(screen)
    assert prompt is not None and prompt.input_type == "selection"
    assert prompt.options == options
    assert tuple(prompt.moves[option] for option in options) == moves


def test_where_the_pointer_stands_is_no_default() -> None:
    """Else an approval that nobody gave in time would be given."""
    prompt = detect(APPROVAL)
    assert prompt is not None and prompt.default is None


def test_what_the_menu_is_about_is_part_of_the_prompt() -> None:
    prompt = detect(APPROVAL)
    assert prompt is not None
    assert "rm -rf build" in prompt.prompt and "Do you want to proceed?" in prompt.prompt
    assert "2. Yes, and don't ask again" in prompt.prompt and "│" not in prompt.prompt
    command = detect(COMMAND)
    assert command is not None and "$ touch x" in command.prompt


@pytest.mark.parametrize(
    "screen",
    [
        "❯ ls\n  a.txt\n  b.txt",  # a shell's prompt with what a command wrote
        "╭─────╮\n│ ❯   │\n╰─────╯\n  ? for shortcuts",  # an empty field to type in
        "› Ask anything\n\n  100% left · ? for shortcuts",
        "> 1. Yes\ndone",  # a quotation
        "Steps:\n1. Yes\n2. No",
        "Do it?\n❯ 1. Yes\n  2. No\n\nAll done: it was Yes.\n$",  # an answered menu
        "→ one\n  two",
        "❯ only one choice",
        "? Pick:\n❯ 1. Yes\n  3. No",
        "│ a │ b │\n│ 1 │ 2 │",
    ],
)
def test_what_only_looks_like_a_menu_is_none(screen: str) -> None:
    assert detect(screen) is None


@pytest.mark.parametrize(("box", "unticked"), [("○", True), ("●", False), ("[ ]", True), ("[x]", False)])
def test_choices_with_boxes_are_named_without_them(box: str, unticked: bool) -> None:
    rows = ["? Which ones? (Use arrow keys to move)", "   ○ aa".replace("○", box), f" » {box} bb"]
    prompt = PromptDetector().detect(rows, rows[0], cursor_at_end=False)
    assert prompt is not None and (prompt.options, prompt.unticked) == (("aa", "bb"), unticked)
    assert prompt.moves == {"aa": -1, "bb": 0}
