"""Settings of an MCP server, from agents.toml or from a person in the page: parsed, with every mistake reported. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, cast, get_args
from urllib.parse import urlsplit

Approval = Literal["never", "once", "always"]
APPROVALS = get_args(Approval)
NAME = re.compile(r"[a-z][a-z0-9_-]{0,29}")
NAME_FORM = "a letter of a-z, then a-z, 0-9, _ and -, at most 30 in all"
TIMEOUT = 60.0
# Where an address's page of authorisation leads back to.
CALLBACK = "/api/mcp-callback"
LONGEST_TIMEOUT = 3_600.0
# Characters of one text, and of all variables of a server together.
LONGEST = 8_000
MOST = 200
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADER = re.compile(r"[A-Za-z0-9-]{1,100}")
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|PWD|AUTH(?!ORS?$|OR_)|CRED|COOKIE|DSN|PAT$", re.IGNORECASE)
# Values of such headers occur in all messages: application/json. Hiding them would change every message.
_PLAIN_HEADER = re.compile(r"Accept.*|Content-.*|User-Agent|Origin|Referer|Cache-Control", re.IGNORECASE)
_RANDOM = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+=_-]{20,}")
_LOADER = ("LD_", "DYLD_")
OF_PROGRAMS = ("command", "args", "env", "readable", "writable", "network")
OF_ADDRESSES = ("url", "headers", "token_env")
# What gives a server something of this machine: the operator says it, no person in the page.
FILE_ONLY = ("readable", "writable", "token_env")


@dataclass(frozen=True)
class ServerEntry:
    """One server: a program (`command`) or an address (`url`). `env` and `headers` may hold secrets, and are shown nowhere.

    `tools` are those that agents may use, by the server's names; None means all. `approval` is the operator's word over the
    server's own, for all tools or by name. `timeout` is how long a call may say nothing, in seconds. `protocol` "legacy" is for
    servers that ask in the middle of a call, which MCP of 2026-07-28 does otherwise.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    network: bool = False
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    token_env: str = ""
    tools: tuple[str, ...] | None = None
    approval: Approval | Mapping[str, Approval] | None = None
    timeout: float = TIMEOUT
    protocol: Literal["auto", "legacy"] = "auto"
    description: str = ""

    def approval_of(self, tool: str) -> Approval | None:
        """Return the entry's approval of one tool, or None."""
        if self.approval is None or isinstance(self.approval, str):
            return self.approval
        return self.approval.get(tool)

    def secrets(self) -> list[str]:
        """Return the values to hide in all output."""
        return [value for value in (*self.env.values(), *self.headers.values()) if len(value) >= 4]

    def credentials(self) -> list[str]:
        """Return the values that look like credentials, and each word of them ("Bearer ...")."""
        secret = [
            value
            for name, value in self.env.items()
            if ("@" in value if "://" in value else _SECRET_NAME.search(name) or _RANDOM.fullmatch(value))
        ]
        secret += [value for name, value in self.headers.items() if not _PLAIN_HEADER.fullmatch(name)]
        return [word for value in secret for word in (value, *value.split())]

    def roots(self) -> list[Path]:
        """Return its granted folders, as an answer to `roots/list`.

        Empty where its arguments name paths: servers replace those by the roots, and would work on more folders.
        """
        if any(arg.startswith("/") or "=/" in arg for arg in self.args):
            return []
        return [path for path in map(Path, (*self.writable, *self.readable)) if path.is_dir()]

    @property
    def place(self) -> str:
        """The address or command line, for the page."""
        return self.url or " ".join((self.command, *self.args))


def is_of(tool: str, servers: Iterable[str]) -> bool:
    """Return whether a tool of this name would be one of these servers', running or not."""
    return any(tool.startswith(f"{server.replace('-', '_')}_") for server in servers)


# (key, problem); the key is empty if the problem concerns the whole entry.
Mistake = tuple[str, str]


def read_entry(
    name: str, values: Mapping[str, Any], of_file: bool
) -> tuple[ServerEntry | None, list[Mistake]]:
    """Return the entry, or None and its mistakes. `of_file`: it is from agents.toml, so the operator wrote it."""
    allowed = [key for key in _FORMS if of_file or key not in FILE_ONLY]
    mistakes: list[Mistake] = []
    if not NAME.fullmatch(name):
        mistakes.append(("", f"a name is {NAME_FORM}."))
    for key, value in values.items():
        if key not in allowed:
            mistakes.append((key, f"there is no such key; expected {', '.join(allowed)}."))
        elif not _FORMS[key][0](value):
            mistakes.append((key, f"expected {_FORMS[key][1]}."))
    if ("command" in values) == ("url" in values):
        mistakes.append(("", "expected either command (a program) or url (an address)."))
    strange = OF_ADDRESSES if "command" in values else OF_PROGRAMS
    mistakes += [(key, f"it goes with {strange[0]} only.") for key in values if key in strange[1:]]
    if mistakes:
        return None, mistakes
    fields_ = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}  # pyright: ignore
    return ServerEntry(name, **cast("dict[str, Any]", fields_)), []


def entry_data(entry: ServerEntry) -> dict[str, Any]:
    """Return an entry as data, without its secrets, for `read_entry`."""
    plain = {
        field.name: getattr(entry, field.name)
        for field in fields(entry)
        if field.name not in ("name", "env", "headers")
    }
    default = ServerEntry(entry.name)
    changed_fields = {key: value for key, value in plain.items() if value != getattr(default, key)}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in changed_fields.items()}  # pyright: ignore


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value and len(value) <= LONGEST


def _is_name(value: Any) -> bool:
    return _is_text(value) and bool(value.strip())


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST and all(map(_is_text, value))  # pyright: ignore


def _are_folders(value: Any) -> bool:
    return _are_texts(value) and all(Path(path).is_absolute() and path != "/" for path in value)


def _fits(value: Any, name: re.Pattern[str]) -> bool:
    if not isinstance(value, dict):
        return False
    mapping = cast("dict[str, Any]", value)
    size = sum(len(key) + len(str(text)) for key, text in mapping.items())
    return size <= LONGEST and all(
        name.fullmatch(key) and _is_text(text) and not {"\r", "\n"} & set(text)
        for key, text in mapping.items()
    )


def _is_env(value: Any) -> bool:
    return _fits(value, _VARIABLE) and not any(key.startswith(_LOADER) for key in value)


def _is_url(value: Any) -> bool:
    try:
        parts = urlsplit(value if isinstance(value, str) else "")
        return (
            _is_text(value)
            and parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not parts.username
        )
    except ValueError:
        return False


def _is_approval(value: Any) -> bool:
    if isinstance(value, dict):
        return all(
            _is_name(key) and approval in APPROVALS for key, approval in cast("dict[str, Any]", value).items()
        )
    return value in APPROVALS


def _is_timeout(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= LONGEST_TIMEOUT


_FORMS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "command": (_is_name, "the name or the path of a program"),
    "args": (_are_texts, f"a list of at most {MOST} texts"),
    "env": (_is_env, "a table of texts by names of variables, none of them the loader's (LD_...)"),
    "readable": (_are_folders, "a list of absolute paths, not /"),
    "writable": (_are_folders, "a list of absolute paths, not /"),
    "network": (lambda value: isinstance(value, bool), "true or false"),
    "url": (_is_url, "an address: http:// or https://, without a name or password in it"),
    "headers": (lambda value: _fits(value, _HEADER), "a table of texts by names of headers"),
    "token_env": (
        lambda value: isinstance(value, str) and bool(_VARIABLE.fullmatch(value)),
        "the name of a variable of the environment that holds its token",
    ),
    "tools": (
        lambda value: _are_texts(value) and len(value) == len(set(value)),
        "a list of names of its tools, each once",
    ),
    "approval": (_is_approval, "never, once or always, or a table of these by names of its tools"),
    "timeout": (_is_timeout, f"seconds, from 1 to {LONGEST_TIMEOUT:g}"),
    "protocol": (lambda value: value in ("auto", "legacy"), "auto or legacy"),
    "description": (_is_text, "a text"),
}
