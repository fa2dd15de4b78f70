"""Tools that the client of a run brought with its message, and does itself: the agent calls them, the client answers."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

from pydantic import JsonValue
from smolagents.tools import AUTHORIZED_TYPES

from smoldesk.errors import BadInput
from smoldesk.store.run_options import ClientToolSpec
from smoldesk.tools.policy import ClientTool, DeskTool


class DeclaredClientTool(ClientTool):
    """A client's own tool; what the client sends is what the call returns."""

    skip_forward_signature_validation = True
    client_seconds: ClassVar[float] = 600
    name = "given_tool"
    description = ""
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "any"

    def __init__(self, spec: ClientToolSpec) -> None:
        self.name = spec.name
        self.description = spec.description or f"{spec.name}, a tool of the person's front end."
        self.inputs = inputs_of(spec.parameters)  # pyright: ignore[reportAttributeAccessIssue]
        super().__init__()

    def validate_arguments(self) -> None:
        """Skip smolagents' check: the wire has checked the name, and `inputs_of` makes the inputs."""

    def forward(self) -> None:
        raise NotImplementedError

    def received(self, value: JsonValue) -> JsonValue:
        return value


def inputs_of(schema: Mapping[str, JsonValue]) -> dict[str, dict[str, Any]]:
    """Return the properties of a JSON Schema as a tool's inputs; a type unknown to smolagents becomes `any`."""
    properties, required = schema.get("properties"), schema.get("required")
    needed = required if isinstance(required, list) else []
    inputs: dict[str, dict[str, Any]] = {}
    for name, spec in (properties if isinstance(properties, dict) else {}).items():
        input_schema = cast("dict[str, Any]", spec) if isinstance(spec, dict) else {}
        kind, description = input_schema.get("type"), input_schema.get("description")
        inputs[name] = input_schema | {
            "type": kind if isinstance(kind, str) and kind in AUTHORIZED_TYPES else "any",
            "description": description if isinstance(description, str) else "",
        }
        if name not in needed:
            inputs[name]["nullable"] = True
    return inputs


def client_tools(specs: Sequence[ClientToolSpec], desk_tools: Sequence[DeskTool]) -> list[DeskTool]:
    """Return the client's tools; for a client tool of the desk, the desk's own is used.

    Raises BadInput for one with the name of another tool of the desk, which it would hide.
    """
    tools_by_name = {tool.name: tool for tool in desk_tools}
    for spec in specs:
        if spec.name in tools_by_name and not isinstance(tools_by_name[spec.name], ClientTool):
            raise BadInput(
                f"The client brings a tool {spec.name!r}, and the desk has one of that name.",
                "Give it another name.",
                code="tool_name_taken",
            )
    return [DeclaredClientTool(spec) for spec in specs if spec.name not in tools_by_name]
