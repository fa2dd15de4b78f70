"""The verdicts on a program, on an injected clock: works, asks, done, hangs, ended."""

from dataclasses import replace

import pytest

from smoldesk.agents.terminal.idle import (
    Asks,
    AtPrompt,
    Exited,
    StillWorking,
    TimedOut,
    Verdict,
    Watch,
)
from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.terminal_profiles import profile_of


def watching(now: float = 0.0, **values: object) -> Watch:
    """A watch that was typed to at `now`; a prompt must stand 0.3 s."""
    profile = {"name": "x", "command": "x", "idle": {"strategy": "pattern", "pattern": "demo> $"}, **values}
    return Watch(profile_of(profile, "x.yaml"), now)


def progress_of(line: str = "", quiet: float = 0.0, **more: object) -> Progress:
    """The last line with the cursor behind it, after so many quiet seconds."""
    rows = tuple(more.pop("rows", ())) or (line,)  # pyright: ignore
    progress = Progress(
        last_line=line.rstrip(), lines=rows, cursor_at_end=True, quiet_for=quiet, sent_since=True
    )
    return replace(progress, **more)  # pyright: ignore


def works(verdict: Verdict) -> bool:
    return isinstance(verdict, StillWorking)


# --- done -----------------------------------------------------------------------------------------------------------


def test_the_prompt_from_before_the_message_ends_nothing() -> None:
    """A slow program still shows its old prompt long after the message was typed."""
    watch = watching(now=100)
    for later in (0.1, 1, 30):
        assert works(watch.evaluate(progress_of("demo> ", quiet=50 + later, sent_since=False), 100 + later))


def test_the_programs_own_prompt_ends_the_run_once_it_stands() -> None:
    watch = watching()
    assert works(watch.evaluate(progress_of("demo> ", quiet=0.1), 1.0))
    assert watch.evaluate(progress_of("demo> ", quiet=0.3), 1.2) == AtPrompt()


def test_an_own_prompt_that_wraps_ends_the_run() -> None:
    watch = watching()
    assert watch.evaluate(progress_of("o> ", quiet=0.3, wrapped="abcdem"), 1.2) == AtPrompt()
    assert works(watching().evaluate(progress_of("o> ", quiet=0.3, wrapped="abc"), 1.2))


def test_an_own_prompt_in_the_middle_of_output_ends_nothing() -> None:
    watch = watching()
    assert works(watch.evaluate(progress_of("demo> ", quiet=0.0), 1.0))
    assert works(watch.evaluate(progress_of("demo> and more", quiet=5), 6.0))
    assert works(watch.evaluate(progress_of("demo> ", quiet=5, cursor_at_end=False), 11.0))


def test_whole_lines_written_over_the_own_prompt_do_not_hold_up_the_run_for_ever() -> None:
    """A job in the background writes before the prompt has stood; no further prompt comes."""
    watch = watching()
    assert works(watch.evaluate(progress_of("demo> ", quiet=0.1), 1.0))
    assert works(watch.evaluate(progress_of("", quiet=4.9, rows=("demo> later", "")), 6.0))
    assert watch.evaluate(progress_of("", quiet=5.0, rows=("demo> later", "")), 6.1) == AtPrompt()


def test_a_prompt_that_was_written_over_between_two_looks_is_found_in_the_text() -> None:
    watch = watching()
    assert works(watch.evaluate(progress_of("", overwritten=True), 1.0))
    assert watch.evaluate(progress_of("", quiet=5.0), 6.0) == AtPrompt()


def test_whole_lines_without_a_prompt_before_them_end_nothing() -> None:
    assert works(watching().evaluate(progress_of("", quiet=60, rows=("working", "")), 61.0))


def test_a_program_without_a_prompt_is_done_after_a_while_of_silence() -> None:
    watch = watching(idle={"strategy": "timeout", "seconds": 2})
    assert works(watch.evaluate(progress_of("an answer", quiet=1.9), 5))
    assert watch.evaluate(progress_of("an answer", quiet=2.0), 5) == AtPrompt()


def test_silence_before_the_first_word_is_no_end() -> None:
    watch = watching(idle={"strategy": "timeout", "seconds": 2})
    assert works(watch.evaluate(progress_of(quiet=60, sent_since=False), 60))


def test_hybrid_needs_the_prompt_and_the_silence() -> None:
    watch = watching(idle={"strategy": "hybrid", "pattern": "^❯", "seconds": 1})
    assert works(watch.evaluate(progress_of("status", quiet=30), 30))  # silent, and never at its prompt
    framed = ("╭───╮", "❯", "status")
    assert works(watch.evaluate(progress_of("status", quiet=0.5, rows=framed), 31))
    assert watch.evaluate(progress_of("status", quiet=1.0, rows=framed), 31.5) == AtPrompt()


@pytest.mark.parametrize("prompt", [">>> ", "   ...> ", "(Pdb) ", "mysql> "])
def test_the_prompt_of_another_program_ends_the_run(prompt: str) -> None:
    """A shell runs it: the next message is for it."""
    assert works(watching().evaluate(progress_of(prompt, quiet=1.9), 2.0))
    assert watching().evaluate(progress_of(prompt, quiet=2.0), 2.0) == AtPrompt()
    assert watching().evaluate(progress_of(prompt, quiet=0.3, waits=True), 2.0) == AtPrompt()
    assert works(watching().evaluate(progress_of(prompt, quiet=20, waits=False), 20))
    assert works(watching().evaluate(progress_of(prompt, quiet=20, alternate=True), 20))


def test_a_program_that_read_the_message_and_waits_for_more_is_done_without_a_word() -> None:
    watch = watching(now=100, idle={"strategy": "timeout", "seconds": 2})
    silent = progress_of(sent_since=False, quiet=50, waits=True)
    assert works(watch.evaluate(silent, 101.9))
    assert watch.evaluate(silent, 102) == AtPrompt()


def test_silence_of_a_program_that_does_not_wait_for_input_ends_nothing_for_a_while() -> None:
    watch = watching(idle={"strategy": "timeout", "seconds": 2})
    assert works(watch.evaluate(progress_of("Installing", quiet=29, waits=False), 29))
    assert watch.evaluate(progress_of("Installing", quiet=30, waits=False), 30) == AtPrompt()


def test_the_prompt_at_which_the_first_message_was_typed_is_the_programs_own() -> None:
    watch = watching(idle={"strategy": "timeout", "seconds": 2})
    watch.on_message(0, "[1] You: ")
    assert works(watch.evaluate(progress_of("[2] You: ", quiet=1, waits=True), 1))
    assert watch.evaluate(progress_of("[2] You: ", quiet=2, waits=True), 2) == AtPrompt()
    verdict = watch.evaluate(progress_of("[2] Slug here: ", quiet=1, waits=True), 3)
    assert isinstance(verdict, Asks) and verdict.prompt.input_type == "text"


# --- asks -----------------------------------------------------------------------------------------------------------


def test_a_question_is_asked_although_it_is_not_the_programs_own_prompt() -> None:
    verdict = watching().evaluate(progress_of("Continue? (y/n): ", quiet=0.3), 1)
    assert isinstance(verdict, Asks) and verdict.prompt.options == ("y", "n")


def test_a_question_that_is_written_on_was_only_text() -> None:
    watch = watching()
    assert works(watch.evaluate(progress_of("Continue? (y/n): ", quiet=0.2), 1.0))
    assert works(watch.evaluate(progress_of("Continue? (y/n): that is what it said.", quiet=0.0), 1.1))
    assert works(watch.evaluate(progress_of("Continue? (y/n): that is what it said.", quiet=9.0), 10))


def test_a_question_with_the_cursor_elsewhere_was_only_text() -> None:
    assert works(watching().evaluate(progress_of("Continue? (y/n): ", quiet=9, cursor_at_end=False), 10))


def test_an_answered_question_is_not_asked_again() -> None:
    watch = watching()
    password_prompt = progress_of("Password: ", quiet=0.3)
    assert isinstance(watch.evaluate(password_prompt, 1), Asks)
    watch.on_input(2)
    assert works(watch.evaluate(replace(password_prompt, quiet_for=3, sent_since=False), 4))


def test_the_same_question_again_is_a_new_one() -> None:
    watch = watching()
    assert isinstance(watch.evaluate(progress_of("Password: ", quiet=0.3), 1), Asks)
    watch.on_input(2)
    assert isinstance(watch.evaluate(progress_of("Password: ", quiet=0.3), 5), Asks)


def test_a_menu_is_asked_although_its_program_redraws_itself() -> None:
    watch = watching(idle={"strategy": "hybrid", "pattern": "^❯", "seconds": 1})
    menu = progress_of("", rows=("Do it?", "❯ 1. Yes", "  2. No"), cursor_at_end=False)
    assert works(watch.evaluate(menu, 1.0))
    assert works(watch.evaluate(menu, 1.2))
    verdict = watch.evaluate(menu, 1.3)
    assert isinstance(verdict, Asks) and verdict.prompt.options == ("1", "2")


def test_another_menu_has_to_stand_for_itself() -> None:
    watch = watching()
    assert works(
        watch.evaluate(progress_of("", rows=("Do it?", "❯ 1. Yes", "  2. No"), cursor_at_end=False), 1.0)
    )
    assert works(
        watch.evaluate(progress_of("", rows=("Do it?", "  1. Yes", "❯ 2. No"), cursor_at_end=False), 1.3)
    )


def test_an_own_prompt_that_looks_like_a_question_is_no_question() -> None:
    watch = watching(idle={"strategy": "pattern", "pattern": "What next\\? $"})
    assert watch.evaluate(progress_of("What next? ", quiet=0.3), 1) == AtPrompt()


def test_a_prompt_of_the_profile_is_asked_even_where_it_looks_like_the_own_one() -> None:
    watch = watching(
        idle={"strategy": "pattern", "pattern": "> $"},
        input_detection={"additional_patterns": [{"pattern": "key> $", "type": "password"}]},
    )
    verdict = watch.evaluate(progress_of("key>", quiet=0.3), 1)
    assert isinstance(verdict, Asks) and verdict.prompt.input_type == "password"


def test_a_hidden_answer_is_asked_for_as_a_password() -> None:
    verdict = watching().evaluate(progress_of("Your word", quiet=0.3, hidden=True), 1)
    assert isinstance(verdict, Asks) and verdict.prompt.input_type == "password"


@pytest.mark.parametrize("sent_since", [True, False])
def test_a_program_that_waits_without_a_prompt_asks_with_its_screen(sent_since: bool) -> None:
    rows = ("~", "~", "~", "-- INSERT --")
    waiting = progress_of("", rows=rows, waits=True, sent_since=sent_since, cursor_at_end=False)
    assert works(watching().evaluate(replace(waiting, quiet_for=2.9), 2.9))
    verdict = watching().evaluate(replace(waiting, quiet_for=3), 3)
    assert isinstance(verdict, Asks) and verdict.prompt.prompt == "~\n-- INSERT --"


def test_a_question_of_a_program_that_is_known_to_work_has_to_stand_longer() -> None:
    watch = watching()
    assert works(watch.evaluate(progress_of("Continue? (y/n): ", quiet=1.9, waits=False), 2))
    assert isinstance(watch.evaluate(progress_of("Continue? (y/n): ", quiet=2, waits=False), 2), Asks)


def test_a_menu_without_a_question_is_one_while_its_program_waits_for_keys() -> None:
    rows = ("Favourite language", "* Java", "  Python")
    menu = progress_of("", rows=rows, cursor_at_end=False, waits=True, raw=True)
    watch = watching()
    assert works(watch.evaluate(menu, 1.0))
    verdict = watch.evaluate(menu, 1.3)
    assert isinstance(verdict, Asks) and verdict.prompt.options == ("Java", "Python")
    assert works(watching().evaluate(replace(menu, raw=False), 10))


def test_detection_that_is_off_asks_nothing() -> None:
    watch = watching(input_detection={"enabled": False})
    assert watch.evaluate(progress_of("Continue? (y/n): ", quiet=9, waits=True), 10) == AtPrompt()
    assert works(watch.evaluate(progress_of("Continue? (y/n): ", quiet=9), 10))


# --- hangs, ended ---------------------------------------------------------------------------------------------------


def test_a_program_that_says_nothing_for_too_long_hangs() -> None:
    watch = watching(now=100, max_silence_seconds=60)
    assert works(
        watch.evaluate(progress_of(quiet=500, sent_since=False), 159)
    )  # it was silent before, too: that does not count
    assert watch.evaluate(progress_of(quiet=560, sent_since=False), 160) == TimedOut(60)


def test_a_program_that_goes_on_writing_never_hangs() -> None:
    watch = watching(max_silence_seconds=60)
    assert works(watch.evaluate(progress_of("tick", quiet=0.4), 100_000))


def test_a_program_that_ended_has_ended_whatever_stands_there() -> None:
    assert watching().evaluate(progress_of("Continue? (y/n): ", quiet=9, exit_code=3), 10) == Exited(3)
    assert watching().evaluate(progress_of("demo> ", quiet=9, exit_code=-9, sent_since=False), 10) == Exited(
        -9
    )


# --- when to look again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("progress", "seconds"),
    [
        (progress_of("Continue? (y/n): ", quiet=0.1), 0.2),
        (progress_of("demo> ", quiet=0.2), 0.1),
        (progress_of("text", quiet=0.2), 1.0),
        (progress_of("text", quiet=59.5), 0.5),
        (progress_of("text", quiet=59.999), 0.01),
    ],
)
def test_it_looks_again_when_the_verdict_may_change(progress: Progress, seconds: float) -> None:
    verdict = watching(max_silence_seconds=60).evaluate(progress, 1000)
    assert isinstance(verdict, StillWorking) and verdict.poll_after == pytest.approx(seconds)


# --- after an interrupt ---------------------------------------------------------------------------------------------


def test_after_an_interrupt_it_rests_at_its_own_prompt() -> None:
    watch = watching()
    assert watch.is_idle(progress_of("demo> ", quiet=0.3, sent_since=False), 1)
    assert not watch.is_idle(progress_of("demo> ", quiet=0.1), 1)
    assert not watch.is_idle(progress_of("line 3", quiet=5), 1)


def test_after_an_interrupt_a_program_without_a_prompt_rests_when_it_is_silent() -> None:
    watch = watching(idle={"strategy": "timeout", "seconds": 2})
    assert watch.is_idle(progress_of("^C", quiet=1), 1)
    assert not watch.is_idle(progress_of("^C", quiet=0.5), 1)
