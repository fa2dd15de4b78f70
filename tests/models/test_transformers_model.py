"""A tiny model made here, without anybody's weights: it babbles, but streams, stops and ends as a large one would."""

import queue
import threading
from pathlib import Path
from typing import Any

import pytest

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models import Access, build_model, close_model

pytestmark = pytest.mark.usefixtures("transformers_extra")

ASK: Any = [{"role": "user", "content": [{"type": "text", "text": "hello"}]}]
TEMPLATE = "{% for m in messages %}{{ m['content'] }} {% endfor %}"


@pytest.fixture(scope="module")
def tiny(transformers_extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of two layers and a tokenizer of a few words."""
    from tokenizers import Tokenizer, models, pre_tokenizers  # pyright: ignore
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast  # pyright: ignore

    folder = tmp_path_factory.mktemp("tiny")
    text = {word: number for number, word in enumerate(["[UNK]", "hello", *(f"w{n}" for n in range(62))])}
    plain = Tokenizer(models.WordLevel(text, unk_token="[UNK]"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, unk_token="[UNK]")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    config = LlamaConfig(
        vocab_size=64,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=100_000,
        eos_token_id=None,
        bos_token_id=None,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def model_at(folder: Path) -> Any:
    return build_model(f"transformers:{folder}", Access(1, 0), lambda: pytest.fail("not asked for"))


def test_it_streams_and_counts(tiny: Path) -> None:
    deltas = list(model_at(tiny).generate_stream(ASK, max_tokens=8))
    assert "".join(delta.content or "" for delta in deltas).strip()
    assert len(deltas) > 2
    usage = [delta.token_usage for delta in deltas if delta.token_usage]
    assert [(tokens.input_tokens, tokens.output_tokens) for tokens in usage] == [(1, 8)]
    assert deltas[-1].finish_reason == "length"


def test_close_ends_it_from_another_thread(tiny: Path) -> None:
    model = model_at(tiny)
    ended: queue.Queue[Exception | None] = queue.Queue()
    event_set = threading.Event()

    def ask() -> None:
        try:
            for _ in model.generate_stream(ASK, max_tokens=90_000):
                event_set.set()
        except Exception as error:
            ended.put(error)
        else:
            ended.put(None)

    threading.Thread(target=ask, daemon=True).start()
    assert event_set.wait(60)
    close_model(model)
    assert isinstance(ended.get(timeout=30), Stopped)
    assert list(model_at(tiny).generate_stream(ASK, max_tokens=2))  # the weights are free for the next run


def test_a_folder_without_a_model_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelFault) as caught:
        model_at(tmp_path).generate(ASK)
    assert caught.value.code in ("model_unknown", "model_error")
