"""TerminalAgent: a command-line program behind `Agent.run(message, ctx)`."""

from smoldesk.agents.terminal.pool import Programs
from smoldesk.agents.terminal.report import Report
from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.agents.terminal.turn import Turn
from smoldesk.errors import DeskError
from smoldesk.events import StepFinished
from smoldesk.tools.run_context import RunContext

ASK_SECONDS = 300.0


class TerminalAgent:
    """Answers messages with a program of the chat's own, which lives on between them."""

    def __init__(
        self, name: str, profile: Profile, programs: Programs, ask_seconds: float = ASK_SECONDS
    ) -> None:
        """`name` is the agent's, `ask_seconds` how long a person has to answer what the program asks."""
        self._name = name
        self._profile = profile
        self._programs = programs
        self._ask_seconds = ask_seconds

    def run(self, message: str, ctx: RunContext) -> str:
        """Type a message and stay until the program is done with it; the text it wrote.

        Raises Stopped, and DeskError: what `Programs.take` and `Program.send` raise, program_exited, program_silent,
        no_answer, menu_lost. Text that looks like an error fails nothing.
        """
        program = self._programs.take(ctx.chat_id, self._name, self._profile, ctx.folder)
        is_idle = False
        try:
            report = Report(ctx, self._name)
            if program.fresh and self._spoke_before(ctx):
                report.emit_restart_notice()
            Turn(program, ctx, report, self._ask_seconds).play(message)
            is_idle = True
            return report.answer
        except DeskError:
            is_idle = True  # the turn saw to that
            raise
        finally:
            if not is_idle:
                program.close()  # in the middle of something: its words would be the next run's
            self._programs.give_back(program)

    def _spoke_before(self, ctx: RunContext) -> bool:
        steps = (stored.event for stored in ctx.history())
        return any(
            isinstance(step, StepFinished) and step.memory.get("agent") == self._name for step in steps
        )
