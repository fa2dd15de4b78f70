"""Report of an import: the findings of the child and of the desk's own checks, grouped to a few lines."""

from typing import cast

from smoldesk.buildings.importers.inside.findings import (
    MAX_PLACES,
    MAX_REPORT_LINES,
    FindingGroup,
    FindingPlace,
    finding_text,
    in_order,
)
from smoldesk.messages.building import Finding, FindingDetail, Severity

# Codes of findings that have only a message.
_PLAIN: dict[Severity, str] = {"error": "invalid", "warning": "doubtful", "note": "noted"}


class Report:
    """Findings by their codes."""

    def __init__(self) -> None:
        self._groups: dict[str, FindingGroup] = {}

    def add(self, finding: Finding) -> None:
        """Add a finding of the desk's own checks."""
        values = finding.values if finding.code else {"message": finding.message}
        place = FindingPlace(finding.where, values)
        self.extend(finding.code or _PLAIN[finding.severity], finding.count, [place])

    def extend(self, code: str, count: int, places: list[FindingPlace]) -> None:
        """Add `count` findings of a code, the first of them at these places."""
        self._groups.setdefault(code, FindingGroup(code)).extend(count, places)

    @property
    def has_errors(self) -> bool:
        return any(group.severity == "error" for group in self._groups.values())

    def lines(self) -> list[Finding]:
        """Return at most MAX_REPORT_LINES lines, the worst first; the last one stands for all that remain."""
        groups = in_order(list(self._groups.values()))
        if len(groups) <= MAX_REPORT_LINES:
            return [_line(group) for group in groups]
        first_groups, remaining = groups[: MAX_REPORT_LINES - 1], groups[MAX_REPORT_LINES - 1 :]
        details = [detail for group in remaining for detail in _details(group)[:1]]
        count = sum(group.count for group in remaining)
        more = Finding("note", "", finding_text("more", count, {}), "more", count, {}, details[:MAX_PLACES])
        return [*map(_line, first_groups), more]


def _line(group: FindingGroup) -> Finding:
    values = group.values()
    return Finding(
        cast(Severity, group.severity),
        group.places[0].where,
        finding_text(group.code, group.count, values),
        group.code,
        group.count,
        values,
        _details(group) if group.count > 1 else [],
    )


def _details(group: FindingGroup) -> list[FindingDetail]:
    return [
        FindingDetail(place.where, finding_text(group.code, 1, place.values), place.values)
        for place in group.places
    ]
