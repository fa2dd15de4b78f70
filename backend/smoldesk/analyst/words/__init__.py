"""Words and numbers of English and Japanese, the same for every table: the grammar, the glossary, dates, money."""
