"""Tools that a client does, for tests; `got` is the truth about what clients sent, in order."""

from typing import Any, ClassVar, Literal

from pydantic import JsonValue

from smoldesk.tools.policy import ClientTool


class Locating(ClientTool):
    """Where the browser is."""

    name = "get_location"
    description = "Tells where the person is."
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}
    output_type = "object"
    client_seconds: ClassVar[float] = 120

    def __init__(self, got: list[JsonValue]) -> None:
        super().__init__()
        self._got = got

    def forward(self) -> Any:
        raise NotImplementedError

    def received(self, value: JsonValue) -> Any:
        self._got.append(value)
        return value


class LocatingAfterYes(Locating):
    """Where the browser is, after a person agreed."""

    approval: ClassVar[Literal["never", "once", "always"]] = "always"


class ChangingMusic(Locating):
    """What the page plays."""

    name = "change_bgm"
    description = "Changes the music."
    inputs: ClassVar[dict[str, dict[str, Any]]] = {"track": {"type": "integer", "description": "which"}}

    def forward(self, track: int) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        raise NotImplementedError


class Waving(Locating):
    """Work that the page knows nothing of."""

    name = "wave"
    description = "Waves."
