"""`python -m tests.exams`: plays the cases and prints how many are right, confidently wrong, and declined.

    python -m tests.exams [--held-out | --aside | --cases FILE] [--lang ja] [--kind groupby] [--table stock]
                            [--agent tools] [--show wrong declined] [--totals]

Failures of held-out cases and of those set aside are never listed: only totals are.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.exams.case import Case, read_cases
from tests.exams.generate import path_of
from tests.exams.judge import Judgement, judge
from tests.exams.player import AgentKind, Player

MOST_TEXT = 300


@dataclass(frozen=True)
class Played:
    """A case with what came of it."""

    case: Case
    judgement: Judgement
    text: str


def main(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    kept = "held_out" if options.held_out else "aside" if options.aside else None
    path = path_of(kept) if kept else options.cases or path_of("dev")
    cases = [
        case
        for case in read_cases(path)
        if options.lang in (None, case.lang)
        and options.kind in (None, case.kind)
        and options.table in (None, case.table)
    ]
    played = play(cases, options.agent)
    say("\n".join(totals(played) if kept or options.totals else table(played)))
    if kept is None:
        for one in played:
            if one.judgement.verdict in options.show:
                say(failure(one))
    return 0


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m tests.exams")
    found.add_argument("--held-out", action="store_true", help="the third that is kept aside; totals only")
    found.add_argument("--aside", action="store_true", help="the set with tables of its own; totals only")
    found.add_argument("--cases", type=Path, help="another JSONL file of cases")
    found.add_argument("--lang", choices=["en", "ja"])
    found.add_argument("--kind")
    found.add_argument("--table")
    found.add_argument("--agent", choices=["code", "tools"], default="code")
    found.add_argument("--show", nargs="*", choices=["right", "wrong", "declined"], default=["wrong"])
    found.add_argument("--totals", action="store_true", help="no line for each kind")
    return found


def play(cases: Sequence[Case], agent: AgentKind = "code") -> list[Played]:
    """Every case, judged; those of a table one after the other."""
    done: list[Played] = []
    with tempfile.TemporaryDirectory(prefix="smoldesk-") as folder, Player(Path(folder), agent) as player:
        for case in cases:
            answer = player.play(case)
            done.append(Played(case, judge(case, answer), answer.fault or answer.text))
    return done


def table(played: Sequence[Played]) -> list[str]:
    """A line for each language and kind, then the totals."""
    keys = sorted({(one.case.lang, one.case.kind) for one in played})
    lines = [
        line(f"{lang} {kind}", [p for p in played if (p.case.lang, p.case.kind) == (lang, kind)])
        for lang, kind in keys
    ]
    return [HEAD, *lines, *totals(played)[1:]]


HEAD = f"{'':<18}{'cases':>6}{'right':>16}{'wrong':>16}{'declined':>16}"


def totals(played: Sequence[Played]) -> list[str]:
    """Answerable questions, those to decline, and all: for each language and for both."""
    lines = [HEAD]
    for name, langs in (("en", ["en"]), ("ja", ["ja"]), ("all", ["en", "ja"])):
        mine = [one for one in played if one.case.lang in langs]
        if mine:
            lines.append(line(f"{name}: answerable", [one for one in mine if one.case.kind != "decline"]))
            lines.append(line(f"{name}: to decline", [one for one in mine if one.case.kind == "decline"]))
            lines.append(line(f"{name}: all", mine))
    return lines


def line(name: str, played: Sequence[Played]) -> str:
    counted = Counter(one.judgement.verdict for one in played)
    cells = [
        f"{counted[key]} ({100 * counted[key] / max(1, len(played)):.1f} %)"
        for key in ("right", "wrong", "declined")
    ]
    return f"{name:<18}{len(played):>6}" + "".join(f"{cell:>16}" for cell in cells)


def failure(one: Played) -> str:
    """A case that did not go well: question, answer, expectation, and why."""
    case, text = one.case, " / ".join(one.text.splitlines())[:MOST_TEXT]
    return "\n".join([
        f"\n{one.judgement.verdict.upper()} {case.id} {case.lang} {case.kind}: {' -> '.join(case.turns)}",
        f"  answer:   {text}",
        f"  expected: {str(case.expect)[:MOST_TEXT]}",
        f"  why:      {one.judgement.why}",
    ])  # fmt: skip


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
