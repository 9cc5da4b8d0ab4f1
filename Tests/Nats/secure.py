#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""TLS, client certificates, passwords and NATS credentials at a real nats-server: realms that work, and what a bridge says that has
been given the wrong ones.
usage: secure.py FOLDER-OF-THE-PROGRAMS"""
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from keys import Accounts, Authority, NKey
from realm import Process, Proxy, Realm, description


def works(bin, folder, what, settings, scheme, server):
    """Two nodes with a header each: a client of one reaches the header of the other."""
    os.mkdir(inner := f"{folder}/{what}")
    realm = Realm(bin, 2, settings, scheme, server, inner)
    try:
        realm.ready()
        client = realm.nodes[0].client()
        for index in range(8):
            client.result("header.open", description(f"shop.{index}"))
        owners = realm.owners(having=[f"shop.{index}" for index in range(8)])
        assert set(owners.values()) == {"a", "b"}, owners
        away = next(name for name, owner in owners.items() if owner == "b")
        client.result("subscribe", {"headers": away})
        seq = client.result("event", {"header": away, "event": "layout", "contentInset": {"top": 7}})["seq"]
        client.until(lambda m: m.get("method") == "state" and m["params"]["seq"] >= seq)
    except Exception:
        realm.logs()
        raise
    finally:
        realm.close()
    print(f"nats: {what}")


def refused(bin, folder, realm, what, words, settings="", scheme="nats://", secret=None):
    """A bridge with these settings ends with status 1 and says why, without what must not be shown."""
    with open(f"{folder}/wrong.toml", "w") as file:
        file.write(f'[nats]\nservers = ["{scheme}127.0.0.1:{realm.port}"]\nnode = "x"\n{settings}')
    begun = time.monotonic()
    run = subprocess.run(
        [f"{bin}/headerd-nats", "--config", f"{folder}/wrong.toml", "--socket", f"{folder}/none.sock",
         "--listen", f"{folder}/wrong.sock"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20, text=True)
    assert run.returncode == 1 and words in run.stderr, (what, run.returncode, run.stderr)
    assert "127.0.0.1" in run.stderr or folder in run.stderr, (what, run.stderr)
    assert secret is None or secret not in run.stderr, (what, run.stderr)
    print(f"nats: {what}: refused after {time.monotonic() - begun:.1f} s")


def server(bin, folder, text):
    os.mkdir(inner := tempfile.mkdtemp(dir=folder) + "/server")
    return Realm(bin, 0, server=text, folder=inner)


def certificates(bin, folder):
    ca, other = Authority(folder, "ca"), Authority(folder, "other")
    certificate, key = ca.sign("server", "IP:127.0.0.1")
    own, ownKey = ca.sign("client", "DNS:client")
    strange, strangeKey = other.sign("stranger", "DNS:client")
    trust = f'authorities = "{ca.certificate}"\n'
    tls = f'cert_file: "{certificate}", key_file: "{key}", ca_file: "{ca.certificate}"'
    works(bin, folder, "tls", trust, "tls://", f"tls {{ {tls} }}")
    works(bin, folder, "certificates", f'{trust}certificate = "{own}"\nprivateKey = "{ownKey}"\n', "tls://",
          f"tls {{ {tls}, verify: true }}")
    plain = server(bin, folder, f"tls {{ {tls} }}")
    for what, settings, scheme in [("nobody trusted", "", "tls://"), ("another authority", f'authorities = "{other.certificate}"', "tls://"),
                                   ("a server that insists on TLS", "", "nats://")]:
        refused(bin, folder, plain, what, "nats.authorities", settings, scheme)
    plain.close()
    name, nameKey = ca.sign("elsewhere", "DNS:elsewhere.example")
    elsewhere = server(bin, folder, f'tls {{ cert_file: "{name}", key_file: "{nameKey}" }}')
    refused(bin, folder, elsewhere, "a certificate of another host", "mismatch", trust, "tls://")
    elsewhere.close()
    strict = server(bin, folder, f"tls {{ {tls}, verify: true }}")
    refused(bin, folder, strict, "no certificate", "nats.certificate", trust, "tls://")
    refused(bin, folder, strict, "a certificate of another authority", "nats.certificate",
            f'{trust}certificate = "{strange}"\nprivateKey = "{strangeKey}"', "tls://")
    refused(bin, folder, strict, "a key of another certificate", "nats.certificate",
            f'{trust}certificate = "{own}"\nprivateKey = "{strangeKey}"', "tls://")
    strict.close()


def passwords(bin, folder):
    text = "authorization { user: shop, password: open-sesame }"
    works(bin, folder, "password", "", "nats://shop:open-sesame@", text)
    realm = server(bin, folder, text)
    refused(bin, folder, realm, "a wrong password", "Authorization Violation", scheme="nats://shop:close-sesame@", secret="sesame")
    refused(bin, folder, realm, "no password", "Authorization Violation")
    realm.close()


def credentials(bin, folder):
    accounts = Accounts(folder)
    good, stranger = accounts.credentials("good"), accounts.credentials("stranger", NKey(folder, "A"))
    setting = lambda path: f'credentials = "{path}"\n'
    works(bin, folder, "credentials", setting(good), "nats://", accounts.settings)
    realm = server(bin, folder, accounts.settings)
    refused(bin, folder, realm, "credentials of another account", "nats.credentials", setting(stranger))
    refused(bin, folder, realm, "no credentials", "nats.credentials")
    with open(f"{folder}/junk.creds", "w") as file:
        file.write("hello\n")
    refused(bin, folder, realm, "a file that has none", "seed", setting(f"{folder}/junk.creds"))
    refused(bin, folder, realm, "a file that is not there", "No such file", setting(f"{folder}/none.creds"))
    realm.close()


class Nonce(Proxy):
    """In the first answer of the server, something else to sign."""

    def __init__(self, port, nonce):
        self.nonce = nonce
        super().__init__(port)

    def changed(self, piece):
        if self.nonce and b'"nonce":"' in piece:
            piece, self.nonce = re.sub(b'"nonce":"[^"]*"', b'"nonce":"%s"' % self.nonce.encode(), piece), None
        return piece


def a_signature_that_begins_with_zero(bin, folder):
    """libnats sends none then; the bridge tries again."""
    accounts, user = Accounts(folder), NKey(folder, "U")
    path = accounts.credentials("zero", user=user)
    nonce = next(nonce for nonce in (f"nonce-{index:09}" for index in itertools.count()) if user.sign(nonce)[0] == 0)
    realm = server(bin, folder, accounts.settings)
    proxy = Nonce(realm.port, nonce)
    with open(f"{folder}/zero.toml", "w") as file:
        file.write(f'[nats]\nservers = ["nats://127.0.0.1:{proxy.port}"]\nnode = "x"\ncredentials = "{path}"\n')
    log = f"{folder}/zero.log"
    bridge = Process([f"{bin}/headerd-nats", "--config", f"{folder}/zero.toml", "--socket", f"{folder}/none.sock",
                      "--listen", f"{folder}/zero.sock"], log)
    end = time.monotonic() + 10
    while "event=natsReached" not in (text := pathlib.Path(log).read_text()):
        assert bridge.process.poll() is None and time.monotonic() < end, text
        time.sleep(0.02)
    assert proxy.nonce is None
    bridge.stop()
    proxy.close()
    realm.close()
    print("nats: a signature that begins with a zero byte")


def main():
    folder = tempfile.mkdtemp(prefix="headerd-nats-")
    try:
        for test in (certificates, passwords, credentials, a_signature_that_begins_with_zero):
            test(sys.argv[1], folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
