# SPDX-License-Identifier: MIT
"""Certificates, and NATS' own keys, accounts and users (JWT signed by Ed25519), all made by openssl."""
import base64
import json
import os
import subprocess
import time


def openssl(*words, input=None):
    return subprocess.run(["openssl", *words], input=input, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


class Authority:
    """Signs certificates."""

    def __init__(self, folder, name):
        self.folder, self.key, self.certificate = folder, f"{folder}/{name}.key", f"{folder}/{name}.pem"
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                "-keyout", self.key, "-out", self.certificate)

    def sign(self, name, alternative):
        """A certificate and its key, as paths."""
        key, request, certificate = (f"{self.folder}/{name}.{end}" for end in ("key", "csr", "pem"))
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", request)
        with open(f"{self.folder}/{name}.ext", "w") as file:
            file.write(f"subjectAltName={alternative}\n")
        openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", "2",
                "-extfile", f"{self.folder}/{name}.ext", "-out", certificate)
        return certificate, key


def crc16(bytes):
    crc = 0
    for byte in bytes:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def base32(bytes):
    return base64.b32encode(bytes + crc16(bytes).to_bytes(2, "little")).decode().rstrip("=")


def base64url(bytes):
    return base64.urlsafe_b64encode(bytes).decode().rstrip("=")


class NKey:
    """A pair of keys of an operator (O), an account (A) or a user (U)."""

    prefixes = {"O": 14 << 3, "A": 0, "U": 20 << 3}

    def __init__(self, folder, kind):
        prefix = self.prefixes[kind]
        self.file = f"{folder}/{kind}{time.monotonic_ns()}.pem"
        openssl("genpkey", "-algorithm", "ed25519", "-out", self.file)
        seed = openssl("pkey", "-in", self.file, "-outform", "DER")[-32:]
        self.name = base32(bytes([prefix]) + openssl("pkey", "-in", self.file, "-pubout", "-outform", "DER")[-32:])
        self.seed = base32(bytes([18 << 3 | prefix >> 5, (prefix & 31) << 3]) + seed)

    def jwt(self, subject, name, claims):
        """Says something of a key, signed by this one."""
        whole = {"jti": os.urandom(8).hex(), "iat": int(time.time()), "iss": self.name, "sub": subject.name, "name": name,
                 "nats": {"version": 2, **claims}}
        text = ".".join(base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ed25519-nkey"}, whole))
        return f"{text}.{base64url(self.sign(text))}"

    def sign(self, text):
        signed = f"{self.file}.text"
        with open(signed, "w") as file:
            file.write(text)
        return openssl("pkeyutl", "-sign", "-inkey", self.file, "-rawin", "-in", signed)


NO_LIMITS = {name: -1 for name in (
    "subs", "data", "payload", "imports", "exports", "conn", "leaf", "mem_storage", "disk_storage", "streams", "consumer")}


class Accounts:
    """An operator with an account that has JetStream."""

    def __init__(self, folder):
        self.folder = folder
        operator, system, self.account = (NKey(folder, kind) for kind in "OAA")
        self.settings = "\n".join([
            f"operator: {operator.jwt(operator, 'operator', {'type': 'operator', 'system_account': system.name})}",
            f"system_account: {system.name}", "resolver: MEMORY", "resolver_preload: {",
            *(f"  {key.name}: {operator.jwt(key, name, {'type': 'account', 'limits': {**limits, 'wildcards': True}})}"
              for key, name, limits in (
                  (system, "SYS", {k: v for k, v in NO_LIMITS.items() if "storage" not in k}), (self.account, "shops", NO_LIMITS))),
            "}"])

    def credentials(self, name, account=None, permissions=None, user=None):
        """A file of a user's credentials."""
        user = user or NKey(self.folder, "U")
        claims = {"type": "user", "subs": -1, "data": -1, "payload": -1, **(permissions or {})}
        path = f"{self.folder}/{name}.creds"
        with open(path, "w") as file:
            file.write(f"-----BEGIN NATS USER JWT-----\n{(account or self.account).jwt(user, name, claims)}\n"
                       f"------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{user.seed}\n"
                       "------END USER NKEY SEED------\n")
        os.chmod(path, 0o600)
        return path
