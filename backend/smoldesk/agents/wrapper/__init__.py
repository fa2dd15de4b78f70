"""smolagents behind `Agent.run(message, ctx)`. Start with agent_wrapper.py; tools/run_context.py has its context."""
