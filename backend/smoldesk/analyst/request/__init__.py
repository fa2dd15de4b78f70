"""A request's text becomes mentions: rewritten in the grammar's words, cut at the longest known terms."""
