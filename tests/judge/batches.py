"""A server on loopback that implements the Batch APIs of OpenAI, Azure, Anthropic
and Gemini, for tests/suite/judge/batch. The server refuses requests that do not
follow the providers' documentation. The paths begin with /TEST/, so that tests
do not share files and batches; `faults` has the fault of each test.

A word in the rubrics of a request (EXPIRED, CANCELLED, BUSY, BAD, GARBLED or
SILENT) selects the result of the request the first time it is sent; later times
it succeeds.
"""

import email.parser
import email.policy
import http.server
import json
import random
import re
import threading
import time

from judge.protocols import Anthropic, Azure, Chat, Gemini, Responses
from judge.server import checks_in, proven, verdict

WORDS = ["EXPIRED", "CANCELLED", "BUSY", "BAD", "GARBLED", "SILENT"]


class Refusal(Exception):
    """Carries the HTTP status and the error message of a refusal."""


def need(truth, why):
    if not truth:
        raise Refusal(400, why)


class Room:
    """The files, batches and requests of one test."""

    def __init__(self):
        self.files = {}    # uploads and results: {name: bytes}
        self.names = {}    # file names of uploads: {file: name}
        self.batches = {}  # {name: batch}, in the order of creation
        self.seen = set()  # names of requests
        self.asked = []    # names of requests, with repetitions
        self.log = []      # (method, path)
        self.tried = []    # protocols of requests that were sent on their own
        self.headers = []
        self.once = set()  # faults that happened
        self.looks = 0     # polls of an upload that takes time

    def first(self, what):
        new = what not in self.once
        self.once.add(what)
        return new

    def judge(self, protocol, name, body):
        """Returns (word, None) with a word of WORDS, or ("", reply)."""
        self.asked.append(name)
        system, user = protocol.prompt(body)
        checks = checks_in(system)
        words = [w for w in WORDS if any(w in c["rubric"] for c in checks)]
        if words and name not in self.seen:
            self.seen.add(name)
            if words[0] != "GARBLED":
                return words[0], None
            return "", protocol.reply(body, '{"check_1":', finish="length")
        return "", protocol.reply(
            body, json.dumps(proven(user, {c["id"]: verdict(c) for c in checks})))


def parts_of(headers, body):
    """Returns the parts of a multipart message: [(headers, bytes)]."""
    head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
    message = email.parser.BytesParser(
        policy=email.policy.HTTP).parsebytes(head + body)
    need(message.is_multipart(), "no multipart message")
    need(body.endswith(f"--{message.get_boundary()}--\r\n".encode()),
         "the last boundary is lacking")
    return [(p, p.get_payload(decode=True)) for p in message.iter_parts()]


def lines_of(data):
    need(data.endswith(b"\n"), "the last line is cut")
    return [json.loads(line) for line in data.splitlines()]


class OpenAI:
    """OpenAI's Batch API: files and batches."""

    stages = ["validating", "in_progress", "finalizing", "completed"]
    urls = {"/v1/chat/completions": Chat, "/v1/responses": Responses}
    query = {}

    @staticmethod
    def error(status, message):
        return {"error": {"message": message, "type": "invalid_request_error"
                          if status < 500 else "server_error",
                          "param": None, "code": None}}

    def upload(self, call):
        fields = {p.get_param("name", header="Content-Disposition"): (p, data)
                  for p, data in parts_of(call.headers, call.body)}
        need(set(fields) == {"purpose", "file"}, f"fields: {list(fields)}")
        need(fields["purpose"][1] == b"batch", "purpose")
        part, data = fields["file"]
        need(re.fullmatch(r"[\w-]+\.jsonl", part.get_filename()), "filename")
        file = f"file-{len(call.room.files)}"
        call.room.files[file] = data
        call.room.names[file] = part.get_filename()
        return self.file(call, file)

    def file(self, call, file):
        if file not in call.room.names:
            raise Refusal(404, f"No such File object: {file}")
        return {"object": "file", "id": file, "purpose": "batch",
                "filename": call.room.names[file],
                "bytes": len(call.room.files[file]), "created_at": 1,
                "expires_at": 2, "status": self.file_status(call, file),
                "status_details": None}

    def file_status(self, call, file):
        bad = call.fault == "bad-upload" and file == "file-0"
        return "error" if bad else "processed"

    def page(self, call, names, show):
        after = call.query.get("after")
        size = 1 if call.fault == "small-pages" else 100
        if call.fault == "endless":
            size, after = 1, None
        names = names[names.index(after) + 1 if after else 0:]
        return {"object": "list", "data": [show(call, n) for n in names[:size]],
                "first_id": names[0] if names else None,
                "last_id": names[:size][-1] if names else None,
                "has_more": len(names) > size}

    def list_files(self, call):
        need(call.query.pop("purpose", None) == "batch", "purpose")
        return self.page(call, list(call.room.names), self.file)

    def list_batches(self, call):
        return self.page(call, list(call.room.batches)[::-1], self.batch)

    def content(self, call, file):
        if file not in call.room.files or call.fault == "gone":
            raise Refusal(404, f"No such File object: {file}")
        return call.room.files[file]

    def create(self, call):
        body = json.loads(call.body)
        need(set(body) <= {"input_file_id", "endpoint", "completion_window",
                           "metadata", "output_expires_after"}, "members")
        need(body["completion_window"] == "24h", "completion_window")
        need(body["input_file_id"] in call.room.names, "input_file_id")
        need(body["endpoint"] in self.urls, "endpoint")
        need(all(len(k) <= 64 and len(v) <= 512
                 for k, v in body.get("metadata", {}).items()), "metadata")
        name = f"batch_{len(call.room.batches)}"
        call.room.batches[name] = {"stage": 0, "body": body}
        return self.batch(call, name)

    def batch(self, call, name):
        if name not in call.room.batches:
            raise Refusal(404, f"No such batch: {name}")
        batch = call.room.batches[name]
        status = batch.get("status") or self.stages[batch["stage"]]
        return {"id": name, "object": "batch", "status": status,
                "endpoint": batch["body"]["endpoint"], "errors":
                batch.get("errors"), "completion_window": "24h",
                "input_file_id": batch["body"]["input_file_id"],
                "output_file_id": batch.get("output"),
                "error_file_id": batch.get("failed"),
                "created_at": 1, "expires_at": 86401,
                "request_counts": batch.get("counts", self.no_counts),
                "metadata": batch["body"].get("metadata")}

    no_counts = {"total": 0, "completed": 0, "failed": 0}

    def look(self, call, name):
        if call.fault == "busy" and call.room.first(name):
            raise Refusal(429, "Slow down.")
        batch = call.room.batches.get(name)
        if batch and "status" not in batch:
            batch["stage"] = len(self.stages) - 1 if call.fault != "stages" \
                else batch["stage"] + 1
            if self.stages[batch["stage"]] == self.stages[-1]:
                self.work(call, batch)
        return self.batch(call, name)

    def work(self, call, batch):
        requests = lines_of(call.room.files[batch["body"]["input_file_id"]])
        need(len(requests) <= 50000, "more than 50000 requests")
        if call.fault == "rejected" and call.room.first("rejected"):
            batch |= {"status": "failed", "counts": None, "errors": {
                "object": "list", "data": [
                    {"code": "token_limit_exceeded", "line": None,
                     "message": "Enqueued token limit of "
                     f"{call.headers[self.key[0]].split()[-1]} reached.",
                     "param": None},
                    {"code": "invalid_json_line", "line": 2, "param": None,
                     "message": "This line is not parseable."}]}}
            return
        self.check_lines(requests, batch["body"]["endpoint"])
        good, bad = [], []
        for r in requests:
            protocol = self.urls[r["url"]]
            word, reply = call.room.judge(protocol, r["custom_id"], r["body"])
            line = self.line(protocol, r["custom_id"], word, reply)
            if word != "SILENT":
                (bad if word else good).append(line)
        batch["counts"] = {"total": len(requests), "completed": len(good),
                           "failed": len(bad)}
        batch["status"] = {"expired": "expired", "cancelled": "cancelled"}.get(
            call.fault, self.stages[-1])
        for kind, lines in [("output", good), ("failed", bad)]:
            if lines:
                batch[kind] = f"file-{kind}-{len(call.room.files)}"
                call.room.files[batch[kind]] = call.spoil(lines)

    @staticmethod
    def line(protocol, name, word, reply):
        statuses = {"": 200, "BUSY": 429, "BAD": 400}
        if word in statuses:
            body = reply if not word else protocol.error(
                "The request is BAD." if word == "BAD" else "Slow down.")
            return {"id": f"batch_req_{name[:8]}", "custom_id": name,
                    "response": {"status_code": statuses[word],
                                 "request_id": "req_1", "body": body},
                    "error": None}
        return {"id": f"batch_req_{name[:8]}", "custom_id": name,
                "response": None, "error": {
                    "code": f"batch_{word.lower()}",
                    "message": "This request could not be executed."}}

    @staticmethod
    def check_lines(requests, endpoint):
        for r in requests:
            need(set(r) == {"custom_id", "method", "url", "body"}, "a line")
            need(r["method"] == "POST" and r["url"] == endpoint, "a url")
            need("stream" not in r["body"], "stream")
        need(len({r["custom_id"] for r in requests}) == len(requests),
             "custom_id is not unique")
        need(len({r["body"]["model"] for r in requests}) == 1, "one model")

    routes = [("POST", r"v1/files", upload), ("GET", r"v1/files", list_files),
              ("GET", r"v1/files/([\w-]+)", file),
              ("GET", r"v1/files/([\w-]+)/content", content),
              ("POST", r"v1/batches", create),
              ("GET", r"v1/batches", list_batches),
              ("GET", r"v1/batches/([\w-]+)", look)]
    key = ("Authorization", "Bearer ")


class AzureOpenAI(OpenAI):
    """Like OpenAI, with other paths, status names in CamelCase, and uploads that take
    time."""

    stages = ["Validating", "InProgress", "Finalizing", "Completed"]
    urls = {"/chat/completions": Azure}
    no_counts = None
    routes = [(method, path.replace("v1", r"openai(?:/v1)?", 1), function)
              for method, path, function in OpenAI.routes]
    key = ("api-key", "")

    def file_status(self, call, file):
        if call.fault != "slow-uploads":
            return super().file_status(call, file)
        call.room.looks += 1
        return "pending" if call.room.looks == 1 else "processed"

    def create(self, call):
        need(call.room.looks != 1, "the file is not processed")
        return super().create(call)


class Batches:
    """Anthropic's Message Batches API."""

    key = ("x-api-key", "")

    @staticmethod
    def error(status, message):
        kind = {401: "authentication_error", 404: "not_found_error",
                429: "rate_limit_error"}.get(status, "invalid_request_error")
        return {"type": "error", "error": {"type": kind, "message": message},
                "request_id": "req_1"}

    def create(self, call):
        need(call.headers["anthropic-version"] == "2023-06-01", "version")
        need(call.headers["Content-Type"] == "application/json", "type")
        need(len(call.body) <= 256e6, "413")
        body = json.loads(call.body)
        need(set(body) == {"requests"}, "members")
        need(len(body["requests"]) <= 100000, "more than 100000 requests")
        for r in body["requests"]:
            need(set(r) == {"custom_id", "params"}, "a request")
            need(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", r["custom_id"]), "id")
            need({"model", "max_tokens", "messages"} <= set(r["params"])
                 and "stream" not in r["params"], "params")
        name = f"msgbatch_{len(call.room.batches)}"
        call.room.batches[name] = {
            "requests": body["requests"], "ended": False, "created":
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
        return self.batch(call, name)

    def batch(self, call, name):
        if name not in call.room.batches:
            raise Refusal(404, "no such batch")
        batch = call.room.batches[name]
        n = len(batch["requests"])
        counts = dict.fromkeys(["processing", "succeeded", "errored",
                                "canceled", "expired"], 0)
        counts |= batch["counts"] if batch["ended"] else {"processing": n}
        base = "http://elsewhere.invalid" if call.fault == "elsewhere" \
            else call.base
        return {"id": name, "type": "message_batch", "processing_status":
                "ended" if batch["ended"] else "in_progress",
                "request_counts": counts, "created_at": batch["created"],
                "ended_at": None, "expires_at": batch["created"],
                "archived_at": None, "cancel_initiated_at": None,
                "results_url": f"{base}/v1/messages/batches/{name}"
                "/results" if batch["ended"] else None}

    def look(self, call, name):
        batch = call.room.batches.get(name)
        if batch and not batch["ended"] and not (
                call.fault == "stages" and call.room.first(name)):
            batch["ended"] = True
            self.work(call, batch)
        return self.batch(call, name)

    def work(self, call, batch):
        kinds = {"": "succeeded", "BUSY": "errored", "BAD": "errored",
                 "EXPIRED": "expired", "CANCELLED": "canceled"}
        batch["lines"], batch["counts"] = [], {}
        for r in batch["requests"]:
            word, reply = call.room.judge(Anthropic, r["custom_id"],
                                          r["params"])
            if word == "SILENT":
                continue
            kind = kinds[word]
            batch["counts"][kind] = batch["counts"].get(kind, 0) + 1
            result = {"type": kind}
            if kind == "succeeded":
                result["message"] = reply
            elif kind == "errored":
                result["error"] = self.error(
                    429 if word == "BUSY" else 400, f"The request is {word}.")
            batch["lines"].append({"custom_id": r["custom_id"],
                                   "result": result})

    def results(self, call, name):
        if call.fault == "gone":
            raise Refusal(404, "The results are archived.")
        return call.spoil(call.room.batches[name]["lines"])

    def list(self, call):
        names = list(call.room.batches)[::-1]
        after = call.query.pop("after_id", None)
        size = 1 if call.fault == "small-pages" else int(call.query["limit"])
        names = names[names.index(after) + 1 if after else 0:]
        return {"data": [self.batch(call, n) for n in names[:size]],
                "has_more": len(names) > size, "first_id":
                names[0] if names else None,
                "last_id": names[:size][-1] if names else None}

    routes = [("POST", r"v1/messages/batches", create),
              ("GET", r"v1/messages/batches", list),
              ("GET", r"v1/messages/batches/(\w+)", look),
              ("GET", r"v1/messages/batches/(\w+)/results", results)]


class Generate:
    """Gemini's Batch API."""

    key = ("x-goog-api-key", "")

    @staticmethod
    def error(status, message):
        return {"error": {"code": status, "message": message,
                          "status": "INVALID_ARGUMENT"}}

    def upload(self, call):
        need(call.headers["X-Goog-Upload-Protocol"] == "multipart", "protocol")
        need(call.headers["Content-Type"].startswith(
            "multipart/related; boundary="), "type")
        (first, about), (second, data) = parts_of(call.headers, call.body)
        need(first.get_content_type() == "application/json", "first part")
        need(second.get_content_type() == "application/jsonl", "second part")
        name = f"files/f{len(call.room.files)}"
        call.room.files[name] = data
        return {"file": {"name": name, "state": "ACTIVE", "displayName":
                         json.loads(about)["file"]["displayName"]}}

    def file(self, call, name):
        if name not in call.room.files:
            raise Refusal(404, "no such file")
        return {"name": name, "state": "ACTIVE"}

    def create(self, call, model):
        batch = json.loads(call.body)["batch"]
        need(set(batch) == {"display_name", "input_config"}, "members")
        need(batch["input_config"]["file_name"] in call.room.files, "file")
        need(model == "m", "model")
        name = f"batches/b{len(call.room.batches)}"
        call.room.batches[name] = {"state": "PENDING"} | batch
        return self.operation(call, name)

    def operation(self, call, name):
        if name not in call.room.batches:
            raise Refusal(404, "no such batch")
        batch = call.room.batches[name]
        value = {"name": name, "metadata": {
            "@type": "type.googleapis.com/google.ai.generativelanguage."
            "v1main.GenerateContentBatch", "model": "models/m",
            "displayName": batch["display_name"],
            "state": "BATCH_STATE_" + batch["state"],
            "batchStats": {"requestCount": "2",
                           "pendingRequestCount": "2"}, "name": name}}
        if "file" in batch:
            value |= {"done": True, "response": {
                "@type": "type.googleapis.com/google.ai.generativelanguage."
                "v1main.GenerateContentBatchOutput",
                "responsesFile": batch["file"]}}
        if batch["state"] == "FAILED":
            value |= {"done": True, "error": {
                "code": 13, "message": "It broke."}}
        return value

    def look(self, call, name):
        batch = call.room.batches.get(name)
        if batch and batch["state"] == "PENDING" and call.fault == "rejected":
            batch["state"] = "FAILED"
        elif batch and batch["state"] == "PENDING" and not (
                call.fault == "stages" and call.room.first(name)):
            batch["state"] = "SUCCEEDED"
            self.work(call, batch)
        return self.operation(call, name)

    def work(self, call, batch):
        codes = {"EXPIRED": 4, "CANCELLED": 1, "BUSY": 8, "BAD": 3}
        lines = []
        for r in lines_of(call.room.files[
                batch["input_config"]["file_name"]]):
            need(set(r) == {"key", "request"}, "a line")
            word, reply = call.room.judge(Gemini, r["key"], r["request"])
            if word != "SILENT":
                lines.append({"key": r["key"]} | (
                    {"error": {"code": codes[word], "message":
                               f"The request is {word}."}} if word
                    else {"response": reply}))
        batch["file"] = f"files/r{len(call.room.files)}"
        call.room.files[batch["file"]] = call.spoil(lines)

    def download(self, call, name):
        need(call.query.pop("alt") == "media", "alt")
        if name not in call.room.files or call.fault == "gone":
            raise Refusal(404, "no such file")
        return call.room.files[name]

    def list(self, call):
        names = list(call.room.batches)
        size = 1 if call.fault == "small-pages" else int(call.query["pageSize"])
        start = int(call.query.pop("pageToken", "0"))
        page = {"operations": [self.operation(call, n)
                               for n in names[start:start + size]]}
        if start + size < len(names):
            page["nextPageToken"] = str(start + size)
        return page

    routes = [("POST", r"upload/v1beta/files", upload),
              ("GET", r"v1beta/(files/\w+)", file),
              ("POST", r"v1beta/models/(\w+):batchGenerateContent", create),
              ("GET", r"v1beta/(batches/\w+)", look),
              ("GET", r"v1beta/batches", list),
              ("GET", r"download/v1beta/(files/\w+):download", download)]


PROTOCOLS = [AzureOpenAI(), Batches(), Generate(), OpenAI()]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, value, headers=()):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        cut = self.fault == "cut" and isinstance(value, bytes) and \
            self.room.first("cut")
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2] if cut else body)
        self.close_connection |= cut

    def spoil(self, lines):
        """Returns the results in a random order, as bytes, with the fault of the
        test."""
        random.Random(7).shuffle(lines)
        if self.fault == "repeated":
            strange = json.loads(json.dumps(lines[0]).replace(
                lines[0].get("custom_id") or lines[0]["key"], "0" * 64))
            lines = lines + [strange] + lines
        return "".join(json.dumps(x) + "\n" for x in lines).encode()

    def tried(self, protocol):
        """Replies to a request that is sent on its own, before its file."""
        form = protocol.form(json.loads(self.body))
        if self.fault == "no-schema" and form == "schema":
            message, param = Chat.refuses["schema"]
            return 400, protocol.error(message, param)
        if self.fault == "bad-line" and self.room.first("bad line"):
            return 400, protocol.error("This text on a schema is blocked.")
        if self.fault == "bad-lines":
            return 400, protocol.error("This text is blocked.")
        return 200, protocol.reply(json.loads(self.body), "{}")

    def find(self, method, path):
        for protocol in PROTOCOLS:
            for kind, shape, function in protocol.routes:
                match = re.fullmatch(shape, path)
                if match and kind == method:
                    return protocol, function, match.groups()
        return OpenAI(), None, ()

    def handle_call(self, method):
        test, path, query = re.fullmatch(
            r"/([^/]+)/([^?]*)\??(.*)", self.path).groups()
        self.base = f"{self.server.origin}/{test}"
        self.fault = self.server.faults.get(test, "good")
        self.query = dict(x.split("=", 1) for x in query.split("&") if x)
        self.room = self.server.rooms.setdefault(test, Room())
        length = int(self.headers.get("Content-Length", 0))
        self.body = self.rfile.read(length)
        full = path + ("?" + query if query else "")
        if method == "POST" and self.fault != "auth":
            for p in [Chat, Responses, Azure, Anthropic, Gemini]:
                if re.fullmatch(r"(v1/)?" + p.path, full):
                    self.room.tried.append(p)
                    return self.reply(*self.tried(p))
        protocol, function, arguments = self.find(method, path)
        name = function and function.__name__
        with self.server.lock:
            self.room.log.append((method, path))
            self.room.headers.append(dict(self.headers))
            reply = self.answer(protocol, function, arguments)
            lost = self.fault == f"lost-{name}" and self.room.first("lost")
            held = self.fault == f"hold-{name}" and self.room.first("held")
        if held:
            self.server.held.set()
            self.server.released.wait(30)
        if lost or held:
            self.close_connection = True
        else:
            self.reply(*reply)

    def answer(self, protocol, function, arguments):
        """Handles the request. Returns the reply."""
        name, before = protocol.key
        key = self.headers[name] or ""
        try:
            if self.fault == "auth" or not key.startswith(before + "sk-"):
                raise Refusal(401, f"Incorrect API key provided: {key}")
            if function is None:
                raise Refusal(404, f"no such path: {self.path}")
            return 200, function(protocol, self, *arguments)
        except Refusal as refusal:
            status, why = refusal.args
            headers = [("retry-after-ms", "100")] if status == 429 else ()
            return status, protocol.error(status, why), headers

    def do_GET(self):
        self.handle_call("GET")

    def do_POST(self):
        self.handle_call("POST")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, context=None):
        super().__init__(("127.0.0.1", 0), Handler)
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        scheme = "https" if context else "http"
        self.origin = f"{scheme}://127.0.0.1:{self.server_port}"
        self.lock = threading.Lock()
        self.held = threading.Event()
        self.released = threading.Event()
        self.rooms, self.faults = {}, {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Ignores errors of connections that a killed client left."""

    def url(self, test, provider):
        end = {"openai": "/v1", "openai-responses": "/v1",
               "gemini": "/v1beta"}.get(provider, "")
        return f"{self.origin}/{test}{end}"
