"""The module that all suites share: running commands, counting expectations, the
golden cases as data, and the shared corpus of logs. tests/run calls a suite
with the build folder, from the top of the project."""

import fcntl
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from importlib.machinery import SourceFileLoader
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
transcripts = SourceFileLoader("transcripts", str(TOP / "tests/run")).load_module()

SHARED = Path(os.environ.get("SHARED", "../shared"))
CORPUS = SHARED / "corpus"
# The verdicts of the real systems: those of the shared data, else the sample.
CASES = SHARED / "cases" if (SHARED / "cases").is_dir() else TOP / "testdata/cases"

HEREDOC = re.compile(r"(?:>(\S+) )?<<'(\w+)'\n(.*?)^\2$", re.M | re.S)


class Golden:
    """A golden case: its name, its last command, what the command reads from
    standard input, and what it prints. All are bytes but the name."""

    def __init__(self, name, case, files):
        command = case.commands[-1]
        found = HEREDOC.search(command.text)
        redirect = re.search(r" <(\S+)$", command.text)
        text = found[3] if found else files.get(redirect[1], "") if redirect else ""
        self.name, self.command = name, command.text.encode("latin-1")
        self.input, self.out = text.encode("latin-1"), command.out.encode("latin-1")

def golden(tool):
    """Yields the golden cases of a tool."""
    for path in sorted(TOP.glob(f"tests/cases/{tool}/*")):
        first, *cases = transcripts.parse(path.read_text("latin-1"))
        files = {m[1]: m[3] for c in first.commands for m in HEREDOC.finditer(c.text) if m[1]}
        for case in cases:
            yield Golden(f"{path.name}: {case.title}", case, files)


def heredocs(tool="*"):
    """Yields (file name or None, text) of each file that golden cases write."""
    for path in sorted(TOP.glob(f"tests/cases/{tool}/*")):
        for case in transcripts.parse(path.read_text("latin-1")):
            for command in case.commands:
                for m in HEREDOC.finditer(command.text):
                    yield m[1], m[3].encode("latin-1")


def objects(text):
    """Yields the lines of a text (bytes) that are JSON objects."""
    for line in text.decode(errors="replace").splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


class Expectations:
    """Counts the expectations that hold, and prints those that do not."""

    def __init__(self):
        self.checked = self.wrong = 0

    def expect(self, what, want, got):
        """Compares two values, and returns whether they are equal."""
        self.checked += 1
        if want != got:
            self.wrong += 1
            print(f"{what}:\n want {str(want)[:300]}\n got  {str(got)[:300]}")
        return want == got

    def end(self, name=""):
        """Prints the counts, and returns the exit status of the suite."""
        print(f"{name + ': ' if name else ''}{self.checked - self.wrong} passed, "
              f"{self.wrong} failed")
        return self.wrong != 0


# ---- commands ----

def skip(reason):
    """Ends the suite as skipped."""
    print(reason)
    sys.exit(77)


def need(*commands):
    """Skips the suite if a command is not installed."""
    for command in commands:
        if not shutil.which(command):
            skip(f"no {command}")


def watched(build):
    """Returns whether the build checks or counts what it does, so that it needs
    more memory than a release does."""
    return build.name in ("asan", "msan", "tsan", "coverage")


def environment(build, **variables):
    """Returns an environment in which the commands of a build are found first."""
    return os.environ | {"PATH": f"{build}:{os.environ['PATH']}"} | variables


def call(command, given=b"", **options):
    """Runs a command with bytes on standard input, through a pipe. A command of
    type str is run by sh. Returns the completed process; its output and
    messages are bytes unless the options redirect them."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    if "stdin" not in options:
        options["input"] = given
    return subprocess.run(["sh", "-c", command] if isinstance(command, str) else command,
                          check=False, **options)


def make(goal, *variables, **options):
    """Runs make with a goal and variables (NAME=VALUE), as a user calls make: not as
    a part of the make that runs the tests. Returns the completed process, whose
    messages are part of its output."""
    env = {name: value for name, value in (options.pop("env", None) or os.environ).items()
           if name not in ("MAKEFLAGS", "MAKELEVEL")}
    return call([os.environ.get("MAKE", "make"), *variables, goal], env=env,
                stderr=subprocess.STDOUT, **options)


def make_of_module(goal, build):
    """Makes a goal that needs the module of WebAssembly; suites that do so wait for each
    other. Skips the suite where the module cannot be made. Returns the completed process."""
    if build.name != "release":
        skip("the module is compared with the release")
    if not Path("/usr/include/wasm32-wasi").exists() or not shutil.which("wasm-ld"):
        skip("no wasi-libc or no wasm-ld, which make the module")
    with open(build.parent / "module.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = make(goal)
    if b"no source of" in made.stdout:
        skip(made.stdout.decode().splitlines()[-1])
    return made


def wait_for(condition, seconds=60):
    """Waits until condition() is true, at most for the given time. Returns
    whether it became true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def count_lines(path):
    """Returns the number of complete lines in a file."""
    return Path(path).read_bytes().count(b"\n")


# ---- traces ----

def json_lines(text):
    """Returns the JSON values of a text with a value on each line."""
    return [json.loads(line) for line in text.splitlines()]


def json_values(text):
    """Returns the JSON values of a text (bytes), with blanks between them."""
    text, values, at = text.decode(), [], 0
    decode, blanks = json.JSONDecoder().raw_decode, re.compile(r"\s*")
    while (at := blanks.match(text, at).end()) < len(text):
        value, at = decode(text, at)
        values.append(value)
    return values


def tool_calls(runs):
    """Returns the tool calls of records, including those of sub-agents."""
    def inside(steps):
        for step in steps:
            if step.get("tool"):
                yield step
            yield from inside(step.get("steps", []))
    return [call for run in runs for turn in run["turns"] for call in inside(turn["steps"])]


def usage(runs, name):
    """Returns the sum of a member of the records' usage."""
    return sum(run.get("usage", {}).get(name) or 0 for run in runs)


# ---- the corpus ----

def corpus_facts():
    """Returns the rows of the corpus' table of facts, by file name. A row is the
    list of its fields, of which the first is the name of the file."""
    with open(CORPUS / "facts.tsv", encoding="utf-8") as table:
        rows = [line.rstrip("\n").split("\t") for line in table]
    return {row[0]: row for row in rows}


PLACES = 2 if os.environ.get("SLOW") else 20 if os.environ.get("THOROUGH") else 5


def cuts(extract, path, folder):
    """Cuts a file at PLACES, the same ones in each call. Yields each place with the
    runs that mcpl-extract finds before it, the number of these that the whole file
    does not give, where the last run is not counted, and the exit status."""
    def plain(text):
        runs = json_lines(text)
        for run in runs:
            run.get("source", {}).pop("file", None)
        return runs
    text = path.read_bytes()
    whole = plain(call([extract, path]).stdout)
    place = random.Random(7)
    for _ in range(PLACES):
        at = 1 + place.randrange(len(text) - 1)
        (folder / "cut").write_bytes(text[:at])
        done = call([extract, folder / "cut"])
        runs = plain(done.stdout)
        yield at, runs, sum(run not in whole for run in runs[:-1]), done.returncode


def with_ids(answer):
    """Returns a program for mcpl-judge --exec that prints this file, in which
    check_N stands for the id of each check."""
    return (r"""nonce=$(sed 's/.*"check_1\(_[0-9a-f]*\)".*/\1/'); """
            rf"""sed "s/\"check_\([0-9]*\)\"/\"check_\1$nonce\"/g" '{answer}'""")


def is_sanitized(program):
    """Returns whether the program was built with a sanitizer."""
    code = Path(program).read_bytes()
    return any(b"__%csan_init" % kind in code for kind in b"atm")
