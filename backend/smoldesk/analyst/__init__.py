"""The built-in analyst: an offline smolagents Model that turns English or Japanese into Python.

A small semantic parser, no neural net and no stored answers. Read in this order: `model` (what smolagents calls), `read`
(request to intent), `intents`, `write` (intent to code). The rooms, from the roof down:

- `errands`: payments, the weather, music and what other agents are asked; `building`: rooms, ways and the map;
- `talk`: a request after those before it; `writing`: intents become Python and an answer in words;
- `request`: text becomes mentions; `questions`: a draft becomes one intent, or the reason why not;
- `japanese`, `english`: what people say, in the words of the grammar; `reading`: mentions become a draft;
- `tables`: what is known of a chat's tables; `words`: the grammar, the glossary, dates and money.

tests/analyst/test_rooms.py holds that every import points down this list.
"""
