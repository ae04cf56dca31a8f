"""Our tokenizer against Hugging Face's, token by token, on vocabularies that are trained here."""

import base64
import random
import tempfile
import unittest

try:
    import shapes
except ImportError as error:
    raise unittest.SkipTest(f"not compared with tokenizers: {error}")
from strings import code_lines, invalid_bytes, strings
from text_tool import TextTool

VARIED, CODE, INVALID = 9000, 1500, 500


class Compared:
    """One vocabulary shape; the concrete classes below are the tests."""

    shape = None

    @classmethod
    def setUpClass(cls):
        cls.peer = shapes.train(cls.shape)
        cls.folder = tempfile.TemporaryDirectory()
        cls.peer.save(cls.folder.name + "/tokenizer.json")
        cls.ours = TextTool(cls.folder.name)
        cls.special = [token.content for token in cls.peer.get_added_tokens_decoder().values()]

    @classmethod
    def tearDownClass(cls):
        cls.ours.__exit__()
        cls.folder.cleanup()

    def same_tokens(self, text):
        for special in (False, True):
            self.assertEqual(self.ours.ask(encode=text, special=special)["tokens"], self.peer.encode(text, add_special_tokens=special).ids, repr(text))

    def test_varied_strings(self):
        for text in strings(VARIED, self.special):
            self.same_tokens(text)

    def test_code(self):
        for text in code_lines(shapes.corpus(), CODE):
            self.same_tokens(text)

    def test_bytes_that_are_no_text(self):
        for raw in invalid_bytes(INVALID):
            ours = self.ours.ask(encode_bytes=base64.b64encode(raw).decode())["tokens"]
            self.assertEqual(ours, self.peer.encode(raw.decode("utf-8", "replace"), add_special_tokens=False).ids, raw)

    def test_long_runs(self):
        for text in ("a" * 300_000, " " * 300_000 + "x", "\n" * 100_000, "ab" * 100_000, "=" * 200_000, "漢" * 50_000, "1" * 50_000, " \n" * 50_000):
            self.same_tokens(text)

    def test_decoding_and_streaming(self):
        draw = random.Random(1)
        size = self.peer.get_vocab_size()
        for _ in range(2000):
            tokens = [draw.randrange(256 if draw.random() < 0.5 else size) for _ in range(draw.randint(0, 20))]
            for skip in (False, True):
                reply = self.ours.ask(decode=tokens, skip_special=skip)
                self.assertEqual(reply["text"], self.peer.decode(tokens, skip_special_tokens=skip), tokens)
                self.assertEqual("".join(reply["streamed"]), reply["text"], tokens)

    def test_text_comes_back(self):
        if self.shape not in ("llama3", "deepseek"):
            return  # normal forms, and tokens that take white space, change the text
        # What they add outside of the byte alphabet comes back too: such tokens are their own text.
        for text in strings(500, self.special, seed=2):
            self.assertEqual(self.ours.ask(decode=self.ours.ask(encode=text)["tokens"])["text"], text)


for name in shapes.SHAPES:
    globals()[name] = type(name, (Compared, unittest.TestCase), {"shape": name})
