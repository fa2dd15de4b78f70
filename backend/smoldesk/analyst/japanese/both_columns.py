"""数学と英語の両方で80点以上, どちらも80点以上: one bound for several columns of numbers, each of which must keep it."""

import re
from collections.abc import Iterator, Mapping, Sequence

from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.column_names import column_terms

Rule = tuple[re.Pattern[str], str]
_ALL = "(?:両方とも|両方|どちらも|双方とも|双方|ともに|共に|いずれも|2つとも|二つとも|両教科とも|両科目とも)"
_MORE = "以上|以下|未満|超|を(?:超え|上回|下回)る|を(?:超え|上回っ|下回っ)た|より[大高多小低少][きいなさ]*"
_BOUND = rf"([\d.,]+[^\s\d、。?？とがは]{{0,6}}?(?:{_MORE}))"


def both_columns(table: TableInfo, names: Mapping[str, Sequence[str]]) -> Iterator[Rule]:
    """The pattern for one table with two columns of numbers or more, called by `names`."""
    numbers = [one for one in table.columns if one.kind == "number" and not one.is_id]
    if len(numbers) < 2:
        return
    said = {name for one in numbers for name in (*names[one.name], *column_terms(one.name, kind="number"))}
    called = {re.escape(name) for name in said if len(name) > 1}
    one = f"({'|'.join(sorted(called, key=len, reverse=True))})"
    yield (
        re.compile(
            rf"{one}(?:の[点値]数?)?(?:と|も|、){one}(?:の)?(?:は|が|で)?{_ALL}(?:が|で|とも)?、?{_BOUND}",
            re.IGNORECASE,
        ),
        r"\1が\3で\2が\3",
    )
