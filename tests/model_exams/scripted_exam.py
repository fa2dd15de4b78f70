"""The bundled exam for a scripted server: `python -m tests.model_exams.scripted_exam`, the second table of exams.md.

The server speaks the OpenAI API; its model knows the code for 12 of the questions and answers 42 to all others.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.openai_server import OpenAIServer, Reply, Says, Seen
from tests.support.warm import ROOT

LOADED = "import pandas as pd\nt = load_dataset('titanic')\nm = load_dataset('measurement')\n"
CODE = {
    "How many passengers of the Titanic survived?": "int(t.survived.sum())",
    "What percentage of the female passengers survived?": "f\"{t[t.sex == 'female'].survived.mean():.1%}\"",
    "What is the average age of the third-class": "t[t.pclass == 3].age.mean()",
    "From which ports did passengers pay": "t.groupby('embark_town').fare.mean().loc[lambda s: s > 20]",
    "Did passengers who travelled alone": "'Yes, they did.'",
    "Which nationality was the most common": "'The table has no column for nationality.'",
    "List the three ticket classes": "t.groupby('class').survived.mean().sort_values(ascending=False)",
    "最も多くの乗客が乗船した港": "'サウサンプトンです。'",
    "年齢が分からない乗客": "f'{t.age.isna().sum()}人です。'",
    "On which date was the highest temperature": "'11 October 2025'",
    "Show the Kitchen and the Bathroom": "show_map(floor_id='1F', highlight_rooms='Kitchen,Bathroom')",
    "Draw an arrow pointing left": "draw_arrow(room_name='Room2', direction='left')",
}


def reply(received: Seen) -> Reply:
    """Answer by the last question of the prompt."""
    text = json.dumps(received.body["messages"], ensure_ascii=False)
    place, answer = max((text.rfind(question), answer) for question, answer in CODE.items())
    return Says(f"<code>\n{LOADED}final_answer({answer if place >= 0 else 42})\n</code>")


def main() -> int:
    """Run the exam in an empty folder and print its table."""
    with tempfile.TemporaryDirectory() as folder, OpenAIServer(reply) as server:
        settings = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "none", "LOG_LEVEL": "ERROR"}
        env = os.environ | {f"SMOLDESK_{name}": value for name, value in settings.items()}
        program = Path(sys.executable).with_name("smoldesk")
        command = [str(program), "exam", "openai:scripted", "--yes", *sys.argv[1:]]
        return subprocess.run(command, cwd=folder, env=env | {"PYTHONPATH": str(ROOT)}).returncode


if __name__ == "__main__":
    sys.exit(main())
