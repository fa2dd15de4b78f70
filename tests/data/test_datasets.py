"""The bundled tables: held to the published counts, read by seaborn offline."""

import csv
import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from statistics import mean

import pytest

ROOT = Path(__file__).parents[2]
DATASETS = ROOT / "backend" / "data" / "datasets"
Row = dict[str, str]


def rows(name: str) -> list[Row]:
    with (DATASETS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def titanic() -> list[Row]:
    return rows("titanic")


@pytest.fixture(scope="module")
def measurement() -> list[Row]:
    return rows("measurement")


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("titanic", "ac87f4b9004d1233eb7b6e7d2eeac5d2518f868a153220fe237e1a474322e4ff"),
        ("measurement", "16a398cb56239222befe95df8d7da9d2efc7e23104e0246f6d9993cb5e34f201"),
    ],
)
def test_the_bundled_file_is_the_one_that_was_drawn(name: str, digest: str) -> None:
    """Every promise of a card was counted in exactly this file; a new one has to be counted again."""
    assert hashlib.sha256((DATASETS / f"{name}.csv").read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("name", ["titanic", "measurement"])
def test_every_dataset_has_a_card_naming_its_columns(name: str) -> None:
    card = (DATASETS / f"{name}.md").read_text(encoding="utf-8")
    for column in rows(name)[0]:
        assert f"| {column} |" in card, column


def test_the_titanic_card_says_that_the_individuals_are_synthetic() -> None:
    first = (DATASETS / "titanic.md").read_text(encoding="utf-8").split("\n\n")[1]
    assert "The individuals are synthetic" in " ".join(first.split())


# --- titanic ---


def test_columns_are_those_of_seaborn(titanic: list[Row]) -> None:
    ours = ",".join(titanic[0])
    assert ours == (
        "survived,pclass,sex,age,sibsp,parch,fare,embarked,class,who,adult_male,deck,embark_town,alive,alone"
    )


def test_survivors_by_class_and_sex_are_the_published_ones(titanic: list[Row]) -> None:
    counts = Counter((row["class"], row["sex"], row["survived"]) for row in titanic)
    assert len(titanic) == 891
    assert {
        key: (counts[(*key, "1")], counts[(*key, "0")] + counts[(*key, "1")])
        for key in {k[:2] for k in counts}
    } == {
        ("First", "female"): (91, 94),
        ("First", "male"): (45, 122),
        ("Second", "female"): (70, 76),
        ("Second", "male"): (17, 108),
        ("Third", "female"): (72, 144),
        ("Third", "male"): (47, 347),
    }
    assert sum(row["survived"] == "1" for row in titanic) == 342


def counted(column: str) -> Callable[[list[Row]], dict[str, int]]:
    return lambda titanic: dict(Counter(row[column] for row in titanic))


@pytest.mark.parametrize(
    ("column", "counts"),
    [
        ("embarked", {"S": 644, "C": 168, "Q": 77, "": 2}),
        ("embark_town", {"Southampton": 644, "Cherbourg": 168, "Queenstown": 77, "": 2}),
        ("who", {"man": 537, "woman": 271, "child": 83}),
        ("adult_male", {"True": 537, "False": 354}),
        ("alone", {"True": 537, "False": 354}),
        ("alive", {"no": 549, "yes": 342}),
        ("deck", {"": 688, "C": 59, "B": 47, "D": 33, "E": 32, "A": 15, "F": 13, "G": 4}),
        ("sibsp", {"0": 608, "1": 209, "2": 28, "3": 16, "4": 18, "5": 5, "8": 7}),
        ("parch", {"0": 678, "1": 118, "2": 80, "3": 5, "4": 4, "5": 5, "6": 1}),
    ],
)
def test_counts_by_column_are_the_published_ones(
    titanic: list[Row], column: str, counts: dict[str, int]
) -> None:
    assert counted(column)(titanic) == counts


@pytest.mark.parametrize(
    ("column", "survivors"),
    [
        ("who", {"man": 88, "woman": 205, "child": 49}),
        ("embarked", {"S": 217, "C": 93, "Q": 30, "": 2}),
        ("alone", {"True": 163, "False": 179}),
        ("deck", {"": 206, "A": 7, "B": 35, "C": 35, "D": 25, "E": 24, "F": 8, "G": 2}),
    ],
)
def test_survivors_by_column_are_the_published_ones(
    titanic: list[Row], column: str, survivors: dict[str, int]
) -> None:
    assert counted(column)([row for row in titanic if row["survived"] == "1"]) == survivors


def test_ages_are_as_published_on_average(titanic: list[Row]) -> None:
    ages = [float(row["age"]) for row in titanic if row["age"]]
    assert len(ages) == 714
    assert round(mean(ages), 1) == 29.7
    assert (min(ages), max(ages)) == (0.42, 80.0)
    for pclass, expected in (("1", 38.2), ("2", 29.9), ("3", 25.1)):
        recorded = [float(row["age"]) for row in titanic if row["age"] and row["pclass"] == pclass]
        assert abs(mean(recorded) - expected) < 0.1


def test_fares_are_as_published_on_average(titanic: list[Row]) -> None:
    assert round(mean(float(row["fare"]) for row in titanic), 1) == 32.2
    assert sum(float(row["fare"]) == 0 for row in titanic) == 15
    for pclass, expected in (("1", 84.15), ("2", 20.66), ("3", 13.68)):
        assert abs(mean(float(row["fare"]) for row in titanic if row["pclass"] == pclass) - expected) < 0.05


def test_the_columns_of_one_passenger_agree(titanic: list[Row]) -> None:
    for row in titanic:
        child = bool(row["age"]) and float(row["age"]) < 16
        assert (row["who"] == "child") is child
        assert row["who"] in ("child", {"male": "man", "female": "woman"}[row["sex"]])
        assert row["adult_male"] == str(row["who"] == "man")
        assert row["alone"] == str(row["sibsp"] == row["parch"] == "0")
        assert row["class"] == {"1": "First", "2": "Second", "3": "Third"}[row["pclass"]]
        assert row["alive"] == ("yes" if row["survived"] == "1" else "no")
        assert row["embark_town"][:1] == row["embarked"]


def test_seaborn_loads_titanic_from_our_folder_without_a_network(tmp_path: Path) -> None:
    program = """
import socket
def refuse(*args, **kwargs):
    raise OSError("no network here")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import seaborn as sns
df = sns.load_dataset("titanic")
assert df.shape == (891, 15), df.shape
assert df["survived"].mean().round(3) == 0.384
assert list(df["class"].cat.categories) == ["First", "Second", "Third"]
assert list(df["deck"].cat.categories) == list("ABCDEFG")
assert (str(df["age"].dtype), str(df["alone"].dtype)) == ("float64", "bool")
assert int(df["age"].isna().sum()) == 177
"""
    environment = {**os.environ, "SEABORN_DATA": str(DATASETS), "MPLCONFIGDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# --- measurement ---


def value(row: Row, column: str) -> float:
    return float(row[column])


def average(measurement: list[Row], column: str, keep: Callable[[Row, datetime], bool]) -> float:
    return mean(value(row, column) for row in measurement if keep(row, datetime.fromisoformat(row["date"])))


def test_every_room_reports_every_half_hour_for_four_weeks(measurement: list[Row]) -> None:
    assert list(measurement[0]) == [
        "Brightness",
        "Humidity",
        "SetpointHistory",
        "Temperature",
        "roomname",
        "date",
    ]
    assert Counter(row["roomname"] for row in measurement) == dict.fromkeys(
        ("Room1", "Room2", "Bathroom", "Kitchen", "Toilet"), 28 * 48
    )
    times = sorted({datetime.fromisoformat(row["date"]) for row in measurement})
    assert times[0].weekday() == 0
    assert {after - before for before, after in pairwise(times)} == {timedelta(minutes=30)}
    assert (DATASETS / "measurement.csv").stat().st_size < 600_000


def test_readings_stay_within_what_a_home_knows(measurement: list[Row]) -> None:
    for row in measurement:
        assert 0 <= value(row, "Brightness") < 1500
        assert 25 <= value(row, "Humidity") <= 97
        assert 15 <= value(row, "SetpointHistory") <= 25
        assert 14 < value(row, "Temperature") < 28


def test_days_are_light_and_nights_are_dark_and_cooler(measurement: list[Row]) -> None:
    night = average(measurement, "Brightness", lambda _, at: at.hour in (1, 2, 3))
    noon = average(measurement, "Brightness", lambda _, at: at.hour in (11, 12))
    assert night < 1 < 150 < noon
    warm = average(measurement, "Temperature", lambda _, at: at.hour == 17)
    cold = average(measurement, "Temperature", lambda _, at: at.hour == 4)
    assert warm - cold > 1


def test_weeks_show_in_the_study(measurement: list[Row]) -> None:
    def study(weekend: bool) -> float:
        return average(
            measurement,
            "Temperature",
            lambda row, at: row["roomname"] == "Room2" and (at.weekday() >= 5) is weekend,
        )

    assert study(weekend=False) - study(weekend=True) > 1


def test_showers_show_in_the_bathroom(measurement: list[Row]) -> None:
    evening = average(
        measurement, "Humidity", lambda row, at: row["roomname"] == "Bathroom" and at.hour == 22
    )
    noon = average(measurement, "Humidity", lambda row, at: row["roomname"] == "Bathroom" and at.hour == 14)
    assert evening - noon > 8


def test_rooms_follow_their_setpoint_by_day(measurement: list[Row]) -> None:
    means = {
        room: average(measurement, "Temperature", lambda row, _, room=room: row["roomname"] == room)
        for room in ("Bathroom", "Toilet", "Room1")
    }
    assert means["Bathroom"] > means["Room1"] > means["Toilet"]
