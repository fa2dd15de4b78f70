"""A day said by what was done on it: まだ売れていない of 売却日, 4月に届いた of 到着日, 購入年ごと of 購入日.

The first date of a table is its rows' own day, which all rows have; the others are blank until it is done. The verbs are in
spoken_days.toml; a verb that no date, state or yes/no column of the table speaks of is left as it is.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.words.glossary import words_of
from smoldesk.analyst.words.japanese_verbs import denied_forms, positive_forms, stem_of
from smoldesk.analyst.words.text import key, tidy

Rule = tuple[re.Pattern[str], str]
_WHEN = (
    r"(?:\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?|\d{1,2}月(?:\d{1,2}日|上旬|中旬|下旬|前半|後半)?|\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?"
    r"|\d{1,2}/\d{1,2}|先月|今月|週末|平日|[月火水木金土日]曜日?|土日|午前中?|午後)"
)
_GRAINS = r"(年度|年月|年|月|週|曜日|四半期)(?=ごと|別|毎|単位|順|に見|で見|の推移|の合計|の平均)"


@dataclass(frozen=True)
class _Deed:
    names: tuple[str, ...]
    nouns: str
    done: str
    denied: str
    plain: str


@cache
def _deeds() -> tuple[_Deed, ...]:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        _Deed(
            words_of(one["names"]),
            _any(iter(_nouns(words_of(one["names"]), words_of(one["verbs"])))),
            _any(form for verb in words_of(one["verbs"]) for form in _attributive(verb)),
            _any(form for verb in words_of(one["verbs"]) for form in denied_forms(verb)),
            _any(
                form
                for form in (
                    *_nouns(words_of(one["names"]), words_of(one["verbs"])),
                    *(form for verb in words_of(one["verbs"]) for form in _befores(verb)),
                )
            ),
        )
        for one in data.values()
    )


def _any(forms: Iterator[str]) -> str:
    return "(?:" + "|".join(sorted(set(forms), key=len, reverse=True)) + ")"


def _nouns(names: tuple[str, ...], verbs: tuple[str, ...]) -> list[str]:
    """Nouns of a deed: 解決, 引き渡し, 受け取り."""
    made = [stem_of(verb) for verb in verbs]
    return [name for name in (*names, *made) if not name.isascii() and len(name) > 1]


def _attributive(verb: str) -> Iterator[str]:
    """Forms that say it is done: 売れた, 売れている; not 売れる, 売れて."""
    return (
        form
        for form in positive_forms(verb)
        if form.endswith(("た", "だ", "ている", "でいる", "てる", "てます"))
    )


def _befores(verb: str) -> Iterator[str]:
    """Forms before から and まで: 出品して, 出品, 売れる."""
    if verb.endswith("する"):
        yield verb.removesuffix("する")
    for form in positive_forms(verb):
        if form.endswith(("る", "て", "で", "う", "く", "す", "つ", "む", "ぶ", "ぐ")):
            yield form


def spans_of_days(column: ColumnInfo, names: Sequence[str]) -> Iterator[Rule]:
    """購入年ごと, 出品月別: the years and months of 購入日 and 出品日."""
    if column.kind != "date":
        return
    stems = {
        re.sub(r"(?:年月日|日時|月日|日付|日|時刻)$", "", name)
        for name in names
        if re.search(r"[日時][時刻付]?$", name)
    }
    stems = {stem for stem in stems if len(stem) >= 2 and not stem.isascii()}
    if stems:
        forms = _any(iter(map(re.escape, stems)))
        yield re.compile(rf"{forms}{_GRAINS}"), rf"{tidy(column.name)}の\1"


def undone(table: TableInfo) -> Iterator[Rule]:
    """まだ売れていない: the cell of 売却日 is blank, or that of a yes/no column says no."""
    for deed in _deeds():
        if state := _state(table, deed):
            yield re.compile(rf"{deed.nouns}(?:が|は)?まだ(?:の)?(?!に)(?=[^てにい]|$)"), state
            yield (
                re.compile(
                    rf"(?<![一-龥])未(?!回答|記入|入力|登録){deed.nouns}(?=の|は|が|[^一-龥日]|$)(?:の)?"
                ),
                state,
            )
            yield (
                re.compile(
                    rf"(?:(?:まだ|いまだ|未だ)(?:に)?)?(?:が|は|を)?{deed.denied}(?:もの)?(?=[^くっ]|$)"
                ),
                state,
            )


def done(table: TableInfo) -> Iterator[Rule]:
    """売れた: 売却日 is there; 4月に売れた: it is in April; 出品してから売れるまで: from one day to the other."""
    dates = [column for column in table.columns if column.kind == "date"]
    lasting = next((column for column in table.columns if is_duration(column)), None)
    if lasting:
        yield from _between(lasting)
    else:
        yield from _between_dates(dates)
    for deed in _deeds():
        day = _day(dates, deed)
        if day and len(dates) > 1:
            yield re.compile(rf"({_WHEN})(?:に|中に|に入って)(?:は)?{deed.done}"), rf"{tidy(day.name)}が\1の"
        if (
            day
            and day in dates[1:]
            and not any("済" in value for one in table.columns for value in one.values)
        ):
            yield re.compile(rf"{deed.nouns}済み?の?"), f"{tidy(day.name)}がある"
        if day and day in dates[1:]:
            yield (
                re.compile(
                    rf"(?:もう|すでに|既に)?(?<![番もくに]){deed.done}(?!日|時|の?は?いつ|順|方|[りるらう])(?=[^\d]{{0,12}}?(?:だけ|のみ|は|の|だ|が|を|[?？。]|$))"
                ),
                f"{tidy(day.name)}がある",
            )


def _between(lasting: ColumnInfo) -> Iterator[Rule]:
    """What is between the two days of a table, by what was done on them."""
    first, last = (
        [deed.plain for deed in _deeds() if any(word in key(name) for word in deed.names)]
        for name in lasting.span
    )
    if first and last:
        began, ended = _any(iter(first)), _any(iter(last))
        written = f"{key(lasting.span[0])}から{key(lasting.span[1])}まで"
        took = r"(?:に(?:(?=平均|何)|かか(?:る|った|っている)(?:日数|期間|時間)))?(?:の(?:日数|期間|時間))?"
        yield (
            re.compile(
                rf"(?:{began}日?から)?(?<!日){ended}日?まで{took}(?!に(?!かか|平均|何)|の(?!平均|合計|最))"
            ),
            written,
        )
        yield (
            re.compile(
                rf"({re.escape(written)}の?[^。?？]{{0,8}}?平均)(?:で|の)?(?:何日|どれ(?:くらい|ぐらい|だけ)|どの(?:くらい|ぐらい))"
                r"(?:間)?(?:かか[^。?？]*)?"
            ),
            r"\1",
        )


def _between_dates(dates: Sequence[ColumnInfo]) -> Iterator[Rule]:
    """受付から引き渡しまで, 解決まで平均何日: where a table has more dates than two, or other times as well."""
    said = [
        (day, _any(iter(forms)))
        for day in dates
        if (forms := [one.plain for one in _deeds() if _day(dates, one) == day])
    ]
    lasts = r"(?=に?(?:かか|平均|何日)|の(?:平均|日数|期間))"
    day_of = r"(?:日|時刻)?"
    for first, began in said:
        for last, ended in said:
            if first != last:
                yield (
                    re.compile(rf"{began}{day_of}から{ended}{day_of}まで(?:に(?=平均|何|かか))?"),
                    f"{tidy(first.name)}から{tidy(last.name)}まで",
                )
    for last, ended in said:
        if last != dates[0]:
            yield (
                re.compile(rf"(?<!から)(?<![一-龥日]){ended}{day_of}まで{lasts}(?:に(?=平均|何|かか))?"),
                f"{tidy(dates[0].name)}から{tidy(last.name)}まで",
            )
    yield (
        re.compile(
            r"(から[^。?？]{1,24}?まで(?:の日数|の期間)?の?平均)(?:で|は|の)?(?:何日|どれ(?:くらい|ぐらい|だけ)|どの(?:くらい|ぐらい))(?:間)?(?:かか[^。?？]*)?"
        ),
        r"\1",
    )


def _day(dates: Sequence[ColumnInfo], deed: _Deed) -> ColumnInfo | None:
    found = [column for column in dates if any(word in key(column.name) for word in deed.names)]
    return found[0] if len(found) == 1 else None


def _state(table: TableInfo, deed: _Deed) -> str:
    """What says that it is not done: a blank day, a yes/no column, or a state such as 未返却; empty where nothing does."""
    if day := _day([column for column in table.columns if column.kind == "date"], deed):
        return f"{tidy(day.name)}がない"
    named = [
        column
        for column in table.columns
        if column.yes_no and column.kind == "text" and any(word in key(column.name) for word in deed.names)
    ]
    if len(named) == 1 and named[0].yes_no:
        return f"{tidy(named[0].name)}がない"
    states = [
        (column, value)
        for column in table.columns
        if column.kind == "text" and not column.yes_no
        for value in column.values
        if any(value.startswith(f"未{word}") for word in deed.names if not word.isascii())
    ]
    return f"{tidy(states[0][0].name)}が「{states[0][1]}」の" if len(states) == 1 else ""
