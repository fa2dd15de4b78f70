"""SharedTries: wrong passkeys or tokens that the servers of one database count together."""

from collections.abc import Callable

from smoldesk.store import wrong_tries
from smoldesk.store.store import Store
from smoldesk.store.wrong_tries import WrongTries, key_of


class SharedTries:
    """Tries of one kind (`passkey`, `token`); names are member ids or addresses. All raise DeskError("store_fault")."""

    def __init__(self, store: Store, kind: str, quiet_seconds: float) -> None:
        """`quiet_seconds` without a wrong try start a name over."""
        self._store = store
        self._kind = kind
        self._quiet = quiet_seconds

    @classmethod
    def of(cls, store: Store, kind: str, quiet_seconds: float) -> "SharedTries | None":
        """Return the tries of a shared database; None for one that a single server uses, which counts in memory."""
        return cls(store, kind, quiet_seconds) if store.shared else None

    async def read(self, name: str) -> WrongTries:
        """Return the wrong tries of a name."""
        key = key_of(self._kind, name)
        return await self._store.aread(lambda connection: wrong_tries.read_tries(connection, key))

    async def reserve(self, name: str, pause: Callable[[int], float]) -> float:
        """Count a try before it is checked and return 0, or the seconds until it may be; see reserve_try."""
        key = key_of(self._kind, name)
        return await self._store.do(lambda tx: wrong_tries.reserve_try(tx, key, pause, self._quiet))

    async def add(self, name: str, count: int) -> WrongTries:
        """Count wrong tries that were checked; return all of the name."""
        key = key_of(self._kind, name)
        return await self._store.do(lambda tx: wrong_tries.add_tries(tx, key, count, self._quiet))

    async def forget(self, name: str) -> None:
        """Forget the wrong tries of a name."""
        key = key_of(self._kind, name)
        await self._store.do(lambda tx: wrong_tries.forget_tries(tx, key))
