"""A second set of questions, over six tables of its own, written by someone who had never seen how the analyst works.

`tables` joins `english` and `japanese`; a module for each table asks. Nobody tunes the analyst to these: they tell how it
does on questions it was not made for.
"""
