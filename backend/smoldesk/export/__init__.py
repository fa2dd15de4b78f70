"""A chat handed over: as a log that is read back (`log_format`, `write_log`, `import_log`), and as documents.

- `log_format`: the lines of a log, of any version, read one at a time.
- `write_log`: a chat as a log. `import_log`: a log as a chat.
- `turns`: a chat as questions and answers, which every document is written from.
- `notebook` (with `prelude`), `markdown_pages`, `html_page`: the documents. `map_svg`: a floor with its drawings.
- `verify`: a notebook's cells once more, in a fresh jailed process.
- `pins`, `reports`: what a person pinned of a chat, as documents of its own.
- `exports`: the service that writes them.
"""
