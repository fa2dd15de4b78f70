"""Tools of MCP servers as the desk's: made for each run from what the server listed, called over its connection."""

import contextlib
from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.errors import BadInput, DeskError, Stopped
from smoldesk.tools.arguments import parameters_of, problem_with
from smoldesk.tools.mcp_servers.app_calls import AppCall
from smoldesk.tools.mcp_servers.apps import resource_of
from smoldesk.tools.mcp_servers.call_results import contents_of, value_of
from smoldesk.tools.mcp_servers.connection import ServerConnection
from smoldesk.tools.mcp_servers.run_asker import RunAsker, Sample
from smoldesk.tools.mcp_servers.schemas import described, inputs_of, name_of
from smoldesk.tools.policy import LongTool, RunningCall
from smoldesk.tools.run_context import ToolContext

READ_RESOURCE = "read_mcp_resource"
LONGEST_EXAMPLE = 200
# Characters of a description above the buttons of an approval.
MAX_APPROVAL_CHARACTERS = 300
# Resources of one server in a prompt.
LISTED = 30


class _OfServers(LongTool):
    """Base of both kinds: signatures are not checked, since they are the server's."""

    skip_forward_signature_validation = True
    name = "mcp_tool"
    description = ""
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "any"

    def __init__(self, ask_seconds: float, sample: Sample | None) -> None:
        self._ask_seconds = ask_seconds
        self._sample = sample
        super().__init__()

    def validate_arguments(self) -> None:
        """Skip smolagents' check: the schema was read already."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise AssertionError("such a call is made with a context")

    def asker(self, context: ToolContext, server: str) -> RunAsker:
        """Return the object that answers the server during one call."""
        return RunAsker(context, server, self._ask_seconds, self._sample)


class McpTool(_OfServers):
    """One tool of a server."""

    def __init__(
        self,
        connection: ServerConnection,
        tool_definition: Any,
        generations: dict[str, int],
        ask_seconds: float,
        sample: Sample | None = None,
    ) -> None:
        """Build the tool of a server's definition; `generations` are the starts of each server that the run has seen.
        Raises BadTool.
        """
        entry = connection.entry
        self.server = entry.name
        self.name = name_of(entry.name, tool_definition.name)
        self.description = described(entry.name, tool_definition.description)
        self.external_description = described(
            entry.name, tool_definition.description, MAX_APPROVAL_CHARACTERS
        )
        self.inputs = inputs_of(tool_definition.input_schema)  # pyright: ignore[reportAttributeAccessIssue]
        reads_only = (
            tool_definition.annotations is not None and tool_definition.annotations.read_only_hint is True
        )
        approval = entry.approval_of(tool_definition.name) or ("never" if reads_only else "once")
        self.approval = approval  # pyright: ignore[reportAttributeAccessIssue]
        self.called = tool_definition.name
        self.has_schema = tool_definition.output_schema is not None
        self.tool_definition = tool_definition
        self.view = resource_of(tool_definition)
        self.connection = connection
        self.generations = generations
        self._reads_only = reads_only
        super().__init__(ask_seconds, sample)

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        problem = problem_with(arguments, parameters_of(self.inputs))
        if problem is not None:
            raise BadInput(problem)

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> Any:
        """Call the tool. Raises McpFailed, BadInput, Stopped."""
        return _ServerCall(self, context, arguments).end()

    def begin(self, context: ToolContext, arguments: dict[str, JsonValue]) -> RunningCall | None:
        """Start a read-only call next to others; one that changes something keeps its place in the order. Raises as
        above.
        """
        return _ServerCall(self, context, arguments) if self._reads_only else None


class _ServerCall:
    """Implements BegunCall: one call of a tool, under way at its server from the beginning."""

    def __init__(self, tool: McpTool, context: ToolContext, arguments: dict[str, JsonValue]) -> None:
        """Start the call. Raises McpFailed, BadInput, Stopped."""
        tool.check(arguments)
        inputs = {
            name: value
            for name, value in arguments.items()
            if value is not None or not tool.inputs[name].get("nullable")
        }
        connection, generations = tool.connection, tool.generations
        if generations.setdefault(tool.server, connection.generation) != connection.generation or (
            connection.state == "failed"
        ):
            context.report_progress(
                tool.server, "running", f"The MCP server {tool.server!r} had ended and is started again.\n"
            )

        async def work(client: Any, progress: Any) -> Any:
            return await client.call_tool(tool.called, inputs, progress_callback=progress)

        self._tool = tool
        self._context = context
        self._asker = tool.asker(context, tool.server)
        self._app = AppCall(connection, tool.tool_definition, context, self._asker)
        if tool.view is not None:
            self._app.begin(tool.view, tool.name, inputs)
        with self._report_faults():
            self._started = connection.start(work, context.chat_id)

    def end(self) -> Any:
        """Wait for the result. Raises McpFailed, Stopped."""
        tool, context = self._tool, self._context
        with self._report_faults():
            result = tool.connection.wait_for_result(self._started, self._asker, context.stop)
        self._app.end(result)
        tool.generations[tool.server] = tool.connection.generation
        return value_of(result, tool.server, tool.called, tool.has_schema, context)

    def drop(self) -> None:
        self._tool.connection.drop(self._started)
        with contextlib.suppress(Stopped):
            self._app.broken("Stopped")

    @contextlib.contextmanager
    def _report_faults(self) -> Generator[None]:
        """Show errors in the view, too."""
        try:
            yield
        except DeskError as fault:
            self._app.broken(fault.message)
            raise


class ReadResource(_OfServers):
    """`read_mcp_resource`: what a server offers to be read, by its address."""

    name = READ_RESOURCE
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "server": {"type": "string", "description": "the server's name"},
        "uri": {"type": "string", "description": "the resource's address"},
    }
    output_type = "string"

    def __init__(self, connections: Sequence[ServerConnection], ask_seconds: float) -> None:
        self._connections = {connection.entry.name: connection for connection in connections}
        self.description = _resources(connections)
        super().__init__(ask_seconds, None)

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        if arguments.get("server") not in self._connections:
            raise BadInput(
                "There is no such server with resources.", f"Expected: {', '.join(self._connections)}."
            )
        if not isinstance(arguments.get("uri"), str):
            raise BadInput("There is no address.", "Expected `uri` as text.")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> str:
        """Read a resource. Raises McpFailed, BadInput, Stopped."""
        self.check(arguments)
        server, uri = str(arguments["server"]), str(arguments["uri"])

        async def work(client: Any, _progress: Any) -> Any:
            return await client.read_resource(uri)

        connection = self._connections[server]
        result = connection.call(work, context.chat_id, self.asker(context, server), context.stop)
        return "\n".join(contents_of(result.contents, server, context))


def _resources(connections: Sequence[ServerConnection]) -> str:
    lines = [
        "Reads a resource of an MCP server: text, or a file that is put into the chat's folder. Names are theirs."
    ]
    for connection in connections:
        resources = [f"{item.uri} ({str(item.name)[:80]})" for item in connection.features.resources[:LISTED]]
        resources += [
            f"{item.uri_template} ({str(item.name)[:80]})" for item in connection.features.templates[:LISTED]
        ]
        lines.append(f"{connection.entry.name}: {'; '.join(resources)[:4_000]}")
    first = next((connection for connection in connections if connection.features.resources), None)
    if first is not None and len(uri := str(first.features.resources[0].uri)) <= LONGEST_EXAMPLE:
        lines.append(f'Example: {READ_RESOURCE}(server="{first.entry.name}", uri="{uri}")')
    return "\n".join(lines)
