"""The wire of the OpenAI API (spec/reference/openai_api.md): the desk's agents as models, under `/v1`.

- `routes`: the addresses; `requests`, `chat_requests`, `response_requests`: what clients send, read with patience, pure;
  `models`: what they are read into, and the pieces of an answer; `errors`: faults in this protocol's form.
- `question_handling`: questions that begin a run; `waiting_runs`: requests that go on with one; `stored_responses`: those
  that are asked for again.
- `encoder`: from a run's events to pieces, pure; `following`: those of one answer, from the log; `completions` and
  `responses`: pieces in the two forms of the protocol, pure; `picture_addresses`: where a client finds them.
"""
