"""Helpers of the suites of mcpl-judge: records, calls of the command against
tests/judge/server.py, and counted expectations."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from judge.server import Server

JUDGE = Path(sys.argv[1]).resolve() / "mcpl-judge"
COMMAND = [JUDGE]  # how Asked calls the command
KEY = "sk-test-0123456789abcdef"
WORK = Path(tempfile.mkdtemp())
PATIENCE = 5 if "SLOW" in os.environ else 1  # factor of time limits
SERVER = Server()
ENV = {k: v for k, v in os.environ.items()
       if not k.startswith(("MCPL_", "OPENAI_", "AZURE_", "ANTHROPIC_",
                            "GOOGLE_", "GEMINI_", "OLLAMA_", "OPENROUTER_",
                            "MISTRAL_", "GROQ_", "XAI_", "DEEPSEEK_",
                            "TOGETHER_", "FIREWORKS_", "AWS_", "CLOUDSDK_",
                            "SSL_", "CURL_"))
       and not k.lower().endswith("_proxy")} | {"OPENAI_API_KEY": KEY}
# Commands inherit the handling of SIGINT, which nohup sets to "ignore".
signal.signal(signal.SIGINT, signal.default_int_handler)
tests = 0
results = [0, 0]  # numbers of failed and of met expectations
said = []  # all output of mcpl-judge


def expect(what, wanted, got):
    results[wanted == got] += 1
    if wanted != got:
        print(f"{what}:\n want {wanted!r}\n got  {got!r}")


def check(label, rubric, context=(), **more):
    return {"type": "agent_check", "label": label, "status": "pending",
            "dialect": "mcplab", "at": "spec.yaml:1",
            "judge": {"rubric": rubric, "text": "final",
                      "context": list(context)} | more}


def run_of(name, *checks, answer="Your refund is on its way."):
    return {"type": "trace", "v": 1, "id": name, "prompt": "A refund?",
            "final_text": answer, "tool_sequence": ["look_up"],
            "turns": [{"prompt": "A refund?", "steps": [
                {"tool": "look_up", "args": {"order": "A-1"}, "result": "ok"},
                {"text": answer}]}],
            "status": "pending", "pass": None, "failures": [],
            "check_results": list(checks)}


TWO = run_of("r", check("good", "Says when."), check("bad", "FAIL"))


def lines(records):
    return "".join(json.dumps(r) + "\n" for r in records)


class Asked:
    """One call of mcpl-judge that asks the server, and its results."""

    def __init__(self, fault, *options, records=(TWO,), model="m", env=None,
                 base=None, test=None):
        global tests
        tests += 1
        self.test = test or f"t{tests}"
        started = time.monotonic()
        done = subprocess.run(
            [*COMMAND, "-m", model, "--base-url",
             base or SERVER.url(fault, self.test), "--timeout", "20",
             *options],
            input=lines(records), env=ENV | (env or {}), text=True,
            capture_output=True, check=False, timeout=60 * PATIENCE)
        self.seconds = time.monotonic() - started
        self.status = done.returncode
        self.out, self.err = done.stdout, done.stderr
        said.append(done.stdout + done.stderr)
        self.records = [json.loads(line) for line in self.out.split("\n") if line]
        self.requests = SERVER.requests.get(self.test, [])
        self.bodies = [body for _, body in self.requests]
        self.paths = SERVER.paths.get(self.test, [])
        checks = self.records[0]["check_results"]
        self.statuses = " ".join(r["status"] for r in checks)
        self.reasons = [r.get("reason") for r in checks]


def run_all(name, namespace):
    """Runs the functions of the namespace that begin with test_. Returns the exit
    status."""
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("a test took too long"))
    try:
        for what, function in list(namespace.items()):
            if what.startswith("test_"):
                function()
    finally:
        shutil.rmtree(WORK)
    print(f"{name}: {results[True]} passed, {results[False]} failed")
    return results[False] != 0 or sum(results) == 0
