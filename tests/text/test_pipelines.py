"""Normalizers, pre-tokenizers and added tokens beyond those of the known families, one by one against Hugging Face's tokenizers."""

import tempfile
import unittest

try:
    import shapes
except ImportError as error:
    raise unittest.SkipTest(f"not compared with tokenizers: {error}")
from strings import strings
from text_tool import TextTool
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

BEHAVIORS = ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")
PRE_TOKENIZERS = {
    **{f"{behavior}{'_inverted' if invert else ''}": [pre_tokenizers.Split(Regex(r"\s+|a|\p{N}"), behavior, invert)] for behavior in BEHAVIORS for invert in (False, True)},
    "literal": [pre_tokenizers.Split("a.", "merged_with_next"), pre_tokenizers.Split(" ", "merged_with_next")],
    "empty_matches": [pre_tokenizers.Split(Regex("x*|(?=e)"), "isolated")],
    "empty_matches_merged": [pre_tokenizers.Split(Regex("x*"), "merged_with_previous")],
    "digits": [pre_tokenizers.Digits(individual_digits=True)],
    "digit_runs": [pre_tokenizers.Digits(individual_digits=False)],
    "punctuation": [pre_tokenizers.Punctuation()],
    "punctuation_contiguous": [pre_tokenizers.Punctuation("contiguous")],
    "whitespace": [pre_tokenizers.Whitespace()],
    "whitespace_split": [pre_tokenizers.WhitespaceSplit()],
    "shorthands": [pre_tokenizers.Split(Regex(r"\w+|\d|\h|[^\s\w]+$|^\S"), "isolated")],
    "boundaries": [pre_tokenizers.Split(Regex(r"\b\w+\b|\B\S"), "isolated")],
    "scripts": [pre_tokenizers.Split(Regex(r"\p{Han}+|\p{Hiragana}+|\p{^Latin}|\p{Lu}\p{Ll}*"), "isolated")],
    "ignoring_case": [pre_tokenizers.Split(Regex(r"(?i:I'M|we'll|k|def\b)|(?m:e.)|.\n"), "isolated")],
    "three": [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.Split(Regex(r"[\r\n]"), "removed"), pre_tokenizers.Split(Regex(shapes.QWEN), "isolated")],
    "none": [],
}
NORMALIZERS = {
    "nfd": normalizers.NFD(), "nfkc": normalizers.NFKC(), "nfkd": normalizers.NFKD(), "lowercase": normalizers.Lowercase(), "strip": normalizers.Strip(),
    "lstrip": normalizers.Strip(left=True, right=False), "prepend": normalizers.Prepend("_"), "replace": normalizers.Replace(" ", "__"),
    "replace_regex": normalizers.Replace(Regex(r"\s+"), " "),
    "sequence": normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase(), normalizers.Replace(Regex("[aeiou]"), "*"), normalizers.Strip()]),
}
ADDED = [AddedToken("<a>", special=True), AddedToken("<ab>", special=True, lstrip=True), AddedToken("word", normalized=True, single_word=True),
         AddedToken("<Up>", normalized=True), AddedToken("  ", normalized=False), AddedToken("é", normalized=True), AddedToken("<r>", rstrip=True, normalized=False),
         AddedToken("<ab>c", special=False, normalized=False)]


def sensitive_model():
    """Bytes, and merges of every first and last byte of a character with what may stand beside it: a cut in another place is another result."""
    entries = {byte: chr(byte) for byte in [*range(33, 127), *range(0xA1, 0xAD), *range(0xAE, 0x100)]}
    for byte in range(256):
        entries.setdefault(byte, chr(256 + sum(known >= 256 for known in map(ord, entries.values()))))
    vocabulary, merges = {entry: byte for byte, entry in entries.items()}, []
    for left, right in [(a, b) for a in b"a 1!'e" for b in range(0xC2, 0xF5)] + [(a, b) for a in range(0x80, 0xC0) for b in b"a 1!\ne"] + \
            [(a, b) for a in range(32, 127) for b in (*range(32, 127), 10)]:
        merges.append((entries[left], entries[right]))
        vocabulary.setdefault(entries[left] + entries[right], len(vocabulary))
    return models.BPE(vocab=vocabulary, merges=merges)


class Pipelines(unittest.TestCase):
    def compare(self, peer, texts):
        peer.decoder = decoders.ByteLevel()
        with tempfile.TemporaryDirectory() as folder:
            peer.save(folder + "/tokenizer.json")
            with TextTool(folder) as ours:
                for text in texts:
                    for special in (False, True):
                        self.assertEqual(ours.ask(encode=text, special=special)["tokens"], peer.encode(text, add_special_tokens=special).ids, repr(text))

    def with_pieces(self, pieces, add_prefix_space=False, use_regex=False):
        peer = Tokenizer(sensitive_model())
        last = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space, use_regex=use_regex)
        peer.pre_tokenizer = pre_tokenizers.Sequence([*pieces, last]) if pieces else last
        return peer

    def test_pre_tokenizers(self):
        texts = strings(400, ["word", "a.b"], seed=3) + ["", " ", "aaa", "a a  a", "xxexx", "12a3"]
        for name, pieces in PRE_TOKENIZERS.items():
            with self.subTest(name):
                self.compare(self.with_pieces(pieces), texts)

    def test_byte_level_options(self):
        texts = strings(400, ["word"], seed=4)
        for add_prefix_space in (False, True):
            for use_regex in (False, True):
                with self.subTest(add_prefix_space=add_prefix_space, use_regex=use_regex):
                    self.compare(self.with_pieces([pre_tokenizers.Digits()], add_prefix_space, use_regex), texts)

    def test_normalizers(self):
        texts = strings(400, ["word"], seed=5) + ["", "   ", "ΑΣ ΟΔΥΣΣΕΥΣ", "İstanbul", "e\u0301\u0323 \u0344", "ﬁ½Å", "각\u11a8"]
        for name, normalizer in NORMALIZERS.items():
            with self.subTest(name):
                peer = self.with_pieces([], use_regex=True)
                peer.normalizer = normalizer
                self.compare(peer, texts)

    def test_added_tokens(self):
        texts = strings(1500, [token.content for token in ADDED], seed=6) + ["<ab>", " <ab>c", "\t\u3000<ab>", "wordword", "word", "_word", "-word-", "é", "<UP><up>", "<r>\n <r> x"]
        for normalizer in (None, normalizers.Lowercase(), normalizers.NFD()):
            with self.subTest(normalizer=str(normalizer)):
                peer = self.with_pieces([], use_regex=True)
                if normalizer is not None:
                    peer.normalizer = normalizer
                peer.add_tokens(ADDED)
                peer.add_special_tokens([token for token in ADDED if token.special])
                self.compare(peer, texts)

    def test_post_processors(self):
        for processor in (processors.RobertaProcessing(("<a>", 1), ("<ab>", 2)), processors.BertProcessing(("<a>", 1), ("<ab>", 2)),
                          processors.TemplateProcessing(single="<a> $A <ab> <a>", special_tokens=[("<a>", 65), ("<ab>", 66)])):
            peer = self.with_pieces([], use_regex=True)
            peer.post_processor = processor
            self.compare(peer, ["a b", ""])

    def test_unknown_bytes(self):
        for options in ({"unk_token": "u"}, {"unk_token": "u", "fuse_unk": True}, {}, {"ignore_merges": True}):
            peer = Tokenizer(models.BPE(vocab={"a": 0, "b": 1, "ab": 2, "u": 3, "aba": 4}, merges=[("a", "b")], **options))
            peer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            self.compare(peer, ["abxab", "xxabyy", "x", "aba", "ab" * 40 + "xy" + "ab" * 40, "u\u00e9b"])


if __name__ == "__main__":
    unittest.main()
