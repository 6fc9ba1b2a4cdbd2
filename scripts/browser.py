"""A headless browser, driven directly over the WebDriver protocol: Debian's chromium and chromedriver."""

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Browser:
    """A browser window; use as `with Browser(1280, 900) as browser`."""

    def __init__(self, width, height, dark=False, language="en"):
        driver = shutil.which("chromedriver")
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not driver or not chromium:
            raise FileNotFoundError("chromium or chromedriver is not installed")
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                     f"--window-size={width},{height}", f"--lang={language}"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        options = {"binary": chromium, "args": arguments, "prefs": {"intl.accept_languages": language}}
        capabilities = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}
        try:
            self.session = self.new_session(capabilities)
        except BaseException:
            # Stops the WebDriver process, which would outlive this script.
            self.process.kill()
            self.process.wait()
            raise
        # The browser has a minimum window width but none for emulated devices, so the page size is set by device
        # emulation.
        self.resize(width, height)
        if dark:
            self.command("goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {
                "features": [{"name": "prefers-color-scheme", "value": "dark"}]}})

    def new_session(self, capabilities):
        """Starts a session once the driver listens, which takes a while on a busy machine."""
        for _ in range(600):
            try:
                return self.call("POST", "/session", {"capabilities": capabilities})["sessionId"]
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise TimeoutError("chromedriver did not accept a connection within a minute")

    def resize(self, width, height):
        self.command("goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", f"/session/{self.session}")
        except OSError:
            pass
        self.process.terminate()
        self.process.wait()

    def call(self, method, path, body=None, seconds=300):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            return json.load(answer)["value"]

    def command(self, path, body=None):
        return self.call("POST", f"/session/{self.session}/{path}", body or {})

    def open(self, url):
        self.command("url", {"url": url})

    def run(self, script, *arguments):
        """Runs a script in the page and returns the value of its `return`."""
        return self.command("execute/sync", {"script": script, "args": list(arguments)})

    def until(self, script, seconds=60):
        """Waits until the script returns a value, and returns this value."""
        end = time.monotonic() + seconds
        while True:
            found = self.run(script)
            if found or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def complaints(self):
        """Warnings and errors in the browser's console."""
        entries = self.command("se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path, whole=False):
        if whole:
            cdp = {"cmd": "Page.captureScreenshot", "params": {"captureBeyondViewport": True}}
            data = self.command("goog/cdp/execute", cdp)["data"]
        else:
            data = self.call("GET", f"/session/{self.session}/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
