"""headerd-web by itself: who may connect, what is relayed, what slow ones do to each other."""
import asyncio
import contextlib
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import tomllib

import websockets.asyncio.client
from bridge import TOKEN, Bridge
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

ROOT = pathlib.Path(__file__).parents[2]
HEADER = {
    "header": "main", "scrollViews": {"content": {"viewport": {"width": 375, "height": 667},
    "contentSize": {"height": 100000}, "contentInset": {"top": 64}}}, "environment": {"statusBarHeight": 20},
    "drawers": [{"name": "navBar", "height": 44}], "delegates": [{"behavior": "ShyNavBar", "options": {"expansionResistance": 0}}], "frames": "events",
}


def page(bridge, token=TOKEN, subprotocol="headerd.json", path="socket", **options):
    query = f"?token={token}" if token else ""
    return connect(f"ws://127.0.0.1:{bridge.port}/{path}{query}", open_timeout=5, close_timeout=2, compression=None,
                   subprotocols=[subprotocol] if subprotocol else None, **options)


def ask(web, method, params=None, number=1):
    web.send(json.dumps({"id": number, "method": method, "params": params or {}}))
    while True:
        for line in web.recv(5).splitlines():
            if line and (answer := json.loads(line)).get("id") == number:
                return answer


def refused(bridge, **options):
    try:
        with page(bridge, **options):
            return None
    except InvalidStatus as error:
        return error.response.status_code


def get(bridge, path):
    web = http.client.HTTPConnection("127.0.0.1", bridge.port, timeout=5)
    web.request("GET", path)
    answer = web.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


def test_who_may_connect(options):
    config = ["[access]", 'origins = ["https://app.example.org"]', "[[token]]", 'name = "screens"',
              'token = "screens-screens-screens"', 'roles = ["subscribe"]']
    with Bridge(options.programs, config) as bridge:
        assert refused(bridge, token=None) == 401
        assert refused(bridge, token="something-that-is-none") == 401
        assert refused(bridge, token=TOKEN[:-1]) == 401
        assert refused(bridge, origin="http://evil.example.org") == 403
        # A name that somebody else's DNS leads here is no name of ours.
        assert refused(bridge, origin=f"http://evil.example.org:{bridge.port}") == 403
        assert refused(bridge, origin="null") == 403
        assert refused(bridge, subprotocol=None) == 400
        assert refused(bridge, subprotocol="chat") == 400
        assert refused(bridge, path="elsewhere") == 404
        for origin in (None, f"http://localhost:{bridge.port}", f"http://127.0.0.1:{bridge.port}", "https://app.example.org"):
            with page(bridge, origin=origin) as web:
                assert ask(web, "ping")["result"]["time"] > 0
        assert bridge.log.count("event=pageRefused") == 6, bridge.log
        assert TOKEN[:-1] not in bridge.log


def test_roles(options):
    config = ["[access]", 'anonymous = ["subscribe"]', "[[token]]", 'token = "publish-publish-publish"', 'roles = ["publish"]']
    with Bridge(options.programs, config) as bridge, page(bridge) as all_roles, \
            page(bridge, token="publish-publish-publish") as publisher, page(bridge, token=None) as renderer:
        refusal = ask(renderer, "header.open", HEADER)["error"]
        assert (refusal["code"], refusal["data"]["role"]) == (-32020, "publish"), refusal
        assert ask(publisher, "header.open", HEADER)["result"]["created"]
        assert ask(renderer, "subscribe", {"headers": "main"})["result"]["matched"] == 1
        assert ask(publisher, "subscribe", {"headers": "main"})["error"]["data"]["role"] == "subscribe"
        for web, method in ((publisher, "plugin.list"), (publisher, "trace.start"), (publisher, "delegate.configure"),
                            (renderer, "event"), (renderer, "header.close"), (renderer, "stats")):
            params = {"header": "main", "reset": True}
            assert ask(web, method, params)["error"]["data"]["name"] == "notPermitted", method
        # Options are the role tune's, in whatever form they come.
        one = {"event": "setOptions", "options": {"expansionResistance": 3}}
        for params in ({"header": "main", **one}, {"header": "main", "events": [{"event": "willAppear"}, one]}):
            assert ask(publisher, "event", params)["error"]["data"]["role"] == "tune"
            assert "result" in ask(all_roles, "event", params)
        escaped = '{"id":9,"m\\u0065thod":"event","params":{"header":"main","event":"set\\u004fptions","options":{}}}'
        publisher.send(escaped)
        assert json.loads(publisher.recv(5))["error"]["data"]["role"] == "tune"
        # A notification's error is one; what is cut into fragments is read as a whole.
        renderer.send(["{\"method\":\"header.cl", 'ose","params":{"header":"main"}}'])
        while (message := json.loads(renderer.recv(5)))["method"] == "state":
            pass
        assert message["params"]["data"]["name"] == "notPermitted", message
        assert len(ask(all_roles, "header.list")["result"]["headers"]) == 1


def test_lines_are_whole(options):
    """States of many kilobytes arrive in pieces from the daemon; each text message is whole lines of UTF-8."""
    with Bridge(options.programs) as bridge, page(bridge, max_size=None) as web:
        drawers = [{"name": f"drawer{number}", "height": 44} for number in range(60)]
        for number in range(30):
            assert "result" in ask(web, "header.open", {**HEADER, "header": f"app.{number}", "drawers": drawers, "delegates": []})
        web.send('{"id":7,"method":"subscribe","params":{"headers":"app.*"}}')
        states, bytes_ = set(), 0
        while len(states) < 30:
            text = web.recv(5)
            assert text.endswith("\n")
            bytes_ += len(text)
            for line in text.splitlines():
                message = json.loads(line)
                if message.get("method") == "state":
                    states.add(message["params"]["header"])
        assert bytes_ > 100_000, bytes_


def test_binary(options):
    with Bridge(options.programs) as bridge, page(bridge, subprotocol="headerd.binary") as web:
        opening = bytes([0x89, 0x48, 0x44, 0x01])
        request = b'{"id":5,"method":"ping"}'
        header = ROOT / "Sources/CHeaderWire/header_wire.h"
        kind = int(re.search(r"HEADER_WIRE_JSON = (0x[0-9a-f]+)", header.read_text())[1], 16)
        frame = (8 + len(request)).to_bytes(4, "little") + kind.to_bytes(2, "little") + bytes(2) + request
        web.send(opening + frame[:5])
        web.send(frame[5:])
        received = b""
        while b'"id":5' not in received:
            received += web.recv(5)
        assert received.startswith(opening), received


def test_pages_are_served(options):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "index.html").write_text("<!doctype html><title>t</title>")
        (pathlib.Path(folder) / "module.js").write_text("export const one = 1;")
        with Bridge(options.programs, pages=folder) as bridge:
            status, headers, body = get(bridge, "/")
            assert (status, headers["content-type"], body[:9]) == (200, "text/html", b"<!doctype")
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert get(bridge, "/module.js")[1]["content-type"] == "text/javascript"
            for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/none.js"):
                assert get(bridge, path)[0] in (403, 404), path


def test_loopback_alone(options):
    with Bridge(options.programs) as bridge:
        listening = subprocess.run(["ss", "-Hltn"], capture_output=True, text=True, check=True).stdout
        mine = [line.split()[3] for line in listening.splitlines() if line.split()[3].endswith(f":{bridge.port}")]
        assert mine == [f"127.0.0.1:{bridge.port}"], mine
    if pathlib.Path("/proc/net/if_inet6").exists() and pathlib.Path("/proc/net/if_inet6").read_text():
        with Bridge(options.programs, ["[listen]", 'address = "::1"']) as bridge:
            listening = subprocess.run(["ss", "-Hltn"], capture_output=True, text=True, check=True).stdout
            assert f"[::1]:{bridge.port}" in listening and f"*:{bridge.port}" not in listening
            with connect(f"ws://[::1]:{bridge.port}/socket?token={TOKEN}", subprotocols=["headerd.json"]) as web:
                assert "result" in ask(web, "ping")


def test_limits_of_connections(options):
    with Bridge(options.programs, ["[limits]", "connections = 5", "connectionsPerAddress = 3"]) as bridge, \
            contextlib.ExitStack() as stack:
        pages = [stack.enter_context(page(bridge)) for _ in range(3)]
        try:
            page(bridge)
            raise AssertionError("a fourth one got in")
        except (OSError, EOFError, Exception) as error:
            assert not isinstance(error, AssertionError), error
        assert "too many connections" in bridge.log
        pages[0].close()
        deadline = time.monotonic() + 5
        while True:
            try:
                with page(bridge) as web:
                    assert "result" in ask(web, "ping")
                break
            except Exception:
                assert time.monotonic() < deadline
                time.sleep(0.02)


def test_no_descriptor_left(options):
    """Who comes then waits, at no cost, and is served once there is one."""
    with Bridge(options.programs) as bridge, contextlib.ExitStack() as stack:
        resource.prlimit(bridge.process.pid, resource.RLIMIT_NOFILE, (40, 40))
        waiting = [stack.enter_context(socket.create_connection(("127.0.0.1", bridge.port))) for _ in range(60)]
        until(lambda: "Too many open files" in bridge.log)
        assert bridge.log.count("\n") < 60
        for one in waiting:
            one.close()
        until(lambda: refused(bridge) is None)


def until(condition):
    deadline = time.monotonic() + 10
    while True:
        try:
            if condition():
                return
        except (OSError, EOFError, ConnectionClosed):
            pass
        assert time.monotonic() < deadline
        time.sleep(0.02)


def unread_page(bridge, query=""):
    """A page's socket whose small buffer its test does not read."""
    page = socket.socket()
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    page.connect(("127.0.0.1", bridge.port))
    page.sendall((f"GET /socket{query} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Protocol: headerd.json\r\n\r\n").encode())
    assert page.recv(4096).startswith(b"HTTP/1.1 101")
    return page


def test_forbidden_messages_of_a_page_that_does_not_read(options):
    """What it is refused with waits, and so does the page: memory is bounded."""
    config = ["[access]", 'anonymous = ["subscribe"]', "[limits]", "messagesPerSecond = 0"]
    with Bridge(options.programs, config) as bridge, unread_page(bridge) as slow:
        memory = resident(bridge.process.pid)
        body = b'{"id":1,"method":"header.close","params":{"header":"a"}}\n' * 1000
        message = b"\x81\xff" + len(body).to_bytes(8, "big") + bytes(4) + body
        slow.settimeout(0.5)
        sent = 0
        with contextlib.suppress(TimeoutError):
            for _ in range(400):
                slow.sendall(message)
                sent += 1
        assert sent < 400, "the page was never stopped"
        assert resident(bridge.process.pid) - memory < 8 << 20


def test_rate_of_messages(options):
    """A page that sends too much is slowed down, and loses nothing."""
    with Bridge(options.programs, ["[limits]", "messagesPerSecond = 200"]) as bridge, page(bridge) as web:
        began = time.monotonic()
        for number in range(500):
            web.send(json.dumps({"id": number, "method": "ping"}))
        answered = 0
        while answered < 500:
            answered += web.recv(10).count('"result"')
        assert time.monotonic() - began > 1.2, "500 messages at 200 a second, 200 of them at once"


def test_slow_page(options):
    """A page that does not read stops nobody, holds bounded memory, and then gets the newest state."""
    with Bridge(options.programs) as bridge, page(bridge) as publisher, page(bridge) as quick:
        assert "result" in ask(publisher, "header.open", HEADER)
        slow = unread_page(bridge, f"?token={TOKEN}")
        body = b'{"id":1,"method":"subscribe","params":{"headers":"main"}}'
        slow.sendall(b"\x81" + bytes([0x80 | len(body)]) + bytes(4) + body)
        assert "result" in ask(quick, "subscribe", {"headers": "main"})
        memory = resident(bridge.process.pid)
        last = 0
        for step in range(20_000):
            y = 400 + (step % 40 if step % 80 < 40 else 40 - step % 40)
            publisher.send(json.dumps({"method": "event", "params": {"event": "didScroll", "time": step / 100, "offset": {"y": y}}}))
            if step % 200 == 199:
                last = ask(publisher, "header.get", {"header": "main"}, number=step)["result"]["state"]["seq"]
        assert last > 10_000, last
        assert resident(bridge.process.pid) - memory < 8 << 20
        assert newest(quick, last) == last
        slow.settimeout(5)
        data = b""
        while f'"seq":{last}'.encode() not in data:
            more = slow.recv(1 << 20)
            assert more, "the slow page was dropped"
            data += more
        assert data.count(b'"method":"state"') < last / 2, "nothing was left out for it"
        slow.close()


def resident(pid):
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def newest(web, wanted):
    seq = 0
    while seq < wanted:
        for line in web.recv(5).splitlines():
            message = json.loads(line)
            if message.get("method") == "state":
                seq = message["params"]["seq"]
    return seq


def test_the_daemon_goes_and_comes(options):
    with Bridge(options.programs) as bridge:
        with page(bridge) as web:
            assert "result" in ask(web, "ping")
            bridge.kill_daemon()
            try:
                web.recv(5)
                raise AssertionError("the connection goes on without a daemon")
            except ConnectionClosed as error:
                assert error.rcvd.code == 1013, error.rcvd
        with page(bridge) as web:
            try:
                web.recv(5)
                raise AssertionError("a connection without a daemon")
            except ConnectionClosed as error:
                assert error.rcvd.code in (1011, 1013) and "no daemon" in error.rcvd.reason, error.rcvd
        bridge.start_daemon()
        with page(bridge) as web:
            assert "result" in ask(web, "ping")


def test_it_ends_in_order(options):
    with Bridge(options.programs) as bridge, page(bridge) as web:
        assert "result" in ask(web, "ping")
        assert bridge.stop() == 0
        try:
            web.recv(5)
            raise AssertionError("the connection goes on")
        except ConnectionClosed as error:
            assert error.rcvd.code == 1001, error.rcvd
        bridge.start()
        with page(bridge) as web:
            assert "result" in ask(web, "ping")


async def asked_over_tls(bridge, trust, scheme):
    """A page's request and its answer. The client in `page` reads and writes at once in two threads, which OpenSSL does not permit: over
    TLS its first request is lost now and then."""
    async with websockets.asyncio.client.connect(
            f"wss://127.0.0.1:{bridge.port}/socket?token={TOKEN}", ssl=trust, origin=f"{scheme}://127.0.0.1:{bridge.port}", open_timeout=5,
            compression=None, subprotocols=["headerd.json"]) as web:
        await web.send(json.dumps({"id": 1, "method": "ping", "params": {}}))
        return json.loads(await asyncio.wait_for(web.recv(), 5))


def test_tls(options):
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = f"{folder}/certificate.pem", f"{folder}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days",
                        "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        config = ["[listen]", f'certificate = "{certificate}"', f'privateKey = "{key}"']
        with Bridge(options.programs, config) as bridge:
            assert bridge.address.startswith("https://")
            trust = ssl.create_default_context(cafile=certificate)
            assert "result" in asyncio.run(asked_over_tls(bridge, trust, "https"))
            try:
                asyncio.run(asked_over_tls(bridge, trust, "http"))
                raise AssertionError("a page without TLS has got in")
            except InvalidStatus as error:
                assert error.response.status_code == 403


def test_a_socket_handed_over(options):
    """As a service manager does it (sd_listen_fds)."""
    with Bridge(options.programs) as bridge, socket.create_server(("127.0.0.1", 0)) as listener:
        bridge.stop()
        port = listener.getsockname()[1]

        script = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec "$0" "$@"'
        process = subprocess.Popen(
            ["sh", "-c", script, options.programs / "headerd-web", "--config", bridge.path / "web.toml", "--socket",
             bridge.daemon_socket], env=bridge.environment, stdout=subprocess.PIPE, text=True,
            preexec_fn=lambda: os.dup2(listener.fileno(), 3), pass_fds=(3,))
        try:
            assert f":{port}/" in process.stdout.readline()
            bridge.port = port
            with page(bridge) as web:
                assert "result" in ask(web, "ping")
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(5) == 0


def run(options, *arguments, environment=None):
    return subprocess.run([options.programs / "headerd-web", *arguments], capture_output=True, text=True, timeout=10,
                          env={**os.environ, "XDG_CONFIG_HOME": "/nonexistent", "SWIFT_BACKTRACE": "enable=no", **(environment or {})})


def test_command_line_and_config(options):
    assert run(options, "--version").stdout.startswith("headerd-web ")
    assert "--check-config" in run(options, "--help").stdout
    words = re.findall(r"--([a-z-]+)", run(options, "--help").stdout)
    manual = (ROOT / "config/man/headerd-web.8").read_text().replace("Fl Fl ", "--")
    assert all(f"--{word}" in manual for word in words), words
    wrong = run(options, "--prot", "1")
    assert (wrong.returncode, "--port" in wrong.stderr) == (2, True), wrong.stderr
    shipped = ROOT / "config/headerd-web.toml"
    sections = tomllib.loads(shipped.read_text())
    keys = [f"{section}.{key}" for section, entries in sections.items() for key in entries]
    assert len(keys) == 13 and all(key in manual for key in keys), keys
    fine = run(options, "--check-config", "--config", str(shipped))
    assert (fine.returncode, fine.stdout) == (0, f"{shipped}: fine; listens on 127.0.0.1:8470\n"), fine
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "web.toml"
        for text, words in [
            ("[listen]\nprot = 1\n", '2:1: listen.prot: unknown key. Did you mean "port"?'),
            ("[listen]\naddress = \"localhost\"\n", "expected a numeric address"),
            ("[listen]\nport = 70000\n", "2:8: listen.port: expected an integer from 0 to 65535, got 70000"),
            ("[listen]\ncertificate = \"/none\"\n", "TLS needs both certificate and privateKey"),
            ("[access]\norigins = [\"app.example.org\"]\n", "access.origins[0]: expected an origin"),
            ("[access]\nanonymous = [\"publisher\"]\n", 'Did you mean "publish"?'),
            ("[[token]]\ntoken = \"short\"\nroles = []\n", "token[0].token: expected 16 to 256"),
            ("[[token]]\ntoken = \"0123456789abcdef\"\n", "token[0].roles: is required"),
            ("[acess]\n", 'unknown table. Did you mean "access"?'),
            ("port = \n", ":1:"),
        ]:
            file.write_text(text)
            failed = run(options, "--check-config", "--config", str(file))
            assert failed.returncode == 1 and words in failed.stderr, (text, failed.stderr)
    endless = run(options, "--check-config", "--config", "/dev/zero")
    assert endless.returncode == 1 and "/dev/zero: it is larger than 16777216 bytes" in endless.stderr, endless.stderr
    busy = socket.create_server(("127.0.0.1", 0))
    taken = run(options, "--port", str(busy.getsockname()[1]))
    assert taken.returncode == 1 and "Address already in use" in taken.stderr, taken.stderr


def test_a_token_of_its_own(options):
    """Without tokens in the config nobody gets in but by the address that is printed."""
    with Bridge(options.programs, token=None) as bridge:
        token = bridge.address.partition("#token=")[2]
        assert len(token) == 32, bridge.address
        assert refused(bridge, token=None) == 401
        with page(bridge, token=token) as web:
            assert "result" in ask(web, "plugin.list")


test_slow_page.long = True
