"""Report of an import: the findings of the child and of the desk's own checks, grouped to a few lines."""

from typing import cast

from smoldesk.buildings.importers.inside.findings import (
    MAX_PLACES,
    MAX_REPORT_LINES,
    FindingGroup,
    FindingGroups,
    FindingPlace,
    finding_text,
)
from smoldesk.messages.building import Finding, FindingDetail, Severity


class Report(FindingGroups):
    """Findings of the child and of the desk's own checks."""

    def add(self, finding: Finding) -> None:
        """Add a finding of the desk's own checks; an error of no code has only its message."""
        values = finding.values if finding.code else {"message": finding.message}
        self.extend(finding.code or "invalid", finding.count, [FindingPlace(finding.where, values)])

    def lines(self) -> list[Finding]:
        """Return at most MAX_REPORT_LINES lines, the worst first; the last one stands for all that remain."""
        groups = self.groups()
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
