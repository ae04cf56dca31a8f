"""Trains a byte-level BPE (Sennrich et al. 2016, arXiv:1508.07909) and writes tokenizer.json.

JSON lines on stdin: first {"vocabulary": n, "special": [...], "out": FILE}, then a string for each text.
"""
import json
import sys

# Words are split where code repeats itself: a line's end with the next line's indentation is one word, so that each depth becomes a token; digits stand alone, so that numbers are
# read and copied digit by digit; a letter sequence takes the character before it ("_ptr", ".load", "(x").
WORDS = r"\r?\n[ \t]*|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|[ \t]+|\s+"


def main():
    try:
        from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    except ImportError:
        sys.exit(f"the library tokenizers is missing: {sys.executable} -m pip install tokenizers")
    options = json.loads(sys.stdin.readline())
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(WORDS), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=options["vocabulary"], special_tokens=options["special"], min_frequency=2,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator((json.loads(line) for line in sys.stdin), trainer=trainer)
    tokenizer.save(options["out"])


if __name__ == "__main__":
    main()
