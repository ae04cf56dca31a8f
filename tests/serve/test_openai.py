"""The server as OpenAI's own client sees it."""
import http.client
import json
import signal
import socket
import time
import unittest
from urllib.parse import urlparse

from serving import Server

ANSWERS = ["Zwölf Boxkämpfer 🙂 jagen", "second answer", "third STOP never seen"]
RULES = [{"match": "tell me", "answers": ANSWERS}, {"match": "long", "answers": ["word " * 2000]}, {"match": "empty", "answers": [""]},
         {"match": '[{"zeta": 1, "alpha": {"y": 2, "b": 3}}]', "answers": ["as they came"]}, {"match": '"alpha"', "answers": ["in another order"]}]
ASK = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "tell me"}]


class OpenAI(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(RULES)
        cls.client = cls.server.client()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def count(self, text):
        return len(self.server.tokenizer.encode(text).ids)

    def test_chat(self):
        answer = self.client.chat.completions.create(model="scripted", messages=ASK, n=3, seed=1, temperature=0.5)
        self.assertEqual([c.message.content for c in answer.choices], ANSWERS)
        self.assertEqual([c.index for c in answer.choices], [0, 1, 2])
        self.assertEqual({c.finish_reason for c in answer.choices}, {"stop"})
        prompt = "<|im_start|>system\nbe brief<|im_end|>\n<|im_start|>user\ntell me<|im_end|>\n<|im_start|>assistant\n"
        self.assertEqual(answer.usage.prompt_tokens, self.count(prompt))
        self.assertEqual(answer.usage.completion_tokens, sum(map(self.count, ANSWERS)) + 3)  # and their ends
        self.assertEqual(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens)
        self.assertEqual(answer.object, "chat.completion")
        self.assertTrue(answer.id.startswith("chatcmpl-"))
        self.assertAlmostEqual(answer.created, time.time(), delta=60)

    def test_templates_get_tools_in_their_order(self):
        tools = [{"zeta": 1, "alpha": {"y": 2, "b": 3}}]
        answer = self.client.chat.completions.create(model="scripted", messages=[{"role": "user", "content": "hello"}],
                                                     extra_body={"chat_template_kwargs": {"tools": tools}})
        self.assertEqual(answer.choices[0].message.content, "as they came")

    def test_chat_streamed(self):
        texts, finishes, roles, usage = {}, {}, {}, None
        with self.client.chat.completions.create(model="scripted", messages=ASK, n=3, stream=True,
                                                 stream_options={"include_usage": True}) as stream:
            for chunk in stream:
                usage = chunk.usage or usage
                for choice in chunk.choices:
                    self.assertNotIn(choice.index, finishes)
                    texts[choice.index] = texts.get(choice.index, "") + (choice.delta.content or "")
                    if choice.delta.role:
                        roles[choice.index] = choice.delta.role
                    if choice.finish_reason:
                        finishes[choice.index] = choice.finish_reason
        self.assertEqual([texts[i] for i in range(3)], ANSWERS)
        self.assertEqual(finishes, {0: "stop", 1: "stop", 2: "stop"})
        self.assertEqual(roles, {0: "assistant", 1: "assistant", 2: "assistant"})
        self.assertEqual(usage.completion_tokens, sum(map(self.count, ANSWERS)) + 3)

    def test_stop_strings(self):
        for stream in (False, True):
            with self.subTest(stream=stream):
                for stop, wanted in [("STOP", "third "), (["never", "ST"], "third "), ("nowhere", ANSWERS[2]), ("seen", "third STOP never ")]:
                    answer = self.client.completions.create(model="scripted", prompt="tell me", n=3, stop=stop, stream=stream, max_tokens=500)
                    if stream:
                        text = "".join(c.text for chunk in answer for c in chunk.choices if c.index == 2)
                    else:
                        text = answer.choices[2].text
                        self.assertEqual(answer.choices[2].finish_reason, "stop")
                    self.assertEqual(text, wanted)

    def test_completion_prompts(self):
        ids = self.server.tokenizer.encode("round trip").ids
        for prompt, wanted in [("round trip", ["round trip"]), (["one", "two"], ["one", "two"]), (ids, ["round trip"]), ([ids, ids[:1]], ["round trip", self.server.tokenizer.decode(ids[:1])])]:
            answer = self.client.completions.create(model="scripted", prompt=prompt, max_tokens=100)
            self.assertEqual([c.text for c in answer.choices], wanted)
        answer = self.client.completions.create(model="scripted", prompt=["tell me", "tell me more"], n=2, max_tokens=100)
        self.assertEqual([c.text for c in answer.choices], ANSWERS[:2] * 2)
        self.assertEqual([c.index for c in answer.choices], [0, 1, 2, 3])

    def test_length(self):
        answer = self.client.completions.create(model="scripted", prompt="long", max_tokens=7)
        self.assertEqual(answer.choices[0].finish_reason, "length")
        self.assertEqual(answer.usage.completion_tokens, 7)
        self.assertEqual(self.client.completions.create(model="scripted", prompt="long").usage.completion_tokens, 16)
        answer = self.client.chat.completions.create(model="scripted", messages=[{"role": "user", "content": "long"}])
        self.assertEqual(answer.usage.total_tokens, 4096)  # to the context's end
        for name in ("max_tokens", "max_completion_tokens"):
            answer = self.client.chat.completions.create(model="scripted", messages=ASK, **{name: 3})
            self.assertEqual(answer.usage.completion_tokens, 3)

    def test_empty_answer(self):
        answer = self.client.completions.create(model="scripted", prompt="empty")
        self.assertEqual((answer.choices[0].text, answer.choices[0].finish_reason), ("", "stop"))
        chunks = list(self.client.chat.completions.create(model="scripted", messages=[{"role": "user", "content": "empty"}], stream=True))
        self.assertEqual(chunks[-1].choices[0].finish_reason, "stop")

    def test_logprobs(self):
        ids = self.server.tokenizer.encode(ANSWERS[0]).ids
        answer = self.client.chat.completions.create(model="scripted", messages=ASK, logprobs=True, top_logprobs=2)
        content = answer.choices[0].logprobs.content
        self.assertEqual(len(content), len(ids))
        self.assertEqual(b"".join(bytes(t.bytes) for t in content).decode(), ANSWERS[0])
        self.assertEqual([t.logprob for t in content], [-0.25 * (i + 1) for i in range(len(ids))])
        self.assertEqual([len(t.top_logprobs) for t in content], [2] * len(ids))
        streamed = []
        for chunk in self.client.chat.completions.create(model="scripted", messages=ASK, logprobs=True, stream=True):
            for choice in chunk.choices:
                streamed += choice.logprobs.content if choice.logprobs else []
        self.assertEqual([t.bytes for t in streamed], [t.bytes for t in content])
        plain = self.client.completions.create(model="scripted", prompt="tell me", logprobs=1, max_tokens=100).choices[0].logprobs
        self.assertEqual(len(plain.tokens), len(ids))
        self.assertEqual(plain.text_offset[0], 0)
        self.assertEqual(plain.text_offset, sorted(plain.text_offset))
        # Tokens behind a stop string are not told.
        cut = self.client.completions.create(model="scripted", prompt="tell me", n=3, stop="STOP", logprobs=0, max_tokens=100).choices[2]
        self.assertEqual("".join(cut.logprobs.tokens)[:6], "third ")
        self.assertLess(len(cut.logprobs.tokens), self.count(ANSWERS[2]))

    def test_text_parts_and_extensions(self):
        parts = [{"role": "user", "content": [{"type": "text", "text": "tell "}, {"type": "text", "text": "me"}]}]
        answer = self.client.chat.completions.create(model="scripted", messages=parts, user="u", extra_body={"top_k": 5, "min_p": 0.1})
        self.assertEqual(answer.choices[0].message.content, ANSWERS[0])

    def test_errors_name_the_field(self):
        import openai
        wrong = [
            ({"n": 0}, "n"), ({"n": 10000}, "n"), ({"temperature": 3}, "temperature"), ({"top_p": 0}, "top_p"), ({"stop": ["a"] * 5}, "stop"),
            ({"stop": ""}, "stop"), ({"max_tokens": 0}, "max_tokens"), ({"logprobs": True, "top_logprobs": 21}, "top_logprobs"),
            ({"messages": []}, "messages"), ({"messages": [{"content": "x"}]}, "messages[0].role"),
            ({"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}, "messages[0].content"),
            ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"), ({"extra_body": {"tempratur": 1}}, "tempratur"),
            ({"frequency_penalty": 1}, "frequency_penalty"), ({"stream_options": {"include_usage": True}}, "stream_options"),
            ({"messages": [{"role": "user", "content": "long " * 5000}]}, "messages"),
        ]
        for change, field in wrong:
            with self.subTest(field=field), self.assertRaises(openai.BadRequestError) as caught:
                self.client.chat.completions.create(**{"model": "scripted", "messages": ASK, **change})
            self.assertEqual(caught.exception.param, field)
        for change, field in [({"echo": True}, "echo"), ({"prompt": []}, "prompt"), ({"prompt": [1, -1]}, "prompt"), ({"prompt": [[10**6]]}, "prompt"),
                              ({"prompt": ""}, "prompt"), ({"best_of": 3}, "best_of"), ({"prompt": {"a": 1}}, "prompt")]:
            with self.subTest(field=field, change=change), self.assertRaises(openai.BadRequestError) as caught:
                self.client.completions.create(**{"model": "scripted", "prompt": "x", **change})
            self.assertEqual(caught.exception.param, field)
        with self.assertRaises(openai.NotFoundError):
            self.client.completions.create(model="another", prompt="x")

    def test_models_health_metrics(self):
        self.assertEqual([m.id for m in self.client.models.list()], ["scripted"])
        self.assertEqual(self.client.models.retrieve("scripted").id, "scripted")
        self.client.completions.create(model="scripted", prompt="long", max_tokens=20)
        metrics = self.server.metrics()
        self.assertGreaterEqual(metrics["tritonsmith_sampled_tokens_total"], 20)
        self.assertEqual(metrics["tritonsmith_cache_blocks_used"], 0)
        self.assertGreaterEqual(metrics['tritonsmith_requests_total{route="/v1/completions",status="200"}'], 1)
        self.assertGreaterEqual(metrics["tritonsmith_first_token_seconds_count"], 1)
        self.assertGreaterEqual(metrics['tritonsmith_token_seconds_bucket{le="+Inf"}'], 1)

    def raw(self, method, path, body=None, headers=None):
        address = urlparse(self.server.url)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        connection.request(method, path, body, headers or {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text) if text else None

    def test_what_is_no_request(self):
        for body in ["", "{", "[]", "\xff", '{"a":1,"a":2}', "[" * 100000, '{"messages":' + "[" * 1000]:
            status, answer = self.raw("POST", "/v1/chat/completions", body.encode("latin-1"))
            self.assertEqual((status, answer["error"]["type"]), (400, "invalid_request_error"), body[:20])
        self.assertEqual(self.raw("POST", "/v1/completions", "{}", {"Content-Type": "text/plain"})[0], 415)
        self.assertEqual(self.raw("POST", "/v1/completions", "x", {"Content-Type": "application/json", "Content-Encoding": "gzip"})[0], 415)
        self.assertEqual(self.raw("GET", "/v1/nothing")[0], 404)
        for host, status in [("localhost:1", 200), ("127.0.0.1", 200), ("[::1]:8000", 200), ("evil.example:8000", 403)]:
            self.assertEqual(self.raw("GET", "/v1/models", headers={"Host": host})[0], status)
        self.assertEqual(self.raw("GET", "/v1/models/" + "a" * 7000)[0], 404)
        self.assertEqual(self.raw("DELETE", "/v1/models")[0], 405)
        self.assertEqual(self.raw("POST", "/v1/completions", "{" + " " * (17 << 20) + "}")[0], 413)


class Lives(unittest.TestCase):
    """How a server is guarded, and how it ends."""

    def test_key(self):
        import openai
        with Server(RULES, "--api-key-env", "SECRET", environment={"SECRET": "s3cret"}) as server:
            self.assertEqual(server.client("s3cret").completions.create(model="scripted", prompt="a").choices[0].text, "a")
            for key in ("s3cre", "s3crets", "none"):
                with self.assertRaises(openai.AuthenticationError):
                    server.client(key).completions.create(model="scripted", prompt="a")
            address = urlparse(server.url)
            connection = http.client.HTTPConnection(address.hostname, address.port)
            connection.request("GET", "/v1/models", headers={"Host": "model.example", "Authorization": "Bearer s3cret"})
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
            for path, status in [("/health", 200), ("/metrics", 401), ("/v1/models/scripted", 401)]:
                connection = http.client.HTTPConnection(address.hostname, address.port)
                connection.request("GET", path)
                self.assertEqual(connection.getresponse().status, status)
                connection.close()

    def test_no_key_for_the_network(self):
        with self.assertRaisesRegex(AssertionError, "--api-key-env"):
            Server(RULES, "--host", "0.0.0.0")

    def test_too_many_requests(self):
        import openai
        with Server(RULES, "--max-requests", 2, "--step-us", 2000) as server:
            client = server.client()
            streams = [client.completions.create(model="scripted", prompt="long", max_tokens=1000, stream=True) for _ in range(2)]
            with self.assertRaises(openai.RateLimitError):
                client.completions.create(model="scripted", prompt="a")
            for stream in streams:
                stream.close()
            self.eventually(lambda: server.metrics()["tritonsmith_requests_in_progress"] == 0)
            self.assertEqual(client.completions.create(model="scripted", prompt="a").choices[0].text, "a")

    def eventually(self, condition):
        for _ in range(200):
            if condition():
                return
            time.sleep(0.05)
        self.fail("it never came to that")

    def test_clients_that_leave(self):
        with Server(RULES, "--step-us", 2000) as server:
            client = server.client()
            stream = client.completions.create(model="scripted", prompt="long", max_tokens=3000, n=4, stream=True)
            next(iter(stream))
            self.eventually(lambda: server.metrics()["tritonsmith_samples_running"] == 4)
            stream.close()
            self.eventually(lambda: server.metrics()["tritonsmith_cancelled_samples_total"] == 4)
            address = urlparse(server.url)
            body = json.dumps({"prompt": "long", "max_tokens": 3000, "n": 2})
            with socket.create_connection((address.hostname, address.port)) as plain:  # not streamed, and gone as well
                plain.sendall(f"POST /v1/completions HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
                self.eventually(lambda: server.metrics()["tritonsmith_samples_running"] == 2)
            self.eventually(lambda: server.metrics()["tritonsmith_cancelled_samples_total"] == 6)
            metrics = server.metrics()
            self.assertEqual(metrics["tritonsmith_cache_blocks_used"], 0)
            self.assertEqual(metrics["tritonsmith_disconnects_total"], 2)

    def test_waits_for_blocks(self):
        with Server(RULES, "--blocks", 8) as server:
            answer = server.client().completions.create(model="scripted", prompt=["tell me"] * 20, max_tokens=64)
            self.assertEqual([c.text for c in answer.choices], ANSWERS[:1] * 20)

    def test_ends_when_its_answers_have(self):
        with Server(RULES, "--step-us", 1000, "--drain", 60) as server:
            stream = server.client().completions.create(model="scripted", prompt="long", max_tokens=400, stream=True)
            pieces = iter(stream)
            next(pieces)
            server.process.send_signal(signal.SIGTERM)
            chunks = list(pieces)
            self.assertEqual(chunks[-1].choices[0].finish_reason, "length")
            self.assertEqual(server.process.wait(30), 0)

    def test_ends_at_its_deadline(self):
        with Server(RULES, "--step-us", 5000, "--drain", 0.2) as server:
            stream = server.client().completions.create(model="scripted", prompt="long", max_tokens=3000, stream=True)
            next(iter(stream))
            begin = time.time()
            server.process.send_signal(signal.SIGINT)
            self.assertEqual(server.process.wait(30), 1)
            self.assertLess(time.time() - begin, 5)


if __name__ == "__main__":
    unittest.main()
