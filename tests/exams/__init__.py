"""Questions over tables that the built-in analyst has never seen, and the judge of its answers.

`tables` writes the tables, `questions` and `held_out` ask and say what is right, computed with pandas alone; `fresh`,
`aside` and `wide` are further sets with tables of their own. `generate` writes all down under `cases/`, `player` asks
a real agent, `judge` says right, wrong or declined.
`python -m tests.exams` plays them; spec/reference/analyst_questions.md has what each set gave at its first run.
"""
