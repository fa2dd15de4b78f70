"""Figures in texts of both languages, and digits that are none."""

import pytest

from smoldesk.evidence.figure_finder import find_figures


def figures(text: str) -> list[str]:
    return [figure.text for figure in find_figures(text) if not figure.is_weak]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales were $1,234.50, up 12.3 % from 1.2 million.", ["$1,234.50", "12.3 %", "1.2 million"]),
        ("売上は1億2,345万円、前年比12.3%増で、三件です。", ["1億2,345万円", "12.3%", "三"]),
        ("On March 5, 2024 and 2024年3月5日 at 14:30.", ["March 5, 2024", "2024年3月5日", "14:30"]),
        ("There are twelve rooms; the two groups hold two thirds of them.", ["twelve", "two thirds"]),
        (
            "回答は3千人、△24、2時間14分35秒、$4.5m, 23 115 kg",
            ["3千", "△24", "2時間14分35秒", "$4.5m", "23 115 kg"],
        ),
        ("It ranks 3rd, between 10–20 °C.", ["3rd", "10", "20 °C"]),
    ],
)
def test_figures_are_found_as_written(text: str, expected: list[str]) -> None:
    assert figures(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`x = 12` and\n```\n13\n```",
        "[see](http://a.b/12) or data_2023.csv",
        "Room 12 on 2F, Table 3, A-12, GPT-4, v1.2.3",
        "1. One\n2) Two\n## 3. Three",
        "call +81-90-1234-5678, id 3f2a9b1c",
    ],
)
def test_digits_of_code_addresses_numbering_and_labels_are_no_figures(text: str) -> None:
    assert figures(text) == []


def test_words_that_may_be_figures_need_evidence() -> None:
    words = [
        figure.text
        for figure in find_figures("The second of the six won twice, half of it alone.")
        if figure.is_weak
    ]
    assert words == ["second", "six", "twice", "half"]


def test_offsets_count_code_points() -> None:
    [figure] = find_figures("😀👍 sold 120")
    assert (figure.start, figure.end) == (8, 11)
