"""Random runs with messages, sub-agents, texts, times and errors; the same runs with
gaps; and runs that may be what was there before the gaps."""

import copy
import itertools
import json

STRINGS = ["A-11", "B-22", "zed", "ok"]
NUMBERS = [42, 13.5, 7001]
TOOLS = [("get_one", None), ("get_two", None), ("put", "s1"), ("put", None), ("then", None),
         ("send-mail", "s1"), ("send-mail", "s2"), ("user", None), ("sum", None), ("first", None)]
CODING = ["Bash", "Read", "Edit", "Bash", "Edit"]
COMMANDS = ["npm test", "git commit -m x", "ls && git commit -m x", "echo 'git commit -m x'",
            "git status; npm -s test", "git -C d commit", "(npm test) || ls", "npm run test"]


class Source:
    """The parts of which a random run is made: messages, agents, times, roles."""

    def __init__(self, rand, parts, tokens):
        self.rand, self.tokens = rand, tokens
        self.tools = rand.sample(TOOLS, rand.randint(1, 4))
        self.coding = "roles" in parts and rand.random() < 0.5
        self.messages = itertools.count() if "messages" in parts and rand.random() < 0.7 else None
        self.agents = "agents" in parts
        self.team = self.agents and rand.random() < 0.15
        self.timed = rand.random() < 0.8
        self.clock = 0
        self.ids = itertools.count()

    def value(self):
        more = ["A-1", 1, 42.25] if self.tokens else []
        return self.rand.choice(STRINGS[:3] + NUMBERS + [True] + more)

    def scalar(self):
        return self.rand.choice(STRINGS[:3] + NUMBERS)

    def sentence(self):
        shown = [str(self.rand.choice([self.scalar(), *["A-1", 1, "1.5"] * self.tokens]))
                 for _ in range(self.rand.randint(1, 3))]
        return self.rand.choice(["Please ", "yes, ", "I try ", "Done: "]) + " and ".join(shown)

    def args(self):
        rand = self.rand
        args = {name: self.value() for name in ("x", "y") if rand.random() < 0.75}
        if rand.random() < 0.4:
            args["n"] = rand.choice([0, 5, 42, 100.5, 7])
        if rand.random() < 0.2:
            args["o"] = {"k": self.value(), "l": [self.value(), self.value()]}
        if rand.random() < 0.2:
            args["q"] = rand.choice(["zed", "zed 42 A-11", "é"])
        if rand.random() < 0.3:
            args["xs"] = [self.scalar() for _ in range(rand.randint(0, 3))]
        return args

    def result(self):
        rand = self.rand
        words = rand.choices(STRINGS + NUMBERS + ["nothing"], k=rand.randint(1, 3))
        v = {"id": words[0], "n": rand.choice([1, 2]),
             "hits": [{"id": self.scalar()} for _ in range(rand.randint(0, 2))]}
        text = " ".join(map(str, words))
        return rand.choice(["ok", text, text, v, json.dumps(v), v,
                            [{"type": "text", "text": text}]])

    def tick(self):
        self.clock += self.rand.choice([0, 0, 1, 5, 30, 60, 3600])
        if self.rand.random() < 0.03:  # a clock that runs back
            self.clock = max(0, self.clock - 40)
        minutes, seconds = divmod(self.clock, 60)
        return f"2026-01-01T{minutes // 60:02}:{minutes % 60:02}:{seconds:02}Z"

    def call(self, depth):
        rand = self.rand
        tool, server = rand.choice(self.tools)
        if self.coding and rand.random() < 0.7:
            return self.coded(rand.choice(CODING))
        step = {"tool": tool}
        if server:
            step |= {"tool": f"mcp__{server}__{tool}", "server": server, "name": tool}
        step |= {"args": self.args(), "result": self.result(), "is_error": rand.random() < 0.25,
                 "duration_ms": rand.choice([5, 80, 100, 4000])}
        if self.agents and depth < 2 and rand.random() < 0.1:
            step["steps"] = self.steps(rand.randint(0, 3), depth + 1,
                                       rand.choice(["helper", "scout"]))
        return step

    def coded(self, tool):
        """Returns a call of a coding agent."""
        path = self.rand.choice(["a", "./a", "b/../a", "src//b.c", "src/b.c"])
        args = {"command": self.rand.choice(COMMANDS)} if tool == "Bash" else {"file_path": path}
        if tool == "Edit":
            args |= {"old_string": "p", "new_string": "q"}
        return {"tool": tool, "args": args, "result": "ok", "is_error": self.rand.random() < 0.3,
                "duration_ms": 5}

    def message(self, calls, agent, depth, last):
        """Returns the steps of a message with so many calls, or fewer."""
        marks = {} if self.messages is None else {"message": next(self.messages)}
        steps, ts = [], {"ts": self.tick()} if self.timed else {}
        if self.team and depth == 0 and self.rand.random() < 0.3:
            agent = "critic"
        marks |= {"agent": agent} if agent else {}
        if self.rand.random() < (0.3 if calls else 1):
            steps.append({"text": self.sentence()} | marks)
        for _ in range(calls):
            again = last and self.rand.random() < 0.25
            step = copy.deepcopy(last) if again else self.call(depth)
            step.pop("steps", 0) if again else 0
            step |= marks | ({"agent": agent} if agent else {}) | {"id": f"c{next(self.ids)}"}
            step |= ts
            steps.append(step)
            if self.rand.random() < 0.02:  # the user's own call is none of the agent's
                steps.append(self.call(2) | {"by": "user", "result": "none"})
            last = step
        return steps, last

    def steps(self, calls, depth=0, agent=None):
        steps, last = [], None
        while calls > 0:
            some = min(calls, self.rand.choice([1, 1, 1, 2, 3]))
            more, last = self.message(some, agent, depth, last)
            steps, calls = steps + more, calls - some
        if self.rand.random() < 0.4:
            steps += self.message(0, agent, depth, None)[0]
        return steps


def names_of(steps):
    return [name for step in steps if "tool" in step and "by" not in step
            for name in [step["tool"], *names_of(step.get("steps", []))]]


def finish(run):
    """Sets the members of a run that follow from its turns."""
    run["tool_sequence"] = [n for turn in run["turns"] for n in names_of(turn["steps"])]
    texts = [s["text"] for turn in run["turns"] for s in turn["steps"] if "text" in s]
    run.pop("prompt", 0)
    if any("text" in step for step in every_step(run)):
        run.pop("final_text", 0)
    if "prompt" in run["turns"][0]:
        run["prompt"] = run["turns"][0]["prompt"]
    if texts:
        run["final_text"] = texts[-1]
    return run


def whole_run(rand, number, parts, tokens=False):
    """Returns a random run without gaps, and its source."""
    source = Source(rand, parts, tokens)
    run = {"type": "trace", "v": 1, "id": f"r{number}", "turns": []}
    if rand.random() < 0.5:
        run["meta"] = {"role": rand.choice(["admin", "guest"]), "n": rand.choice([1, 5])}
    if "system" in parts and rand.random() < 0.3:
        run["system"] = f"You know {source.scalar()}."
    for _ in range(rand.choice([1, 1, 2, 3])):
        turn = {"prompt": source.sentence()} | ({"ts": source.tick()} if source.timed else {})
        run["turns"].append(turn | {"steps": source.steps(rand.choice([0, 1, 2, 2, 3, 4, 5]))})
    finish(run)
    if "answer" in parts and "final_text" not in run and rand.random() < 0.3:
        run["final_text"] = source.sentence()
    return run, source


# ---- gaps ----

def all_steps(steps):
    for step in steps:
        yield step
        yield from all_steps(step.get("steps", []))


def every_step(run):
    return [s for turn in run["turns"] for s in all_steps(turn["steps"])]


def shorten(rand, step, name):
    """Cuts a text, arguments or a result short."""
    text = step[name] if isinstance(step[name], str) else json.dumps(step[name])
    step[name] = text[:rand.randint(1, len(text))]
    step["cut"] = [*step.get("cut", []), name]


def drop_steps(rand, steps, share):
    """Drops steps at random places, or the last ones. Returns whether it did."""
    dropped = [s for s in steps if rand.random() < share]
    steps[:] = [s for s in steps if not any(s is d for d in dropped)]
    return bool(dropped)


def with_gaps(rand, run):
    """Returns the run as a log may have it that lacks something."""
    run, share = copy.deepcopy(run), rand.choice([0.03, 0.1, 0.3])
    for step in every_step(run):
        for name in ("args", "duration_ms", "is_error", "result", "ts"):
            if name in step and rand.random() < share / 2:
                step.pop(name)
                if name == "result":
                    step.pop("is_error", 0)
        for name in ("text", "args", "result"):
            if name in step and rand.random() < share / 4:
                shorten(rand, step, name)
    for turn in run["turns"]:
        for name in ("prompt", "ts"):
            if name in turn and rand.random() < share / 2:
                turn.pop(name)
    if any("text" in step for step in every_step(run)):
        run.pop("final_text", 0)
    kind = rand.randrange(5)
    cut = {"turns"} if any("cut" in s for s in every_step(run)) else set()
    if kind == 0:  # the log ends, or lacks records
        for turn in run["turns"]:
            drop_steps(rand, turn["steps"], share)
        cut.add("tool_sequence")
    finish(run)
    if kind == 1:  # a result without its call
        calls = [s for s in every_step(run) if "result" in s and "id" in s and "steps" not in s]
        if calls:
            step = rand.choice(calls)
            for name in set(step) - {"id", "result", "message", "cut"}:
                step.pop(name)
            run.pop("tool_sequence")
    return run | ({"cut": sorted(cut)} if cut else {})


def completed(rand, source, run):
    """Returns a run that may have been there before the gaps."""
    original = source.original
    run = copy.deepcopy(run)
    lacking = [turn for turn, whole in zip(run["turns"], original["turns"])
               if "tool_sequence" in run.get("cut", []) or
               names_of(turn["steps"]) != names_of(whole["steps"])]
    by_id = {s["id"]: s for s in every_step(original) if "id" in s}
    for step in every_step(run):
        cut = step.pop("cut", [])
        if "text" in cut:
            step["text"] += rand.choice(["", "1", " zed", " A-11", "x 42"])
        if "id" not in step:
            continue
        if "tool" not in step:
            step |= {k: v for k, v in by_id[step["id"]].items() if k != "steps"}
        if "args" in cut:
            step["args"] = by_id[step["id"]]["args"]
        if "result" in cut and isinstance(step["result"], str):
            step["result"] = rand.choice([by_id[step["id"]]["result"],
                                          step["result"] + rand.choice(["", " ok", " 42"])])
        step.setdefault("args", by_id[step["id"]]["args"] if step["tool"] in CODING
                        else source.args())
        step.setdefault("result", source.result())
        step.setdefault("is_error", rand.random() < 0.5)
        step.setdefault("duration_ms", rand.choice([5, 100, 4000]))
    for turn in run["turns"]:
        turn.setdefault("prompt", source.sentence())
    for turn in lacking:
        fill(rand, source, turn["steps"])
    run.pop("cut", 0)
    return finish(run)


def fill(rand, source, steps):
    """Puts calls into steps at random places."""
    numbers = [s["message"] for s in steps if "message" in s]
    for _ in range(rand.choice([0, 0, 1, 2])):
        step = source.call(2) | {"id": f"c{next(source.ids)}"}
        if source.messages is not None:
            step["message"] = rand.choice([next(source.messages), *numbers[:1]])
        steps.insert(rand.randint(0, len(steps)), step)
