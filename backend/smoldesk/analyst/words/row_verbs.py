"""Verbs that say of a row no more than that it is there: a ticket is opened, an order placed, a fish caught."""

_USUAL_WORDS = """
open opens opened submit submits submitted raise raises raised file files filed log logs logged create creates created
place places placed make makes made buy buys bought order orders ordered purchase purchases purchased book books booked
have has had get gets got gotten take takes took taken come comes came visit visits visited attend attends attended
see sees saw seen handle handles handled do does did done catch catches caught receive receives received
send sends sent use uses used work works worked appear appears appeared contact contacts contacted call calls called
report reports reported record records recorded serve serves served treat treats treated teach teaches taught give gives gave
run runs ran rent rents rented borrow borrows borrowed sell sells sold reserve reserves reserved request requests requested
deliver delivers delivered ship ships shipped shop shops shopped register registers registered score scores scored
play plays played join joins joined host hosts hosted donate donates donated assign assigned
sign signs signed subscribe subscribes subscribed enrol enrolled enrolls try tries tried test tests tested check checks checked
examine examined measure measured sample sampled rate rated review reviewed watch watches watched read reads
"""
_USUAL = frozenset(_USUAL_WORDS.split())
_BUYING_WORDS = (
    "open opens opened submit submitted raise raised file filed place placed buy buys bought order orders ordered purchase "
    "purchased purchases book books booked contact contacted call called reserve reserved request requested rent rented "
    "sign signed subscribe subscribed borrow borrowed shop shopped visit visited come came"
)
_BUYING = frozenset(_BUYING_WORDS.split())
BUYERS = ("customers", "clients", "users", "members", "patients", "guests", "borrowers", "buyers")


def is_usual(verb: str) -> bool:
    """Whether the verb may say nothing more of a row, where no cell of the table says it."""
    return verb.lower() in _USUAL


def asks_of_buyers(verb: str) -> bool:
    """`who opened two tickets` asks for customers, not for those who handle them."""
    return verb.lower() in _BUYING
