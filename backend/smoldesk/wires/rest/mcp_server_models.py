"""Models of the routes of MCP servers."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, SecretStr

from smoldesk.messages import Shape
from smoldesk.tools.mcp_servers.connection import State

Text = Annotated[str, Field(max_length=8_000)]
Hidden = Annotated[SecretStr, Field(max_length=8_000)]
Name = Annotated[str, Field(min_length=1, max_length=100)]


class ServerToolInfo(Shape):
    """Tool of a server: `tool` is the server's name of it, `name` that for agents; if empty, `problem` has the reason.

    `description` is the server's text. `approval` tells when a person is asked: never, once per run, always.
    """

    tool: str
    name: str
    description: str
    approval: str
    problem: str


class ServerItemInfo(Shape):
    """Resource with its URI or URI template, or prompt with the names of its arguments."""

    name: str
    address: str
    description: str
    arguments: list[str]


class McpServerInfo(Shape):
    """Current state of a server. `place` is its command line or address; variables and headers are listed by name only.

    `state`: off, idle (starts when needed), starting, ready, authorize (a person must authorise the desk), failed;
    `problem` has the last error. `information` is the server's name and version.
    """

    name: str
    description: str
    place: str
    is_program: bool
    state: State
    problem: str
    information: str
    isolated: bool
    network: bool
    variables: list[str]
    removable: bool
    tools: list[ServerToolInfo]
    resources: list[ServerItemInfo]
    prompts: list[ServerItemInfo]


class McpServerList(Shape):
    """Servers, the operator's first. `may_change` if users of this desk may add, switch and remove them."""

    servers: list[McpServerInfo]
    may_change: bool


class NewMcpServer(Shape):
    """Body of POST /api/mcp-servers: `command` with `args`, `env` and `network`, or `url` with `headers`."""

    model_config = ConfigDict(hide_input_in_errors=True)

    name: Annotated[str, Field(min_length=1, max_length=30)]
    command: Text | None = None
    args: Annotated[list[Text] | None, Field(max_length=200)] = None
    env: Annotated[dict[Name, Hidden] | None, Field(max_length=100)] = None
    network: bool | None = None
    url: Text | None = None
    headers: Annotated[dict[Name, Hidden] | None, Field(max_length=100)] = None
    tools: Annotated[list[Text] | None, Field(max_length=200)] = None
    approval: Literal["never", "once", "always"] | None = None
    timeout: Annotated[float | None, Field(ge=1, le=3_600)] = None
    protocol: Literal["auto", "legacy"] | None = None
    description: Text | None = None


class McpServerChange(Shape):
    """Body of PATCH /api/mcp-servers/{name}."""

    enabled: bool


class AuthorizationPage(Shape):
    """Page of the authorisation server that a person must open."""

    url: str


class PromptRequest(Shape):
    """Body of POST /api/mcp-servers/{name}/prompts: a prompt and its arguments."""

    prompt: Annotated[str, Field(min_length=1, max_length=1_000)]
    arguments: Annotated[dict[Name, Text], Field(max_length=50)] = Field(default_factory=dict)


class PromptText(Shape):
    """Text of a prompt, which is not sent to the chat yet."""

    text: str
