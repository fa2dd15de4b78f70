"""What the client of one run chose for it, beyond its message; kept with the run's row."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, JsonValue


class RunOptions(BaseModel):
    """None means what the chat or the settings say. `agent` is a name of the desk's list of agents.

    `order` is that of the tool calls of one step, for a tools agent. `metadata` is the client's own: kept and given back.
    """

    model_config = ConfigDict(frozen=True)

    agent: str | None = None
    order: Literal["together", "one_by_one"] | None = None
    metadata: dict[str, JsonValue] | None = None

    def kept(self) -> str | None:
        """As the column holds it: nothing when nothing was chosen."""
        return self.model_dump_json(exclude_none=True) if self != NO_CHOICE else None

    @classmethod
    def read(cls, kept: str | None) -> "RunOptions":
        return cls.model_validate_json(kept) if kept else NO_CHOICE


NO_CHOICE = RunOptions()
