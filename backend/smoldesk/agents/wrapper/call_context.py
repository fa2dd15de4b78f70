"""Context of one tool call: progress and questions of a long call become events of its run."""

from collections.abc import Mapping

from pydantic import JsonValue

from smoldesk.agents.wrapper.nested_context import NestedContext
from smoldesk.events import Ask, ProgressState, Shown, ToolProgress
from smoldesk.folders import add, checked_name
from smoldesk.messages import McpApp
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import Answer
from smoldesk.tools.run_context import RunContext


class CallContext:
    """ToolContext of one call of one step.

    Names of files that the call adds go into `added`; files that a nested agent shows go, with their sizes, into
    `nested_file_sizes`.
    """

    def __init__(
        self,
        ctx: RunContext,
        tool: str,
        call_id: str,
        step: int,
        added: list[str],
        nested_file_sizes: dict[str, int],
    ) -> None:
        self.call_id = call_id
        self._ctx = ctx
        self._tool = tool
        self._step = step
        self._added = added
        self._nested_file_sizes = nested_file_sizes

    @property
    def chat_id(self) -> str:
        return self._ctx.chat_id

    @property
    def stop(self) -> StopFlag:
        return self._ctx.stop

    def report_progress(
        self,
        agent: str,
        state: ProgressState,
        text: str = "",
        context_id: str | None = None,
        share: float | None = None,
    ) -> None:
        self._ctx.emit_soon(
            ToolProgress(
                step=self._step,
                call_id=self.call_id,
                tool=self._tool,
                agent=agent,
                text=text,
                state=state,
                share=share,
                context_id=context_id,
            )
        )

    def settle(self) -> None:
        self._ctx.settle()

    def ask(self, ask: Ask) -> Answer:
        return self._ctx.ask(ask.model_copy(update={"tool": self._tool, "call_id": self.call_id}))

    def add_file(self, name: str, content: bytes) -> str:
        stored_name = add(self._ctx.folder, checked_name(name), content)
        self._added.append(stored_name)
        return stored_name

    def keep_app(self, name: str, content: bytes) -> str:
        return self._ctx.keep_bytes(content, "app", name).id

    def show_app(self, app: McpApp) -> None:
        self._ctx.emit(Shown(message=app))

    def share_state(self, changes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        return self._ctx.share_state(changes)

    def nested(self, agent: str) -> RunContext:
        return NestedContext(self._ctx, self.call_id, agent, self._nested_file_sizes)
