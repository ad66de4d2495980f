"""A headless Chromium for suites that open pages, controlled through its DevTools protocol."""

import base64
import json
import os
import shutil
import subprocess
import time

from helper import skip

# The text and its ground, of all that is shown, where they are too alike.
CONTRAST = """(() => {
const channels = color => color.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = e => {
    for (; e; e = e.parentElement) {
        const c = channels(getComputedStyle(e).backgroundColor);
        if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
};
return [...document.querySelectorAll('body *:not(script):not(svg *)')]
    .filter(e => e.checkVisibility() &&
        channels(getComputedStyle(e).color)[3] !== 0 && // not seen at all
        [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== ''))
    .filter(e => {
        const [a, b] = [light(channels(getComputedStyle(e).color)), light(ground(e))];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
    }).map(e => e.outerHTML.slice(0, 80));
})()"""

KEYS = {"Tab": 9, "Delete": 46, "Enter": 13, "Escape": 27, "End": 35, "Home": 36,
        "ArrowLeft": 37, "ArrowRight": 39}


def find():
    """Returns the program; skips the suite where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    return program or skip("there is no chromium to open the page with")


class Browser:
    """Chromium, controlled through a pair of pipes (its DevTools protocol)."""

    def __init__(self, program, folder):
        self.folder = str(folder)
        ours_in, its_out = os.pipe()
        its_in, ours_out = os.pipe()

        def wire():
            os.dup2(its_in, 200), os.dup2(its_out, 201)
            os.dup2(200, 3), os.dup2(201, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
             "--disable-background-networking", "--remote-debugging-pipe",
             f"--user-data-dir={folder}/profile", "about:blank"],
            pass_fds=(3, 4), preexec_fn=wire, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(its_in), os.close(its_out)
        self.reading, self.writing = ours_in, ours_out
        self.rest, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
            flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.rest:
            block = os.read(self.reading, 1 << 20)
            if not block:
                raise EOFError("the browser has gone")
            self.rest += block
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writing, data):]
        while (answer := self.receive()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def run(self, script):
        """Returns the value of an expression."""
        result = self.call("Runtime.evaluate", expression=script,
            returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def open(self, path):
        """Opens a page. Returns the seconds until the page was ready."""
        self.events.clear()
        began = time.monotonic()
        self.call("Page.navigate", url=path.as_uri())
        while self.run("document.readyState") != "complete":
            time.sleep(0.02)
        self.run("new Promise(done => requestAnimationFrame(() => done()))")
        return time.monotonic() - began

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                windowsVirtualKeyCode=KEYS[key],
                **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))

    def look(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
            deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self):
        """Returns the messages of the console and the requests to the network."""
        self.run("1")  # what was sent before has come
        for e in self.events:
            if e.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                                   "Log.entryAdded"):
                yield json.dumps(e["params"])
            url = e.get("params", {}).get("request", {}).get("url", "file:")
            if not url.startswith(("file:", "data:")):
                yield url

    def picture(self, path):
        size = self.run("[document.documentElement.scrollWidth, "
                        "document.documentElement.scrollHeight]")
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        try:
            self.call("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait()


def texts(browser, selector):
    return browser.run(f"[...document.querySelectorAll({selector!r})]"
                       ".map(e => e.textContent.trim())")


def unnamed(browser):
    """Returns the controls and pictures that have no name for a screen reader."""
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "searchbox", "textbox", "combobox", "link", "image", "dialog",
             "region", "columnheader"}
    return [n["role"]["value"] for n in tree if not n.get("ignored")
            and n.get("role", {}).get("value") in roles
            and not n.get("name", {}).get("value")]


def wait(browser, condition):
    """Returns whether the condition holds within a time in which any machine is done."""
    return browser.run(f"""new Promise(done => {{
        const last = Date.now() + 60000;
        const look = () => {condition} ? done(true) : Date.now() > last ? done(false)
            : setTimeout(look, 10);
        look(); }})""")
