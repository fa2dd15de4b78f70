"""What servers of models say of what they offer, by path, as OpenAIServer takes it; in the forms of the real ones."""

from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse


def listed(owner: str, *names: str, **more: Any) -> dict[str, Any]:
    """The list that every one of them has."""
    entries = [{"id": name, "object": "model", "created": 1, "owned_by": owner, **more} for name in names]
    return {"object": "list", "data": entries}


def ollama() -> dict[str, Any]:
    """Three models: one that is loaded with 8,192 tokens, one that is told to take 12,288, and one that embeds."""
    about: dict[str, dict[str, Any]] = {
        "llama3.2:3b": {
            "parameters": 'stop "<|eot_id|>"',
            "model_info": {"general.architecture": "llama", "llama.context_length": 131072},
            "capabilities": ["completion", "tools"],
        },
        "llava:7b": {
            "parameters": "num_ctx                        12288\nstop x",
            "model_info": {"llama.context_length": 32768},
            "capabilities": ["completion", "vision"],
        },
        "nomic-embed-text:latest": {
            "model_info": {"nomic-bert.context_length": 2048},
            "capabilities": ["embedding"],
        },
    }
    return {
        "/v1/models": listed("library", *about),
        "/api/ps": {"models": [{"name": "llama3.2:3b", "size_vram": 1, "context_length": 8192}]},
        "/api/show": lambda body, _: about[body["model"]],
    }


def llamacpp() -> dict[str, Any]:
    """One model, started with a window smaller than the one it was trained with."""
    meta = {"vocab_type": 1, "n_vocab": 128256, "n_ctx_train": 131072, "n_params": 1}
    return {
        "/v1/models": listed("llamacpp", "qwen2.5-7b-q4.gguf", meta=meta),
        "/props": {
            "default_generation_settings": {"n_ctx": 16384, "params": {}},
            "total_slots": 1,
            "modalities": {"vision": True, "audio": False},
        },
    }


def lmstudio() -> dict[str, Any]:
    """A loaded model, one that is not and takes pictures, and one that embeds."""
    entries = [
        {
            "id": "phi-4",
            "type": "llm",
            "state": "loaded",
            "max_context_length": 16384,
            "loaded_context_length": 4096,
        },
        {"id": "qwen2-vl", "type": "vlm", "state": "not-loaded", "max_context_length": 32768},
        {"id": "bge-m3", "type": "embeddings", "state": "not-loaded", "max_context_length": 8192},
    ]
    return {
        "/v1/models": listed("organization_owner", *(str(entry["id"]) for entry in entries)),
        "/api/v0/models": {"object": "list", "data": entries},
    }


def vllm() -> dict[str, Any]:
    """One model, whose length the list itself tells."""
    return {"/v1/models": listed("vllm", "Qwen/Qwen2.5-7B", max_model_len=32768, root="x")}


def locked(key: str, *names: str) -> dict[str, Any]:
    """A server of no known make that wants a key, as hosted ones do."""

    def models(_: Any, headers: Mapping[str, str]) -> Any:
        if headers.get("authorization") != f"Bearer {key}":
            return JSONResponse({"error": {"message": "Incorrect API key provided"}}, 401)
        return listed("somebody", *names)

    return {"/v1/models": models}
