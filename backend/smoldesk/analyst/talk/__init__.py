"""A request about tables after the ones before it: what a follow-up keeps, changes and takes away."""
