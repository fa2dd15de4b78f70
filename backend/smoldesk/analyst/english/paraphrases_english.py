"""What people say in English, and how the grammar says it: contractions, courtesies, figures of speech.

Rewritten before anything is read. A pattern rewrites how something is asked, never what it is asked about.
"""

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DONE = r"(?=\w*(?:ed|en|ut|ld|nt|pt|st|id|aid|one|own|ost)\b)"
"""What a past participle ends in."""
_THE, _SIDE, _END = "(?:the |an? )?", "(.+?)", r"(?=[?.! ]*$)"
_EARNS = "(?:make|makes|made|earn|earns|earned|get paid|gets paid)"
_RAISES = (
    "(?:raise|raised|take|took|take in|took in|bring in|brought in|make|made|sell|sold|collect|collected)"
)
_GIVEN = "(?:raised|taken|sold|collected|spent|paid|earned|donated|given|made|brought in|charged|billed)"
_MOVE = "(?:change|rise|grow|increase|fall|drop|decrease|decline|shrink|go up|go down)"
_MONTHS = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = rf"((?:{_MONTHS} )?(?:(?:19|20)\d\d)|{_MONTHS})"
_MORE = {
    "longer": "duration",
    "older": "age",
    "heavier": "weight",
    "taller": "height",
    "pricier": "price",
    "more expensive": "price",
    "hotter": "temperature",
    "warmer": "temperature",
    "faster": "speed",
    "later": "delay",
    "larger": "size",
    "bigger": "size",
    "deeper": "depth",
    "wider": "width",
    "thicker": "thickness",
    "cheaper": "price",
    "younger": "age",
    "lighter": "weight",
    "colder": "temperature",
    "cooler": "temperature",
    "dearer": "price",
    "richer": "income",
}
_ON_AVERAGE = rf"((?: on average)?){_END}"
_AVERAGES = r"difference in average {} between \1 and \2"

_CONTRACTIONS = (
    (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|ca|wo)nt\b", r"\1n't"),
    (r"\bppl\b", "people"),
    (r"\bwheres\b", "where is"),
    (r"\bhave(?: not|n't) they\b", "have they not"),
)
_NOT_THERE = (
    (rf"\b(?:has|have|had|was|were|is|are)(?: not|n't) (?:yet )?(?:been |be )?{_DONE}", "not "),
    (rf"\b(?:has|have|had|was|were) (?:never|yet to) (?:been |be )?{_DONE}", "not "),
    (r"\b(?:do|does|did)(?: not|n't) have (?:(?:an?|any|the) )?", "without "),
)
_COURTESIES = (
    (r"\b(?:in all|all in all|all told|all up)(?=[ ?.,!]*$)", "in total"),
    (
        r"\b(?:yet|at all|as of now|to date|at present|these days|for me|if you can|i think|tho|though|lol|btw)"
        r"(?=[ ?.,!]*$)",
        "",
    ),
    (
        r"\b(?:btw|hey|so|um|hmm|and now|well|right),? (?=how|what|which|who|show|give|plot)",
        "",
    ),
)
_COUNTS = (
    *(
        (
            rf"\b(top|bottom|first|last|just the|only the|the) {word}(?= )(?! ?(?:of|with|that|which|who)\b)",
            rf"\1 {number}",
        )
        for number, word in enumerate(_NUMBERS[1:], 2)
    ),
    (r"\b(?:last|final|bottom) (\d+) (?:rows|lines)\b", r"last rows \1"),
)
_LESS = "(?:more|less|higher|lower|bigger|smaller|larger|longer|shorter|better|worse)"
_TWO_SIDES = (
    (
        rf"\bhow much {_LESS} (?:is|are|was|were) (?:the )?(\w+)'s? (average|mean|median|total) {_SIDE}"
        rf" than (?:the )?(\w+)'s?{_END}",
        r"difference in \2 \3 between \1 and \4",
    ),
    (
        rf"\bhow much (?:more|less) (?:money )?(?:did|do) (?:i|we|they) spend in {_SIDE} than (?:in )?{_SIDE}{_END}",
        r"difference in total amount of \1 and \2",
    ),
    (
        rf"\bhow much more (?:does|do|did) (?:the )?{_SIDE} {_EARNS} than (?:the )?{_SIDE}{_ON_AVERAGE}",
        _AVERAGES.format("salary"),
    ),
    (
        rf"\bhow much more (?:money )?did (?:we|they|it) {_RAISES} in {_SIDE} than (?:in )?{_SIDE}{_END}",
        r"difference in total amount of \1 and \2",
    ),
    (
        rf"\bhow much (?:more|less) (?:money )?(?:was|were) {_GIVEN} in {_SIDE} than (?:in )?{_SIDE}{_END}",
        r"difference in total amount of \1 and \2",
    ),
    (
        rf"\bhow much did (?:the )?{_SIDE} {_MOVE} (?:from|between) {_DAY} (?:to|and) {_DAY}"
        rf"(,? (?:in|as a) (?:percent|%|percentage|per cent)|,? percent-?wise)?{_END}",
        r"difference in \1 of \3 and \2\4",
    ),
    (
        rf"\bby (?:how many percent|what percent(?:age)?|how much percent) did (?:the )?{_SIDE} {_MOVE} (?:from|between) {_DAY}"
        rf" (?:to|and) {_DAY}{_END}",
        r"difference in \1 of \3 and \2 in percent",
    ),
    (
        rf"\bhow much more (?:does|do|did) {_THE}{_SIDE} cost than {_THE}{_SIDE}{_ON_AVERAGE}",
        _AVERAGES.format("price"),
    ),
    *(
        (
            rf"\bhow much {word} (?:is|are|was|were) {_THE}{_SIDE} than {_THE}{_SIDE}{_ON_AVERAGE}",
            _AVERAGES.format(noun),
        )
        for word, noun in _MORE.items()
    ),
    (
        rf"^(?:do|does|did|are|is) (\w+) or (\w+) (?:cost|priced) more(?: on average)?{_END}",
        r"which of \1 and \2 has the highest average price",
    ),
    (
        rf"^(?:do|does|did|are|is) (\w+) or (\w+) (?:earn|make|paid) more(?: on average)?{_END}",
        r"which of \1 and \2 has the highest average salary",
    ),
    (
        r"\b(?:which|what) (?:\w+ )?(?:has|had|is|was) (?:the |a )?(?:high|bigg|great|larg)(?:er|est) "
        rf"(average|mean|median|total),? ?(?:\w+ )??(\w+) or (\w+){_END}",
        r"highest \1 of \2 and \3",
    ),
)
_ON_THE_MAP = (
    r"(?:(?:all|every|each|the|any|my|those|these|of) )*"
    r"(?:arrows?|icons?|texts?|words?|highlights?|markers?|drawings?|overlays?|colou?rs?|rooms?|map|everything)\b"
)
"""What stands on the map is taken away, and is no condition of rows."""
_SPELT = (
    (r"\b(?:febuary|feburary|febraury|febuaury)\b", "february"),
    (r"\b(?:januray|janurary|januarry|janaury)\b", "january"),
    (r"\b(?:septemeber|setember|septmber)\b", "september"),
    (r"\b(?:ocotber|octobor|ocober)\b", "october"),
    (r"\b(?:novemeber|novmber)\b", "november"),
    (r"\b(?:decemeber|decmber|desember)\b", "december"),
    (r"\b(?:agust|augst)\b(?= |[?.,]|$)", "august"),
)
"""Months as they are often misspelt: dates are read by patterns, which mend no letters."""
_AND_THAT = (
    (
        r"(,? and) how (?:many|much)(?: [a-z]+)? (?:was|is|were|are) (?:it|that|this)(?=[?.! ]*$)",
        r"\1 what was it",
    ),
    (
        r"^((?:in |on |for )?(?:which|what|who) .*\b(?:most|fewest|least|highest|lowest|largest|smallest|\w{3,}est)\b.*?)"
        r",? and how many"
        r"(?: (?:were|are|was|is) (?:there|that|it|they))?(?: in (?:total|all))?(?=[?.! ]*$)",
        r"\1",
    ),
    (r"^by how (?:many [a-z]+|much) did (.+?) change (?=from (?:one )?\w+ to )", r"how much did \1 change "),
)
"""What the answer to a rank tells anyway, and the unit of a change."""
_FOLLOWING = (
    (
        r"^(?:but |and |ok |okay )?(?:leave out|take out|ignore|drop|skip|forget|remove|exclude|lose) "
        rf"(?=\w)(?!{_ON_THE_MAP})",
        "without ",
    ),
)

ENGLISH: tuple[tuple[str, str], ...] = (
    *_CONTRACTIONS,
    *_NOT_THERE,
    *_COURTESIES,
    *_COUNTS,
    *_TWO_SIDES,
    *_FOLLOWING,
    *_SPELT,
    *_AND_THAT,
)
"""Patterns and what is written in their place, in the order they are applied."""
