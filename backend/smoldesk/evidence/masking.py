"""Masking of digits that state nothing: code, addresses, names of files, ids, numbering, labels."""

import re

FILES = "csv|tsv|xlsx?|json|jsonl|parquet|png|jpe?g|svg|gif|pdf|html?|txt|md|py|ipynb|ifc|zip|gz|db|sqlite|geojson|xml|ya?ml"
_ONE_TO_ONE = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | {"\u3000": " ", "\u2212": "-", "\u2009": "\u00a0", "\u202f": "\u00a0", "\u2011": "-"}
)
_MASKED = re.compile(
    "|".join(
        (
            r"(?ms:^[ \t]*(?P<f>```+|~~~+).*?(?:^[ \t]*(?P=f)[ \t]*$|\Z))",
            r"(?P<t>`{1,3})[^\n`]{1,300}(?P=t)(?!`)",
            r"(?<=\])\([^)\n]{0,1000}\)",
            r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>)\]、。]+|\bwww\.[^\s<>)\]、。]+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255}",
            r"<[a-zA-Z/!][^>\n]{0,300}>",
            rf"(?<![A-Za-z0-9_./-])[A-Za-z0-9_./-]{{0,200}}[\w]\.(?:{FILES})\b",
            r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{18,}\b|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,}\b",
            r"(?<![\d-])(?:\+\d{1,3}-)?\d{2,4}-\d{2,4}-\d{4}(?![\d-])",
            r"(?m:^[ \t>]*#{1,6}[ \t]+(?:\d+(?:\.\d+)*[.)]?[ \t]+(?=\D))?)",
            r"(?m:^[ \t>]*(?:[-*+•][ \t]+)?(?:\*\*)?\(?\d{1,3}[.)](?=\s|\*\*))",
            r"[①-⑳]",
            r"(?i:\b(?:v|ver\.?|version|python|pandas|rfc|iso|gpt|claude|llama)[ -]?\d+(?:[.-]\d+)*(?:[a-z]+\d*)?\b)",
            r"(?<![\d.])\d+\.\d+\.\d+(?:[.-][\w]+)*",
            r"(?i:\b(?:rooms?|floors?|levels?|buildings?|zones?|steps?|tables?|fig(?:ure)?s?\.?|charts?|sections?|options?|chapters?"
            r"|pages?|lines?|columns?|no\.|nr\.?|id|q|h|phase|question|sensors?|tiers?|parts?)"
            r" ?#?\d+[a-z]?\b(?!\s*(?:%|percent|,\d)))",
            r"#\d+\b|(?<![A-Za-z0-9_])(?!(?:USD|EUR|JPY|GBP|US)\d|M\d\.\d)[A-Za-z]+[-_]?\d[A-Za-z0-9_-]*|\b\d+[FfDd]\b|\bB\d+F?\b",
            r"(?:図|表|第|手順|ステップ|部屋|方法|例|質問|項目)\s?\d+(?:[.-]\d+)*|\d+(?:階|号室|番目の列|行目|列目)",
            r"\b\d+(?:st|nd|rd|th)\s+(?:class|floor|row|column|line|step|century|percentile|quartile)\b",
            r"(?i:\b\d+(?:st|nd|rd|th) percentile\b|\bp\d\d\b|\b\d+/7\b|\b95 ?% (?:ci|confidence))",
        )
    )
)


def plain(text: str) -> str:
    """Return the text with full-width characters made plain, each one for one: offsets stay."""
    return text.translate(_ONE_TO_ONE)


def mask(text: str) -> str:
    """Return the plain text with all such digits replaced by as many NUL characters."""
    return _MASKED.sub(lambda match: "\0" * len(match[0]), text)
