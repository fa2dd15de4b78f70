"""English that lists rows of two cells, speaks of winners, of any row, of time spent, of ends of spans and of scaled money."""

import pytest

from tests.analyst.small_tables import SmallDesk

JOBS = """Job no,Repair,Technician,Opened on,prep time [h],Minutes practised,Amount quoted (k$),Parts used,idle_W
J1,Boiler,Hanna,2023-01-03,2.5,30,180,4,0
J2,Sink,Otto,2023-01-12,1.0,10,60,2,5
J3,Boiler,Otto,2023-02-07,4.5,50,320,7,0
J4,Gutter,Hanna,2023-02-20,0.5,10,45,1,12
J5,Sink,Hanna,2023-03-02,1.5,20,95,3,8
J6,Boiler,Mira,2023-03-15,6.0,60,410,9,0
J7,Gutter,Mira,2023-03-31,0.8,10,50,1,3
J8,Sink,Otto,2024-01-09,2.2,25,120,2,4
"""
CUPS = """Date,Event,Venue,Winner,Entrants,Days stored,Strength
2022-05-01,Lake Race,Bled,Ilse,20,7,10
2022-06-12,Sea Mile,Piran,Tomo,31,14,20
2022-08-20,Lake Race,Bled,Ilse,25,7,12
2023-01-08,Ice Dip,Bled,Vera,9,14,22
2023-05-02,Lake Race,Bled,Tomo,22,7,14
2023-06-10,Sea Mile,Piran,Ilse,35,14,24
"""
QUIZ = """Held on,Quiz,Teams,Walk (km),Champion
2024-01-05,Music,8,2.5,Owls
2024-01-19,History,6,11.0,Foxes
2024-02-02,Music,9,4.0,Owls
2024-02-16,Film,7,12.5,Bears
"""


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SmallDesk]:
    return {
        name: SmallDesk(tmp_path_factory.mktemp(name), data=text)
        for name, text in {"jobs": JOBS, "cups": CUPS, "quiz": QUIZ}.items()
    }


@pytest.mark.parametrize(
    ("table", "asked", "told"),
    [
        (
            "jobs",
            "list the Hanna and Mira jobs by amount quoted, cheapest first",
            ("5 rows", "45 (J4), 50 (J7)"),
        ),
        ("jobs", "list all jobs by parts used", ("8 rows by Parts used", "9 (J6), 7 (J3)")),
        ("jobs", "compare Hanna and Mira by amount quoted", ("Amount quoted (k$)", "Mira")),
        ("jobs", "average parts used of a repair", ("Average Parts used: 3.62",)),
        ("jobs", "how many more minutes did Otto practise than Hanna?", ("25",)),
        ("jobs", "total practice time in minutes", ("215",)),
        ("jobs", "which repair takes longest to prepare on average?", ("Boiler",)),
        ("jobs", "which jobs use no idle power at all?", ("idle_W = 0", "3 rows")),
        ("jobs", "how many jobs were opened after the end of 2023?", ("1 rows",)),
        ("jobs", "how many jobs were opened before the end of February 2023?", ("4 rows",)),
        ("jobs", "total parts used per month, going by opened on", ("highest 13 (2023-03)",)),
        ("jobs", "how many jobs quoted over 100k?", ("4 rows", "> 100")),
        ("jobs", "how many jobs with an amount quoted over $100,000?", ("4 rows", "> 100")),
        ("jobs", "rolling mean of parts used over 3 jobs, in order of opened on", ("moving average of 3",)),
        ("cups", "how many times has each person won?", ("Ilse (3)",)),
        ("cups", "how many events has Ilse won?", ("3 rows", "Winner = Ilse")),
        ("cups", "number of lake races that Ilse did not win", ("1 rows", "Winner ≠ Ilse")),
        ("cups", "what percentage of the events did Vera win?", ("16.7 %",)),
        ("cups", "who won the Ice Dip?", ("Vera",)),
        ("cups", "average strength after 14 days", ("Days stored = 14", "22")),
        ("cups", "average strength after 10 days", ("Days stored > 10", "22")),
        ("quiz", "how many quiz nights were held?", ("4 rows",)),
        ("quiz", "how many Music nights did the Owls win?", ("2 rows", "Champion = Owls")),
        ("quiz", "how many walks went further than 10 km?", ("2 rows", "Walk (km) > 10")),
    ],
)
def test_told(desks: dict[str, SmallDesk], table: str, asked: str, told: tuple[str, ...]) -> None:
    said = desks[table].ask(asked)
    for part in told:
        assert part in said.first, (asked, said.text)


@pytest.mark.parametrize(
    ("table", "asked", "kept"),
    [
        ("jobs", "average parts used by repair", "Boiler"),
        ("jobs", "average parts used of a boiler repair", "Repair = Boiler"),
        ("jobs", "compare Hanna and Mira by repair", "rows"),
        ("cups", "how many events has Bruno won?", "do not know"),
        ("quiz", "how many nights in total?", "nights"),
        ("quiz", "how many teams came after 3 days", "3 days"),
    ],
)
def test_the_others_stay(desks: dict[str, SmallDesk], table: str, asked: str, kept: str) -> None:
    assert kept in desks[table].ask(asked).first
