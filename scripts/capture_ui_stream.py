"""Capture what the server sends in each of the 21 scenarios, into tests/fixtures/ui_stream/.

Starts real servers with data folders of their own and plays every scenario with the real ai 6 client. A fixture is written
only when it says something new: other ids, times or token counts are no reason. Run from the repository's root, after
`make test` has brought the npm packages once: python scripts/capture_ui_stream.py [--check] [NAME ...]
"""

import argparse
import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests import node_support  # noqa: E402  (the root is on the path only now)
from tests.ai_sdk import recorded  # noqa: E402
from tests.ai_sdk.checks import problems  # noqa: E402
from tests.ai_sdk.driving import EXPIRES_SOON, Player, serving  # noqa: E402
from tests.ai_sdk.scenarios import SCENARIOS, Scenario  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Write tests/fixtures/ui_stream/ from what our server sends."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios; all of them without one")
    parser.add_argument("--check", action="store_true", help="write nothing, only say what would change")
    args = parser.parse_args()
    node = node_support.find()
    if node is None:
        print(node_support.reason())
        return 1
    expected = [scenario for scenario in SCENARIOS if not args.names or scenario.name in args.names]
    with ExitStack() as closing:
        folder = Path(closing.enter_context(tempfile.TemporaryDirectory()))
        desks: dict[bool, str] = {}

        def desk(expires: bool) -> str:
            if expires not in desks:
                env = EXPIRES_SOON if expires else {}
                desks[expires] = closing.enter_context(serving(folder / f"desk-{len(desks)}", env))
            return desks[expires]

        play = Player(node, desk)
        outcomes = [capture(play, scenario, args.check) for scenario in expected]
    return 0 if all(outcomes) else 1


def capture(play: Player, scenario: Scenario, check_only: bool) -> bool:
    """Write one fixture, unless it is faulty, known, or only to be checked; whether it is in order now."""
    played = play(scenario, 6)
    if wrong := problems(played, scenario):
        print(f"{scenario.name}: not written")
        for fault in wrong:
            print(f"  {fault}")
        return False
    new = recorded.fixture(
        played, scenario, f"captured from smoldesk by {Path(__file__).name} with {client()}"
    )
    path = recorded.file_of(scenario)
    if path.exists() and recorded.normal(recorded.read(scenario)) == recorded.normal(new):
        print(f"{scenario.name}: unchanged")
        return True
    if check_only:
        print(f"{scenario.name}: would change")
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(new, indent=2, ensure_ascii=False) + "\n", "utf-8")
    print(f"{scenario.name}: written")
    return True


def client() -> str:
    """Name and version of the client that was driven."""
    pins = json.loads((node_support.PACKAGES / "package.json").read_text())["dependencies"]
    return pins["ai6"].removeprefix("npm:")


if __name__ == "__main__":
    sys.exit(main())
