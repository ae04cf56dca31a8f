"""An endpoint that gives recorded answers, in the order in which they are asked for."""
import http.server
import json
import threading


class RecordedEndpoint:
    """Answers requests while a `with` lasts. `answers` are texts, or functions that get the handler and the body and answer
    themselves; behind the last one requests hang until the end. `stream` and `many` say whether `stream` and `n` are honoured."""

    def __init__(self, answers, stream=True, many=True, models=("recorded",)):
        self.answers, self.stream, self.many, self.models = list(answers), stream, many, models
        self.requests = []
        self.lock, self.ended = threading.Lock(), threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self.give(200, {"data": [{"id": m} for m in outer.models]})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.answer(self, body)

            def give(self, status, body):
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, handler, body):
        with self.lock:
            self.requests.append(body)
            n = body.get("n", 1) if self.many else 1
            taken, self.answers = self.answers[:n], self.answers[n:]
        if taken and callable(taken[0]):
            return taken[0](handler, body)
        streams = self.stream and body.get("stream")
        usage = {"prompt_tokens": 10, "completion_tokens": 5 * len(taken)}
        if not streams:
            if len(taken) < n:
                self.ended.wait()
                return
            choices = [{"index": i, "message": {"role": "assistant", "content": t}, "finish_reason": "stop"} for i, t in enumerate(taken)]
            return handler.give(200, {"choices": choices, "usage": usage})
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()

        def event(choices, **more):
            handler.wfile.write(f"data: {json.dumps({'choices': choices, **more})}\n\n".encode())

        for i, text in enumerate(taken):
            event([{"index": i, "delta": {"role": "assistant", "reasoning_content": "thinking ... "}}])
            for at in range(0, len(text), 100):
                event([{"index": i, "delta": {"content": text[at : at + 100]}}])
            event([{"index": i, "delta": {}, "finish_reason": "stop"}])
        if len(taken) < n:
            self.ended.wait()
            return
        event([], usage=usage)
        handler.wfile.write(b"data: [DONE]\n\n")
