"""Evidence of answers: finds the figures of a text and where a run produced each of them. Without a model.

- `text_figure`, `figure_finder`, `date_finder`, `number_words`, `masking`: figures in English and Japanese text.
- `run_values`, `text_rows`, `units`: what a run produced, from its events, as rows of values with labels.
- `row_names`, `spellings`, `column_names`, `clauses`: the rows and columns that a sentence names, and which of them a
  figure belongs to; `parallels`: figures at the same place of parallel lines; `learned_names`: names that an answer gives.
- `equality`, `matching`: values that are a figure. `contradictions`: words that rule an equal value out.
- `derived`, `stated`, `operations`, `operation_results`, `row_counts`: operations that give a figure. `examination` asks both.
- `drawn_figures`: rows and titles of charts, texts and values on the plan; `run_sources` collects all sources of a run.
- `answer_figures`: all of it for one run. Start there.
"""

from smoldesk.evidence.answer_figures import EvidenceCollector, seal_text
from smoldesk.evidence.earlier_answers import EarlierAnswer
from smoldesk.evidence.figure_finder import find_figures
from smoldesk.evidence.text_figure import Figure

__all__ = ["EarlierAnswer", "EvidenceCollector", "Figure", "find_figures", "seal_text"]
