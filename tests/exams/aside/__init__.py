"""A second set that is kept aside: ten tables of other domains, two hundred questions, in the form of the shared examples.

Their tables are smaller and travel in the cases as `csv`. Each module here is named as its table: `read` makes its
columns plain, `questions` asks and computes what is right. Who improves the analyst does not look in here.
"""

from collections.abc import Callable

from tests.exams.aside import tables_english as english
from tests.exams.aside import tables_japanese as japanese

TABLES: dict[str, Callable[[], str]] = {
    make.__name__: make
    for make in (
        english.museum_visitors,
        english.vet_visits,
        english.coffee_tastings,
        english.parking_garage,
        english.donations,
        english.film_ratings,
        japanese.town_population,
        japanese.game_sales,
        japanese.job_offers,
        japanese.school_clubs,
    )
}
"""By a table's name the function that writes it: CSV text of 12 to 120 rows."""
