"""Our tokenizer against Hugging Face's tokenizers: one thread each, the same texts, in turn, on the same machine.

    .venv/bin/python benches/tokenizer.py build/release/bin/text_tool [REPEAT]

The texts are the sources of Python's standard library, file by file; so is what the vocabularies of 32,000 entries are trained on. A line for
each shape of vocabulary: megabytes a second of processor time (medians), and whether the tokens are the same. Theirs is the faster of encode_batch_fast (no
offsets) and encode. Then a text that is one long line of a few bytes over and over, and the seconds that loading takes.
"""
import os
import pathlib
import statistics
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["TRITONSMITH_TEXT_TOOL"] = os.path.abspath(sys.argv[1])
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/text"))
import shapes  # noqa: E402
from text_tool import TextTool  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402


def timed(action):
    begin = time.process_time()
    result = action()
    return time.process_time() - begin, result


def fastest(peer, texts):
    """Seconds and number of tokens, by the faster of their two ways."""
    whole = timed(lambda: sum(len(one.ids) for one in peer.encode_batch_fast(texts, add_special_tokens=False)))
    single = timed(lambda: sum(len(peer.encode(text, add_special_tokens=False).ids) for text in texts))
    return min(whole, single)


def compare(name, tool, peer, texts, repeat):
    size = sum(len(text.encode()) for text in texts)
    tool.ask(time=texts[:20])
    ours, theirs = [], []
    for _ in range(repeat):
        ours.append(tool.ask(time=texts))
        theirs.append(fastest(peer, texts))
    mine, other = statistics.median(one["seconds"] for one in ours), statistics.median(seconds for seconds, _ in theirs)
    same = "same tokens" if ours[0]["tokens"] == theirs[0][1] else "OTHER TOKENS"
    print(f"{name:22} {size / 1e6:6.1f} MB {size / mine / 1e6:8.1f} {size / other / 1e6:8.2f} MB/s {other / mine:8.1f}  {same}", flush=True)


def main():
    repeat = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    files = list(shapes.corpus(12_000_000))
    print(f"{'':22} {'text':>9} {'ours':>8} {'theirs':>8} {'ratio':>13}")
    for shape in shapes.SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            shapes.train(shape, 32_000, 12_000_000).save(folder + "/tokenizer.json")
            seconds, peer = timed(lambda: Tokenizer.from_file(folder + "/tokenizer.json"))
            begin = time.perf_counter()
            with TextTool(folder) as tool:
                tool.ask(encode="")
                loaded = time.perf_counter() - begin
                compare(shape, tool, peer, files, repeat)
                compare("  one long line", tool, peer, ["ab = x " * 20_000], repeat)
                print(f"  load{'':16} ours {loaded:.2f} s (a process's start included), theirs {seconds:.2f} s", flush=True)


main()
