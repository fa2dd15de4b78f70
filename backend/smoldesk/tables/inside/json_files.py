"""JSON: records, columns, one object, or JSON lines; nested values become columns named `outer.inner`."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any, cast

from . import encodings
from .blank_words import numbers_among_words
from .file_notes import Place
from .geo_features import feature_problems, features, is_features
from .opening import refuse_other_kinds
from .shapes import MAX_PARTS, FileContents, Problem, Table, Unreadable, literal, quoted, refuse_wide

_YEAR = re.compile(r"(?:18|19|20)\d\d")
# Least values of one kind that are rows of keys and values, not the fields of one record: numbers, and others.
LEAST_NUMBERS, LEAST_KEYS = 3, 12
# Least lists of records that are one table if their fields are the same.
LEAST_LISTS = 3
# Least keys of lists that are rows, if they are more than twice as many as the values of a list.
MANY_KEYS = 50

# Name of the part (empty for the complete document), its table, and the expression over `{data}` that makes it.
Shape = tuple[str, Any, str]


def read_json(file: io.BufferedReader, name: str, stem: str) -> FileContents:
    """Return the tables of a JSON file. Raises Unreadable with line and column of the fault."""
    refuse_other_kinds(file, "json")
    encoding = encodings.detect(file)
    if encoding.bad is not None:
        raise Unreadable("bad_bytes", place=encodings.place_of(file, encoding.bad))
    text = file.read().decode(encoding.name).removeprefix("\ufeff")
    opened = f"open({quoted(name)}, encoding={quoted(encoding.name)})"
    try:
        data = json.loads(text)
        source = f"json.load({opened})"
    except json.JSONDecodeError as fault:
        data = _lines(text, fault)
        source = f"[json.loads(line) for line in {opened} if line.strip()]"
    except RecursionError:
        raise Unreadable("too_deep") from None
    except ValueError as fault:  # a number with thousands of digits
        raise Unreadable("bad_value", {"reason": str(fault)[:100]}) from None
    try:
        shapes = list(_shapes(data))
    except RecursionError:  # Python 3.14 parses as deep as the C stack allows, pandas' Python code does not
        raise Unreadable("too_deep") from None
    contents = FileContents()
    for part, shape, load in shapes[:MAX_PARTS]:
        table = f"{stem}_{part}" if len(shapes) > 1 else stem
        frame, texts = _with_json_texts(shape)
        frame, numbers = numbers_among_words(frame)
        contents.tables.append(Table(table, frame, load.replace("{data}", source) + texts + numbers))
    contents.problems += feature_problems(data)
    if len(shapes) > MAX_PARTS:
        contents.problems.append(Problem("some_tables", {"n": len(shapes), "most": MAX_PARTS}))
    return contents


def _with_json_texts(frame: Any) -> tuple[Any, str]:
    """Return the table with lists and objects in cells as JSON text, which can be compared and counted, and the suffix
    of the load expression that does so.
    """
    import pandas as pd

    names = [name for name in frame.columns if frame.columns.is_unique and _has_nested(frame[name])]
    if not names:
        return frame, ""
    value = "line if pd.api.types.is_hashable(line) else json.dumps(line, ensure_ascii=False)"
    suffix = f".pipe(lambda t: t.assign(**t[{literal(names)}].map(lambda line: {value})))"
    if any(not isinstance(name, str) for name in names):  # rows that are lists have numbers for names
        suffix = f".map(lambda line: {value})"
    return eval(f"frame{suffix}", {"frame": frame, "pd": pd, "json": json}), suffix


def _has_nested(column: Any) -> bool:
    return column.dtype == object and any(isinstance(value, dict | list) for value in column)


def _lines(text: str, fault: json.JSONDecodeError) -> list[Any]:
    """Parse JSON lines. A fault is reported for its line if the first line is valid, else for the document."""
    rows: list[Any] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as wrong:
            if len(rows) == 0 or not isinstance(rows[0], dict | list):
                raise _explained(fault, fault.lineno) from None
            raise _explained(wrong, number) from None
        except RecursionError:
            raise Unreadable("too_deep", place={"line": number}) from None
    return rows


def _explained(fault: json.JSONDecodeError, line: int) -> Unreadable:
    place: Place = {"line": line, "column": fault.colno}
    if not fault.doc.strip():
        return Unreadable("empty_json", place={"line": 1})
    if fault.pos >= len(fault.doc.rstrip()):
        return Unreadable("cut_off_json", place=place)
    excerpt = fault.doc[fault.pos : fault.pos + 20].split("\n")[0]
    return Unreadable("bad_json", {"reason": fault.msg, "text": excerpt}, place)


def _shapes(data: Any) -> Iterator[Shape]:
    """Yield each table in the data. Raises Unreadable if there are none."""
    import pandas as pd

    if isinstance(data, list):
        yield "", *_of_list(cast(list[Any], data), "{data}")
        return
    if not isinstance(data, dict) or not data:
        raise Unreadable("no_table", {"kind": _kind(data)})
    mapping = cast(dict[str, Any], data)
    if is_features(mapping):
        yield "", *features(mapping)
    elif _is_split(mapping):
        refuse_wide(len(mapping["columns"]))
        yield "", pd.DataFrame(**mapping), "pd.DataFrame(**{data})"
    elif all(isinstance(value, list) and not _has_records(value) for value in mapping.values()):
        if len({len(value) for value in mapping.values()}) > 1:
            lengths = [f"{key} {len(value)}" for key, value in list(mapping.items())[:8]]
            raise Unreadable("other_lengths", {"columns": lengths})
        length = len(next(iter(mapping.values())))
        if len(mapping) >= MANY_KEYS and len(mapping) > 2 * length > 2:  # a list for each town
            names = [f"column_{at + 1}" for at in range(length)]
            frame = pd.DataFrame.from_dict(mapping, orient="index").set_axis(names, axis=1)
            load = f'pd.DataFrame.from_dict({{data}}, orient="index").set_axis({literal(names)}, axis=1)'
            frame, key = _with_keys(frame, list(mapping))
            yield "", frame, load + key
            return
        refuse_wide(len(mapping))
        yield "", pd.DataFrame(mapping), "pd.DataFrame({data})"
    elif (
        all(isinstance(value, dict) and bool(cast(Any, value)) for value in mapping.values())
        and len(mapping) > 1
    ):
        yield "", *_of_dicts(mapping)
    elif _are_alike(mapping):
        frame, key = _with_keys(pd.DataFrame({"value": mapping}), list(mapping))
        yield "", frame, 'pd.DataFrame({"value": {data}})' + key
    else:
        yield from _inside(mapping)


def _of_list(rows: list[Any], data: str) -> tuple[Any, str]:
    import pandas as pd

    if not rows:
        raise Unreadable("no_table", {"kind": "empty_list"})
    records = sum(isinstance(row, dict) for row in rows)
    if records == len(rows):
        _refuse_wide_records(rows)
        return pd.json_normalize(rows), f"pd.json_normalize({data})"
    if all(isinstance(row, list) for row in rows):
        refuse_wide(max(map(len, rows)))
        if _has_names(rows):
            return pd.DataFrame(rows[1:], columns=rows[0]), (
                f"(lambda t: pd.DataFrame(t[1:], columns=t[0]))({data})"
            )
        names = [f"column_{at + 1}" for at in range(max(map(len, rows)))]
        return (
            pd.DataFrame(rows).set_axis(names, axis=1),
            f"pd.DataFrame({data}).set_axis({literal(names)}, axis=1)",
        )
    if records:
        odd = next(place for place, row in enumerate(rows) if not isinstance(row, dict))
        raise Unreadable("not_a_record", {"kind": _kind(rows[odd])}, {"item": odd + 1})
    return pd.DataFrame({"value": rows}), f'pd.DataFrame({{"value": {data}}})'


def _has_names(rows: list[list[Any]]) -> bool:
    """Check for a first row of different texts above rows of other values, none of them longer."""
    head = rows[0]
    are_texts = all(isinstance(cell, str) and cell.strip() for cell in head) and len({*head}) == len(head)
    if not are_texts or max(map(len, rows)) > len(head):
        return False
    if any(cell is not None and not isinstance(cell, str) for row in rows[1:] for cell in row):
        return True
    # Texts alone: names have no digits, unlike most values of two columns, and none of them is a value.
    digits = (
        sum(any(map(str.isdigit, row[at])) for row in rows[1:] if at < len(row)) for at in range(len(head))
    )
    columns = sum(2 * count > len(rows) for count in digits)
    values = {cell for row in rows[1:] for cell in row}
    return columns > 1 and values.isdisjoint(head) and not any(map(str.isdigit, "".join(head)))


def _of_dicts(document: dict[str, dict[str, Any]]) -> tuple[Any, str]:
    """Read {"column": {"0": ...}}, as pandas writes it, or {"key": record}. Keys that say something are a column."""
    import pandas as pd

    keys = list(next(iter(document.values())))
    flat = not any(isinstance(cell, dict | list) for row in document.values() for cell in row.values())
    if flat and all(column.keys() == {*keys} for column in document.values()):
        if keys == [str(number) for number in range(len(keys))]:
            refuse_wide(len(document))
            return pd.DataFrame(document).reset_index(
                drop=True
            ), "pd.DataFrame({data}).reset_index(drop=True)"
        if len(keys) > len(document) or _are_years(keys):
            refuse_wide(len(document))
            frame, key = _with_keys(pd.DataFrame(document), keys)
            return frame, "pd.DataFrame({data})" + key
    _refuse_wide_records([*document.values()])
    frame, key = _with_keys(pd.DataFrame.from_dict(document, orient="index"), list(document))
    return frame, 'pd.DataFrame.from_dict({data}, orient="index")' + key


def _with_keys(frame: Any, keys: list[str]) -> tuple[Any, str]:
    """Return the frame with its keys as the first column, and the suffix of the expression that does the same."""
    if any(list(map(str, frame[column])) == keys for column in frame.columns):
        return frame.reset_index(drop=True), ".reset_index(drop=True)"
    name = "year" if _are_years(keys) else "key"
    while name in frame.columns:
        name += "_"
    frame = frame.rename_axis(name).reset_index()
    years = f".astype({{{quoted(name)}: {quoted('int64')}}})" if _are_years(keys) else ""
    return frame.astype(
        {name: "int64"}
    ) if years else frame, f".rename_axis({quoted(name)}).reset_index(){years}"


def _are_years(keys: list[str]) -> bool:
    return len(keys) > 1 and all(map(_YEAR.fullmatch, keys))


def _inside(document: dict[str, Any]) -> Iterator[Shape]:
    """Read {"count": 2, "results": [{...}]}: each list of records is a table; an object without one is a row."""
    import pandas as pd

    lists = {key: value for key, value in document.items() if _has_records(value)}
    if len(document) == len(lists) >= LEAST_LISTS and _have_same_fields([*lists.values()]):
        yield "", *_below_each_other(lists)
        return
    for key, rows in lists.items():
        yield key, *_of_list(rows, f"{{data}}[{quoted(key)}]")
    if not lists:
        _refuse_wide_records([document])
        yield "", pd.json_normalize(document), "pd.json_normalize({data})"


def _have_same_fields(lists: list[list[Any]]) -> bool:
    """Check for lists of records whose first ones have more than half of their fields in common."""
    fields = [{*rows[0]} for rows in lists]
    are_records = all(isinstance(row, dict) for rows in lists for row in rows)
    return are_records and 2 * len(set[str].intersection(*fields)) > len(set[str].union(*fields))


def _below_each_other(lists: dict[str, list[Any]]) -> tuple[Any, str]:
    """Read {"key": [record, ...], ...} as one table; keys that say something are a column."""
    import pandas as pd

    rows = pd.Series(lists).explode()
    _refuse_wide_records([*rows])
    frame, key = _with_keys(pd.json_normalize([*rows]).set_axis(rows.index), [*rows.index])
    load = "(lambda t: pd.json_normalize([*t]).set_axis(t.index))(pd.Series({data}).explode())"
    return frame, load + key


def _refuse_wide_records(rows: list[Any]) -> None:
    """Raise Unreadable before pandas makes a table with too many columns, which takes it minutes."""
    # Inner keys become columns, too; the fields of one record are enough to count them.
    refuse_wide(max(len(set[str]().union(*rows)), max(map(_width, rows))))


def _width(value: Any) -> int:
    return sum(map(_width, cast(dict[str, Any], value).values())) if isinstance(value, dict) else 1


def _are_alike(document: dict[str, Any]) -> bool:
    """Check for a table of keys and values: many values of one kind. Fewer, or of several kinds, are one record."""
    kinds: set[type[object]] = {
        float if isinstance(value, int) and not isinstance(value, bool) else type(value)
        for value in document.values()
        if value is not None
    }
    least = LEAST_NUMBERS if kinds == {float} else LEAST_KEYS
    return len(document) >= least and len(kinds) == 1 and not kinds & {dict, list}


def _is_split(document: dict[str, Any]) -> bool:
    return {"columns", "data"} <= document.keys() <= {"columns", "data", "index"} and isinstance(
        document["data"], list
    )


def _has_records(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(records := cast(list[Any], value)) and isinstance(records[0], dict)
    )


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if value == []:
        return "empty_list"
    kinds: list[tuple[type, str]] = [
        (str, "text"),
        (bool, "flag"),
        (int, "number"),
        (float, "number"),
        (list, "list"),
    ]
    return next((label for kind, label in kinds if isinstance(value, kind)), "empty_object")
