"""State of a program during a run: working, asking, done, silent or ended. Pure: the caller passes the time.

A verdict needs output since the last input: the prompt that was there before says nothing about the message. A question
must stand for a moment without new output; `prompts` detects questions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.prompts import InputPrompt, PromptDetector
from smoldesk.agents.terminal.terminal_profiles import Profile

# Longest pause between two evaluations of a silent program.
POLL_SECONDS = 1.0
# Quiet time after lines that were written over the prompt, by a background job of a shell for example.
OVERWRITTEN_SECONDS = 5.0
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

    def __init__(self, profile: Profile, now: float) -> None:
        self._idle = profile.idle
        self._pattern = re.compile(profile.idle.pattern) if profile.idle.pattern else None
        self._settle = profile.input_detection.settle_ms / 1000
        self._most_silence = profile.max_silence_seconds
        self._detector = PromptDetector(profile.input_detection)
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
            return self._check_silence(progress, now, POLL_SECONDS)
        at_prompt = self._is_at_prompt(progress)
        self._was_ready = (
            self._was_ready or at_prompt or progress.overwritten or self._any_row_ready(progress.lines)
        )
        prompt = self._detector.detect(
            progress.lines, progress.last_line, progress.cursor_at_end, progress.hidden
        )
        if prompt is not None and at_prompt and not prompt.from_profile and not prompt.moves:
            prompt = None  # the program's own prompt can look like a question ("name: ")
        if prompt != self._prompt:
            self._prompt, self._prompt_since = prompt, now
        if prompt is not None:
            # A menu has its own clock: full-screen programs redraw all the time (spinners, clocks) and are never quiet.
            stable_for = now - self._prompt_since if prompt.moves else progress.quiet_for
            if stable_for >= self._settle:
                return Asks(prompt)
            return self._check_silence(progress, now, self._settle - stable_for)
        remaining_seconds = self._until_done(progress, at_prompt)
        if remaining_seconds is not None and remaining_seconds <= 0:
            return AtPrompt()
        return self._check_silence(
            progress, now, POLL_SECONDS if remaining_seconds is None else remaining_seconds
        )

    def is_idle(self, progress: Progress, seconds: float) -> bool:
        """Return whether the program is idle after an interrupt: at its prompt, or quiet for `seconds` if it has none."""
        if self._pattern is None:
            return progress.quiet_for >= seconds
        at_prompt = self._is_at_prompt(progress)
        ready = at_prompt or (self._idle.strategy == "hybrid" and self._any_row_ready(progress.lines))
        return ready and progress.quiet_for >= min(self._settle, seconds)

    def _until_done(self, progress: Progress, at_prompt: bool) -> float | None:
        """Return the missing seconds of quiet; None when quiet alone does not end the run."""
        quiet = progress.quiet_for
        if self._idle.strategy == "timeout" or self._pattern is None:
            return self._idle.seconds - quiet
        if self._idle.strategy == "hybrid":
            return self._idle.seconds - quiet if self._was_ready else None
        if at_prompt:
            return min(self._settle, self._idle.seconds) - quiet
        if self._was_ready and not progress.last_line.strip():
            return max(self._idle.seconds, OVERWRITTEN_SECONDS) - quiet
        return None

    def _check_silence(self, progress: Progress, now: float, poll_after: float) -> Verdict:
        silent = min(progress.quiet_for, now - self._typed_at)
        remaining_seconds = self._most_silence - silent
        if remaining_seconds <= 0:
            return TimedOut(silent)
        return StillWorking(max(min(poll_after, remaining_seconds, POLL_SECONDS), 0.01))

    def _is_at_prompt(self, progress: Progress) -> bool:
        """Return whether the cursor is behind the program's prompt, which may begin in the row above a wrapped line."""
        return progress.cursor_at_end and any(
            map(self._matches_prompt, (progress.last_line, progress.wrapped + progress.last_line))
        )

    def _matches_prompt(self, line: str) -> bool:
        """Match a row with and without a blank at its end: rendered rows have none, patterns may require one."""
        if self._pattern is None:
            return False
        bare = line.rstrip()
        return any(self._pattern.search(candidate) for candidate in (line, bare, bare + " "))

    def _any_row_ready(self, rows: Sequence[str]) -> bool:
        """Search the bottom rows: a full-screen program may have rows below its prompt, and its cursor anywhere."""
        return self._idle.strategy == "hybrid" and any(map(self._matches_prompt, rows[-BOTTOM_ROWS:]))
