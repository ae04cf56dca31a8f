"""The program text_tool, which answers lines of JSON with what src/text makes of them."""

import json
import os
import subprocess

PROGRAM = os.environ.get("TRITONSMITH_TEXT_TOOL") or os.path.join(os.path.dirname(__file__), "../../build/release/bin/text_tool")


class Refused(Exception):
    pass


class TextTool:
    """@param folder of a tokenizer; None: chat templates alone"""

    def __init__(self, folder=None):
        self.process = subprocess.Popen([PROGRAM] + ([str(folder)] if folder else []), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"text_tool ended with {self.process.wait()}")
        reply = json.loads(line)
        if "error" in reply:
            raise Refused(reply["error"])
        return reply

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
