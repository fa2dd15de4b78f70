"""Re-runs: a run of the log is played again with its recorded replies, in a hidden chat, without asking a model.

- `reruns`: `Reruns`, which plays runs as real runs (spec/reference/reruns.md).
- `recorded_turns`: what a run is played from, and which earlier runs its code depends on.
- `replays`: the result.
"""

from smoldesk.reruns.recorded_turns import RecordedTurn, select_turns
from smoldesk.reruns.replays import Replay, ReplayFailed
from smoldesk.reruns.reruns import LiveModel, Reruns

__all__ = ["LiveModel", "RecordedTurn", "Replay", "ReplayFailed", "Reruns", "select_turns"]
