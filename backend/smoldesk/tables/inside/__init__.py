"""Readers of table files: the tables as DataFrames, the expressions that load them, and faults with their places.

Runs in a child only, since parsers meet untrusted bytes. Most callers need `reading.read_tables(path)`. `read_file`
also returns load expressions and problems; `report` is the program for an uploaded file. Each kind of file has a
module; `encodings` and `separators` detect how a text file is written. The server imports `shapes`, `values`,
`folder_files` and `sqlite_reading`, but no reader. `sql_program` answers SQL.
"""
