"""A tiny model's folder and data that it can learn in seconds, for tests of training."""
import json
import re

import transformers


# Threads that wait for each other cost more than such a model's work.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}


def in_toml(value):
    """A value of a configuration; keys of tables may be dotted."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key if re.fullmatch('[A-Za-z0-9_.-]+', key) else json.dumps(key)} = {in_toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_toml, value)) + "]"
    return json.dumps(value)


def write_toml(path, tables):
    """A configuration: of each table its fields, or a list of them."""
    lines = []
    for name, fields in tables.items():
        many = isinstance(fields, list)
        for one in fields if many else [fields]:
            lines += [f"[[{name}]]" if many else f"[{name}]", *(f"{key} = {in_toml(value)}" for key, value in one.items())]
    path.write_text("\n".join(lines) + "\n")


def byte_alphabet():
    """GPT-2's characters of the bytes."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}


def write_model_folder(folder, pieces=()):
    """config.json of a tiny model, a tokenizer of single bytes and these pieces of text, a chat template."""
    special = [{"id": 256 + i, "content": content, "special": True, "normalized": False, "lstrip": False, "rstrip": False,
                "single_word": False} for i, content in enumerate(["<begin>", "<end>"])]
    special += [special[0] | {"id": 258 + i, "content": content, "special": False} for i, content in enumerate(pieces)]
    tokenizer = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": special, "normalizer": None,
                 "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True},
                 "post_processor": None, "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True},
                 "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
                           "fuse_unk": False, "byte_fallback": False,
                           "vocab": {character: byte for byte, character in byte_alphabet().items()}, "merges": []}}
    transformers.Qwen3Config(vocab_size=258 + len(pieces), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
                             num_key_value_heads=2, head_dim=16, max_position_embeddings=256, tie_word_embeddings=True,
                             bos_token_id=None, eos_token_id=257).save_pretrained(folder)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<end>"}))
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": 257}))
    (folder / "chat_template.jinja").write_text(
        "{% for m in messages %}<begin>{{ m.role }}|{{ m.content }}<end>\n{% endfor %}{% if add_generation_prompt %}<begin>assistant|{% endif %}")


def write_rows(path, numbers):
    """Questions whose answers follow from them: a letter, some times."""
    rows = [{"messages": [{"role": "user", "content": f"{chr(97 + n % 7)}{2 + n % 5}"},
                          {"role": "assistant", "content": chr(97 + n % 7) * (2 + n % 5)}]} for n in numbers]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_everything(folder):
    write_model_folder(folder / "model")
    write_rows(folder / "train.jsonl", range(100))
    write_rows(folder / "more.jsonl", range(50, 90))
    write_rows(folder / "held.jsonl", range(100, 135))


def configuration(folder, name, /, **changes):
    """A run of twelve steps in FOLDER/NAME; changes are fields by table."""
    base = {"run": {"folder": str(folder / name), "steps": 12, "seed": 3, "evaluate_every": 5, "checkpoint_every": 4, "keep": 3},
            "model": {"folder": str(folder / "model"), "scratch": True, "dtype": "float32"},
            "data": {"tokens": 256, "longest": 64, "micro_batches": 2, "shuffle_window": 16, "pack_window": 20,
                     "evaluation": str(folder / "held.jsonl"), "evaluation_batches": 2,
                     "sources": [{"files": str(folder / "train.jsonl"), "weight": 2}, {"files": str(folder / "more.jsonl")}]},
            "optimizer": {"beta2": 0.99}, "schedule": {"learning_rate": 5e-3, "warmup": 4}}
    for table, fields in changes.items():
        base.setdefault(table, {}).update(fields)
    return base
