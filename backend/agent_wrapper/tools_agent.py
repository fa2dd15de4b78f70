"""smolagents' ToolCallingAgent with the calls of a step run by the desk: in order, on the run's thread, none lost.

`together` announces every call of a step before the first one runs; `one_by_one` announces each as it begins. A call
that fails or is denied is an observation like any other, so the results of its neighbours still reach the model. An
answer counts only when it stands alone: beside other calls it was written before their results were read.
"""

from collections.abc import Generator
from typing import Any, Literal, cast

from smolagents import ToolCallingAgent
from smolagents.agents import ToolOutput
from smolagents.memory import ActionStep, ToolCall
from smolagents.models import ChatMessage
from smolagents.utils import truncate_content

from backend.agent_wrapper.calls import ToolCalls, bound
from backend.agent_wrapper.code_agent import step_limit
from backend.agent_wrapper.prompts import PROMPTS, prompt_key, templates
from backend.agent_wrapper.quiet import QUIET
from backend.errors import Stopped

CallOrder = Literal["together", "one_by_one"]

NOT_ALONE = "Error: the answer was not taken. Read the results of the other calls first, then call final_answer alone."


class DeskToolsAgent(ToolCallingAgent):
    """Built for one run."""

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
        key = prompt_key("tools", self._by_name, self.instructions)
        return PROMPTS.get(key) or PROMPTS.put(key, super().initialize_system_prompt())

    def _handle_max_steps_reached(self, task: str) -> Any:
        raise step_limit(self.max_steps)

    def process_tool_calls(
        self, chat_message: ChatMessage, memory_step: ActionStep
    ) -> Generator[ToolCall | ToolOutput, None, None]:
        """Run the calls of one step; see the module's text."""
        calls = [
            ToolCall(name=call.function.name, arguments=call.function.arguments, id=call.id)
            for call in chat_message.tool_calls or []
        ]
        yield from calls
        memory_step.tool_calls = calls
        together = self._order == "together"
        # by place, since a provider's own ids may be missing or the same
        announced = [self._announce(call) if together else None for call in calls]
        observations: list[str] = []
        for call, call_id in zip(calls, announced, strict=True):
            if call.name == "final_answer":
                output = self._answer(call, alone=len(calls) == 1)
            else:
                output = self._run_one(call, call_id or self._announce(call))
            if output.is_final_answer:
                memory_step.action_output = output.output
            observations.append(truncate_content(output.observation))
            memory_step.observations = "\n".join(observations)
            yield output

    def _announce(self, call: ToolCall) -> str:
        """The desk's id of the call; empty for the final answer, which is no call of a tool."""
        return "" if call.name == "final_answer" else self._calls.announce(call.name, arguments_of(call))

    def _answer(self, call: ToolCall, alone: bool) -> ToolOutput:
        answer = arguments_of(call).get("answer")
        said = str(answer) if alone else f"final_answer: {NOT_ALONE}"
        return ToolOutput(id=call.id, output=answer, is_final_answer=alone, observation=said, tool_call=call)

    def _run_one(self, call: ToolCall, call_id: str) -> ToolOutput:
        try:
            tool = self._by_name.get(call.name)
            if tool is None:
                raise NameError(f"There is no tool {call.name!r}; there are {', '.join(self._by_name)}.")
            result: Any = self._calls.run(tool, call_id, bound(tool, [], arguments_of(call)))
        except Stopped:
            raise
        except Exception as fault:  # whatever a tool raised is what the model observes
            self._calls.fail(call.name, call_id, fault)
            result = f"Error: {type(fault).__name__}: {fault}"
        return ToolOutput(
            id=call.id,
            output=result,
            is_final_answer=False,
            observation=f"{call.name}: {self._calls.words(result)}",
            tool_call=call,
        )


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """A call's arguments by name. Some servers write "" for none; bare text can only be meant as an answer."""
    if not call.arguments:
        return {}
    if isinstance(call.arguments, dict):
        return cast("dict[str, Any]", call.arguments)
    return {"answer": call.arguments}
