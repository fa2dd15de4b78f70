"""Interactive programs, and a data directory whose agents drive them with profiles as a newcomer writes them."""

import sys
from pathlib import Path

import yaml

FIELDS = """
from prompt_toolkit import prompt
name = prompt("? What is the project called? ", default="demo")
print("? Slug")
slug = prompt("   ", default="myproj")
print("RESULT", name, slug)
"""
KEYS = """
import sys, termios, tty
def key(question):
    print(question, end="", flush=True)
    old = termios.tcgetattr(0)
    tty.setcbreak(0)
    try:
        return sys.stdin.read(1)
    finally:
        termios.tcsetattr(0, termios.TCSANOW, old)
        print()
print("RESULT", key("Create it? (y/N) ").strip() or "N", key("Overwrite it? (y/N) ").strip() or "N")
"""
MENU = """
import curses
def choose(screen):
    curses.curs_set(0)
    at, options = 0, ["Java", "Python", "Rust"]
    while True:
        screen.erase()
        screen.addstr(0, 0, "Favourite language")
        for number, option in enumerate(options):
            screen.addstr(number + 1, 0, ("* " if number == at else "  ") + option)
        pressed = screen.getch()
        if pressed in (10, 13):
            return options[at]
        at = min(max(at + {curses.KEY_DOWN: 1, curses.KEY_UP: -1}.get(pressed, 0), 0), 2)
print("RESULT", curses.wrapper(choose))
"""
PYTHON = [sys.executable, "-I", "-u", "-c"]
PROGRAMS: dict[str, list[str]] = {
    "fields": [*PYTHON, FIELDS],
    "keys": [*PYTHON, KEYS],
    "menu": [*PYTHON, MENU],
    "npm": ["npm", "init"],
    "ipython": [sys.executable, "-m", "IPython", "--no-banner"],
    "python": [sys.executable, "-q"],
    "sqlite": ["sqlite3", "-interactive"],
    "bc": ["bc", "-q"],
}


def write_agents(folder: Path) -> None:
    """Write a profile for each program, a command and nothing that helps to recognise it, and the list of agents."""
    agents = ""
    for name, (command, *arguments) in PROGRAMS.items():
        profile = {
            "command": command,
            "args": arguments,
            "startup": {"seconds": 60},
            "stop_grace_seconds": 0.5,
        }
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(profile))
        agents += f'[agents.{name}]\nkind = "terminal"\nprofile = "{name}.yaml"\n'
    (folder / "agents.toml").write_text(agents + '[agents.shell]\nkind = "terminal"\nprofile = "shell"\n')
