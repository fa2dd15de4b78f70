"""Tools that a client brings with its message: declared to the agent, run by the client, which gives back what they return."""

from typing import Any, ClassVar

from pydantic import JsonValue
from smolagents.tools import AUTHORIZED_TYPES

from smoldesk.store.run_options import GivenTool
from smoldesk.tools.policy import ClientTool


class ToolOfClient(ClientTool):
    """One of them. Its client waits for its person, perhaps, before it answers: so the call waits long."""

    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "any"
    client_seconds: ClassVar[float] = 600

    def __init__(self, given: GivenTool) -> None:
        self.name = given.called
        self.description = given.description or f"A tool of the client: {given.name}."
        self.inputs = inputs_of(given.parameters)  # pyright: ignore[reportAttributeAccessIssue]
        super().__init__()

    def validate_arguments(self) -> None:
        """Nothing: it has no signature, and what declares it was read by `inputs_of`."""

    def forward(self) -> None:
        raise NotImplementedError

    def received(self, value: JsonValue) -> JsonValue:
        return value


def inputs_of(schema: dict[str, JsonValue]) -> dict[str, dict[str, Any]]:
    """smolagents' `inputs` of a JSON schema: its properties, `any` where a type is none that smolagents knows. Pure."""
    properties, required = schema.get("properties"), schema.get("required")
    must = required if isinstance(required, list) else []
    found: dict[str, dict[str, Any]] = {}
    for name, value in (properties if isinstance(properties, dict) else {}).items():
        told: dict[str, Any] = dict(value) if isinstance(value, dict) else {}
        kind = told.get("type")
        told.pop("anyOf", None)
        told["type"] = kind if isinstance(kind, str) and kind in AUTHORIZED_TYPES else "any"
        told["description"] = str(told.get("description", ""))
        if name not in must:
            told["nullable"] = True
        found[name] = told
    return found
