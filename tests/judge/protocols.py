"""The protocols that tests/judge/server.py implements. Each class is a protocol:
the end of its address, the parts of a request, and the form of its replies."""

import json


def tokens(body):
    """Returns the number of tokens of a request, at least 1000."""
    return max(1000, len(json.dumps(body)) // 4)


def text_of(content):
    """Returns the text of a content, which is the last of its parts."""
    return content if isinstance(content, str) else content[-1]["text"]


class Chat:
    """OpenAI's Chat Completions."""

    path = r"chat/completions"
    ends = {"stop": "stop", "length": "length", "filter": "content_filter"}

    @staticmethod
    def prompt(body):
        return [text_of(m["content"]) for m in body["messages"]]

    @staticmethod
    def form(body):
        return {"json_schema": "schema", "json_object": "json"}.get(
            body.get("response_format", {}).get("type"), "text")

    @staticmethod
    def schema(body):
        return body["response_format"]["json_schema"]["schema"]

    @classmethod
    def reply(cls, body, content, finish="stop", **message):
        n = tokens(body)
        return {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1,
            "model": "judge-2026-01-01",
            "choices": [{"index": 0, "finish_reason":
                         cls.ends.get(finish, finish), "logprobs": None,
                         "message": {"role": "assistant", "content": content,
                                     "refusal": None, **message}}],
            "usage": {"prompt_tokens": n, "completion_tokens": 20,
                      "total_tokens": n + 20,
                      "prompt_tokens_details": {"cached_tokens": 600},
                      "completion_tokens_details": {"reasoning_tokens": 5}},
        }

    @staticmethod
    def error(message, param=None, code=None, kind="invalid_request_error"):
        return {"error": {"message": message, "type": kind, "param": param,
                          "code": code}}

    refuses = {"schema": ("Invalid parameter: 'response_format' of type "
                          "'json_schema' is not supported with this model.",
                          "response_format"),
               "json": ("'response_format.type' must be 'text'",
                        "response_format")}


class Azure(Chat):
    path = (r"openai/deployments/[^/]+/chat/completions"
            r"\?api-version=[-0-9a-z]+|openai/v1/chat/completions")


class Responses(Chat):
    path = r"responses"

    @staticmethod
    def prompt(body):
        given = body["input"]
        return [body["instructions"],
                given if isinstance(given, str) else text_of(given[0]["content"])]

    @staticmethod
    def form(body):
        return {"json_schema": "schema", "json_object": "json"}.get(
            body.get("text", {}).get("format", {}).get("type"), "text")

    @staticmethod
    def schema(body):
        return body["text"]["format"]["schema"]

    @classmethod
    def reply(cls, body, content, finish="stop", refusal=None):
        n = tokens(body)
        said = {"type": "refusal", "refusal": refusal} if refusal else {
            "type": "output_text", "text": content, "annotations": []}
        why = {"length": "max_output_tokens",
               "filter": "content_filter"}.get(finish)
        return {
            "id": "resp_1", "object": "response", "created_at": 1,
            "model": "judge-2026-01-01", "error": None,
            "status": "incomplete" if why else "completed",
            "incomplete_details": {"reason": why} if why else None,
            "output": [
                {"type": "reasoning", "id": "rs_1", "summary": [],
                 "content": [{"type": "reasoning_text", "text": "Hm."}]},
                {"type": "message", "id": "msg_1", "role": "assistant",
                 "status": "completed", "content": [said]}],
            "usage": {"input_tokens": n, "output_tokens": 20,
                      "total_tokens": n + 20,
                      "input_tokens_details": {"cached_tokens": 600},
                      "output_tokens_details": {"reasoning_tokens": 5}},
        }

    refuses = {"schema": ("json_schema is not supported by this model.",
                          "text.format"),
               "json": ("json_object is not supported.", "text.format.type")}


class Anthropic:
    path = r"v1/messages"

    @staticmethod
    def prompt(body):
        return [body["system"][0]["text"], text_of(body["messages"][0]["content"])]

    @staticmethod
    def form(body):
        if "output_config" in body:
            return "schema"
        return "json" if "tools" in body else "text"

    @staticmethod
    def schema(body):
        return body["output_config"]["format"]["schema"]

    @classmethod
    def reply(cls, body, content, finish="stop", refusal=None):
        end = {"length": "max_tokens", "stop": "end_turn",
               "filter": "refusal"}[finish]
        said = {"type": "text", "text": content}
        if cls.form(body) == "json":
            said = {"type": "tool_use", "id": "toolu_1", "name": "verdicts",
                    "input": json.loads(content)}
            end = "tool_use"
        if refusal:
            end, said = "refusal", {"type": "text", "text": ""}
        return {
            "id": "msg_1", "type": "message", "role": "assistant",
            "model": "judge-2026-01-01", "stop_sequence": None,
            "stop_reason": end, "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "x"},
                said],
            **({"stop_details": {"explanation": refusal}} if refusal else {}),
            "usage": {"input_tokens": tokens(body) - 700, "output_tokens": 20,
                      "cache_creation_input_tokens": 100,
                      "cache_read_input_tokens": 600}}

    @staticmethod
    def error(message, param=None, code=None, kind="invalid_request_error"):
        del param
        return {"type": "error", "error": {"type": code or kind,
                                           "message": message},
                "request_id": "req_1"}

    refuses = {"schema": ("output_config.format: Extra inputs are not "
                          "permitted", None),
               "json": ("tools: not supported by this model", None)}


class Gemini:
    path = r"v1beta/models/[^/]+:generateContent"

    @staticmethod
    def prompt(body):
        return [body["systemInstruction"]["parts"][0]["text"],
                text_of(body["contents"][0]["parts"])]

    @staticmethod
    def form(body):
        config = body["generationConfig"]
        if "responseJsonSchema" in config:
            return "schema"
        return "json" if "responseMimeType" in config else "text"

    @staticmethod
    def schema(body):
        return body["generationConfig"]["responseJsonSchema"]

    @classmethod
    def reply(cls, body, content, finish="stop", refusal=None):
        n = tokens(body)
        usage = {"promptTokenCount": n, "candidatesTokenCount": 15,
                 "thoughtsTokenCount": 5, "cachedContentTokenCount": 600,
                 "totalTokenCount": n + 20}
        if refusal:
            return {"promptFeedback": {"blockReason": "SAFETY"},
                    "usageMetadata": usage, "modelVersion": "judge-2026-01-01"}
        end = {"stop": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"}
        return {"candidates": [{"index": 0, "finishReason": end[finish],
                                "content": {"role": "model", "parts": [
                                    {"text": "Hm.", "thought": True},
                                    {"text": content[:9]},
                                    {"text": content[9:]}]}}],
                "usageMetadata": usage, "modelVersion": "judge-2026-01-01"}

    @staticmethod
    def error(message, param=None, code=None, kind="INVALID_ARGUMENT"):
        del param
        details = [] if code is None else [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo",
             "reason": code}]
        return {"error": {"code": 400, "message": message, "status": kind,
                          "details": details}}

    refuses = {"schema": ('Invalid JSON payload received. Unknown name '
                          '"responseJsonSchema" at \'generation_config\'',
                          None),
               "json": ("JSON mode is not enabled for this model", None)}


class Ollama:
    path = r"api/chat"

    @staticmethod
    def prompt(body):
        return [text_of(m["content"]) for m in body["messages"]]

    @staticmethod
    def form(body):
        if isinstance(body.get("format"), dict):
            return "schema"
        return "json" if "format" in body else "text"

    @staticmethod
    def schema(body):
        return body["format"]

    @classmethod
    def reply(cls, body, content, finish="stop", refusal=None):
        return {"model": "judge-2026-01-01", "created_at": "2026-01-01",
                "message": {"role": "assistant", "content": content,
                            "thinking": "Hm."},
                "done": True, "done_reason": finish,
                "prompt_eval_count": tokens(body), "eval_count": 20}

    @staticmethod
    def error(message, *_, **__):
        return {"error": message}

    refuses = {"schema": ("invalid format: expected \"json\"", None),
               "json": ("this model has no grammar", None)}


class Vertex(Gemini):
    path = r"v1/(projects/[^/]+/locations/[^/]+/)?publishers/google/models/" \
           r"[^/]+:generateContent"


class Bedrock:
    path = r"model/[^/]+/converse"

    @staticmethod
    def prompt(body):
        return [body["system"][0]["text"], body["messages"][0]["content"][0]["text"]]

    @staticmethod
    def form(body):
        if "outputConfig" in body:
            return "schema"
        return "json" if "toolConfig" in body else "text"

    @staticmethod
    def schema(body):
        return json.loads(body["outputConfig"]["textFormat"]["structure"]
                          ["jsonSchema"]["schema"])

    @classmethod
    def reply(cls, body, content, finish="stop", refusal=None):
        del refusal
        end = {"length": "max_tokens", "stop": "end_turn",
               "filter": "guardrail_intervened"}[finish]
        said = {"text": content}
        if cls.form(body) == "json":
            said = {"toolUse": {"toolUseId": "t", "name": "verdicts",
                                "input": json.loads(content)}}
            end = "tool_use" if end == "end_turn" else end
        return {"output": {"message": {"role": "assistant", "content": [
                    {"reasoningContent": {"reasoningText": {"text": "Hm."}}}, said]}},
                "stopReason": end, "metrics": {"latencyMs": 1},
                "usage": {"inputTokens": tokens(body) - 700, "outputTokens": 20,
                          "totalTokens": tokens(body) + 20,
                          "cacheReadInputTokens": 600, "cacheWriteInputTokens": 100}}

    @staticmethod
    def error(message, *_, **__):
        return {"message": message}

    refuses = {"schema": ("The model returned: outputConfig.textFormat is not "
                          "supported by this model.", None),
               "json": ("This model doesn't support tool use.", None)}


PROTOCOLS = [Azure, Chat, Responses, Anthropic, Gemini, Ollama, Vertex, Bedrock]
