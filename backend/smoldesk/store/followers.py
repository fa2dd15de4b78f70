"""Readers of the log: each follows one chat from any seq, at its own pace.

The writer publishes each committed batch; followers are woken on their event loops. What a follower of a chat has not
read yet is cached in memory, up to a short tail; older events are read from the database, so a slow reader slows only
itself.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from smoldesk.events import StoredEvent
from smoldesk.store.wakers import Waker

# Events of a followed chat that are cached in memory, and their characters of JSON: an event may have a table.
TAIL = 512
TAIL_SIZE = 2_000_000


@dataclass(frozen=True)
class StopRequested:
    """Live notice without a place in the log: a request to stop this run."""

    run_id: str


@dataclass
class _Followed:
    tail: deque[StoredEvent] = field(default_factory=deque[StoredEvent])
    sizes: deque[int] = field(default_factory=deque[int])
    size: int = 0
    followers: set["Follower"] = field(default_factory=set)  # pyright: ignore[reportUnknownVariableType]

    def append(self, event: StoredEvent, size: int) -> None:
        """Add the newest event, and drop the oldest ones beyond the limits."""
        self.tail.append(event)
        self.sizes.append(size)
        self.size += size
        while len(self.tail) > TAIL or self.size > TAIL_SIZE:
            self._drop_oldest()

    def drop_read(self) -> None:
        """Drop what all followers have read: with many chats, the garbage collector would stop the server to scan it."""
        read = min(follower.position for follower in self.followers)
        while self.tail and self.tail[0].seq <= read:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        self.tail.popleft()
        self.size -= self.sizes.popleft()

    def clear(self) -> None:
        """Drop all events."""
        self.tail.clear()
        self.sizes.clear()
        self.size = 0


class Follower(Waker):
    """One reader of one chat; use it on the event loop that made it."""

    def __init__(self, chat_id: str, after: int) -> None:
        super().__init__()
        self.chat_id = chat_id
        self.position = after
        self.closed = False
        self.notices: deque[StopRequested] = deque(maxlen=16)


class Followers:
    """All followers of this process; `publish` is called by the writer's thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._chats: dict[str, _Followed] = {}

    def add(self, chat_id: str, after: int) -> Follower:
        """Wake this follower at every commit of its chat."""
        follower = Follower(chat_id, after)
        with self._lock:
            followed = self._chats.setdefault(chat_id, _Followed())
            followed.followers.add(follower)
        return follower

    def remove(self, follower: Follower) -> None:
        """Wake it no more."""
        with self._lock:
            followed = self._chats.get(follower.chat_id)
            if followed:
                followed.followers.discard(follower)
                if not followed.followers:
                    del self._chats[follower.chat_id]

    def recent(self, chat_id: str, after: int) -> list[StoredEvent] | None:
        """Return the events after a seq, when the tail still holds all of them; None when the database must be asked."""
        with self._lock:
            followed = self._chats.get(chat_id)
            # The tail may have dropped events between `after` and its first one, so a gap means the database.
            if followed is None or not followed.tail or followed.tail[0].seq > after + 1:
                return None
            # from the new end: what was read already is not looked at again
            return [*takewhile(lambda event: event.seq > after, reversed(followed.tail))][::-1]

    def publish(self, events: Sequence[StoredEvent], sizes: Sequence[int]) -> None:
        """Add committed events, with their sizes, to the tails and wake who follows, once per batch and loop."""
        awake: set[Follower] = set()
        with self._lock:
            for event, size in zip(events, sizes, strict=True):
                followed = self._chats.get(event.chat_id)
                if followed:
                    followed.drop_read()
                    if followed.tail and followed.tail[-1].seq + 1 != event.seq:
                        followed.clear()  # another server wrote in between
                    followed.append(event, size)
                    awake |= followed.followers
        Waker.wake(awake)

    def notify(self, chat_id: str, notice: StopRequested) -> None:
        """Send a live notice to the present followers of a chat."""
        self._each(chat_id, lambda follower: follower.notices.append(notice))

    def chats(self) -> list[str]:
        """Return the chats that have followers."""
        with self._lock:
            return list(self._chats)

    def invalidate(self, chat_ids: Iterable[str]) -> None:
        """Another server may have written to these chats: their followers ask the database."""
        for chat_id in chat_ids:
            with self._lock:
                followed = self._chats.get(chat_id)
                if followed is not None:
                    followed.clear()
            self._each(chat_id, lambda _: None)

    def behind(self, last_seqs: Mapping[str, int]) -> list[str]:
        """Return the chats in which a follower has not reached the chat's last seq."""
        with self._lock:
            return [
                chat_id
                for chat_id, last in last_seqs.items()
                if chat_id in self._chats
                and any(follower.position < last for follower in self._chats[chat_id].followers)
            ]

    def close(self, chat_id: str | None = None) -> None:
        """End the followers of one chat, or all of them."""
        with self._lock:
            chats = [chat_id] if chat_id is not None else list(self._chats)
        for chat in chats:
            self._each(chat, lambda follower: setattr(follower, "closed", True))

    def count(self) -> int:
        """Return the number of followers."""
        with self._lock:
            return sum(len(followed.followers) for followed in self._chats.values())

    def _each(self, chat_id: str, do: Callable[[Follower], object]) -> None:
        with self._lock:
            followed = self._chats.get(chat_id)
            awake = list(followed.followers) if followed else []
            for follower in awake:
                do(follower)
        Waker.wake(awake)
