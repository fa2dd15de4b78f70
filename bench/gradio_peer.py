"""The peer of the start-up benchmark: smolagents' GradioUI over a CodeAgent, as its documentation starts it."""

import sys

from smolagents import CodeAgent, GradioUI

from bench.instant import InstantModel

if __name__ == "__main__":
    agent = CodeAgent(tools=[], model=InstantModel())
    GradioUI(agent).launch(share=False, server_name="127.0.0.1", server_port=int(sys.argv[1]))
