"""smolagents' ToolCallingAgent with the desk's execution of a step's calls: in order, on the run's thread, none lost.

`together` announces every call of a step and opens all its asks before the first one runs; `one_by_one` announces each call
as it starts. A failed or denied call is an observation like any other, so the results of other calls still reach the
model. An answer counts only as the step's single call: next to other calls it was written before their results were read.
This holds for `final_answer` as a call and inside the code of `python_interpreter`.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Any, Literal, cast

from smolagents import ToolCallingAgent
from smolagents.agents import ToolOutput
from smolagents.memory import ActionStep, ToolCall
from smolagents.models import ChatMessage
from smolagents.utils import truncate_content

from smoldesk.agents.wrapper.calls import (
    Outcome,
    ToolCalls,
    bind_arguments,
    format_error,
)
from smoldesk.agents.wrapper.code_agent import QUIET, step_limit, system_prompt
from smoldesk.agents.wrapper.observation import INTERPRETER, CodeFaulted, CodeRan, without_long_commands
from smoldesk.agents.wrapper.prompt import templates
from smoldesk.agents.wrapper.reply_step import ToolSteps
from smoldesk.errors import Stopped
from smoldesk.tools.gate import PendingCall

CallOrder = Literal["together", "one_by_one"]

NOT_ALONE = "Error: the answer was not taken. Read the results of the other calls first, then call final_answer alone."


class DeskToolsAgent(ToolSteps, ToolCallingAgent):
    """ToolCallingAgent of one run."""

    steps_setting = ""

    def __init__(
        self,
        tools: list[Any],
        model: Any,
        max_steps: int,
        step_callbacks: Any,
        calls: ToolCalls,
        order: CallOrder = "together",
    ) -> None:
        super().__init__(
            tools=tools,
            model=model,
            max_steps=max_steps,
            step_callbacks=step_callbacks,
            prompt_templates=templates("tools"),
            logger=QUIET,
        )
        self._calls = calls
        self._order: CallOrder = order

    @property
    def _by_name(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.tools)

    def initialize_system_prompt(self) -> str:
        return system_prompt("tools", self._by_name)

    def _handle_max_steps_reached(self, task: str) -> Any:
        raise step_limit(self.max_steps, self.steps_setting)

    def process_tool_calls(
        self, chat_message: ChatMessage, memory_step: ActionStep
    ) -> Generator[ToolCall | ToolOutput, None, None]:
        """Run the calls of one step; see the module's docstring."""
        calls = [
            ToolCall(name=call.function.name, arguments=call.function.arguments, id=call.id)
            for call in chat_message.tool_calls or []
        ]
        yield from calls
        memory_step.tool_calls = calls
        outputs = self._together(calls) if self._order == "together" else map(self._alone(calls), calls)
        observations: list[str] = []
        try:
            for output in outputs:
                if output.is_final_answer:
                    memory_step.action_output = output.output
                observations.append(str(output.observation))
                memory_step.observations = "\n".join(observations)
                yield output
        except Stopped as stop:  # later runs of the chat see which calls had ended
            memory_step.observations = "\n".join([*observations, f"Error: the step was cut off: {stop}"])
            raise

    def _together(self, calls: list[ToolCall]) -> Iterator[ToolOutput]:
        """Announce all calls, open all asks, run each call as its ask closes; yield outputs in the order of the calls."""
        # the desk's own ids: a provider's may be missing or repeated
        places = [self._announce(call) for call in calls]
        alone = len(calls) == 1
        outputs: dict[str, ToolOutput] = {}
        pending: list[PendingCall] = []
        for call, call_id in zip(calls, places, strict=True):
            if call.name != "final_answer":
                prepared = self._pending(call, call_id)
                if isinstance(prepared, PendingCall):
                    pending.append(prepared)
                else:
                    outputs[call_id] = self._output(call, prepared, alone)
        by_id = dict(zip(places, calls, strict=True))
        for outcome in self._calls.run(pending):
            outputs[outcome.call_id] = self._output(by_id[outcome.call_id], outcome, alone)
        for call, call_id in zip(calls, places, strict=True):
            yield outputs[call_id] if call_id in outputs else self._answer(call, alone)

    def _alone(self, calls: list[ToolCall]) -> Callable[[ToolCall], ToolOutput]:
        """Return the function that announces, gates and runs one call after the other."""

        alone = len(calls) == 1

        def run(call: ToolCall) -> ToolOutput:
            if call.name == "final_answer":
                return self._answer(call, alone)
            prepared = self._pending(call, self._announce(call))
            outcome = next(self._calls.run([prepared])) if isinstance(prepared, PendingCall) else prepared
            return self._output(call, outcome, alone)

        return run

    def _announce(self, call: ToolCall) -> str:
        """Announce a call and return its id; "" for the final answer, which is not a call of a tool."""
        return "" if call.name == "final_answer" else self._calls.announce(call.name, arguments_of(call))

    def _answer(self, call: ToolCall, alone: bool) -> ToolOutput:
        answer = arguments_of(call).get("answer")
        observation = truncate_content(str(answer)) if alone else f"final_answer: {NOT_ALONE}"
        return ToolOutput(
            id=call.id, output=answer, is_final_answer=alone, observation=observation, tool_call=call
        )

    def _pending(self, call: ToolCall, call_id: str) -> PendingCall | Outcome:
        """Bind a call's arguments; return its outcome instead when the call is invalid."""
        try:
            tool = self._by_name.get(call.name)
            if tool is None:
                raise NameError(f"There is no tool {call.name!r}; available: {', '.join(self._by_name)}.")
            return PendingCall(call_id, tool, bind_arguments(tool, [], arguments_of(call)))
        except (NameError, TypeError) as fault:
            self._calls.fail(call.name, call_id, fault)
            return Outcome(call_id, fault=fault)

    def _output(self, call: ToolCall, outcome: Outcome, alone: bool) -> ToolOutput:
        """Return the model's observation of an ended call. An answer inside of code counts when the call is alone."""
        result, fault = outcome.result, outcome.fault
        answered = isinstance(result, CodeRan) and result.is_final_answer
        if isinstance(fault, CodeFaulted):
            observation = self._calls.as_text(fault.observation)
        elif fault is not None:
            observation = truncate_content(self._calls.as_text(f"Error: {format_error(fault)}"))
        else:
            result_text = without_long_commands(self._calls.as_text(result))
            observation = result_text if isinstance(result, CodeRan) else truncate_content(result_text)
        if answered and not alone:
            observation = f"{observation}\n{NOT_ALONE}"
        return ToolOutput(
            id=call.id,
            output=result.output if isinstance(result, CodeRan) else result,
            is_final_answer=answered and alone,
            observation=f"{call.name}: {observation}",
            tool_call=call,
        )


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """Return a call's arguments by name. Some servers send "" for none; bare text can only be code or an answer."""
    if not call.arguments:
        return {}
    if isinstance(call.arguments, dict):
        return cast("dict[str, Any]", call.arguments)
    return {"code" if call.name == INTERPRETER else "answer": call.arguments}
