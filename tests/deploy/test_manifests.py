"""Files for three servers in deploy/: valid by their formats' schemas, and held to the desk's settings and balancer."""

import re
import subprocess
import sys
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.release import IMAGE_FILES
from smoldesk import __version__
from smoldesk.cli.main import parser
from smoldesk.settings import Settings
from smoldesk.store.sealing import read_keys
from smoldesk.wires.rest.requests import FORM_OVERHEAD
from smoldesk.wires.security.hosts import Hosts
from tests.support.warm import ROOT

DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS: list[dict[str, Any]] = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
NODES: list[dict[str, Any]] = list(yaml.safe_load_all((DEPLOY / "nodes.yaml").read_text()))
BY_KIND = {manifest["kind"]: manifest for manifest in MANIFESTS if manifest["metadata"]["name"] == "desk"}
POD_SERVICE = BY_KIND["StatefulSet"]["spec"]["serviceName"]
POD = BY_KIND["StatefulSet"]["spec"]["template"]["spec"]
CONTAINER = POD["containers"][0]
TEMPLATE = (DEPLOY / "nginx.conf.template").read_text()
PROVIDER = re.compile("AWS_(ENDPOINT_URL|REGION|ACCESS_KEY_ID|SECRET_ACCESS_KEY)")
"""Variables that the object store's library reads."""
OF_SECRETS = {"token": "a-token", "database-url": "postgresql://desk:secret@postgres.example.org/desk"}
CLOSING_SECONDS = 10
"""What a server needs after its drain: conversations, followers, children and the store end."""
SERVERS = [f"desk-{number}" for number in (1, 2, 3)]


def filled(text: str) -> str:
    """Compose's defaults of variables."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def compose_env(name: str) -> dict[str, str]:
    return {key: filled(value) for key, value in COMPOSE["services"][name]["environment"].items()}


def kubernetes_env() -> dict[str, str]:
    env: dict[str, str] = {}
    for item in CONTAINER["env"]:
        secret = item.get("valueFrom", {}).get("secretKeyRef")
        env[item["name"]] = OF_SECRETS.get(secret["key"], "x") if secret else item["value"]
    return env


def seconds(text: str) -> int:
    return int(text.removesuffix("s"))


@pytest.fixture(params=[*SERVERS, "kubernetes"])
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    return kubernetes_env() if request.param == "kubernetes" else compose_env(request.param)


def test_the_manifests_fit_the_schemas_of_the_oldest_and_the_newest_kubernetes() -> None:
    import kubernetes_validate

    for version in ("1.30", kubernetes_validate.latest_version()):
        for manifest in (*MANIFESTS, *NODES):
            kubernetes_validate.validate(manifest, version, strict=True)
    misspelt = BY_KIND["Service"] | {"spec": {"selectors": {}}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(misspelt, "1.30", strict=True)


def test_the_services_fit_the_compose_specification() -> None:
    if find_spec("compose_spec") is None:
        pytest.skip("compose-spec is not there for this platform: make test brings it where there is one")
    from compose_spec import PyCompose

    plain = {key: value for key, value in COMPOSE.items() if not key.startswith("x-")}
    assert set(PyCompose.from_yaml(yaml.safe_dump(plain)).service_names()) == set(COMPOSE["services"])
    plain["services"]["balancer"]["stop_grace_perod"] = "1s"
    with pytest.raises(ValueError, match="stop_grace_perod"):
        PyCompose.from_yaml(yaml.safe_dump(plain))
    del plain["services"]["balancer"]["stop_grace_perod"]


def test_a_linter_of_compose_files_finds_nothing() -> None:
    tool = Path(sys.executable).parent / "compose-lint"
    done = subprocess.run([tool, "compose.yaml"], cwd=DEPLOY, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_variable_is_a_setting_and_its_value_is_right(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {f"SMOLDESK_{name.upper()}" for name in Settings.model_fields}
    for name, value in env.items():
        assert name in fields or PROVIDER.fullmatch(name), name
        monkeypatch.setenv(name, value)
    settings = Settings(_env_file=None)  # pyright: ignore[reportCallIssue]
    Hosts("0.0.0.0", settings.allowed_hosts)
    assert settings.has_token
    assert settings.database_url.startswith("postgresql://")
    assert settings.files_url.startswith("s3://")
    assert settings.key_file is not None
    assert settings.trusted_proxies


def test_all_servers_of_compose_have_the_same_settings() -> None:
    assert compose_env("desk-1") == compose_env("desk-2") == compose_env("desk-3")


def test_a_server_has_longer_to_stop_than_it_drains(env: dict[str, str]) -> None:
    drain = int(env["SMOLDESK_DRAIN_SECONDS"])
    if env == kubernetes_env():
        waits = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
        assert waits + drain + CLOSING_SECONDS <= POD["terminationGracePeriodSeconds"]
    for name in SERVERS:
        assert drain + CLOSING_SECONDS <= seconds(COMPOSE["services"][name]["stop_grace_period"])


def test_the_balancer_s_variables_are_those_of_its_template_and_name_the_servers() -> None:
    services = COMPOSE["services"]
    balancer = services["balancer"]
    expected = set(re.findall(r"\$\{(\w+)\}", TEMPLATE))
    filter_ = re.compile(balancer["environment"]["NGINX_ENVSUBST_FILTER"])
    inputs = {name: value for name, value in balancer["environment"].items() if filter_.search(name)}
    assert inputs.keys() == expected
    addresses = [services[name]["networks"]["default"]["ipv4_address"] for name in SERVERS]
    assert [inputs[f"DESK_{number}"] for number in (1, 2, 3)] == [f"{address}:8000" for address in addresses]
    address = balancer["networks"]["default"]["ipv4_address"]
    assert compose_env("desk-1")["SMOLDESK_TRUSTED_PROXIES"] == f'["{address}"]'
    assert balancer["ports"] == [f"127.0.0.1:8000:{inputs['DESK_LISTEN']}"]
    assert "ports" not in services["desk-1"], (
        "a client that reaches a server itself is nobody's business here"
    )


def test_no_other_service_can_get_a_fixed_address() -> None:
    """Docker gives out the lowest address that is free: who got the balancer's would be the trusted proxy."""
    [pool] = COMPOSE["networks"]["default"]["ipam"]["config"]
    subnet, of_others = ip_network(pool["subnet"]), ip_network(pool["ip_range"])
    networks = [service.get("networks", {}).get("default", {}) for service in COMPOSE["services"].values()]
    fixed = [ip_address(network["ipv4_address"]) for network in networks if network]
    assert len(fixed) == len(set(fixed)) == 1 + len(SERVERS)
    assert all(address in subnet and address not in of_others for address in fixed)


def test_the_balancers_let_a_file_of_the_largest_size_pass_and_refuse_far_larger_bodies(
    env: dict[str, str],
) -> None:
    assert "SMOLDESK_UPLOAD_LIMIT_MB" not in env
    least = Settings.model_fields["upload_limit_mb"].default * 1_000_000 + FORM_OVERHEAD
    annotations = BY_KIND["Ingress"]["metadata"]["annotations"]
    for size in (
        COMPOSE["services"]["balancer"]["environment"]["DESK_MAX_BODY"],
        annotations["nginx.org/client-max-body-size"],
        annotations["nginx.ingress.kubernetes.io/proxy-body-size"],
    ):
        assert least < int(size) < 1.01 * least


def test_a_client_that_pauses_for_longer_than_nginx_s_minute_gets_the_rest() -> None:
    pauses = dict(re.findall(r"^    (send_timeout|client_body_timeout) (\w+);$", TEMPLATE, re.MULTILINE))
    assert pauses == {"send_timeout": "1h", "client_body_timeout": "1h"}


def test_the_servers_share_database_bucket_and_key_and_nothing_else() -> None:
    services = COMPOSE["services"]
    volumes = [services[name]["volumes"] for name in SERVERS]
    assert volumes == [[f"{name}:/data"] for name in SERVERS], (
        "two servers on one data directory refuse to start"
    )
    assert all(services[name]["secrets"] == ["desk.keys"] for name in SERVERS)
    env, objects = compose_env("desk-1"), services["objects"]
    assert env["SMOLDESK_FILES_URL"].split("/")[2] == objects["environment"]["S3_BUCKET"]
    assert f"-s3.port={env['AWS_ENDPOINT_URL'].rsplit(':', 1)[1]}" in objects["command"]
    assert env["SMOLDESK_KEY_FILE"] == "/run/secrets/desk.keys"
    of_one = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    for limit in ("cap_drop", "security_opt", "pids_limit", "mem_limit", "init"):
        assert all(services[name][limit] == of_one["desk"][limit] for name in SERVERS)


def test_the_names_of_the_manifests_fit_together() -> None:
    labels = BY_KIND["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
    services = {item["metadata"]["name"]: item["spec"] for item in MANIFESTS if item["kind"] == "Service"}
    assert {tuple(service["selector"].items()) for service in services.values()} == {tuple(labels.items())}
    assert BY_KIND["StatefulSet"]["spec"]["selector"]["matchLabels"] == labels
    assert BY_KIND["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert BY_KIND["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels
    assert BY_KIND["StatefulSet"]["spec"]["serviceName"] in services
    rule = BY_KIND["Ingress"]["spec"]["rules"][0]
    assert rule["http"]["paths"][0]["backend"]["service"]["name"] in services
    assert f'["{rule["host"]}"]' == kubernetes_env()["SMOLDESK_ALLOWED_HOSTS"]
    keys = POD["volumes"][0]["secret"]["items"][0]["path"]
    mounts = {mount["name"]: mount["mountPath"] for mount in CONTAINER["volumeMounts"]}
    assert kubernetes_env()["SMOLDESK_KEY_FILE"] == f"{mounts['keys']}/{keys}"
    assert mounts["data"] in (ROOT / "Dockerfile").read_text()


def test_a_service_s_variables_cannot_become_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kubernetes sets SMOLDESK_PORT for a Service of that name, unless the pod has no such links."""
    assert POD["enableServiceLinks"] is False
    monkeypatch.setenv("SMOLDESK_PORT", "tcp://10.96.0.7:80")
    with pytest.raises(ValueError, match="port"):
        Settings(_env_file=None)  # pyright: ignore[reportCallIssue]


def test_probes_ask_the_addresses_that_strangers_may_ask() -> None:
    probes = {
        kind: CONTAINER[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "readiness", "liveness")
    }
    assert probes == {"startup": "/livez", "readiness": "/readyz?exclude=shared", "liveness": "/livez"}


def test_the_command_for_a_key_file_makes_one_that_the_desk_takes(tmp_path: Path) -> None:
    for name in ("compose.yaml", "kubernetes.yaml"):
        line = next(line for line in (DEPLOY / name).read_text().splitlines() if "/dev/urandom" in line)
        command, _, file = line.strip("# ").partition(" > ")
        assert file.split()[0].endswith("desk.keys")
        key = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout
        (tmp_path / "desk.keys").write_text(key)
        assert read_keys(tmp_path / "desk.keys") == [key.strip()]


def test_the_image_has_the_extras_that_these_settings_need() -> None:
    extras = re.search(r"\.whl\)\[([\w,]+)\]", (ROOT / "Dockerfile").read_text())
    assert extras
    assert {"postgres", "objects"} <= set(extras[1].split(","))


def test_the_nodes_dial_a_server_by_its_name_and_have_settings_that_exist() -> None:
    deployment, own, of_desk = NODES
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    options = parser().parse_args(container["command"][1:])
    service = next(m for m in MANIFESTS if m["metadata"]["name"] == POD_SERVICE)
    assert options.desk == f"{BY_KIND['StatefulSet']['metadata']['name']}-0.{service['metadata']['name']}"
    fields = {f"SMOLDESK_{name.upper()}" for name in Settings.model_fields}
    assert {item["name"] for item in container["env"]} <= fields
    labels = BY_KIND["StatefulSet"]["spec"]["template"]["metadata"]["labels"]
    assert own["spec"]["egress"][0]["to"][0]["podSelector"]["matchLabels"] == labels
    assert of_desk["spec"]["podSelector"]["matchLabels"] == labels
    assert of_desk["spec"]["ingress"][0]["ports"] == [{"port": Settings.model_fields["nodes_port"].default}]


def test_every_setting_of_the_page_about_servers_exists() -> None:
    page = (ROOT / "spec" / "reference" / "servers.md").read_text()
    fields = {f"SMOLDESK_{name.upper()}" for name in Settings.model_fields}
    assert set(re.findall(r"SMOLDESK_[A-Z_]+", page)) <= fields


def test_every_file_that_names_the_image_has_its_version() -> None:
    assert {path.name for path in DEPLOY.glob("*.yaml")} <= {Path(name).name for name in IMAGE_FILES}
    for name in IMAGE_FILES:
        assert set(re.findall(r"image: smoldesk:(\S+)", (ROOT / name).read_text())) == {__version__}
