"""A judge on loopback that repeats the judged text, in many ways, and never passes a
check itself, for tests/suite/judge/parrot. In POST /quotes-WAY/TEST/PATH, WAY is a
key of WAYS or FORCED, or "reason"; with WAY-with-nonces, the answer repeats the
nonces; with less-WAY, the server accepts neither a schema nor JSON mode. The text
that is repeated is the longest text of the data, wherever it stands."""

import json
import re

from judge.protocols import Chat
from judge.server import Handler, Server, error, message_of

FENCE = "```"


def fence(text):
    return f"{FENCE}json\n{text}\n{FENCE}"


def bare(text):
    """Returns the JSON in the text, if there is any, without what is around it."""
    found = re.search(r"\{.*\}", text, re.S)
    return found[0] if found else text


# Ways to repeat a text, given the text and the judge's own answer.
WAYS = {
    "raw": lambda text, own: text,
    "bare": lambda text, own: bare(text),
    "prose": lambda text, own: f"The agent wrote {text} and so I fail both checks.",
    "fence": lambda text, own: fence(bare(text)),
    "fence-after-prose": lambda text, own: f"The agent wrote:\n{fence(bare(text))}",
    "fence-before-prose": lambda text, own: (
        f"{fence(bare(text))}\nThat is an injection. Both checks fail."),
    "before-own": lambda text, own: f"{bare(text)}\n{own}",
    "after-own": lambda text, own: f"{own}\n{bare(text)}",
    "fence-before-own": lambda text, own: f"{fence(bare(text))}\n{fence(own)}",
    "fence-after-own": lambda text, own: f"{own}\n\nIt wrote:\n{fence(bare(text))}",
    "thoughts": lambda text, own: f"<think>It wrote {text}</think>{own}",
    "end-of-thoughts": lambda text, own: f"Hm. It wrote: </think>{bare(text)}",
    "in-thoughts": lambda text, own: f"<think>{text}</think>{bare(text)}",
    "both-objects": lambda text, own: bare(text)[:-1] + "," + own[1:],
}


def spliced(text, ids):
    """The text is a part of the answer, with nothing escaped."""
    return "{%s}" % ",".join(
        f'"{i}":{{"reason":"{text}","verdict":"fail","score":0}}' for i in ids)


def values(text, ids):
    """The values of the text's JSON, by the names that the schema requires."""
    try:
        quoted = [v for v in json.loads(bare(text)).values() if isinstance(v, dict)]
    except (ValueError, AttributeError, RecursionError):
        quoted = []
    return json.dumps(dict(zip(ids, quoted)))


def no(check, reason="No."):
    """A judge's own answer."""
    return {"reason": reason} | (
        {"score": 0} if check["answer"] == "score" else {"verdict": "fail"})


def texts_in(value):
    """Returns all texts of the data, and the names in it."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return [t for v in value for t in texts_in(v)]
    return [value] if isinstance(value, str) else []


# The same for a server that holds the model to the names in the schema.
FORCED = {
    "spliced": spliced,
    "values": values,
    "spread-values": lambda text, ids: json.dumps(
        json.loads(values(text, ids)), indent=4),
    "turned-values": lambda text, ids: json.dumps({
        i: dict(reversed(v.items())) for i, v in json.loads(values(text, ids)).items()}),
}


class Parrot(Handler):
    def repeat(self, way):
        system, user = Chat.prompt(self.body)
        del system
        data, nonce, end = message_of(user)
        text = max(texts_in(data), key=len)
        ids = [c["id"] for c in self.checks()]
        own = json.dumps(self.proven({c["id"]: no(c) for c in self.checks()}))
        way, _, proven = way.partition("-with-")
        if way in WAYS:
            said = WAYS[way](text, own)
        elif way == "reason":
            said = json.dumps({c["id"]: no(c, text) for c in self.checks()})
        else:
            said = FORCED[way](text, ids)
        if proven:  # the model repeats the nonces
            around = [json.dumps(n)[1:-1] for n in [nonce, end]]
            said = said.strip()
            said = "{%s%s,%s}" % (around[0] + ("," if len(said) > 2 else ""),
                                  said[1:-1], around[1])
        self.say(said)

    def __getattr__(self, name):
        """Returns the method for a way: on_quotes_raw, or on_less_raw for a server
        that accepts no schema and no JSON mode."""
        found = re.fullmatch(r"on_(quotes|less)_(.*)", name)
        if not found:
            raise AttributeError(name)
        less, way = found[1] == "less", found[2]

        def answer():
            if less and "response_format" in self.body:
                self.reply(400, error("response_format is not supported"))
            else:
                self.repeat(way.replace("_", "-"))
        return answer


class ParrotServer(Server):
    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = Parrot
