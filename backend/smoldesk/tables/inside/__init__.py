"""Files that hold tables, read into DataFrames: what is in them, how code loads them, what is wrong with them where.

Runs in a child only: a parser meets bytes that nobody trusts. `reading.read_tables(path)` is all that most callers need;
`read_file` also says how code would load each table and what could not be read; `report` is what the desk runs when a
file comes in. One module per kind of file; `encodings` and `separators` find out how a text file is written. What the
server imports of it are `shapes`, `values` and `sqlite_reading`: no reader. `sql_program` is what answers SQL.
"""
