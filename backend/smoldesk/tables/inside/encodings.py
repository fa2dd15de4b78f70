"""Encoding of a text file: guessed from its byte order mark and a sample, then checked against all of its bytes."""

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .alphabets import central_encoding
from .file_notes import Place
from .shapes import Unreadable

CHUNK = 1 << 20
SAMPLE = 1 << 18
MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_KANA = re.compile(r"[\u3040-\u30ff]")
_HALF_KANA = re.compile(r"[\uff61-\uff9f]{2,}")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_WESTERN = re.compile(r"[À-ÖØ-öø-ÿŒœŠšŽžŸ€‘’“”„–—…•°²³µ£§©®ªº¿¡«»½¼¾×±´·¨¸™\u00a0¢¥]")
PLAUSIBLE = 0.7
KANJI_ALONE = 200
# Candidates if the text is neither Japanese nor Western.
LIKELY = [
    *("cp1251", "koi8_r", "cp1250", "iso8859_2", "cp1253", "cp1254", "cp1255", "cp1256", "cp874"),
    *("gb18030", "big5", "cp949"),
]


@dataclass(frozen=True)
class Encoding:
    """Encoding by its Python `name`.

    `bad` is the offset of the first invalid byte, if the others are valid. `unsure` is true if every byte is valid,
    but nothing else supports the guess.
    """

    name: str
    bad: int | None = None
    unsure: bool = False

    @property
    def options(self) -> dict[str, str]:
        """Options for pandas and open; empty for plain UTF-8."""
        named = {} if self.name == "utf-8" else {"encoding": self.name}
        return named if self.bad is None else {**named, "encoding_errors": "replace"}


def detect(file: io.BufferedReader) -> Encoding:
    """Return an encoding that can read the file. Raises Unreadable for bytes that are not text."""
    head = _read(file, 0, SAMPLE)
    for mark, name in MARKS:
        if head.startswith(mark):
            return _marked_encoding(file, name)
    if b"\0" in head:
        return _wide(file, head)
    if re.search(rb"\x1b\$[@B]|\x1b\([BJ]", head) and first_fault(file, "iso2022_jp") is None:
        return Encoding("iso2022_jp")
    fault = first_fault(file, "utf-8")
    if fault is None:
        _refuse_nul(file)
        return Encoding("utf-8")
    _refuse_nul(file)
    if _nearly_utf8(_around(file, fault)):
        return Encoding("utf-8", fault)
    return _legacy(file, _around(file, fault))


def chosen(file: io.BufferedReader, name: str) -> Encoding:
    """Return the encoding that a person chose. Raises Unreadable with the place of an invalid byte."""
    start = _read(file, 0, 4)
    marked = name == "utf-8" and start.startswith(codecs.BOM_UTF8)
    fault = first_fault(file, name)
    if fault is not None:
        raise Unreadable("bad_encoding", {"encoding": name.upper()}, place_of(file, fault))
    if "utf-16" not in name:
        _refuse_nul(file)
    return Encoding("utf-8-sig" if marked else name)


def first_fault(file: io.BufferedReader, name: str) -> int | None:
    """Return the offset of the first byte that is invalid in this encoding; None if all are valid."""
    decoder = codecs.getincrementaldecoder(name)()
    fed = 0
    for chunk in _chunks(file):
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError as fault:
            # The decoder puts the incomplete character of the last chunk before this one.
            return max(0, fed - (len(fault.object) - len(chunk)) + fault.start)
        fed += len(chunk)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as fault:
        return max(0, fed - len(fault.object) + fault.start)
    return None


def place_of(file: io.BufferedReader, offset: int) -> Place:
    """Return the place of a byte: its line and its offset."""
    return {"line": line_of(file, offset), "byte": offset}


def line_of(file: io.BufferedReader, offset: int) -> int:
    """Return the line (1-based) that holds a byte."""
    lines = remaining = 0
    remaining = offset
    for chunk in _chunks(file):
        lines += chunk[:remaining].count(b"\n")
        remaining -= len(chunk)
        if remaining <= 0:
            break
    return lines + 1


def _marked_encoding(file: io.BufferedReader, name: str) -> Encoding:
    fault = first_fault(file, name)
    if fault is None:
        return Encoding(name)
    if name == "utf-8-sig":
        return Encoding(name, fault)
    raise Unreadable("bad_mark", {"encoding": name.upper()}, {"byte": fault})


def _wide(file: io.BufferedReader, head: bytes) -> Encoding:
    """Detect UTF-16 without its mark: the zero bytes of ASCII characters all have even or all have odd offsets."""
    even, odd = head[::2].count(0), head[1::2].count(0)
    name = "utf-16-le" if odd > even else "utf-16-be"
    if min(even, odd) * 20 <= max(even, odd) and first_fault(file, name) is None:
        text = head[: len(head) // 2 * 2].decode(name, "ignore")
        if "\n" in text and "\0" not in text:
            return Encoding(name)
    _refuse_nul(file)
    raise AssertionError("there was a zero byte")


def _refuse_nul(file: io.BufferedReader) -> None:
    done = 0
    for chunk in _chunks(file):
        at = chunk.find(0)
        if at >= 0:
            raise Unreadable("zero_byte", place=place_of(file, done + at))
        done += len(chunk)


def _nearly_utf8(sample: bytes) -> bool:
    """Check for UTF-8 with a few damaged bytes. Text in other encodings rarely forms its sequences by chance."""
    text = sample.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - bad
    return good >= 8 and good >= 10 * bad


def _legacy(file: io.BufferedReader, sample: bytes) -> Encoding:
    """Return an encoding from before Unicode in which each byte is valid."""
    likely, name = max((_japanese(sample, name), name) for name in ("euc_jp", "cp932"))
    if likely >= PLAUSIBLE and first_fault(file, name) is None:
        return Encoding(name)
    central = central_encoding(sample)
    if central and first_fault(file, central) is None:
        return Encoding(central)
    if _western(sample):
        return Encoding("cp1252" if _has_c1(file) and first_fault(file, "cp1252") is None else "latin-1")
    guess = _guessed(sample)
    if guess and first_fault(file, guess) is None:
        return Encoding(guess)
    return Encoding("latin-1", unsure=True)


def _japanese(sample: bytes, name: str) -> float:
    """Return the share of kana and common kanji among the characters that are not ASCII."""
    text = sample.decode(name, "replace")
    non_ascii = [char for char in text if char > "\x7f"]
    if not non_ascii:
        return 0.0
    half = sum(len(run) for run in _HALF_KANA.findall(text))
    if half >= 0.95 * len(non_ascii):
        return 0.8
    common = sum(map(_is_common, non_ascii)) + half / 2
    if name == "euc_jp" and len(non_ascii) > KANJI_ALONE and not _KANA.search(text):
        return 0.0  # the bytes of Chinese and Korean fit as well, and Japanese of this length has kana
    return common / len(non_ascii)


def _is_common(char: str) -> bool:
    """Check for kana, punctuation, full-width forms and the kanji of JIS level 1."""
    if "\u3000" <= char <= "\u30ff" or "\uff01" <= char <= "\uff5e":
        return True
    try:
        code = char.encode("shift_jis")
    except UnicodeEncodeError:
        return False
    return len(code) == 2 and (0x81 <= code[0] <= 0x97 or (code[0] == 0x98 and code[1] <= 0x72))


def _western(sample: bytes) -> bool:
    """Check for accented letters and signs, one or two at a time among ASCII."""
    runs = _HIGH_RUN.findall(sample)
    if sum(len(run) <= 2 for run in runs) < 0.8 * len(runs):
        return False
    signs = b"".join(runs).decode("cp1252", "replace")
    return len(_WESTERN.findall(signs)) >= 0.9 * len(signs)


def _has_c1(file: io.BufferedReader) -> bool:
    return any(re.search(rb"[\x80-\x9f]", chunk) for chunk in _chunks(file))


def _guessed(sample: bytes) -> str:
    import charset_normalizer

    best = charset_normalizer.from_bytes(sample[:65_536], cp_isolation=LIKELY).best()
    return best.encoding if best else ""


def _around(file: io.BufferedReader, offset: int) -> bytes:
    """Return complete lines around `offset`, half a sample before and half after it."""
    start = max(0, offset - SAMPLE // 2)
    sample = _read(file, start, SAMPLE)
    first = sample.find(b"\n", 0, offset - start) + 1 if start else 0
    last = sample.rfind(b"\n", offset - start) if len(sample) == SAMPLE else -1
    return sample[first : last if last > first else len(sample)]


def _read(file: io.BufferedReader, start: int, count: int) -> bytes:
    file.seek(start)
    data = file.read(count)
    file.seek(0)
    return data


def _chunks(file: io.BufferedReader) -> Iterator[bytes]:
    """Yield the file's bytes; its position is 0 before and after."""
    file.seek(0)
    try:
        while chunk := file.read(CHUNK):
            yield chunk
    finally:
        file.seek(0)
