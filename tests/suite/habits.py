"""Random runs for the suites about habits: what --why and --learn find."""

import random

CAUSES = ("verify", "arg", "word", "repeat", "error", "order")
# Tools whose names are words of the grammar of rules, or need quotes.
ODD = ("warn", "per", "no", "every", "answer", "calls", "first", "then", "before", "in", "as",
       "run", "user", "said", "let", "judge", "mcp__shop__pay", "a b", 'say "hi"', "größe", "7up",
       "x.y/z", "cost", "trace", "only", "not", "or", "if", "sum", "just", "within")


WORDS = [a + b + c for a in "bdfgk" for b in "aeio" for c in "lmn"]


class Steps:
    def __init__(self):
        self.turns = [[]]

    def call(self, tool, args=None, result="ok", failed=False):
        self.turns[-1].append({"tool": tool, "args": args or {}, "result": result,
                               "is_error": failed})


def record(n, turns, status=None, scenario="s"):
    sequence = [step["tool"] for turn in turns for step in turn]
    verdict = {"status": status, "pass": status == "passed"} if status else {}
    return {"type": "trace", "v": 1, "id": f"r{n}", "scenario_id": scenario,
            "final_text": "done", "tool_sequence": sequence,
            "turns": [{"prompt": "p", "steps": steps} for steps in turns]} | verdict


def planted(rng, n, cause, failed, noise=0.0):
    """A run that has the cause if it failed, but for the share `noise` of runs."""
    steps = Steps()
    has = failed != (rng.random() < noise)
    for _ in range(rng.randint(1, 4)):
        steps.call("search", {"q": rng.choice("abcd")},
                   rng.choice(["found three items", "nothing here"]))
    if rng.random() < 0.5:
        state = rng.choice(["open", "paid"])
        steps.call("lookup", {"id": f"o{rng.randint(1, 999)}"}, '{"state":"%s"}' % state)
    if cause != "order" and not (cause == "verify" and has):
        steps.call("verify", {"level": rng.choice([1, 2])})
    steps.call("refund", {"mode": "fast" if cause == "arg" and has else
                          rng.choice(["slow", "careful"])},
               "timeout of the backend" if cause == "word" and has else "refund was made",
               cause == "error" and has)
    if cause == "repeat" and has:
        steps.call(**{k: v for k, v in zip(("tool", "args", "result"),
                                           list(steps.turns[-1][-1].values())[:3])})
    if cause == "order":
        steps.call("verify", {"level": rng.choice([1, 2])})
        if not has:
            last = steps.turns[-1]
            last[-1], last[-2] = last[-2], last[-1]
    return record(n, steps.turns, "failed" if failed else "passed")


def value(rng):
    return rng.choice([1, 2, -3, 1.5, "a", "b c", 'q"q', True, False, None, {"k": rng.randint(0, 2)},
                       ["x"], "7", "é"])


def anything(rng, n, tools, status=None):
    """A run with calls of these tools, in several turns, with values and failures."""
    steps, valueless = Steps(), False
    for turn in range(rng.randint(1, 3)):
        if turn:
            steps.turns.append([])
        for _ in range(rng.randint(0, 4)):
            args = {rng.choice(["id", "mode", "a-b", "n2"]): value(rng)
                    for _ in range(rng.randint(0, 2))}
            result = rng.choice(["it went well", '{"state":"open","n":3}', "no such thing", "",
                                 "été froid", '[1]', "went_well again",
                                 '{"note": "it went well", "open": true}'])
            steps.call(rng.choice(tools), args, result, rng.random() < 0.15)
            if rng.random() < 0.03:  # of values and words that are not known whole
                steps.turns[-1][-1] |= rng.choice([
                    {"result": "it went w" + "...", "cut": ["result"]},
                    {"result": [{"type": "text", "text": "it went well"}]},
                    {"result": " ".join(word + tail for word in WORDS for tail in WORDS)}])
                valueless = True
            if rng.random() < 0.2:
                steps.turns[-1].append(dict(steps.turns[-1][-1]))
    return record(n, steps.turns, status, rng.choice("st")) | {"meta": {"valueless": valueless}}


def known(runs, rule):
    """The runs of which it is known whether they keep the rule."""
    of_value = "@result" in rule or " = " in rule
    return [r for r in runs if not (of_value and r.get("meta", {}).get("valueless"))]


def rng_of(seed):
    return random.Random(seed)
