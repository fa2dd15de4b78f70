"""State of a program during a run: working, asking, done, silent or ended. Pure: the caller passes the time.

A verdict needs output since the last input, or a program that has read the input and waits for more: the prompt that was
there before says nothing about the message. A question must stand for a moment without new output; `prompts` detects
questions, `foreground` programs that wait.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.prompts import InputPrompt, PromptDetector, is_ready, tidy, waiting_screen
from smoldesk.agents.terminal.terminal_profiles import Profile

# Longest pause between two evaluations of a silent program.
POLL_SECONDS = 1.0
# Quiet time after lines that were written over the prompt, by a background job of a shell for example.
OVERWRITTEN_SECONDS = 5.0
# Quiet time after the prompt of another program, unless that program is known to wait for input.
READY_SECONDS = 2.0
# Quiet time of a program that waits for input without a prompt that can be recognised.
UNPROMPTED_SECONDS = 3.0
# Quiet time after which a program may be done, or ask, although it is known not to wait for input.
BUSY_SECONDS, BUSY_SETTLE_SECONDS = 30.0, 2.0
# Rows of a screen in which a full-screen program may have its own prompt.
BOTTOM_ROWS = 12


@dataclass(frozen=True)
class StillWorking:
    """Nothing to do for `poll_after` seconds, unless output comes."""

    poll_after: float


@dataclass(frozen=True)
class Asks:
    """The program waits for an answer to this prompt."""

    prompt: InputPrompt


@dataclass(frozen=True)
class AtPrompt:
    """The program is ready for the next message."""


@dataclass(frozen=True)
class TimedOut:
    """The program has been silent for longer than its profile allows."""

    silent_for: float


@dataclass(frozen=True)
class Exited:
    """The program has ended."""

    exit_code: int


Verdict = StillWorking | Asks | AtPrompt | TimedOut | Exited


class Watch:
    """State of one program during one run. Times are seconds of any monotonic clock."""

    def __init__(self, profile: Profile, now: float, starts: bool = False) -> None:
        """Set up the watch; `starts`: no message was typed yet, so a program that waits for input may wait for that."""
        self._idle = profile.idle
        self._pattern = re.compile(profile.idle.pattern) if profile.idle.pattern else None
        self._input_box = re.compile(profile.startup.ready) if profile.startup.ready else self._pattern
        self._detection = profile.input_detection
        self._settle = profile.input_detection.settle_ms / 1000
        self._most_silence = profile.max_silence_seconds
        self._detector = PromptDetector(profile.input_detection)
        self._name = profile.name
        self._starts = starts
        self._rests_at = ""
        self.on_input(now)

    def on_message(self, now: float, rests_at: str) -> None:
        """Note that a message was typed, the first one behind the text `rests_at`: the program's own prompt."""
        self._rests_at = _without_numbers(rests_at)
        self.on_input(now)

    def on_input(self, now: float) -> None:
        """Note that input was typed: it answers the prompt that was on the screen."""
        self._typed_at = now
        self._prompt: InputPrompt | None = None
        self._prompt_since = now
        self._was_ready = False

    def evaluate(self, progress: Progress, now: float) -> Verdict:
        """Return the verdict on the newest output."""
        if progress.exit_code is not None:
            return Exited(progress.exit_code)
        if not progress.sent_since:
            self._prompt = None
            return self._evaluate_unanswered(progress, now)
        at_prompt = self._is_at_prompt(progress)
        self._was_ready = (
            self._was_ready or at_prompt or progress.overwritten or self._any_row_ready(progress.lines)
        )
        prompt = self._find_prompt(progress, at_prompt)
        if prompt != self._prompt:
            self._prompt, self._prompt_since = prompt, now
        if prompt is not None:
            settle = BUSY_SETTLE_SECONDS if progress.waits is False else self._settle
            # A menu has its own clock: full-screen programs redraw all the time (spinners, clocks) and are never quiet.
            stable_for = now - self._prompt_since if prompt.moves else progress.quiet_for
            if stable_for >= settle:
                return Asks(prompt)
            return self._check_silence(progress, now, settle - stable_for)
        remaining_seconds = self._until_done(progress, at_prompt)
        if remaining_seconds is not None and remaining_seconds <= 0:
            return AtPrompt()
        if progress.waits and self._pattern and progress.quiet_for >= UNPROMPTED_SECONDS:
            return self._unprompted(progress)
        return self._check_silence(
            progress, now, POLL_SECONDS if remaining_seconds is None else remaining_seconds
        )

    def _evaluate_unanswered(self, progress: Progress, now: float) -> Verdict:
        """Return the verdict on a program that wrote nothing since the input: it may have read it and wait for more."""
        quiet = min(progress.quiet_for, now - self._typed_at)
        if progress.waits and quiet >= self._idle.seconds:
            if self._pattern is None or self._is_at_prompt(progress):
                return AtPrompt()
            if quiet >= UNPROMPTED_SECONDS:
                return self._unprompted(progress)
        return self._check_silence(progress, now, POLL_SECONDS)

    def _find_prompt(self, progress: Progress, at_prompt: bool) -> InputPrompt | None:
        waits = progress.waits is True
        prompt = self._detector.detect(
            progress.lines,
            progress.last_line,
            progress.cursor_at_end,
            progress.hidden,
            waits=waits and not self._starts,
            by_keys=waits and progress.raw and not self._shows_input_box(progress.lines),
        )
        if prompt is not None and at_prompt and not prompt.from_profile and not prompt.moves:
            return None  # the program's own prompt can look like a question ("name: ")
        return prompt

    def _unprompted(self, progress: Progress) -> Verdict:
        """Return the verdict on a program that waits for input: at its start for the message, later for an answer."""
        if self._starts or not self._detection.enabled:
            return AtPrompt()
        return Asks(waiting_screen(progress.lines, progress.last_line, self._name))

    def is_idle(self, progress: Progress, seconds: float) -> bool:
        """Return whether the program is idle after an interrupt: at its prompt, or quiet for `seconds` if it has none."""
        if self._pattern is None:
            return progress.quiet_for >= seconds
        return self.shows_prompt(progress) and progress.quiet_for >= min(self._settle, seconds)

    def shows_prompt(self, progress: Progress) -> bool:
        """Return whether the program shows its own prompt, or that of another program that it runs."""
        return (
            self._is_at_prompt(progress)
            or self._any_row_ready(progress.lines)
            or _shows_ready_prompt(progress)
        )

    def _until_done(self, progress: Progress, at_prompt: bool) -> float | None:
        """Return the missing seconds of quiet; None when quiet alone does not end the run."""
        quiet = progress.quiet_for
        if self._idle.strategy == "timeout" or self._pattern is None:
            seconds = self._idle.seconds
            return (max(seconds, BUSY_SECONDS) if progress.waits is False else seconds) - quiet
        if self._idle.strategy == "hybrid":
            return self._idle.seconds - quiet if self._was_ready else None
        if at_prompt:
            return min(self._settle, self._idle.seconds) - quiet
        if self._was_ready and not progress.last_line.strip():
            return max(self._idle.seconds, OVERWRITTEN_SECONDS) - quiet
        if progress.waits is not False and _shows_ready_prompt(progress):
            return (self._settle if progress.waits else max(self._idle.seconds, READY_SECONDS)) - quiet
        return None

    def _check_silence(self, progress: Progress, now: float, poll_after: float) -> Verdict:
        silent = min(progress.quiet_for, now - self._typed_at)
        remaining_seconds = self._most_silence - silent
        if remaining_seconds <= 0:
            return TimedOut(silent)
        return StillWorking(max(min(poll_after, remaining_seconds, POLL_SECONDS), 0.01))

    def _is_at_prompt(self, progress: Progress) -> bool:
        """Return whether the cursor is behind the program's prompt, which may begin in the row above a wrapped line."""
        if not progress.cursor_at_end:
            return False
        if self._rests_at and _without_numbers(progress.last_line) == self._rests_at:
            return True
        return any(map(self._matches_prompt, (progress.last_line, progress.wrapped + progress.last_line)))

    def _matches_prompt(self, line: str) -> bool:
        """Match a row with and without a blank at its end: rendered rows have none, patterns may require one."""
        if self._pattern is None:
            return False
        bare = line.rstrip()
        return any(self._pattern.search(candidate) for candidate in (line, bare, bare + " "))

    def _any_row_ready(self, rows: Sequence[str]) -> bool:
        """Search the bottom rows: a full-screen program may have rows below its prompt, and its cursor anywhere."""
        return self._idle.strategy == "hybrid" and any(map(self._matches_prompt, rows[-BOTTOM_ROWS:]))

    def _shows_input_box(self, rows: Sequence[str]) -> bool:
        """Return whether a row looks like the program's own input box, whose sign is no pointer of a menu."""
        return self._input_box is not None and any(map(self._input_box.search, rows[-BOTTOM_ROWS:]))


def _shows_ready_prompt(progress: Progress) -> bool:
    """Return whether the cursor is behind the prompt of an interpreter; a full-screen program has none."""
    return progress.cursor_at_end and not progress.alternate and is_ready(tidy(progress.last_line))


def _without_numbers(prompt: str) -> str:
    """Return a prompt for comparison: its numbers may count the messages."""
    return re.sub(r"\d+", "0", prompt.strip())
