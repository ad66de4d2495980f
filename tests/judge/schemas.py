"""JSON Schemas (2020-12) of the requests that the providers accept, written from
their public descriptions; mcpl-judge must send nothing else. Also the subset of
JSON Schema that strict decoders accept."""


def closed(required, **properties):
    return {"type": "object", "required": required.split(),
            "properties": properties, "additionalProperties": False}


TEXT = {"type": "string", "minLength": 1}
WHOLE = {"type": "integer", "minimum": 1}
SCHEMA = {"type": "object"}  # strict() checks this
NAME = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}


def number(most):
    return {"type": "number", "minimum": 0, "maximum": most}


def one_of(*schemas):
    return {"oneOf": list(schemas)}


def kind(which, **more):
    return closed(" ".join(["type", *more]), type={"const": which}, **more)


def parts(*kinds):
    return {"type": "array", "minItems": 1, "items": one_of(*kinds)}


def messages(*roles, content=TEXT, **more):
    return {"type": "array", "items": False, "minItems": len(roles), "prefixItems": [
        closed("role content", role={"const": r},
               content=content if r == "user" else TEXT,
               **(more if r == "user" else {})) for r in roles]}


BASE64 = {"type": "string", "pattern": "^[A-Za-z0-9+/]+=*$"}
IMAGE = {"enum": [f"image/{t}" for t in ("png", "jpeg", "gif", "webp")]}
IMAGE_URL = {"type": "string",
             "pattern": "^data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$"}


CHAT_FORMAT = one_of(
    kind("text"), kind("json_object"),
    kind("json_schema", json_schema=closed(
        "name schema", name=NAME, description=TEXT,
        strict={"type": "boolean"}, schema=SCHEMA)))
RESPONSES_FORMAT = one_of(
    kind("text"), kind("json_object"),
    closed("type name schema", type={"const": "json_schema"}, name=NAME,
           description=TEXT, strict={"type": "boolean"}, schema=SCHEMA))
CHAT = closed(
    "model messages", model=TEXT, messages=messages("system", "user", content=one_of(TEXT, parts(
        kind("text", text=TEXT),
        kind("image_url", image_url=closed("url", url=IMAGE_URL))))),
    response_format=CHAT_FORMAT, temperature=number(2),
    max_completion_tokens=WHOLE, max_tokens=WHOLE)
OPENROUTER = CHAT | {"properties": CHAT["properties"] | {
    "provider": closed("", require_parameters={"type": "boolean"})}}
RESPONSES = closed(
    "model input", model=TEXT, input=one_of(TEXT, messages("user", content=parts(
        kind("input_text", text=TEXT),
        kind("input_image", detail={"const": "auto"}, image_url=IMAGE_URL)))), instructions=TEXT,
    store={"const": False}, text=closed("", format=RESPONSES_FORMAT),
    temperature=number(2), max_output_tokens={"type": "integer",
                                              "minimum": 1})
ANTHROPIC = closed(
    "model max_tokens messages", model=TEXT, max_tokens=WHOLE,
    system={"type": "array", "minItems": 1, "items": closed(
        "type text", type={"const": "text"}, text=TEXT,
        cache_control=kind("ephemeral"))},
    messages=messages("user", content=one_of(TEXT, parts(
        kind("text", text=TEXT),
        kind("image", source=kind("base64", media_type=IMAGE, data=BASE64))))),
    temperature=number(1),
    output_config=closed("format", format=kind("json_schema",
                                               schema=SCHEMA)),
    tools={"type": "array", "minItems": 1, "items": closed(
        "name input_schema", name=NAME, description=TEXT,
        input_schema=SCHEMA, strict={"type": "boolean"})},
    tool_choice=kind("tool", name=NAME,
                     disable_parallel_tool_use={"type": "boolean"}))
PARTS = parts(closed("text", text=TEXT), closed("inlineData", inlineData=closed(
    "mimeType data", mimeType=IMAGE, data=BASE64)))
GEMINI = closed(
    "contents", systemInstruction=closed("parts", parts=PARTS),
    contents={"type": "array", "minItems": 1, "items": closed(
        "role parts", role={"enum": ["user", "model"]}, parts=PARTS)},
    generationConfig=closed(
        "", temperature=number(2), maxOutputTokens=WHOLE,
        responseMimeType={"const": "application/json"},
        responseJsonSchema=SCHEMA)
    | {"dependentRequired": {"responseJsonSchema": ["responseMimeType"]}})
OLLAMA = closed(
    "model messages", model=TEXT, messages=messages(
        "system", "user", images={"type": "array", "minItems": 1, "items": BASE64}),
    stream={"const": False}, truncate={"const": False},
    shift={"const": False}, format=one_of({"const": "json"}, SCHEMA),
    options=closed("", num_ctx=WHOLE, num_predict=WHOLE,
                   temperature=number(2)))

BLOCKS = parts(closed("text", text=TEXT))
BEDROCK = closed(
    "messages", system=BLOCKS, messages={"type": "array", "minItems": 1, "items": closed(
        "role content", role={"const": "user"}, content=BLOCKS)},
    inferenceConfig=closed("", maxTokens=WHOLE, temperature=number(1)),
    outputConfig=closed("textFormat", textFormat=kind("json_schema", structure=closed(
        "jsonSchema", jsonSchema=closed("schema", name=NAME, schema=TEXT)))),
    toolConfig=closed("tools", tools={"type": "array", "items": closed(
        "toolSpec", toolSpec=closed(
            "name inputSchema", name=NAME, description=TEXT,
            inputSchema=closed("json", json=SCHEMA)))},
        toolChoice=closed("tool", tool=closed("name", name=NAME))))

REQUESTS = {
    "openai": CHAT, "azure": CHAT, "openrouter": OPENROUTER,
    "openai-responses": RESPONSES, "anthropic": ANTHROPIC, "gemini": GEMINI,
    "ollama": OLLAMA, "bedrock": BEDROCK}

STRICT = {"type", "properties", "required", "additionalProperties", "enum",
          "items", "anyOf", "description", "title"}


def strict(schema):
    """Returns the list of keywords that strict decoders do not accept."""
    wrong = sorted(schema.keys() - STRICT)
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            wrong.append("additionalProperties")
        if schema["required"] != list(schema["properties"]):
            wrong.append("required")
    for inner in [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]:
        wrong += strict(inner)
    return wrong
