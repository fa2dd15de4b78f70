"""Texts of notes and faults of a file by their codes, in English; the page has the same texts under `file_note.CODE`.

A note is its code, its values and its place. Values named `kind` and `expected` are codes of KINDS, those named `reason`
codes of REASONS, or the message of a parser that has none. A test of the page (tests/page/test_sources.py) compares its
texts with these.
"""

from collections.abc import Mapping

TEXTS = {
    "bad_bytes": "This byte is not valid UTF-8, the others are.",
    "bad_bytes_shown": "This byte is not valid UTF-8, the others are: invalid bytes show as \ufffd.",
    "bad_encoding": "It cannot be read as {encoding}: the bytes here are invalid.",
    "bad_json": "{reason}, found '{text}'.",
    "bad_mark": "By its mark it is {encoding}, but the bytes here are invalid in it.",
    "bad_report": "The process that read it sent an invalid report: the file is damaged or hostile.",
    "bad_value": "It holds a value that cannot be read: {reason}.",
    "bad_workbook": "It cannot be read as a workbook: {reason}.",
    "bad_xml": "Its XML is broken at line {line}, column {column}.",
    "beside": "Tables stand beside each other here: what is in other columns further down is not read.",
    "binary_workbook": "It is a binary workbook (.xlsb): save it as .xlsx.",
    "blank_file": "There is nothing in it but blank lines; expected a line of column names.",
    "sections": "{n} headings of sections are values of the column {column}.",
    "blank_signs": "Read as blank cells of numbers: {signs} in {columns}.",
    "cannot_cut": "It cannot be cut into columns: {reason}",
    "cannot_open": "It cannot be opened: {reason}.",
    "cannot_read": "It cannot be read: {reason}",
    "coordinates": "The coordinates of its shapes ({shapes}) are not in the table.",
    "cover": "Skipped: it is a cover, or has a few lines of text. Choose this sheet to read it anyway.",
    "cut_off": "The file is cut off or damaged: {reason}.",
    "cut_off_json": "The file ends in the middle of a value.",
    "empty_json": "There is nothing in it; expected JSON.",
    "empty_sheets": "All its sheets are empty; expected rows below a row of column names.",
    "encrypted": "It is encrypted: unpack the archive and upload the file itself.",
    "features_level": "Its features have levels, like the rooms of a building: drop it on the map.",
    "first_rows_memory": "Its first rows take more memory than one file may have.",
    "formula_blank": "A formula without a stored result, read as empty: open the workbook in Excel and save it.",
    "formulas_blank": "{n} formulas without a stored result, read as empty: open the workbook in Excel and save it.",
    "hides_shared": "The desk's folder has {name}, too: this chat uses its own file.",
    "left_out": "{n} lines are not rows of the table ({lines}): choose this file to see them.",
    "long_line": "This line is longer than {most} bytes: expected a table, one row a line.",
    "long_load": "The expression that loads it is too long: give its columns shorter names, or make them fewer.",
    "lost_zeros": "{n} columns of codes lose the zeros in front of them, since they are too many; the first is '{name}'.",
    "memory": "Reading it takes more memory than one file may have.",
    "misnamed": "By its name it is {expected}, but it is {kind}.",
    "misnamed_workbook": "Its name ends in {suffix}, but it is an Excel workbook, and is read as one.",
    "missing_part": "A part of the workbook is missing: {reason}.",
    "no_features": "There is no feature in it; expected at least one.",
    "no_line": "Its last line is {last}: there is no line {line}.",
    "no_member": "It has no table file '{name}'.",
    "no_properties": "Its features have no properties; expected values for the columns of a table.",
    "no_sheet": "It has no sheet '{name}'.",
    "no_table": "There is no table in it, but {kind}; expected rows or columns.",
    "no_tables": "The database has no tables.",
    "no_table_member": "No file in it is a table that can be read from an archive: {names}.",
    "no_table_member_empty": "No file in it is a table that can be read from an archive.",
    "no_workbook": "It is a zip archive, not an Excel workbook: [Content_Types].xml is missing.",
    "not_a_feature": "Here is no feature with properties and a geometry.",
    "not_a_file": "It is not a regular file.",
    "not_a_record": "Expected a record, but here is {kind}.",
    "not_now": "The file could not be read now: {reason}",
    "not_rows_cut": "{n} lines that look like totals, names once more or page numbers stay rows: "
    "only its beginning was inspected.",
    "not_rows_many": "{n} lines that look like totals, names once more or page numbers stay rows: "
    "they are too many to skip.",
    "only_views": "The database has no tables, only views, which are not run: {names}. Save a view's rows as a table.",
    "other_lengths": "Its columns have different lengths: {columns}.",
    "others_not_read": "Other files in it are not read: {names}.",
    "packed_kind": "It holds '{name}', which is not read from a gzip file: expected a name like sales.csv.gz.",
    "process_ended": "The process that read it broke down: the file is damaged, or needs more memory than one file may have.",
    "ragged": "Here are {n} values, but the lines before have {width}: expected as many as the header names.",
    "ragged_first": "Here are {n} values, but the header names {width} columns.",
    "some_members": "It has {n} table files; the first {most} are read.",
    "some_sheets": "It has {n} sheets; the first {most} are read.",
    "some_tables": "It has {n} tables; the first {most} are read.",
    "sums": "Rows with '{value}' in '{column}' stand for all others: they are not added up with them.",
    "too_deep": "Its values are nested deeper than can be read.",
    "too_large": "It unpacks to more than {most} bytes, the most that are read.",
    "took_longer": "Reading it took longer than {seconds} s and was given up.",
    "unknown_encoding": "Its encoding is unknown and it is read as Latin-1. Save it as UTF-8 to be sure.",
    "unknown_suffix": "The suffix of its name is not that of a table: expected {suffixes}.",
    "unpacked_rows": "Its {rows} rows unpack to {n} bytes; at most {most} are read.",
    "unpacked_size": "It unpacks to {n} bytes; at most {most} are read.",
    "open_quote": "A quotation mark is opened here and never closed.",
    "open_quote_letter": "A quotation mark is opened here and never closed: it is read as a letter.",
    "wide": "It has {n} columns; at most {most} are read.",
    "wrong_start": "It is not {expected}: it begins with {start}.",
    "zero_byte": "The file contains a zero byte, so it is damaged or binary.",
}
KINDS = {
    "arrow": "an Arrow file",
    "bzip2": "a bzip2 archive",
    "csv": "a text table",
    "empty_list": "an empty list",
    "empty_object": "an empty object",
    "empty_zip": "an empty zip archive",
    "excel": "an Excel workbook",
    "flag": "true or false",
    "gif": "a GIF image",
    "gzip": "a gzip file",
    "jpeg": "a JPEG image",
    "json": "JSON",
    "list": "a list",
    "null": "null",
    "number": "a number",
    "old_office": "an old or password-protected Office document",
    "parquet": "a Parquet file",
    "pdf": "a PDF document",
    "png": "a PNG image",
    "program": "a program",
    "seven_zip": "a 7z archive",
    "sqlite": "an SQLite database",
    "text": "a text",
    "xz": "an xz archive",
    "zip": "a zip archive",
    "zip_or_office": "a zip archive or an Office document",
    "zstd": "a zstd archive",
}
REASONS = {
    "crc": "its checksum is wrong",
    "early_end": "its compressed data end early",
    "bad_stream": "its compressed data are invalid",
    "no_zip": "its zip archive is incomplete",
    "entities": "its XML declares entities",
    "malformed_database": "its pages are damaged",
    "no_database": "it is not a database, or encrypted",
    "json_value": "Expected a value",
    "json_comma": "Expected a comma",
    "json_colon": "Expected a colon",
    "json_name": "Expected a name in double quotes",
    "json_string": "A text without its closing quotation mark",
    "json_control": "A control character in a text",
    "json_escape": "An invalid escape",
    "json_more": "More after the end of the value",
    "json_trailing": "A comma after the last value",
}
# Beginnings of the messages of Python, zlib and SQLite.
_REASON_STARTS = {
    "Bad CRC-32": "crc",
    "Compressed file ended before the end-of-stream marker was reached": "early_end",
    "Error -3 while decompressing": "bad_stream",
    "File is not a zip file": "no_zip",
    "database disk image is malformed": "malformed_database",
    "file is not a database": "no_database",
    "Expecting value": "json_value",
    "Expecting ',' delimiter": "json_comma",
    "Expecting ':' delimiter": "json_colon",
    "Expecting property name enclosed in double quotes": "json_name",
    "Unterminated string starting at": "json_string",
    "Invalid control character at": "json_control",
    "Invalid \\": "json_escape",
    "Extra data": "json_more",
    "Illegal trailing comma": "json_trailing",
}
PLACES = {
    "byte": "byte {at}",
    "cell": "cell {at}",
    "column": "column {at}",
    "file": "file '{at}'",
    "item": "item {at}",
    "line": "line {at}",
    "part": "part {at}",
    "row": "row {at}",
    "sheet": "sheet '{at}'",
    "table": "table '{at}'",
}

Value = int | str | list[str]
Place = dict[str, int | str]
# Most entries of a list of values, and characters of each text.
MAX_LISTED = 24
MAX_TEXT = 200


def reason_code(message: str) -> str:
    """Return the code of a parser's message, or the message."""
    return next((code for start, code in _REASON_STARTS.items() if message.startswith(start)), message)


def note_text(code: str, values: Mapping[str, Value]) -> str:
    """Return the text of a note in English."""
    return TEXTS[code].format_map({name: _shown(name, value) for name, value in values.items()})


def place_text(place: Place) -> str:
    """Return a place as text: "line 5, byte 120", "sheet 'Data'"; empty for the complete file."""
    return ", ".join(PLACES[kind].format(at=_shown(kind, at)) for kind, at in place.items())


def bounded_values(values: Mapping[str, Value]) -> dict[str, Value]:
    """Cut values to the sizes that the server accepts."""
    return {
        name: value
        if isinstance(value, int)
        else value[:MAX_TEXT]
        if isinstance(value, str)
        else [text[:MAX_TEXT] for text in value[:MAX_LISTED]]
        for name, value in values.items()
    }


def _shown(name: str, value: Value) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(_shown("", text) for text in value)
    texts = {"kind": KINDS, "expected": KINDS, "reason": REASONS}.get(name, {})
    text = texts.get(value, value)
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
