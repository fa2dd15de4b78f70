"""Base of the desk's tools: a smolagents `Tool` that also declares where it runs and who must approve.

To add a tool, subclass `DeskTool`, give it smolagents' four class attributes and a typed `forward`, and list it in
`catalogue.py`. Its description is a prompt: state its purpose, its defaults and one example, since the signature a
model sees shows neither which arguments are optional nor their defaults.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Protocol

from pydantic import JsonValue
from smolagents import Tool

from smoldesk.tools.run_context import ToolContext

Approval = Literal["never", "once", "always"]


class DeskTool(Tool):
    """A tool with a policy; cheap to build for each run.

    `runs_on`: "host" in the server, "client" on the page. `approval`: whether a person is asked before a
    call: never, once a run, or always. An operator's setting and what the chat allowed come before it. `external_description`
    is what a person who is asked reads of a tool that is not the desk's.
    """

    runs_on: ClassVar[Literal["host", "client"]] = "host"
    approval: ClassVar[Approval] = "never"
    is_demo: ClassVar[bool] = False
    """Whether agents have the tool only if their entry names it; see agents/entries.py."""
    plays_live: ClassVar[bool] = False
    """Whether it is called when a run is played again (reruns): it changes nothing outside of the chat's folder and map."""
    is_recorded: ClassVar[bool] = False
    """Whether it only returns recorded results."""
    external_description: str | None = None
    inputs: ClassVar[dict[str, dict[str, Any]]]  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init_subclass__(cls, **options: Any) -> None:
        """Check new tools as smolagents does; a class without a constructor has its base's, which checks already."""
        if "__init__" in cls.__dict__:
            super().__init_subclass__(**options)

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        """Raise BadInput for a call that would fail anyway, before a person is asked."""

    def check_edited(self, arguments: Mapping[str, JsonValue]) -> None:
        """Raise BadInput for arguments of a person that would fail: the call then still waits for an answer."""
        self.check(arguments)

    def reads_only(self, arguments: Mapping[str, JsonValue]) -> bool:
        """Return True for a call that provably changes nothing: it needs no approval, unless the operator requires it."""
        return False

    def run_call(self, call_id: str, arguments: dict[str, JsonValue]) -> Any:
        """Do the work of one call; `call_id` is unique in the chat, for work that must be done exactly once."""
        forward: Any = self.forward  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return forward(**arguments)

    def validate_arguments(self) -> None:
        """smolagents' check of names, types and signature, once per class: it costs more than a build."""
        cls: type[Any] = type(self)
        if "_validated" not in cls.__dict__:
            super().validate_arguments()
            cls._validated = True


class ClientTool(DeskTool):
    """Work that only the client can do. The call waits `client_seconds` for a client that does it.

    `forward` is never called; it is there for smolagents, which reads the signature.
    """

    runs_on: ClassVar[Literal["host", "client"]] = "client"
    client_seconds: ClassVar[float] = 60

    def received(self, value: JsonValue) -> Any:
        """Return the call's result from a client's value. Raises BadInput for an invalid one."""
        raise NotImplementedError


class RunningCall(Protocol):
    """A call that is under way elsewhere."""

    def end(self) -> Any:
        """Hear it out: its result, or what the call raises."""
        ...

    def drop(self) -> None:
        """Abandon the call: its result has no receiver. Raises nothing."""
        ...


class LongTool(DeskTool):
    """Work on the host that takes long: it speaks while it is done, and may ask.

    `forward` is never called; it is there for smolagents, which reads the signature.
    """

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> Any:
        """Run one call. The model reads the text of its exception; Stopped ends the run."""
        raise NotImplementedError

    def begin(self, context: ToolContext, arguments: dict[str, JsonValue]) -> RunningCall | None:
        """Start a call that may run next to other calls of its step; return None for one that keeps its place in the
        order.
        """
        return None


class ClientToolFailed(Exception):
    """The client could not do the work, would not, or none was there."""
