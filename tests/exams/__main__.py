"""`python -m tests.exams [SET ...]`: plays sets of cases and prints how many are right, wrong, offered and declined.

python -m tests.exams [dev held_out fresh aside wide_en wide_ja] [--cases FILE] [--lang ja] [--kind groupby] [--table stock]
                      [--agent tools] [--show wrong declined]
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.exams.case import CASES, SETS, Case, read_cases
from tests.exams.judge import Judgement, judge, judge_shown
from tests.exams.player import AgentKind, Player
from tests.exams.quick import QuickPlayer

MOST_TEXT = 300
VERDICTS = ("right", "wrong", "offered", "declined")


@dataclass(frozen=True)
class Played:
    """A case with what came of it."""

    case: Case
    judgement: Judgement
    text: str
    is_unsure: bool = False


def main(arguments: Sequence[str]) -> int:
    """Play what the arguments choose, print a line for each language and kind."""
    options = parser().parse_args(arguments)
    files = [options.cases] if options.cases else [CASES / f"{name}.jsonl" for name in options.sets or SETS]
    cases = [
        case
        for file in files
        for case in read_cases(file)
        if options.lang in (None, case.lang)
        and options.kind in (None, case.kind)
        and options.table in (None, case.source)
    ]
    played = play(cases, options.agent)
    say("\n".join(table(played)))
    for item in played:
        if item.judgement.verdict in options.show:
            say(failure(item))
    return 0


def parser() -> argparse.ArgumentParser:
    """What can be chosen."""
    argument_parser = argparse.ArgumentParser(prog="python -m tests.exams")
    argument_parser.add_argument(
        "sets", nargs="*", choices=[[], *SETS], metavar="SET", help=f"of {', '.join(SETS)}; all without one"
    )
    argument_parser.add_argument("--cases", type=Path, help="another JSONL file of cases")
    argument_parser.add_argument("--lang", choices=["en", "ja"])
    argument_parser.add_argument("--kind")
    argument_parser.add_argument("--table")
    argument_parser.add_argument("--agent", choices=["code", "tools"], default="code")
    argument_parser.add_argument("--show", nargs="*", choices=VERDICTS, default=[])
    return argument_parser


def play(cases: Sequence[Case], agent: AgentKind = "code") -> list[Played]:
    """Every case, judged; those of a table one after the other."""
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder, Player(Path(folder), agent) as player:
        return [judged(case, player) for case in cases]


def judged(case: Case, player: Player | QuickPlayer) -> Played:
    """One case, played and judged."""
    answer = player.play(case)
    judgement = judge_shown(case, answer)
    picks = range(len(answer.offered) - 1)  # the last one is none of these
    if answer.offered and any(judge(case, player.play(case, pick)).verdict == "right" for pick in picks):
        judgement = Judgement("offered", f"one of {len(picks)}")
    return Played(case, judgement, answer.fault or answer.text, answer.is_unsure)


def table(played: Sequence[Played]) -> list[str]:
    """A line for each language and kind, then the totals."""
    keys = sorted({(item.case.lang, item.case.kind) for item in played})
    lines = [
        line(f"{lang} {kind}", [p for p in played if (p.case.lang, p.case.kind) == (lang, kind)])
        for lang, kind in keys
    ]
    return [HEAD, *lines, *totals(played)[1:]]


HEAD = f"{'':<18}{'cases':>6}{'right':>16}{'wrong':>16}{'offered':>16}{'declined':>16}"


def totals(played: Sequence[Played]) -> list[str]:
    """Answerable questions, those to decline, and all: for each language and for both."""
    lines = [HEAD]
    for name, langs in (("en", ["en"]), ("ja", ["ja"]), ("all", ["en", "ja"])):
        mine = [item for item in played if item.case.lang in langs]
        if mine:
            lines.append(line(f"{name}: answerable", [item for item in mine if item.case.kind != "decline"]))
            lines.append(line(f"{name}: to decline", [item for item in mine if item.case.kind == "decline"]))
            lines.append(line(f"{name}: all", mine))
    return lines


def line(name: str, played: Sequence[Played]) -> str:
    counted = Counter(item.judgement.verdict for item in played)
    cells = [f"{counted[key]} ({100 * counted[key] / max(1, len(played)):.1f} %)" for key in VERDICTS]
    return f"{name:<18}{len(played):>6}" + "".join(f"{cell:>16}" for cell in cells)


def failure(item: Played) -> str:
    """A case that did not go well: question, answer, expectation, and why."""
    case, text = item.case, " / ".join(item.text.splitlines())[:MOST_TEXT]
    return "\n".join([
        f"\n{item.judgement.verdict.upper()} {case.id} {case.lang} {case.kind}: {' -> '.join(case.turns)}",
        f"  answer:   {text}",
        f"  expected: {str(case.expect)[:MOST_TEXT]}",
        f"  why:      {item.judgement.why}",
    ])  # fmt: skip


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
