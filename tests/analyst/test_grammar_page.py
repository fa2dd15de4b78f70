"""spec/reference/analyst_grammar.md is what the analyst's types, words and reader make of it."""

from scripts import analyst_grammar


def test_every_example_is_read_as_the_page_says() -> None:
    assert list(analyst_grammar.misread()) == []


def test_the_page_is_as_it_would_be_written() -> None:
    assert analyst_grammar.PAGE.read_text(encoding="utf-8") == analyst_grammar.page()
