"""All attacks, by name."""

from tests.sandbox.attacks import files, frames, kernel, network, processes, resources, secret

ALL = [
    *files.ATTACKS,
    *network.ATTACKS,
    *processes.ATTACKS,
    *kernel.ATTACKS,
    *secret.ATTACKS,
    *frames.ATTACKS,
    *resources.ATTACKS,
]
BY_NAME = {attack.name: attack for attack in ALL}
