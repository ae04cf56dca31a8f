"""Thousands of requests of random lengths, some of them cancelled, some by clients that vanish: nothing may be left of them.

TRITONSMITH_SOAK sets how many (default 2000)."""
import concurrent.futures
import http.client
import json
import os
import random
import socket
import struct
import time
import unittest
from urllib.parse import urlparse

from serving import Server

REQUESTS = int(os.environ.get("TRITONSMITH_SOAK", "2000"))
RULES = [{"match": "story", "answers": ["once upon a time 🙂 " * n for n in (1, 5, 20, 60)]}]


def one_request(url, seed):
    """@return how it ended"""
    rng = random.Random(seed)
    address = urlparse(url)
    body = json.dumps({
        "prompt": "story " * rng.randint(1, 60) + str(seed), "n": rng.choice([1, 1, 1, 2, 4]), "max_tokens": rng.randint(1, 300),
        "stream": rng.random() < 0.5, "logprobs": rng.choice([None, 0, 3]), "stop": rng.choice([None, "upon a time 🙂 once upon", "nowhere"]),
    })
    how = rng.choices(["whole", "close", "reset", "half", "bad"], [70, 10, 10, 5, 5])[0]
    if how == "bad":
        body = body[:-5]
    with socket.create_connection((address.hostname, address.port), timeout=120) as connection:
        head = f"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {len(body.encode())}\r\n\r\n"
        sent = (head + body).encode()
        connection.sendall(sent[: len(sent) // 2] if how == "half" else sent)
        if how in ("whole", "bad"):
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            text = answer.read().decode()
            if how == "bad":
                assert answer.status == 400, text
            else:
                assert answer.status == 200 and "finish_reason" in text, text
            return how
        time.sleep(rng.random() * 0.05)
        if how == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return how


def soak(test, server, requests, most_growth):
    """Sends them, and holds `server` to nothing being left."""

    def run(first, count):
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            return list(pool.map(lambda seed: one_request(server.url, seed), range(first, first + count)))

    def settled():
        for _ in range(1200):
            m = server.metrics()
            busy = [m[f"tritonsmith_{name}"] for name in ("cache_blocks_used", "samples_running", "samples_waiting", "requests_in_progress")]
            if not any(busy):
                return m
            time.sleep(0.05)
        test.fail(f"something is left: {busy}")

    run(10**6, max(100, requests // 4))  # until memory has found its size
    settled()
    before, threads_before, files_before = server.resident_bytes(), server.threads(), server.files()
    begin = time.time()
    ends = run(0, requests)
    seconds = time.time() - begin
    metrics = settled()
    time.sleep(1.5)  # connections that linger
    grown = server.resident_bytes() - before
    print(f"{requests} requests in {seconds:.0f} s: " + ", ".join(f"{ends.count(how)} {how}" for how in sorted(set(ends))) +
          f"; {metrics['tritonsmith_cancelled_samples_total']:.0f} samples cancelled; resident memory grew by {grown / 1e6:.1f} MB of {before / 1e6:.0f} MB")
    test.assertGreater(metrics["tritonsmith_cancelled_samples_total"], 0)
    test.assertLess(grown, most_growth, "memory leaks")
    test.assertLessEqual(server.threads(), threads_before + 4, "threads are left")
    test.assertLessEqual(server.files(), files_before + 4, "descriptors are left")
    test.assertIsNone(server.process.poll())


class Soak(unittest.TestCase):
    def test_nothing_is_left(self):
        with Server(RULES, "--step-us", 200, "--blocks", 600, "--running", 64) as server:
            soak(self, server, REQUESTS, 8e6)


if __name__ == "__main__":
    unittest.main()
