"""Steps of smolagents' agents that read replies by the desk's rules (models/reply_rules) instead of smolagents' parser.

`CodeSteps` and `ToolSteps` are mixins before CodeAgent and ToolCallingAgent, or before a subclass of either:

    class DeskStepped(CodeSteps, PersonsAgent): ...

They need nothing of the constructor: the tags are the agent's `code_block_tags`, and `has_data` may be set on an instance. A
step may call the model several times; nothing has run before its last call.
"""

from abc import ABC
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any, cast

from smolagents.agents import ActionOutput, ToolOutput
from smolagents.local_python_executor import fix_final_answer_code
from smolagents.memory import ActionStep, TaskStep, ToolCall
from smolagents.models import (
    CODEAGENT_RESPONSE_FORMAT,
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
)
from smolagents.monitoring import TokenUsage
from smolagents.utils import (
    AgentExecutionError,
    AgentGenerationError,
    AgentToolExecutionError,
    truncate_content,
)

from smoldesk.models.reasoning import CompleteReply
from smoldesk.models.reply_rules import (
    CallsToRun,
    CodeToRun,
    Decision,
    FailRun,
    FurtherCall,
    ModelReply,
    ProseAnswer,
    Situation,
    decide,
)
from smoldesk.output_parser.structured_text import to_structured
from smoldesk.output_parser.text_calls import INTERPRETERS, WrittenCall, arguments_of_json

STOP = ["Observation:", "Calling tools:"]
# Characters of a reply that the model is shown when it is asked again.
QUOTED = 4_000


class _Steps(ABC):  # noqa: B024
    """Part of both mixins: asks the model until there is a decision.

    An ABC as smolagents' agents are: CPython assigns `__class__` only between classes whose layouts share a base.
    """

    has_data: Callable[[], bool] = staticmethod(lambda: False)
    """Whether the chat has data to look at, so that prose alone is not yet an answer."""

    def _decide_reply(
        self, step: ActionStep, situation: Situation, stop: list[str], **options: Any
    ) -> tuple[Decision, CompleteReply]:
        """Call the model, again where a rule asks. Raises AgentGenerationError, and the ModelFault of a rule."""
        agent = cast("Any", self)
        messages = agent.write_memory_to_messages()
        step.model_input_messages = messages.copy()
        asked: list[str] = []
        while True:
            message = self._generate_reply(step, messages, stop, options)
            decision = decide(reply_of(message), replace(situation, asked=asked))
            if isinstance(decision, FailRun):
                raise decision.fault
            if not isinstance(decision, FurtherCall):
                return decision, message
            asked.append(decision.rule)
            messages = [*messages, _quoted(message), _text(MessageRole.USER, decision.note)]

    def _generate_reply(
        self, step: ActionStep, messages: list[ChatMessage], stop: list[str], options: dict[str, Any]
    ) -> CompleteReply:
        agent = cast("Any", self)
        try:
            message = agent.model.generate(messages, stop_sequences=stop, **options)
            text = message.content if isinstance(message.content, str) else ""
        except Exception as fault:
            raise AgentGenerationError(f"Error while generating output:\n{fault}", agent.logger) from fault
        step.model_output_message = message
        step.model_output = text
        step.token_usage = _sum(step.token_usage, message.token_usage)
        return message

    def _acted(self) -> bool:
        """Return whether a step of this run has run code or calls."""
        for step in reversed(cast("Any", self).memory.steps):
            if isinstance(step, TaskStep):
                return False
            if isinstance(step, ActionStep) and step.tool_calls:
                return True
        return False

    def _prose_answer(self, step: ActionStep, answer: str) -> ActionOutput:
        step.model_output = step.action_output = answer
        return ActionOutput(output=answer, is_final_answer=True)


class CodeSteps(_Steps):
    """Mixin for a CodeAgent."""

    def _step_stream(self, memory_step: ActionStep) -> Generator[Any]:
        agent = cast("Any", self)
        structured = bool(agent._use_structured_outputs_internally)
        tags = ("<code>", "</code>") if structured else agent.code_block_tags
        names = {*agent.tools, *getattr(agent, "managed_agents", {}), *INTERPRETERS}
        situation = Situation(
            form="structured" if structured else "code",
            tools=names,
            tags=tags,
            has_data=self.has_data,
            acted=self._acted(),
        )
        stop = [*STOP, tags[1]] if tags[1] not in tags[0] else [*STOP]
        options = {"response_format": CODEAGENT_RESPONSE_FORMAT} if structured else {}
        decision, message = self._decide_reply(memory_step, situation, stop, **options)
        if isinstance(decision, ProseAnswer):
            yield self._prose_answer(memory_step, decision.text)
            return
        assert isinstance(decision, CodeToRun)
        code = fix_final_answer_code(decision.code)
        # models go on in the form that they see, so the memory has the code in the form that was asked for
        if not structured:
            memory_step.model_output = (
                f"{decision.prose.rstrip()}\n{tags[0]}\n{decision.code}\n{tags[1]}".lstrip()
            )
        elif message.tool_calls:
            memory_step.model_output = to_structured(decision.prose, decision.code)
        message.content, message.tool_calls = memory_step.model_output, None
        memory_step.code_action = code
        yield from self._run_code(memory_step, code, decision.note)

    def _run_code(self, step: ActionStep, code: str, note: str) -> Generator[Any]:
        agent = cast("Any", self)
        call = ToolCall(name="python_interpreter", arguments=code, id=f"call_{len(agent.memory.steps)}")
        yield call
        step.tool_calls = [call]
        try:
            result = agent.python_executor(code)
        except Exception as fault:
            printed = str(getattr(agent.python_executor, "state", {}).get("_print_outputs", ""))
            step.observations = (
                "\n".join(part for part in (printed and f"Execution logs:\n{printed}", note) if part) or None
            )
            raise AgentExecutionError(str(fault), agent.logger) from fault
        value = truncate_content(str(result.output))
        step.observations = f"Execution logs:\n{result.logs}Last output from code snippet:\n{value}" + (
            f"\n{note}" if note else ""
        )
        step.action_output = result.output
        yield ActionOutput(output=result.output, is_final_answer=result.is_final_answer)


class ToolSteps(_Steps):
    """Mixin for a ToolCallingAgent."""

    def _step_stream(self, memory_step: ActionStep) -> Generator[Any]:
        agent = cast("Any", self)
        tools = agent.tools_and_managed_agents
        situation = Situation(
            form="tools",
            tools={tool.name for tool in tools},
            has_data=self.has_data,
            acted=self._acted(),
        )
        decision, message = self._decide_reply(memory_step, situation, [*STOP], tools_to_call_from=tools)
        if isinstance(decision, ProseAnswer):
            yield self._prose_answer(memory_step, decision.text)
            return
        assert isinstance(decision, CallsToRun)
        memory_step.model_output = decision.prose
        message.content, message.tool_calls = decision.prose, _as_chat_calls(decision.calls, message)
        answers: list[Any] = []
        for output in agent.process_tool_calls(message, memory_step):
            yield output
            if isinstance(output, ToolOutput) and output.is_final_answer:
                answers.append(output.output)
        if answers and len(message.tool_calls) > 1:
            raise AgentToolExecutionError(
                "An answer counts only alone: call final_answer without other calls.", agent.logger
            )
        answer = answers[0] if answers else None
        if isinstance(answer, str) and answer in agent.state:
            answer = agent.state[answer]
        yield ActionOutput(output=answer, is_final_answer=bool(answers))


def reply_of(message: ChatMessage) -> ModelReply:
    """Return a complete reply as the rules read it. A model without a stream reports no reason of its end."""
    calls, broken = list[WrittenCall](), False
    for call in message.tool_calls or []:
        try:
            calls.append(WrittenCall(str(call.function.name), arguments_of_json(call.function.arguments)))
        except (ValueError, RecursionError):
            broken = True
    text = message.content if isinstance(message.content, str) else ""
    if not isinstance(message, CompleteReply):
        return ModelReply(text, tuple(calls), broken_call=broken)
    return ModelReply(text, tuple(calls), message.finish_reason, message.refusal, message.reasoned, broken)


def _as_chat_calls(calls: Any, message: ChatMessage) -> list[ChatMessageToolCall]:
    """Return the calls as smolagents' own, with the ids of native ones."""
    ids = [call.id for call in message.tool_calls or []]
    names = ids if len(ids) == len(calls) else [f"call_{number}" for number in range(len(calls))]
    return [
        ChatMessageToolCall(
            ChatMessageToolCallFunction(arguments=call.arguments, name=call.name), id=name, type="function"
        )
        for call, name in zip(calls, names, strict=True)
    ]


def _quoted(message: ChatMessage) -> ChatMessage:
    """Return a reply as the model is shown it again, its middle left out when it is long."""
    text = (message.content if isinstance(message.content, str) else "").strip()
    text = text or ("(tool calls)" if message.tool_calls else "(no text)")
    return _text(MessageRole.ASSISTANT, truncate_content(text, QUOTED))


def _text(role: MessageRole, text: str) -> ChatMessage:
    return ChatMessage(role=role, content=[{"type": "text", "text": text}])


def _sum(usage: TokenUsage | None, more: TokenUsage | None) -> TokenUsage | None:
    if usage is None or more is None:
        return more or usage
    return TokenUsage(usage.input_tokens + more.input_tokens, usage.output_tokens + more.output_tokens)
