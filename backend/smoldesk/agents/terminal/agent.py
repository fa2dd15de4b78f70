"""TerminalAgent: a command-line program behind `Agent.run(message, ctx)`."""

from smoldesk.agents.terminal.pool import Programs
from smoldesk.agents.terminal.report import Report
from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.agents.terminal.turn import Turn
from smoldesk.errors import DeskError
from smoldesk.events import StepFinished
from smoldesk.tools.run_context import RunContext

# A person's time to answer a question of the program.
ASK_SECONDS = 300.0


class TerminalAgent:
    """Agent that answers with a program of the chat's own, which stays alive between messages."""

    def __init__(
        self, name: str, profile: Profile, programs: Programs, ask_seconds: float = ASK_SECONDS
    ) -> None:
        """Set up the agent `name`; a person has `ask_seconds` to answer a question of the program."""
        self._name = name
        self._profile = profile
        self._programs = programs
        self._ask_seconds = ask_seconds

    def run(self, message: str, ctx: RunContext) -> str:
        """Type a message and wait until the program is done with it; return the text it wrote.

        Raises Stopped, and DeskError: those of `Programs.take` and `Program.send`, program_exited, program_silent, no_answer,
        menu_lost. Output that looks like an error is not a failure.
        """
        program = self._programs.take(ctx.chat_id, self._name, self._profile, ctx.folder)
        is_idle = False
        try:
            report = Report(ctx, self._name)
            if program.fresh and self._spoke_before(ctx):
                report.emit_restart_notice()
            Turn(program, ctx, report, self._ask_seconds).play(self._profile.typed(message, ctx.attachments))
            is_idle = True
            return report.answer
        except DeskError:
            is_idle = True  # Turn.play interrupts the program and waits until it is idle
            raise
        finally:
            if not is_idle:
                program.close()  # it may still be writing, and the next run would read that as its answer
            self._programs.release(program)

    def _spoke_before(self, ctx: RunContext) -> bool:
        steps = (stored.event for stored in ctx.history())
        return any(
            isinstance(step, StepFinished) and step.memory.get("agent") == self._name for step in steps
        )
