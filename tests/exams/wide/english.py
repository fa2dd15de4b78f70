"""The English tables of this set: everyday exports of sixteen trades, each with the questions of those who keep it.

`TABLES` maps a table's name to the function that writes it, CSV text of 36 to 60 rows from a seed of its own, and to the
one that asks, given the table as pandas reads it.
"""

from collections.abc import Callable
from typing import Any

from tests.exams.case import Question
from tests.exams.wide import (
    english_care,
    english_giving,
    english_media,
    english_moving,
    english_outdoors,
    english_people,
    english_town,
    english_work,
)

TABLES: dict[str, tuple[Callable[[], str], Callable[[Any], list[Question]]]] = {
    "dental_appointments": (english_care.dental, english_care.dental_questions),
    "water_samples": (english_care.water, english_care.water_questions),
    "podcast_episodes": (english_media.podcast, english_media.podcast_questions),
    "theatre_tickets": (english_media.theatre, english_media.theatre_questions),
    "food_bank": (english_giving.foodbank, english_giving.foodbank_questions),
    "crowdfunding": (english_giving.crowdfunding, english_giving.crowdfunding_questions),
    "ferry_crossings": (english_moving.ferry, english_moving.ferry_questions),
    "car_rentals": (english_moving.rental, english_moving.rental_questions),
    "warehouse_picking": (english_work.picking, english_work.picking_questions),
    "it_incidents": (english_work.incidents, english_work.incidents_questions),
    "tree_inventory": (english_outdoors.trees, english_outdoors.trees_questions),
    "fishing_contest": (english_outdoors.fishing, english_outdoors.fishing_questions),
    "road_accidents": (english_town.accidents, english_town.accidents_questions),
    "recycling_rounds": (english_town.recycling, english_town.recycling_questions),
    "gym_classes": (english_people.gym, english_people.gym_questions),
    "election_results": (english_people.election, english_people.election_questions),
}
