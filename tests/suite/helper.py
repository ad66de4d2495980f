"""What the suites share: the golden cases as data, and counted expectations.
A suite is called with the build folder, from the top of the project."""

import json
import os
import re
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
transcripts = SourceFileLoader("transcripts", str(TOP / "tests/run")).load_module()

# The real systems' verdicts: all that the shared data hold, else the sample.
SHARED = Path(os.environ.get("SHARED", "../shared"))
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
    """Counts what is as expected, and prints what is not."""

    def __init__(self):
        self.checked = self.wrong = 0

    def expect(self, what, want, got):
        self.checked += 1
        if want != got:
            self.wrong += 1
            print(f"{what}:\n want {str(want)[:300]}\n got  {str(got)[:300]}")
        return want == got
