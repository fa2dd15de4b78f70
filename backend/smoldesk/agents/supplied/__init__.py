"""A person's own smolagents agent at the desk: its class and options stay, its model, tools and executor become the desk's.

- `agent_source`: makes the agent of each chat; `agent_features` describes the agent for start-up output.
- `agent_run`: one run of it; `equipment` exchanges the agent's parts for the time of a run.
- `supplied_tools`, `supplied_model`, `kept_executor`: the parts that a run puts in.
- `agent_files`: agents in Python files and in folders of `agent.save()`.
"""
