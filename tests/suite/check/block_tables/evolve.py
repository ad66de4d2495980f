"""Tables for the blocks of evolve's document: see tests/suite/check/blocks. A run here
is also the folder that the run left."""
import atexit
import os
import shutil
import tempfile

top = tempfile.mkdtemp()
atexit.register(shutil.rmtree, top)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def run(**files):
    """Returns a run that left these files, with __ for / and _ for . in their names."""
    folder = tempfile.mkdtemp(dir=top)
    for name, text in files.items():
        name = name.replace("__", "/")
        write(folder + "/" + ".".join(name.rsplit("_", 1)), text)
    return {"type": "trace", "v": 1, "final_text": "Done.", "workspace": folder}


# A terraform that finds a configuration valid if there is one.
write(top + "/bin/terraform", '#!/bin/sh\n[ "$1" = init ] || cat main.tf\n')
os.chmod(top + "/bin/terraform", 0o755)
os.environ["PATH"] = top + "/bin" + os.pathsep + os.environ["PATH"]

OPTIONS = ["--allow-commands"]

GOOD = """import pytest
@pytest.mark.parametrize("text", ["a"])
def test_error(text):
    with pytest.raises(ValueError):
        parse(text)
"""
NO_FILE = "[Errno 2] No such file or directory: 'tests/test_kv.py'"
MISSING = "tests/test_kv.py missing"

VERDICTS = {
    "first-eval": (
        [run(tests__test_kv_py=GOOD)],
        [
            (run(tests__test_py=GOOD), [MISSING, MISSING]),
            (run(tests__test_kv_py="pytest-mark-parametrize"), ["no match"]),
        ],
    ),
    "command-cwd-requires": (
        [run(modules__widget__main_tf="module.")],
        [
            (
                run(modules__widget__other_tf=""),
                ["exit 1: cat: main.tf: No such file or directory"],
            ),
            (
                run(main_tf=""),
                [
                    "command error: fork/exec /bin/sh: "
                    "no such file or directory (cwd modules/widget)"
                ],
            ),
        ],
    ),
    "bare-string-shorthand": (
        [run(CHANGELOG_md="")],
        [(run(changelog_md=""), ["CHANGELOG.md missing"])],
    ),
    "expectations": (
        [run(tests__test_validator_py="")],
        [(run(), ["tests/test_validator.py missing"])],
    ),
    "combined": (
        [run(tests__test_kv_py=GOOD)],
        [
            (
                run(tests__test_kv_py=GOOD + "class A(unittest.TestCase): ..."),
                ["unittest"],
            ),
            (
                run(tests__test_kv_py=GOOD.replace("raises", "warns")),
                ["no match"],
            ),
            (run(), [MISSING, MISSING, MISSING, MISSING, "exit 1: " + NO_FILE]),
        ],
    ),
}

ASKED = {
    "bare-string-shorthand": [
        ("The commit message follows Conventional Commits.", ["workspace"]),
    ],
    "expectations": [
        ("The summary explains why each test case was chosen.", ["workspace"]),
        ("No production code under src/ was modified.", ["workspace"]),
    ],
    "combined": [
        (
            "The agent explains which error paths it parametrized and why.",
            ["workspace"],
        ),
    ],
}
