# Answers calls of functions: a line of JSON each, from standard input to descriptor 3.
import asyncio
import importlib.util
import inspect
import json
import os
import re
import sys

KINDS = {bool: "boolean", int: "number", float: "number", str: "string"}
loaded = {}


def load(file):
    """Returns the module of a file, whose folder is searched for other modules."""
    path = os.path.abspath(file)
    if path not in loaded:
        folder = os.path.dirname(path)
        if folder not in sys.path:
            sys.path.insert(0, folder)
        spec = importlib.util.spec_from_file_location(os.path.basename(path).rsplit(".", 1)[0], path)
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(spec.name, module)
        spec.loader.exec_module(module)
        loaded[path] = module
    return loaded[path]


def compiled(call):
    """Returns a function of the code, which is an expression or a body."""
    if call.get("expression"):
        lines = ["    return " + call["code"]]
    else:
        first = re.search(r"^(?!\s*$)\s+", call["code"], re.MULTILINE)
        lines = [(first[0] if first else "    ") + line for line in call["code"].split("\n")]
    names = {"json": json}
    exec("def main(" + call["parameters"] + "):\n" + "\n".join(lines) + "\n", names)
    return names["main"]


def find(call):
    if "code" in call:
        return compiled(call)
    found = load(call["file"])
    for name in call["function"].split("."):
        found = getattr(found, name)
    return found


def run(call):
    called = find(call)
    value = called(*call["args"])
    if inspect.iscoroutine(value):
        value = asyncio.run(value)
    if isinstance(value, float) and value - value != 0:
        return {"type": "number", "text": "NaN" if value != value else str(value).replace("inf", "Infinity")}
    return {"type": KINDS.get(type(value), "object"), "value": value}


def message(error):
    """Returns the first line of the error, with its name as a traceback has it."""
    text = (str(error).strip() or "").split("\n")[0]
    kind = type(error)
    within = "" if kind.__module__ in ("builtins", "__main__") else kind.__module__ + "."
    return within + kind.__qualname__ + (": " + text if text else "")


def serve(line):
    try:
        return json.dumps(run(json.loads(line)), allow_nan=False)
    except (Exception, SystemExit) as error:  # noqa: BLE001: a program may raise anything
        return json.dumps({"error": message(error)})


requests = os.fdopen(os.dup(0), "rb")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
with os.fdopen(3, "w", encoding="utf-8") as answers:
    os.set_inheritable(3, False)
    for request in requests:
        print(serve(request), file=answers, flush=True)
