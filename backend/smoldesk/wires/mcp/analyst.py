"""`ask_analyst` and `answer_ask`: tools with which an MCP client asks an agent of the desk, without project or session.

A call starts a run and reports its steps as progress. Asks of the run go to the client's person by elicitation if the
client supports it; otherwise the answer lists them. Cancelling a call stops its run.
"""

import json
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import Context
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from pydantic import Field

from smoldesk.desk import Desk
from smoldesk.errors import BadInput, DeskError
from smoldesk.events import Ask
from smoldesk.runs import RunOptions
from smoldesk.wires.answers import AnswerInput, parse_answer
from smoldesk.wires.bodies import check_text
from smoldesk.wires.mcp.analyst_models import AnalystAnswer, OfferedFile
from smoldesk.wires.mcp.answer_content import AnswerContent
from smoldesk.wires.mcp.encoder import translate_errors
from smoldesk.wires.mcp.offered_files import OfferedFiles
from smoldesk.wires.mcp.run_watch import RunWatch

Ctx = Context[object, object]
Answered = Annotated[CallToolResult, AnalystAnswer]
# From this protocol version on, an ask is in the result of a call, and its answer in the next call.
INPUT_REQUIRED = "2026-07-28"
# Maximum asks of one call. Clients stop after ten rounds, so further asks are listed in the answer.
MAX_ROUNDS = 8
DECLINED = "Declined by the person at the MCP client"
CANCELLED = "Cancelled by the MCP client"


@dataclass
class Round:
    """State between the calls of one question: its run, the number of notices sent, the asks sent.

    Clients return it as `requestState`, so its keys must not change.
    """

    run_id: str
    told: int = 0
    asked: list[str] = field(default_factory=list[str])


class Analyst:
    """Tools of one desk; each method is the tool of the same name."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._files = OfferedFiles(desk)
        self._content = AnswerContent(desk)

    async def ask_analyst(
        self,
        ctx: Ctx,
        question: Annotated[
            str, Field(description="What to ask: about tables, charts, the building, its rooms.")
        ],
        agent: Annotated[
            str | None, Field(description="An agent of this desk; left out, the desk's own.")
        ] = None,
        chat_id: Annotated[
            str | None, Field(description="The chat_id of an earlier answer, to go on there.")
        ] = None,
        files: Annotated[list[OfferedFile] | None, Field(description="Files the question is about.")] = None,
    ) -> Answered | InputRequiredResult:
        """Ask a data analyst: text, tables, charts, pictures and drawings on the floor map come back.

        With state waiting, something is open: asks says what, and answer_ask answers it.
        """
        with translate_errors():
            if ctx.request_state is not None:
                return await self._continue_run(ctx, Round(**json.loads(ctx.request_state)))
            check_text(question, self._desk.settings.message_limit)
            if not question.strip():
                raise BadInput("The question is empty.", "Expected text.", code="empty")
            run_id = await self._begin(question, agent, chat_id, files or [])
            return await self._follow(ctx, Round(run_id))

    async def answer_ask(
        self,
        ctx: Ctx,
        ask_id: Annotated[str, Field(description="An open one of an answer's asks.")],
        answer: Annotated[
            str | bool,
            Field(description="true or false for an approval, else an option or text, as it expects."),
        ],
        reason: Annotated[str, Field(description="Why not, for the agent.")] = "",
    ) -> Answered | InputRequiredResult:
        """Answer what a run waits for, and get the rest of its answer. Ask the person first: an approval is theirs to give."""
        with translate_errors():
            if ctx.request_state is not None:
                return await self._continue_run(ctx, Round(**json.loads(ctx.request_state)))
            chat_id = await self._desk.runs.ask_records.chat_of([ask_id])
            ask_states = await self._desk.runs.ask_records.ask_states(chat_id, [ask_id]) if chat_id else []
            ask_state = next((state for state in ask_states if state.ask.id == ask_id), None)
            if ask_state is None:
                raise BadInput(
                    f"The desk has no ask {ask_id[:40]!r}.",
                    "Expected the ask_id of an open one.",
                    code="unknown_ask",
                )
            if ask_state.ask.input_type == "password" and ask_state.ask.kind == "input":
                hint = "A person enters it on the desk's page."
                raise BadInput("This tool does not accept passwords.", hint, code="not_here")
            await self._desk.runs.answer(
                ask_id, parse_answer(ask_state.ask, AnswerInput(answer, reason=reason)), chat_id
            )
            return await self._follow(ctx, Round(ask_state.run_id, asked=[ask_id]))

    async def _begin(
        self, question: str, agent: str | None, chat_id: str | None, files: list[OfferedFile]
    ) -> str:
        if agent is not None:
            self._desk.agents.agent_list.get(agent)
        offered = await self._files.read(files)
        if chat_id is None:
            chat_id = (await self._desk.chats.create(agent=agent)).id
        names = await self._files.place(chat_id, offered)
        return await self._desk.runs.start(
            chat_id, question, RunOptions(agent=agent, attachments=names or None)
        )

    async def _continue_run(self, ctx: Ctx, now: Round) -> CallToolResult | InputRequiredResult:
        """Continue a call with the person's answers; only those to its own asks count."""
        mine = [ask_id for ask_id in ctx.input_responses or {} if ask_id in now.asked]
        for ask in await self._desk.runs.ask_records.still_open(mine):
            response = (ctx.input_responses or {})[ask.id]
            if isinstance(response, ElicitResult):
                await self._answer(ask, response)
        return await self._follow(ctx, now)

    async def _follow(self, ctx: Ctx, now: Round) -> CallToolResult | InputRequiredResult:
        record = await self._desk.runs.records.get(now.run_id)
        watch = RunWatch(self._desk.runs, record, ctx, now.told)
        try:
            while await watch.wait_for_ask_or_end():
                asks = [ask for ask in watch.asks if ask.id not in now.asked and can_elicit(ctx, ask)]
                if not asks or len(now.asked) >= MAX_ROUNDS:
                    break
                now.asked += [ask.id for ask in asks]
                if (ctx.protocol_version or "") >= INPUT_REQUIRED:
                    now.told = watch.notices_sent
                    return InputRequiredResult(
                        input_requests={ask.id: ElicitRequest(params=form_of(ask)) for ask in asks},
                        request_state=json.dumps(asdict(now)),
                    )
                for ask in asks:
                    form = form_of(ask)
                    response = await watch.wait_for_reply(
                        ask, ctx.session.elicit_form(form.message, form.requested_schema, ctx.request_id)
                    )
                    if response is not None:
                        await self._answer(ask, response)
            return await self._content.result(watch)
        except anyio.get_cancelled_exc_class():
            # The task is cancelled, so any await outside of a shield would raise at once.
            with anyio.CancelScope(shield=True):
                await self._stop(now.run_id)
            raise
        finally:
            with anyio.CancelScope(shield=True):
                await watch.close()

    async def _answer(self, ask: Ask, result: ElicitResult) -> None:
        """Store a person's answer. A dismissed form or a late answer leaves the ask as it is."""
        if result.action == "cancel":
            return
        content = (result.content or {}).get("answer") if result.action == "accept" else False
        value = content if isinstance(content, str | bool) else None
        try:
            # A declined question has no value that could be stored; the ask stays open.
            if result.action == "decline" and ask.kind == "input" and ask.input_type != "confirmation":
                return
            answer = parse_answer(
                ask, AnswerInput(value, reason="" if result.action == "accept" else DECLINED)
            )
            await self._desk.runs.answer(ask.id, answer)
        except DeskError:
            return

    async def _stop(self, run_id: str) -> None:
        if self._desk.conversations.closed:  # the desk is closing and ends its runs itself
            return
        try:
            await self._desk.runs.cancel(run_id, CANCELLED)
        except DeskError:
            return  # the run has ended


def can_elicit(ctx: Ctx, ask: Ask) -> bool:
    """Return whether the client can show the ask as a form: no passwords, and no tools of a page."""
    elicitation = ctx.client_capabilities.elicitation if ctx.client_capabilities is not None else None
    # A client that names only `url` supports no forms; one that names neither supports forms alone.
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        return False
    return ask.kind == "approval" or (ask.kind == "input" and ask.input_type != "password")


def form_of(ask: Ask) -> ElicitRequestFormParams:
    """Return an ask as a form with one field."""
    if ask.kind == "approval" or ask.input_type == "confirmation":
        answer: dict[str, Any] = {"type": "boolean", "title": "Allow" if ask.kind == "approval" else "Yes"}
    elif ask.input_type == "selection":
        answer = {"type": "string", "title": "Answer", "enum": ask.options}
    else:
        answer = {"type": "string", "title": "Answer"}
    if ask.default is not None and answer["type"] == "string":
        answer["default"] = ask.default
    about = f"{ask.tool}({json.dumps(ask.arguments, ensure_ascii=False)})" if ask.tool else ""
    message = "\n".join(line for line in (ask.prompt, about) if line) or "The analyst asks."
    schema: dict[str, Any] = {"type": "object", "properties": {"answer": answer}, "required": ["answer"]}
    return ElicitRequestFormParams(message=message, requested_schema=schema)
