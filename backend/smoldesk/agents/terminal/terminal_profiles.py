"""Profiles of terminal programs: one YAML file each, read into a frozen `Profile`. Keys: spec/reference/terminals.md.

Six are shipped in `profiles/`. Unknown keys are refused with their place: a profile that is understood in part would hang
a run instead.
"""

import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from smoldesk.errors import BadInput, NotFound

FOLDER = Path(__file__).parent / "profiles"
# Bytes of a profile's file.
LARGEST_FILE = 64 * 1024


def _regex(text: str) -> str:
    try:
        re.compile(text)
    except re.error as fault:
        raise ValueError(f"expected a regular expression: {fault}") from None
    return text


def _check_command_line(text: str) -> str:
    try:
        arguments = shlex.split(text)
    except ValueError as fault:
        raise ValueError(f"expected words as in a shell: {fault}") from None
    if not arguments:
        raise ValueError("expected a program's name")
    return text


Regex = Annotated[str, AfterValidator(_regex)]


class Part(BaseModel):
    """Base of a profile's parts: frozen, and strict about keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Startup(Part):
    """Start of a program: ready for input when its last line matches `ready`, or after `seconds`."""

    ready: Regex | None = None
    seconds: float = Field(default=10, gt=0, le=600)


class LongMessages(Part):
    """Long messages: one of more than `over` bytes goes into a file, and `type` is typed with its `{path}`."""

    over: int = Field(default=3000, ge=1, le=4000)
    type: str = Field(default="Read the file {path} and do what it says.", pattern=r"\{path\}")


# Text with the names of a message's files; empty: the program does not learn them.
Attachments = Annotated[str, Field(pattern=r"^$|\{names\}")]


class Idle(Part):
    """End of a run: the last line matches `pattern`, no output came for `seconds`, or both (hybrid)."""

    strategy: Literal["pattern", "timeout", "hybrid"] = "timeout"
    pattern: Regex | None = None
    seconds: float = Field(default=2, gt=0, le=3600)

    @model_validator(mode="after")
    def _has_its_pattern(self) -> "Idle":
        if self.strategy != "timeout" and self.pattern is None:
            raise ValueError(f"the strategy {self.strategy} needs a pattern")
        return self


class PromptPattern(Part):
    """Additional prompt of a program."""

    pattern: Regex
    type: Literal["confirmation", "selection", "text", "password"]
    options: tuple[str, ...] | None = None
    default: str | None = None


class InputDetection(Part):
    """Detection of prompts: on or off, the time that a prompt must stand, and patterns of the program's own."""

    enabled: bool = True
    settle_ms: int = Field(default=300, ge=0, le=60_000)
    additional_patterns: tuple[PromptPattern, ...] = ()


class Interrupt(Part):
    """Keys that stop the work at hand, and how often to type them."""

    keys: str = Field(default="\x03", min_length=1)
    times: int = Field(default=1, ge=1, le=10)


class Profile(Part):
    """Profile of a program. Times are seconds unless a key says otherwise."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")
    description: str = ""
    command: Annotated[str, AfterValidator(_check_command_line)]
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    env_from: tuple[str, ...] = ()
    submit: str = Field(default="\r", min_length=1)
    submit_delay_ms: int = Field(default=0, ge=0, le=10_000)
    startup: Startup = Startup()
    columns: int = Field(default=120, ge=20, le=500)
    rows: int = Field(default=40, ge=5, le=200)
    echo: bool = True
    newlines: Literal["space", "paste", "file"] = "space"
    long_messages: LongMessages = LongMessages()
    attachments: Attachments = ""
    idle: Idle = Idle()
    max_silence_seconds: float = Field(default=600, gt=0)
    input_detection: InputDetection = InputDetection()
    on_expiry: Literal["default", "interrupt"] = "default"
    interrupt: Interrupt = Interrupt()
    one_shot: bool = False
    stop_grace_seconds: float = Field(default=2, gt=0, le=60)

    def typed(self, message: str, names: Sequence[str]) -> str:
        """Return the input for a message with files."""
        if not names or not self.attachments:
            return message
        attached = self.attachments.replace("{names}", ", ".join(names))
        return f"{message}\n\n{attached}" if message.strip() else attached

    def argv(self) -> list[str]:
        """Return command and arguments; `{python}` is the desk's Python, `{terminal}` the folder of this module."""
        placeholders = {"{python}": sys.executable, "{terminal}": str(FOLDER.parent)}
        arguments = [*shlex.split(self.command), *self.args]
        return [
            re.sub(r"\{python\}|\{terminal\}", lambda match: placeholders[match[0]], word)
            for word in arguments
        ]


def shipped() -> list[str]:
    """Return the names of the shipped profiles."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def load_profile(name: str) -> Profile:
    """Read a shipped profile. Raises NotFound with the names of all."""
    if name not in shipped():
        raise NotFound(f"There is no profile {name[:60]!r}.", hint=f"Shipped: {', '.join(shipped())}.")
    return read_profile(FOLDER / f"{name}.yaml")


def read_profile(file: Path) -> Profile:
    """Read a profile from a YAML file; its name defaults to the file's. Raises NotFound, or BadInput with the place."""
    try:
        with file.open("rb") as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as fault:
        raise NotFound(f"The profile {file.name} cannot be read: {fault.strerror}.") from fault
    if len(content) > LARGEST_FILE:
        raise BadInput(f"{file.name} is too large for a profile.", hint=f"At most {LARGEST_FILE} bytes.")
    try:
        loaded: Any = yaml.safe_load(content)
    except (yaml.YAMLError, UnicodeDecodeError) as fault:
        raise BadInput(f"{file.name} is not valid YAML: {' '.join(str(fault).split())[:300]}.") from fault
    if not isinstance(loaded, dict):
        raise BadInput(
            f"{file.name} is not a profile.", hint="Expected keys and values, such as `command: bash`."
        )
    return profile_of({"name": file.stem, **loaded}, file.name)


def profile_of(values: dict[str, Any], place: str) -> Profile:
    """Build a profile from plain values. Raises BadInput with the place and every wrong key."""
    try:
        return Profile.model_validate(values)
    except ValidationError as fault:
        wrong = [f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in fault.errors()]
        raise BadInput(
            f"{place} is not a valid profile: {'; '.join(wrong)[:500]}.",
            hint="See spec/reference/terminals.md.",
        ) from fault
