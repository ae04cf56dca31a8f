"""A headless Chromium, driven through its DevTools protocol on two pipes."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome"]
PROBLEMS = {"error", "assert", "warning"}


def found():
    """The program, or None: TRITONSMITH_CHROMIUM, else one of the usual names."""
    given = os.environ.get("TRITONSMITH_CHROMIUM")
    return given or next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    """One page. `complaints` are its errors, warnings and exceptions, as text."""

    def __init__(self, program, width=1280, height=900):
        self.profile = tempfile.TemporaryDirectory(prefix="tritonsmith-chromium")
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                 f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}", "about:blank"]
        # The protocol's pipes are descriptors 3 and 4 of the program.
        self.process = subprocess.Popen(["bash", "-c", f'exec "$@" 3<&{read_there} 4>&{write_there}', "chromium", program, *flags],
                                        pass_fds=(read_there, write_there), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self.input, self.output = os.fdopen(write_here, "wb", buffering=0), os.fdopen(read_here, "rb")
        self.number, self.session, self.complaints, self.events, self.rest = 0, None, [], [], b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.input.close()
        self.output.close()
        self.profile.cleanup()

    def _receive(self):
        while b"\0" not in self.rest:
            piece = self.output.read1(1 << 20)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, event, of):
        if event == "Runtime.exceptionThrown":
            self.complaints.append(of["exceptionDetails"].get("exception", {}).get("description") or of["exceptionDetails"]["text"])
        elif event == "Runtime.consoleAPICalled" and of["type"] in PROBLEMS:
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in of["args"]))
        elif event == "Log.entryAdded" and of["entry"]["level"] in PROBLEMS:
            self.complaints.append(of["entry"]["text"])
        if event:
            self.events.append(event)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.input.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path):
        """Returns when the page and its scripts are done."""
        self.events.clear()
        self.call("Page.navigate", url=f"file://{path}")
        while "Page.loadEventFired" not in self.events:
            self._receive()

    def value(self, expression):
        """What a script's expression gives, as JSON."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, name, text=""):
        """A key pressed and released, as a keyboard sends it."""
        codes = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "End": 35, "/": 191}
        common = {"key": name, "code": name, "windowsVirtualKeyCode": codes.get(name, ord(name[0].upper()))}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
