"""What every tool of the desk is: a smolagents `Tool` that also says where it runs and who must agree.

To add a tool, subclass `DeskTool`, give it smolagents' four class attributes and a typed `forward`, and
list it in `catalogue.py`. Its description is a prompt: say what it does, its defaults and one example,
since the signature a model sees shows neither which arguments may be left out nor what they are then.
"""

from typing import Any, ClassVar, Literal

from smolagents import Tool


class DeskTool(Tool):
    """A tool with a policy; cheap to build for each run.

    `runs_on`: "host" in the server, "client" on the page. `approval`: whether a person is asked before a
    call.
    """

    runs_on: ClassVar[Literal["host", "client"]] = "host"
    approval: ClassVar[Literal["never", "once", "always"]] = "never"
    inputs: ClassVar[dict[str, dict[str, Any]]]  # pyright: ignore[reportIncompatibleVariableOverride]

    def validate_arguments(self) -> None:
        """smolagents' check of names, types and signature, once per class: it costs more than a build."""
        cls: type[Any] = type(self)
        if "_validated" not in cls.__dict__:
            super().validate_arguments()
            cls._validated = True
