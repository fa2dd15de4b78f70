"""Marks in models' replies: where code, reasoning, tool calls and invented output begin and end.

Each mark is a literal of a chat template or of a habit, with its source. `ReplySplitter` reads them; a mark that is missing
here is text. To read another model's replies, add its literals to a row.
"""

import ast
import re
from functools import lru_cache
from typing import NamedTuple

# Maximum characters of a mark before its hint: newlines and a fence before a closing tag.
MAX_BEFORE_HINT = 8
# Characters that are searched for hints first.
FIRST_WINDOW = 512

# Groups of the patterns, which name what a mark opens.
NAMES = ("header", "drop", "call", "end", "orphan", "tagged", "fence", "invented", "answer")

# Harmony's headers (gpt-oss): role and channel up to `<|message|>`; OpenAI cookbook, "OpenAI harmony response format".
HEADERS = ("<|start|>", "<|channel|>")
HEADER_END = "<|message|>"
# Ends of a message inside of a reply; also Phi's, which writes nothing after it.
MESSAGE_ENDS = ("<|end|>", "<|call|>", "<|return|>")
CALLS = (
    "<tool_call>",  # Hermes, Qwen 2.5 and 3, GLM 4.5: NousResearch/Hermes-Function-Calling, Qwen documentation
    "<function=",  # Llama 3.1's custom calls, Qwen3-Coder: Meta's prompt format; vLLM's qwen3_coder parser
    "<function_call>",
    "[TOOL_CALLS]",  # Mistral: mistral-common's tokenizers v3 to v13
    "<|python_tag|>",  # Llama 3.1 and 3.2: Meta's model cards and prompt formats
    "<|tool_call|>",  # Granite 3, Phi-4-mini
    "<|tool_calls_section_begin|>",  # Kimi K2: its tool calling guide
    "<｜tool▁calls▁begin｜>",  # DeepSeek V3 and R1: its chat template
    "<｜tool▁call▁begin｜>",
)
# What follows the end of a turn was not asked for: servers that miss their model's own end token stream it as text
# (ollama #2673, llguidance #161).
ENDS = (
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    "<tool_response>",
    "<｜tool▁outputs▁begin｜>",
)
# The end of reasoning whose start stands in the chat template (DeepSeek R1, QwQ): vLLM's reasoning parsers.
ORPHAN = "</think>"
# Headings of smolagents' observations, which models continue with when `stop` is ignored.
INVENTED = ("Observation:", "Execution logs:", "Last output from code snippet:", "Calling tools:")
ANSWER = "final_answer("
# Names of Python after a fence; `tool_code` is Gemma's (Google's guide to function calling with Gemma).
PYTHON = r"(?:[Pp]ython3?|py|ipython|tool_code)"
CODE_TAGS = ("<code>", "</code>")

# Characters of text without a mark that is held back and compiled to see whether it is code.
MAX_HELD = 200_000

# First words of a reply that is code without any mark. A first assignment is not among them: to see one, the first word of
# every reply would be held back.
BARE_CODE = re.compile(r"import [A-Za-z_]|from [A-Za-z_][\w.]* import |print\(")
BARE_CODE_BEGUN = re.compile(
    r"(?:import ?|impor|impo|imp|im|i|print|prin|pri|pr|p|from|fro|fr|f"
    r"|from [\w.]{0,60} ?(?:import|impor|impo|imp|im|i)?)\Z"
)


def literals(*marks: str) -> str:
    """Return a pattern for any of the marks."""
    return "|".join(re.escape(mark) for mark in marks)


def beginnings(*marks: str) -> str:
    """Return a pattern for every proper prefix of the marks, longest first."""
    cut = {mark[:end] for mark in marks for end in range(1, len(mark))}
    return "|".join(re.escape(part) for part in sorted(cut, key=len, reverse=True))


class MarkPatterns(NamedTuple):
    """Searches of one state: the marks that end it, and the end of a text that may be the beginning of one.

    Each mark contains one of `hints`. `str.find` is about a hundred times as fast as the pattern, so the pattern is
    searched from the first hint only.
    """

    marks: re.Pattern[str]
    begun: re.Pattern[str]
    hints: tuple[str, ...]
    line_begun: re.Pattern[str] | None = None
    """As `begun`, for marks that start a line: apart, because `^` in an alternative slows the search down tenfold."""

    def search(self, text: str, start: int) -> re.Match[str] | None:
        """Return the first mark at or after `start`."""
        begin, width = start, FIRST_WINDOW
        while begin < len(text):
            ends = ((hint, begin + width + len(hint) - 1) for hint in self.hints)
            places = [place for hint, end in ends if (place := text.find(hint, begin, end)) >= 0]
            if places:
                return self.marks.search(text, max(start, min(places) - MAX_BEFORE_HINT))
            # growing windows: a search costs what lies before the mark, also in a text full of marks
            begin, width = begin + width, 2 * width
        return None

    def begin(self, text: str, start: int) -> re.Match[str] | None:
        """Return the end of the text, from `start` on, that may be the beginning of a mark."""
        maybe = self.begun.search(text, start)
        line = text.rfind("\n") + 1
        if self.line_begun is None or line < start or (maybe and maybe.start() < line):
            return maybe
        return self.line_begun.match(text, line) or maybe


FENCE = r"^```(?P<language>[\w+-]{0,16})[ \t]{0,9}\r?\n"
FENCE_BEGUN = r"(?:`{1,2}|```[\w+-]{0,16}[ \t]{0,9}\r?)"


@lru_cache(maxsize=64)
def prose(tags: tuple[str, str] | None, after_tags: bool, after_code: bool, held: bool) -> MarkPatterns:
    """Return the marks of prose. After a code tag fences are prose; after code, invented output ends the reply.

    Without `tags` the reply has no code: an agent that calls tools. `held`: the prose may turn out to be code.
    """
    opening = (CODE_TAGS[0],) if tags is None or tags == CODE_TAGS else (tags[0], CODE_TAGS[0])
    lines = (*(INVENTED if after_code else ()), *(() if held or tags is None else (ANSWER,)))
    plain = (*HEADERS, *MESSAGE_ENDS, *CALLS, *ENDS, ORPHAN)
    marks = [
        rf"(?P<header>{literals(*HEADERS)})|(?P<drop>{literals(*MESSAGE_ENDS)})",
        rf"(?P<call>{literals(*CALLS)})|(?P<end>{literals(*ENDS)})|(?P<orphan>{literals(ORPHAN)})",
    ]
    begun = [beginnings(*plain)]
    line_begun: list[str] = []
    hints = [*{mark[0] if mark[0] == "<" else mark for mark in plain}, *lines]
    if tags is not None:
        marks.append(rf"(?P<tagged>{literals(*opening)})")
        begun.append(beginnings(*opening))
        hints += [*opening, "```"]
        if not after_tags:
            marks.append(rf"(?P<fence>{FENCE})")
            line_begun.append(FENCE_BEGUN)
        if after_code:
            marks.append(rf"(?P<invented>^(?:{literals(*INVENTED)}))")
        if not held:
            marks.append(rf"(?P<answer>^(?={literals(ANSWER)}))")
        if lines:
            line_begun.append(beginnings(*lines))
    return MarkPatterns(
        _compiled("|".join(marks)),
        _ending(*begun),
        tuple(dict.fromkeys(hints)),
        _ending(*line_begun) if line_begun else None,
    )


@lru_cache(maxsize=64)
def closing_tag(closing: str) -> MarkPatterns:
    """Return the end of tagged code: its tag, or output that the model invents in its place."""
    invented = literals(*INVENTED[:3])
    ends = [
        f"{newline}{fence}{closing}" for newline in ("", "\n", "\r\n") for fence in ("", "```\n", "```\r\n")
    ]
    marks = rf"(?:\r?\n)?(?:(?<=\n)```\r?\n)?(?:{literals(closing)})|(?P<invented>(?:\r?\n|^)(?:{invented}))"
    lines = [f"{newline}{word}" for newline in ("\n", "\r\n") for word in INVENTED[:3]]
    return MarkPatterns(
        _compiled(marks),
        _ending(beginnings(*ends, *lines)),
        (closing, *INVENTED[:3]),
        _ending(beginnings(*INVENTED[:3])),
    )


def _closing_fence() -> MarkPatterns:
    invented = literals(*INVENTED[:3])
    lines = [f"{newline}{word}" for newline in ("\n", "\r\n") for word in (*INVENTED[:3], "```")]
    return MarkPatterns(
        _compiled(rf"(?:\r?\n|^)```|(?P<invented>(?:\r?\n|^)(?:{invented}))"),
        _ending(beginnings(*lines)),
        ("```", *INVENTED[:3]),
        _ending(beginnings(*INVENTED[:3], "```")),
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


def _ending(*patterns: str) -> re.Pattern[str]:
    """Compile a pattern for a text that ends with one of these."""
    return re.compile(rf"(?:{'|'.join(patterns)})\Z")


CLOSING_FENCE = _closing_fence()
HEADER = MarkPatterns(_compiled(literals(HEADER_END)), _ending(beginnings(HEADER_END)), (HEADER_END,))
REASONING = MarkPatterns(
    _compiled(rf"(?P<header>{literals(*HEADERS)})|(?P<drop>{literals(*MESSAGE_ENDS)})"),
    _ending(beginnings(*HEADERS, *MESSAGE_ENDS)),
    ("<|",),
)
CALL = MarkPatterns(
    _compiled(rf"(?P<end>{literals(*ENDS)}|^(?:{literals(*INVENTED[:3])}))"),
    _ending(beginnings(*ENDS)),
    ("<", *INVENTED[:3]),
    _ending(beginnings(*INVENTED[:3])),
)


def code_prefix(text: str) -> str:
    """Return the lines at the start of `text` that are Python and do something, "" if there are none.

    The error's line tells where the code ends, so a text of any length is compiled three times at most.
    """
    if len(text) > MAX_HELD:
        return ""
    for _ in range(3):
        try:
            tree = ast.parse(text)
        except SyntaxError as fault:
            lines = text.splitlines(keepends=True)
            text = "".join(lines[: min((fault.lineno or 1) - 1, len(lines) - 1)])
        except (ValueError, RecursionError, MemoryError):
            return ""
        else:
            does = ast.Call | ast.Assign | ast.Import | ast.ImportFrom
            return text if any(isinstance(node, does) for node in ast.walk(tree)) else ""
    return ""
