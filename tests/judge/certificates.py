"""Certificates for the suites of mcpl-judge: an authority is made here, and signs
those of servers on loopback. All files are in WORK."""

import ssl
import subprocess

from judge.client import WORK
from judge.server import Server


def openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, cwd=WORK,
                   capture_output=True)


def authority(name):
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
            f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem",
            "-days", "2")


def certificate(ca, name, address):
    (WORK / "extensions").write_text(f"subjectAltName=IP:{address}\n")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=judge",
            "-keyout", f"{name}.key", "-out", f"{name}.csr")
    openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem",
            "-CAkey", f"{ca}.key", "-CAcreateserial", "-days", "2",
            "-extfile", "extensions", "-out", f"{name}.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(WORK / f"{name}.pem", WORK / f"{name}.key")
    return Server(context)
