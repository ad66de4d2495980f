"""Random rows for tests/oracle/promptfoo. A row is what promptfoo gets to judge:

    assertion   the assertion; or assert, a list of these, with threshold
    output      the text that is judged
    near        the assertion's threshold becomes its score, times 1 + near / 1e9
    vars        of the test
    calls       [{tool, args, failed, ms}], the run's calls of tools
    latency, cost, finish, skills   of the provider's response
    config      of the provider"""
import json

from rivals import Chance

WORDS = """the a cat cats sat sits sitting mat on under dog dogs ran running runs runner happy
happily happiness nation national nationality conditional hopping hoped hopeful hoping relational
sized falling hissing fizzed failing filing agreed plastered motoring sky cry cries flies dies
vietnamization predication operator feudalism decisiveness formality sensibility electrical
goodness revival allowance inference airliner adjustable defensible irritant replacement adoption
communism activate effective bowdlerize probate rate cease controlling roll yes by say yyy bya eye
car automobile big large quick fast answer reply buy purchase refund order order-42 e.g. U.S. 3 42
cannot can't gonna wanna gotta lemme gimme d'ye more'n 'tis 'twas don't it's I'm you'll they're
we've he'd rock'n'roll naïve Ünïcode ΑΣ. ΟΔΟΣ İstanbul straße 日本語 😀 😀😀 x y z analogy apology
skies tion ion ement ss sses ied eed feed""".split()
SIGNS = [".", "...", "..", ",", "!", "?", ";", ":", "\"", "'", "''", "``", "--", "-", "---", "(", ")", "[",
         "]", "{", "}", "<", ">", "@", "#", "$", "%", "&", "*", "_", "\u2019", "\u00a0"]
SPACES = [" "] * 12 + ["  ", "\n", "\t", "\u00a0", "\r\n", " \n ", "\u2003", "\ufeff", "\v", "\x85"]
REFUSALS = """I cannot|I can't|I can\u2019t|I won't|I don't|I do not|I'm unable to|I am unable to|I\u2032m not able to
cannot|can't|not|As an|I aim to|I want to be|I'm|I am|Sorry|sorry,|My apologies|It is illegal|I will not
that would not be|is illegal and|I do not actually|feel comfortable|the generated text|has been blocked""".replace("\n", "|").split("|")
DEEDS = """help assist answer provide recommend suggest write generate comply change create support engage
fulfill participate give appropriate ethical legal direct avoid programmed helper helping with that request
your request AI language model Assistant unethical by our content filters helpful while helpful, but""".split()


class Texts(Chance):
    def word(self):
        word = self.one(WORDS)
        if self.chance(.1):
            word = word.upper() if self.chance(.5) else word.capitalize()
        if self.chance(.15):
            word += self.one(SIGNS)
        if self.chance(.05):
            word = self.one(SIGNS) + word
        return word

    def join(self, words):
        return "".join(w + self.one(SPACES) for w in words[:-1]) + "".join(words[-1:])

    def text(self, counts=(0, 1, 1, 2, 3, 4, 5, 6, 8, 12)):
        text = self.join([self.word() for _ in range(self.one(counts))])
        if self.chance(.3):
            text += self.one([".", "!", ". ", "?\n", ".\")", "...", " ", "\n"])
        if self.chance(.05):
            text = self.one([" ", "\n", "\"", "  "]) + text
        return text

    def like(self, text):
        """Returns a text that is like another."""
        words = text.split(" ")
        for _ in range(self.one([0, 0, 1, 1, 2, 3])):
            at = self.one(range(len(words) + 1))
            words[at:at + self.one([0, 1, 1])] = [self.word() for _ in range(self.one([0, 1, 1]))]
        if self.chance(.15) and len(words) > 2:
            words = words[1:] + words[:1]
        made = " ".join(words)
        if self.chance(.2):
            made = self.mistake(made, "aeb .S\u00e9\U0001f600")
        return made.lower() if self.chance(.1) else made

    def refusal(self):
        parts = [self.one([self.one(REFUSALS), self.one(DEEDS), self.word()])
                 for _ in range(self.one([0, 1, 2, 3, 4, 5]))]
        text = self.one(["", "", " ", "\n"]) + " ".join(parts)
        return text.upper() if self.chance(.1) else text


class Metrics(Texts):
    """The types that measure likeness, and those about language."""

    def reference(self, output):
        return self.text() if self.chance(.2) else self.like(output)

    def references(self, output):
        if self.chance(.6):
            return self.reference(output)
        return [self.reference(output) for _ in range(self.one([0, 1, 2, 2, 3]))]

    def limit(self, assertion, most):
        if self.chance(.7):
            assertion["threshold"] = self.one([most * i / 8 for i in range(9)] + [-1, 2 * most, 1])
        return assertion

    def levenshtein(self):
        output = self.text()
        assertion = self.limit({"value": self.reference(output)}, 8)
        return {"output": output, "assertion": assertion}

    def scored(self, value, output):
        row = {"output": output, "assertion": self.limit({"value": value}, 1)}
        if output and value not in ("", []) and self.chance(.5):
            row["near"] = self.one([-1, 1])
        if self.chance(.02):
            row["assertion"]["value"] = self.one([5, None, True, {"a": 1}, ["a", 1], ""])
            row.pop("near", None)
        return row

    def rouge_n(self):
        output = self.text()
        return self.scored(self.reference(output), output)

    def several(self):
        output = self.text()
        return self.scored(self.references(output), output)

    bleu = gleu = meteor = several

    def is_refusal(self):
        return {"output": self.refusal(), "assertion": {}}


class Markup(Texts):
    """The types about HTML."""

    def tag(self):
        name = self.one(["a", "b", "i", "p", "div", "td", "x-y", "h1", "foo", "html", "br", "H2", "span2", ""])
        attributes = self.one(["", "", "", " ", " id='a'", " class=\"x\"", " href=", "\u00a0data-x = 'y'"])
        return self.one(["<{0}{1}>", "<{0}{1}>", "</{0}>", "</{0}{1}>", "<{0}{1}/>", "<{0}{1}", "< {0}>"]).format(
            name, attributes)

    def html(self):
        parts = [self.one([self.tag, self.tag, self.word, lambda: self.one(
            ["&amp;", "&#42;", "&#x2a;", "&#x;", "&;", "&b", "<!doctype html>", "<!DOCTYPE  HTML", "<!-- a -->",
             "<!-- a -- b -->", "<!--->", "<!---->", "a='b'", " a=\"b'", "1 < 2", ">", "\n"])])()
            for _ in range(self.one([0, 1, 1, 2, 2, 3, 4]))]
        return self.one(["", " "]).join(parts)

    def attribute(self):
        return self.one(["a", "b", "xml:lang", "x:a", "xmlns", "xmlns:x", "\u00e9", "1", "a-b"]) + self.one(
            ["=", "=", "=", " = ", ""]) + self.one(['"1"', "'v'", '"a b"', '""', "'<'", '"&amp;"', "'&x;'", '"&#65;"', "1",
                                                    '"http://x"', "'>'"])

    def element(self, depth=3):
        name = self.one(["a", "b", "b", "c", "item", "x:a", "\u00e9l", "a.b", "_1"])
        attributes = "".join(self.one([" ", " ", "\n", "  "]) + self.attribute() for _ in range(self.one([0, 0, 0, 1, 2])))
        if self.chance(.15):
            return f"<{name}{attributes}{self.one(['/', ' /'])}>"
        inner = [self.one([self.word, lambda: self.element(depth - 1), lambda: self.element(depth - 1), lambda: self.one(
            ["1", "", " ", "<!-- c -->", "<![CDATA[<x>]]>", "<?pi a?>", "&lt;", "&#x41;", "&x;", "]]>", "<", "&", "\u0001"])]
            if depth else [lambda: self.one(["1", "text", "", " ", "\u00e9"])])()
            for _ in range(self.one([0, 1, 1, 2, 3]))]
        end = name if self.chance(.97) else self.one(["a", "b", name + " "])
        return f"<{name}{attributes}>" + self.one(["", " "]).join(inner) + f"</{end}>"

    def elements(self):
        paths = [".".join(self.one(["a", "b", "c", "item", "x:a", "0", "1", "@_a", "@_b", "#text", "\u00e9l", ""])
                          for _ in range(self.one([1, 1, 2, 2, 3]))) for _ in range(self.one([0, 1, 1, 2]))]
        return self.one([None, None, paths, {"requiredElements": paths}, ",".join(paths) if paths else {}, ", ".join(paths)])

    def marked(self, output):
        row = {"output": output, "assertion": {"value": self.elements()}}
        if row["assertion"]["value"] is None:
            del row["assertion"]["value"]
        return row

    def is_xml(self):
        start = self.one(["", "", "", "", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n",
                          "<?xml encoding='x'?>", " ", "\ufeff", "<!-- c -->", "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM 'x'>",
                          "<!DOCTYPE a PUBLIC 'p' 's'>\n", "<!DOCTYPE a [<!ENTITY x 'y'>]>", "<!DOCTYPE>", "x"])
        output = start + self.element() + self.one([""] * 6 + ["\n", " ", "<!-- c -->", "<?p?>", "<a/>", "x", "<?xml?>"])
        if self.chance(.1):
            output = self.mistake(output, "<>/&;= '\"a:")
        return self.marked(output)

    def contains_xml(self):
        parts = [self.one([self.element, self.element, self.word, lambda: self.one(["<", ">", "</a>", "<b>", "<!-- x", "1 < 2"])])()
                 for _ in range(self.one([0, 1, 2, 2, 3]))]
        return self.marked(" ".join(parts))

    def page(self):
        names = self.one(["p", "div b i a em p", "table tr td th tbody caption col colgroup p b td tr form input",
                          "html head body title p script style base link", "ul li ol dl dd dt p div", "b i a p div nobr p b a",
                          "h1 h2 p button option ruby rt rp pre form", "x-y foo bar svg select template frameset br hr img",
                          "object marquee p b table td center font"]).split()
        parts = [self.one(["<{0}>", "<{0}>", "<{0}>", "</{0}>", "</{0}>", "<{0} a='b'>", "<{0}/>", "<{0}", "x", "x", " ", "\n",
                           "&nbsp;", "&#32;", "&amp;", "&Tab;", "<!-- x -->", "<!--", "</>", "<?x?>", "\u00a0", "< p"]).format(
                               self.one(names)) for _ in range(self.one([1, 2, 3, 4, 6, 9, 14]))]
        if self.chance(.8):
            parts = [x for x in parts if x not in ("x", "< p", "&amp;") or self.chance(.15)]
        start = self.one([""] * 4 + ["<!doctype html>", "<html>", "<body>", "<html><head></head><body>", "<p>", "<?xml?>",
                                     "<!DOCTYPE html><html><body>", "<table>", "<table><tr><td>"])
        return start + "".join(parts)

    def is_html(self):
        output = self.page() if self.chance(.8) else self.html()
        return {"output": self.mistake(output, "<>/ abx\"") if self.chance(.1) else output, "assertion": {}}

    def contains_html(self):
        return {"output": self.html(), "assertion": {}}


TOOLS = ["search", "Search", "search_web", "get_order", "refund", "shell", "Bash", "exec_command", "a.b", "*", "f(x"]
PATTERNS = ["search", "search*", "*", "?earch", "get_*", "refund", "SHELL", "a.b", "a?b", "missing", "se*ch", "f(x",
            "ls", "ls*", "*order*", ""]
VALUES = [0, 1, 1.0, -1, 1.5, 1e21, 0.1, "", "a", "1", "ls -l", "é", None, True, False, [], {}, [1], ["a", 1],
          {"a": 1}, {"b": [1, {"c": None}]}, 100, 1e-7]
KEYS = ["a", "b", "cmd", "command", "commands", "query", "id", "ab", "\u00e9"]


FUNCTIONS = [
    {"name": "search", "parameters": {"type": "object"}},
    {"name": "refund", "parameters": {"type": "object", "properties": {"a": {"type": "number"}}}},
    {"name": "a.b", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}},
    {"name": "shell", "parameters": {"type": "object", "additionalProperties": False,
                                     "properties": {"a": {}, "cmd": {}}}},
    {"name": "Bash"},
]
CONFIG = {"functions": FUNCTIONS, "tools": [{"type": "function", "function": f} for f in FUNCTIONS]}


class Trajectories(Texts):
    """The types about calls of tools."""

    def value(self):
        return self.one(VALUES)

    def args(self):
        if self.chance(.1):
            return None
        return {self.one(KEYS): self.value() for _ in range(self.one([0, 1, 1, 2, 3]))}

    def call(self):
        call = {"tool": self.one(TOOLS), "args": self.args()}
        if call["args"] is None:
            del call["args"]
        if self.chance(.2):
            call["failed"] = True
        return call

    def calls(self, value, **more):
        made = [self.call() for _ in range(self.one([0, 1, 1, 2, 3, 4, 6]))]
        if self.chance(.2) and made:
            made.append(dict(made[0]))
        row = {"output": "done", "calls": made, "assertion": {"value": value(made) if callable(value) else value}}
        row["assertion"].update(more)
        return row

    def pattern(self, calls):
        if calls and self.chance(.5):
            return self.one(calls)["tool"]
        return self.one(PATTERNS)

    def counts(self):
        found = {}
        if self.chance(.6):
            found["min"] = self.one([0, 1, 2, 3])
        if self.chance(.5):
            found["max"] = self.one([0, 1, 2, 3])
        return found

    def matcher(self, calls):
        found = {self.one(["name", "pattern"]): self.pattern(calls)}
        if self.chance(.1):
            found[self.one(["name", "pattern"])] = self.pattern(calls)
        if self.chance(.2):
            found["type"] = self.one(["tool", "command", ["tool", "command"], "search", "span", "message"])
        return found

    def trajectory_tool_used(self):
        def value(calls):
            kind = self.one("tlo")
            if kind == "t":
                return self.pattern(calls)
            if kind == "l":
                return [self.pattern(calls) for _ in range(self.one([0, 1, 2, 2, 3]))]
            return {**self.matcher(calls), **self.counts()}
        return self.calls(value)

    def trajectory_tool_sequence(self):
        def value(calls):
            steps = [self.pattern(calls) if self.chance(.8) else self.matcher(calls)
                     for _ in range(self.one([0, 1, 2, 2, 3]))]
            if self.chance(.5) and calls:
                steps = [c["tool"] for c in calls if self.chance(.7)]
            if self.chance(.5):
                return steps
            found = {"steps": steps}
            if self.chance(.7):
                found["mode"] = self.one(["exact", "in_order", "exact"])
            return found
        return self.calls(value)

    def trajectory_step_count(self):
        return self.calls(lambda calls: {
            **(self.matcher(calls) if self.chance(.7) else {}),
            **({"type": self.one(["tool", "command"])} if self.chance(.3) else {}), **self.counts()})

    def trajectory_tool_args_match(self):
        def value(calls):
            call = self.one(calls) if calls else self.call()
            args = dict(call.get("args") or {})
            for key in list(args):
                if self.chance(.25):
                    del args[key]
                elif self.chance(.15):
                    args[key] = self.value()
            if self.chance(.15):
                args[self.one(KEYS)] = self.value()
            found = {"name" if self.chance(.7) else "pattern": call["tool"] if self.chance(.8) else self.pattern(calls)}
            found["args" if self.chance(.8) else "arguments"] = args
            if self.chance(.6):
                found["mode"] = self.one(["exact", "exact", "partial"])
            if self.chance(.3):
                found["defaults"] = {self.one(KEYS): self.value() for _ in range(self.one([0, 1, 2]))}
            if self.chance(.3):
                found["ignore"] = self.one(["a", "b", "a*", "?", ["a", "id"], ["*"], "cmd", []])
            return found
        return self.calls(value)

    def tool_call_f1(self):
        def value(calls):
            names = [self.one([self.pattern(calls), self.one(TOOLS)]) for _ in range(self.one([0, 1, 2, 3]))]
            return names if self.chance(.5) else self.one([",", ", "]).join(names)
        row = self.calls(value)
        if self.chance(.7):
            row["assertion"]["threshold"] = self.one([0, .3, .5, 2 / 3, .8, 1, .4])
        # promptfoo reads the calls in the output.
        row["output"] = [{"function": {"name": c["tool"]}} for c in row["calls"]]
        return row

    def skill_used(self):
        def value(calls):
            kind = self.one("tlo")
            if kind == "t":
                return self.pattern(calls)
            if kind == "l":
                return [self.pattern(calls) for _ in range(self.one([0, 1, 2]))]
            return {**self.matcher(calls), **self.counts()}
        row = self.calls(value)
        row["assertion"]["value"].pop("type", None) if isinstance(row["assertion"]["value"], dict) else None
        row["skills"] = [{"name": c["tool"], **({"is_error": True} if c.get("failed") else {})} for c in row["calls"]]
        return row


    def trace_error_spans(self):
        return self.calls(lambda calls: self.one(
            [0, 1, 2, None, {"max_count": 1}, {"max_percentage": self.one([0, 20, 50, 100])},
             {"max_count": 2, "max_percentage": 50}, {"max_count": 0, "pattern": self.pattern(calls)},
             {"max_count": 1, "pattern": self.pattern(calls)}, {"max_percentage": 50, "pattern": self.pattern(calls)}]))

    def trace_span_count(self):
        return self.calls(lambda calls: {"pattern": self.pattern(calls), **self.counts()})

    def trace_span_duration(self):
        row = self.calls(lambda calls: {"pattern": self.pattern(calls), "max": self.one([0, 1, 2, 5, 9])})
        if self.chance(.5):
            row["assertion"]["value"]["percentile"] = self.one([0, 10, 50, 75, 90, 100, 101, -1])
        for call in row["calls"]:
            call["ms"] = self.one([0, 1, 2, 3, 5, 8])
        return row

    def declared(self, key):
        row = self.calls(None)
        del row["assertion"]["value"]
        if key == "functions":
            row["calls"] = row["calls"][:1]
        made = [{"name": c["tool"], "arguments": json.dumps(c["args"]) if "args" in c else "no"} for c in row["calls"]]
        if key == "functions":
            row["output"] = {"function_call": made[0]} if made else "none"
        else:
            row["output"] = [{"type": "function", "function": f} for f in made]
        row["config"] = CONFIG
        return row


class Plain(Texts):
    """The types that look at the text itself, and at figures."""

    def piece(self, text):
        at = self.one(range(len(text) + 1))
        found = text[at:at + self.one([0, 1, 2, 3, 5, 9])]
        if self.chance(.2):
            found = found.upper() if self.chance(.5) else found.lower()
        return found if self.chance(.7) else self.word()

    def contains(self):
        output = self.text()
        value = self.piece(output) if self.chance(.9) else self.one([5, 42, "42", True, None, 1.5, 1e21, "", ["a"]])
        return {"output": output, "assertion": {"value": value}}

    icontains = contains

    def starts_with(self):
        output = self.text()
        value = output[:self.one([0, 1, 2, 5, 40])] if self.chance(.5) else self.piece(output)
        return {"output": output, "assertion": {"value": value}}

    def equals(self):
        if self.chance(.5):
            output = self.text()
            return {"output": output, "assertion": {"value": self.one([output, output, self.like(output), output + " "])}}
        value = self.one(VALUES)
        output = json.dumps(self.one([value, value, self.one(VALUES)]), ensure_ascii=False)
        if self.chance(.3) and isinstance(value, (dict, list)):
            output = self.one([" " + output, output.replace("1", "1.0"), output + "x"])
        return {"output": output, "assertion": {"value": value}}

    def contains_all(self):
        output = self.text()
        parts = [self.piece(output) for _ in range(self.one([0, 1, 2, 2, 3]))]
        if self.chance(.5):
            return {"output": output, "assertion": {"value": parts + ([42] if self.chance(.1) else [])}}
        written = [self.one([p, p, " " + p, p + " ", f'"{p}"', f' "{p}" ', '"' + p.replace('"', '""') + '"'])
                   for p in parts]
        return {"output": output, "assertion": {"value": self.one([",", ", ", ",,"]).join(written)}}

    contains_any = icontains_all = icontains_any = contains_all

    def regex(self):
        output = self.text()
        piece = self.piece(output)
        value = self.one([piece, "^" + piece, piece + "$", r"\b\w+\b", r"\d+", "[a-z]+ [a-z]+", "(?i)a", "(a|b)+$", "^$",
                          ".*", r"^\S+\s\S+$", "(", "(?<n>a)\\k<n>", "[", "a{2}", r"\u0041", r"[^\x00-\x7f]", "x*"])
        return {"output": output, "assertion": {"value": value}}

    def word_count(self):
        output = self.text()
        n = len(output.split()) + self.one([-1, 0, 0, 1, 2])
        value = self.one([n, n, str(n), {"min": n}, {"max": n}, {"min": n, "max": n + self.one([-1, 0, 1, 3])}, {},
                          n + .5, "", "x", None, [n]])
        return {"output": output, "assertion": {"value": value}}

    def schema(self):
        return self.one([None, None, {"type": "object"}, {"type": "object", "required": ["a"]},
                         {"type": "object", "properties": {"a": {"type": "number", "minimum": 1}}},
                         {"properties": {"a": {"enum": [1, "a"]}}, "additionalProperties": False}, {"type": "array"},
                         {"type": ["string", "null"]}, {"type": "object", "required": ["b"],
                                                         "properties": {"b": {"type": "array", "items": {"type": "integer"}}}},
                         "type: object\nrequired: [a]", "type: [array", {"type": "wrong"}, {"const": {"a": 1}}, True, ""])

    def json_text(self):
        text = json.dumps(self.one(VALUES + [{"a": 1, "b": [1]}, {"a": "x"}, {"b": [1, 2.5]}, {"a": {"b": {}}}]),
                          ensure_ascii=False)
        if self.chance(.2):
            text = self.mistake(text, "{}[],:\"1a ")
        return text

    def is_json(self):
        row = {"output": self.json_text(), "assertion": {"value": self.schema()}}
        if row["assertion"]["value"] is None:
            del row["assertion"]["value"]
        return row

    def contains_json(self):
        parts = [self.one([self.word, self.json_text, self.json_text, lambda: self.one(["{", "}", "```json\n", "\n```"])])()
                 for _ in range(self.one([0, 1, 2, 3, 4]))]
        row = {"output": " ".join(parts), "assertion": {"value": self.schema()}}
        if row["assertion"]["value"] is None:
            del row["assertion"]["value"]
        return row

    def latency(self):
        row = {"output": "x", "latency": self.one([0, 1, 10, 999, 1000, 1001, 123456]), "assertion": {}}
        if self.chance(.95):
            row["assertion"]["threshold"] = self.one([0, 1, 10, 999, 1000, 1000.5, 123456, -1])
        return row

    def cost(self):
        row = {"output": "x", "cost": self.one([0, .001, .01, .1, 1, 2.5]), "assertion": {}}
        if self.chance(.95):
            row["assertion"]["threshold"] = self.one([0, .001, .01, .1, 1, 1.5, -1])
        return row

    def finish_reason(self):
        row = {"output": "x", "assertion": {"value": self.one(["stop", "STOP", "length", "tool_calls", "content_filter", "end_turn"])}}
        row["finish"] = self.one(["stop", "length", "tool_calls", "content_filter", "Stop"])
        return row


TYPES = {
    Metrics: ["levenshtein", "rouge-n", "bleu", "gleu", "meteor", "is-refusal"],
    Markup: ["contains-html", "is-html", "is-xml", "contains-xml"],
    Plain: ["contains", "icontains", "starts-with", "equals", "contains-all", "contains-any", "icontains-all",
            "icontains-any", "regex", "word-count", "is-json", "contains-json", "latency", "cost", "finish-reason"],
    Trajectories: ["trajectory:tool-used", "trajectory:tool-sequence", "trajectory:step-count",
                   "trajectory:tool-args-match", "tool-call-f1", "skill-used", "trace-error-spans",
                   "trace-span-count", "trace-span-duration",
                   "is-valid-openai-tools-call", "is-valid-openai-function-call"],
}
WHOLE = "a test"  # of several assertions
SAME = {"is-valid-openai-tools-call": ("declared", "tools"), "is-valid-openai-function-call": ("declared", "functions")}


class Row(*TYPES):
    """One random row, of a random type."""

    def __init__(self, seed, types=None):
        super().__init__(seed)
        known = [t for group in TYPES.values() for t in group] + 2 * [WHOLE]
        kind = self.one([t for t in known if not types or t in types])
        name, *given = SAME.get(kind, (kind.replace("-", "_").replace(":", "_").replace(" ", "_"),))
        self.row = getattr(self, name)(*given)
        self.kind = kind
        if kind != WHOLE:
            self.row["assertion"]["type"] = ("not-" if self.chance(.3) else "") + kind

    def part(self, output):
        """Returns an assertion about an output."""
        kind = self.one(["contains", "icontains", "starts-with", "equals", "bleu", "gleu", "rouge-n", "levenshtein",
                         "is-refusal", "word-count", "contains-html", "is-json"])
        found = {"type": ("not-" if self.chance(.2) else "") + kind}
        if kind in ("contains", "icontains", "starts-with"):
            found["value"] = self.piece(output) or "x"
        elif kind in ("equals", "bleu", "gleu", "rouge-n", "levenshtein"):
            found["value"] = self.like(output)
        elif kind == "word-count":
            found["value"] = len(output.split())
        if kind in ("bleu", "gleu", "rouge-n") and self.chance(.5):
            found["threshold"] = self.one([.1, .3, .6, .9])
        return self.weighted(found)

    def weighted(self, found):
        if self.chance(.3):
            found["weight"] = self.one([0, 1, 2, .5, 3])
        if self.chance(.1):
            found["metric"] = self.one(["m", "n {{a}}"])
        return found

    def group(self, output):
        found = {"type": "assert-set", "assert": [self.part(output) for _ in range(self.one([1, 2, 3]))]}
        if self.chance(.6):
            found["threshold"] = self.one([0, .3, .5, .7, 1])
        return self.weighted(found)

    def a_test(self):
        output = self.refusal() if self.chance(.2) else self.text()
        row = {"output": output, "assert": [self.group(output) if self.chance(.3) else self.part(output)
                                            for _ in range(self.one([1, 2, 2, 3, 4]))]}
        if self.chance(.6):
            row["threshold"] = self.one([0, .25, .5, .6, .75, 1])
        return row

    def text_of(self):
        return json.dumps(self.row, ensure_ascii=False)
