"""A tokenizer made on the spot, and the scripted server over it."""
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

BINARIES = Path(os.environ.get("TRITONSMITH_BINARY_DIR", Path(__file__).resolve().parents[2] / "build/release")) / "bin"
PROGRAM = BINARIES / "scripted_server"
TEMPLATE = (
    "{% if tools %}<|im_start|>tools\n{{ tools | tojson }}<|im_end|>\n{% endif %}{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
CORPUS = ["def kernel(x_ptr, out_ptr, n): return tl.load(x_ptr)", "the quick brown fox jumps over the lazy dog", "ünï→ 語 🙂"] * 20


def make_tokenizer(folder):
    """A byte-level tokenizer of 400 entries with ChatML's special tokens, as transformers saves it."""
    try:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    except ImportError as error:
        raise unittest.SkipTest(f"no tokenizers: {error}")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
                                  special_tokens=["<|im_start|>", "<|im_end|>"], show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    folder = Path(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"eos_token": "<|im_end|>", "chat_template": TEMPLATE}))
    return tokenizer


class Serving:
    """A program that serves, while a `with` lasts."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen([str(part) for part in command], stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        said, found = "", None
        while not found:
            line = self.process.stderr.readline()
            said += line
            found = re.search(r"^serving .*at (http\S+|unix:\S+)$", line)
            if not line:
                self.__exit__()
                raise AssertionError(f"the server did not start: {said}")
        self.url = found[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.process.stderr.close()

    def client(self, key="none", **more):
        try:
            import openai
        except ImportError as error:
            raise unittest.SkipTest(f"no openai: {error}")
        return openai.OpenAI(base_url=self.url + "/v1", api_key=key, max_retries=0, timeout=60, **more)

    def metrics(self):
        import urllib.request
        with urllib.request.urlopen(self.url + "/metrics", timeout=30) as answer:
            text = answer.read().decode()
        return {m[1]: float(m[2]) for m in re.finditer(r"^(tritonsmith_\S+) (\S+)$", text, re.M)}

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident_bytes(self):
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Server(Serving):
    """The scripted server. `rules`: see scripted_server_main.cpp."""

    def __init__(self, rules, *options, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        self.tokenizer = make_tokenizer(self.folder.name)
        script = Path(self.folder.name) / "script.json"
        script.write_text(json.dumps(rules))
        super().__init__([PROGRAM, "--tokenizer", self.folder.name, "--script", script, "--port", "0", *options], environment)

    def __exit__(self, *_):
        super().__exit__()
        self.folder.cleanup()
