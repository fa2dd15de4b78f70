"""Built-in analyst as a smolagents Model: offline, without neural network or API key.

It reads the requests in the messages, ignores their instructions, and answers in one step: code for a CodeAgent, tool calls
for a ToolCallingAgent. All its knowledge comes from the catalogue.
"""

import json
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from pydantic import JsonValue
from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    ChatMessageToolCallStreamDelta,
    MessageRole,
    Model,
)
from smolagents.monitoring import TokenUsage

from smoldesk.analyst import talk
from smoldesk.analyst.building.intents import BuildingQuestion, MapUpdate, ToolCall
from smoldesk.analyst.building.map_code import describe_map, map_calls
from smoldesk.analyst.building.question_code import answer_of, in_language, left_out_note
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.chips import alternatives_of, reading_of
from smoldesk.analyst.code import plan_of, write
from smoldesk.analyst.errands.code import describe_outcomes, without_tools
from smoldesk.analyst.errands.tokens import Errands
from smoldesk.analyst.language import render
from smoldesk.analyst.outcome import Outcome, Talk
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.replies import help_text, refusal_text, suggestions, text_cell

# First line of an exception of the code; errors of the desk, such as a limit of time, are sentences.
_EXCEPTION = re.compile(
    r"^(?:Code failed at line|(?!OSError|TimeoutError)\w+(?:Error|Exception): )", re.MULTILINE
)
_PIECE = re.compile(r"\s*\S+|\s+")


class BuiltinModel(Model):
    """Model that answers requests about the tables and the building of one catalogue."""

    # The token usage is estimated by length, for clients that expect one; traces of its calls leave it out.
    counts_tokens = False

    def __init__(
        self,
        catalogue: Catalogue,
        with_named: Callable[[Catalogue, Sequence[str]], Catalogue] = lambda catalogue, _: catalogue,
    ) -> None:
        """`with_named` adds the tables of databases that a conversation's requests name."""
        super().__init__(model_id="builtin")
        self.catalogue = catalogue
        self._with_named = with_named
        # Interpretation of the last request, shaped like messages.ReadingContent; None without a query of a table.
        self.reading: dict[str, JsonValue] | None = None
        # Interpretations whose answers the last code computes, shaped like messages.AlternativesContent.
        self.alternatives: dict[str, JsonValue] | None = None
        # Questions in the last reply that can be asked: things to try.
        self.suggestions: list[str] = []

    def generate(
        self,
        messages: list[ChatMessage],
        stop_sequences: list[str] | None = None,
        response_format: dict[str, str] | None = None,
        tools_to_call_from: list[Any] | None = None,
        **kwargs: Any,
    ) -> ChatMessage:
        """Return one reply: prose and a `<code>` block, or tool calls if `tools_to_call_from` is set."""
        catalogue = replace(self.catalogue, tools=talk.tools_in(messages, tools_to_call_from))
        turns, since = talk.talk_of(messages, catalogue.rooms)
        if "sql_engine" in catalogue.tools:
            catalogue = self._with_named(catalogue, [turn.text for turn in turns])
        outcome = read_talk(turns, catalogue)
        self.reading, self.alternatives = reading_of(outcome), alternatives_of(outcome, catalogue)
        self.suggestions = suggestions(outcome.intent, catalogue, outcome.language)
        prompt_tokens = _tokens("".join(map(talk.text_of, messages)))
        if tools_to_call_from:
            calls = self._calls(outcome, since, catalogue)
            computes = any(call.function.name == talk.INTERPRETER for call in calls)
            thought = plan_of(outcome) if computes else ""
            usage = TokenUsage(prompt_tokens, _tokens(str(calls)))
            return ChatMessage(MessageRole.ASSISTANT, content=thought, tool_calls=calls, token_usage=usage)
        after = self._after(outcome, since, catalogue)
        thought, code = after or (plan_of(outcome), write(outcome, catalogue))
        if response_format is not None:
            text = json.dumps({"thought": thought, "code": code}, ensure_ascii=False)
        else:
            text = f"{thought}\n<code>\n{code}\n</code>"
        usage = TokenUsage(prompt_tokens, _tokens(text))
        return ChatMessage(MessageRole.ASSISTANT, content=text, token_usage=usage)

    def generate_stream(
        self, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> Generator[ChatMessageStreamDelta]:
        """Yield the reply word by word; the last delta has the token usage."""
        reply = self.generate(messages, *args, **kwargs)
        for piece in _PIECE.findall(str(reply.content or "")):
            yield ChatMessageStreamDelta(content=piece)
        calls: list[ChatMessageToolCallStreamDelta] = []
        for index, call in enumerate(reply.tool_calls or []):
            arguments = json.dumps(call.function.arguments, ensure_ascii=False)
            function = ChatMessageToolCallFunction(name=call.function.name, arguments=arguments)
            calls.append(ChatMessageToolCallStreamDelta(index, call.id, "function", function))
        yield ChatMessageStreamDelta(content="", tool_calls=calls or None, token_usage=reply.token_usage)

    def _after(self, outcome: Outcome, since: talk.Messages, catalogue: Catalogue) -> tuple[str, str] | None:
        """Return the reply after this task's code has run: its error, without a second attempt."""
        if not since or (talk.has_chosen(since) and not talk.error_in(since)):
            return None
        language = outcome.language
        if error := talk.error_in(since):
            text = refusal_text(_failed(error), catalogue, language)
            if isinstance(outcome.intent, Errands):
                text += render("stays_done", language)
            thought = render("my_code_failed", language)
        else:
            text, thought = render("output_above", language), render("no_own_answer", language)
        return thought, text_cell(text).source()

    def _calls(
        self, outcome: Outcome, since: talk.Messages, catalogue: Catalogue
    ) -> list[ChatMessageToolCall]:
        intent, language = outcome.intent, outcome.language
        observations, error = talk.observed(since), talk.error_in(since)
        if isinstance(intent, Errands) and since and (observations or not error):
            return [_final(describe_outcomes(intent, observations, language))]  # a payment must not run twice
        if isinstance(intent, BuildingQuestion) and observations:
            _, _, last = f"\n{observations}".rpartition(f"\n{intent.tool}: ")
            return [_final(answer_of(last or observations) + left_out_note(intent, language))]
        if error:
            return [_final(refusal_text(_failed(error), catalogue, language))]
        if isinstance(intent, Errands):
            if refusal := without_tools(intent, catalogue.tools):
                return [_final(refusal_text(refusal, catalogue, language))]
            return [_tool_call(call) for call in intent.errands]
        if isinstance(intent, MapUpdate) and not intent.random_points:
            calls = map_calls(intent)
            if since:
                return [_final(describe_map(intent, catalogue, language))]
            if all(call.tool in catalogue.tools for call in calls):
                return [_tool_call(call) for call in calls]
        if isinstance(intent, BuildingQuestion):
            return [_tool_call(in_language(call, language)) for call in (*intent.first, intent)]
        if isinstance(intent, Refusal):
            if intent.is_of_plan and "clear_map" in catalogue.tools and not since:
                return [_tool_call(ToolCall("clear_map"))]
            return [_final(refusal_text(intent, catalogue, language))]
        if isinstance(intent, Talk) and intent.what != "tables":
            return [_final(help_text(intent.what == "greeting", catalogue, language))]
        if talk.INTERPRETER in catalogue.tools:
            if since and not talk.has_chosen(since):
                return [_final(talk.answer_observed(talk.text_of(since[-1]), language))]
            return [_tool_call(ToolCall(talk.INTERPRETER, (("code", write(outcome, catalogue)),)))]
        return [_final(render("needs_code", language))]


def _tool_call(call: ToolCall) -> ChatMessageToolCall:
    function = ChatMessageToolCallFunction(name=call.tool, arguments=dict(call.arguments))
    return ChatMessageToolCall(function=function, id=f"call_{uuid4().hex[:12]}", type="function")


def _failed(error: str) -> Refusal:
    """Return the refusal for an error: its text, or that of an exception of the code without Python in it."""
    return Refusal("failed_code") if _EXCEPTION.search(error) else Refusal("failed", (error,))


def _final(text: str) -> ChatMessageToolCall:
    return _tool_call(ToolCall("final_answer", (("answer", text),)))


def _tokens(text: str) -> int:
    """Estimate the tokens of a text: four characters each, as there is no tokenizer."""
    return max(1, len(text) // 4)
