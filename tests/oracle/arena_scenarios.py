"""Random scenarios for PromptKit Arena: the answers and calls of its model, and
assertions about them, in the words of the version that mcpl follows and in the
words of the later version that npm installs."""
import json
import re

from rivals import Chance

TOOLS = ["echo", "search", "a2a__agent__ask", "a2a__helper__do"]
STATES = ["intake", "middle", "done", "nowhere", "Intake", ""]
EVENTS = ["Next", "Next", "Skip", "Back", "Again", "Finish", "Nonsense"]
LONG = 240  # bytes; a guardrail cuts longer answers


class Raw(str):
    """A value that is written to YAML unchanged."""


def quoted(text):
    out = ""
    for c in text:
        if c in '"\\':
            out += "\\" + c
        elif c.isascii() and c.isprintable() or 0xa1 <= ord(c) < 0x2000:
            out += c
        else:
            out += "\\U%08X" % ord(c)
    return '"' + out + '"'


def yaml(value):
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "{%s}" % ", ".join(
            f"{quoted(k)}: {yaml(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ", ".join(map(yaml, value))
    return json.dumps(value)


# ---- texts of the model ----

ORDER = '{"order": {"id": 7, "status": "paid", "total": 12.50, "tags": ["a", "b"]}}'
ITEMS = '{"items": [{"n": 1, "s": "x"}, {"n": 2.0, "s": "y"}, {"n": null}]}'
LIST = "[1, 2, 3]"
DEEP = '{"a": {"b": {"c": [[1], [2, [3]]]}}}'
ODDS = '{"n": 1e2, "big": 12345678901234567890, "e": "é😀", "z": ""}'
TWICE = '{"a": 1, "a": {"b": 2}, "b": {"n": 1, "n": "2"}}'
JSONS = [
    ORDER, ITEMS, LIST, DEEP, ODDS, TWICE, ORDER, ITEMS, LIST, DEEP, ODDS, TWICE,
    '[]', '{}', '"text"', '42', '1.0', 'null', 'true', '-0', ' {"a":1}\n',
    '{"email": "a@b.example", "date": "2024-02-30", "ip": "1.2.3.4"}',
    '{"\\u0061": "\\ud83d\\ude00"}', '{"a": "\\ud83d"}',
]
NO_JSONS = ['{"a": 1,}', "{'a': 1}", 'NaN', '[1 2]', '{"a": 01}', '{"a": "\t"}', '{"a": 1} x',
            '[1e400]', '\ufeff{}', '{"a": "\\x"}', '[', '"\\ud83"', '.5', '+1', '1.', '{"a" 1}']
PROSE = [
    "The capital of France is Paris.", "PARIS", "Done.\nOrder 12345 is paid!\n",
    "straße, STRASSE, Straẞe", "İstanbul ılık Iı", "5 \u212a, \u017fee, ΣΑΣ σας ς",
    "café CAFÉ cafe\u0301", "😀 smile 👩‍👩‍👧", "a\tb\r\nc\u2028d\u00a0e", "no", "",
    "Call 555-123-4567 or mail a.b@c.example", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
    "C++ and c++ are one; hell and hello are two. Is it so? Yes!! No...", "x" * 60,
    "I said darn, and that is banned.", "  padded  ",
]
WRAPPED = [
    "```json\n%s\n```", "Here:\n```\n%s\n```\nThat is all.", "So: %s it is.",
    "```json %s```", "{not} %s", "%s and %s", "```json\n%s", "[see] %s",
    "```yaml\na: 1\n```\n```json\n%s\n```", '"a { b" %s',
]
VALUES = [
    "a", "A", "a b", "", "1", "true", "null", "<nil>", "2024-01-15", "01234", "é", "yes",
    "[a b]", "map[a:1]", "1e+06", 1, 1.5, 0, -1, 7, 16, 668, 1000, 999999, 1000000,
    1234567.5, 0.0001, 0.00001, 1e21, True, False, None, [], ["a", "b"], ["a b"],
    [1, 2], [None], [["a"], {"b": 1}], {}, {"a": 1}, {"a": 1, "b": 2}, {"a": None},
]
ODD = [Raw(v) for v in ["0x10", "1_000", "1e3", "01234", "0o17", "2024-01-15", "yes", "~",
                        "-0.0", "1.0", "+7", "12:30:45", "08901", "True", "1e+06",
                        "0b101", "Null", "|", "!!str 7"] if v != "|"]
SPELLED = {16: "0x10", 1000: "1_000", 668: "01234", 7: "+7", 1: "1.0", 1000000: "1e6", 1.5: "15e-1",
           999999: "999_999", None: "~", "2024-01-15": "2024-01-15", "01234": "01234", "yes": "yes"}
KEYS = ["s", "n", "v", "é", "x.y"]
PATTERNS = [
    "Paris", "paris", "(?i)paris", "^The", r"\.$", "$", "", r"\bcaf", r"\bcafé\b", r"\d{3}-\d+",
    "(?i)k", "(?i)s", "(?i)straße", "[^a-z]+$", "a.c", "(?s)a.*e$", "(?m)^Order", "(a+)+$",
    r"\x{1F600}", r"\p{Greek}+", r"\pL", "[[:upper:]]{5}", r"\Q++\E", "^$", "^(?:a|b)*$",
    "(?U)a+b", "x{60}", "^.{60}$", r"\z", r"done\.?", "yes|no", "(?P<n>o)", "(?<n>o)", ".",
    r"[\d\s]", r"(?-s).$", r"1e\+06", "^1000000$", "map", r"^\[a b\]$", "<nil>", "^1$",
]
NO_PATTERNS = ["(", r"\C", "[a", "a{2,1}", "(?=a)", "(?<=a)b", r"(a)\1", "*a", "a**", r"\Z", "a{1001}",
               "(?x)a", r"\8", "(?P<n", "[z-a]", r"\p{Nope}", "a++", r"\h"]
ANY_PATHS = ["@", "nope", "nope.deeper", "type(@)", "to_number('7')", "`1.0`", "'raw'", "nope || 'else'",
             "abs(`-3`)", "length(@)", "!nope", "`[1, 2]`", "keys(@)", "[0]", "*", "[]", "a", "to_array(@)"]
PATHS = {
    ORDER: ["order.status", "order.id", "order.total", "order.tags", "order.tags[0]", "order.tags[-1]",
            "sort(keys(order))", "to_string(order.id)", "order.{i: id, s: status}", "[order.id, order.status]",
            "order.id == `7`", "order.id != `7.0`", "!order", "order.id && order.status", "*.id",
            "contains(order.tags, 'a')", "contains(order.status, 'ai')", "join('-', order.tags)",
            "starts_with(order.status, 'p')", "not_null(nope, order.id)", "floor(order.total)", "ceil(order.total)",
            "length(order.tags)", "merge(order, order)", "length(order)", "order.id > `6` && order.total",
            "reverse(order.tags)", "reverse(order.status)", "to_string(order.tags)", "order | id", "\"order\".\"id\""],
    ITEMS: ["items[*].n", "items[].s", "items[?n > `1`].s", "items[?s == 'x'] | [0].n", "length(items)",
            "max(items[].n)", "sort_by(items[:2], &s)[0].s", "map(&n, items)", "items[0:2].n", "max_by(items[:2], &n).s",
            "min_by(items, &s).s", "items[?n].n", "items[?!n]", "items[-1].n", "sum(items[].n)", "items[*].[n, s]",
            "items[?contains(s, 'x')].n", "items[1].n", "sort(items[*].s)", "avg(items[].n)"],
    LIST: ["[0]", "[-1]", "[::2]", "[::-1]", "[5]", "max([1:])", "sum(@)", "avg(@)", "reverse(@)", "[1:]", "[?@ > `1`]",
           "contains(@, `2`)", "sort(@)", "min(@)", "[]", "[*]", "[-2:]", "to_string(@)", "[0] == `1`", "@[1]"],
    DEEP: ["a.b.c", "a.b.c[]", "a.b.c[][]", "a.b.c[1][1]", "values(a)", "a.*.c", "a.b.c[*][0]", "length(a.b.c)"],
    ODDS: ["n", "big", "e", '"e"', "z", "length(e)", "ends_with(e, 'x')", "n == `100`", "to_string(big)", "z || e",
           "reverse(e)", "to_string(n)", "big > `1e19`"],
    TWICE: ["a", "a.b", "length(@)", "sort(keys(@))", "b.n", "*.b", "a.n"],
}
NO_PATHS = ["$.order.status", "merge(order, {})", "order.", "[", "items[?", "a b", "", "order..id", "'open", "`{`", "&"]
EXPECTED = [True, True, 1, 2, [2, 3], "2", "a", "b", ["x", "y"], 5, 3.0, [1, 3], 12, 13, "ba",
            None, 7, 7.0, 7.5, "7", "paid", True, False, [], ["a", "b"], ["b", "a"], [1, 2], [1, 2.0, 3],
            {"i": 7, "s": "paid"}, "x", 2, 1, 12.5, 100, "", {}, {"a": None}, 12345678901234567890,
            "number", "object", "array", [7, "paid"], "else", "é😀", 6, 3, [3, 2, 1]]
SCHEMAS = [
    {}, {"type": "object"}, {"type": "array"}, {"type": "string"}, {"type": "integer"}, {"type": "null"},
    {"type": ["number", "boolean"]}, {"type": "object", "required": ["order"]}, {"enum": [42, "text", None]},
    {"properties": {"order": {"properties": {"status": {"enum": ["paid"]}}, "required": ["id"]}}},
    {"properties": {"a": {"type": "integer", "maximum": 1}}, "additionalProperties": False},
    {"items": {"type": "integer"}, "minItems": 1, "uniqueItems": True}, {"maxItems": 2}, {"const": [1, 2, 3]},
    {"type": "array", "contains": {"const": 2}}, {"not": {"type": "object"}}, {"minProperties": 1},
    {"properties": {"email": {"format": "email"}, "date": {"format": "date"}, "ip": {"format": "ipv4"}}},
    {"properties": {"date": {"format": "date-time"}}}, {"properties": {"ip": {"format": "ipv6"}}},
    {"anyOf": [{"type": "string"}, {"type": "array"}]}, {"oneOf": [{"type": "number"}, {"type": "integer"}]},
    {"allOf": [{"type": "object"}, {"maxProperties": 1}]}, {"pattern": "^t"}, {"minLength": 5}, {"maxLength": 4},
    {"$ref": "#/definitions/d", "definitions": {"d": {"type": "array"}}},
    {"definitions": {"d": {"required": ["a"]}}, "properties": {"a": {"$ref": "#/definitions/d"}}},
    {"if": {"type": "object"}, "then": {"required": ["a"]}, "else": {"type": "array"}},
    {"patternProperties": {"^[a-n]": {"type": "object"}}}, {"propertyNames": {"maxLength": 1}},
    {"exclusiveMinimum": 42}, {"minimum": 42, "exclusiveMinimum": True}, {"multipleOf": 0.5},
    {"dependencies": {"a": ["b"]}}, {"properties": {"n": {"multipleOf": 10}, "z": {"minLength": 0}}},
    {"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"},
    {"$schema": "http://json-schema.org/draft-07/schema#", "const": 1}, {"additionalItems": False, "items": [{}]},
    {"enum": []},
]
NO_SCHEMAS = [{"type": "bogus"}, {"required": "a"}, {"minimum": "1"}, {"pattern": "("},
              {"properties": []}, {"items": 3}, {"$ref": "#/definitions/none"}, {"maxLength": -1}]


def go_number(v):
    digits, power = f"{v:.16e}".split("e")
    for places in range(17):
        digits, power = f"{v:.{places}e}".split("e")
        if float(f"{digits}e{power}") == v:
            break
    if not -4 <= int(power) < 6:
        return f"{digits}e{power}"
    return repr(int(v)) if v == int(v) else repr(float(v))


def go(v):
    """Returns the text that Go prints for a JSON value."""
    if v is None or isinstance(v, bool):
        return {None: "<nil>", True: "true", False: "false"}[v]
    if isinstance(v, list):
        return "[%s]" % " ".join(map(go, v))
    if isinstance(v, dict):
        return "map[%s]" % " ".join(f"{k}:{go(v[k])}" for k in sorted(v))
    return v if isinstance(v, str) else go_number(v)


class Assertion:
    """ours and theirs: (type, params) for the two versions; theirs is None if both
    are the same. wrong: the assertion has a mistake that mcpl reports. later:
    (why, status here or None, verdict there or None) if the later version judges
    differently."""

    def __init__(self, kind, params, theirs=None, wrong=False, later=None):
        self.ours = (kind, params)
        self.theirs = theirs or self.ours
        self.wrong = wrong
        self.later = later
        self.compares = []  # pairs of values that the assertion compares


def line(form, more=""):
    kind, params = form
    shown = "" if params is None else f", params: {yaml(params)}"
    return f"- {{type: {yaml(kind)}{shown}{more}}}"


class Scenario(Chance):
    """calls: the messages of the model, a list for each turn."""

    def __init__(self, seed):
        super().__init__(seed)
        self.name = f"s{seed}"
        self.wide = self.chance(.4)  # every turn has calls, not only the last turn
        n = self.one([1, 1, 2, 3])
        self.calls = [self.turn(i == n - 1) for i in range(n)]
        self.said = [c["content"] for t in self.calls for c in t]
        self.made = [c for t in self.calls for m in t for c in m.get("tool_calls", [])]
        self.on_turn = [a for _ in range(12) if (a := self.assertion(False))]
        self.on_run = [a for _ in range(12) if (a := self.assertion(True))]

    def any(self, values, least=0, most=3):
        """Returns a list of `least` to `most` of the values."""
        return self.some(lambda: self.one(values), range(least, most + 1))

    # ---- the run ----

    def text(self):
        kind = self.one("pppjjjjwwn")
        if kind in "pn":
            return self.one(PROSE if kind == "p" else NO_JSONS)
        text = self.one(JSONS)
        return self.one(WRAPPED).replace("%s", text) if kind == "w" else text

    def call(self):
        tool = self.one(TOOLS + ["nosuch"])
        if self.chance(.3):
            return {"name": "workflow__transition",
                    "arguments": {"event": self.one(EVENTS), "context": "c"}}
        args = {k: self.one(VALUES) for k in KEYS if self.chance(.5)}
        if tool == "echo" and self.chance(.1):
            args["must"] = 5  # must be a text: an error
        return {"name": tool, "arguments": args}

    def asking(self):
        """Returns a message with calls. The message has at most one transition, because
        Arena chooses one of several transitions at random."""
        calls = self.some(self.call, [1, 2, 3])
        moves = [c for c in calls if c["name"] == "workflow__transition"]
        return {"content": self.one(["", "", "Let me see.", "darn"]),
                "tool_calls": [c for c in calls if c not in moves[1:]]}

    def turn(self, last):
        asks = (last or self.wide) and self.chance(.7)
        asked = self.some(self.asking, [1, 1, 2]) if asks else []
        return asked + [{"content": self.text()}]

    def mock(self):
        turns = [m for t in self.calls for m in t]
        lines = [f"  {self.name}:", "    turns:"]
        return lines + [f"      {i + 1}: {yaml(m)}" for i, m in enumerate(turns)]

    def file(self, theirs):
        """Returns the lines of the scenario, and the line number of each assertion."""
        out = ["apiVersion: promptkit.altairalabs.ai/v1alpha1", "kind: Scenario",
               f"metadata: {{name: {self.name}}}", "spec:", f"  id: {self.name}",
               "  task_type: general", "  description: random", "  turns:"]
        at = []
        for i in range(len(self.calls)):
            out += ["  - role: user", f"    content: {self.name} asks {i}"]
        groups = [("    assertions:", "    ", self.on_turn),
                  ("  conversation_assertions:", "  ", self.on_run)]
        for head, indent, group in groups:
            out += [head] if group else []
            for a in group:
                out.append(indent + line(a.theirs if theirs else a.ours))
                at.append(len(out))
        return out, at

    # ---- assertions ----

    def assertion(self, run):
        makers = [m for m in dir(self) if m.startswith("make_")]
        if not run and self.wide:  # the later version also sees the calls of earlier turns
            makers = [m for m in makers if not m.startswith("make_tool")]
        a = getattr(self, self.one(makers))(run)
        if a and not a.later and self.chance(.02):
            kind, params = a.ours
            a.wrong, a.ours = True, (kind, {**(params or {}), "nonsense": 1})
        return a

    def piece(self):
        """Returns a part of a text of the model, sometimes changed."""
        text = self.one([self.calls[-1][-1]["content"], self.one(self.said), self.one(PROSE)])
        a, b = sorted(self.random.randint(0, len(text)) for _ in "ab")
        text = self.one([text, text[a:b], text[a:b], text[a:a + 3], text[:b]])
        return self.one([text, text, text.lower(), text.upper(), text.swapcase(), text + "?"])

    def any_message(self, run):
        """Returns the difference for assertions of a run, for which the later version
        reads only the last message."""
        several = run and len(self.said) > 1
        return ("only the last message of the run", None, None) if several else None

    def make_content_includes(self, run):
        patterns = [self.piece() for _ in range(self.one([0, 1, 1, 2, 3]))]
        later = self.any_message(run)
        if not patterns:
            later = ("no patterns", "passed", False)
        return Assertion("content_includes", {"patterns": patterns}, later=later)

    def make_content_matches(self, run):
        if self.chance(.15):
            return Assertion("content_matches", {"pattern": self.one(NO_PATTERNS)}, wrong=True)
        pattern = self.one(PATTERNS)
        later = ("no pattern", "passed", False) if pattern == "" else self.any_message(run)
        return Assertion("content_matches", {"pattern": pattern}, later=later)

    def make_content_some(self, run):
        kind = self.one(["content_includes_any", "content_not_includes"])
        params = {"patterns": [self.piece() for _ in range(self.one([0, 1, 1, 2, 3]))]}
        return Assertion(kind, params) if run else None

    def make_content_banned(self, run):
        words = self.any(["hell", "hello", "c++", "Paris", "café", "no", "yes", "\u212a", "a", "x.y",
                           "I said", "é", "order", "one", "😀", "B"], 0, 3)
        several = len(self.said) > 1 and words
        return None if run else Assertion(
            "banned_words", {"words": words},
            ("content_excludes", {"patterns": words, "match_mode": "word_boundary"}),
            later=("all messages of the run", None, None) if several else None)

    def make_content_length(self, run):
        n = len(self.calls[-1][-1]["content"].encode())
        most = max(0, self.one([n, n - 1, n + 1, 0, 1, 1000]))
        return None if run else Assertion(
            self.one(["length", "max_length"]), {"max_characters": most}, ("max_length", {"max": most}),
            later=None if most else ("a length of 0", None, False))

    def where(self):
        return {k: self.one([True, True, False]) for k in ["allow_wrapped", "extract_json"] if self.chance(.4)}

    def make_json_valid(self, run):
        return None if run else Assertion("is_valid_json", self.where() or None)

    def make_json_schema(self, run):
        if run:
            return None
        if self.chance(.1):
            return Assertion("json_schema", {"schema": self.one(NO_SCHEMAS)}, wrong=True)
        return Assertion("json_schema", {"schema": self.one(SCHEMAS), **self.where()})

    def make_json_path(self, run):
        if run:
            return None
        if self.chance(.1):
            return Assertion("json_path", {"expression": self.one(NO_PATHS), "expected": 1}, wrong=True)
        answer = self.calls[-1][-1]["content"]
        near = [p for doc, paths in PATHS.items() if doc in answer for p in paths]
        params = {"expression": self.one(near or ANY_PATHS), **self.where()}
        if self.chance(.35):
            params["expected"] = self.one(EXPECTED)
        if self.chance(.2):
            params["contains"] = self.one([e for e in EXPECTED if isinstance(e, list)])
        for key, pool in [("min", [0.5, 6.5, 7.5]), ("max", [2.5, 7.5, 0.5]),
                          ("min_results", [0, 1, 2, 3]), ("max_results", [0, 1, 2, 3])]:
            if self.chance(.1):
                params[key] = self.one(pool)
        later = None
        if "expected" in params and params["expected"] is None:
            later = ("an expected null", None, None)
        return Assertion("json_path", params, later=later)

    make_json_path_again = make_json_path

    def make_tools_called(self, run):
        tools = self.any(TOOLS + ["nosuch", "Echo", "workflow__transition", ""], 0, 3)
        key, least = ("tool_names", {}) if run else ("tools", {})
        if run and self.chance(.3):
            least = {"min_calls": self.one([0, 1, 2, 3])}
        return Assertion("tools_called", {key: tools, **least},
                         ("tools_called_session", {"tool_names": tools, **least}))

    def make_tools_not_called(self, run):
        tools = self.any(TOOLS + ["nosuch", "Echo", "workflow__transition", ""], 0, 3)
        return Assertion("tools_not_called", {"tool_names" if run else "tools": tools},
                         ("tools_not_called_session", {"tool_names": tools}))

    def like(self, v):
        plain = v if not isinstance(v, (list, dict)) else None
        return self.one([v, v, v, go(v), Raw(SPELLED.get(plain, "~")) if plain is not None else v])

    def values(self, tool):
        made = [c["arguments"] for c in self.made if c["name"] == tool]
        near = self.one(made) if made and self.chance(.8) else {}
        keys = self.any(list(near), 0, 2) if near else []
        wanted = {k: self.like(near[k]) for k in keys}
        if self.chance(.2):
            wanted[self.one(KEYS + ["must"])] = self.one(VALUES + ODD)
        return wanted

    def pattern_of(self, tool, key):
        values = [c["arguments"][key] for c in self.made
                  if c["name"] == tool and key in c["arguments"]]
        return "^" + re.escape(go(self.one(values))) + "$" if values and self.chance(.6) else self.one(PATTERNS)

    def make_tool_args(self, run):
        tool = self.one(TOOLS + ["nosuch", ""])
        wanted = self.values(tool)
        params = {"tool_name": tool} if tool or self.chance(.5) else {}
        theirs = dict(params)
        if wanted or self.chance(.7):
            params["required_args" if run else "expected_args"] = wanted
            theirs["expected_args"] = wanted
        if self.chance(.4):
            params["args_match"] = theirs["args_match"] = {
                k: self.pattern_of(tool, k) for k in KEYS if self.chance(.3)}
        later = None
        if run and not wanted and not params.get("args_match"):
            later = ("no arguments of a run", "passed", None)
        a = Assertion("tool_calls_with_args", params, ("tool_calls_with_args", theirs), later=later)
        a.compares = [(v, c["arguments"][k]) for k, v in wanted.items() for c in self.made
                      if c["name"] == tool or not tool if k in c["arguments"]]
        return a

    make_tool_args_again = make_tool_args

    def make_tool_args_forbidden(self, run):
        tool = self.one(TOOLS + ["nosuch"])
        wanted = {k: self.one([v, [v], [v, "zzz"]]) for k, v in self.values(tool).items()}
        a = Assertion("tools_not_called_with_args", {"tool_name": tool, "forbidden_args": wanted})
        a.compares = [(x, c["arguments"][k]) for k, v in wanted.items() for c in self.made
                      if c["name"] == tool and k in c["arguments"]
                      for x in (v if isinstance(v, list) else [v])]
        return a if run else None

    def make_tool_agents(self, run):
        kind = self.one(["agent_invoked", "agent_not_invoked"])
        agents = self.any(TOOLS + ["nosuch"], 0, 2)
        later = None
        if not agents and kind == "agent_invoked":
            later = ("no agents", "passed", False)
        return Assertion(kind, {"agent_names" if run else "agents": agents},
                         (kind, {"agents": agents}), later=later)

    def make_tool_answer(self, run):
        text = self.one(["Quantum", "quantum", "results\"", "QUANTUM", "ünï", "", "nothing", "Error: tool"])
        return None if run else Assertion(
            "agent_response_contains", {"agent": self.one(TOOLS + ["nosuch"]), "contains": text})

    def make_state(self, run):
        kind = self.one(["state_is", "transitioned_to", "workflow_complete"])
        return Assertion(kind, None if kind == "workflow_complete" else {"state": self.one(STATES)})

    def make_guardrail(self, run):
        params = {self.one(["validator_type", "validator"]): self.one(
            ["banned_words", "max_length", "length", "nosuch", "Banned_words"])}
        if self.chance(.7):
            params["should_trigger"] = self.one([True, False])
        return None if run else Assertion("guardrail_triggered", params)

    def make_wrong(self, run):
        kind, params = self.one([
            ("content_includes", {"patterns": "Paris"}), ("content_includes", {"patterns": [1]}),
            ("content_includes", {}), ("content_matches", {"pattern": 7}), ("content_matches", {}),
            ("nosuch_type", {"x": 1}), ("Content_includes", {"patterns": ["a"]}),
            ("agent_invoked", {"agents": "echo"}), ("tools_called", {"tools": "echo"}), ("tools_called", {}),
            ("state_is", {}), ("state_is", {"state": 1}), ("state_is", {"state": None}),
            ("tool_calls_with_args", {"tool_name": 1}), ("tool_calls_with_args", {"expected_args": []}),
            ("tool_calls_with_args", {"args_match": {"s": 1}}), ("content_includes", {"pattern": ["a"]})])
        return Assertion(kind, params, wrong=True)

    def make_wrong_on_turn(self, run):
        kind, params = self.one([
            ("json_path", {}), ("json_path", {"expression": 1}), ("json_schema", {}),
            ("json_schema", {"schema": "x"}), ("is_valid_json", {"allow_wrapped": "yes"}),
            ("max_length", {"max_characters": "5"}), ("guardrail_triggered", {"validator": 1}),
            ("guardrail_triggered", {"validator": "x", "should_trigger": "yes"}), ("banned_words", {})])
        return None if run else Assertion(kind, params, wrong=True)

    def make_judged(self, run):
        return None if run else Assertion(
            "llm_judge", {"criteria": "is kind"}, later=("a judge", "pending", False))
