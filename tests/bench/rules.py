"""MCPLab's rules in Python: rules.py ASSERTIONS FILE. Prints "passed" or "failed" for
each run."""
import json, re, sys


def in_order(wanted, tools):
    rest = iter(tools)
    return all(name in rest for name in wanted)


def holds(assertion, text):
    if assertion["type"] == "regex":
        return re.search(assertion["pattern"], text, re.I) is not None
    try:
        value = json.loads(text)
    except ValueError:
        return False
    for name in assertion["path"].split(".")[1:]:
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]
    return value == assertion.get("equals", value)


def passes(rules, tools, text):
    used = set(tools)
    constraints = rules["tool_constraints"]
    return (
        used.issuperset(constraints["required_tools"])
        and used.isdisjoint(constraints["forbidden_tools"])
        and in_order(rules["tool_sequence"], tools)
        and all(holds(a, text) for a in rules["response_assertions"])
    )


with open(sys.argv[1]) as file:
    scenarios = {s["id"]: s["eval"] for s in json.load(file)["scenarios"]}
with open(sys.argv[2], encoding="utf-8") as file:
    for line in file:
        r = json.loads(line)
        rules = scenarios[r["scenario_id"]]
        ok = passes(rules, r["tool_sequence"], r["final_text"])
        print("passed" if ok else "failed")
