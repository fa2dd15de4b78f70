"""Addresses at which clients want to be told of a run, kept with the run so that a restart still tells its end."""

from smoldesk.store import push_configs
from smoldesk.store.push_configs import PushConfig
from smoldesk.store.store import Store


class PushConfigs:
    """The push configurations of all runs of a desk."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def save(self, config: PushConfig) -> None:
        """Keep a configuration in place of one with its id. Raises NotFound without the run, Conflict beyond the most."""
        await self._store.do(lambda tx: push_configs.save(tx, config))

    async def of_run(self, run_id: str) -> list[PushConfig]:
        """The configurations of a run, by id."""
        return await self._store.aread(lambda connection: push_configs.of_run(connection, run_id))

    async def unfinished(self) -> list[PushConfig]:
        """Those that something may still be sent to, of all runs."""
        return await self._store.aread(push_configs.unfinished)

    async def remove(self, run_id: str, config_id: str) -> None:
        """Forget a configuration; there need be none."""
        await self._store.do(lambda tx: push_configs.remove(tx, run_id, config_id))

    async def note_told(self, config: PushConfig, seq: int, is_over: bool) -> None:
        """Remember up to where a client was told."""
        await self._store.do(lambda tx: push_configs.note_told(tx, config, seq, is_over))
