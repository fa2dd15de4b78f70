"""Texts of findings in the page: each code has one in both languages, with the same values."""

import re

import pytest

from smoldesk.buildings.importers.inside.findings import CODES
from tests.support.desk_server import ROOT

TEXT = re.compile(r'"building\.report\.(\w+)":\s*"((?:[^"\\]|\\.)*)"')


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_page_has_a_text_with_the_same_values_for_each_code(language: str) -> None:
    strings = (ROOT / "frontend" / "strings" / f"{language}-late.js").read_text(encoding="utf-8")
    page = {code: values(text) for code, text in TEXT.findall(strings)}
    desk = {code: values(text) for code, (_, text) in CODES.items() if text != "{message}"}
    assert page == desk


def values(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))
