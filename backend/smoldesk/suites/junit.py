"""Results of a suite as a JUnit file, which CI servers read."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from smoldesk.exams.results_file import QuestionResult

_INVALID = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535, *range(55296, 57344)), "�")


def junit_xml(name: str, results: Sequence[QuestionResult], is_strict: bool = False) -> bytes:
    """Return the results; with `is_strict` a changed input is a failure, too."""
    suite = Element("testsuite", name=_text(name), tests=str(len(results)))
    suite.set("time", f"{sum(result.seconds for result in results):.2f}")
    counts = {"failures": 0, "errors": 0}
    for result in results:
        case = SubElement(suite, "testcase", classname=_text(name), name=_text(result.name or result.id))
        case.set("time", f"{result.seconds:.2f}")
        kind = "error" if result.verdict == "failed" else "failure"
        if result.verdict != "right" or (is_strict and result.changed):
            counts[f"{kind}s"] += 1
            SubElement(case, kind, message=_text(result.reason)[:500]).text = _text(
                "\n".join(lines_of(result))
            )
        elif result.changed:
            SubElement(case, "system-out").text = _text("\n".join(lines_of(result)))
    for kind, number in counts.items():
        suite.set(kind, str(number))
    indent(suite)
    return tostring(suite, encoding="utf-8", xml_declaration=True) + b"\n"


def lines_of(result: QuestionResult) -> list[str]:
    """Return the parts of a result that differ, and its changed inputs, a line each."""
    parts = [
        f"{part.kind} {part.name}: expected {part.expected or 'nothing'}; got {part.got or 'nothing'}"
        for part in result.parts
        if not part.holds
    ]
    inputs = [
        f"changed {item.name}: {item.before or 'none'} -> {item.after or 'missing'}"
        for item in result.changed
    ]
    return [*parts, *inputs]


def _text(text: str) -> str:
    """Return a text without the characters that XML does not allow."""
    return text.translate(_INVALID)
