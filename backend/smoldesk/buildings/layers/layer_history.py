"""History of a live layer: frames of a fixed length in time, each with the latest value of each room. Bounded. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from smoldesk.buildings.layers.rows import RoomValue, time_text
from smoldesk.buildings.palettes import Scale, scale_for
from smoldesk.buildings.places import Spot

MAX_FRAMES = 240
# Maximum values of all frames: 1,000 rooms have 120 frames.
MAX_VALUES = 120_000
# Shares of the range beyond which the colours follow: a scale that moves with every value cannot be read.
_MARGIN = 0.1


@dataclass
class FrameValues:
    """Values of one frame by room: time, value, and the version of the history they came with."""

    values: dict[Spot, tuple[float, float, int]] = field(default_factory=dict[Spot, tuple[float, float, int]])
    version: int = 0


class LayerHistory:
    """Frames by their start in seconds since the epoch, a multiple of `step`. The oldest ones are dropped.

    `rooms` has the last frame with a value of each room. That value stays as long as the history: a quiet sensor's last
    value passes into the next frame when its own is dropped.
    """

    def __init__(
        self, step: int = 1, palette: str = "viridis", low: float | None = None, high: float | None = None
    ):
        self.step = step
        self.palette = palette
        self.version = 0
        # Frames before this one were dropped: 0 when none was.
        self.start = 0
        self.frames: dict[int, FrameValues] = {}
        self.last_time: float | None = None
        self.rooms: dict[Spot, int] = {}
        self._fixed = low, high
        self._range: tuple[float, float] | None = None

    def add(self, readings: Iterable[tuple[Spot, RoomValue]]) -> tuple[set[int], int]:
        """Add readings; return the frames that changed, and how many readings are older than the history.

        Of two values of a room in one frame the later one counts, of equal times the one that came last.
        """
        self.version += 1
        changed: set[int] = set()
        too_old = 0
        oldest = min(self.frames) if self._is_full() else None
        for spot, (_, time, value) in readings:
            at = self._start_of(time)
            if oldest is not None and at < oldest:
                too_old += 1
            elif self._put(at, spot, time, value):
                changed.add(at)
        changed |= self._drop_oldest()
        return changed & self.frames.keys(), too_old

    def frame_text(self, at: int) -> str:
        """Return a frame as JSON, for `restore`."""
        floors: dict[str, dict[str, tuple[float, float]]] = {}
        for (floor, room), (time, value, _) in self.frames[at].values.items():
            floors.setdefault(floor, {})[room] = (time, value)
        return json.dumps(floors, ensure_ascii=False, separators=(",", ":"))

    def restore(self, frames: Iterable[tuple[int, str]]) -> None:
        """Add stored frames by their starts, the oldest first."""
        self.version += 1
        for start, text in frames:
            floors: Mapping[str, Mapping[str, tuple[float, float]]] = json.loads(text)
            for floor, rooms in floors.items():
                for room, (time, value) in rooms.items():
                    # A value that passed into this frame is older than it.
                    self._put(self._start_of(max(time, start)), (floor, room), time, value)
        self._drop_oldest()

    def times(self) -> list[int]:
        """Return the starts of the frames, the oldest first."""
        return sorted(self.frames)

    def since(self, version: int, until: int) -> dict[int, Mapping[Spot, float]]:
        """Return the values that came after a version, and not after another, by frame, the oldest first."""
        changed = [at for at in self.times() if self.frames[at].version > version]
        frames = {
            at: {
                spot: value
                for spot, (_, value, of) in self.frames[at].values.items()
                if version < of <= until
            }
            for at in changed
        }
        return {at: values for at, values in frames.items() if values}

    def latest(self) -> dict[Spot, float]:
        """Return the last value of each room."""
        return {spot: value for at in self.times() for spot, (_, value, _) in self.frames[at].values.items()}

    def scale(self) -> Scale | None:
        """Return the colours of the values; None without any."""
        if self._range is None:
            return None
        low, high = self._fixed
        ends = [self._range[0] if low is None else low, self._range[1] if high is None else high]
        return scale_for(ends, self.palette)

    def time_text(self) -> str:
        """Return the last time in ISO 8601, in UTC; empty without values."""
        return "" if self.last_time is None else time_text(self.last_time)

    def _start_of(self, time: float) -> int:
        return int(time // self.step) * self.step

    def _put(self, at: int, spot: Spot, time: float, value: float) -> bool:
        """Put a value into a frame; False if that has a later one."""
        frame = self.frames.setdefault(at, FrameValues())
        before = frame.values.get(spot)
        if before is not None and before[0] > time:
            return False
        frame.values[spot] = (time, value, self.version)
        frame.version = self.version
        self.rooms[spot] = max(at, self.rooms.get(spot, at))
        self._widen(value)
        self.last_time = max(self.last_time or 0.0, time)
        return True

    def _widen(self, value: float) -> None:
        if self._range is None:
            self._range = (value, value)
            return
        low, high = self._range
        if low <= value <= high:
            return
        margin = _MARGIN * (max(high, value) - min(low, value))
        self._range = (value - margin if value < low else low, value + margin if value > high else high)

    def _is_full(self) -> bool:
        values = sum(len(frame.values) for frame in self.frames.values())
        return len(self.frames) > 1 and (len(self.frames) >= MAX_FRAMES or values >= MAX_VALUES)

    def _drop_oldest(self) -> set[int]:
        """Drop what is too much; return the frames into which last values of quiet rooms passed."""
        changed: set[int] = set()
        times = self.times()
        values = sum(len(frame.values) for frame in self.frames.values())
        for at, following in pairwise(times):
            if len(self.frames) <= MAX_FRAMES and values <= MAX_VALUES:
                break
            dropped = self.frames.pop(at).values
            self.start = following
            quiet = [spot for spot in dropped if self.rooms[spot] == at]
            for spot in quiet:
                time, value, _ = dropped[spot]
                self._put(following, spot, time, value)
            if quiet:
                changed.add(following)
            values -= len(dropped) - len(quiet)
        return changed
