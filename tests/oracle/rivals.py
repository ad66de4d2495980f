"""What tests/..._rivals have in common: chance, the programs of others, ours,
and a tally of what the two make of the same rows."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NODES = range(20, 23)  # later ones know flags in groups of patterns
GO_PATH = "/usr/share/gocode"  # where Debian puts the libraries of others
SHOWN = 40             # disagreements


sys.stdout.reconfigure(errors="backslashreplace")


class Chance:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def chance(self, p):
        return self.random.random() < p

    def one(self, values):
        return self.random.choice(values)

    def some(self, make, counts):
        """A list of what make() gives, as long as one of the counts."""
        return [make() for _ in range(self.one(counts))]

    def mistake(self, text, inserted):
        """The text with a character taken out, put in or changed."""
        at = self.one(range(len(text) + 1))
        kept = at + (1 if self.chance(.4) else 0)
        return text[:at] + self.one(inserted) * (kept == at) + text[kept:]


def none(why):
    """Why a rival is left out; nothing to print for it."""
    print(f"{Path(sys.argv[0]).name}: {why}, left out")


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def run(*command, rows, **options):
    """The lines that the command makes of the rows."""
    done = subprocess.run(
        list(map(str, command)), input=rows, stdout=subprocess.PIPE, check=True,
        encoding="utf-8", errors="surrogatepass", **options)
    return done.stdout


def read(told):
    return [json.loads(line) for line in told.split("\n")[:-1]]


def node(script, rows, folder=None):
    """What a script makes of the rows; None without node. It may require what
    npm_install put into the folder."""
    program = shutil.which("node")
    version = program and run(program, "--version", rows="")
    if not program or int(version[1:].split(".")[0]) not in NODES:
        return none("no node of the versions followed")
    return run(program, "-e", script, rows=rows, cwd=folder)


def npm_install(folder, *packages):
    """Whether they are in the folder now."""
    if not shutil.which("npm"):
        return none("no npm") or False
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {p.rpartition("@")[0]: p.rpartition("@")[2] for p in packages}
    if all(version == installed(folder, name) for name, version in wanted.items()):
        return True
    (folder / "package.json").write_text("{}")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--fetch-retries=1",
         "--fetch-timeout=60000", "--prefix", folder, *packages],
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
    """What a program makes of the rows; None without Go, or the library."""
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
    """What our reader of that kind makes of each row."""
    return read(run(f"{build}/oracle/ours", kind, rows=rows))


def same(a, b):
    """JSON's equality: true is not 1, but 1.0 is; half of a pair of surrogates
    is what UTF-8 has for it."""
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
    """Counts of how rows went, by name; what is a disagreement is told, of
    which so many are allowed."""

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
        """Whether all was well; says the counts."""
        self.counts.setdefault("disagreed", 0)
        parts = ", ".join(f"{n} {how}" for how, n in sorted(self.counts.items()))
        print(f"{self.name}: {sum(self.counts.values())} compared: {parts}")
        return self.counts["disagreed"] <= self.allowed and self.counts.get("agreed", 0) > 0
