"""smolagents behind `Agent.run(message, ctx)`. Start with wrapper.py; context.py says what an agent is given.

Nothing is imported here: context.py must stay light, the rest brings smolagents with it.
"""
