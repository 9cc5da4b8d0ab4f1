"""A daemon and a bridge of their own, for the tests of web pages."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

TOKEN = "the-token-of-the-tests"
PATIENCE = 20


class Bridge:
    """headerd and headerd-web in a folder of their own; `with` ends them."""

    def __init__(self, programs, config=(), headerd=(), pages=None, arguments=(), token=TOKEN):
        self.programs = pathlib.Path(programs).resolve()
        self.config, self.headerd_config, self.token = config, headerd, token
        self.pages, self.arguments = pages, list(arguments)
        self.process = self.daemon = None
        self.port = 0

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="headerd-web-")
        self.path = pathlib.Path(self.folder.name)
        self.daemon_socket = str(self.path / "headerd.sock")
        (self.path / "headerd.toml").write_text("\n".join(self.headerd_config) + "\n")
        token = f'[[token]]\nname = "tests"\ntoken = "{self.token}"\nroles = ["publish", "subscribe", "tune", "admin"]\n'
        (self.path / "web.toml").write_text("\n".join(self.config) + "\n" + (token if self.token else ""))
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HEADERD_")},
            "XDG_RUNTIME_DIR": str(self.path), "XDG_CONFIG_HOME": str(self.path / "none"), "SWIFT_BACKTRACE": "enable=no",
        }
        try:
            self.start_daemon()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in (self.process, self.daemon):
            if process and process.poll() is None:
                process.terminate()
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
        self.folder.cleanup()

    def start_daemon(self):
        with open(self.path / "headerd.log", "ab") as log:
            self.daemon = subprocess.Popen(
                [self.programs / "headerd", "--config", self.path / "headerd.toml", "--socket", self.daemon_socket],
                env=self.environment, stderr=log, stdin=subprocess.DEVNULL)
        self.await_line(self.path / "headerd.log", "event=started", self.daemon)

    def kill_daemon(self):
        """Its log begins anew with the next one."""
        self.daemon.send_signal(signal.SIGKILL)
        self.daemon.wait()
        (self.path / "headerd.log").write_bytes(b"")

    def start(self):
        """The bridge, on the port that it had before."""
        pages = ["--pages", self.pages] if self.pages else []
        with open(self.path / "web.out", "wb") as out, open(self.path / "web.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "headerd-web", "--config", self.path / "web.toml", "--port", str(self.port),
                 "--socket", self.daemon_socket, *pages, *self.arguments],
                env=self.environment, stdout=out, stderr=log, stdin=subprocess.DEVNULL)
        line = self.await_line(self.path / "web.out", "serves", self.process)
        self.port = int(re.search(r":(\d+)/", line)[1])
        self.address = line.split("serves ")[1].strip()

    def stop(self):
        self.process.terminate()
        return self.process.wait(5)

    @property
    def log(self):
        return (self.path / "web.log").read_text()

    def url(self, path="", token=True):
        return f"http://127.0.0.1:{self.port}/{path}" + (f"#token={self.token}" if token and self.token else "")

    def await_line(self, file, word, process):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for line in file.read_text().splitlines() if file.exists() else ():
                if word in line:
                    return line
            if process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"{file.name} has no line with {word!r}: {file.read_text()} {(self.path / 'web.log').read_text() if (self.path / 'web.log').exists() else ''}")
