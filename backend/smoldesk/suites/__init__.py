"""Suites: answers that a person marked as right, as tests in the format of exams, played again or asked live.

- `suite_folder`: a suite as a folder or a zip file: questions, files by hash, recordings. `open_suite` starts there.
- `capture`: an answer of a chat as a test.
- `suite_runs`: tests of a suite on a desk. `junit`: their results for CI, imported by the command alone.
- `saved_tests`: the suite of a desk.
"""

from smoldesk.suites.capture import Capture
from smoldesk.suites.saved_tests import SavedTests, SuiteJob
from smoldesk.suites.suite_folder import SuiteFolder, open_suite
from smoldesk.suites.suite_runs import SuiteRunner

__all__ = [
    "Capture",
    "SavedTests",
    "SuiteFolder",
    "SuiteJob",
    "SuiteRunner",
    "open_suite",
]
