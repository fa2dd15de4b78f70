"""What a run makes of how its program stands: it works, it asks, it is done, it hangs, it ended. Pure: the clock is given.

A verdict needs that the program wrote something since it was last typed to: the prompt that stood there before says
nothing about the message. What asks must stand for a moment with nothing written since; see `prompts` for what asks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.prompts import InputPrompt, PromptDetector
from smoldesk.agents.terminal.terminal_profiles import Profile

# How often a program that says nothing is looked at.
LOOK_SECONDS = 1.0
# Of quiet, after whole lines that were written over a prompt: by what it left running in the background.
OVERWRITTEN_SECONDS = 5.0
# Rows of a screen in which a full-screen program may have its own prompt.
BOTTOM_ROWS = 12


@dataclass(frozen=True)
class StillWorking:
    """Nothing to do for `look_again` seconds, unless something comes."""

    poll_after: float


@dataclass(frozen=True)
class Asks:
    """The program waits for an answer to this prompt."""

    prompt: InputPrompt


@dataclass(frozen=True)
class AtPrompt:
    """It stands where it takes the next message."""


@dataclass(frozen=True)
class TimedOut:
    """The program has said nothing for longer than its profile allows."""

    silent_for: float


@dataclass(frozen=True)
class Exited:
    """The program is over."""

    exit_code: int


Verdict = StillWorking | Asks | AtPrompt | TimedOut | Exited


class Watch:
    """Watches one program for one run. Times are seconds of any clock that only goes forward."""

    def __init__(self, profile: Profile, now: float) -> None:
        self._idle = profile.idle
        self._pattern = re.compile(profile.idle.pattern) if profile.idle.pattern else None
        self._settle = profile.input_detection.settle_ms / 1000
        self._most_silence = profile.max_silence_seconds
        self._detector = PromptDetector(profile.input_detection)
        self.on_input(now)

    def on_input(self, now: float) -> None:
        """Something was typed: whatever stood there before is answered."""
        self._typed_at = now
        self._prompt: InputPrompt | None = None
        self._prompt_since = now
        self._was_ready = False

    def evaluate(self, progress: Progress, now: float) -> Verdict:
        """The verdict on what was just seen."""
        if progress.exit_code is not None:
            return Exited(progress.exit_code)
        if not progress.sent_since:
            self._prompt = None
            return self._silent(progress, now, LOOK_SECONDS)
        at_prompt = self._stands_at_prompt(progress)
        self._was_ready = (
            self._was_ready or at_prompt or progress.overwritten or self._any_row_ready(progress.lines)
        )
        prompt = self._detector.detect(
            progress.lines, progress.last_line, progress.cursor_at_end, progress.hidden
        )
        if prompt is not None and at_prompt and not prompt.from_profile and not prompt.moves:
            prompt = None  # the program's own prompt, which looks like a question
        if prompt != self._prompt:
            self._prompt, self._prompt_since = prompt, now
        if prompt is not None:
            stood = now - self._prompt_since if prompt.moves else progress.quiet_for
            if stood >= self._settle:
                return Asks(prompt)
            return self._silent(progress, now, self._settle - stood)
        remaining_seconds = self._until_done(progress, at_prompt)
        if remaining_seconds is not None and remaining_seconds <= 0:
            return AtPrompt()
        return self._silent(progress, now, LOOK_SECONDS if remaining_seconds is None else remaining_seconds)

    def is_idle(self, progress: Progress, seconds: float) -> bool:
        """After an interrupt: it stands at its own prompt, or nothing came for so many seconds where it has none."""
        if self._pattern is None:
            return progress.quiet_for >= seconds
        at_prompt = self._stands_at_prompt(progress)
        ready = at_prompt or (self._idle.strategy == "hybrid" and self._any_row_ready(progress.lines))
        return ready and progress.quiet_for >= min(self._settle, seconds)

    def _until_done(self, progress: Progress, at_prompt: bool) -> float | None:
        """Seconds of quiet that are missing; None when quiet alone makes nothing of it."""
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

    def _silent(self, progress: Progress, now: float, poll_after: float) -> Verdict:
        silent = min(progress.quiet_for, now - self._typed_at)
        remaining_seconds = self._most_silence - silent
        if remaining_seconds <= 0:
            return TimedOut(silent)
        return StillWorking(max(min(poll_after, remaining_seconds, LOOK_SECONDS), 0.01))

    def _stands_at_prompt(self, progress: Progress) -> bool:
        """Behind a long line that nobody ended, the prompt may begin in the row above."""
        return progress.cursor_at_end and any(
            map(self._matches_prompt, (progress.last_line, progress.wrapped + progress.last_line))
        )

    def _matches_prompt(self, line: str) -> bool:
        """Rendered rows have no blanks at their end; a pattern may want one."""
        if self._pattern is None:
            return False
        bare = line.rstrip()
        return any(self._pattern.search(candidate) for candidate in (line, bare, bare + " "))

    def _any_row_ready(self, rows: Sequence[str]) -> bool:
        """A full-screen program may have rows under its prompt, and its cursor anywhere."""
        return self._idle.strategy == "hybrid" and any(map(self._matches_prompt, rows[-BOTTOM_ROWS:]))
