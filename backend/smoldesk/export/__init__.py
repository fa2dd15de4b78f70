"""Exports of a chat: as a log that a desk can read back, and as documents.

- `log_format`: lines of a log of any version, read one at a time.
- `write_log`: a chat as a log. `import_log`: a log as a chat.
- `turns`: a chat as questions and answers, the source of all documents.
- `notebook` (with `inside`), `markdown_pages`, `html_page`: the documents. `map_svg`: drawings on the map.
- `page_map` (with `inside`), `linked_modules`: pictures of the map by the page's own modules.
- `verify`: runs a notebook's cells again in a fresh jailed process.
- `pins`, `reports`: pinned parts of a chat, as documents of their own.
- `exports`: the service that writes them.
"""
