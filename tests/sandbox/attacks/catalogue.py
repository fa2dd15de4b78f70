"""All attacks, by name."""

from tests.sandbox.attacks import duckdb, files, frames, kernel, network, processes, resources, secret

ALL = [
    *files.ATTACKS,
    *duckdb.ATTACKS,
    *network.ATTACKS,
    *processes.ATTACKS,
    *kernel.ATTACKS,
    *secret.ATTACKS,
    *frames.ATTACKS,
    *resources.ATTACKS,
]
BY_NAME = {attack.name: attack for attack in ALL}
