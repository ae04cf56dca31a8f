"""Strings that tokenizers disagree on: code, many scripts, emoji, white space of all kinds, special tokens in odd places."""

import random

# Characters that were assigned long ago: what is newer differs between the Unicode tables of different libraries.
ALPHABETS = [(0x20, 0x7E), (0x20, 0x7E), (0xA0, 0x17F), (0x370, 0x3FF), (0x400, 0x4FF), (0x5D0, 0x5EA), (0x620, 0x64A), (0x904, 0x939), (0xE01, 0xE3A),
             (0x1100, 0x1112), (0x1E00, 0x1EFF), (0x2010, 0x2027), (0x2190, 0x21FF), (0x2460, 0x24FF), (0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x9FA5),
             (0xAC00, 0xD7A3), (0xFF01, 0xFF5E), (0x1F600, 0x1F64F), (0x1D400, 0x1D454), (0x20000, 0x20100)]
SPACES = [" ", "  ", "    ", "\t", "\n", "\r\n", "\n\n", " \n", "\u00a0", "\u2003", "\u2028", "\u3000", "\x85", "\x0b", "\x0c", "\u200b", "\u180e", "\ufeff", "\x1c"]
MARKS = ["e\u0301", "\u0301", "a\u0308\u0301", "\u1100\u1161\u11a8", "\u212b", "\ufb01", "\u0f71\u0f72", "\u0345", "ſ", "K", "İ", "ß", "ŉ", "½", "Ⅷ", "²", "٣", "\U0001d7d8"]
WORDS = ["def", "return", "import torch", "tl.load(x_ptr + offs, mask=mask)", "I'm", "we'll", "IT'S", "they'Ve", "'ſ", "x_1", "3.14159e-10", "1234567", "0xFF", "foo-bar",
         "CamelCase", "http://a.b/c?d=e&f=g", "naïve", "日本語テキスト", "汉字", "한국어", "привет", "🙂", "👩‍👩‍👧‍👦", "🇩🇪", "\x00", "\x7f", "…", "--", "==>", "/*", "*/", "}", "});"]


def _piece(draw, special):
    kind = draw.random()
    if kind < 0.35:
        return draw.choice(WORDS)
    if kind < 0.55:
        return draw.choice(SPACES) * draw.choice((1, 1, 1, 2, 5, 30))
    if kind < 0.63:
        return draw.choice(MARKS)
    if kind < 0.70:
        token = draw.choice(special)
        return draw.choice((token, token, token[:-1], token * 2, " " + token + " ", "a" + token + "b"))
    if kind < 0.72:
        return chr(draw.randint(32, 126)) * draw.randint(1, 200)
    low, high = draw.choice(ALPHABETS)
    return "".join(chr(draw.randint(low, high)) for _ in range(draw.randint(1, 12)))


def strings(count, special, seed=0):
    draw = random.Random(seed)
    return ["".join(_piece(draw, special) for _ in range(draw.randint(0, 14))) for _ in range(count)]


def code_lines(texts, count, seed=0):
    """Slices of source files, which begin and end anywhere."""
    draw = random.Random(seed)
    texts = list(texts)
    result = []
    for _ in range(count):
        text = draw.choice(texts)
        begin = draw.randrange(len(text))
        result.append(text[begin:begin + draw.randint(1, 400)])
    return result


def invalid_bytes(count, seed=0):
    draw = random.Random(seed)
    parts = [b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xe0\x80", b"\xf8\x88", b"\x80", b"abc ", "é漢🙂".encode(), b"\n"]
    return [b"".join(draw.choice(parts) for _ in range(draw.randint(1, 12))) for _ in range(count)]
