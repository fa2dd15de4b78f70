"""What people say, and how the grammar says it: contractions, courtesies and figures of speech, rewritten before anything is read.

A pattern rewrites how something is asked, never what it is asked about.
"""

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DONE = r"(?=\w*(?:ed|en|ut|ld|nt|pt|st|id|aid|one|own|ost)\b)"
"""What a past participle ends in."""

ENGLISH: tuple[tuple[str, str], ...] = (
    # contractions typed without their apostrophe
    (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should|ca|wo)nt\b", r"\1n't"),
    (r"\bppl\b", "people"),
    (r"\bwheres\b", "where is"),
    (r"\bhave(?: not|n't) they\b", "have they not"),
    # what was not done, and what is not there
    (rf"\b(?:has|have|had|was|were|is|are)(?: not|n't) (?:yet )?(?:been |be )?{_DONE}", "not "),
    (rf"\b(?:has|have|had|was|were) (?:never|yet to) (?:been |be )?{_DONE}", "not "),
    (r"\b(?:do|does|did)(?: not|n't) have (?:an?|any|the) ", "without "),
    (r"\b(?:do|does|did)(?: not|n't) have ", "without "),
    (r"\b(?:yet|at all|as of now|to date|at present|these days|for me|if you can|i think|tho|though|lol|btw)(?=[ ?.,!]*$)", ""),
    (r"\b(?:btw|hey|so|um|hmm|and now|well|right),? (?=how|what|which|who|show|give|plot)", ""),
    # numbers
    (r"(?<![\w.])(\d+(?:\.\d+)?)k\b(?! ?g|m)", r"\1 thousand"),
    *(
        (rf"\b(top|bottom|first|last|just the|only the|the) {word}(?= )(?! ?(?:of|with|that|which|who)\b)", rf"\1 {number}")
        for number, word in enumerate(_NUMBERS[1:], 2)
    ),
    # following up
    (r"^(?:but |and |ok |okay )?(?:leave out|ignore|drop|skip|forget) (?=\w)", "without "),
)  # fmt: skip
