"""A brute-force reading of the second edition of the rules language, on the events of a
run: inputs of the user, texts of the agent and calls. It tries every sequence of
events, has no state, and is slow. Three values: NO, UNKNOWN, YES. UNKNOWN is what the
record does not decide; a reading that finds YES or NO of a run with gaps relies on the
words of mcpl-rules(5) about what the log does not record."""

import fnmatch
import itertools
import json
import re

from rules import (MISSING, NO, NONE, ORDERED, UNKNOWN, YES, Joined, Not, compare,
                   result_text, same, text_of)

__all__ = ["Joined", "Not"]
UNITS = {"ms": 1, "s": 1000, "m": 60000, "h": 3600000, "d": 86400000}
OWN = "own"  # the run's own agent


def milliseconds(time):
    """Returns the milliseconds of a time as a rule has it: 30s, 5m."""
    number, unit = re.fullmatch(r"(\d+)(\w+)", time).groups()
    return int(number) * UNITS[unit]


def stamp(ts):
    """Returns the milliseconds of a time of day as these runs have it, or MISSING."""
    if ts is MISSING:
        return MISSING
    day, hour, minute, second = map(int, re.fullmatch(
        r"2026-01-(\d\d)T(\d\d):(\d\d):(\d\d)Z", ts).groups())
    return (((day * 24 + hour) * 60 + minute) * 60 + second) * 1000


# ---- runs ----

class Event:
    """An input of the user, a text or a call. The event starts at `start`, and what a
    call found is there at `end`."""

    def __init__(self, kind, start, step, agent, turn):
        self.kind, self.start, self.end, self.agent, self.turn = kind, start, start, agent, turn
        self.text = step.get("prompt" if kind == "user" else "text", MISSING)
        self.cut = step.get("cut", [])
        self.message = step.get("message") if kind != "user" else None
        self.ts = stamp(step.get("ts", MISSING))
        self.names, self.sources, self.whole = set(), [], True
        if kind == "call":
            self.read(step)

    def read(self, step):
        self.names = {step["tool"], step.get("name", step["tool"])}
        if "server" in step:
            self.names |= {f"mcp__{step['server']}__{step['name']}",
                           f"{step['server']}:{step['name']}"}
        self.tool, self.by = step["tool"], step.get("agent", NONE)
        self.identity = step["tool"], step.get("server")
        self.args = step.get("args", MISSING)
        self.result = step.get("result", MISSING)
        self.error = step.get("is_error", MISSING)
        if self.error is MISSING and isinstance(self.result, dict):
            self.error = self.result.get("isError", MISSING)
        self.ms = step.get("duration_ms", MISSING)


class Run:
    """The events of a run, or of a part of a run. Calls may be missing anywhere if
    `open`, and texts too if `texts_open`."""

    def __init__(self, trace):
        self.trace, self.events, self.results = trace, [], []
        cut = trace.get("cut", [])
        self.holes = "tool_sequence" not in trace
        self.texts_open = "tool_sequence" in cut
        self.open = self.holes or self.texts_open
        self.clock = itertools.count()
        self.prompts = []  # (time, text or MISSING)
        for number, turn in enumerate(trace["turns"]):
            event = Event("user", next(self.clock), turn, OWN, number)
            self.events.append(event)
            self.prompts.append((event.start, event.text))
            self.add(turn["steps"], OWN, number)
        self.set_ends()
        self.set_times()

    def add(self, steps, agent, turn):
        for step in steps:
            mine = agent
            if agent == OWN and "agent" in step:
                mine = "named " + step["agent"]
            if "text" in step:
                self.events.append(Event("said", next(self.clock), step, mine, turn))
            elif "tool" in step and not (self.holes and "args" not in step and "result" in step):
                event = Event("call", next(self.clock), step, mine, turn)
                self.events.append(event)
                if "steps" in step:
                    self.add(step["steps"], f"start {event.start}", turn)
                event.end = next(self.clock) - 1
            elif "result" in step:
                start = next(self.clock)
                self.results.append((start, step))
                self.add(step.get("steps", []), f"start {start}", turn)

    def set_ends(self):
        """A result is there after all calls of the message."""
        calls = self.calls()
        for call in calls:
            call.end = max([call.end] + [other.start for other in calls if
                                         call.message is not None and
                                         other.message == call.message])

    def set_times(self):
        """A text has the time of a call of its message."""
        for event in self.events:
            if event.kind == "said":
                event.ts = next((c.ts for c in self.calls() if event.message is not None and
                                 c.message == event.message), MISSING)

    def calls(self):
        return [e for e in self.events if e.kind == "call"]

    def part(self, events, last=True):
        """Returns a part of the run, which is open only if it is the last."""
        part = Run.__new__(Run)
        part.__dict__ = dict(self.__dict__, events=events)
        part.open, part.texts_open = self.open and last, self.texts_open and last
        part.all = getattr(self, "all", self)
        return part

    def parts(self, per):
        """Returns the parts, or None if the record does not tell them."""
        if per == "turn":
            count = len(self.trace["turns"])
            return [self.part([e for e in self.events if e.turn == n], n == count - 1)
                    for n in range(count)]
        if per == "agent":
            agents = [OWN] + sorted({e.agent for e in self.events} - {OWN})
            return [self.part([e for e in self.events if e.agent == a]) for a in agents]
        if any(e.message is None for e in self.events if e.kind != "user"):
            return None
        messages = sorted({e.message for e in self.events if e.kind != "user"})
        return [self.part([e for e in self.events if e.message == m and e.kind != "user"])
                for m in messages]

    def known(self, event):
        """Returns the texts that were known when the event started, and whether the
        record has all of them."""
        run = getattr(self, "all", self)
        texts, whole = [], not run.open
        if "system" in run.trace:
            texts.append(run.trace["system"])
        for start, text in run.prompts:
            if start < event.start:
                texts += [] if text is MISSING else [text]
                whole = whole and text is not MISSING
        for start, step in run.results:
            if start < event.start:
                texts.append(text_of(result_text(step["result"])))
        for call in run.calls():
            if call.end < event.start and call is not event:
                if call.result is not MISSING:
                    texts.append(text_of(result_text(call.result)))
                whole = whole and call.result is not MISSING and "result" not in call.cut
        return texts, whole


# ---- values ----

def printed(result):
    """Returns the texts of a result: as logged, and printed with and without blanks."""
    text, v = result_text(result), result
    if isinstance(text, str):
        try:
            v = json.loads(text)
        except ValueError:
            v = None
    if not isinstance(v, (dict, list)):
        return [text if isinstance(text, str) else json.dumps(text)]
    return [text, *[json.dumps(v, separators=s, ensure_ascii=False) for s in
                    ((",", ":"), (", ", ": "), (",", ": "), (", ", ":"))]]


def members(v, path):
    """Returns the values of a path: [NONE] if there is none, [] of an empty list."""
    steps = re.findall(r"(\w+)|\[(\d+|\*)\]", path)
    found, elements = [v], False
    for key, index in steps:
        inner = []
        for one in found:
            if key and isinstance(one, dict) and key in one:
                inner.append(one[key])
            elif index == "*" and isinstance(one, list):
                elements = True
                inner += one
            elif index and index != "*" and isinstance(one, list) and int(index) < len(one):
                inner.append(one[int(index)])
            else:
                inner.append(NONE)
        found = inner
    return found if found or elements else [NONE]


def token_in(v, text):
    """Returns whether a value stands in a text, not as a part of a longer one."""
    if isinstance(v, (int, float)) and not isinstance(v, bool):
        numbers = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)", text)
        return any(float(n) == v for n in numbers)
    return re.search(rf"(?<!\w){re.escape(text_of(v))}(?!\w)", text) is not None


# ---- rules ----

class Groups:
    """/.../ in which (?<k>...) binds $k."""

    def __init__(self, pattern, caseless=False):
        self.pattern, self.caseless = pattern, caseless
        self.regex = re.compile(pattern.replace("(?<", "(?P<"), re.I if caseless else 0)

    def __str__(self):
        return f"/{self.pattern}/{'i' if self.caseless else ''}"


class Var:
    """$x in a condition."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "$" + self.name


class State:
    """What a part of a rule found so far: how sure it is, the variables, and the
    conditions that wait for a variable."""

    def __init__(self, truth=YES, bound=None, waiting=()):
        self.truth, self.bound, self.waiting = truth, bound or {}, waiting

    def but(self, truth, **bound):
        return State(min(self.truth, truth), {**self.bound, **bound}, self.waiting)

    def agreeing(self, truth, groups):
        """Returns the state after named groups, or None if a variable has another value."""
        for name, v in groups.items():
            old = self.bound.get(name, v)
            if MISSING in (old, v):
                truth = min(truth, UNKNOWN)
            elif not same(old, v):
                return None
        return self.but(truth, **{**groups, **self.bound})

    def settled(self, run):
        """Returns the states after the conditions whose variable is bound by now."""
        states = [State(self.truth, self.bound, ())]
        for condition, event in self.waiting:
            states = [after for s in states for after in condition.after(run, event, s)
                      if after.truth != NO]
        return states


def show(v):
    if isinstance(v, (Var, Groups)):
        return str(v)
    return v if isinstance(v, str) and re.fullmatch("[a-z]+", v) else json.dumps(v)


class If:
    """A condition on a call: VALUE OP, with what it is compared with. The subject is
    PATH, @args, @result, @result.PATH, @ms, @agent, @tool, @error or len(...)."""

    def __init__(self, subject, op, *against):
        self.subject, self.op, self.against = subject, op, against

    def __str__(self):
        if self.subject == "@error":
            return f"{self.op}@error"
        if self.op in ("unseen", "absent"):
            return f"{self.subject} {self.op}"
        if self.op in ("in", "!in"):
            return f"{self.subject} {self.op} ({', '.join(map(show, self.against))})"
        return f"{self.subject} {self.op} {show(self.against[0])}"

    def of_result(self):
        return re.match(r"@(result|error|ms)|len\(@result", self.subject) is not None

    def inner(self):
        m = re.fullmatch(r"len\((.*)\)", self.subject)
        return m[1] if m else self.subject

    def values(self, event):
        """Returns the values of the subject in a call, of which any may fit."""
        subject = self.inner()
        if subject.startswith("@result") and subject != "@result":
            if event.result is MISSING:
                return [MISSING]
            v = result_text(event.result)
            try:
                v = json.loads(v)
            except ValueError:
                return [MISSING if "result" in event.cut else NONE]
            found = members(v, subject[len("@result"):])
        elif subject[0] == "@":
            name = {"@agent": "by"}.get(subject, subject[1:])
            v = getattr(event, name)
            found = [v]
        else:
            found = [MISSING] if event.args is MISSING else members(event.args, subject)
        if self.subject != subject:
            found = [v if v is MISSING else len(v) if isinstance(v, (str, list, dict)) else NONE
                     for v in found]
        return found

    def is_cut(self, event):
        if self.subject in ("@ms", "@error", "@agent", "@tool"):
            return False
        return ("result" if "@result" in self.subject else "args") in event.cut

    def after(self, run, event, state):
        """Returns the states after the condition, without those that are NO."""
        variable = self.against and isinstance(self.against[0], Var) and self.against[0].name
        if variable and variable not in state.bound and self.op != "=":
            return self.later(event, state)
        states, cut = [], self.is_cut(event)
        values = self.values(event)
        if not values and cut:
            values = [MISSING]
        if cut and "[*]" in self.subject:
            values = [*values, MISSING]
        for v in values:
            if variable and variable not in state.bound:
                if v is not NONE or cut:
                    unknown = cut or v is MISSING
                    states.append(state.but(UNKNOWN if unknown else YES,
                                            **{variable: MISSING if unknown else v}))
                continue
            against = state.bound[variable] if variable else \
                self.against[0] if self.against else None
            truth = self.fits(run, event, v, against, cut)
            if min(truth, state.truth) != NO:
                states += filter(None, (state.agreeing(truth, groups)
                                        for groups in self.groups(v, against, truth)))
        return states

    def later(self, event, state):
        """Returns the states in which the condition waits for its variable, if it may
        fit some value."""
        waiting = State(state.truth, state.bound, (*state.waiting, (self, event)))
        values = self.values(event)
        if self.is_cut(event) or MISSING in values:
            return [waiting.but(UNKNOWN)]
        if all(v is NONE for v in values):
            return [state] if values and self.op in ("!=", "!~") else []
        return [waiting]

    def fits(self, run, event, v, against, cut):
        """Returns whether a value fits."""
        op = self.op
        if v is MISSING or against is MISSING:
            return UNKNOWN
        if self.subject == "@error":
            return YES if v == (op == "") else NO
        if cut and (op not in ("~", "!~") or v is NONE or "." in self.inner()[1:]):
            return UNKNOWN
        if op == "absent":
            return YES if v is NONE else NO
        if v is NONE:
            return YES if op in ("!=", "!~", "!in") else NO
        if op in ("in", "!in"):
            found = any(same(v, a) for a in self.against)
            return YES if found == (op == "in") else NO
        if op == "unseen":
            return self.unseen(run, event, v)
        if op in ("~", "!~"):
            return self.matches(v, against, cut)
        if self.subject == "@result":
            v = result_text(v)
        return YES if compare(op, v, against) else NO

    def texts(self, v):
        return printed(v) if self.subject == "@result" else [text_of(v)]

    def groups(self, v, against, truth):
        """Returns the variables that a pattern's named groups bind: each match's in turn."""
        if self.op != "~" or not isinstance(against, Groups) or not against.regex.groupindex:
            return [{}]
        if truth == UNKNOWN:
            return [dict.fromkeys(against.regex.groupindex, MISSING)]
        return [m.groupdict() for text in self.texts(v) for m in against.regex.finditer(text)]

    @staticmethod
    def unseen(run, event, v):
        texts, whole = run.known(event)
        if isinstance(v, bool) or any(text_of(v) in text for text in texts):
            return NO
        return YES if whole else UNKNOWN

    def matches(self, v, against, cut):
        texts = self.texts(v)
        if isinstance(against, Groups):
            found = any(map(against.regex.search, texts))
            sure = found and not re.search(r"\$|\(\?|\\b", against.pattern)
        else:
            found = any(token_in(against, text) for text in texts)
            sure = found and all(token_in(against, text + x) for text in texts for x in "a1.")
        if cut and not sure:
            return UNKNOWN
        return YES if found == (self.op == "~") else NO


class Call:
    """A call in a rule: names and conditions. A `!` negates the whole list."""

    kind = "call"

    def __init__(self, globs, *conditions, but=False):
        self.globs, self.conditions, self.negated = globs, conditions, but

    def __str__(self):
        names = "|".join(g if re.fullmatch(r"[\w*?.:-]+", g) and g not in WORDS
                         else json.dumps(g) for g in self.globs)
        conditions = f"({', '.join(map(str, self.conditions))})" if self.conditions else ""
        return ("!" if self.negated else "") + names + conditions

    def happened(self, event):
        """Returns when the event has happened."""
        return event.end if any(c.of_result() for c in self.conditions) else event.start

    def after(self, run, event, state):
        """Returns the states in which the event fits, without those that are NO."""
        if event.kind != "call" or self.negated == any(
                fnmatch.fnmatchcase(name, glob) for name in event.names for glob in self.globs):
            return []
        states = [state]
        for condition in self.conditions:
            states = [after for s in states for after in condition.after(run, event, s)]
        return [settled for s in states for settled in
                (s.settled(run) if s.waiting and self.ready(s) else [s])]

    @staticmethod
    def ready(state):
        """Returns whether a waiting condition's variable is bound by now."""
        return any(c.against[0].name in state.bound for c, _ in state.waiting)

    def fits(self, run, event):
        return max([s.truth for s in self.after(run, event, State())], default=NO)

    def variables(self):
        return [c.against[0].name for c in self.conditions
                if c.against and isinstance(c.against[0], Var) and c.op == "="]


WORDS = {"then"}


class Words:
    """An input of the user or a text of the agent in a rule."""

    conditions = ()

    def __init__(self, kind, op, text):
        self.kind, self.op, self.text = kind, op, text
        self.against = (text,)

    def __str__(self):
        text = json.dumps(self.text) if isinstance(self.text, str) else str(self.text)
        return f"{self.kind} {self.op} {text}"

    @staticmethod
    def happened(event):
        return event.start

    def after(self, run, event, state):
        if event.kind != self.kind:
            return []
        if event.text is MISSING:
            return [state.but(UNKNOWN)]
        against = self.text
        if isinstance(against, Var):
            if against.name not in state.bound:
                return [State(state.truth, state.bound, (*state.waiting, (self, event)))]
            against = state.bound[against.name]
            if against is MISSING:
                return [state.but(UNKNOWN)]
        groups, cut = {}, "text" in event.cut
        if self.op in ("has", "lacks"):
            found = against.lower() in event.text.lower()
            sure = found
        elif isinstance(against, Groups):
            match = against.regex.search(event.text)
            found, groups = match is not None, match.groupdict() if match else {}
            sure = found and not re.search(r"\$|\(\?|\\b", against.pattern)
        else:
            found = token_in(against, event.text)
            sure = found and all(token_in(against, event.text + x) for x in "a1.")
        if cut and not sure:
            return [state.but(UNKNOWN)]
        return [state.but(YES, **groups)] if found == (self.op in ("has", "~")) else []

    def fits(self, run, event):
        return max([s.truth for s in self.after(run, event, State())], default=NO)

    @staticmethod
    def variables():
        return []


def is_open(run, *patterns):
    """Returns whether events like these may be missing."""
    return run.texts_open or run.open and any(p.kind == "call" for p in patterns)


def between(run, a, b):
    """Returns the events that start after the one and before the other."""
    return [e for e in run.events if a.start < e.start < b.start]


def neighbours(run, a, b):
    """Returns whether no call of the same agent starts between two events."""
    return YES if not [e for e in between(run, a, b)
                       if e.kind == "call" and e.agent in (a.agent, b.agent)] else NO


def in_time(a, b, limit):
    """Returns whether the time from one event to another is within the limit."""
    if limit is None:
        return YES
    if a.ts is MISSING or b.ts is MISSING:
        return UNKNOWN
    return YES if max(0, b.ts - a.ts) <= milliseconds(limit) else NO


class Chain:
    """event { then [just] event }; a claim: happened in this order."""

    binds = 4

    def __init__(self, *patterns, just=()):
        self.patterns, self.just = patterns, just  # just: the places behind a `then just`

    def __str__(self):
        return str(self.patterns[0]) + "".join(
            f" then {'just ' if i in self.just else ''}{p}"
            for i, p in enumerate(self.patterns[1:], 1))

    def instances(self, run, state, begin=-1, first=0, last=None):
        """Yields (state, the events, when the chain has happened) of each sequence that
        may fit, whose first event starts after begin."""
        pattern = self.patterns[first]
        for event in run.events:
            if event.start <= begin:
                continue
            for after in pattern.after(run, event, state):
                if last is not None and first in self.just:
                    after = after.but(neighbours(run, last, event))
                if after.truth == NO:
                    continue
                done = pattern.happened(event)
                if first + 1 == len(self.patterns):
                    yield after, [event], done
                else:
                    for final, events, end in self.instances(run, after, done, first + 1, event):
                        yield final, [event, *events], end

    def holds(self, run):
        best = UNKNOWN if is_open(run, *self.patterns) else NO
        for state, *_ in self.instances(run, State()):
            best = max(best, settle(run, state))
        return min(best, UNKNOWN) if self.just and is_open(run, *self.patterns) else best


def settle(run, state):
    """Returns how sure a state is, after the conditions that waited."""
    return max([s.truth for s in state.settled(run)], default=NO)


class Past:
    """no event [(before | after) [just] chain {, chain} [since | until event] [within]]"""

    binds = 4

    def __init__(self, event, where="", *chains, just=False, reset=None, within=None):
        self.event, self.where, self.chains = event, where, chains
        self.just, self.reset, self.within = just, reset, within

    def __str__(self):
        text = f"no {self.event}"
        if self.where:
            text += f" {self.where} {'just ' if self.just else ''}" + ", ".join(map(str, self.chains))
        if self.reset:
            text += f" {'since' if self.where == 'before' else 'until'} {self.reset}"
        return text + (f" within {self.within}" if self.within else "")

    def earlier(self, run, a, state):
        """Returns whether one of the chains came before the event a."""
        best = NO
        for chain in self.chains:
            for after, events, done in chain.instances(run, state):
                last = events[-1]
                if done >= a.start or last is a:
                    continue
                for s in after.settled(run) if after.waiting else [after]:
                    truth = min(s.truth, in_time(last, a, self.within))
                    if self.just:
                        truth = min(truth, neighbours(run, last, a))
                    if self.reset and truth != NO:
                        truth = min(truth, 2 - self.was_reset(run, last, a, s))
                    best = max(best, truth)
        return best

    def was_reset(self, run, b, a, state):
        return max((s.truth for e in between(run, b, a) for s in
                    self.reset.after(run, e, State(YES, state.bound))), default=NO)

    def holds(self, run):
        patterns = [self.event, *[p for c in self.chains for p in c.patterns],
                    *([self.reset] if self.reset else [])]
        worst = NO
        for a in run.events:
            for state in self.event.after(run, a, State()):
                if not self.where:
                    worst = max(worst, settle(run, state))
                    continue
                earlier = self.earlier(run, a, State(YES, state.bound, state.waiting))
                worst = max(worst, min(state.truth,
                                       earlier if self.where == "after" else 2 - earlier))
        if is_open(run, *patterns):
            decided = not self.reset and not self.just and self.where != "before" and \
                not any(c.just for c in self.chains)
            return NO if decided and worst == YES else UNKNOWN
        return 2 - worst


class Response:
    """every event then [just] chain [before event] [within TIME]"""

    binds = 4

    def __init__(self, event, chain, just=False, before=None, within=None):
        self.event, self.chain, self.just = event, chain, just
        self.before, self.within = before, within

    def __str__(self):
        text = f"every {self.event} then {'just ' if self.just else ''}{self.chain}"
        if self.before:
            text += f" before {self.before}"
        return text + (f" within {self.within}" if self.within else "")

    def answered(self, run, a, state):
        best = NO
        begin = self.event.happened(a)
        for after, events, _ in self.chain.instances(
                run, State(YES, state.bound, state.waiting), begin):
            first, last = events[0], events[-1]
            for s in after.settled(run) if after.waiting else [after]:
                truth = min(s.truth, in_time(a, last, self.within))
                if self.just:
                    truth = min(truth, neighbours(run, a, first))
                if self.before and truth != NO:
                    came = max((c.truth for e in between(run, a, last) if e not in events
                                for c in self.before.after(run, e, State(YES, s.bound))), default=NO)
                    truth = min(truth, 2 - came)
                best = max(best, truth)
        return best

    def holds(self, run):
        if is_open(run, self.event, *self.chain.patterns, *([self.before] if self.before else [])):
            return UNKNOWN
        worst = NO
        for a in run.events:
            for state in self.event.after(run, a, State()):
                worst = max(worst, min(state.truth, 2 - self.answered(run, a, state)))
        return 2 - worst


def by_value(run, pattern, events):
    """Returns {value of $x: [(truth, event)]} of the events that may fit; an unknown
    value's events are those of None too."""
    variables, found = pattern.variables(), {}
    for event in events:
        mine = {}
        for s in pattern.after(run, event, State()):
            v = s.bound.get(variables[0]) if variables else ""
            key = None if v is MISSING else json.dumps(v)
            mine[key] = max(mine.get(key, NO), s.truth)
        for key, truth in mine.items():
            found.setdefault(key, []).append((truth, event))
    return found


def with_unknown(groups):
    """Returns the groups of known values, each with the events of unknown values, and
    the events of unknown values by themselves."""
    unknown = groups.pop(None, [])
    for key in groups:
        known = {id(e) for _, e in groups[key]}
        groups[key] = sorted(groups[key] + [(UNKNOWN, e) for _, e in unknown
                                            if id(e) not in known], key=lambda x: x[1].start)
    return list(groups.values()), [(UNKNOWN, e) for _, e in unknown]


def ranged(op, low, high, limit):
    """Compares a number from low to high with a limit."""
    if op == "=":
        return NO if limit < low or limit > high else YES if low == high else UNKNOWN
    a, b = (ORDERED[op](n, limit) for n in (low, high))
    return YES if a and b else UNKNOWN if a or b else NO


class Counted:
    """(<= | >= | =) N event [within TIME]"""

    binds = 4

    def __init__(self, op, limit, event, within=None):
        self.op, self.limit, self.event, self.within = op, limit, event, within

    def __str__(self):
        return f"{self.op} {self.limit} {self.event}" + \
            (f" within {self.within}" if self.within else "")

    def of(self, group, more):
        """Returns the verdict of the events of one value."""
        if self.within:
            return self.windows(group, more)
        low = sum(truth == YES for truth, _ in group)
        return ranged(self.op, low, float("inf") if more else len(group), self.limit)

    def windows(self, group, more):
        need = self.limit + (self.op == "<=")
        best = UNKNOWN if more else YES if need == 0 else NO
        for i, (_, a) in enumerate(group):
            for j in range(i, len(group)):
                part = group[i:j + 1]
                near = in_time(a, group[j][1], self.within)
                ends = min(part[0][0], part[-1][0], near)
                if sum(truth == YES for truth, _ in part) >= need and ends == YES:
                    best = YES
                elif len(part) >= need:
                    best = max(best, min(UNKNOWN, near))
        return 2 - best if self.op == "<=" else best

    def holds(self, run):
        more = is_open(run, self.event)
        groups, unknown = with_unknown(by_value(run, self.event, run.events))
        verdicts = [self.of(group, more) for group in groups]
        if more or not groups or unknown:  # other values may be there, or none
            rest = self.of(unknown, more)
            if unknown and rest != YES and not (groups and self.op == "<="):
                rest = UNKNOWN
            if self.op == "<=" or not groups:
                verdicts.append(rest)
            elif rest != YES:
                verdicts.append(UNKNOWN)
        return min(verdicts)


class Amount:
    """(sum | distinct) (PATH) call OP N [within TIME]"""

    binds = 4

    def __init__(self, what, path, call, op, limit, within=None):
        self.what, self.path, self.call = what, path, call
        self.op, self.limit, self.within = op, limit, within

    def __str__(self):
        text = f"{self.what}({self.path}) {self.call} {self.op} {self.limit}"
        return text + (f" within {self.within}" if self.within else "")

    def total(self, values):
        """Returns the sum of values, or how many there are that differ; None: unknown."""
        if self.what == "distinct":
            return len({json.dumps(float(v) if isinstance(v, (int, float)) and
                                   not isinstance(v, bool) else v) for v in values})
        if any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in values):
            return None
        return sum(values)

    def of(self, group):
        """Returns the verdict on [(value, event)]."""
        windows = [group] if not self.within else \
            [group[i:j + 1] for i in range(len(group)) for j in range(i, len(group))]
        best = None
        for window in windows or [[]]:
            near = in_time(window[0][1], window[-1][1], self.within) if window else YES
            total = self.total([v for v, _ in window])
            truth = UNKNOWN if total is None else YES if compare(self.op, total, self.limit) else NO
            if self.op in ("<", "<="):
                truth = max(truth, 2 - near)
                best = truth if best is None else min(best, truth)
            else:
                truth = min(truth, near)
                best = truth if best is None else max(best, truth)
        return best

    def holds(self, run):
        look = If(self.path, "=", None)
        groups, unknown = with_unknown(by_value(run, self.call, run.calls()))
        valued = []
        for group in groups:
            mine = []
            for truth, event in group:
                v = look.values(event)[0]
                if v is MISSING or look.is_cut(event) or v is not NONE and truth == UNKNOWN:
                    return self.unsure(run, groups)
                if v is not NONE:
                    mine.append((v, event))
            valued.append(mine)
        if unknown or is_open(run, self.call):
            return self.unsure(run, groups)
        return min([self.of(group) for group in valued or [[]]])

    def unsure(self, run, groups):
        """distinct values that are too many stay too many."""
        if self.what != "distinct" or self.op not in ("<", "<=", "="):
            return UNKNOWN
        look = If(self.path, "=", None)
        for group in groups:
            sure = [(v, e) for truth, e in group if truth == YES and not look.is_cut(e)
                    for v in look.values(e) if v is not NONE and v is not MISSING]
            over = {"=": "<="}.get(self.op, self.op)
            if Amount(self.what, self.path, self.call, over, self.limit,
                      self.within).of(sure) == NO:
                return NO
        return UNKNOWN


class InARow:
    """(<= | >= | =) N call in a row: the identical call, no other between"""

    binds = 4

    def __init__(self, op, limit, call):
        self.op, self.limit, self.call = op, limit, call

    def __str__(self):
        return f"{self.op} {self.limit} {self.call} in a row"

    @staticmethod
    def identical(a, b):
        if a.identity != b.identity:
            return NO
        if a.args is MISSING or b.args is MISSING or "args" in a.cut + b.cut:
            return UNKNOWN
        return YES if same(a.args, b.args) else NO

    def longest(self, run, least):
        best = now = 0
        calls = run.calls()
        for i, call in enumerate(calls):
            if self.call.fits(run, call) < least:
                now = 0
            else:
                now = now + 1 if now and self.identical(calls[i - 1], call) >= least else 1
            best = max(best, now)
        return best

    def holds(self, run):
        if run.open:
            return UNKNOWN
        return ranged(self.op, self.longest(run, YES), self.longest(run, UNKNOWN), self.limit)


class Only:
    """only call {, call}"""

    binds = 4

    def __init__(self, *calls):
        self.patterns = calls

    def __str__(self):
        return "only " + ", ".join(map(str, self.patterns))

    def holds(self, run):
        fits = [max(p.fits(run, call) for p in self.patterns) for call in run.calls()]
        return min(fits + [UNKNOWN if run.open else YES])


class Edge:
    """(first | last) event: the first or last of its kind"""

    binds = 4

    def __init__(self, which, event):
        self.which, self.event = which, event

    def __str__(self):
        return f"{self.which} {self.event}"

    def holds(self, run):
        if is_open(run, self.event):
            return UNKNOWN
        events = [e for e in run.events if e.kind == self.event.kind]
        if not events:
            return NO
        return self.event.fits(run, events[0 if self.which == "first" else -1])


class Member:
    """trace.PATH (OP V | ~ RE | in)"""

    binds = 4

    def __init__(self, path, op, *against):
        self.condition = If(path, op, *against)

    def __str__(self):
        return f"trace.{self.condition}"

    def holds(self, run):
        v = members(run.trace, self.condition.subject)[0]
        if v is NONE:
            return UNKNOWN
        return self.condition.fits(run, None, v, self.condition.against[0], False)


class Statement:
    """A rule on a line of its own."""

    def __init__(self, claim, when=None, per=None):
        self.claim, self.when, self.per = claim, when, per

    def __str__(self):
        return (f"per {self.per} " if self.per else "") + str(self.claim) + \
            (f" if {self.when}" if self.when else "")

    def one(self, run):
        """Returns whether the rule applies, and whether its claim holds."""
        when = self.when.holds(run) if self.when else YES
        return when, self.claim.holds(run) if when != NO else YES

    def holds(self, run):
        """Returns NO, UNKNOWN or YES; UNKNOWN too if the rule does not apply."""
        parts = run.parts(self.per) if self.per else [run]
        if parts is None:
            return UNKNOWN
        found = [self.one(part) for part in parts]
        if any(when == YES and claim == NO for when, claim in found):
            return NO
        if all(when == NO for when, _ in found):
            return UNKNOWN
        return YES if all(when == NO or (when, claim) == (YES, YES) for when, claim in found) \
            else UNKNOWN
