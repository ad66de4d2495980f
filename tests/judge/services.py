"""Services of embeddings and moderation on loopback, for tests/suite/judge/measures and
tests/oracle/promptfoo_measures."""

import http.server
import json
import re
import threading


def vector(text):
    """A vector of how often some letters occur, and a constant."""
    return [text.lower().count(c) / 4 for c in "aeioustrn"] + [0.25]


class Service(http.server.BaseHTTPRequestHandler):
    """The services of OpenAI, Ollama and Gemini, below the name of a test."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        test, path = re.match(r"/([^/]+)/(.*)", self.path).groups()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen = self.server.seen.setdefault(test, [])
        seen.append((path, dict(self.headers.items()), body))
        if test.startswith("busy") and len(seen) == 1:
            return self.reply(503, {"error": {"message": "Busy.", "type": "x"}})
        if test.startswith("bad"):
            return self.reply(200, self.server.bad[test])
        if path == "v1/embeddings":
            texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
            return self.reply(200, {
                "object": "list", "model": body["model"] + "-1",
                "data": [{"object": "embedding", "index": i, "embedding": vector(t)}
                         for i, t in enumerate(texts)],
                "usage": {"prompt_tokens": 7, "total_tokens": 7}})
        if path == "api/embed":
            return self.reply(200, {"model": body["model"], "prompt_eval_count": 7,
                                    "embeddings": [vector(t) for t in body["input"]]})
        if path.endswith(":batchEmbedContents"):
            return self.reply(200, {"embeddings": [
                {"values": vector(r["content"]["parts"][0]["text"])} for r in body["requests"]]})
        if path == "v1/moderations":
            text = body["input"][0]["text"]
            named = {c: c in text for c in ["hate", "violence", "self-harm"]}
            return self.reply(200, {"id": "m", "model": body["model"], "results": [{
                "flagged": any(named.values()), "categories": named,
                "category_scores": {c: float(v) for c, v in named.items()}}]})
        return self.reply(404, {"error": {"message": "no such path", "type": "x"}})


class ServiceServer(http.server.ThreadingHTTPServer):
    """Serves below /TEST/, and keeps the requests of a test in seen[TEST]; what bad[TEST]
    has is the reply to all requests of that test."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Service)
        self.seen, self.bad = {}, {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, test, base="v1"):
        return f"http://127.0.0.1:{self.server_port}/{test}/{base}".rstrip("/")
