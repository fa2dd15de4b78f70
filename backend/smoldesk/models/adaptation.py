"""Requests without what a server refused, and the refused request repeated at once.

`AdaptingCalls` sits where smolagents calls openai's client or LiteLLM (its retryer), around the retries. It yields the
chunks of a stream in every case: also of an answer that came in one piece, and of calls that a model without tools
wrote as JSON.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

from smoldesk.errors import ModelFault
from smoldesk.models.capabilities import SCHEMA, STREAMING, SYSTEM, TOOLS, Capability, refusal_in, requests
from smoldesk.models.errors import scrub
from smoldesk.models.overflow import overflow_in
from smoldesk.models.provider_reports import reports_of
from smoldesk.models.reasoning import NAMES

# Changes of one request; more refusals than this end the call with the last error.
MAX_CHANGES = 8
# Names of one parameter: if the first is refused, the other takes its value.
RENAMED = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
# Bounds of the search for calls in a model's text.
MAX_REPLY, MAX_OBJECTS = 200_000, 50

TOOLS_TEXT = """\
You have these tools, each with the JSON schema of its arguments:
{tools}
To call a tool, reply with one JSON object and nothing else: {{"name": "TOOL", "arguments": {{...}}}}"""


class SchemaRefused(ModelFault):
    """Refusal of a model to answer by a schema; the request may succeed without one, and with another prompt."""

    def __init__(self, reason: str) -> None:
        hint = (
            "The run goes on with code between tags. `structured = false`, of the agent or of [models.NAME] in agents.toml, "
            f"spares this request. It said: {reason}"
        )
        super().__init__("The model does not support schemas for its answers.", hint, "model_no_schema")


@dataclass(frozen=True)
class Adaptation:
    """A refused request: the feature that is left out from now on, and the provider's words."""

    feature: str
    reason: str

    def __str__(self) -> str:
        return f"The server does not take {self.feature!r}; the request was repeated without it. It said: {self.reason}"


class AdaptingCalls:
    """A retryer of smolagents' around another, which adapts requests to what one model takes."""

    def __init__(
        self,
        retries: Callable[..., Any],
        capability: Capability,
        secrets: Iterable[Any] = (),
    ) -> None:
        self._retries = retries
        self._capability = capability
        self._secrets = tuple(secrets)
        self.changes: list[Adaptation] = []
        """Refusals that nobody has taken note of yet; appended by the thread of the call, see `take_changes`."""

    def __call__(self, call: Callable[..., Any], *args: Any, **request: Any) -> Generator[Any]:
        """Yield the chunks of an answer. Raises SchemaRefused, and the provider's error if no change helps."""
        for _ in range(MAX_CHANGES):
            started = False
            sent = adapted(request, self._capability.refused)
            try:
                for chunk in self._chunks(call, args, sent, request):
                    started = True
                    yield chunk
                return
            except Exception as error:  # of any library: what no row of the table recognises is raised again
                if started or not self._learn(error, sent):
                    raise
        yield from self._chunks(call, args, adapted(request, self._capability.refused), request)

    @property
    def refused(self) -> tuple[str, ...]:
        """Features that the server does not take, as far as is known."""
        return self._capability.refused

    def take_changes(self) -> list[Adaptation]:
        """Return the refusals since the last call of this method."""
        changes, self.changes = self.changes, []
        return changes

    def _chunks(
        self, call: Callable[..., Any], args: tuple[Any, ...], sent: dict[str, Any], request: dict[str, Any]
    ) -> Iterator[Any]:
        answer = self._retries(call, *args, **sent)
        chunks = answer if sent.get("stream") else chunks_of(answer)
        tools: list[dict[str, Any]] = request.get("tools") or []
        return _with_calls(chunks, tools) if tools and "tools" not in sent else iter(chunks)

    def _learn(self, error: Exception, sent: dict[str, Any]) -> bool:
        """Take note of an error; return whether the request can be repeated with a change."""
        reports = reports_of(error)
        overflow = overflow_in(reports)
        if overflow and overflow.window:
            self._capability.learn_window(overflow.window)
        feature = refusal_in(error, sent)
        if feature is None:
            return False
        reason = scrub(next((report.message for report in reports if report.message), ""), *self._secrets)
        self._capability.refuse(feature)
        if feature == SCHEMA:
            raise SchemaRefused(reason) from None
        self.changes.append(Adaptation(feature, reason))
        return True


def adapted(request: dict[str, Any], refused: Iterable[str]) -> dict[str, Any]:
    """Return a request without the refused features; the given one is not changed."""
    refused = set(refused)
    sent = dict(request)
    if isinstance(sent.get("extra_body"), dict):
        sent["extra_body"] = {key: value for key, value in sent["extra_body"].items() if key not in refused}
    for feature in refused:
        if not requests(sent, feature):
            continue
        if feature == STREAMING:
            sent["stream"] = False
            sent.pop("stream_options", None)
        elif feature == SYSTEM:
            sent["messages"] = _without_system(sent["messages"])
        elif feature == TOOLS:
            sent = _with_described_tools(sent)
        else:
            value = sent.pop(feature, None)
            other = RENAMED.get(feature)
            if other and other not in refused:
                sent.setdefault(other, value)
    if SYSTEM in refused:  # the tools' description may have come after
        sent["messages"] = _without_system(sent["messages"])
    return sent


def _without_system(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Merge system messages into the first message of the user, as templates without that role expect."""
    system = [message for message in messages if message["role"] == "system"]
    dialogue = [message for message in messages if message["role"] != "system"]
    if not system:
        return messages
    first = [dialogue.pop(0)] if dialogue and dialogue[0]["role"] == "user" else []
    parts = [part for message in (*system, *first) for part in _parts(message)]
    text = "\n\n".join(part["text"] for part in parts if part["type"] == "text")
    pictures = [part for part in parts if part["type"] != "text"]
    return [{"role": "user", "content": [{"type": "text", "text": text}, *pictures]}, *dialogue]


def _with_described_tools(request: dict[str, Any]) -> dict[str, Any]:
    """Describe the tools of a request in its first message, for a model that takes no `tools`."""
    tools = "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in request["tools"])
    text = {"type": "text", "text": TOOLS_TEXT.format(tools=tools)}
    messages = request["messages"]
    if messages and messages[0]["role"] == "system":
        messages = [{**messages[0], "content": [*_parts(messages[0]), text]}, *messages[1:]]
    else:
        messages = [{"role": "system", "content": [text]}, *messages]
    remaining = {key: value for key, value in request.items() if key not in _OF_TOOLS}
    return remaining | {"messages": messages}


_OF_TOOLS = ("tools", "tool_choice", "parallel_tool_calls")


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content: Any = message["content"]
    return (
        cast("list[dict[str, Any]]", content)
        if isinstance(content, list)
        else [{"type": "text", "text": content or ""}]
    )


def chunks_of(answer: Any) -> Iterator[Any]:
    """Yield a complete answer as the chunks of a stream: text, reasoning and calls, then the counts."""
    for choice in answer.choices[:1]:
        message = choice.message
        calls = [
            SimpleNamespace(index=index, id=call.id, type=call.type, function=call.function)
            for index, call in enumerate(getattr(message, "tool_calls", None) or [])
        ]
        fields = {name: getattr(message, name, None) for name in (*NAMES, "content", "refusal")}
        yield _chunk(SimpleNamespace(**fields, tool_calls=calls or None), choice.finish_reason)
    yield SimpleNamespace(choices=[], usage=getattr(answer, "usage", None))


def _chunk(delta: Any, finish_reason: str | None = None) -> Any:
    return SimpleNamespace(choices=[SimpleNamespace(delta=delta, finish_reason=finish_reason)], usage=None)


def _with_calls(chunks: Iterable[Any], tools: list[dict[str, Any]]) -> Iterator[Any]:
    """Yield the chunks of a reply, its text last: as calls if it has any in JSON."""
    texts: list[str] = []
    for chunk in chunks:
        for choice in chunk.choices[:1]:
            if choice.delta and choice.delta.content:
                texts.append(choice.delta.content)
                choice.delta.content = None
        yield chunk
    text = "".join(texts)
    calls = calls_in(text, {tool["function"]["name"] for tool in tools})
    delta = SimpleNamespace(content=None if calls else text, tool_calls=calls or None)
    yield _chunk(delta)


def calls_in(text: str, names: set[str]) -> list[Any]:
    """Return the calls of known tools that a model wrote as JSON objects, after its reasoning."""
    text = text[:MAX_REPLY].rpartition("</think>")[2]
    decoder, at = json.JSONDecoder(), text.find("{")
    calls: list[Any] = []
    for _ in range(MAX_OBJECTS):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and cast("dict[str, Any]", value).get("name") in names:
                calls.append(_call(cast("dict[str, Any]", value), len(calls)))
        at = text.find("{", end)
    return calls


def _call(value: dict[str, Any], index: int) -> Any:
    arguments = value.get("arguments", value.get("parameters", {}))
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    function = SimpleNamespace(name=value["name"], arguments=text)
    return SimpleNamespace(index=index, id=f"call_{index}", type="function", function=function)
