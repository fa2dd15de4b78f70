"""A person's own code as a run: one cell in the chat's variables, with the tools, limits and outputs of an agent's step.

No model is involved. The step is logged like an agent's, so every wire shows it the same way; the start of the run marks
it as code, so later runs remember it as the person's (memory.py).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from smolagents.memory import ActionStep, ToolCall
from smolagents.monitoring import Timing

from smoldesk.agents.wrapper.calls import ToolCalls
from smoldesk.agents.wrapper.code_agent import FINAL_ANSWER
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages
from smoldesk.agents.wrapper.observation import INTERPRETER, CodeFaulted, code_result
from smoldesk.agents.wrapper.run_executor import executor_for, image_remover, variables_of
from smoldesk.agents.wrapper.step_report import StepReport
from smoldesk.errors import DeskError
from smoldesk.events import StepStarted
from smoldesk.markdown.answer_forms import language_of
from smoldesk.sandbox.cell import CellFailed
from smoldesk.sandbox.children import Children
from smoldesk.tools.policy import DeskTool
from smoldesk.tools.run_context import RunContext


@dataclass(frozen=True)
class CodeRun:
    """Agent whose message is the code to run. `executor` is a name of sandbox/executors.py."""

    tools: Sequence[DeskTool]
    rooms: Sequence[str]
    children: Children
    executor: str

    def run(self, message: str, ctx: RunContext) -> str:
        """Run the code and return its value as text. Raises Stopped, or DeskError with the code of the error."""
        images = EmbeddedImages(ctx)
        calls = ToolCalls(ctx, {tool.name: tool for tool in self.tools}, ctx.gate, images)
        report = StepReport(ctx, calls, images, self.rooms)
        report.language = language_of(message)
        executor = executor_for(self.executor, self.children, ctx, calls, images)
        executor.value_is_answer = True
        ctx.emit(StepStarted(step=1))
        step = ActionStep(step_number=1, timing=Timing(start_time=time.time()), code_action=message)
        step.tool_calls = [ToolCall(name=INTERPRETER, arguments=message, id="call_1")]
        failed: CellFailed | None = None
        try:
            executor.send_variables(variables_of(ctx))
            executor.send_tools({tool.name: tool for tool in [*self.tools, FINAL_ANSWER]})
            done = executor(message)
            step.observations = code_result(done, image_remover(images)).observation
            step.is_final_answer = True
            step.action_output = done.output
        except CellFailed as fault:
            failed = fault
            step.observations = CodeFaulted(str(fault), str(executor.state["_print_outputs"])).observation
        finally:
            executor.cleanup()
            step.timing.end_time = time.time()
            report.add_cell(message, executor.last)
            calls.end_prints()
            # stopped: later runs see what it had printed
            if step.observations is None and executor.last is not None:
                printed = str(executor.state["_print_outputs"])
                step.observations = f"Execution logs:\n{printed}\nError: the code was stopped."
            if step.observations is not None:
                report.write(step)
        if failed is not None:
            raise DeskError(str(failed), code=failed.error.code) from failed
        ctx.stop.check()
        return report.answer or ""
