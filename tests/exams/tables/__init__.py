"""Twelve tables of our own making, with headers and cells as people really have them.

`TABLES` maps a table's name (its file is NAME.csv) to the function that writes it: CSV text of 90 to 320 rows, the same
on every machine, from a seed of its own. `english` and `japanese` hold them by the language of their headers.
"""

from collections.abc import Callable

from tests.exams.tables import english, japanese

TABLES: dict[str, Callable[[], str]] = {
    make.__name__: make
    for make in (
        english.shop_orders,
        english.clinic_visits,
        english.bike_rides,
        english.room_sensors,
        english.hotel_bookings,
        english.support_tickets,
        english.school_marks,
        japanese.store_sales,
        japanese.attendance,
        japanese.survey,
        japanese.weather,
        japanese.stock,
    )
}
