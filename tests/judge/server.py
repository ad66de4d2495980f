"""A server on loopback that implements all protocols with scripted faults, for the
suites of mcpl-judge. In POST /FAULT/TEST/PATH, FAULT selects the method that
answers, PATH selects the protocol, and TEST separates the requests of different
tests. A check passes unless its rubric contains FAIL; scores are 0.75.
"""

import email.utils
import http.server
import json
import re
import threading
import time

from judge.protocols import PROTOCOLS, Chat

error = Chat.error


def checks_in(system):
    return json.loads(re.search(r"^The checks:\n(.*)$", system, re.M).group(1))


def message_of(user):
    """Returns the data of the user's message, and the nonces around the data."""
    message = json.loads(user)
    nonce, record, task, end = message
    if [nonce, record, task, end] != [
            "nonce", f"record-{message['nonce']}", "task", "end"]:
        raise ValueError(list(message))
    return message[record], {"nonce": message["nonce"]}, {"end": message["end"]}


def proven(user, answer):
    """Returns the answer with the nonces of the user's message."""
    _, nonce, end = message_of(user)
    return nonce | answer | end


def verdict(check):
    if re.fullmatch(r"The record names the reference number [0-9a-f]{8}\.",
                    check["rubric"]):
        return {"reason": "It names none.", "verdict": "fail"}
    if check["answer"] == "score":
        return {"reason": "Three in four.", "score": 0.75}
    passed = "FAIL" not in check["rubric"]
    return {"reason": "It is so." if passed else "It is not so.",
            "verdict": "pass" if passed else "fail"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # the head and the body of a reply are two writes

    def log_message(self, *_):
        pass

    def reply(self, status, value, headers=()):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def checks(self):
        return checks_in(self.protocol.prompt(self.body)[0])

    def verdicts(self):
        return {c["id"]: verdict(c) for c in self.checks()}

    def proven(self, answer):
        return proven(self.protocol.prompt(self.body)[1], answer)

    def answer(self):
        return self.proven(self.verdicts())

    def say(self, text, **more):
        self.reply(200, self.protocol.reply(self.body, text, **more))

    def good(self, headers=()):
        self.reply(200, self.protocol.reply(
            self.body, json.dumps(self.answer())), headers)

    windows = {
        "models": {"data": [{"id": "m", "meta": {"n_ctx_train": 131072}}]},
        "props": {"default_generation_settings": {"n_ctx": 20000}},
        "v1/models/m": {"id": "m", "max_input_tokens": 20000},
        "v1beta/models/m": {"inputTokenLimit": 20000},
        "api/show": {"model_info": {"llama.context_length": 20000}}}

    def say_window(self):
        """Describes the model, for the fault `window`; other servers know nothing
        of it. Returns whether that was asked for."""
        found = re.match(r"/([^/]+)/([^/]+)/(.*)", self.path)
        if not found or found[3] not in self.windows:
            return False
        if found[1] == "window":
            self.server.windows.append(found.groups()[1:])
            self.reply(200, self.windows[found[3]])
        else:
            self.reply(404, error("no such path"))
        return True

    def do_GET(self):
        self.say_window() or self.reply(404, error("no such path"))

    def on_window(self):
        self.good()

    def do_POST(self):
        address = re.match(r"(?:http://[^/]+)?/([^/]+)/([^/]+)/(.*)", self.path)
        fault, test, path = address.groups() if address else (
            "good", "bare", self.path[1:])
        self.test = test
        known = [p for p in PROTOCOLS if re.fullmatch(p.path, path)]
        length = int(self.headers["Content-Length"])
        self.body = json.loads(self.rfile.read(length))
        if self.say_window():
            return
        self.n = self.server.note(
            test, path, self.headers, self.body)
        try:
            if known:
                self.protocol = known[0]
                getattr(self, "on_" + fault.replace("-", "_"))()
            else:
                self.reply(404, error("no such path"))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.server.note_end(test)

    # ---- good replies ----

    def on_good(self):
        self.good()

    def all_of(self, word):
        self.say(json.dumps(self.proven({
            c["id"]: {"reason": f"It is {word}.", "verdict": word}
            for c in self.checks()})))

    def on_all_pass(self):
        self.all_of("pass")

    def on_all_fail(self):
        self.all_of("fail")

    def on_all_unsure(self):
        self.all_of("unsure")

    def on_all_not_shown(self):
        self.all_of("not_shown")

    def on_costs(self):
        self.good([("x-litellm-response-cost", "0.25")])

    def on_full(self):
        """The rate limit is used up for a second."""
        self.good([("x-ratelimit-remaining-requests", "0"),
                   ("x-ratelimit-reset-requests", "1s")])

    def on_slow(self):
        time.sleep(0.2)
        self.good()

    def on_stalled(self):
        self.server.released.wait(30)
        self.good()

    def on_stalled_some(self):
        """Delays the requests whose first rubric contains STALL."""
        if "STALL" in self.checks()[0]["rubric"]:
            self.server.released.wait(30)
        self.good()

    def on_full_house(self):
        """Answers a request only when as many are under way as the rubric says, or
        when all have come that the rubric announces. Each hundredth is answered
        only after the 300 next ones have come."""
        jobs, total = map(int, self.checks()[0]["rubric"].split(" of "))
        least = min(self.n + 300, total) if self.n % 100 == 50 else 0
        if not self.server.wait_for(self.test, jobs, least, total):
            self.server.starved.append(self.n)
        self.good()

    def on_fenced(self):
        self.say("Here you are:\n```json\n"
                 + json.dumps(self.answer(), indent=2) + "\n```")

    def on_think(self):
        self.say("<think>{\"check_1\": hm</think>\n"
                 + json.dumps(self.answer()))

    def on_parts(self):
        text = json.dumps(self.answer())
        self.say([{"type": "text", "text": text[:10]},
                  {"type": "text", "text": text[10:]}])

    def on_bare(self):
        """Replies with the required members only, as the smallest servers do."""
        self.reply(200, {"choices": [{"message": {
            "content": json.dumps(self.answer())}}]})

    def on_scripted(self):
        """The rubric is a JSON list of replies, each [STATUS, BODY] or a word of
        `finish`; the last one repeats."""
        script = json.loads(self.checks()[0]["rubric"])
        step = script[min(self.n, len(script)) - 1]
        if isinstance(step, str):
            self.say(json.dumps(self.answer()), finish=step)
        else:
            self.reply(*step)

    # ---- temporary errors ----

    def once(self, *reply):
        if self.n == 1:
            self.reply(*reply)
        else:
            self.good()

    def on_429_seconds(self):
        self.once(429, error("Slow down."), [("Retry-After", "1")])

    def on_429_limits(self):
        """The reset time of the limits is longer than Retry-After."""
        self.once(429, error("Slow down."), [
            ("Retry-After", "1"), ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "6m0s")])

    def on_429_ms(self):
        self.once(429, error("Slow down."),
                  [("Retry-After", "60"), ("retry-after-ms", "700")])

    def on_429_date(self):
        date = email.utils.formatdate(time.time() + 1, usegmt=True)
        self.once(429, error("Slow down."), [("Retry-After", date)])

    def on_429_long(self):
        self.reply(429, error("Come back tomorrow."),
                   [("Retry-After", "86400")])

    def on_500_once(self):
        self.once(500, b"oops")

    def on_500(self):
        self.reply(500, error("The server had an error.", kind="api_error"),
                   [("retry-after-ms", "1")])

    def on_501(self):
        self.reply(501, error("Not implemented."))

    def on_500_final(self):
        self.reply(500, error("It will not get better."),
                   [("x-should-retry", "false")])

    def on_400_passing(self):
        self.once(400, error("A hiccup."), [("x-should-retry", "true")])

    def on_error_200_once(self):
        self.once(200, {"error": {"message": "upstream died", "code": 502}})

    def on_own_code(self):
        """The code of the error is a number that is not an HTTP status."""
        self.reply(200, {"error": {"message": "No such thing.", "code": 20012}})

    def on_error_in_choice_once(self):
        self.once(200, {"choices": [{"error": {
            "message": "upstream died", "code": "502"}}]})

    def on_html_once(self):
        self.once(200, b"<html><body>Welcome to the proxy</body></html>")

    def on_half_once(self):
        """The first reply has fewer bytes than its Content-Length."""
        if self.n > 1:
            return self.good()
        body = json.dumps(Chat.reply(None, json.dumps(self.answer()))).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2])
        self.close_connection = True

    def on_half_json_once(self):
        body = json.dumps(Chat.reply(None, json.dumps(self.answer()))).encode()
        self.once(200, body[:len(body) // 2])

    def on_dropped_once(self):
        if self.n > 1:
            return self.good()
        self.close_connection = True

    def on_trickle(self):
        body = json.dumps(Chat.reply(None, json.dumps(self.answer()))).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for i in range(len(body)):
            self.wfile.write(body[i:i + 1])
            self.wfile.flush()
            time.sleep(0.1)

    # ---- refused parameters ----

    def refuse(self, parameter, reply):
        if parameter in self.body:
            self.reply(400, reply)
        else:
            self.good()

    def on_no_temperature(self):
        self.refuse("temperature", error(
            "Unsupported value: 'temperature' does not support 0 with this "
            "model. Only the default (1) value is supported.",
            "temperature", "unsupported_value"))

    def on_no_temperature_litellm(self):
        """As a proxy does: only the message names the refused parameter."""
        self.refuse("temperature", error(
            "litellm.UnsupportedParamsError: gpt-5 models don't support "
            "temperature=0.0.", "None", "400"))

    def on_old_max_tokens(self):
        self.refuse("max_completion_tokens", error(
            "Unrecognized request argument: max_completion_tokens"))

    def on_little_context(self):
        """As vLLM does, if the limit does not fit in the model's context."""
        self.refuse("max_completion_tokens", error(
            "This model's maximum context length is 8192 tokens. However, you "
            "requested 17000 tokens (616 in the messages, 16384 in the "
            "completion).", "BadRequestError", "400"))

    def refuse_forms(self, forms):
        form = self.protocol.form(self.body)
        if form in forms:
            self.reply(400, self.protocol.error(*self.protocol.refuses[form]))
        else:
            self.good()

    def on_no_schema(self):
        self.refuse_forms(["schema"])

    def on_no_json(self):
        self.refuse_forms(["schema", "json"])

    def on_nobody(self):
        """As OpenRouter does: no endpoint supports the form of the answer."""
        if "provider" in self.body:
            self.reply(404, {"error": {"message": "No endpoints found that can "
                                       "handle the requested parameters.",
                                       "code": 404}})
        else:
            self.good()

    def on_echoing_filter(self):
        """Refuses texts that contain BLOCKED, in an error that quotes the text."""
        text = self.protocol.prompt(self.body)[1]
        if "BLOCKED" in text:
            self.reply(400, self.protocol.error("Rejected: " + text))
        else:
            self.good()

    def on_text_only(self):
        """The error is a string, not an object."""
        self.refuse("response_format", {
            "error": "'response_format.type' must be 'text'"})

    # ---- errors in the form of each protocol ----

    def on_busy_once(self):
        self.once(529, self.protocol.error("Overloaded",
                                           kind="overloaded_error"))

    def on_busy_inside_once(self):
        self.once(200, self.protocol.error("Overloaded",
                                           kind="overloaded_error"))

    def on_failed_once(self):
        """An error of the Responses API."""
        self.once(200, {"object": "response", "status": "failed", "output": [],
                        "error": {"code": "server_error", "message": "Oh."}})

    def on_retry_info(self):
        """An error of Google that contains the wait."""
        self.once(429, {"error": {
            "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Slow.",
            "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo",
                         "retryDelay": "1.5s"}]}})

    def on_bad_key(self):
        self.reply(400, self.protocol.error(
            "API key not valid. Please pass a valid API key.",
            code="API_KEY_INVALID"))

    def on_overfull(self):
        """As Ollama does if the prompt fills the context."""
        self.reply(200, self.protocol.reply(
            self.body, json.dumps(self.answer()))
            | {"prompt_eval_count": self.body["options"]["num_ctx"]})

    # ---- permanent errors ----

    def on_auth(self):
        names = ["Authorization", "x-api-key", "api-key", "x-goog-api-key"]
        key = [self.headers[n] for n in names if n in self.headers][0]
        self.reply(401, self.protocol.error(
            "Incorrect API key provided: " + key.split()[-1],
            code="invalid_api_key"))

    def on_no_model(self):
        self.reply(404, {"error": {"message": "model 'm' not found",
                                   "type": "not_found_error"}})

    def on_quota(self):
        self.reply(429, error("You exceeded your current quota.",
                              code="insufficient_quota"))

    def on_too_long(self):
        self.reply(400, {"error": {
            "code": 400, "message": "the request exceeds the available "
            "context size", "type": "exceed_context_size_error"}})

    def on_string(self):
        self.reply(403, {"error": "not for you"})

    def on_detail(self):
        self.reply(422, {"detail": "the body is no good"})

    def on_redirect(self):
        self.reply(302, b"", [("Location", "/good/elsewhere/"
                               "chat/completions")])

    # ---- replies without an answer ----

    def on_refusal(self):
        self.say(None, refusal="I will not judge that.")

    def on_length(self):
        self.say(json.dumps(self.answer())[:30], finish="length")

    def on_filter(self):
        self.say("", finish="filter")

    def on_null(self):
        self.say(None, finish="tool_calls")

    def on_empty(self):
        self.say("")

    def on_no_choices(self):
        self.reply(200, {"choices": []})

    def on_prose(self):
        self.say("Both checks pass.")

    # ---- answers without valid verdicts ----

    def on_missing_id(self):
        answer = self.verdicts()
        answer.pop(max(answer))
        self.say(json.dumps(self.proven(answer)))

    def on_slow_refusal(self):
        """Gives each request a reason of its own."""
        time.sleep(0.2)
        self.reply(400, error(f"Not request {self.n}."))

    def on_wrong_ids(self):
        answer = self.verdicts()
        answer["check_9"] = answer.pop(max(answer))
        self.say(json.dumps(self.proven(answer)))

    def on_stray_id(self):
        answer = self.verdicts()
        answer["check_9"] = answer[min(answer)]
        self.say(json.dumps(self.proven(answer)))

    def on_no_nonce(self):
        self.say(json.dumps(self.verdicts()))

    def on_no_end(self):
        """As a server does that reads only the beginning."""
        answer = self.answer()
        answer.pop("end")
        self.say(json.dumps(answer))

    def on_no_start(self):
        """As a server does that reads only the end."""
        self.say(json.dumps(self.answer() | {"nonce": "00000000"}))

    def on_swapped_nonces(self):
        answer = self.answer()
        answer["nonce"], answer["end"] = answer["end"], answer["nonce"]
        self.say(json.dumps(answer))

    def on_two_nonces(self):
        text = json.dumps(self.answer())
        self.say('{"nonce":"00000000",' + text[1:])

    def on_more(self):
        """A member that the schema does not have."""
        self.say(json.dumps(self.proven({
            i: v | {"confidence": 1} for i, v in self.verdicts().items()})))

    def on_duplicate_ids(self):
        text = json.dumps(self.answer())
        self.say(f"{{\"{self.checks()[0]['id']}\":{{\"reason\":\"\",\"verdict\":"
                 f"\"pass\"}},{text[1:]}")

    def on_wrong_words(self):
        text = json.dumps(self.answer())
        self.say(text.replace('"pass"', '"PASS"'))

    def on_pleased(self):
        """Passes every check."""
        self.say(json.dumps(self.proven({
            c["id"]: {"reason": "", "verdict": "pass"} for c in self.checks()})))

    def on_fickle(self):
        """Passes a check in the first N requests, where N is the rubric."""
        self.say(json.dumps(self.proven({c["id"]: {
            "reason": f"As of request {self.n}.",
            "verdict": "pass" if self.n <= int(c["rubric"]) else "fail"}
            for c in self.checks()})))

    def on_fickle_score(self):
        self.say(json.dumps(self.proven({
            c["id"]: {"reason": f"Request {self.n}.",
                      "score": [0.9, 0.2, 0.8][self.n - 1]}
            for c in self.checks()})))

    def on_once_only(self):
        """Answers only the first request."""
        if self.n == 1:
            return self.good()
        self.reply(400, error("Not again."))

    def on_cut_key(self):
        """Quotes the key near the length at which messages are cut, in each place
        that is shown, and with escapes that JSON allows."""
        key, before = self.headers["Authorization"], "x" * (self.n // 5 * 9)
        form = ["error", "refusal", "end", "verdict", "object"][self.n % 5]
        reply = self.protocol.reply(self.body, json.dumps(self.proven({
            c["id"]: {"reason": "", "verdict": key} for c in self.checks()})))
        choice = reply["choices"][0]
        if form == "error":
            reply = error(before + key)
        elif form == "object":
            reply = {"error": {"told": json.dumps({"inner": before + key})}}
        elif form == "refusal":
            choice["message"]["refusal"] = before + key
        elif form == "end":
            choice["finish_reason"] = before + key
        text = json.dumps(reply).replace("/", "\\/").replace("+", "\\u002B")
        self.reply(400 if form == "error" else 200, text.encode())

    def on_echo_key(self):
        answer = self.verdicts()
        answer[min(answer)]["reason"] = self.headers["Authorization"]
        self.say(json.dumps(self.proven(answer)))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, context=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "https" if context else "http"
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.lock = threading.Condition()
        self.starved = []    # numbers of requests of on_full_house
        self.windows = []    # (test, path) of the questions about the model
        self.requests = {}   # {test: [(headers, body)]}
        self.paths = {}      # {test: paths of the requests}
        self.times = {}      # {test: times of the requests}
        self.released = threading.Event()
        self.under_way = {}  # {test: number of requests without a reply}
        self.at_once = {}    # {test: the greatest such number}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Ignores errors of connections that a killed client left."""

    def url(self, fault, test):
        return f"{self.scheme}://127.0.0.1:{self.server_port}/{fault}/{test}"

    def note(self, test, path, headers, body):
        """Records a request. Returns its number within its test, from 1."""
        with self.lock:
            requests = self.requests.setdefault(test, [])
            requests.append((headers, body))
            self.paths.setdefault(test, []).append(path)
            self.times.setdefault(test, []).append(time.monotonic())
            now = self.under_way.get(test, 0) + 1
            self.under_way[test] = now
            self.at_once[test] = max(now, self.at_once.get(test, 0))
            self.lock.notify_all()
            return len(requests)

    def wait_for(self, test, jobs, least, total):
        """Waits until `jobs` requests are under way, or `total` have come, and
        until `least` have come. Returns whether this happens in time."""
        def enough():
            n = len(self.requests[test])
            return n >= least and (n == total or self.under_way[test] >= jobs)

        with self.lock:
            return self.lock.wait_for(enough, 40)

    def note_end(self, test):
        with self.lock:
            self.under_way[test] -= 1
