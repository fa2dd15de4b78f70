"""The built-in analyst as a smolagents Model: offline, no neural net, no key.

It reads the requests in the messages, never their instructions, and answers in one step: code for a
CodeAgent, tool calls for a ToolCallingAgent. Everything it knows comes from the catalogue it was given.
"""

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

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

from smoldesk.analyst.building.selected_rooms import selected_in
from smoldesk.analyst.building.write_map import ToolCall, describe_map, map_calls
from smoldesk.analyst.building.write_ways import answer_of, way_call
from smoldesk.analyst.by_interpreter import (
    INTERPRETER,
    answer_observed,
    error_observed,
    interpreter_call,
)
from smoldesk.analyst.errands.errand_words import no_tool
from smoldesk.analyst.errands.write_errands import errand_calls, missing_tools, tell_outcomes
from smoldesk.analyst.intents import (
    Errands,
    Help,
    Language,
    MapIntent,
    Reading,
    Refusal,
    Ways,
)
from smoldesk.analyst.phrases import help_text, refusal_text
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.figures import say
from smoldesk.analyst.tables.known_lexicons import lexicon_of
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.write import Reply, say_only, write

_TASK = "New task:\n"
_OBSERVATION = "Observation:\n"
_NOTES = re.compile(r"(\n\n|\n)\(Note: .*\)\Z", re.DOTALL)
"""What the desk adds to a request for models: not words of the person."""
_ERROR = re.compile(r"^Error:\n(.*?)(?:\nNow let's retry|\Z)", re.DOTALL | re.MULTILINE)
_TOOL_ERROR = re.compile(r"^(?:Observation:\s*)?(?:[a-z_]+: )?Error: (.+)", re.MULTILINE)
"""What the map tools answer when something is wrong; to a model that calls tools it comes as an observation."""
_TOOL_IN_PROMPT = re.compile(r"^ *def ([a-z_]+)\(", re.MULTILINE)
_LONGEST_ERROR = 400
_PIECE = re.compile(r"\s*\S+|\s+")


class BuiltinModel(Model):
    """Answers requests about the tables and the building of one catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        super().__init__(model_id="builtin")
        self.catalogue = catalogue
        self._lexicon: Lexicon | None = None

    @property
    def lexicon(self) -> Lexicon:
        """All terms of the catalogue; built when first needed."""
        if self._lexicon is None:
            self._lexicon = lexicon_of(self.catalogue)
        return self._lexicon

    def generate(
        self,
        messages: list[ChatMessage],
        stop_sequences: list[str] | None = None,
        response_format: dict[str, str] | None = None,
        tools_to_call_from: list[Any] | None = None,
        **kwargs: Any,
    ) -> ChatMessage:
        """One reply: prose and a `<code>` block, or tool calls when `tools_to_call_from` is given."""
        tasks, since = _talk(messages)
        catalogue = replace(self.catalogue, tools=_tools(messages, tools_to_call_from))
        selections = [selected_in(task, catalogue.rooms) for task in tasks]
        requests = [_NOTES.sub("", task) for task in tasks]
        reading = read_talk(requests, self.lexicon, selections, catalogue.tools)
        usage = TokenUsage(_tokens("".join(map(_text, messages))), 0)
        if tools_to_call_from:
            calls = self._calls(reading, since, catalogue)
            usage.output_tokens = _tokens(str(calls))
            runs_code = any(call.function.name == INTERPRETER for call in calls)
            thought = write(reading, catalogue).thought if runs_code else ""
            return ChatMessage(MessageRole.ASSISTANT, content=thought, tool_calls=calls, token_usage=usage)
        reply = self._after(reading, since) or write(reading, catalogue)
        text = _as_text(reply, structured=response_format is not None)
        return ChatMessage(
            MessageRole.ASSISTANT, content=text, token_usage=TokenUsage(usage.input_tokens, _tokens(text))
        )

    def generate_stream(
        self,
        messages: list[ChatMessage],
        stop_sequences: list[str] | None = None,
        response_format: dict[str, str] | None = None,
        tools_to_call_from: list[Any] | None = None,
        **kwargs: Any,
    ) -> Generator[ChatMessageStreamDelta]:
        """The same reply a word at a time; the tokens used come once, with the last piece."""
        reply = self.generate(messages, stop_sequences, response_format, tools_to_call_from, **kwargs)
        for piece in _PIECE.findall(str(reply.content or "")):
            yield ChatMessageStreamDelta(content=piece)
        calls = [
            ChatMessageToolCallStreamDelta(
                index=index,
                id=call.id,
                type="function",
                function=ChatMessageToolCallFunction(
                    name=call.function.name, arguments=json.dumps(call.function.arguments, ensure_ascii=False)
                ),
            )
            for index, call in enumerate(reply.tool_calls or [])
        ]
        yield ChatMessageStreamDelta(content="", tool_calls=calls or None, token_usage=reply.token_usage)

    def _after(self, reading: Reading, since: Sequence[ChatMessage]) -> Reply | None:
        """What to say when this task's code has already run: its error, honestly, and no second try."""
        if not since:
            return None
        language = reading.language
        if error := _error(since):
            text = refusal_text(Refusal("failed", (error,)), self.catalogue, language)
            if isinstance(reading.intent, Errands):
                text += say(
                    language,
                    " What was done before the failure stays done; I do not try again.",
                    " 失敗の前に行われたことは取り消されません。再試行はしません。",
                )
            thought = say(
                language,
                "My code failed, so I say what happened.",
                "コードが失敗したため、その内容を伝えます。",
            )
        else:
            text = say(
                language,
                "The code ran, and its output is shown above.",
                "コードを実行しました。出力は上に表示されています。",
            )
            thought = say(
                language, "The code ran without an answer of its own.", "コードは答えを返さずに終わりました。"
            )
        return Reply(thought, say_only(text).source())

    def _calls(
        self, reading: Reading, since: Sequence[ChatMessage], catalogue: Catalogue
    ) -> list[ChatMessageToolCall]:
        intent, language = reading.intent, reading.language
        if isinstance(intent, Errands):
            return self._errand_calls(intent, since, catalogue, language)
        if error := _error(since):
            return [_final(refusal_text(Refusal("failed", (error,)), self.catalogue, language))]
        if isinstance(intent, MapIntent) and not intent.random_points:
            calls = map_calls(intent)
            if since:
                return [_final(describe_map(intent, self.catalogue, language))]
            if all(call.tool in catalogue.tools for call in calls):
                return [_tool_call(call) for call in calls]
        if isinstance(intent, Ways):
            if since:
                told = _observed(since).removeprefix(f"{intent.tool}: ")
                return [_final(answer_of(intent, told, catalogue, language))]
            return [_tool_call(way_call(intent))]
        if isinstance(intent, Refusal):
            return [_final(refusal_text(intent, self.catalogue, language))]
        if isinstance(intent, Help):
            return [_final(help_text(intent, catalogue, language))]
        if INTERPRETER in catalogue.tools:
            if since:
                return [_final(answer_observed(_text(since[-1]), language))]
            return [_tool_call(interpreter_call(write(reading, catalogue)))]
        return [
            _final(
                say(
                    language,
                    "I can draw on the map here; questions about data need the code agent, which runs "
                    "Python.",
                    "ここではマップの描画ができます。データの質問にはPythonを実行するコードエージェントが必要です。",
                )
            )
        ]

    def _errand_calls(
        self, intent: Errands, since: Sequence[ChatMessage], catalogue: Catalogue, language: Language
    ) -> list[ChatMessageToolCall]:
        """All calls at once; after them what became of each, and never another call."""
        if since:
            observed, error = _observed(since), _error(since)
            if error and not observed:
                return [_final(refusal_text(Refusal("failed", (error,)), catalogue, language))]
            return [_final(tell_outcomes(intent, observed, language))]
        if missing := missing_tools(intent, catalogue.tools):
            return [_final(no_tool(missing, language))]
        return [_tool_call(call) for call in errand_calls(intent)]


def _tools(messages: Sequence[ChatMessage], to_call: Sequence[Any] | None) -> frozenset[str]:
    """The tools the agent has: those it may call, or the functions its system prompt declares."""
    if to_call:
        return frozenset(str(tool.name) for tool in to_call)
    prompts = [_text(message) for message in messages if message.role == MessageRole.SYSTEM]
    return frozenset(name for prompt in prompts for name in _TOOL_IN_PROMPT.findall(prompt))


def _observed(since: Sequence[ChatMessage]) -> str:
    """What the tools returned since the request; empty when the step failed as a whole."""
    observed = [
        _text(message).removeprefix(_OBSERVATION)
        for message in since
        if message.role == MessageRole.TOOL_RESPONSE and _text(message).startswith(_OBSERVATION)
    ]
    return "\n".join(observed)


def _talk(messages: Sequence[ChatMessage]) -> tuple[list[str], list[ChatMessage]]:
    """The requests of a talk with their notes, oldest first, and the messages after the last one."""
    tasks: list[str] = []
    since: list[ChatMessage] = []
    for message in messages:
        text = _text(message)
        if message.role == MessageRole.USER and text.startswith(_TASK):
            tasks.append(text[len(_TASK) :])
            since = []
        elif tasks:
            since.append(message)
    if not tasks:  # a bare message list, as a provider would take it
        tasks = [_text(message) for message in messages if message.role == MessageRole.USER]
    return tasks, since


def _text(message: ChatMessage) -> str:
    content = message.content
    if isinstance(content, str):
        return content
    return "\n".join(str(part["text"]) for part in content or [] if part.get("type") == "text")


def _error(since: Sequence[ChatMessage]) -> str:
    """The last error an agent reported since the request, without its advice to try again."""
    for message in reversed(since):
        if message.role != MessageRole.TOOL_RESPONSE:
            continue
        if error := error_observed(_text(message)):
            return error.strip()[:_LONGEST_ERROR]
        if match := _ERROR.search(_text(message)) or _TOOL_ERROR.search(_text(message)):
            return match.group(1).strip()[:_LONGEST_ERROR]
    return ""


def _as_text(reply: Reply, structured: bool) -> str:
    if structured:
        return json.dumps({"thought": reply.thought, "code": reply.code}, ensure_ascii=False)
    return f"{reply.thought}\n<code>\n{reply.code}\n</code>"


def _tool_call(call: ToolCall) -> ChatMessageToolCall:
    function = ChatMessageToolCallFunction(name=call.tool, arguments=dict(call.arguments))
    return ChatMessageToolCall(function=function, id=f"call_{uuid4().hex[:12]}", type="function")


def _final(text: str) -> ChatMessageToolCall:
    return _tool_call(ToolCall("final_answer", {"answer": text}))


def _tokens(text: str) -> int:
    """A rough count, four characters to a token, as there is no tokenizer here."""
    return max(1, len(text) // 4)
