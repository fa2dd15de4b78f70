"""The limits of how plain the language of the code is, and that each kind of fault is found."""

from pathlib import Path

import pytest

from scripts.language import PRODUCT, ROOT, SUPPORT, Measure, measure, source_files

# Percentages; pronouns per 1,000 lines; "is no" is a count. The same script gives 0.0 to 0.5 % of names for Starlette,
# Datasette and CodeMirror. Lower a limit when the code gets better; never raise one.
MOST = {"names": 0.5, "parts": 1.0, "openings": 2.0, "pronouns": 0.4, "is no": 10, "wide lines": 1.0}
LEAST_COMMENTS = 2.5
MOST_NAMES_IN_SUPPORT = 2.0


@pytest.mark.long
def test_the_language_of_the_product_stays_plain() -> None:
    result = measure(source_files(PRODUCT))
    figures = result.figures()
    too_high = {name: figures[name] for name, most in MOST.items() if figures[name] > most}
    assert too_high == {}, "see python scripts/language.py --list"
    assert figures["comments"] >= LEAST_COMMENTS


@pytest.mark.long
def test_names_in_tests_benchmarks_and_scripts_stay_plain() -> None:
    assert measure(source_files(SUPPORT)).figures()["names"] <= MOST_NAMES_IN_SUPPORT


def test_each_fault_of_a_python_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(
        '"""What a module holds."""\n\n'
        "class Told:\n    kept_rows = 1  # the first\n\n"
        "def said(words):\n"
        '    """Whoever asks."""\n'
        '    return "A room is none." "There is no room."\n',
        encoding="utf-8",
    )
    result = measure([file])
    assert sorted(place.partition(":")[2] for place in result.places) == [
        "1: openings: What a module holds.",
        "3: compound: Told",
        "4: compound: kept_rows",
        "6: everyday: said",
        "6: everyday: words",
        "7: pronouns: Whoever",
        "8: is no: A room is none.There is no room.",
    ]


def test_the_limits_are_not_of_an_empty_measure() -> None:
    assert len([*source_files(PRODUCT)]) > 500
    assert Measure().figures()["comments"] == 0
    assert ROOT.joinpath("backend/smoldesk").is_dir()
