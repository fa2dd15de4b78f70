"""Letters of European languages, which tell Windows-1250 and ISO 8859-2 from Windows-1252: each byte is valid in all."""

WESTERN = (
    "äöüß", "àâæçéèêëîïôœùûüÿ", "àèéìíîòóùú", "áéíñóúü", "áâãàçéêíóôõúü", "æøåéèêòô", "åäöéü", "äöåšž", "áðéíóúýþæö",
)  # fmt: skip
# Czech, Slovak, Polish, Hungarian, Romanian before 1993, Slovene and Croatian.
CENTRAL = (
    "áčďéěíňóřšťúůýžöü", "áäčďéíĺľňóôŕšťúýžöü", "ąćęłńóśźżöü", "áéíóöőúüű", "ăâîşţ", "čšžćđ",
)  # fmt: skip
ENCODINGS = ("cp1250", "iso8859_2")
# Least share of the letters that a language has; least number of different letters that the Western view has not.
MOST, LEAST_DIFFERENT = 0.98, 3
# Least share of the letters that are letters in the Western view, too: ³ and ¶ are signs there.
FEWEST_WESTERN = 0.7


def central_encoding(sample: bytes) -> str:
    """Return the encoding of a Central European text; empty if a Western language has all of its letters."""
    western = _letters(sample, "cp1252")
    letters = {name: _letters(sample, name) for name in ENCODINGS}
    has_signs = len(western) < FEWEST_WESTERN * max(map(len, letters.values()))
    if not has_signs and any(_are_of(western, alphabet) for alphabet in WESTERN):
        return ""
    fitting = [name for name in ENCODINGS if _fits(letters[name], western)]
    # What is a letter in one of them may be a sign in the other.
    return max(fitting, key=lambda name: len(letters[name]), default="")


def _fits(letters: list[str], western: list[str]) -> bool:
    """Check for the letters of a Central European language, of which some are other letters in the Western view."""
    different = len({*letters} - {*western})
    return any(
        different
        >= min(LEAST_DIFFERENT, sum(letter.encode("cp1252", "ignore") == b"" for letter in alphabet))
        and _are_of(letters, alphabet)
        for alphabet in CENTRAL
    )


def _letters(sample: bytes, encoding: str) -> list[str]:
    text = sample.decode(encoding, "replace").casefold()
    return [char for char in text if char > "\x7f" and char.isalpha()]


def _are_of(letters: list[str], alphabet: str) -> bool:
    return sum(letter in alphabet for letter in letters) >= MOST * len(letters)
