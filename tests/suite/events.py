"""The events of a run (inputs of the user, texts of the agent, and calls), and whether an
event is as a rule describes it. tests/suite/claims.py reads the rules themselves."""

import fnmatch
import itertools
import json
import posixpath
import re

from rules import (MISSING, NO, NONE, UNKNOWN, YES, Regex, Variable, compare, result_text,
                   same, text_of)

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
        self.trace, self.events, self.results, self.answer = trace, [], [], None
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
        if "final_text" in trace and not any(e.kind == "said" for e in self.events):
            self.events.append(Event("said", next(self.clock), {"text": trace["final_text"]},
                                     OWN, len(trace["turns"]) - 1))
            self.answer = self.events[-1]
        # A log without any text of the agent may be one that keeps none.
        self.mute = not any(e.kind == "said" for e in self.events)
        self.set_ends()
        self.set_times()

    def add(self, steps, agent, turn):
        for step in steps:
            mine = agent
            if agent == OWN and "agent" in step:
                mine = "named " + step["agent"]
            if "text" in step:
                self.events.append(Event("said", next(self.clock), step, mine, turn))
            elif "by" in step:  # the agent is shown what the user's own call found
                if "result" in step:
                    self.results.append((next(self.clock), step))
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
        """Returns a part of the run. A run that is cut off is open in its last turn only;
        a call without a name may be anywhere."""
        part = Run.__new__(Run)
        part.__dict__ = dict(self.__dict__, events=events)
        part.texts_open = self.texts_open and last
        part.open = self.holes or part.texts_open
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
        steps = [e for e in self.events if e.kind != "user" and e is not self.answer]
        if any(e.message is None for e in steps):
            return None
        return [self.part([e for e in steps if e.message == m])
                for m in sorted({e.message for e in steps})]

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
                whole = whole and "result" not in step.get("cut", [])
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

class Groups(Regex):
    """/.../ in which (?<k>...) binds $k."""

    def __init__(self, pattern, caseless=False):
        self.pattern, self.caseless = pattern, caseless
        self.regex = re.compile(pattern.replace("(?<", "(?P<"), re.I if caseless else 0)


class State:
    """The finding of a part of a rule so far: how sure it is, the variables, and the
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
    if isinstance(v, (Variable, Groups)):
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
        variable = self.against and isinstance(self.against[0], Variable) and self.against[0].name
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

    def texts(self, v, cut):
        """Returns the texts of which a pattern may fit any."""
        if self.subject != "@result":
            return [text_of(v)]
        return printed(v)[:1] if cut else printed(v)

    def groups(self, v, against, truth):
        """Returns the variables that a pattern's named groups bind: each match's in turn."""
        if self.op != "~" or not isinstance(against, Groups) or not against.regex.groupindex:
            return [{}]
        if truth == UNKNOWN:
            return [dict.fromkeys(against.regex.groupindex, MISSING)]
        return [match.groupdict() for text in self.texts(v, False)
                for match in against.regex.finditer(text)]

    @staticmethod
    def unseen(run, event, v):
        texts, whole = run.known(event)
        if isinstance(v, bool) or any(text_of(v) in text for text in texts):
            return NO
        return YES if whole else UNKNOWN

    def matches(self, v, against, cut):
        texts = self.texts(v, cut)
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
                if c.against and isinstance(c.against[0], Variable) and c.op == "="]


class Edit(Call):
    """A call of the role :edit or :read, or of both, of which a path may be asked for."""

    def __init__(self, roles, *conditions):
        super().__init__([{":edit": "Edit", ":read": "Read", ":shell": "Bash"}[r] for r in roles],
                         *conditions)
        self.roles = roles

    def __str__(self):
        return "|".join(self.roles) + super().__str__()[len("|".join(self.globs)):]


class Path(If):
    """A condition on the argument `path` of a role: of the path without ./ and ../"""

    def values(self, event):
        if event.args is MISSING or "args" in event.cut:
            return [MISSING]
        if "file_path" not in event.args:
            return [NONE]
        return [posixpath.normpath(event.args["file_path"])]


class Command(Call):
    """A call of a shell that runs a command. commands: those of COMMANDS that do."""

    def __init__(self, text, commands, *conditions):
        super().__init__(["Bash"], *conditions)
        self.text, self.commands = text, commands

    def __str__(self):
        return f'run "{self.text}"' + super().__str__()[len("Bash"):]

    def after(self, run, event, state):
        if event.kind != "call" or event.tool != "Bash":
            return []
        if event.args is not MISSING and "args" not in event.cut:
            fits = event.args["command"] in self.commands
            return super().after(run, event, state) if fits else []
        return super().after(run, event, state.but(UNKNOWN))


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
        if isinstance(against, Variable):
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
