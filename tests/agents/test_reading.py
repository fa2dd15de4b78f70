"""agents.toml as it is read: entries, defaults, and every mistake with its place, all at once."""

from pathlib import Path

import pytest

from smoldesk.agents.a2a_client import Peer
from smoldesk.agents.a2a_client.entries import origin_of
from smoldesk.agents.checks import Checks
from smoldesk.agents.entries import BUILT_IN, AgentEntry
from smoldesk.agents.read_entries import LARGEST, load_agents, read_agents
from smoldesk.errors import BadInput, NotFound

GOOD = """
default = "reader"

[agents.reader]
kind = "tools"
description = "Reads 表 only."
model = "openai:gpt-x"
tools = ["list_datasets", "load_dataset"]

[agents.code]
model = "litellm:org/model"

[agents.mine]
kind = "terminal"
profile = "programs/mine.yaml"
[agents.mine.env]
GREETING = "hello"
"""


def write(folder: Path, text: str | bytes) -> None:
    (folder / "agents.toml").write_bytes(text if isinstance(text, bytes) else text.encode())


def mistakes(folder: Path, text: str | bytes) -> list[str]:
    write(folder, text)
    return [str(mistake) for mistake in read_agents(folder)[1]]


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    (tmp_path / "programs").mkdir()
    file = tmp_path / "programs" / "mine.yaml"
    file.write_text("command: cat\nenv: {GREETING: bye, OTHER: '1'}\n")
    return file


def test_without_a_file_there_are_the_built_in_agents(tmp_path: Path) -> None:
    agents = load_agents(tmp_path)
    assert list(agents.entries) == ["code", "tools", "demo", "small", "demo-tools"]
    assert agents.default == "code"
    assert {entry.kind for entry in agents.entries.values()} == {"code", "tools", "terminal"}


def test_entries_are_read_and_come_after_the_built_in_ones(tmp_path: Path, profile: Path) -> None:
    write(tmp_path, GOOD)
    agents = load_agents(tmp_path)
    assert list(agents.entries) == ["code", "tools", "demo", "small", "demo-tools", "reader", "mine"]
    assert agents.default == "reader"
    assert agents.get("reader") == AgentEntry(
        "reader", "tools", "Reads 表 only.", "openai:gpt-x", ("list_datasets", "load_dataset")
    )
    assert agents.get("code").model == "litellm:org/model"
    assert agents.get("code").description == BUILT_IN["code"].description
    assert agents.get("mine").env == {"GREETING": "hello"}


def test_variables_of_an_entry_come_before_those_of_its_profile(tmp_path: Path, profile: Path) -> None:
    from smoldesk.agents.terminals import profile_of

    write(tmp_path, GOOD)
    entry = load_agents(tmp_path).get("mine")
    assert profile_of(entry, tmp_path).env == {"GREETING": "hello", "OTHER": "1"}


def test_an_unknown_name_gets_the_names_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"'poet'.*code, tools, demo") as refused:
        load_agents(tmp_path).get("poet")
    assert refused.value.code == "unknown_agent"


def test_agents_elsewhere_are_read_beside_those_of_the_desk(tmp_path: Path) -> None:
    write(
        tmp_path,
        '[peers.maps]\ncard = "https://Maps.example/card.json"\ndescription = "Knows maps."\n'
        'token_env = "MAPS_TOKEN"\norigins = ["https://api.example:8443"]\n[peers.code]\ncard = "http://[::1]:9/c"\n',
    )
    agents = load_agents(tmp_path)
    maps, code = agents.peers.values()
    assert maps == Peer(
        "maps",
        "https://Maps.example/card.json",
        "Knows maps.",
        "MAPS_TOKEN",
        ("https://api.example:8443",),
    )
    assert maps.allowed() == {"https://maps.example:443", "https://api.example:8443"}
    assert code.allowed() == {"http://[::1]:9"}
    assert [*agents.entries] == ["code", "tools", "demo", "small", "demo-tools"]


def test_origins_are_compared_as_they_go_over_the_wire() -> None:
    assert origin_of("HTTPS://Bücher.example/x") == "https://xn--bcher-kva.example:443"
    for wrong in (
        "ftp://a/",
        "http://",
        "http://a:b@c/",
        "http://a:port/",
        "//a/",
        "http://" + "a" * 70 + "/",
    ):
        with pytest.raises(ValueError):
            origin_of(wrong)


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        (b"\xff\xfe", "agents.toml", "not text in UTF-8"),
        ("default = [", "agents.toml", "not TOML"),
        ("x = " + "[" * 5000, "agents.toml", "not TOML"),
        ("#" * (LARGEST + 1), "agents.toml", "bytes"),
        ("colour = 1", "agents.toml, key 'colour'", "no such key"),
        ("default = 3", "agents.toml, key 'default'", "code, tools, demo"),
        ('default = "poet"', "agents.toml, key 'default'", "code, tools, demo"),
        ("agents = 3", "agents.toml, key 'agents'", "tables"),
        ("[models]\nx = 3", "agents.toml, model 'x'", "a table"),
        ('[models.x]\nbase_url = "http://a/v1"', "agents.toml, model 'x', key 'model'", "missing"),
        ('[models.x]\nmodel = "poet"', "agents.toml, model 'x'", "Supported"),
        ('[models.X]\nmodel = "openai:y"', "agents.toml, model 'X'", "a-z"),
        ('[models.x]\nmodel = "openai:y"\ncontext = true', "agents.toml, model 'x', key 'context'", "tokens"),
        ('[models.x]\nmodel = "openai:y"\nkey = "sk"', "agents.toml, model 'x', key 'key'", "key_env"),
        ('[models.x]\nmodel = "openai:y"\nbase_url = "ftp://a"', "agents.toml, model 'x'", "not the address"),
        ("[agents]\nx = 3", "agents.toml, agent 'x'", "a table"),
        ('[agents.Big]\nkind = "code"', "agents.toml, agent 'Big'", "a-z"),
        ('[agents."a b"]\nkind = "code"', "agents.toml, agent 'a b'", "a-z"),
        (f'[agents.{"x" * 41}]\nkind = "code"', f"agents.toml, agent '{'x' * 41}'", "1 to 40"),
        ("[agents.x]", "agents.toml, agent 'x', key 'kind'", "missing"),
        ('[agents.x]\nkind = "poet"', "agents.toml, agent 'x', key 'kind'", "code, tools, terminal"),
        ('[agents.x]\nkind = ["code"]', "agents.toml, agent 'x', key 'kind'", "code, tools, terminal"),
        (
            '[agents.tools]\nkind = "code"',
            "agents.toml, agent 'tools', key 'kind'",
            "is of kind tools; got 'code'",
        ),
        ('[agents.code]\nprofile = "demo"', "agents.toml, agent 'code', key 'profile'", "no such key"),
        ('[agents.demo]\nmodel = "builtin"', "agents.toml, agent 'demo', key 'model'", "no such key"),
        ("[agents.code]\ndescription = 3", "agents.toml, agent 'code', key 'description'", "a text"),
        ('[agents.code]\nmodel = "somebody"', "agents.toml, agent 'code', key 'model'", "openai:NAME"),
        ('[agents.code]\nmodel = "openai:"', "agents.toml, agent 'code', key 'model'", "names no model"),
        ('[agents.code]\ntools = "show_map"', "agents.toml, agent 'code', key 'tools'", "a list"),
        ('[agents.code]\ntools = ["a", "a"]', "agents.toml, agent 'code', key 'tools'", "each once"),
        ("[agents.code]\ntools = [3]", "agents.toml, agent 'code', key 'tools'", "a list"),
        ('[agents.x]\nkind = "terminal"', "agents.toml, agent 'x', key 'profile'", "missing"),
        ('[agents.demo]\nprofile = "poet"', "agents.toml, agent 'demo', key 'profile'", "no profile 'poet'"),
        ('[agents.demo]\nprofile = "gone.yaml"', "agents.toml, agent 'demo', key 'profile'", "gone.yaml"),
        ('[agents.demo]\nprofile = "../x.yaml"', "agents.toml, agent 'demo', key 'profile'", "not below"),
        ('[agents.demo]\nprofile = "/etc/x.yaml"', "agents.toml, agent 'demo', key 'profile'", "not below"),
        ("[agents.demo]\nenv = 3", "agents.toml, agent 'demo', key 'env'", "a table of texts"),
        ("[agents.demo.env]\nA = 3", "agents.toml, agent 'demo', key 'env'", "a table of texts"),
        ('[agents.demo.env]\n"A=B" = "x"', "agents.toml, agent 'demo', key 'env'", "a table of texts"),
        ('[agents.demo.env]\nA = "\\u0000"', "agents.toml, agent 'demo', key 'env'", "a table of texts"),
        ("peers = 3", "agents.toml, key 'peers'", "[peers.NAME]"),
        ("[peers]\nx = 3", "agents.toml, peer 'x'", "a table"),
        ("[peers.x]", "agents.toml, peer 'x', key 'card'", "missing"),
        ('[peers.Big]\ncard = "http://a/"', "agents.toml, peer 'Big'", "a-z"),
        ("[peers.x]\ncard = 3", "agents.toml, peer 'x', key 'card'", "http://"),
        ('[peers.x]\ncard = "file:///etc/passwd"', "agents.toml, peer 'x', key 'card'", "http://"),
        ('[peers.x]\ncard = "http://me:secret@a/"', "agents.toml, peer 'x', key 'card'", "without a name"),
        ('[peers.x]\ncard = "http://a:99999999/"', "agents.toml, peer 'x', key 'card'", "http://"),
        ('[peers.x]\ncard = "http://a/"\ntoken = "s"', "agents.toml, peer 'x', key 'token'", "token_env"),
        (
            '[peers.x]\ncard = "http://a/"\ntoken_env = "a b"',
            "agents.toml, peer 'x', key 'token_env'",
            "variable",
        ),
        (
            '[peers.x]\ncard = "http://a/"\ndescription = 3',
            "agents.toml, peer 'x', key 'description'",
            "a text",
        ),
        (
            '[peers.x]\ncard = "http://a/"\norigins = "http://b"',
            "agents.toml, peer 'x', key 'origins'",
            "a list",
        ),
        (
            '[peers.x]\ncard = "http://a/"\norigins = ["http://b/c"]',
            "agents.toml, peer 'x', key 'origins'",
            "origins",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_was_expected(
    tmp_path: Path, text: str | bytes, place: str, expected: str
) -> None:
    [mistake] = mistakes(tmp_path, text)
    assert mistake.startswith(f"{place}: ")
    assert expected in mistake


def test_a_profile_of_the_operators_with_a_mistake_is_told_with_its_key(
    tmp_path: Path, profile: Path
) -> None:
    profile.write_text("command: cat\ncolour: red\n")
    [mistake] = mistakes(tmp_path, GOOD)
    assert mistake.startswith("agents.toml, agent 'mine', key 'profile': ")
    assert "mine.yaml" in mistake and "colour" in mistake


def test_a_link_out_of_the_data_directory_is_no_profile_of_it(tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("command: cat\n")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "in.yaml").symlink_to(outside)
    [mistake] = mistakes(folder, '[agents.demo]\nprofile = "in.yaml"')
    assert "not below the data directory" in mistake


def test_all_mistakes_are_told_at_once_and_the_rest_is_read(tmp_path: Path) -> None:
    text = (
        'default = "nobody"\n[agents.a]\nkind = "code"\nmodel = "x"\ncolour = 1\n[agents.b]\n'
        '[agents.c]\nkind = "tools"\n'
    )
    write(tmp_path, text)
    agents, problems = read_agents(tmp_path)
    assert [(mistake.agent, mistake.key) for mistake in problems] == [
        ("a", "model"),
        ("a", "colour"),
        ("b", "kind"),
        (None, "default"),
    ]
    assert "c" in agents.entries
    with pytest.raises(BadInput) as refused:
        load_agents(tmp_path)
    assert refused.value.code == "bad_agents"
    assert all(str(mistake) in str(refused.value) for mistake in problems)


def test_a_file_that_cannot_be_read_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").mkdir()
    [mistake] = read_agents(tmp_path)[1]
    assert "cannot be read" in str(mistake)


def test_variables_of_programs_are_in_no_representation() -> None:
    assert "hidden" not in repr(AgentEntry("x", "terminal", env={"KEY": "hidden"}))


def managing(managed: str, more: str = "") -> str:
    return f'[agents.boss]\nkind = "code"\nmanaged = {managed}\n{more}'


def test_an_agent_names_others_that_it_manages(tmp_path: Path) -> None:
    helper = '[agents.my-helper]\nkind = "tools"\ndescription = "Helps."\nmanaged = ["code"]\nmax_steps = 3\n'
    write(tmp_path, managing('["my-helper", "code"]', helper))
    agents = load_agents(tmp_path)
    assert agents.get("boss").managed == ("my-helper", "code")
    assert (agents.get("my-helper").max_steps, agents.get("boss").max_steps) == (3, None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            managing('["nobody"]'),
            "there is no agent 'nobody'; expected one of: code, tools, demo, small, demo-tools, boss.",
        ),
        (managing('["boss"]'), "an agent cannot manage itself."),
        (managing('["demo"]'), "'demo' is of kind terminal; only agents of the kinds code and tools"),
        (managing('["one"]', '[agents.one]\nkind = "code"\n'), "'one' has no description"),
        (
            managing('["1"]', '[agents.1]\nkind = "code"\ndescription = "x"\n'),
            "'1' is not a Python name",
        ),
        (managing('["if"]', '[agents.if]\nkind = "code"\ndescription = "x"\n'), "'if' is not a Python name"),
        (
            managing('["p"]', '[peers.p]\ncard = "http://a.example/c.json"\n'),
            "call it with the tool ask_agent.",
        ),
        (
            managing(
                '["a-b", "a_b"]',
                "".join(f'[agents.{n}]\nkind = "code"\ndescription = "x"\n' for n in ("a-b", "a_b")),
            ),
            "two of them would have the name a_b in code.",
        ),
        (
            'agents.a = {kind = "code", description = "x", managed = ["b"]}\n'
            'agents.b = {kind = "tools", description = "x", managed = ["a"]}\n',
            "it would manage itself through others: a > b > a.",
        ),
        ('[agents.a]\nkind = "code"\nmax_steps = 0\n', "expected a whole number from 1 to 1000."),
        ('[agents.a]\nkind = "code"\nstructured = 1\n', "expected true or false"),
        ('[agents.a]\nkind = "tools"\nstructured = true\n', "an agent of kind tools has no such key"),
        (
            '[agents.a]\nkind = "code"\nexecutor = "docker"\n',
            "expected sandbox (its code runs at the desk) or nodes.",
        ),
        ('[agents.a]\nkind = "code"\nmax_steps = true\n', "expected a whole number from 1 to 1000."),
        (managing('["tools", "tools"]'), "expected a list of names of other agents, each once."),
        ('[agents.demo]\nmanaged = ["code"]\n', "an agent of kind terminal has no such key"),
    ],
)
def test_whom_an_agent_cannot_manage_is_told(tmp_path: Path, text: str, expected: str) -> None:
    results = mistakes(tmp_path, text)
    assert results and expected in results[0], results


def test_one_that_is_called_like_a_tool_keeps_its_manager_from_working(tmp_path: Path) -> None:
    boss = AgentEntry("boss", "code", managed=("show-map", "other"))
    problems = Checks("builtin", tmp_path, lambda: ["show_map"]).problems(boss)
    assert problems == ["Managed agents have the names of tools: show_map."]
