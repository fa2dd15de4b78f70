"""One message, typed into a program, until the program is done with it: waits, asks, interrupts.

`idle` evaluates the program's state, `replies` maps an answer to input, `report` writes the events. A turn leaves an idle
program behind, or none, so that the next run finds no output of this one.
"""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import assert_never

from smoldesk.agents.terminal.idle import (
    Asks,
    AtPrompt,
    Exited,
    StillWorking,
    TimedOut,
    Watch,
)
from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.program import Program
from smoldesk.agents.terminal.prompts import InputPrompt, PromptDetector, tidy
from smoldesk.agents.terminal.replies import (
    Interrupt,
    Pick,
    Press,
    Type,
    reply_to,
)
from smoldesk.agents.terminal.report import LONGEST_TEXT, ClippedText, Report
from smoldesk.agents.terminal.terminal_profiles import Idle, Profile
from smoldesk.errors import DeskError
from smoldesk.events import Ask
from smoldesk.tools.run_context import RunContext

DOWN, UP = "\x1b[B", "\x1b[A"
# Ctrl-U, which terminals and line editors take for "erase the line" (termios(3), VKILL).
ERASE_LINE = "\x15"
# Pause between two polls of a menu.
POLL_SECONDS = 0.05
# Pause after which the reaction to a key is complete.
SETTLED_SECONDS = 0.2
# Time for a menu to show its pointer, and to move it after a key.
MENU_SECONDS = 5.0


class Turn:
    """One message to one program. Used once, on the run's own thread."""

    def __init__(
        self,
        program: Program,
        ctx: RunContext,
        report: Report,
        ask_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._program = program
        self._profile: Profile = program.profile
        self._ctx = ctx
        self._report = report
        self._ask_seconds = ask_seconds
        self._clock = clock
        self._watch = Watch(self._profile, clock())
        self._progress = Progress()
        self._answers = True
        """Whether output belongs to the answer: not before the message is typed or the program has asked."""
        self._greeting = ClippedText(LONGEST_TEXT)
        self._asked = False

    def play(self, message: str) -> None:
        """Type the message and wait until the program is done.

        Raises Stopped, and DeskError no_answer, program_silent or program_exited, after all events are written.
        """
        self._report.begin_step()
        try:
            if not self._program.fresh or self._start_up():
                self._program.send(message)
                self._watch.on_message(self._clock(), self._program.rests_at)
                self._until_done(self._watch)
        except DeskError:
            self._interrupt_until_idle()
            self._end_step()
            raise
        self._end_step(is_answer=True)

    def _start_up(self) -> bool:
        """Wait until a new program is ready for the message; return False if it ended with code 0 before that.

        Its output is a greeting, unless it asks: then output and answers are a dialogue, the whole answer of a program that
        ends with it.
        """
        profile, start = self._profile, self._profile.startup
        ready = Idle(
            strategy="pattern" if start.ready else "timeout",
            pattern=start.ready,
            seconds=profile.idle.seconds,
        )
        waiting = {"idle": ready, "max_silence_seconds": start.seconds}
        self._answers = False
        is_ready = True
        with suppress(_Silent):  # not ready in time: type the message anyway
            is_ready = self._until_done(Watch(profile.model_copy(update=waiting), self._clock(), starts=True))
        if is_ready and self._asked:
            self._end_step()
            self._report.forget_answer()
            self._report.begin_step()
        elif not is_ready and not self._asked:
            self._report.show(self._greeting.take(), self._progress.lines)
        self._answers = True
        return is_ready

    def _until_done(self, watch: Watch) -> bool:
        """Wait for the program; return True when it is ready for a message, False when it has ended as expected."""
        seconds = 0.0
        while True:
            progress = self._poll(seconds)
            self._ctx.stop.check()
            verdict = watch.evaluate(progress, self._clock())
            seconds = 0.0
            match verdict:
                case StillWorking(look_again):
                    seconds = look_again
                case Asks(prompt):
                    self._ask(prompt)
                    watch.on_input(self._clock())
                case AtPrompt():
                    return True
                case TimedOut(silent_for):
                    raise _Silent(silent_for)
                case Exited(exit_code):
                    if exit_code == 0 and (self._asked or self._profile.one_shot):
                        return False
                    raise self._exited(exit_code)
                case _:
                    assert_never(verdict)

    def _poll(self, seconds: float) -> Progress:
        self._progress = progress = self._program.wait(
            seconds, None if self._ctx.stop.is_set else self._ctx.stop
        )
        if self._answers:
            self._report.take(progress.text, progress.lines)
        else:
            self._report.note(progress.text)
            self._greeting.add(progress.text)
        return progress

    def _end_step(self, question: str = "", is_answer: bool = False) -> None:
        if not question and self._answers:  # the last line of an answer may lack its line break
            progress = self._progress
            unfinished = progress.before(self._program.rests_at) if self._at_prompt() else progress.partial
            self._report.take(unfinished, progress.lines)
        self._report.end_step(self._progress.lines, question, is_answer)

    def _at_prompt(self) -> bool:
        """Return whether the unfinished line is the program's own prompt, which is not part of its answer."""
        return self._watch.shows_prompt(self._progress)

    # --- asking ---

    def _ask(self, prompt: InputPrompt) -> None:
        """Ask a person the program's question, and type the reply."""
        if not self._answers:  # the question may refer to what the program wrote before
            self._report.show(self._greeting.take(), self._progress.lines)
        self._asked = self._answers = True
        self._end_step(prompt.prompt)
        answer = self._ctx.ask(
            Ask(
                id=f"a_{token_hex(12)}",
                kind="input",
                prompt=prompt.prompt,
                input_type=prompt.input_type,
                options=list(prompt.options),
                default=prompt.default,
                expires_at=datetime.now(UTC) + timedelta(seconds=self._ask_seconds),
            )
        )
        self._report.begin_step()
        reply = reply_to(prompt, answer, self._profile.on_expiry)
        match reply:
            case Type(value) if len(value) == 1 and prompt.options and self._progress.raw:
                self._press_choice(prompt, value)
            case Type(value, secret, erases):
                if erases:
                    self._program.press(ERASE_LINE)
                self._program.answer(value, secret)
            case Press(keys):
                self._program.press(keys)
                self._until_output()
            case Pick(option):
                self._pick(option)
            case Interrupt(fails):
                if fails:
                    raise DeskError(
                        "The program asked a question and received no answer in time.",
                        hint=f"It asked: {prompt.prompt.splitlines()[-1][:200]}",
                        code="no_answer",
                    )
                self._program.interrupt()
                self._until_output()
            case _:
                assert_never(reply)

    def _press_choice(self, prompt: InputPrompt, key: str) -> None:
        """Press a key, and Enter only if the question still stands: some programs take the key alone.

        There Enter would answer the next question, which nobody has seen.
        """
        self._program.press(key)
        changed = self._until_output()
        while changed and self._poll(SETTLED_SECONDS).changed:
            self._ctx.stop.check()
        question, line = tidy(prompt.prompt.splitlines()[-1]).strip(), tidy(self._progress.last_line).strip()
        if not changed or (line.startswith(question) and line.endswith(key)):
            self._program.answer("")

    def _until_output(self) -> bool:
        """Wait for output after keys without a line: until then the screen shows the old question. Return whether it came."""
        deadline = self._clock() + self._profile.stop_grace_seconds
        while (remaining_seconds := deadline - self._clock()) > 0:
            if self._poll(remaining_seconds).changed:
                return True
            self._ctx.stop.check()
        return False

    def _pick(self, option: str) -> None:
        """Move a menu's pointer, verify its place, and press Enter. Raises DeskError menu_lost, and presses no Enter then.

        Each key waits until the one before has moved the pointer: a slow program may take two keys at once for one.
        """
        detector = PromptDetector(self._profile.input_detection)
        deadline = self._clock() + MENU_SECONDS
        stood, presses = 0, 0
        while (remaining_seconds := deadline - self._clock()) > 0:
            progress = self._poll(min(remaining_seconds, POLL_SECONDS))
            self._ctx.stop.check()
            menu = detector.detect(
                progress.lines, progress.last_line, progress.cursor_at_end, by_keys=progress.raw
            )
            if menu is None or option not in menu.moves:
                continue
            distance = menu.moves[option]
            if distance == 0:
                if menu.unticked:
                    self._program.press(" ")
                    self._until_output()
                self._program.answer("")
                return
            # The limit ends a menu whose pointer never gets there: it skips the option, or wraps around.
            if distance != stood and presses < 2 * len(menu.moves):
                self._program.press(DOWN if distance > 0 else UP)
                stood, presses = distance, presses + 1
                deadline = self._clock() + MENU_SECONDS
        raise DeskError(
            f"The choice {option[:60]!r} could not be selected in the program's menu.",
            hint="Nothing was selected.",
            code="menu_lost",
        )

    # --- ends ---

    def _interrupt_until_idle(self) -> None:
        """Interrupt the program and wait until it is idle; end it if that takes longer than its grace period."""
        grace = self._profile.stop_grace_seconds
        deadline = self._clock() + grace
        if self._program.exit_code is not None:
            return
        changed = False
        with suppress(DeskError):  # the program ended, or does not read
            self._program.interrupt()
            while (remaining_seconds := deadline - self._clock()) > 0:
                progress = self._poll(min(remaining_seconds, 0.1))
                changed = changed or progress.changed
                if progress.exit_code is not None:
                    return
                # a prompt that was on the screen before the interrupt proves nothing
                if (changed or remaining_seconds < grace / 2) and self._watch.is_idle(
                    progress, min(1.0, grace / 4)
                ):
                    return
        self._program.close()
        self._poll(0)

    def _exited(self, code: int) -> DeskError:
        status = f"code {code}" if code >= 0 else f"signal {-code} ({_signal_name(-code)})"
        last = next((row for row in reversed(self._progress.lines) if row.strip()), "")
        return DeskError(
            f"The program ended with {status}.",
            hint=f"Its last line: {last.strip()[:200]}" if last else "It wrote nothing.",
            code="program_exited",
        )


class _Silent(DeskError):
    """The program printed nothing for too long."""

    code = "program_silent"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The program printed nothing for {seconds:.0f} seconds.",
            hint="It was interrupted. A longer max_silence_seconds in its profile gives it more time.",
        )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
