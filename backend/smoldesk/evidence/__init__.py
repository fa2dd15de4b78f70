"""Evidence of answers: finds the figures of a text and where a run produced each of them. Without a model.

- `figure_finder`, `number_words`, `masking`: figures in English and Japanese text.
- `run_values`, `text_rows`: what a run produced, from its events, as rows of values with labels.
- `row_names`, `clauses`: the rows that a sentence names, and which of them a figure belongs to.
- `matching`, `derived`, `operations`: values that are a figure, and operations that give one; `examination` asks both.
- `answer_figures`: all of it for one run. Start there.
"""

from smoldesk.evidence.answer_figures import EvidenceCollector, seal_text
from smoldesk.evidence.earlier_answers import EarlierAnswer

__all__ = ["EarlierAnswer", "EvidenceCollector", "seal_text"]
