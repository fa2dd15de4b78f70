"""Tools and managed agents of a person's agent, behind the gate of a run.

They run in the server. Code in the sandbox reaches them as proxies; everything else calls them here, as smolagents does:
`tool(**arguments)`. Tools without a policy ask for approval.
"""

import contextlib
import io
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, ClassVar, cast

from PIL import Image
from pydantic import JsonValue
from smolagents import agent_types

from smoldesk.agents.wrapper.calls import ToolCalls, bind_arguments
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages
from smoldesk.agents.wrapper.interpreter import Cells
from smoldesk.agents.wrapper.managed_agent import AgentAnswer
from smoldesk.sandbox.tool_host import encoded
from smoldesk.tables.results import Rows
from smoldesk.tools.gate import PendingCall
from smoldesk.tools.policy import Approval, LongTool
from smoldesk.tools.run_context import RunContext, ToolContext

# Characters of a description on the card that asks for approval.
DESCRIPTION_CHARACTERS = 2_000


class SuppliedTool(LongTool):
    """A person's tool in one run; without `bind` it can be described, but not called."""

    skip_forward_signature_validation = True
    name = "supplied_tool"
    description = ""
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "any"

    def __init__(self, inner: Any, approval: Approval | None = None) -> None:
        """Set up the tool. The policy is `approval`, else the tool's own attribute of that name, else `always`."""
        self.inner = inner
        self.name = inner.name
        self.description = inner.description
        self.inputs = inner.inputs  # pyright: ignore[reportAttributeAccessIssue]
        self.output_type = inner.output_type
        self.output_schema = getattr(inner, "output_schema", None)
        self.external_description = str(inner.description)[:DESCRIPTION_CHARACTERS]
        self.approval = approval or getattr(inner, "approval", "always")  # pyright: ignore[reportAttributeAccessIssue]
        self._objects: dict[str, Any] = {}
        self._result: Any = None
        self._calls: ToolCalls | None = None
        self._images: EmbeddedImages | None = None
        self._lock = threading.RLock()
        super().__init__()

    def validate_arguments(self) -> None:
        """Do nothing: smolagents has checked the inner tool."""

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the person's tool, for prompt templates and classes that know it."""
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)
        return getattr(self.inner, name)

    def bind(self, calls: ToolCalls, lock: threading.RLock, images: EmbeddedImages) -> None:
        """Let calls pass through a run; `lock` is shared by its tools, since smolagents may call them from threads."""
        self._calls, self._lock, self._images = calls, lock, images

    def __call__(self, *args: Any, sanitize_inputs_outputs: bool = False, **kwargs: Any) -> Any:
        """Pass a call through the gate, run it and return the tool's own result. Raises what the tool raises, ToolDenied."""
        assert self._calls is not None, "this tool was built for its description only"
        if sanitize_inputs_outputs:  # smolagents' own image and audio types become plain ones
            args, kwargs = cast("Any", agent_types).handle_agent_input_types(*args, **kwargs)
        with self._lock:
            shown = [self._shown(value) for value in args], {k: self._shown(v) for k, v in kwargs.items()}
            arguments = bind_arguments(self, *shown)
            call_id = self._calls.announce(self.name, arguments)
            [outcome] = self._calls.run([PendingCall(call_id, self, arguments)])
            if outcome.fault is not None:
                raise outcome.fault
            result, self._result = self._result, None
        return (
            agent_types.handle_agent_output_types(result, self.output_type)
            if sanitize_inputs_outputs
            else result
        )

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("such a call is made with a context")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> Any:
        values = {name: self._objects.get(str(value), value) for name, value in arguments.items()}
        self._objects.clear()
        self._result = self._run(context, values)
        if isinstance(self._result, Image.Image):
            return self._add_picture(self._result, context)
        return _sendable(self._result)

    def _add_picture(self, image: Image.Image, context: ToolContext) -> str:
        """Put a picture into the chat's folder, where code can open it, and return its name."""
        data = png_bytes(image)
        name = context.add_file("image.png", data)
        if self._images is not None:  # the same picture may be the answer, too
            self._images.know(data, name)
        return name

    def _run(self, context: ToolContext, arguments: Mapping[str, Any]) -> Any:
        return self.inner(**arguments)

    def _shown(self, value: Any) -> JsonValue:
        """Return an argument as data for the log and the person asked; an object is replaced by its description."""
        try:
            return json.loads(json.dumps(value, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            text = f"<{type(value).__name__} {len(self._objects) + 1}>"
            self._objects[text] = value
            return text


class JailedInterpreter(SuppliedTool):
    """smolagents' tool for running Python, whose code runs in the sandbox instead of the server."""

    def __init__(self, inner: Any, approval: Approval | None = None) -> None:
        super().__init__(inner, approval or "never")
        self.cells: Cells | None = None
        """Runner of the code, in a run."""

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> Any:
        assert self.cells is not None, "this tool was built for its description only"
        result = self.cells.run(str(arguments["code"]))
        self._result = str(result)
        return result


class SuppliedMember(SuppliedTool):
    """A managed agent as its manager calls it; its run nests in the call. Its tools ask, the call itself does not."""

    def __init__(
        self,
        inner: Any,
        equip: Callable[[Any, RunContext, str], AbstractContextManager[object]] | None = None,
        approval: Approval | None = None,
    ) -> None:
        """Set up the member; `equip(agent, context, call_id)` gives the agent its parts for one call."""
        super().__init__(inner, approval or "never")
        self._equip = equip

    def _run(self, context: ToolContext, arguments: Mapping[str, Any]) -> Any:
        assert self._equip is not None, "this agent was built for its description only"
        arguments = {name: value for name, value in arguments.items() if value is not None}
        with self._equip(self.inner, context.nested(self.name), context.call_id):
            answer = self.inner(**arguments)
        context.stop.check()
        return AgentAnswer(answer) if isinstance(answer, str) else answer


def _sendable(result: Any) -> Any:
    """Return a result as the log and code in the sandbox get it: tables as rows, other data as it is, the rest as text."""
    if isinstance(result, str):
        return result
    try:
        frame: dict[str, Any] = encoded(result)
    except (TypeError, ValueError, RecursionError):
        return str(result)
    return Rows(frame["columns"], frame["rows"]) if frame["kind"] == "rows" else frame["value"]


def png_bytes(image: Image.Image) -> bytes:
    """Return an image as a PNG file."""
    content = io.BytesIO()
    with contextlib.suppress(AttributeError):
        image = image.to_raw()  # pyright: ignore # smolagents' AgentImage has no pixels of its own
    image.save(content, "PNG")
    return content.getvalue()
