"""Requests with wrong values in any field, and torn at any byte: each gets an answer of the client's fault, and the server lives."""
import collections
import concurrent.futures
import json
import os
import random
import socket
import unittest
from urllib.parse import urlparse

from serving import Server

REQUESTS = int(os.environ.get("TRITONSMITH_MUTATIONS", "1500"))
GOOD = {
    "/v1/completions": {"prompt": "tell me", "n": 2, "max_tokens": 5, "stop": ["a"], "logprobs": 2, "stream": True, "stream_options": {"include_usage": True}, "seed": 3},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "tell me"}, {"role": "assistant", "content": [{"type": "text", "text": "x"}]}], "n": 1,
                             "max_completion_tokens": 5, "logprobs": True, "top_logprobs": 3, "temperature": 0.3, "chat_template_kwargs": {"a": 1}},
}
MORE = ["model", "top_k", "min_p", "user", "echo", "stop_token_ids", "ignore_eos", "tools", "response_format"]
VALUES = [None, True, False, 0, -1, 1, 1.5, 1e308, -1e308, 2**63, 2**64 - 1, -(2**63), "", "x", "\0", "🙂" * 10, [], {}, [[]], [1, 2], ["a"] * 5,
          [{"role": "user"}], {"a": {"b": []}}, "<|im_end|>", "\ud800"]


def mutated(rng):
    path = rng.choice(list(GOOD))
    body = dict(GOOD[path])
    for _ in range(rng.randint(1, 3)):
        body[rng.choice(list(body) + MORE)] = rng.choice(VALUES)
    text = json.dumps(body).encode()
    request = bytearray(f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
    for _ in range(rng.choice([0, 0, 1, 4])):
        at = rng.randrange(len(request))
        what = rng.randrange(4)
        if what == 0:
            request[at] = rng.randrange(256)
        elif what == 1:
            del request[at : at + rng.randint(1, 20)]
        elif what == 2:
            request[at:at] = rng.randbytes(rng.randint(1, 20))
        else:
            request[at:at] = request[max(0, at - 30) : at]
    return bytes(request)


def status_of(url, seed):
    address = urlparse(url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.settimeout(0.5)  # some wait for a body that is longer than it is
        answer = b""
        try:
            connection.sendall(mutated(random.Random(seed)))
            while part := connection.recv(65536):
                answer += part
        except OSError:
            pass
    return answer[9:12].decode("latin-1")


class Mutations(unittest.TestCase):
    def test_all_are_answered(self):
        with Server([{"match": "tell me", "answers": ["hello 🙂 world"]}]) as server:
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                statuses = collections.Counter(pool.map(lambda seed: status_of(server.url, seed), range(REQUESTS)))
            print(dict(statuses))
            self.assertIsNone(server.process.poll())
            self.assertGreater(statuses["200"], 0)
            self.assertGreater(statuses["400"], REQUESTS / 3)
            self.assertEqual([s for s in statuses if s.startswith("5")], [])
            self.assertEqual(server.client().completions.create(model="scripted", prompt="tell me").choices[0].text, "hello 🙂 world")
            self.assertEqual(server.metrics()["tritonsmith_cache_blocks_used"], 0)


if __name__ == "__main__":
    unittest.main()
