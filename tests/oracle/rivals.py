"""Helpers of the programs in tests/oracle: random choices, runs of the reference
programs and of mcpl's readers on the same rows, and a tally of the comparison."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NODES = range(20, 23)  # later versions accept flags in groups of patterns
GO_PATH = "/usr/share/gocode"  # the folder of Debian's Go libraries
SHOWN = 40             # limit of printed disagreements


sys.stdout.reconfigure(errors="backslashreplace")


class Chance:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, p):
        return self.random.random() < p

    def one(self, values):
        return self.random.choice(values)

    def some(self, make, counts):
        """Returns a list of results of make(); its length is one of the counts."""
        return [make() for _ in range(self.one(counts))]

    def mistake(self, text, inserted):
        """Returns the text with one character removed, inserted or changed."""
        at = self.one(range(len(text) + 1))
        kept = at + (1 if self.chance(.4) else 0)
        return text[:at] + self.one(inserted) * (kept == at) + text[kept:]


def none(why):
    """Reports why a reference is left out. Returns None."""
    print(f"{Path(sys.argv[0]).name}: {why}, left out")


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def run(*command, rows, **options):
    """Returns the output of the command for the rows."""
    done = subprocess.run(
        list(map(str, command)), input=rows, stdout=subprocess.PIPE, check=True,
        encoding="utf-8", errors="surrogatepass", **options)
    return done.stdout


def read(output):
    return [json.loads(line) for line in output.split("\n")[:-1]]


def node(script, rows, folder=None):
    """Returns the output of a script for the rows, or None without node. The script
    may require packages that npm_install put into the folder."""
    program = shutil.which("node")
    version = program and run(program, "--version", rows="")
    if not program or int(version[1:].split(".")[0]) not in NODES:
        return none("no node of the versions followed")
    return run(program, "-e", script, rows=rows, cwd=folder)


def npm_install(folder, *packages, omit="none"):
    """Returns whether the packages are in the folder, after installing them. `omit` is a
    kind of dependencies that are not needed: optional."""
    if not shutil.which("npm"):
        return none("no npm") or False
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {p.rpartition("@")[0]: p.rpartition("@")[2] for p in packages}
    if all(version == installed(folder, name) for name, version in wanted.items()):
        return True
    (folder / "package.json").write_text("{}")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--fetch-retries=1",
         "--fetch-timeout=60000", *(["--omit", omit] if omit != "none" else []),
         "--prefix", folder, *packages],
        cwd=folder, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        none(f"npm cannot install {' '.join(packages)}")
    return done.returncode == 0


def installed(folder, name):
    try:
        about = (folder / "node_modules" / name / "package.json").read_text()
        return json.loads(about)["version"]
    except OSError:
        return None


def go(program, rows, library=None):
    """Returns the output of a Go program for the rows, or None without Go or the
    library."""
    if not shutil.which("go"):
        return none("no go")
    if library and not Path(GO_PATH, "src", library).exists():
        return none(f"no {library} for go")
    with tempfile.NamedTemporaryFile("w", suffix=".go") as file:
        file.write(program)
        file.flush()
        return run("go", "run", file.name, rows=rows, env={
            **os.environ, "GOPATH": GO_PATH, "GO111MODULE": "off"})


def ours(build, kind, rows):
    """Returns the result of mcpl's reader of that kind for each row."""
    return read(run(f"{build}/oracle/ours", kind, rows=rows))


def same(a, b):
    """Returns whether two JSON values are equal: true differs from 1, 1.0 equals 1,
    and half of a surrogate pair equals U+FFFD."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        a, b = ({whole(k): v for k, v in d.items()} for d in (a, b))
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, str) and isinstance(b, str):
        return whole(a) == whole(b)
    return a == b and type(a) is type(b) or (
        {type(a), type(b)} == {int, float} and float(a) == float(b))


def whole(text):
    return "".join("\ufffd" if "\ud800" <= c < "\ue000" else c for c in text)


class Tally:
    """Counts the rows by outcome, and prints disagreements. `allowed` disagreements
    are accepted."""

    def __init__(self, name, allowed=0):
        self.name, self.allowed = name, allowed
        self.counts = {}

    def add(self, how, row=None, theirs=None, ours=None):
        self.counts[how] = self.counts.get(how, 0) + 1
        if how in ("disagreed", os.environ.get("SHOW")) and self.counts[how] <= SHOWN:
            print(f"{self.name}: {json.dumps(row, ensure_ascii=False)}\n"
                  f"\ttheirs: {json.dumps(theirs, ensure_ascii=False)[:500]}\n"
                  f"\tours:   {json.dumps(ours, ensure_ascii=False)[:500]}")

    def close(self):
        """Prints the counts. Returns whether enough rows agreed."""
        self.counts.setdefault("disagreed", 0)
        parts = ", ".join(f"{n} {how}" for how, n in sorted(self.counts.items()))
        print(f"{self.name}: {sum(self.counts.values())} compared: {parts}")
        return self.counts["disagreed"] <= self.allowed and self.counts.get("agreed", 0) > 0
