"""A draft becomes one intent, or the reason why it does not: counts, figures, ranks, differences, last checks."""
