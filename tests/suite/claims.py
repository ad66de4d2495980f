"""A brute-force reading of the claims of the rules language on the events of a run
(tests/suite/events.py). It tries every sequence of events, has no state, and is slow.
Three values: NO, UNKNOWN, YES. UNKNOWN is what the record does not decide; a reading
that finds YES or NO of a run with gaps relies on the words of mcpl-rules(5) about what
the log does not record."""

import json

from events import If, State, members, milliseconds
from rules import MISSING, NO, NONE, ORDERED, UNKNOWN, YES, Row, compare, same


def is_open(run, *patterns):
    """Returns whether events like these may be missing."""
    return run.texts_open or run.open and any(p.kind == "call" for p in patterns) or \
        run.mute and any(p.kind == "said" for p in patterns)


def between(run, a, b):
    """Returns the events that start after the one and before the other."""
    return [e for e in run.events if a.start < e.start < b.start]


def neighbours(run, a, b):
    """Returns whether no call of the same agent starts between two events."""
    return YES if not [e for e in between(run, a, b)
                       if e.kind == "call" and e.agent in (a.agent, b.agent)] else NO


def in_time(a, b, limit):
    """Returns whether the time from one event to another is within the limit."""
    if limit is None or a is b:
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
            text += f" {self.where} {'just ' if self.just else ''}"
            text += ", ".join(map(str, self.chains))
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
                    came = max((c.truth for e in between(run, a, last) if e not in events for c in
                                self.before.after(run, e, State(YES, s.bound))), default=NO)
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
        if self.event.variables():  # a value that no call has for certain may not be there
            sure = [any(truth == YES for truth, _ in group) for group in groups]
            verdicts = [max(v, UNKNOWN) if not s else v for v, s in zip(verdicts, sure)]
            if groups and not any(sure):
                none = self.of([], more)
                verdicts.append(none if none == min(verdicts) else UNKNOWN)
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

    identical = staticmethod(Row.identical)

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
        if not parts:  # not recorded, or the run has no such part
            return UNKNOWN
        found = [self.one(part) for part in parts]
        if any(when == YES and claim == NO for when, claim in found):
            return NO
        if all(when == NO for when, _ in found):
            return UNKNOWN
        if self.per in ("message", "agent") and run.open:  # one that is not recorded
            return UNKNOWN
        return YES if all(when == NO or (when, claim) == (YES, YES) for when, claim in found) \
            else UNKNOWN
