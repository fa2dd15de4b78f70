"""The gate of a run's tool calls: through at once, or after a person's yes, or not at all; and the rules it goes by."""

import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pydantic import JsonValue

from smoldesk.errors import BadInput
from smoldesk.events import Ask
from smoldesk.runs.asks.waiting import TIMED_OUT
from smoldesk.store.asks import Answer
from smoldesk.tools.arguments import parameters_of, require_showable
from smoldesk.tools.gate import CheckedCall, PendingCall, ToolDenied
from smoldesk.tools.run_context import AskPort

if TYPE_CHECKING:
    from smoldesk.tools.policy import Approval, DeskTool


@dataclass(frozen=True)
class AskRules:
    """The operator's choices. `approval` and `tool_seconds` go by tool; times in seconds."""

    seconds: float = 300
    tool_seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    approval: "Mapping[str, Approval]" = field(default_factory=dict[str, "Approval"])

    def approval_of(self, tool: "DeskTool") -> "Approval":
        """Return whether a person is asked before calls of a tool, as far as nothing is known of the call or the chat."""
        if tool.is_recorded:
            return "never"
        return self.approval.get(tool.name, tool.approval)

    def approval_of_call(self, tool: "DeskTool", arguments: Mapping[str, JsonValue]) -> "Approval":
        """Return the approval of one call: a call that only reads needs none, unless the operator requires it."""
        if tool.name not in self.approval and tool.approval != "never" and tool.reads_only(arguments):
            return "never"
        return self.approval_of(tool)

    def seconds_of(self, tool: str) -> float:
        """Return the seconds that a person has to answer."""
        return self.tool_seconds.get(tool, self.seconds)


DENIED = "User denied the tool call"
# Maximum open asks of a run; further calls of the step fail, and can be repeated.
MAX_OPEN = 100
# Characters of the code line in an ask; the values of the call are shown in any case.
LINE_CHARACTERS = 500


class ApprovalGate:
    """Gate of one run's tool calls (tools.Gate).

    Code of one call may make calls of its own while asks of other calls are open. All open asks of the run are waited
    for together, so an answer to any of them counts at once, for each call in its scope.
    """

    def __init__(self, port: AskPort, rules: AskRules) -> None:
        self._port = port
        self._rules = rules
        self._granted_once: set[str] = set()
        self._for_step: dict[str, Answer] = {}
        self._from_line: Counter[tuple[str, int | None, str | None]] = Counter()
        self._waiting: dict[str, tuple[Ask, PendingCall]] = {}
        self._early: dict[str, Answer] = {}

    def begin_step(self) -> None:
        self._for_step.clear()
        self._from_line.clear()

    def passed(self, calls: Sequence[PendingCall]) -> Iterator[CheckedCall]:
        judged: list[CheckedCall] = []
        mine: dict[str, tuple[Ask, PendingCall]] = {}
        for call in calls:
            verdict = self._judge(call)
            if isinstance(verdict, Ask) and len(self._waiting) + len(mine) >= MAX_OPEN:
                judged.append(CheckedCall(call, call.arguments, _too_many()))
            elif isinstance(verdict, Ask):
                mine[verdict.id] = (verdict, call)
            else:
                judged.append(verdict)
        if mine:
            tools = {ask_id: call.tool for ask_id, (_, call) in mine.items()}
            self._port.open_asks([ask for ask, _ in mine.values()], tools)
            self._waiting |= mine
        for at, passed in enumerate(judged, 1):
            yield replace(passed, more=at < len(judged))
        while mine:
            ask_id, answer = self._next(mine)
            _, call = mine.pop(ask_id)
            yield self._answered(call, answer)

    def _next(self, mine: Collection[str]) -> tuple[str, Answer]:
        """Return the first answer to one of these asks; answers to other asks are stored for their callers."""
        while True:
            for ask_id in mine:
                if ask_id in self._early:
                    return ask_id, self._early.pop(ask_id)
            ask, answer = self._port.next_answer([ask for ask, _ in self._waiting.values()])
            _, call = self._waiting.pop(ask.id)
            same_tool = [
                other for other, waiting_call in self._waiting.values() if waiting_call.tool is call.tool
            ]
            self._remember(call, answer, same_tool)
            self._early[ask.id] = answer

    def _judge(self, call: PendingCall) -> CheckedCall | Ask:
        """Through, refused, or what a person is to be asked."""
        tool = call.tool
        self._from_line[(tool.name, call.line, call.source)] += 1
        try:
            approval = self._rules.approval_of_call(tool, call.arguments)
            if approval != "never":
                require_showable(call.arguments)
            tool.check(call.arguments)
        except Exception as fault:
            # a tool may raise anything, as when it runs: the call fails, and the run goes on
            return CheckedCall(call, call.arguments, fault)
        if approval == "never":
            return CheckedCall(call, call.arguments)
        ask = self._ask(call)
        earlier = self._earlier(tool.name, approval)
        if earlier is None:
            return ask
        self._port.record(ask, earlier)
        return self._answered(call, earlier)

    def _earlier(self, tool: str, approval: str) -> Answer | None:
        """Return an earlier answer that also applies to a new call of the tool."""
        if tool in self._for_step:
            return self._for_step[tool]
        if approval == "once" and tool in self._granted_once:
            return Answer(True, by="policy")
        if self._port.policies().get(tool) == "allow":
            return Answer(True, scope="chat", by="policy")
        return None

    def _remember(self, call: PendingCall, answer: Answer, pending_asks: Sequence[Ask]) -> None:
        """Let an answer reach as far as it was meant to, also to asks of the same tool that are open already."""
        tool = call.tool.name
        once = answer.granted and self._rules.approval_of(call.tool) == "once"
        if once:
            self._granted_once.add(tool)
        if answer.scope == "step":
            self._for_step[tool] = Answer(answer.granted, reason=answer.reason, scope="step", by="policy")
        if once or answer.scope != "call":
            further = Answer(answer.granted, reason=answer.reason, scope=answer.scope, by="policy")
            for ask in pending_asks:
                self._port.close_ask(ask.id, further)

    def _answered(self, call: PendingCall, answer: Answer) -> CheckedCall:
        if not answer.granted:
            return CheckedCall(call, call.arguments, ToolDenied(denial(answer)))
        if not isinstance(answer.value, dict):
            return CheckedCall(call, call.arguments)
        try:
            call.tool.check_edited(answer.value)
        except Exception as fault:
            return CheckedCall(call, answer.value, fault)
        return CheckedCall(call, answer.value)

    def _ask(self, call: PendingCall) -> Ask:
        tool = call.tool
        return Ask(
            id=new_ask_id(),
            kind="approval",
            tool=tool.name,
            description=tool.external_description,
            call_id=call.call_id,
            arguments=call.arguments,
            parameters=parameters_of(tool.inputs),
            code_line=_cut(call.source),
            line=call.line,
            calls_from_line=self._from_line[(tool.name, call.line, call.source)]
            if call.line is not None
            else None,
            prompt=f"Allow {tool.name}?",
            expires_at=datetime.now(UTC) + timedelta(seconds=self._rules.seconds_of(tool.name)),
        )


def new_ask_id() -> str:
    """Return a new random id. Answering needs more than the id, but an id must not be guessable."""
    return f"a_{secrets.token_hex(12)}"


def _cut(line: str | None) -> str | None:
    return line if line is None or len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]}…"


def _too_many() -> BadInput:
    return BadInput(
        f"More than {MAX_OPEN} calls already wait for a person.",
        "Call again after they are answered.",
    )


def denial(answer: Answer) -> str:
    """Return the text for the model, or for code, about a denied call."""
    if answer.by == "expiry":
        return TIMED_OUT
    return f"{DENIED}: {answer.reason}" if answer.reason else DENIED
