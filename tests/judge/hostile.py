"""A judge on loopback whose replies are not to be believed, for
tests/suite/judge/hostile. In POST /FAULT/TEST/PATH, FAULT selects the reply."""

import json

from judge.server import Handler, Server, error

# Usage that no answer has, as JSON.
USAGE = {
    "negative": '{"prompt_tokens":-9,"completion_tokens":-9,"cost":-5}',
    "infinite": '{"prompt_tokens":1e999,"completion_tokens":1e400,"cost":1e999}',
    "huge": '{"prompt_tokens":1e300,"completion_tokens":1e300,"cost":1e300}',
    "words": '{"prompt_tokens":"9","completion_tokens":null,"cost":"free"}',
    "negative-cache": '{"prompt_tokens":1000,"completion_tokens":20,'
                      '"prompt_tokens_details":{"cached_tokens":-900}}',
    "negative-input": '{"prompt_tokens":-100,"completion_tokens":20}',
}
# Errors that name the form of the answer.
FORMS = [
    "Failed to initialize samplers: invalid grammar",
    "Failed to initialize samplers",
    "output_config.format.schema: Schema is too complex for compilation.",
    "The specified schema produces a constraint that has too many states for serving.",
    "This request needs too many states for serving.",
    "Structured outputs are not supported by this model",
    "The complexity of the request is over the limit.",
]
# Usage as JSON, and whether the server can have read a record of 5,750 words
# with it.
READ = {
    "few": ('{"prompt_tokens":5700}', False),
    "enough": ('{"prompt_tokens":6200}', True),
    "cached": ('{"prompt_tokens":6200,'
               '"prompt_tokens_details":{"cached_tokens":6100}}', True),
    "few-cached": ('{"prompt_tokens":5700,'
                   '"prompt_tokens_details":{"cached_tokens":4000}}', False),
    "zero": ('{"prompt_tokens":0}', True),
    "no-input": ('{"completion_tokens":20}', True),
    "none": ("null", True),
}
GOOD_ENDS = ["stop", "end_turn", "STOP", "completed"]


class Hostile(Handler):
    def reply_text(self, text):
        self.reply(200, text.encode())

    def usage(self, name):
        reply = self.protocol.reply(self.body, json.dumps(self.answer()))
        reply["usage"] = "USAGE"
        usage = USAGE[name] if name in USAGE else READ[name][0]
        self.reply_text(json.dumps(reply).replace('"USAGE"', usage))

    def on_old_ollama(self):
        """As Ollama before it knew "truncate": the context is no larger than the
        model's, and the end of a longer request is read."""
        most = min(self.body["options"]["num_ctx"], 8192)
        reply = self.protocol.reply(self.body, json.dumps(self.answer()))
        reply["prompt_eval_count"] = min(reply["prompt_eval_count"], most)
        self.reply(200, reply)

    def on_ollama(self):
        if self.body.get("truncate") is False and self.body.get("shift") is False:
            self.reply(400, self.protocol.error(
                "the input length exceeds the context length"))
        else:
            self.on_old_ollama()

    def on_odd_end(self):
        """A good answer, for whose end the server has a word of its own."""
        text = json.dumps(self.protocol.reply(
            self.body, json.dumps(self.answer())))
        for word in GOOD_ENDS:
            text = text.replace(f'"{word}"', '"error"')
        self.reply_text(text)

    def on_two_tools(self):
        reply = self.protocol.reply(self.body, json.dumps(self.answer()))
        reply["content"] = 2 * [{"type": "tool_use", "id": "t", "name": "verdicts",
                                 "input": self.answer()}]
        reply["stop_reason"] = "tool_use"
        self.reply(200, reply)

    def on_later(self):
        self.reply(429, error("Later."), [("Retry-After", "30")])

    def on_never(self):
        self.reply(429, error("Never."), [("Retry-After", "1e300")])

    def on_never_info(self):
        self.reply(429, {"error": {
            "code": 429, "message": "Never.", "details": [{"retryDelay": "infs"}]}})

    def on_bidi(self):
        self.reply(400, error("Not \u202enow\u2066\u0007,\nno."))

    def on_bidi_refusal(self):
        self.say(None, refusal="No \u202enot")

    def on_bidi_verdict(self):
        self.say(json.dumps(self.proven({
            c["id"]: {"reason": "", "verdict": "\u202epass"}
            for c in self.checks()}), ensure_ascii=False))

    def on_long_header(self):
        self.good([("X-Long", "x" * 200_000)])

    def on_long_headers(self):
        self.good([(f"X-Long-{i}", "x" * 60_000) for i in range(8)])

    def on_forbidden(self):
        self.reply(403, error("Project p does not have access to model m."))

    def on_flagged(self):
        self.reply(403, error("Your input was flagged by moderation."))

    def on_see_other(self):
        self.reply(303, b"", [("Location", "/good/elsewhere/chat/completions")])

    def on_early_once(self):
        self.once(425, error("Too early."))

    def score(self, value):
        self.say(json.dumps(self.proven({
            c["id"]: {"reason": "So.", "score": value} for c in self.checks()})))

    def on_score_once(self):
        self.score(7 if self.n == 1 else 0.75)

    def on_score(self):
        self.score(-1)

    def refuse_form(self, message):
        if self.protocol.form(self.body) == "text":
            self.good()
        else:
            self.reply(400, self.protocol.error(message))

    def __getattr__(self, name):
        """Returns the method for usage-NAME and form-NUMBER."""
        for prefix, function, argument in [
                ("on_usage_", self.usage, lambda x: x.replace("_", "-")),
                ("on_form_", self.refuse_form, lambda x: FORMS[int(x)])]:
            if name.startswith(prefix):
                return lambda: function(argument(name.removeprefix(prefix)))
        raise AttributeError(name)


class HostileServer(Server):
    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = Hostile
