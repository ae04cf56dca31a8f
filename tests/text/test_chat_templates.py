"""Our chat templates against jinja2 with the settings of transformers, and against apply_chat_template of a saved tokenizer."""

import functools
import itertools
import json
import pathlib
import tempfile
import unittest
from datetime import datetime

try:
    import jinja2
    import jinja2.ext
    from jinja2.sandbox import ImmutableSandboxedEnvironment
except ImportError as error:
    raise unittest.SkipTest(f"not compared with jinja2: {error}")
import jinja_snippets
from text_tool import Refused, TextTool

TEMPLATES = sorted((pathlib.Path(__file__).parent / "templates").glob("*.jinja"))
SPECIAL = {"bos_token": "<|bos|>", "eos_token": "<|eos|>"}
TOOLS = [{"type": "function", "function": {"name": "weather", "description": "Wetter für <Ort> & \"Tag\"", "parameters": {
    "type": "object", "required": ["place"], "properties": {
        "place": {"type": "string"}, "days": {"type": "array", "items": {"type": "integer"}}, "unit": {"type": "string", "enum": ["C", "F"]},
        "zeta": {"type": "number", "minimum": 0.5, "maximum": 1e20}, "alpha": {"type": "boolean", "default": None}}}}}]
CALL = {"type": "function", "function": {"name": "weather", "arguments": {"place": "Zürich\n\"alt\"", "days": [1, 2], "unit": "C"}}}
TEXT_CALL = {"type": "function", "function": {"name": "weather", "arguments": {"place": "Genf", "unit": "F"}}}

CONVERSATIONS = [
    [{"role": "user", "content": "Hi"}],
    [{"role": "system", "content": "  Be brief.\n"}, {"role": "user", "content": " Write a kernel 🙂 "}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c\nd"}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "<think>\nhm\n</think>\n\nb"}, {"role": "user", "content": "c"},
     {"role": "assistant", "content": "<think>\nso\n</think>\n\nd"}],
    [{"role": "system", "content": "s"}, {"role": "user", "content": "weather?"}, {"role": "assistant", "content": "", "tool_calls": [CALL]},
     {"role": "tool", "content": "sunny"}, {"role": "tool", "content": "{\"a\": 1}"}, {"role": "assistant", "content": "It is sunny."}],
    [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": [TEXT_CALL]}, {"role": "tool", "content": "rain"}],
    [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "reasoning_content": "because"}],
    [{"role": "user", "content": "1"}, {"role": "system", "content": "late"}] + [{"role": "user", "content": str(i)} for i in range(8)],
    [],
]


def environment():
    """As transformers sets it up (utils/chat_template_utils.py)."""

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    class Generation(jinja2.ext.Extension):
        tags = {"generation"}

        def parse(self, parser):
            line = next(parser.stream).lineno
            body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
            return jinja2.nodes.CallBlock(self.call_method("_same"), [], [], body).set_lineno(line)

        def _same(self, caller):
            return caller()

    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    made.filters["tojson"] = tojson
    made.globals["raise_exception"] = raise_exception
    made.globals["strftime_now"] = lambda format: datetime.now().strftime(format)
    return made


ENVIRONMENT = environment()


@functools.lru_cache
def compiled(template):
    return ENVIRONMENT.from_string(template)


def peer(template, **variables):
    """What jinja2 makes of it; None where it refuses."""
    try:
        return compiled(template).render(**variables)
    except Exception:  # whatever Python raises within a template
        return None


class ChatTemplates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tool = TextTool()

    @classmethod
    def tearDownClass(cls):
        cls.tool.__exit__()

    def ours(self, template, **request):
        try:
            return self.tool.ask(render=template, **request)["text"]
        except Refused:
            return None

    def test_templates_of_known_families(self):
        rendered = 0
        choices = itertools.product(TEMPLATES, CONVERSATIONS, (False, True), (None, TOOLS), ({}, {"enable_thinking": False}, {"tools_in_user_message": False}))
        for path, messages, prompt, tools, more in choices:
            source = path.read_text()
            more = {**more, **({"tools": tools} if tools else {})}
            ours = self.ours(source, messages=messages, add_generation_prompt=prompt, more=more, special=SPECIAL)
            # transformers gives reasoning both names before the template sees it
            seen = [{"thinking": m["reasoning_content"], **m} if m.get("reasoning_content") else m for m in messages]
            theirs = peer(source, **{"messages": seen, "add_generation_prompt": prompt, "tools": None, "documents": None, **SPECIAL, **more})
            self.assertEqual(ours, theirs, (path.name, messages, prompt, more))
            rendered += ours is not None
        self.assertGreater(rendered, 500)

    def test_snippets(self):
        for snippet in jinja_snippets.ALIKE:
            variables = jinja_snippets.VARIABLES
            with self.subTest(snippet):
                theirs = peer(snippet, messages=[], add_generation_prompt=False, tools=None, documents=None, **variables)
                self.assertIsNotNone(theirs, "jinja2 refuses")
                self.assertEqual(self.ours(snippet, messages=[], more=variables), theirs)

    def test_refused_by_both(self):
        for snippet in jinja_snippets.REFUSED:
            with self.subTest(snippet):
                self.assertIsNone(peer(snippet, messages=[], **jinja_snippets.VARIABLES))
                self.assertIsNone(self.ours(snippet, messages=[], more=jinja_snippets.VARIABLES))

    def test_errors_name_the_line(self):
        for template, line in (("a\n{% if %}", 2), ("{{ 'x' }}\n\n{{ raise_exception('no') }}", 3), ("{% for x in 5 %}{% endfor %}", 1), ("\n{{ a.b.c }}", 2),
                               ("\n\n{{ 'x' | nonsense }}", 3), ("{# never closed", 1), ("{% if a %}\n", 1)):
            with self.assertRaises(Refused) as caught:
                self.tool.ask(render=template, messages=[])
            self.assertIn(f"line {line}:", str(caught.exception), template)

    def test_what_never_ends_is_refused(self):
        for template in jinja_snippets.ENDLESS:
            with self.assertRaises(Refused, msg=template[:80]):
                self.tool.ask(render=template, messages=[])

    def test_today(self):
        self.assertEqual(self.ours("{{ strftime_now('%Y-%m-%d') }}", messages=[]), datetime.now().strftime("%Y-%m-%d"))


class SavedTokenizers(unittest.TestCase):
    def test_as_apply_chat_template(self):
        try:
            import shapes
            from transformers import AutoTokenizer, PreTrainedTokenizerFast
        except ImportError as error:
            self.skipTest(f"not compared with transformers: {error}")
        for shape, template in (("qwen", "qwen3"), ("llama3", "llama31"), ("deepseek", "deepseek")):
            with tempfile.TemporaryDirectory() as folder:
                trained = shapes.train(shape, 1000)
                names = [token.content for token in trained.get_added_tokens_decoder().values()]
                fast = PreTrainedTokenizerFast(tokenizer_object=trained, bos_token=names[0], eos_token=names[2])
                fast.chat_template = (pathlib.Path(__file__).parent / "templates" / f"{template}.jinja").read_text()
                fast.save_pretrained(folder)
                loaded = AutoTokenizer.from_pretrained(folder)
                with TextTool(folder) as tool:
                    for messages in CONVERSATIONS[:4]:
                        ours = tool.ask(render=None, messages=messages, add_generation_prompt=True)["text"]
                        self.assertEqual(ours, loaded.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))
                        tokens = loaded.apply_chat_template(messages, add_generation_prompt=True)
                        self.assertEqual(tool.ask(encode=ours)["tokens"], list(tokens if isinstance(tokens, list) else tokens["input_ids"]))


if __name__ == "__main__":
    unittest.main()
