"""Tokenizers with the settings of well-known families, trained on the spot with Hugging Face's tokenizers: nothing is downloaded."""

import pathlib
import sysconfig

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LLAMA3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
DEEPSEEK = (r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+"""
            r"""|\s+(?!\S)|\s+""")


def byte_level(**options):
    return pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=False, **options)


def gpt2():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = byte_level()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer, [AddedToken("<|endoftext|>", special=True, normalized=True), AddedToken("<mask>", lstrip=True, special=True)]


def llama3():
    tokenizer = Tokenizer(models.BPE(ignore_merges=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(LLAMA3), "isolated"), byte_level(use_regex=False)])
    return tokenizer, [AddedToken(t, special=True) for t in ("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>",
                                                             "<|eot_id|>", "<|eom_id|>", "<|python_tag|>")]


def qwen():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(QWEN), "isolated"), byte_level(use_regex=False)])
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer, ([AddedToken(t, special=True) for t in ("<|endoftext|>", "<|im_start|>", "<|im_end|>")] +
                       [AddedToken(t, special=False, normalized=False) for t in ("<think>", "</think>", "<tool_call>", "</tool_call>")])


def deepseek():
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"), pre_tokenizers.Split(Regex("[一-龥぀-ゟ゠-ヿ]+"), "isolated"),
        pre_tokenizers.Split(Regex(DEEPSEEK), "isolated"), byte_level(use_regex=False)])
    return tokenizer, [AddedToken(t, special=True, normalized=False) for t in ("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>")]


SHAPES = {"gpt2": gpt2, "llama3": llama3, "qwen": qwen, "deepseek": deepseek}


def corpus(limit=1_500_000):
    """Text that is on every machine: the standard library's sources, and lines in other scripts."""
    total = 0
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if any(part.endswith("-packages") for part in path.parts):
            continue  # those differ from machine to machine
        text = path.read_text(encoding="utf-8", errors="replace")
        total += len(text)
        yield text
        if total > limit:
            break
    for line in ("Быстрая коричневая лиса перепрыгивает через ленивую собаку. ", "素早い茶色の狐がのろまな犬を飛び越える。", "快速的棕色狐狸跳过了懒狗。",
                 "빠른 갈색 여우가 게으른 개를 뛰어넘는다. ", "Η γρήγορη καφέ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί. ", "🙂🚀👩‍👩‍👧 ", "تقفز الثعلب البني السريع "):
        yield line * 40


def train(shape, vocabulary=6000, limit=1_500_000):
    tokenizer, added = SHAPES[shape]()
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=vocabulary, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator(corpus(limit), trainer)
    tokenizer.add_tokens(added)
    tokenizer.add_special_tokens([t for t in added if t.special])
    if shape == "llama3":
        tokenizer.post_processor = processors.Sequence([
            processors.ByteLevel(trim_offsets=False),
            processors.TemplateProcessing(single="<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", tokenizer.token_to_id("<|begin_of_text|>"))])])
    return tokenizer
