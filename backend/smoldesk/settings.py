"""Settings of the desk: one frozen object, read once from SMOLDESK_* and .env by cli, passed down in parts.

No other module reads the environment, except for the variables customary with a provider (models/access.py).
`.env.example` names every field here; a test compares the two.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field, IPvAnyNetwork, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

# Maximum time for an answer: later dates overflow the calendar.
LONGEST_ASK_SECONDS = 366 * 24 * 3600

# Maximum bytes of a file that is held in memory on its way, or copied each time code changes it.
MAX_OF_FILE = 50_000_000


def _also_bare(name: str, default: float, gt: float) -> Any:
    """Return a setting whose variable is also read without the prefix, as agents' own programs name it; the prefixed one
    wins.
    """
    return Field(default=default, gt=gt, validation_alias=AliasChoices(f"SMOLDESK_{name}", name))


class Settings(BaseSettings):
    """Settings of an operator; the defaults need no key and no network."""

    model_config = SettingsConfigDict(
        env_prefix="SMOLDESK_",
        env_file=".env",
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        validate_by_name=True,
    )

    # where it listens
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    token: SecretStr | None = None
    session_seconds: float = Field(default=604_800, ge=60)
    allowed_origins: list[str] = []
    allowed_hosts: list[str] = []
    trusted_proxies: list[IPvAnyNetwork] = []
    client_connections: int = Field(default=400, ge=8)
    wires: list[str] = []

    # where it keeps things
    data_dir: Path = Path("smoldesk-data")
    database_url: str = Field(default="", repr=False)
    files_dir: Path | None = None
    key_file: Path | None = None
    files_url: str = ""
    audit_days: float = Field(default=365, ge=0)
    data_folders: list[Path | str] = []
    retention_days: float = Field(default=0, ge=0, le=36_500)
    sqlite_synchronous: Literal["NORMAL", "FULL"] = "NORMAL"

    # which databases sql_engine may read
    sql_urls: dict[str, SecretStr] = {}
    sql_read_only_accounts: list[str] = []
    sources: Literal["page", "settings"] = "page"
    mcp_servers: Literal["page", "settings"] = "page"
    mcp_start_seconds: float = Field(default=60, gt=0, le=600)

    # who answers
    model: str = "builtin"
    model_context: int = Field(default=0, ge=0)
    models: Literal["page", "settings"] = "page"
    find_models: bool = True
    model_servers: dict[str, str] = {}
    agent: str = ""
    agent_load_seconds: float = Field(default=120, gt=0)
    tool_calls: Literal["together", "one_by_one"] = "together"
    tool_files: list[Path] = []
    openai_api_key: SecretStr | None = None
    openai_base_url: str = ""
    litellm_api_key: SecretStr | None = None
    litellm_base_url: str = ""
    hf_token: SecretStr | None = None
    model_timeout_seconds: float = Field(default=60, gt=0)
    model_retries: int = Field(default=2, ge=0)
    max_steps: int = Field(default=20, ge=1)
    memory_runs: int = Field(default=40, ge=0)

    # how code runs
    max_runs: int = Field(default=256, ge=1)
    executor: str = "sandbox"
    max_children: int = Field(default=16, ge=1)
    max_cells: int = Field(default=0, ge=0)
    child_idle_seconds: float = Field(default=1800, gt=0)
    min_free_memory_mb: int = Field(default=512, ge=0)
    sandbox_preload: list[str] = ["numpy", "pandas", "matplotlib.pyplot", "seaborn"]
    sandbox_memory_mb: int = Field(default=4096, ge=512)
    sandbox_folder_mb: int = Field(default=4096, ge=1)
    sandbox_files: int = Field(default=20_000, ge=100)
    sandbox_threads: int = Field(default=64, ge=8)
    cell_seconds: float = Field(default=60, gt=0)
    stop_grace_seconds: float = Field(default=2, gt=0)
    drain_seconds: float = Field(default=8, ge=0, le=3600)
    allow_unisolated: bool = False

    # which machines run code, too
    nodes_host: str = "127.0.0.1"
    nodes_port: int = Field(default=8012, ge=0, le=65535)
    node_token: SecretStr | None = None

    # how programs in a terminal run
    max_terminals: int = Field(default=8, ge=1)
    terminal_idle_seconds: float = Field(default=1800, gt=0)

    # how other agents are asked
    peer_timeout_seconds: float = Field(default=300, gt=0)

    # what people are asked
    ask_timeout_seconds: float = Field(default=300, gt=0, le=LONGEST_ASK_SECONDS)
    tool_ask_timeout_seconds: dict[str, Annotated[float, Field(gt=0, le=LONGEST_ASK_SECONDS)]] = {}
    tool_approval: dict[str, Literal["never", "once", "always"]] = {}

    # how agents talk to each other
    conversation_pending_timeout_seconds: float = _also_bare(
        "CONVERSATION_PENDING_TIMEOUT_SECONDS", default=300, gt=0
    )
    conversation_active_timeout_seconds: float = _also_bare(
        "CONVERSATION_ACTIVE_TIMEOUT_SECONDS", default=600, gt=0
    )
    agent_session_seconds: float = Field(default=43_200, gt=0)
    conversation_runs_per_minute: int = Field(default=20, ge=1)
    conversation_max_messages: int = Field(default=100, ge=2)

    # what it takes
    upload_limit_mb: float = Field(default=2000, gt=0)
    message_limit_kb: float = Field(default=256, gt=0)

    # how it streams
    keep_alive_seconds: float = Field(default=15, gt=0, le=15)

    # whom watches may tell
    mail_server: str = ""
    mail_password: SecretStr | None = None
    mail_from: str = ""
    mail_recipients: list[str] = []
    webhook_hosts: list[str] = []

    # how other agents reach it
    push_private_addresses: bool = False
    grpc_port: int = Field(default=0, ge=0, le=65535)

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"

    def with_own_storage(self, folder: Path) -> "Settings":
        """Return these settings for a desk with all its data in `folder`, apart from other servers."""
        own = {"data_dir": folder, "database_url": "", "files_dir": None, "files_url": "", "key_file": None}
        return self.model_copy(update=own)

    def secrets(self) -> list[SecretStr]:
        """Return the values that must not appear in a log or a stored prompt."""
        values = [value for _, value in self]
        values.append(SecretStr(self.database_url))
        return [value for value in (*values, *self.sql_urls.values()) if isinstance(value, SecretStr)]

    @property
    def has_token(self) -> bool:
        """Whether the desk asks for a token."""
        return self.token is not None and bool(self.token.get_secret_value())

    @property
    def upload_limit(self) -> int:
        """Largest file that people may upload, in bytes."""
        return int(self.upload_limit_mb * 1_000_000)

    @property
    def file_limit(self) -> int:
        """Largest file that comes in a message or from an agent elsewhere, or that code makes for the page, in bytes."""
        return min(self.upload_limit, MAX_OF_FILE)

    @property
    def message_limit(self) -> int:
        """Longest message that is taken, in bytes."""
        return int(self.message_limit_kb * 1000)
