"""A chat completions server on loopback whose faults are scripted, for
tests/suite/judge. POST /FAULT/TEST/chat/completions is answered as FAULT says;
TEST keeps the requests of different tests apart. A check passes unless its
rubric says FAIL; scores are 0.75.
"""

import email.utils
import http.server
import json
import re
import threading
import time


def checks_of(body):
    system = body["messages"][0]["content"]
    return json.loads(re.search(r"^The checks:\n(.*)$", system, re.M).group(1))


def verdict(check):
    if check["answer"] == "score":
        return {"reason": "Three in four.", "score": 0.75}
    passed = "FAIL" not in check["rubric"]
    return {"reason": "It is so." if passed else "It is not so.",
            "verdict": "pass" if passed else "fail"}


def verdicts(body):
    return {c["id"]: verdict(c) for c in checks_of(body)}


def completion(content, finish="stop", **message):
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1,
        "model": "judge-2026-01-01",
        "choices": [{"index": 0, "finish_reason": finish, "logprobs": None,
                     "message": {"role": "assistant", "content": content,
                                 "refusal": None, **message}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20,
                  "total_tokens": 120,
                  "prompt_tokens_details": {"cached_tokens": 60},
                  "completion_tokens_details": {"reasoning_tokens": 5}},
    }


def error(message, param=None, code=None, kind="invalid_request_error"):
    return {"error": {"message": message, "type": kind, "param": param,
                      "code": code}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

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

    def say(self, text, **more):
        self.reply(200, completion(text, **more))

    def good(self):
        self.say(json.dumps(verdicts(self.body)))

    def do_POST(self):
        _, fault, test, path = self.path.split("/", 3)
        length = int(self.headers["Content-Length"])
        self.body = json.loads(self.rfile.read(length))
        self.n = self.server.note(test, self.headers, self.body)
        try:
            if path == "chat/completions":
                getattr(self, "on_" + fault.replace("-", "_"))()
            else:
                self.reply(404, error("no such path"))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.server.note_end(test)

    # ---- well ----

    def on_good(self):
        self.good()

    def on_slow(self):
        time.sleep(0.2)
        self.good()

    def on_stalled(self):
        self.server.released.wait(30)
        self.good()

    def on_stalled_some(self):
        """Those that ask about STALL."""
        if "STALL" in checks_of(self.body)[0]["rubric"]:
            self.server.released.wait(30)
        self.good()

    def on_fenced(self):
        self.say("Here you are:\n```json\n"
                 + json.dumps(verdicts(self.body), indent=2) + "\n```")

    def on_think(self):
        self.say("<think>{\"check_1\": hm</think>\n"
                 + json.dumps(verdicts(self.body)))

    def on_parts(self):
        text = json.dumps(verdicts(self.body))
        self.say([{"type": "text", "text": text[:10]},
                  {"type": "text", "text": text[10:]}])

    def on_bare(self):
        """As the smallest servers reply."""
        self.reply(200, {"choices": [{"message": {
            "content": json.dumps(verdicts(self.body))}}]})

    # ---- not now ----

    def once(self, *reply):
        if self.n == 1:
            self.reply(*reply)
        else:
            self.good()

    def on_429_seconds(self):
        self.once(429, error("Slow down."), [("Retry-After", "1")])

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

    def on_500_final(self):
        self.reply(500, error("It will not get better."),
                   [("x-should-retry", "false")])

    def on_400_passing(self):
        self.once(400, error("A hiccup."), [("x-should-retry", "true")])

    def on_error_200_once(self):
        self.once(200, {"error": {"message": "upstream died", "code": 502}})

    def on_error_in_choice_once(self):
        self.once(200, {"choices": [{"error": {
            "message": "upstream died", "code": "502"}}]})

    def on_html_once(self):
        self.once(200, b"<html><body>Welcome to the proxy</body></html>")

    def on_half_once(self):
        """Fewer bytes than were announced."""
        if self.n > 1:
            return self.good()
        body = json.dumps(completion(json.dumps(verdicts(self.body)))).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2])
        self.close_connection = True

    def on_half_json_once(self):
        body = json.dumps(completion(json.dumps(verdicts(self.body)))).encode()
        self.once(200, body[:len(body) // 2])

    def on_dropped_once(self):
        if self.n > 1:
            return self.good()
        self.close_connection = True

    def on_trickle(self):
        body = json.dumps(completion(json.dumps(verdicts(self.body)))).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for i in range(len(body)):
            self.wfile.write(body[i:i + 1])
            self.wfile.flush()
            time.sleep(0.1)

    # ---- not so ----

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

    def on_old_max_tokens(self):
        self.refuse("max_completion_tokens", error(
            "Unrecognized request argument: max_completion_tokens"))

    def on_no_schema(self):
        if self.body.get("response_format", {}).get("type") == "json_schema":
            self.reply(400, error(
                "Invalid parameter: 'response_format' of type 'json_schema' "
                "is not supported with this model.",
                "response_format"))
        else:
            self.good()

    def on_text_only(self):
        """The error is a bare string."""
        self.refuse("response_format", {
            "error": "'response_format.type' must be 'text'"})

    # ---- no ----

    def on_auth(self):
        key = self.headers["Authorization"].split()[-1]
        self.reply(401, error("Incorrect API key provided: " + key,
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

    # ---- what is no answer ----

    def on_refusal(self):
        self.say(None, refusal="I will not judge that.")

    def on_length(self):
        self.say(json.dumps(verdicts(self.body))[:30], finish="length")

    def on_filter(self):
        self.say("", finish="content_filter")

    def on_null(self):
        self.say(None, finish="tool_calls")

    def on_empty(self):
        self.say("")

    def on_no_choices(self):
        self.reply(200, {"choices": []})

    def on_prose(self):
        self.say("Both checks pass.")

    # ---- what is no verdict ----

    def on_missing_id(self):
        answer = verdicts(self.body)
        answer.pop(max(answer))
        self.say(json.dumps(answer))

    def on_wrong_ids(self):
        answer = verdicts(self.body)
        answer["check_9"] = answer.pop(max(answer))
        self.say(json.dumps(answer))

    def on_stray_id(self):
        answer = verdicts(self.body)
        answer["check_9"] = answer["check_1"]
        self.say(json.dumps(answer))

    def on_duplicate_ids(self):
        text = json.dumps(verdicts(self.body))
        self.say("{\"check_1\":{\"reason\":\"\",\"verdict\":\"pass\"},"
                 + text[1:])

    def on_wrong_words(self):
        text = json.dumps(verdicts(self.body))
        self.say(text.replace('"pass"', '"PASS"'))

    def on_echo_key(self):
        answer = verdicts(self.body)
        answer["check_1"]["reason"] = self.headers["Authorization"]
        self.say(json.dumps(answer))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.requests = {}   # of each test: [(headers, body)]
        self.times = {}      # and when they came
        self.released = threading.Event()
        self.under_way = {}  # how many await their reply now
        self.at_once = {}    # and how many did at most
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """A client that is killed is none of our affair."""

    def url(self, fault, test):
        return f"http://127.0.0.1:{self.server_port}/{fault}/{test}"

    def note(self, test, headers, body):
        """The number of this request within its test, from 1."""
        with self.lock:
            requests = self.requests.setdefault(test, [])
            requests.append((headers, body))
            self.times.setdefault(test, []).append(time.monotonic())
            now = self.under_way.get(test, 0) + 1
            self.under_way[test] = now
            self.at_once[test] = max(now, self.at_once.get(test, 0))
            return len(requests)

    def note_end(self, test):
        with self.lock:
            self.under_way[test] -= 1
