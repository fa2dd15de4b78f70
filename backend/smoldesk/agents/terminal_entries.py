"""The profile of a terminal agent: a shipped one by its name, or a file of the operator's below the data directory."""

from pathlib import Path
from typing import TYPE_CHECKING

from smoldesk.agents.entries import AgentEntry
from smoldesk.errors import BadInput

if TYPE_CHECKING:
    from smoldesk.agents.terminal.terminal_profiles import Profile


def profile_of(entry: AgentEntry, folder: Path) -> "Profile":
    """How the agent's program is driven, with the variables of the entry; `folder` is the data directory.

    Raises NotFound for one that is not there, BadInput for a path that leads elsewhere and for a file with mistakes.
    """
    from smoldesk.agents.terminal.terminal_profiles import load_profile, read_profile

    written = entry.profile or ""
    if not written.endswith((".yaml", ".yml")):
        profile = load_profile(written)
    else:
        path = (folder / written).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise BadInput(
                f"The profile {written[:80]!r} is not below the data directory.", "Expected a path in it."
            )
        profile = read_profile(path)
    return profile.model_copy(update={"env": {**profile.env, **entry.env}})
