"""Every code that a run may fail with has words in each language of the page, or is known to tell more than words could."""

import re

from smoldesk.output_parser.parser import CODES
from tests.support import promise
from tests.support.desk_server import ROOT

ROOMS = ("runs", "agents/wrapper", "agents/terminal", "sandbox")
OWN_WORDS = {
    *(
        "code_error",
        "desk_error",
        "bad_input",
        "bad_settings",
        "not_found",
        "too_large",
        "invalid_type",
        "bad_state",
    ),  # the server's words say what
    *("stopped", "conflict", "bad_answer", "bad_plugin"),  # end no run
}


def test_the_page_has_words_for_every_fault_of_a_run() -> None:
    files = [file for room in ROOMS for file in (ROOT / "backend" / "smoldesk" / room).rglob("*.py")]
    files.append(ROOT / "backend" / "smoldesk" / "agents" / "answer_schema.py")
    created = {code for file in files for code in promise.codes_made(file)} | CODES
    created |= {"server_restarted", "run_lost", "store_fault", "internal_error"}
    for language in ("en", "ja"):
        strings = (ROOT / "frontend" / "strings" / f"{language}.js").read_text("utf-8")
        assert created - OWN_WORDS <= set(re.findall(r'^  "fault\.(\w+)":', strings, re.M)), language
