"""What the routes of MCP servers take and answer."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, SecretStr

from smoldesk.messages import Shape
from smoldesk.tools.mcp_servers.connection import State

Text = Annotated[str, Field(max_length=8_000)]
Hidden = Annotated[SecretStr, Field(max_length=8_000)]
Name = Annotated[str, Field(min_length=1, max_length=100)]


class ServerToolInfo(Shape):
    """A tool by the server's name, and by the one that agents call it by; without that, `problem` says why they do not have it.

    `description` is the server's words. `approval`: whether a person is asked: never, once a run, always.
    """

    tool: str
    name: str
    description: str
    approval: str
    problem: str


class ServerItemInfo(Shape):
    """A resource by its address (which may be a template), or a prompt with the names of its arguments."""

    name: str
    address: str
    description: str
    arguments: list[str]


class McpServerInfo(Shape):
    """One server as it is now. `place` is its command line or address; of variables and headers only the names are told.

    `state`: off, idle (begun when needed), starting, ready, authorize (a person must let the desk in), failed; `problem` says
    what is or was wrong. `information` is what it calls itself.
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
    """The operator's first. `may_change`: this desk lets its people add, switch and remove them."""

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
    """The page elsewhere that a person is to open."""

    url: str


class PromptRequest(Shape):
    """Body of POST /api/mcp-servers/{name}/prompts: which, with its arguments."""

    prompt: Annotated[str, Field(min_length=1, max_length=1_000)]
    arguments: Annotated[dict[Name, Text], Field(max_length=50)] = Field(default_factory=dict)


class PromptText(Shape):
    """What the server says; nothing was sent yet."""

    text: str
