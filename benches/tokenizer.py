"""Our tokenizer against Hugging Face's tokenizers: one thread each, the same texts, in turn, on the same machine.

    .venv/bin/python benches/tokenizer.py build/release/bin/text_tool [REPEAT]

The texts are the sources of Python's standard library, file by file; so is what the vocabularies of 32,000 entries are trained on. A line for
each shape of vocabulary: megabytes a second of processor time (medians), and whether the tokens are the same. Theirs is the faster of encode_batch_fast (no
offsets) and encode. Then texts that a cache of words does not help with (words that never come again, one word of a megabyte, a megabyte of
spaces), and the seconds of processor time that loading takes.
"""
import os
import pathlib
import random
import resource
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


def hard_texts():
    draw = random.Random(0)

    def word(length):
        return "".join(draw.choices("etaoinshrdlu_", k=length))

    return {"new words": " ".join(word(draw.randint(3, 14)) for _ in range(100_000)), "one word": word(1_000_000).replace("_", ""), "spaces": " " * 1_000_000}


def main():
    repeat = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    files = list(shapes.corpus(12_000_000))
    print(f"{'':22} {'text':>9} {'ours':>8} {'theirs':>8} {'ratio':>13}")
    for shape in shapes.SHAPES:
        with tempfile.TemporaryDirectory() as folder:
            shapes.train(shape, 32_000, 12_000_000).save(folder + "/tokenizer.json")
            seconds, peer = timed(lambda: Tokenizer.from_file(folder + "/tokenizer.json"))
            with TextTool(folder) as tool:
                compare(shape, tool, peer, files, repeat)
                for name, text in hard_texts().items():
                    compare("  " + name, tool, peer, [text], 1)
            loaded = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            with TextTool(folder) as tool:
                tool.ask(encode="")
            loaded = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - loaded
            print(f"  {'load':20} ours {loaded:.2f} s, theirs {seconds:.2f} s", flush=True)


main()
