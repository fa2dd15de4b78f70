"""The six tables of the second set: `FRESH` maps a table's name to the function that writes its CSV text."""

from collections.abc import Callable

from tests.exams.fresh import english, japanese

FRESH: dict[str, Callable[[], str]] = {
    make.__name__: make
    for make in (
        english.home_listings,
        english.payroll,
        english.flights,
        english.energy_meters,
        japanese.library_loans,
        japanese.factory_lots,
    )
}
