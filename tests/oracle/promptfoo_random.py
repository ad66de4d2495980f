"""Random rows for tests/oracle/promptfoo. A row is what promptfoo gets to judge:

    assertion   the assertion; or assert, a list of these, with threshold
    output      the text that is judged
    near        the assertion's threshold becomes its score, times 1 + near / 1e9
    vars        of the test
    calls       [{tool, args, failed, ms}], the run's calls of tools
    latency, cost, finish, skills   of the provider's response
    functions, tools                of the provider's configuration"""
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


TYPES = {Metrics: ["levenshtein", "rouge-n", "bleu", "gleu", "meteor", "is-refusal"]}


class Row(*TYPES):
    """One random row, of a random type."""

    def __init__(self, seed, types=None):
        super().__init__(seed)
        known = [t for group in TYPES.values() for t in group]
        kind = self.one([t for t in known if not types or t in types])
        self.row = getattr(self, kind.replace("-", "_").replace(":", "_"))()
        self.row["assertion"]["type"] = ("not-" if self.chance(.3) else "") + kind
        self.kind = kind

    def text_of(self):
        return json.dumps(self.row, ensure_ascii=False)
