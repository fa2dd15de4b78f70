"""Exams: questions with checked answers, asked of a model or an agent, and judged without a model.

- `questions`: the format of question files, and the bundled set (`questions.jsonl`).
- `examiner`: asks on a real desk, one question after the other. `produced`: what a run produced.
- `judging` with `written_values`: right, wrong, failed or unanswered, and why.
- `budgets`: estimate and limits. `results_file`: the file that an exam is resumed from.
- `server_exams`: exams of a server, one at a time.
"""

from smoldesk.exams.budgets import Estimate, ExamLimits, ExamMeter, Price, check_price, estimate
from smoldesk.exams.examiner import Candidate, Examiner, Interrupted
from smoldesk.exams.questions import QuestionSet, read_questions
from smoldesk.exams.results_file import ExamHeader, QuestionResult, ResultsFile, report, totals
from smoldesk.exams.server_exams import Exams, ExamState, ExamStatus

__all__ = [
    "Candidate",
    "Estimate",
    "ExamHeader",
    "ExamLimits",
    "ExamMeter",
    "ExamState",
    "ExamStatus",
    "Examiner",
    "Exams",
    "Interrupted",
    "Price",
    "QuestionResult",
    "QuestionSet",
    "ResultsFile",
    "check_price",
    "estimate",
    "read_questions",
    "report",
    "totals",
]
