"""Random points on a floor: drawn from a seed that is said, so that the same code gives the same picture."""

from smoldesk.analyst.building.intents import Drawing
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import (
    Cell,
    Value,
    fstring,
    literal,
)
from smoldesk.analyst.language import Language

_WHOLE = (0.0, 0.0, 500.0, 200.0)
_EDGE = 0.03
"""Part of the floor at each side that stays free, so that labels are not cut."""


def write_random_points(intent: Drawing, catalogue: Catalogue, language: Language) -> Cell:
    """The code that draws `random_points` labels or icons, shows their coordinates and lists them."""
    cell = Cell()
    left, top, right, bottom = catalogue.bounds.get(intent.floor, _WHOLE)
    across, down = _EDGE * (right - left), _EDGE * (bottom - top)
    count = intent.random_points
    cell.use("np", "pd")
    cell.add(
        f"generator = np.random.default_rng({intent.seed})",
        "points = pd.DataFrame(",
        "    {",
        f'        "x": generator.uniform({left + across:g}, {right - across:g}, size={count}),',
        f'        "y": generator.uniform({top + down:g}, {bottom - down:g}, size={count}),',
        "    }",
        ").round(1)",
        "display(points)",
    )
    cell.gap()
    pairs = "points.itertuples(index=False)"
    if intent.random_icon:
        icon = fstring(f"{intent.random_icon}:", Value("x"), ",", Value("y"))
        cell.add(f'icons = ";".join({icon} for x, y in {pairs})')
        cell.add(f"show_map(floor_id={literal(intent.floor)}, bitmap_overlays=icons)")
    else:
        cell.add(f'labels = ";".join(f"P{{n}}:{{x}},{{y}}" for n, (x, y) in enumerate({pairs}, start=1))')
        cell.add(f"show_map(floor_id={literal(intent.floor)}, text_overlays=labels)")
    cell.gap()
    cell.add(f'listed = ", ".join(f"({{x}}, {{y}})" for x, y in {pairs})')
    number = Value("len(points)")
    cell.answer(
        fstring(
            f"{intent.floor}にランダムな座標を",
            number,
            "個表示しました: ",
            Value("listed"),
            f"（乱数の種は{intent.seed}）。",
        )
        if language == "ja"
        else fstring(
            number, f" random points on floor {intent.floor}: ", Value("listed"), f" (seed {intent.seed})."
        )
    )
    return cell
