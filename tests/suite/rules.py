"""The module that suites of the rules language share: random runs, a brute-force reading
of rules, and the verdicts of mcpl-check. The reading follows the words of
mcpl-rules(5) one by one: it tries every pair of calls, has no state, and is slow."""

import collections
import fnmatch
import json
import re
import tempfile
from pathlib import Path

from helper import call as command
from helper import tool_calls

NO, UNKNOWN, YES = 0, 1, 2  # and is min(), or is max(), not is 2 - x
VERDICT = {NO: "failed", UNKNOWN: "skipped", YES: "passed"}
MISSING = object()  # the log does not record the value
NONE = object()  # the log records that there is no such value

# ---- random runs ----

STRINGS = ["A-11", "B-22", "zed", "ok", "A-1"]
NUMBERS = [42, 13.5, 7001, 42.5]
TOOLS = [("get_one", None), ("get_two", None), ("put", "s1"), ("put", None), ("then", None),
         ("send-mail", "s1"), ("send-mail", "s2")]


def value(rand):
    """Returns a random argument."""
    return rand.choice(STRINGS[:3] + STRINGS[4:] + NUMBERS + [True])


def random_args(rand):
    """Returns random arguments, with few values, so that calls often agree."""
    args = {name: value(rand) for name in ("x", "y") if rand.random() < 0.75}
    if rand.random() < 0.3:
        args["n"] = rand.choice([0, 5, 42, 100.5, "42", -3])
    if rand.random() < 0.2:
        args["o"] = {"k": value(rand), "l": [value(rand), value(rand)]}
    return args


def random_result(rand):
    """Returns a random result: a text, an object, or the blocks of MCP."""
    words = rand.choices(STRINGS + NUMBERS + ["nothing"], k=rand.randint(1, 3))
    text = " ".join(map(str, words))
    blocks = [{"type": "text", "text": text}]
    return rand.choice(["ok", text, text, {"id": words[0], "n": 1}, {str(words[0]): {"n": 1}},
                        blocks, {"content": blocks, "isError": rand.random() < 0.5}])


def random_call(rand, tools, gaps, depth=0):
    """Returns a random call. With gaps, evidence may be missing."""
    tool, server = rand.choice(tools)
    step = {"tool": tool}
    if server:
        step |= {"tool": f"mcp__{server}__{tool}", "server": server, "name": tool}
    if rand.random() >= gaps:
        step["args"] = random_args(rand)
    if rand.random() >= gaps:
        step["result"] = random_result(rand)
    if rand.random() >= gaps:
        step["is_error"] = rand.random() < 0.25
    if rand.random() >= gaps:
        step["duration_ms"] = rand.choice([5, 80, 100, 4000])
    cut = [name for name in ("args", "result") if name in step and rand.random() < gaps / 2]
    if "args" in cut and rand.random() < 0.5:
        step["args"] = json.dumps(step["args"])[:-3]
    step |= {"cut": cut} if cut else {}
    if depth < 2 and rand.random() < 0.06:
        step["steps"] = random_steps(rand, tools, gaps, rand.randint(0, 3), depth + 1)
    return step


def random_steps(rand, tools, gaps, calls, depth=0):
    """Returns random steps, in which a call is often made again."""
    steps, last = [], None
    for _ in range(calls):
        if rand.random() < 0.2:
            steps.append({"text": f"I try {value(rand)}."})
        if last is None or rand.random() < 0.7:
            last = random_call(rand, tools, gaps, depth)
        steps.append(json.loads(json.dumps(last)))
    return steps


def names_of(steps):
    """Returns the names of the calls in steps, as tool_sequence lists them."""
    return [name for step in steps if "tool" in step
            for name in [step["tool"], *names_of(step.get("steps", []))]]


def random_run(rand, number):
    """Returns a random trace."""
    tools = rand.sample(TOOLS, rand.randint(1, 4))
    gaps = rand.choice([0, 0, 0, 0.03, 0.15])
    run = {"type": "trace", "v": 1, "id": f"r{number}", "scenario_id": rand.choice(["s1", "t1"])}
    turns = []
    for _ in range(rand.choice([1, 1, 2, 3])):
        turn = {"steps": random_steps(rand, tools, gaps, rand.choice([0, 1, 2, 2, 3, 4]))}
        if rand.random() >= gaps:
            turn = {"prompt": f"Please {value(rand)} and {value(rand)}"} | turn
        turns.append(turn)
    if "prompt" in turns[0]:
        run["prompt"] = turns[0]["prompt"]
    if rand.random() >= gaps:
        run["duration_ms"] = rand.choice([500, 30000, 90000])
    run["usage"] = {name: n for name, n in (("input_tokens", rand.choice([900, 9000])),
                                            ("output_tokens", 100), ("cost_usd", 0.25))
                    if rand.random() >= gaps}
    if rand.random() >= gaps:
        run["final_text"] = f"Done {value(rand)} with {value(rand)}."
    if rand.random() < gaps and "final_text" in run:
        run["cut"] = ["final_text"]
    if rand.random() < gaps:
        run.setdefault("cut", []).append("tool_sequence")
    unnamed, unrecorded = (rand.random() < gaps / 2 for _ in range(2))
    if unnamed:  # a result without its call
        turns[-1]["steps"].insert(0, {"id": "c0", "result": random_result(rand)})
    if unrecorded:
        for turn in turns:
            turn["steps"] = [step for step in turn["steps"] if "text" in step]
    elif '"cut": [' in json.dumps(turns):
        run.setdefault("cut", []).append("turns")
    if not unnamed and not unrecorded:
        run["tool_sequence"] = [name for turn in turns for name in names_of(turn["steps"])]
    return run | {"turns": turns}


# ---- runs as rules see them ----

class Call:
    """A call: its values, which may be MISSING, and what is known before it."""

    def __init__(self, step, seen, seen_all):
        self.names = {step["tool"], step.get("name", step["tool"])}
        if "server" in step:
            self.names.add(f"mcp__{step['server']}__{step['name']}")
        self.identity = step["tool"], step.get("server")
        self.args = step.get("args", MISSING)
        self.result = step.get("result", MISSING)
        self.error = step.get("is_error", MISSING)
        if self.error is MISSING and isinstance(self.result, dict):
            self.error = self.result.get("isError", MISSING)
        self.cut = step.get("cut", [])
        self.ms = step.get("duration_ms", MISSING)
        self.seen, self.seen_all = seen, seen_all
        self.start = self.end = 0


class Run:
    """A run: its calls in order, whether more calls may follow unrecorded, and whether
    there may be unrecorded calls anywhere (holes)."""

    def __init__(self, trace):
        self.trace = trace
        self.cut = trace.get("cut", [])
        self.calls = []
        self.holes = "tool_sequence" not in trace
        self.open = self.holes or "tool_sequence" in self.cut
        seen, whole = [], not self.open
        for turn in trace["turns"]:
            seen, whole = seen + [turn.get("prompt", "")], whole and "prompt" in turn
            seen, whole = self.add(turn["steps"], seen, whole)

    def add(self, steps, seen, whole):
        """Adds the calls of steps. Returns the texts that a later call can know, and
        whether the record has all of them. A call of a sub-agent comes before the
        result of the call that started the sub-agent."""
        for step in steps:
            if "tool" in step:
                call = Call(step, seen, whole)
                unasked = call.args is MISSING and call.result is not MISSING
                if not (self.holes and unasked):  # the result of an earlier run's call
                    call.start = len(self.calls)
                    self.calls.append(call)
                seen, whole = self.add(step.get("steps", []), seen, whole)
                call.end = max(call.start, len(self.calls) - 1)
                if call.result is not MISSING:
                    seen = seen + [text_of(result_text(call.result))]
                if call.result is MISSING or "result" in call.cut:
                    whole = False
            elif "result" in step:
                seen = seen + [text_of(result_text(step["result"]))]
        return seen, whole


def same(a, b):
    """Returns whether two values are equal as JSON."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (list, dict)) and type(a) is type(b):
        return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)
    return a == b


def text_of(v):
    """Returns the text of a value: a string itself, else its strings and scalars."""
    if isinstance(v, str):
        return v
    if isinstance(v, list):
        return "\n".join(map(text_of, v))
    if isinstance(v, dict):
        return "\n".join(map(text_of, v.values()))
    return json.dumps(v)


def result_text(v):
    """Returns the text of a result: of the blocks of MCP, or the JSON."""
    blocks = v.get("content") if isinstance(v, dict) else v
    texts = [b["text"] for b in blocks if isinstance(b, dict) and isinstance(b.get("text"), str)] \
        if isinstance(blocks, list) else []
    return "\n".join(texts) if texts else json.dumps(v) if isinstance(v, (dict, list)) else v


def has_token(text, wanted, cut):
    """Returns whether the text has the wanted one with no letter, digit or _ next to it, and
    a number not within a longer one; in a cut text whether it surely has."""
    plain = re.fullmatch(r"(-?\d+)(?:\.(\d+))?", wanted)
    if plain:
        part = (plain[2] or "").rstrip("0")
        zeros = rf"\.{part}0*" if part else r"(?:\.0+)?"
        pattern = rf"(?<!\d\.)(?<!\w){plain[1]}{zeros}(?!\.?\d)(?!\w)"
    else:
        pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)"
    return any(not cut or text[m.end():m.end() + 1] not in ("", "\n", ".")
               for m in re.finditer(pattern, text))


def printed(text):
    """Returns a result as logged, and, if it is JSON, in the two usual ways to print it."""
    try:
        v = json.loads(text)
    except ValueError:
        return [text]
    return [text] if not isinstance(v, (dict, list)) else \
        [text, json.dumps(v, separators=(",", ":")), json.dumps(v)]


# ---- rules ----

class Variable:
    """$x in a condition."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "$" + self.name


class Regex:
    """/.../ in a condition or a claim."""

    def __init__(self, pattern, caseless=False):
        self.pattern, self.caseless = pattern, caseless
        self.regex = re.compile(pattern, re.I if caseless else 0)

    def __str__(self):
        return f"/{self.pattern}/{'i' if self.caseless else ''}"


def show(v):
    """Returns a value as a rule has it."""
    if isinstance(v, (Variable, Regex)):
        return str(v)
    return v if isinstance(v, str) and re.fullmatch("[a-z]+", v) else json.dumps(v)


ORDERED = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
           ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


def number_of(v):
    """Returns the number of a value, also of a text that is one, or None."""
    try:
        return None if isinstance(v, (bool, list, dict)) else float(v)
    except ValueError:
        return None


def compare(op, a, b):
    """Compares two values with an operator."""
    if op in ("=", "!="):
        return same(a, b) == (op == "=")
    if isinstance(a, str) and isinstance(b, str):
        return ORDERED[op](a, b)
    a, b = number_of(a), number_of(b)
    return a is not None and b is not None and ORDERED[op](a, b)


class Condition:
    """A condition on a call: SUBJECT OP VALUE."""

    def __init__(self, subject, op, value=None):
        self.subject, self.op, self.value = subject, op, value

    def __str__(self):
        if self.subject == "@error":
            return f"{self.op}@error"
        if self.op == "unseen":
            return f"{self.subject} unseen"
        return f"{self.subject} {self.op} {show(self.value)}"

    def of(self, call):
        """Returns the value of the condition's subject in the call."""
        if self.subject in ("@args", "@result", "@ms", "@error"):
            return getattr(call, self.subject[1:])
        if call.args is MISSING:
            return MISSING
        v = call.args
        for key, index in re.findall(r"(\w+)|\[(\d+)\]", self.subject):
            if key and isinstance(v, dict) and key in v:
                v = v[key]
            elif index and isinstance(v, list) and int(index) < len(v):
                v = v[int(index)]
            else:
                return NONE
        return v

    def holds(self, call, bound):
        """Returns YES, NO or UNKNOWN. bound has the values of variables; those that
        it lacks are bound here, by `=`."""
        v, against = self.of(call), self.value
        cut = ("result" if self.subject == "@result" else "args") in call.cut and \
            self.subject not in ("@ms", "@error")
        if isinstance(against, Variable):
            if against.name not in bound:
                bound[against.name] = MISSING if cut else v
                return UNKNOWN if cut or v is MISSING else NO if v is NONE else YES
            against = bound[against.name]
        if v is MISSING or cut and (v is NONE or against is MISSING or
                                    self.op not in ("~", "!~")):
            return UNKNOWN
        if self.subject == "@error":
            return YES if v == (self.op == "") else NO
        if v is NONE:
            return YES if self.op in ("!=", "!~") else NO
        if self.subject == "@result" and self.op in ("=", "!=", "~", "!~"):
            v = result_text(v)
        if self.op == "unseen":
            if isinstance(v, bool) or any(text_of(v) in text for text in call.seen):
                return NO
            return YES if call.seen_all else UNKNOWN
        if against is MISSING:
            if self.op == "=":  # then this is the value that the log lacks
                bound[self.value.name] = v
            return UNKNOWN
        if self.op in ("~", "!~"):
            text = text_of(v)
            pattern = isinstance(against, Regex)
            texts = printed(text) if self.subject == "@result" and not cut else [text]
            found = any(against.regex.search(t) for t in texts) if pattern \
                else has_token(text, text_of(against), cut)
            if cut and not (found and not (pattern and "$" in against.pattern)):
                return UNKNOWN
            return YES if found == (self.op == "~") else NO
        return YES if compare(self.op, v, against) else NO


class Pattern:
    """A call in a rule: names and conditions."""

    def __init__(self, globs, *conditions):
        self.globs, self.conditions = globs, conditions

    def __str__(self):
        names = "|".join(json.dumps(g) if g == "then" else g for g in self.globs)
        return names + (f"({', '.join(map(str, self.conditions))})" if self.conditions else "")

    def done(self, call):
        """Returns when such a call has happened: with a condition on the result, when the
        result is there, behind the calls of the call's sub-agent."""
        late = any(c.subject in ("@result", "@error", "@ms") for c in self.conditions)
        return call.end if late else call.start

    def fits(self, call, bound):
        if not any(fnmatch.fnmatchcase(name, glob) for name in call.names for glob in self.globs):
            return NO
        return min([c.holds(call, bound) for c in self.conditions], default=YES)


class Claim:
    """A claim, which holds, does not hold, or is not decided in a run."""
    binds = 4  # how closely: or is 1, and 2, not 3

    def inner(self, claim, least):
        return f"({claim})" if claim.binds < least else str(claim)


class Called(Claim):
    """call { then call }"""

    def __init__(self, *patterns):
        self.patterns = patterns

    def __str__(self):
        return " then ".join(map(str, self.patterns))

    def holds(self, run):
        return self.after(run, 0, 0, {})

    def after(self, run, first, begin, bound):
        """Returns whether the patterns from first on fit calls from begin on."""
        if first == len(self.patterns):
            return YES
        best = UNKNOWN if run.open else NO
        for i in range(begin, len(run.calls)):
            now = dict(bound)
            fits = self.patterns[first].fits(run.calls[i], now)
            if fits > best:
                done = self.patterns[first].done(run.calls[i])
                best = max(best, min(fits, self.after(run, first + 1, done + 1, now)))
        return best


class Absent(Claim):
    """no call [(before | after) call {, call}]"""

    def __init__(self, pattern, where="", *others):
        self.pattern, self.where, self.others = pattern, where, others

    def __str__(self):
        tail = f" {self.where} {', '.join(map(str, self.others))}" if self.where else ""
        return f"no {self.pattern}{tail}"

    def earlier(self, run, i, bound):
        return max((other.fits(call, dict(bound)) for call in run.calls[:i]
                    for other in self.others if other.done(call) < i), default=NO)

    def holds(self, run):
        if run.open and self.where == "before":
            return UNKNOWN
        found = []
        for i, call in enumerate(run.calls):
            bound = {}
            fits = self.pattern.fits(call, bound)
            if fits != NO and self.where == "before":
                fits = min(fits, 2 - self.earlier(run, i, bound))
            elif fits != NO and self.where == "after":
                fits = min(fits, self.earlier(run, i, bound))
            found.append(fits)
        if run.open:  # calls that the log lacks; their values are not known
            found.append(UNKNOWN)
        return 2 - max(found, default=NO)


class Every(Claim):
    """every call then call"""

    def __init__(self, first, second):
        self.first, self.second = first, second

    def __str__(self):
        return f"every {self.first} then {self.second}"

    def holds(self, run):
        result = UNKNOWN if run.open else YES
        for i, call in enumerate(run.calls):
            bound = {}
            fits = self.first.fits(call, bound)
            if fits != NO:
                later = [self.second.fits(other, dict(bound))
                         for other in run.calls[self.first.done(call) + 1:]]
                result = min(result, max([2 - fits, UNKNOWN if run.open else NO, *later]))
        return result


def within(op, low, high, limit):
    """Compares a number from low to high with a limit."""
    compared = [compare(op, n, limit) for n in (low, high)]
    if op == "=":
        return NO if limit < low or limit > high else YES if low == high else UNKNOWN
    return YES if all(compared) else UNKNOWN if any(compared) else NO


class Count(Claim):
    """OP N call"""

    def __init__(self, op, limit, pattern):
        self.op, self.limit, self.pattern = op, limit, pattern

    def __str__(self):
        return f"{self.op} {self.limit} {self.pattern}"

    def more(self, worlds, values, may_lack):
        """Returns the worlds with another call that has one of the values, and those
        without it if there may be no such call."""
        grown = {world if may_lack else None for world in worlds}
        for world in worlds:
            for value in values:
                counts = dict(world)
                counts[value] = min(counts.get(value, 0) + 1, self.limit + 1)
                grown.add(frozenset(counts.items()))
        return grown - {None}

    def worlds(self, run):
        """Returns all that may have happened: in each world, how many calls there are
        with each value. Any call of a run that is open may have been made."""
        calls = []
        for call in run.calls:
            bound = {}
            fits = self.pattern.fits(call, bound)
            if fits != NO:
                calls.append((fits, list(bound.values())[0] if bound else ""))
        variable = any(isinstance(c.value, Variable) for c in self.pattern.conditions)
        values = {json.dumps(v) for _, v in calls if v is not MISSING} or {json.dumps("")}
        if variable:
            values |= {"new", "newer"}
        worlds = {frozenset()}
        for fits, v in calls:
            unknown = v is MISSING
            worlds = self.more(worlds, values if unknown else [json.dumps(v)],
                               unknown or fits == UNKNOWN)
        while run.open and len(grown := self.more(worlds, values, True)) > len(worlds):
            worlds = grown
        return worlds

    def holds(self, run):
        """The number of calls with each value counts by itself; of no call it is 0."""
        verdicts = {all(compare(self.op, n, self.limit) for _, n in world or [("", 0)])
                    for world in self.worlds(run)}
        return UNKNOWN if len(verdicts) > 1 else YES if verdicts == {True} else NO


class Row(Count):
    """OP N call in a row"""

    def __str__(self):
        return super().__str__() + " in a row"

    @staticmethod
    def identical(a, b):
        if a.identity != b.identity:
            return NO
        if a.args is MISSING or b.args is MISSING or "args" in a.cut + b.cut:
            return UNKNOWN
        return YES if same(a.args, b.args) else NO

    def longest(self, run, least):
        best = now = 0
        for i, call in enumerate(run.calls):
            if self.pattern.fits(call, {}) < least:
                now = 0
            elif now and self.identical(run.calls[i - 1], call) >= least:
                now += 1
            else:
                now = 1
            best = max(best, now)
        return best

    def holds(self, run):
        if run.open:
            return UNKNOWN
        return within(self.op, self.longest(run, YES), self.longest(run, UNKNOWN), self.limit)


class Only(Claim):
    """only call {, call}"""

    def __init__(self, *patterns):
        self.patterns = patterns

    def __str__(self):
        return "only " + ", ".join(map(str, self.patterns))

    def holds(self, run):
        fits = [max(p.fits(call, {}) for p in self.patterns) for call in run.calls]
        return min(fits + [UNKNOWN if run.open else YES])


class Text(Claim):
    """(answer | prompt) (has | lacks | ~ | =) TEXT"""

    def __init__(self, what, op, text):
        self.what, self.op, self.text = what, op, text

    def __str__(self):
        shown = str(self.text) if self.op == "~" else json.dumps(self.text)
        return f"{self.what} {self.op} {shown}"

    def found(self, text, cut):
        """Returns whether the text, which may be cut short, has what the claim names."""
        if self.op in ("has", "lacks"):
            found = self.text.lower() in text.lower()
        elif self.op == "~":
            found = self.text.regex.search(text) is not None
            cut = cut and not (found and "$" not in self.text.pattern)
        else:
            found = text == self.text
            cut = cut and self.text.startswith(text)
            return UNKNOWN if cut else YES if found else NO
        return YES if found and (self.op != "~" or not cut) else UNKNOWN if cut else NO

    def holds(self, run):
        if self.what == "answer":
            texts, more = [run.trace.get("final_text")], False
        else:  # any of the user's inputs
            texts, more = [turn.get("prompt") for turn in run.trace["turns"]], \
                "tool_sequence" in run.cut
        found = [UNKNOWN if text is None else self.found(text, self.what == "answer" and
                                                         "final_text" in run.cut)
                 for text in texts]
        best = max(found + [UNKNOWN if more else NO])
        return 2 - best if self.op == "lacks" else best


class Number(Claim):
    """(calls | errors | turns | tokens | cost | time) OP N"""

    def __init__(self, what, op, limit, shown=None):
        self.what, self.op, self.limit, self.shown = what, op, limit, shown or limit

    def __str__(self):
        return f"{self.what} {self.op} {self.shown}"

    def measured(self, trace):
        """Returns the recorded parts of what the run took, and whether these are all."""
        usage = trace.get("usage", {})
        names = {"tokens": ["input_tokens", "output_tokens"], "cost": ["cost_usd"]}
        if self.what in names:
            parts = [usage[name] for name in names[self.what] if name in usage]
            return parts, len(parts) == len(names[self.what])
        parts = [len(trace["turns"])] if self.what == "turns" else \
            [trace["duration_ms"]] if "duration_ms" in trace else []
        return parts, True

    def holds(self, run):
        if self.what not in ("calls", "errors"):
            parts, whole = self.measured(run.trace)
            if not parts:
                return UNKNOWN
            whole = whole and "tool_sequence" not in run.cut
            return within(self.op, sum(parts), sum(parts) if whole else float("inf"), self.limit)
        pattern = Pattern(["*"], *[Condition("@error", "")] * (self.what == "errors"))
        return Count(self.op, self.limit, pattern).holds(run)


class Not(Claim):
    binds = 3

    def __init__(self, claim):
        self.claim = claim

    def __str__(self):
        return "not " + self.inner(self.claim, 3)

    def holds(self, run):
        return 2 - self.claim.holds(run)


class Joined(Claim):
    """claim (and | or) claim"""

    def __init__(self, word, *claims):
        self.word, self.claims, self.binds = word, claims, 2 if word == "and" else 1

    def __str__(self):
        """A call alone is in brackets, lest it reads as a part of the claim before it."""
        return f" {self.word} ".join(
            f"({c})" if isinstance(c, Called) else self.inner(c, self.binds)
            for c in self.claims)

    def holds(self, run):
        return (min if self.word == "and" else max)(c.holds(run) for c in self.claims)


class Rule:
    """A line of a file of rules. The condition, severity, section and label are optional."""

    def __init__(self, claim, when=None, severity=None, section="*", label=""):
        self.claim, self.when, self.severity = claim, when, severity
        self.section, self.label = section, label

    def __str__(self):
        words = [self.severity] if self.severity else []
        words += [str(self.claim)] + (["if", str(self.when)] if self.when else [])
        return " ".join(words) + (f"   # {self.label}" if self.label else "")

    def verdict(self, run):
        """Returns the status, and whether the rule's own `if` is its reason."""
        when = self.when.holds(run) if self.when else YES
        if when != YES:
            return "skipped", when == NO
        return VERDICT[self.claim.holds(run)], False


# ---- the same calls as in a good run ----

def selected(run, globs):
    """Returns the calls of a run whose names match a glob."""
    return [c for c in tool_calls([run])
            if any(fnmatch.fnmatchcase(c["tool"], glob) for glob in globs)]


def free_arguments(good, globs):
    """Returns the (tool, argument) of which no value occurs in two of the good runs and
    none is a number, if at least three of these call the tool."""
    values, callers = collections.defaultdict(set), collections.defaultdict(set)
    for i, run in enumerate(good):
        for c in selected(run, globs):
            callers[c["tool"]].add(i)
            for name, v in c["args"].items():
                values[c["tool"], name].add((json.dumps(v, sort_keys=True), i))
    return {(tool, name) for (tool, name), seen in values.items()
            if len(callers[tool]) >= 3 and len({v for v, _ in seen}) == len(seen)
            and not any(re.fullmatch(r"-?\d.*", v) for v, _ in seen)}


def without(v, path):
    """Returns a value without what is at the path, a list of names and "*"."""
    if isinstance(v, list) and path[0] == "*":
        return [None if len(path) == 1 else without(element, path[1:]) for element in v]
    if not isinstance(v, dict):
        return v
    return {name: member if name != path[0] else without(member, path[1:])
            for name, member in v.items() if [name] != path}


def same_as(run, traces, globs, in_order=False, ignoring=()):
    """Returns what `same` finds in a run, and how many arguments are free. traces are
    those of the file."""
    good = [t for t in traces if t.get("status") in (None, "passed")]
    good = [t for t in good if "scenario_id" in run and
            t.get("scenario_id") == run["scenario_id"]] or \
        [t for t in good if t.get("prompt") == run["prompt"]]
    free = free_arguments(good, globs)

    def effects(of):
        texts = []
        for c in selected(of, globs):
            args = {name: v for name, v in c["args"].items() if (c["tool"], name) not in free}
            for path in ignoring:
                args = without(args, re.findall(r"\w+|\*", path))
            texts.append(json.dumps([c["tool"], args], sort_keys=True))
        return texts if in_order else sorted(texts)

    status = "skipped" if not good else "failed"
    return "passed" if any(effects(t) == effects(run) for t in good) else status, len(free)


# ---- mcpl-check ----

def lines_of(rules):
    """Returns the lines of a file of rules, whose sections are together, and the
    number of the line of each rule."""
    lines, numbers, section = [], [], "*"
    for rule in rules:
        if rule.section != section:
            section = rule.section
            lines.append(f"[{section}]")
        lines.append(str(rule))
        numbers.append(len(lines))
    return lines, numbers


def checked(build, rules, traces, *options, good=()):
    """Checks traces by a text of rules, in which good.ndjson has the traces `good`.
    Returns the checked runs and the messages."""
    with tempfile.TemporaryDirectory() as folder:
        spec = Path(folder, "x.rules")
        spec.write_text(rules)
        Path(folder, "good.ndjson").write_text("".join(json.dumps(t) + "\n" for t in good))
        done = command([f"{build}/mcpl-check", "-s", spec, *options],
                       "".join(json.dumps(t) + "\n" for t in traces).encode())
    if done.returncode not in (0, 1):
        raise SystemExit(f"mcpl-check ended with {done.returncode}: "
                         f"{done.stderr.decode()[:2000]}")
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def results(run):
    """Returns the check results of a run, by the line of the rule."""
    return {int(r["at"].rsplit(":", 1)[1]): r for r in run["check_results"]}
