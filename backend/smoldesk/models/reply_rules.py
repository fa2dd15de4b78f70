"""Rules that decide what to do with a model's complete reply: run it, answer with it, ask again, or fail.

`RULES` is one table for all models, first match first; each rule has its source. Pure: the agent's step (wrapper/reply_step)
calls the model and acts. To handle another habit, add its marks to output_parser/reply_marks, or a rule here.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from smoldesk.errors import ModelFault
from smoldesk.models.call_code import code_of_calls
from smoldesk.models.errors import scrub
from smoldesk.output_parser.model_text import Piece, ReplySplitter
from smoldesk.output_parser.structured_text import StructuredSplitter
from smoldesk.output_parser.text_calls import BrokenCall, WrittenCall, json_reply, text_calls

Form = Literal["code", "structured", "tools"]
# Names of a limit of tokens: OpenAI, Anthropic, Gemini, Mistral.
CUT = frozenset(["length", "max_tokens", "model_length", "max_output_tokens"])
# Names of a filter: OpenAI, Gemini (also through OpenAI-compatible servers), Anthropic.
DECLINED = frozenset(
    ["content_filter", "safety", "refusal", "recitation", "prohibited_content", "blocklist", "spii"]
)
# Calls of one reply that run; models in a loop write thousands.
MAX_CALLS = 64
TOOL_NAME = re.compile(r"[\w.:/-]{1,128}")


@dataclass(frozen=True)
class ModelReply:
    """Complete reply: its text without reasoning, native tool calls, and how the stream ended."""

    text: str
    calls: tuple[WrittenCall, ...] = ()
    finish_reason: str | None = None
    refusal: str = ""
    reasoned: bool = False
    broken_call: bool = False
    """Whether a native call's arguments are not valid JSON."""


@dataclass(frozen=True)
class Situation:
    """State of the run that a decision depends on, besides the reply.

    `acted`: something ran in this run. `asked` are the rules that asked again in this step.
    """

    form: Form
    tools: Collection[str] = ()
    tags: tuple[str, str] = ("<code>", "</code>")
    has_data: Callable[[], bool] = lambda: False
    acted: bool = False
    asked: Collection[str] = ()


class CodeToRun(NamedTuple):
    """Code to run; `note` is added to its observation."""

    code: str
    prose: str
    note: str = ""


class CallsToRun(NamedTuple):
    """Tool calls to run."""

    calls: Sequence[WrittenCall]
    prose: str


class ProseAnswer(NamedTuple):
    """Prose that answers."""

    text: str


class FurtherCall(NamedTuple):
    """Note for the model, which is asked once more in this step."""

    rule: str
    note: str


class FailRun(NamedTuple):
    """End of the run."""

    fault: ModelFault


Decision = CodeToRun | CallsToRun | ProseAnswer | FurtherCall | FailRun


@dataclass
class ReplyParts:
    """Parts of a reply, as they were shown while it streamed."""

    prose: str = ""
    blocks: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    """Code, and whether it was closed."""
    calls: list[WrittenCall] = field(default_factory=list[WrittenCall])
    broken: str = ""
    """Why the JSON of the reply or of a call cannot be read."""

    @property
    def code(self) -> str:
        return "\n\n".join(code for code, _ in self.blocks)


def parts_of(reply: ModelReply, situation: Situation) -> ReplyParts:
    """Read a reply with the splitter that streams it, so that what was shown as code is what runs."""
    structured = situation.form == "structured"
    splitter = (
        StructuredSplitter()
        if structured
        else ReplySplitter(situation.tags if situation.form == "code" else None)
    )
    parts, section = _collected(splitter.feed(reply.text) + splitter.flush())
    if isinstance(splitter, StructuredSplitter) and not splitter.is_complete:
        parts.broken = "its JSON object is not complete"
        parts.blocks = []
    parts.calls = [*reply.calls]
    if reply.broken_call:
        parts.broken = "the arguments of a tool call are not valid JSON"
    if section and not parts.calls:
        try:
            parts.calls = text_calls(section)
        except (ValueError, RecursionError) as fault:
            parts.broken = str(fault) if isinstance(fault, BrokenCall) else "its JSON is not valid"
    if not parts.calls and not parts.blocks and not section and not structured:
        calls = json_reply(parts.prose)
        if calls and all(call.name in situation.tools for call in calls):
            parts.calls, parts.prose = calls, ""
    return parts


def _collected(pieces: list[Piece]) -> tuple[ReplyParts, str]:
    """Join pieces to prose and blocks of code; return them and the section of calls."""
    parts, prose, calls, code = ReplyParts(), list[str](), list[str](), list[str]()
    for kind, text in [*pieces, ("end", "")]:
        match kind:
            case "restart":
                parts, prose, calls, code = ReplyParts(), [], [], []
            case "closed" | "end":
                if "".join(code).strip():
                    parts.blocks.append(("".join(code), kind == "closed"))
                code = []
            case "code":
                code.append(text)
            case "text":
                prose.append(text)
            case "call":
                calls.append(text)
            case _:
                pass  # reasoning: not part of a reply
    parts.prose = "".join(prose)
    return parts, "".join(calls)


@dataclass(frozen=True)
class ReplyRule:
    """Row of the table. `source` is where the habit is documented or reported."""

    name: str
    source: str
    decide: Callable[[ModelReply, ReplyParts, Situation], Decision | None]


def _declined(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    if not reply.refusal and _reason(reply) not in DECLINED:
        return None
    report = scrub(reply.refusal or parts.prose)
    return FailRun(
        ModelFault(
            "The model declined to answer.",
            f"Rephrase the question, or choose another model. It said: {report}"
            if report
            else "Its provider's filter ended the reply. Rephrase the question, or choose another model.",
            code="model_declined",
        )
    )


def _invalid_calls(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    if len(parts.calls) > MAX_CALLS:
        problem = f"it has {len(parts.calls):,} tool calls, and at most {MAX_CALLS} run at once"
    elif names := [call.name for call in parts.calls if not TOOL_NAME.fullmatch(call.name)]:
        problem = f"{names[0][:100]!r} is not the name of a tool"
    else:
        return None
    return _once(
        "invalid_calls", f"Your reply was not used: {problem}. Nothing ran.", _no_calls(problem), situation
    )


def _cut(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    if _reason(reply) not in CUT:
        return None
    closed = "\n\n".join(
        code for code, is_closed in parts.blocks if is_closed or situation.form == "structured"
    )
    if closed:
        return CodeToRun(closed, parts.prose, CUT_NOTE)
    if parts.calls:
        return _calls(reply, parts, situation)
    fault = ModelFault(
        "The model's reply was cut off at a limit of tokens.",
        "Ask for less at once or choose another model, or raise the limit: `max_tokens` of [models.NAME] in agents.toml, or "
        "the window (context) that the model's server was started with.",
        code="model_cut_off",
    )
    return _once("cut", CUT_NOTE, fault, situation)


def _code(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    return CodeToRun(parts.code, parts.prose) if parts.blocks else None


def _broken(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    if not parts.broken:
        return None
    form = "JSON with thought and code" if situation.form == "structured" else "valid tool calls"
    fault = _no_calls(parts.broken) if situation.form != "structured" else _no_code(parts.broken)
    note = f"Your reply could not be used: {parts.broken}. Nothing ran. Send {form} again."
    return _once("broken", note, fault, situation)


def _calls(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    if not parts.calls:
        return None
    if situation.form == "tools":
        return CallsToRun(parts.calls, parts.prose)
    return CodeToRun(code_of_calls(parts.calls), parts.prose)


def _empty(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    if parts.prose.strip():
        return None
    fault = ModelFault(
        "The model returned an empty reply twice.", "Try again, or choose another model.", code="model_empty"
    )
    cause = "only reasoning" if reply.reasoned else "no text"
    return _once("empty", f"Your reply had {cause}. Write the reply itself now.", fault, situation)


def _reminder(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    if situation.acted or "reminder" in situation.asked or not situation.has_data():
        return None
    return FurtherCall("reminder", REMINDERS[situation.form].format(*situation.tags))


def _prose(reply: ModelReply, parts: ReplyParts, situation: Situation) -> Decision | None:
    return ProseAnswer(parts.prose.strip())


CUT_NOTE = (
    "Your reply was cut off at the limit of tokens, and its unfinished part did not run. Be shorter: less text, and "
    "code in smaller parts."
)
REMINDERS: dict[Form, str] = {
    "code": (
        "Your reply had no code, so nothing was looked up in this chat's data. If the question is about the data, write "
        "Python between {0} and {1} that finds the answer. If it is not, repeat your answer."
    ),
    "structured": (
        "Your reply had no code, so nothing was looked up in this chat's data. If the question is about the data, reply "
        "with JSON whose `code` finds the answer. If it is not, repeat your answer."
    ),
    "tools": (
        "Your reply called no tool, so nothing was looked up in this chat's data. If the question is about the data, call "
        "the tools that find the answer. If it is not, repeat your answer."
    ),
}
RULES = (
    ReplyRule("declined", "OpenAI API reference: finish_reason content_filter, message.refusal", _declined),
    ReplyRule(
        "invalid_calls", "zed #28931, Qwen-Agent #508: models repeat a call without end", _invalid_calls
    ),
    ReplyRule("cut", "OpenAI API reference: finish_reason length", _cut),
    ReplyRule("code", "smolagents: code agents write code between tags or in fences", _code),
    ReplyRule("broken", "OpenAI guide to function calling: arguments may not be valid JSON", _broken),
    ReplyRule("calls", "smolagents #1956: models are tuned for tool calls, not for thought and code", _calls),
    ReplyRule("empty", "lmstudio-bug-tracker #1602: reasoning_content alone, finish_reason stop", _empty),
    ReplyRule("reminder", "smolagents #860: models answer in prose before they look", _reminder),
    ReplyRule("prose", "smolagents #201: models end with prose instead of final_answer", _prose),
)


def decide(reply: ModelReply, situation: Situation) -> Decision:
    """Return what the first rule that applies says."""
    parts = parts_of(reply, situation)
    for rule in RULES:
        decision = rule.decide(reply, parts, situation)
        if decision is not None:
            return decision
    raise AssertionError("the last rule always decides")


def _once(rule: str, note: str, fault: ModelFault, situation: Situation) -> Decision:
    """Ask again, but fail if the rule has asked in this step."""
    return FailRun(fault) if rule in situation.asked else FurtherCall(rule, note)


def _reason(reply: ModelReply) -> str:
    return (reply.finish_reason or "").lower()


def _no_calls(problem: str) -> ModelFault:
    return ModelFault(
        "The model repeatedly wrote no valid tool call.",
        f"Choose a model that calls tools, or an agent of kind code. The last reply was not used: {problem}.",
        code="model_no_calls",
    )


def _no_code(problem: str) -> ModelFault:
    return ModelFault(
        "The model repeatedly wrote no code that can be read.",
        f"Set `structured = false` for the agent, or choose another model. The last reply was not used: {problem}.",
        code="model_no_code",
    )
