"""Map drawings as calls of the map tools, which both kinds of agents can make, and as code."""

from smoldesk.analyst.building.intents import At, MapUpdate, Sketch, ToolCall
from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.cell import Cell, call_code, chart_lines, inside, literal
from smoldesk.analyst.language import Language, join_names, localize, quote, render
from smoldesk.analyst.lexicon import lexicon
from smoldesk.buildings.overlay_text import quoted
from smoldesk.charts.inside import chart_forms as forms

_WAYS = {"up": "上", "down": "下", "left": "左", "right": "右"}
_DEFAULT_BOUNDS = (0.0, 0.0, 500.0, 200.0)
# Fraction of the floor at each side without random points, so that labels are not cut.
_EDGE = 0.03


def map_calls(intent: MapUpdate) -> list[ToolCall]:
    """Return the tool calls that draw an intent.

    One show_map call contains everything, because the next would replace it.
    """
    if intent.clear:
        return [ToolCall("clear_arrows" if intent.clear == "arrows" else "clear_map")]
    if intent.values:
        return [ToolCall("color_rooms", (("values", dict(intent.values)),))]
    bare_arrows = () if intent.highlights or intent.icons or intent.texts else intent.arrows
    if bare_arrows and all(at.room for _, at in bare_arrows):
        pairs = ((("room_name", at.room), ("direction", direction)) for direction, at in bare_arrows)
        return [ToolCall("draw_arrow", pair) for pair in pairs]
    arguments = {"floor_id": intent.floor}
    if intent.highlights:
        arguments["highlight_rooms"] = ",".join(quoted(room) for room, _ in intent.highlights)
    if any(colour for _, colour in intent.highlights):
        arguments["room_colors"] = ",".join(colour or "#0066FF" for _, colour in intent.highlights)
    bitmaps = [(f"arrow_{direction}", at) for direction, at in intent.arrows] + list(intent.icons)
    if bitmaps:
        arguments["bitmap_overlays"] = ";".join(f"{bitmap}:{at.to_text()}" for bitmap, at in bitmaps)
    if intent.texts:
        shade = f"|color={intent.text_colour}" if intent.text_colour else ""
        texts = (f"{quoted(text)}:{at.to_text()}{shade}" for text, at in intent.texts)
        arguments["text_overlays"] = ";".join(texts)
    return [ToolCall("show_map", tuple(arguments.items()))]


def write_map(intent: MapUpdate, catalogue: Catalogue, language: Language) -> Cell:
    """Return the code of a drawing and its answer."""
    cell = Cell()
    if intent.random_points:
        _random_points(cell, intent, catalogue, language)
        return cell
    calls = [line for call in map_calls(intent) for line in call_code(call).splitlines()]
    # A point in the request may be outside the floor; rooms were checked before.
    if any(not at.room for _, at in (*intent.arrows, *intent.icons, *intent.texts)):
        cell.add(f"shown = {calls[0]}", *calls[1:])
        cell.add('if shown.startswith("Error"):  # a point outside the floor', "    final_answer(shown)")
    else:
        cell.add(*calls)
    cell.answer(literal(describe_map(intent, catalogue, language)))
    return cell


def _random_points(cell: Cell, intent: MapUpdate, catalogue: Catalogue, language: Language) -> None:
    """Add labels or icons at random points; the answer names the seed, so that the code can repeat the picture."""
    min_x, min_y, max_x, max_y = catalogue.bounds.get(intent.floor, _DEFAULT_BOUNDS)
    across, down = _EDGE * (max_x - min_x), _EDGE * (max_y - min_y)
    size = f"size={intent.random_points}"
    cell.add(f"generator = np.random.default_rng({intent.seed})", "points = pd.DataFrame(", "    {")
    cell.add(f'        "x": generator.uniform({min_x + across:g}, {max_x - across:g}, {size}),')
    cell.add(f'        "y": generator.uniform({min_y + down:g}, {max_y - down:g}, {size}),')
    cell.add("    }", ").round(1)", "display(points)", "")
    pairs = "points.itertuples(index=False)"
    if intent.random_icon:
        cell.add(f'shown = ";".join(f"{inside(intent.random_icon)}:{{x}},{{y}}" for x, y in {pairs})')
    else:
        cell.add(f'shown = ";".join(f"P{{n}}:{{x}},{{y}}" for n, (x, y) in enumerate({pairs}, start=1))')
    overlays = "bitmap_overlays" if intent.random_icon else "text_overlays"
    cell.add(f"show_map(floor_id={literal(intent.floor)}, {overlays}=shown)", "")
    cell.add(f'listed = ", ".join(f"({{x}}, {{y}})" for x, y in {pairs})')
    cell.answer(f'f"{render("random_points", language, floor=inside(intent.floor), seed=intent.seed)}"')


def describe_map(intent: MapUpdate, catalogue: Catalogue, language: Language) -> str:
    """Describe the drawing."""
    if intent.clear:
        return render("arrows_cleared" if intent.clear == "arrows" else "map_cleared", language)
    if len(intent.values) == 1:
        room, value = intent.values[0]
        return render("typed_one", language, room=room, value=f"{value:g}")
    if intent.values:
        (low, least), *_, (high, most) = sorted(intent.values, key=lambda pair: pair[1])
        figures = {"high": high, "most": f"{most:g}", "low": low, "least": f"{least:g}"}
        return render("typed", language, count=len(intent.values), **figures) + _missing(intent, language)
    parts: list[str] = []
    rooms_by_colour: dict[str, list[str]] = {}
    for room, colour in intent.highlights:
        rooms_by_colour.setdefault(colour, []).append(room)
    for colour, rooms in rooms_by_colour.items():
        name, joined = colour_name(colour, language), join_names(language, rooms)
        parts.append(render("lit_in" if colour else "lit", language, rooms=joined, colour=name))
    if language == "ja" and len(parts) > 1:
        parts = ["と".join(parts)]
    for direction, at in intent.arrows:
        if intent.towards:
            parts.append(render("arrow_to", language, start=at.to_text(), goal=intent.towards))
            continue
        article, way = "an" if direction == "up" else "a", localize(language, direction, _WAYS[direction])
        parts.append(render("arrow_at", language, article=article, way=way, where=_where(at, language)))
    parts += [render("icon_at", language, icon=icon, where=_where(at, language)) for icon, at in intent.icons]
    shade = colour_name(intent.text_colour, language) if intent.text_colour else ""
    for text, at in intent.texts:
        where = _where(at, language)
        parts.append(render("text_in" if shade else "text_at", language, text=text, where=where, shade=shade))
    name = catalogue.floor_names.get(intent.floor, intent.floor)
    sentence = "drawn" if parts else "floor_shown"
    drawn = render(sentence, language, floor=intent.floor, name=name, parts=join_names(language, parts))
    return drawn + _missing(intent, language)


def _missing(intent: MapUpdate, language: Language) -> str:
    """Return that no room has some names, if there are some."""
    unknown = join_names(language, quote(language, intent.missing))
    return render("missing", language, words=unknown) if unknown else ""


def colour_name(colour: str, language: Language) -> str:
    """Return the name of a colour: red, 赤."""
    names = lexicon().colours.get(colour, [colour])
    if language == "ja":
        return next((word for word in names if not word.isascii()), colour).removesuffix("色")
    return names[0]


def _where(at: At, language: Language) -> str:
    return render("in_room" if at.room else "at_point", language, room=at.to_text())


_WAVES = {"sine": (("sin",), "Sine wave", "サイン波"), "cosine": (("cos",), "Cosine wave", "コサイン波"),
    "both": (("sin", "cos"), "Sine and cosine waves", "サイン波とコサイン波")}  # fmt: skip
_NORMAL = ('{"value": generator.normal(size=1000)}', "random_values")
_SERIES = ('{"n": range(1, 101), "value": generator.uniform(0, 100, size=100)}', "random_series")
_N, _VALUE, _SIDES = {"field": "n"}, {"field": "value"}, ({"field": "x"}, {"field": "y"})
_BARS = forms.groups("bar", forms.in_order("n"), _VALUE)
_RANDOM = {"hist": (forms.histogram(_VALUE, "n", bins=30), *_NORMAL), "box": (forms.boxes(_VALUE), *_NORMAL),
    "line": (forms.groups("line", _N, _VALUE), *_SERIES), "bar": (_BARS, *_SERIES)}  # fmt: skip
# Spec of the chart, source of the random data, and name of the answer's sentence; likewise in `_RANDOM`.
_PAIRS = (forms.points(*_SIDES), '{side: generator.normal(size=200) for side in "xy"}', "random_pairs")


def write_sketch(intent: Sketch, language: Language) -> Cell:
    """Return the code of a wave, or of a plot of random data."""
    cell = Cell()
    if intent.what == "random":
        _random(cell, intent, language)
        return cell
    functions, english, japanese = _WAVES[intent.what]
    title = localize(language, english, japanese)
    waves = ", ".join(f'"{name}(x)": np.{name}(x)' for name in functions)
    cell.add("x = np.linspace(0, 4 * np.pi, 400)")
    cell.add(f'data = pd.DataFrame({{"x": x, {waves}}}).melt("x", var_name="wave", value_name="y")')
    cell.add(*chart_lines("data", title, forms.curves(*_SIDES, "wave")))
    cell.answer(literal(render("wave", language, wave=title)))
    return cell


def _random(cell: Cell, intent: Sketch, language: Language) -> None:
    spec, source, sentence = _RANDOM.get(intent.plot, _PAIRS)
    cell.add(f"generator = np.random.default_rng({intent.seed})", f"data = pd.DataFrame({source})")
    cell.add("correlation = data.x.corr(data.y)" if sentence == "random_pairs" else "values = data.value")
    cell.add(*chart_lines("data", localize(language, "Random values", "ランダムな値"), spec))
    cell.answer(f'f"{render(sentence, language, seed=intent.seed, count=100)}"')
