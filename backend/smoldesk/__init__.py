"""The server of smoldesk. Start reading at main.py; spec/ says what it promises."""

__version__ = "0.1.0"
