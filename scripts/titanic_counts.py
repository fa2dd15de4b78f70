"""The published counts of the Titanic table that our synthetic passengers are held to.

Groups are (class, sex, survived). Every number here is an aggregate that text books and the documentation
of the public 891-row table print; no row of that table is here or was used.
"""

Group = tuple[int, str, int]

SIZES: dict[Group, int] = {
    (1, "female", 1): 91,
    (1, "female", 0): 3,
    (1, "male", 1): 45,
    (1, "male", 0): 77,
    (2, "female", 1): 70,
    (2, "female", 0): 6,
    (2, "male", 1): 17,
    (2, "male", 0): 91,
    (3, "female", 1): 72,
    (3, "female", 0): 72,
    (3, "male", 1): 47,
    (3, "male", 0): 300,
}
"""How many passengers each group has: 891 in all, 342 of them survived."""

PORTS: dict[Group, dict[str, int]] = {
    (1, "female", 1): {"C": 42, "Q": 1, "S": 46, "": 2},
    (1, "female", 0): {"C": 1, "Q": 0, "S": 2},
    (1, "male", 1): {"C": 17, "Q": 0, "S": 28},
    (1, "male", 0): {"C": 25, "Q": 1, "S": 51},
    (2, "female", 1): {"C": 7, "Q": 2, "S": 61},
    (2, "female", 0): {"C": 0, "Q": 0, "S": 6},
    (2, "male", 1): {"C": 2, "Q": 0, "S": 15},
    (2, "male", 0): {"C": 8, "Q": 1, "S": 82},
    (3, "female", 1): {"C": 15, "Q": 24, "S": 33},
    (3, "female", 0): {"C": 8, "Q": 9, "S": 55},
    (3, "male", 1): {"C": 10, "Q": 3, "S": 34},
    (3, "male", 0): {"C": 33, "Q": 36, "S": 231},
}
"""Where they embarked: 644 in Southampton, 168 in Cherbourg, 77 in Queenstown, two unknown."""

CHILDREN: dict[Group, int] = {
    (1, "female", 1): 2,
    (1, "female", 0): 1,
    (1, "male", 1): 3,
    (2, "female", 1): 10,
    (2, "male", 1): 9,
    (3, "female", 1): 16,
    (3, "female", 0): 14,
    (3, "male", 1): 9,
    (3, "male", 0): 19,
}
"""Younger than 16: 83, of whom 49 survived."""

AGE_UNKNOWN: dict[Group, int] = {
    (1, "female", 1): 9,
    (1, "male", 1): 5,
    (1, "male", 0): 16,
    (2, "female", 1): 2,
    (2, "male", 1): 2,
    (2, "male", 0): 7,
    (3, "female", 1): 25,
    (3, "female", 0): 17,
    (3, "male", 1): 9,
    (3, "male", 0): 85,
}
"""No age given: 177, none of them counted as a child."""

MEAN_AGE: dict[Group, float] = {
    (1, "female", 1): 34.94,
    (1, "female", 0): 25.67,
    (1, "male", 1): 36.25,
    (1, "male", 0): 44.58,
    (2, "female", 1): 28.08,
    (2, "female", 0): 36.0,
    (2, "male", 1): 16.02,
    (2, "male", 0): 33.37,
    (3, "female", 1): 19.33,
    (3, "female", 0): 23.82,
    (3, "male", 1): 22.27,
    (3, "male", 0): 27.26,
}
"""Mean of the known ages, in years; 29.70 over all."""

MEAN_FARE: dict[Group, float] = {
    (1, "female", 1): 105.98,
    (1, "female", 0): 110.60,
    (1, "male", 1): 74.64,
    (1, "male", 0): 62.89,
    (2, "female", 1): 22.29,
    (2, "female", 0): 18.25,
    (2, "male", 1): 21.10,
    (2, "male", 0): 19.49,
    (3, "female", 1): 12.46,
    (3, "female", 0): 19.77,
    (3, "male", 1): 15.58,
    (3, "male", 0): 12.20,
}
"""Mean fare, in pounds; 32.20 over all."""

FREE_FARES: dict[Group, int] = {(1, "male", 0): 5, (2, "male", 0): 6, (3, "male", 0): 3, (3, "male", 1): 1}
"""Fifteen men travelled free."""

ALONE: dict[Group, int] = {
    (1, "female", 1): 33,
    (1, "female", 0): 1,
    (1, "male", 1): 25,
    (1, "male", 0): 50,
    (2, "female", 1): 29,
    (2, "female", 0): 3,
    (2, "male", 1): 7,
    (2, "male", 0): 65,
    (3, "female", 1): 37,
    (3, "female", 0): 23,
    (3, "male", 1): 32,
    (3, "male", 0): 232,
}
"""Without family on board: 537, of whom 163 survived."""

SIBLINGS: dict[int, int] = {0: 608, 1: 209, 2: 28, 3: 16, 4: 18, 5: 5, 8: 7}
"""Siblings and spouses on board: how many passengers had so many."""

PARENTS: dict[int, int] = {0: 678, 1: 118, 2: 80, 3: 5, 4: 4, 5: 5, 6: 1}
"""Parents and children on board: how many passengers had so many."""

DECKS: dict[tuple[int, int], dict[str, int]] = {
    (1, 1): {"A": 7, "B": 35, "C": 35, "D": 22, "E": 18},
    (1, 0): {"A": 8, "B": 12, "C": 24, "D": 7, "E": 7},
    (2, 1): {"D": 3, "E": 3, "F": 7},
    (2, 0): {"D": 1, "E": 1, "F": 1},
    (3, 1): {"E": 3, "F": 1, "G": 2},
    (3, 0): {"F": 4, "G": 2},
}
"""Known decks by (class, survived): 203, of whom 136 survived."""
